"""The arguments of a call, held against schema and rules of its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.arguments import problems, whole
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.errors import Issue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_hub.tools.tool import Tool


def checked(tool: Tool, arguments: Any, beside: Sequence[Issue] = ()) -> Any:
    """The job of a tool; `BadArguments` with every issue. `beside` are issues of the call outside its arguments."""
    if not isinstance(arguments, dict):
        raise BadArguments(Issue("arguments", "Expected object"), *beside)
    prepared, wrong = tool.prepare(arguments) if tool.prepare else (arguments, [])
    issues = [*wrong, *problems(tool, prepared), *beside]
    return tool.check(ArgumentReader(_whole_if_right(tool, prepared, issues), issues))


def _whole_if_right(tool: Tool, arguments: dict[str, Any], issues: Sequence[Issue]) -> dict[str, Any]:
    """The arguments with integral numbers as integers. What is unknown nobody looks at any more, and of that in which
    something is wrong at its plain members only."""
    wrong = {issue.path.partition(".")[0] for issue in issues}
    known = tool.schema["properties"].keys()
    made = {True: _plainly_whole, False: whole}
    return {name: made[name in wrong](value) if name in known else value for name, value in arguments.items()}


def _plainly_whole(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: inner if isinstance(inner, dict | list) else whole(inner) for name, inner in value.items()}
