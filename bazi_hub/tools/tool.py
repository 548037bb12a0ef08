"""A tool is a row of the catalogue: lists, schemas, documents and the dispatch are made of it. `checked`: its arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.arguments import problems, whole
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.written import without_nulls
from bazi_hub.words.call import Kind
from bazi_hub.words.errors import Issue
from bazi_hub.words.languages import phrase

KEYS: frozenset[Kind] = frozenset({"personal", "agent"})
# The site's own pages may do whatever a personal key may.
KEYS_AND_PAGES: frozenset[Kind] = frozenset({*KEYS, "web"})
ANY_CREDENTIAL: frozenset[Kind] = frozenset({*KEYS_AND_PAGES, "session"})


class Limit(NamedTuple):
    """A class of calls that share a window of a minute. `keyed_by` names what each window belongs to."""

    type: str
    per_minute: int
    keyed_by: Literal["key", "account"]
    agents_only: bool


LIMITS = {
    limit.type: limit
    for limit in (
        Limit("meta_call", 60, "key", agents_only=True),
        Limit("fortune_call", 10, "key", agents_only=True),
        # By account, so that more keys give no more posts.
        Limit("post", 1, "account", agents_only=False),
        Limit("comment", 5, "account", agents_only=False),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A row. `prepare` cleans arguments before the schema is applied, `check` finds what will be done and what else is wrong
    with them, and settles them; `run` does it.

    `reads` tools ask the reading port; `stores` tools keep a result under an idempotency key; `fault` is the code of an
    unexpected error.
    """

    id: str
    name: str
    category: Literal["meta", "fortune", "forum"]
    title: str
    description: str
    title_chinese: str
    description_chinese: str
    schema: dict[str, Any]
    check: Callable[[ArgumentReader], Any]
    run: Callable[..., Awaitable[Any]]
    limit: Limit | None = None
    credentials: frozenset[Kind] = ANY_CREDENTIAL
    metered: bool = False
    reads: bool = False
    stores: bool = False
    read_only: bool = False
    idempotent: bool = False
    errors: tuple[str, ...] = ()
    fault: str = "INTERNAL_ERROR"
    prepare: Callable[[dict[str, Any]], tuple[dict[str, Any], list[Issue]]] | None = None
    example: dict[str, Any] = field(default_factory=dict)

    @property
    def auth(self) -> list[str]:
        """The credentials that the API takes for it, as clients are told."""
        names: list[tuple[Kind, str]] = [("personal", "personal"), ("agent", "agent"), ("session", "cookie")]
        return [shown for kind, shown in names if kind in self.credentials]

    def phrases(self, language: str) -> tuple[str, str]:
        """Title and description."""
        return (
            phrase(self.title, self.title_chinese, language),
            phrase(self.description, self.description_chinese, language),
        )

    @property
    def path(self) -> str:
        """The path under which REST serves it."""
        return f"/api/universal/{self.category}/{self.name}"


class ListedTool(NamedTuple):
    """A tool with its price now, and whether it is enabled."""

    tool: Tool
    cost: int
    enabled: bool


def checked(tool: Tool, arguments: Any, beside: Sequence[Issue] = ()) -> Any:
    """The job of a tool; `BadArguments` with every issue. `beside` are issues of the call outside its arguments."""
    if not isinstance(arguments, dict):
        raise BadArguments(Issue("arguments", "Expected object"), *beside)
    arguments = without_nulls(tool.schema, arguments)
    arguments, wrong = tool.prepare(arguments) if tool.prepare else (arguments, [])
    issues = [*wrong, *problems(tool, arguments), *beside]
    return tool.check(ArgumentReader(_whole_if_right(tool, arguments, issues), issues))


def _whole_if_right(tool: Tool, arguments: dict[str, Any], issues: Sequence[Issue]) -> dict[str, Any]:
    """The arguments with integral numbers as integers. Unknown ones are left as they are; of one in which
    something is wrong, only the plain members are made integers."""
    wrong = {issue.path.partition(".")[0] for issue in issues}
    known = tool.schema["properties"].keys()
    made = {True: _plainly_whole, False: whole}
    return {name: made[name in wrong](value) if name in known else value for name, value in arguments.items()}


def _plainly_whole(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: inner if isinstance(inner, dict | list) else whole(inner) for name, inner in value.items()}
