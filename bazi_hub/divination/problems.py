"""Everything that can go wrong with a run: `problems.csv`, from which documents, `/problems`, docs and tests are read.

The form is RFC 9457: `type` is `/problems/<slug>` and can be looked up, `code` is what a program branches on. A code has one
status. Codes without a status occur only inside a log, as the end of a run that failed.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, with_config
from pydantic_core import InitErrorDetails, PydanticCustomError
from typing_extensions import TypedDict

from bazi_core.errors import BaziError
from bazi_hub.ports import StoreClosed, StoreError
from bazi_hub.words.errors import LONGEST_NAME, MOST_TOLD, HubError, short, shutting_down

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

# A member that may be left out is None then; null itself is no value of it.
ABSENT: Any = None
INVALID, EXTRA = "INVALID_PAYLOAD", "EXTRA_FIELD_FORBIDDEN"


class ProblemEntry(BaseModel):
    """A row of the table of problems."""

    model_config = ConfigDict(frozen=True)

    type: str
    code: str
    status: int | None = Field(description="null: only in a log.")
    title: str
    when: str
    params: tuple[str, ...]
    in_log: bool

    @property
    def slug(self) -> str:
        """The code as it stands in a URL.

        >>> PROBLEMS["YAO_LINES_LENGTH"].slug
        'yao-lines-length'
        """
        return self.type.rpartition("/")[2]


def _row(cells: dict[str, str]) -> ProblemEntry:
    return ProblemEntry(
        type="/problems/" + cells["code"].lower().replace("_", "-"),
        code=cells["code"],
        status=int(cells["status"]) if cells["status"] else None,
        title=cells["title"],
        when=cells["when"],
        params=tuple(cells["params"].split()),
        in_log=cells["in_log"] == "yes",
    )


with (Path(__file__).parent / "problems.csv").open(encoding="utf-8", newline="") as _table:
    PROBLEMS = {row["code"]: _row(row) for row in csv.DictReader(_table)}


class RunProblem(Exception):
    """An answer that is a problem.

    >>> RunProblem("THREAD_BUSY", "run r1 is running", runId="r1").params
    {'runId': 'r1'}
    """

    def __init__(self, code: str, detail: str, **params: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.row = PROBLEMS[code]
        self.detail, self.params = detail, params

    @property
    def code(self) -> str:
        return self.row.code

    @property
    def status(self) -> int:
        assert self.row.status is not None
        return self.row.status


@with_config(extra="ignore")
class Defect(TypedDict):
    """One thing wrong, at a JSON pointer."""

    pointer: str
    code: str
    message: str


class Params(BaseModel):
    """What a program can go on with."""

    model_config = ConfigDict(extra="allow")

    errors: list[Defect] = ABSENT


class Problem(BaseModel):
    """Every error: RFC 9457, application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Literal[tuple(code for code, row in PROBLEMS.items() if row.status)]  # type: ignore[valid-type]
    params: Params = ABSENT


# --- what pydantic finds --------------------------------------------------------------------------------------------------

# Its errors in the words of this protocol; those that `wrong` makes bring their own.
_WORDS = {
    "missing": "required",
    "extra_forbidden": "is not known here",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "list_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "literal_error": "must be {expected}",
}


def wrong(message: str, code: str = INVALID, **beside: Any) -> PydanticCustomError:
    """An error for a validator to raise: a `Defect` with this message and code, and params that go with the code."""
    return PydanticCustomError(code, "{message}", {"message": message, "beside": beside})


# Codes of the core that have a problem of their own.
_OF_CORE = {"TIME_NEEDS_OFFSET": "TIME_NEEDS_OFFSET", "OUT_OF_RANGE": "TIME_OUT_OF_RANGE"}


def of_core(error: BaziError) -> PydanticCustomError:
    """The refusal of a value by the core."""
    beside = {name: error.data[name] for name in ("first", "last") if name in error.data}
    return wrong(str(error), _OF_CORE.get(error.code, INVALID), **beside)


Place = tuple[str | int, ...]


def located(*errors: tuple[Place, PydanticCustomError]) -> ValidationError:
    """Errors of one value, each at its place within it."""
    return ValidationError.from_exception_data(
        "request", [InitErrorDetails(type=error, loc=place, input=None) for place, error in errors]
    )


def refusal(error: ValidationError) -> RunProblem:
    """Everything that is wrong with a request, in the order of its members, under one code where they agree."""
    found = error.errors(include_url=False, include_input=False)
    defects = [_defect(each) for each in found]
    codes = {defect["code"] for defect in defects}
    code = codes.pop() if len(codes) == 1 else INVALID
    told = {name: value for each in found for name, value in each.get("ctx", {}).get("beside", {}).items()}
    beside = {name: told[name] for name in PROBLEMS[code].params if name in told}
    first, others = defects[0], len(defects) - 1
    more = f", and {others} more" if others else ""
    detail = f"{first['pointer'].rpartition('/')[2] or 'the body'}: {first['message']}{more}"
    if (left_out := len(defects) - MOST_TOLD) > 0:
        rest = Defect(pointer="", code=code, message=f"{left_out} more are not listed")
        defects = [*defects[:MOST_TOLD], rest]
    return RunProblem(code, detail, errors=defects, **beside)


def _defect(found: ErrorDetails) -> Defect:
    kind, at = found["type"], pointer(*found["loc"])
    if kind not in _WORDS:
        return {"pointer": at, "code": kind, "message": found["ctx"]["message"]}
    message = _WORDS[kind]
    if kind == "literal_error":
        message = message.format(expected=found["ctx"]["expected"].replace("'", ""))
    return {"pointer": at, "code": EXTRA if kind == "extra_forbidden" else INVALID, "message": message}


def pointer(*parts: str | int) -> str:
    """A JSON pointer (RFC 6901); parts that are longer than any name are cut.

    >>> pointer("a/b", 0, "c~d"), pointer("messages", 0), pointer()
    ('/a~1b/0/c~0d', '/messages/0', '')
    """
    if not parts:
        return ""
    plain = "/".join(map(str, parts))
    if len(plain) <= LONGEST_NAME and "~" not in plain and plain.count("/") == len(parts) - 1:
        # Mostly there is nothing to escape.
        return "/" + plain
    cut = (short(str(part)) for part in parts)
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in cut)


# --- what goes wrong elsewhere --------------------------------------------------------------------------------------------


def problem_of(error: Exception) -> RunProblem | None:
    """An error as a problem; None for an unexpected one."""
    if isinstance(error, RunProblem):
        return error
    if isinstance(error, HubError):
        code = error.name if error.name in PROBLEMS and PROBLEMS[error.name].status else "INTERNAL_ERROR"
        return RunProblem(code, error.detail, **error.members)
    if isinstance(error, StoreClosed):
        return problem_of(shutting_down())
    if isinstance(error, StoreError) and error.read_only:
        return RunProblem("CONFIG_ERROR", "The hub's database cannot be written")
    return None


def unexpected() -> RunProblem:
    """The problem of an unexpected error, without its details."""
    return RunProblem("INTERNAL_ERROR", "Unexpected fault")


def traced(problem: RunProblem, request_id: str) -> RunProblem:
    """The problem with the request id, where the code is a fault."""
    if problem.status < 500 or "request_id" in problem.params:
        return problem
    return RunProblem(problem.code, problem.detail, **problem.params, request_id=request_id)
