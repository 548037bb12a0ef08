"""Every error of the hub: one table, `errors.csv`, and one exception.

A row is a code with its HTTP status, whether a retry helps, what it means, the members that stand beside it, and what a
program does next. JSON-RPC bodies, REST bodies, pages, the documentation and the tests are read from it. A code has one
status; an error never costs a credit.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, NamedTuple

from bazi_hub.words.languages import phrase


class Code(NamedTuple):
    """A row of the table. `fault`: it carries `request_id`, by which the log line is found; `sent`: clients meet it."""

    name: str
    status: int
    fault: bool
    sent: bool
    retry: str
    retry_chinese: str
    meaning: str
    meaning_chinese: str
    members: tuple[str, ...]
    advice: str

    def phrases(self, language: str) -> tuple[str, str]:
        """What it means, and whether a retry helps."""
        return (
            phrase(self.meaning, self.meaning_chinese, language),
            phrase(self.retry, self.retry_chinese, language),
        )


def _code(row: list[str]) -> Code:
    name, status, fault, sent, retry, retry_chinese, meaning, meaning_chinese, members, advice = row
    return Code(
        name, int(status), fault == "yes", sent == "yes", retry, retry_chinese, meaning, meaning_chinese,
        tuple(members.split()), advice,
    )  # fmt: skip


with (Path(__file__).parent / "errors.csv").open(encoding="utf-8", newline="") as _table:
    CODES = {row[0]: _code(row) for row in list(csv.reader(_table))[1:]}
SENT_CODES = {name: code for name, code in CODES.items() if code.sent}

# Characters of a name that an answer repeats.
LONGEST_NAME = 255


def short(name: str) -> str:
    """A name as an answer repeats it: whole, unless it is longer than any name that there is.

    >>> short("get_skill_info"), len(short("x" * 250_000))
    ('get_skill_info', 256)
    """
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"


UNAUTHORIZED_DETAIL = "Unauthorized"
NOT_JSON_DETAIL = "Request body is not valid JSON"


class HubError(Exception):
    """An answer that is an error: its code, one line of detail, and members that a program can go on with.

    >>> error = HubError("RATE_LIMITED", "post limit of 1 per minute reached", limit_type="post", limit=1, retry_after=9)
    >>> error.status, error.data["retry_after"]
    (429, 9)
    """

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = CODES[code]
        self.detail = detail
        self.members = members

    @property
    def status(self) -> int:
        return self.code.status

    @property
    def name(self) -> str:
        return self.code.name

    @property
    def data(self) -> dict[str, Any]:
        """Detail and members side by side, as MCP carries them."""
        return {"detail": self.detail, **self.members}

    def traced(self, request_id: str) -> HubError:
        """The error with the request id, where the code is a fault."""
        if not self.code.fault or "request_id" in self.members:
            return self
        return HubError(self.name, self.detail, **self.members, request_id=request_id)


def unauthorized(reason: str | None = None, detail: str = UNAUTHORIZED_DETAIL) -> HubError:
    """A credential that will not do; the reason only for those who hold the secret."""
    return HubError("UNAUTHORIZED", detail, **({"reason": reason} if reason else {}))


def shutting_down() -> HubError:
    """The answer of a hub that is on its way out."""
    return HubError("UPSTREAM_ERROR", "The hub is shutting down", reason="DRAINING")


class Issue(NamedTuple):
    """One thing wrong with the arguments, at a dotted path."""

    path: str
    message: str


# So many things wrong are listed; of the others their number is told.
MOST_TOLD = 100


def invalid_input(tool: str, issues: list[Issue], **members: Any) -> HubError:
    """Everything that is wrong with the arguments of a tool, at once.

    >>> invalid_input("t", [Issue(f"a{n}", "Unknown argument") for n in range(102)]).members["issues"][-2:]
    [{'path': 'a99', 'message': 'Unknown argument'}, {'path': 'arguments', 'message': '2 more are not listed'}]
    """
    left_out = len(issues) - MOST_TOLD
    if left_out > 0:
        issues = [*issues[:MOST_TOLD], Issue("arguments", f"{left_out} more are not listed")]
    listed = [{"path": issue.path, "message": issue.message} for issue in issues]
    return HubError("INVALID_INPUT", f"Invalid input for {tool}", issues=listed, **members)


class ConfigurationError(Exception):
    """A setting that is missing, unknown or wrong; the message names it and never its value if it is a secret."""
