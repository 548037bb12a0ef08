"""Every error of the hub: one table, one exception.

A row is a code with its HTTP status, whether a retry helps, and what to do. JSON-RPC bodies, REST bodies, the documentation
and the tests are read from it. A code has one status; an error never costs a credit.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Code(NamedTuple):
    """A row of the table. `fault`: carries `request_id`, by which an operator finds the log line."""

    name: str
    status: int
    retry: str
    meaning: str
    fault: bool = False


CODES = {
    code.name: code
    for code in (
        Code("PARSE_ERROR", 400, "never", "The body cannot be used as JSON."),
        Code("INVALID_BODY", 400, "never", "The body of a REST call is JSON but not an object."),
        Code("INVALID_INPUT", 400, "never", "Arguments are wrong or missing; `issues` lists every one."),
        Code(
            "UNAUTHORIZED", 401, "never", "No credential, a bad one, or one of the wrong kind for this tool."
        ),
        Code("INSUFFICIENT_CREDITS", 402, "never", "The available balance is below the price of the tool."),
        Code("TOOL_DISABLED", 403, "never", "The operator switched this tool off."),
        Code("NOT_FOUND", 404, "never", "No such post."),
        Code("JOB_NOT_FOUND", 404, "never", "Kept for old clients; there are no jobs, so it is not sent."),
        Code("UNKNOWN_TOOL", 404, "never; look the name up with get_skill_info", "No such tool here."),
        Code("METHOD_NOT_ALLOWED", 405, "never", "Another HTTP verb than POST."),
        Code("GONE_DEPRECATED", 410, "never; follow the Link header", "This path was retired."),
        Code(
            "RATE_LIMITED", 429, "once, after retry_after seconds", "A window or a daily budget is used up."
        ),
        Code("CONFIG_ERROR", 500, "never", "The hub is not configured for this.", True),
        Code("AUTH_BACKEND_ERROR", 500, "twice, backing off", "The credential could not be verified.", True),
        Code("META_ERROR", 500, "never", "An unexpected fault in a meta tool.", True),
        Code("FORUM_ERROR", 500, "never", "An unexpected fault in a forum tool.", True),
        Code("INTERNAL_ERROR", 500, "never", "An unexpected fault.", True),
        Code(
            "REST_ERROR", 502, "twice, 2 s apart", "The reading service answered with an error status.", True
        ),
        Code(
            "UPSTREAM_ERROR",
            502,
            "twice, 2 s apart",
            "The reading service gave no usable answer, or the hub shuts down; `reason` says which.",
            True,
        ),
        Code(
            "UPSTREAM_TIMEOUT", 504, "once, the failed step only", "The reading service was too slow.", True
        ),
    )
}
# What a client may meet: one code is only kept in the table for clients of old.
SENT_CODES = {name: code for name, code in CODES.items() if name != "JOB_NOT_FOUND"}

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
