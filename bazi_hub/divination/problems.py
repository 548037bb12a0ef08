"""Everything that can go wrong with a run: `problems.csv`, from which documents, `/problems`, docs and tests are read.

The form is RFC 9457: `type` is `/problems/<slug>` and can be looked up, `code` is what a program branches on. A code has one
status. Codes without a status occur only inside a log, as the end of a run that failed.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.ports import StoreClosed, StoreError
from bazi_hub.words.errors import MOST_TOLD, HubError, shutting_down

if TYPE_CHECKING:
    from collections.abc import Sequence


class Problem(NamedTuple):
    """A row: code, status (None: only as RUN_ERROR), title, when it occurs, its params; `in_log`: also as RUN_ERROR."""

    code: str
    status: int | None
    title: str
    when: str
    params: tuple[str, ...] = ()
    in_log: bool = False

    @property
    def slug(self) -> str:
        """The code as it stands in a URL.

        >>> PROBLEMS["YAO_LINES_LENGTH"].slug
        'yao-lines-length'
        """
        return self.code.lower().replace("_", "-")

    @property
    def type(self) -> str:
        return f"/problems/{self.slug}"


def _row(cells: dict[str, str]) -> Problem:
    status = int(cells["status"]) if cells["status"] else None
    params = tuple(cells["params"].split())
    return Problem(cells["code"], status, cells["title"], cells["when"], params, cells["in_log"] == "yes")


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


class Defect(NamedTuple):
    """One thing wrong with a request, at a JSON pointer (RFC 6901). `beside` are params that go with its code."""

    pointer: str
    code: str
    message: str
    beside: tuple[tuple[str, Any], ...] = ()


def refusal(defects: Sequence[Defect]) -> RunProblem:
    """Everything that is wrong with a request, under one code where they agree."""
    codes = {defect.code for defect in defects}
    code = codes.pop() if len(codes) == 1 else "INVALID_PAYLOAD"
    left_out = len(defects) - MOST_TOLD
    told = (
        defects
        if left_out <= 0
        else [*defects[:MOST_TOLD], Defect("", code, f"{left_out} more are not listed")]
    )
    listed = [{"pointer": each.pointer, "code": each.code, "message": each.message} for each in told]
    beside = {name: value for each in defects for name, value in each.beside if name in PROBLEMS[code].params}
    first = defects[0]
    more = f", and {len(defects) - 1} more" if len(defects) > 1 else ""
    detail = f"{first.pointer.rpartition('/')[2] or 'the body'}: {first.message}{more}"
    return RunProblem(code, detail, errors=listed, **beside)


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
