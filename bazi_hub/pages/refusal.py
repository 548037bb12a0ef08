"""Refusals for people: a sentence, the issues field by field, when to try again.

The sentence is the phrase for the code of the error and its reason, else for the code alone, else its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bazi_hub.divination.problems import RunProblem
from bazi_hub.pages.chinese import told
from bazi_hub.pages.texts import known, text
from bazi_hub.words.errors import HubError

# What tells errors of one code apart, where something does.
_KINDS = ("reason", "limit_type")
# The longest unit of which there are at least two.
UNITS = (("hours", 3600), ("minutes", 60), ("seconds", 1))


class Refusal(NamedTuple):
    """`code` is what programs would see, `wrong` each argument as people call it with what is the matter with it, `number`
    what the operator finds the log line by.
    """

    status: int
    why: str
    code: str | None = None
    wrong: Sequence[tuple[str, str]] = ()
    wait: str | None = None
    retry_after: int | None = None
    number: str | None = None
    topup_url: str | None = None


def of_error(error: HubError, language: str) -> Refusal:
    """The refusal that a page shows of an error of the hub."""
    otherwise = error.code.phrases(language)[0]
    return _refusal(error.status, error.name, error.members, otherwise, language)


def of_problem(problem: RunProblem, language: str, number: str) -> Refusal:
    """The refusal that a page shows of a run that was not admitted."""
    traced = {"request_id": number} if problem.status >= 500 else {}
    members = {**problem.params, **traced}
    return _refusal(problem.status, problem.code, members, text("error.500", language), language)


def of_failed_run(code: str, language: str, number: str) -> Refusal:
    """What a page tells of a run that failed; nothing was charged. Its number is that of the call."""
    return _refusal(200, code, {"request_id": number}, text("error.UPSTREAM_ERROR", language), language)


def _refusal(status: int, code: str, members: Mapping[str, Any], otherwise: str, language: str) -> Refusal:
    retry_after = members.get("retry_after")
    return Refusal(
        status,
        _why(code, members, otherwise, language),
        code,
        [
            (_name(each["path"], language), told(each["message"], language))
            for each in members.get("issues", ())
        ],
        wait(retry_after, language),
        retry_after,
        members.get("request_id"),
        members.get("topup_url"),
    )


def of_trouble(
    status: int, why: str | None, retry_after: int | None, language: str, number: str | None
) -> Refusal:
    """The refusal of a page by itself: the phrase of the reason, else that of the status."""
    key = f"error.{why or status}"
    said = text(key if known(key) else "error.500", language)
    return Refusal(status, said, None, (), wait(retry_after, language), retry_after, number)


def wait(seconds: int | None, language: str) -> str | None:
    """The sentence that says when to try again; None without a time.

    >>> wait(42, "en"), wait(600, "en"), wait(50_000, "zh-Hans")
    ('Try again in 42 seconds.', 'Try again in 10 minutes.', '请在 14 小时后再试。')
    """
    if seconds is None:
        return None
    name, size = next(unit for unit in UNITS if seconds >= 2 * unit[1] or unit[1] == 1)
    return text(f"wait.{name}", language, number=-(-seconds // size))


def _why(code: str, given: Mapping[str, Any], otherwise: str, language: str) -> str:
    members: dict[str, Any] = dict(given)
    if "credit_cost" in members:
        members["needed"] = max(members["credit_cost"], members["min_balance"])
    kinds = (f"error.{code}.{members[kind]}" for kind in _KINDS if members.get(kind))
    key = next((key for key in (*kinds, f"error.{code}") if known(key)), None)
    return text(key, language, **members) if key else otherwise


def _name(path: str, language: str) -> str:
    """The name of an argument on the pages; its path where it has none."""
    key = f"argument.{path.partition('.')[0]}"
    return text(key, language) if known(key) else path
