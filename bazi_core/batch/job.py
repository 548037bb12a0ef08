"""A file of births → a file of charts: piece by piece, in bounded memory, by several processes, resumable.

Each piece becomes a part in the folder `OUT.partial`, written aside and renamed, so that a part is whole or is not there.
When all are there they are joined into a file beside, which takes the name of the output at last. A run that was killed
leaves the folder; `resume` goes on with what it holds when input, options and release are the same. Pieces do not
depend on the number of processes, so the bytes of the output do not either.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.astro.data import tables_hash
from bazi_core.batch import charts as charts_of
from bazi_core.batch import sinks
from bazi_core.batch.columns import STATUS, columns_of, groups_of, status_codes
from bazi_core.batch.sources import ALIASES, Piece, Rows, Source, form_of
from bazi_core.batch.table import COLUMNS, TIME
from bazi_core.errors import BaziError, InvalidInput, TableCorrupt, UnknownOption, shown
from bazi_core.place.zones import IANA_VERSION
from bazi_core.tables.sentences import Listed, Said
from bazi_core.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bazi_core.school import School

ON_ERROR = ("null", "skip", "fail")
_ENDS = 1 << 16


class Job(NamedTuple):
    """A conversion of one file into another; `keep` are the columns of the input copied to the output, None for all."""

    source: str
    output: str
    columns: tuple[str, ...]
    school: School
    constants: dict[str, Any]
    on_error: str = "null"
    words: bool = False
    keep: tuple[str, ...] | None = None
    encoding: str = "utf-8"


class Done(NamedTuple):
    """The result of a job: number of rows read, and number of rows by status other than OK."""

    rows: int
    failed: dict[str, int]


def run(
    job: Job, *, jobs: int = 1, resume: bool = False, progress: Callable[[int, float], None] | None = None
) -> Done:
    """Run a job with this number of processes; `progress(rows, share)` is called after every piece.

    Raises `TableCorrupt` for an input that cannot be read on and for a folder of parts of another job, and where `on_error`
    is "fail" the error of the first row that cannot be computed.
    """
    worker = Worker(job)
    folder = job.output + ".partial"
    _prepare(folder, _signature(job), resume)
    failed: Counter[str] = Counter()
    rows, count = 0, 0
    try:
        for number, read, facts in _parts(worker, folder, jobs):
            count = number + 1
            rows += facts["rows"]
            failed.update(facts["failed"])
            if progress is not None:
                progress(rows, read)
    except BaziError:
        # Nothing of it can be used: the same input fails again.
        shutil.rmtree(folder, ignore_errors=True)
        raise
    whole = os.path.join(folder, "whole")
    with open(whole, "wb") as file:
        parts = (_part(folder, number) for number in range(count))
        sinks.joined(worker.form, worker.header(), parts, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(whole, job.output)
    shutil.rmtree(folder, ignore_errors=True)
    return Done(rows, dict(failed.most_common()))


class Worker:
    """Computes pieces."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.source = Source(job.source, encoding=job.encoding)
        self.form = form_of(job.output)
        if job.on_error not in ON_ERROR:
            raise _unknown("on_error", job.on_error, ON_ERROR)
        names = self.source.names
        self.keep = names if job.keep is None else job.keep
        self.groups = groups_of(job.columns)
        missing = next((name for name in self.keep if name not in names), None)
        if missing is not None:
            raise _unknown("keep", missing, names)
        if TIME not in names and names:
            raise InvalidInput(Said("table_no_times", names=shown(", ".join(names), 200)), path=TIME)
        results = (column.name for group in self.groups for column in columns_of(group, job.school))
        self.results = frozenset((*results, STATUS.name))
        self._check_clash(self.keep)

    def _check_clash(self, names: Iterable[str]) -> None:
        """Refuse a column of the input that has the name of a column of the result."""
        clash = next((name for name in names if name in self.results), None)
        if clash is not None:
            raise InvalidInput(Said("table_clash", name=clash), hint=Said("table_clash_hint"), path=clash)

    def header(self) -> bytes:
        """The first bytes of the output."""
        none = charts_of({TIME: []}, self.groups, school=self.job.school)
        return sinks.header(self.form, none, self.keep)

    def compute(self, piece: Piece) -> tuple[bytes, dict[str, Any]]:
        """The output bytes of a piece, and its facts for the part's JSON file."""
        rows, job = self.source.rows(piece), self.job
        columns = {ALIASES.get(name, name): values for name, values in rows.columns.items()}
        table = {name: _values(name, columns[name]) for name in COLUMNS if name in columns}
        if TIME not in table:
            table[TIME] = [None] * rows.size
        charts = charts_of(table, self.groups, school=job.school, **job.constants)
        bad = np.flatnonzero(charts.status)
        if len(bad) and job.on_error == "fail":
            self._fail(table, rows.lines, int(bad[0]))
        chosen = np.flatnonzero(charts.status == 0) if job.on_error == "skip" and len(bad) else None
        keep = self.keep
        if rows.objects is not None and self.form == "jsonl" and job.keep is None:
            keep = tuple(rows.columns)
            self._check_clash(keep)
        elif rows.objects is not None:
            self._check_names(rows)
        for name in keep:
            rows.columns.setdefault(name, [None] * rows.size)
        try:
            data = sinks.encoded(self.form, rows, charts, keep, job.words, chosen)
        except UnicodeEncodeError:
            raise self._no_text(rows, keep) from None
        codes, counts = np.unique(charts.status[bad], return_counts=True)
        failed = {
            status_codes()[code]: int(n) for code, n in zip(codes.tolist(), counts.tolist(), strict=True)
        }
        return data, {"rows": rows.size, "failed": failed, "bytes": len(data)}

    def _check_names(self, rows: Rows) -> None:
        """Refuse rows of JSON lines whose names differ from those of the first, where the output is a table."""
        known = set(self.source.names)
        for line, each in zip(rows.lines, rows.objects or (), strict=True):
            other = next((name for name in each if name not in known), None)
            if other is not None:
                raise self.source.corrupt(line, "other_name", name=shown(other))

    def _no_text(self, rows: Rows, keep: tuple[str, ...]) -> TableCorrupt:
        """The error of the first row with half of a pair of surrogates, which JSON can write and a table cannot."""
        kept = zip(*(rows.columns[name] for name in keep), strict=True)
        texts = (json.dumps(row, ensure_ascii=False, default=str) for row in kept)
        line = next(line for line, text in zip(rows.lines, texts, strict=True) if text != _encodable(text))
        return self.source.corrupt(line, "surrogate")

    def _fail(self, table: dict[str, Any], lines: Any, row: int) -> None:
        one = {name: values[row : row + 1] for name, values in table.items()}
        try:
            charts_of(one, self.groups, school=self.job.school, on_error="raise", **self.job.constants)
        except BaziError as error:
            message = error.message
            problem = (
                message.values["problem"]
                if isinstance(message, Said) and "problem" in message.values
                else message
            )
            data = {**error.data, "row": row, "line": lines[row]}
            raise type(error)(
                Said("table_line", line=lines[row], problem=problem), hint=error.hint, **data
            ) from None


def _encodable(text: str) -> str:
    return text.encode("utf-8", "ignore").decode()


def _values(name: str, values: Any) -> Any:
    """The values of a column as arguments of `birth`: None for an empty text, a fold as a number."""
    if not isinstance(values, list):
        return values
    if name == "fold":
        values = [int(value) if value in ("0", "1") else value for value in values]
    return [None if value == "" else value for value in values] if "" in values else values


def _parts(worker: Worker, folder: str, jobs: int) -> Iterator[tuple[int, float, dict[str, Any]]]:
    """(number, share of the input, facts) of every part in order; parts that exist are not computed again."""
    with _pool(worker, jobs) as submit:
        waiting: deque[tuple[Piece, Any]] = deque()
        for piece in worker.source.pieces():
            facts = _facts(folder, piece.number)
            waiting.append((piece._replace(data=None), facts or submit(piece)))
            if len(waiting) > 2 * jobs:
                yield _finished(folder, *waiting.popleft())
        while waiting:
            yield _finished(folder, *waiting.popleft())


def _finished(folder: str, piece: Piece, result: Any) -> tuple[int, float, dict[str, Any]]:
    if isinstance(result, dict):
        return piece.number, piece.read, result
    data, facts = result()
    _write(_part(folder, piece.number) + ".json", json.dumps(facts).encode())
    _write(_part(folder, piece.number), data)
    return piece.number, piece.read, facts


@contextmanager
def _pool(worker: Worker, jobs: int) -> Iterator[Callable[[Piece], Callable[[], Any]]]:
    """A function that submits a piece and returns one that waits for its result; a single process computes directly."""
    if jobs == 1:
        yield partial(_here, worker)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (worker.job,)) as pool:
        try:
            yield lambda piece: pool.submit(_compute, piece).result
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _here(worker: Worker, piece: Piece) -> Callable[[], Any]:
    result = worker.compute(piece)
    return lambda: result


_WORKERS: list[Worker] = []


def _begin(job: Job) -> None:
    _WORKERS.append(Worker(job))
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the parent process ends; a worker whose parent was killed would otherwise wait for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _compute(piece: Piece) -> tuple[bytes, dict[str, Any]]:
    return _WORKERS[0].compute(piece)


def _part(folder: str, number: int) -> str:
    return os.path.join(folder, f"part-{number:06}")


def _facts(folder: str, number: int) -> dict[str, Any] | None:
    """The facts of a part; None if it is absent or incomplete."""
    path = _part(folder, number)
    try:
        with open(path + ".json", encoding="utf-8") as file:
            facts: dict[str, Any] = json.load(file)
        return facts if os.path.getsize(path) == facts["bytes"] else None
    except (OSError, ValueError):
        return None


def _write(path: str, data: bytes) -> None:
    """Write a file atomically."""
    with open(path + ".tmp", "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".tmp", path)


def _prepare(folder: str, signature: str, resume: bool) -> None:
    """The folder of parts, new or left by an earlier run of the same job."""
    path = os.path.join(folder, "job")
    if resume and os.path.isdir(folder):
        try:
            with open(path, encoding="utf-8") as file:
                same = file.read() == signature
        except OSError:
            same = False
        if not same:
            name = os.path.basename(folder)
            raise TableCorrupt(
                Said("table_other_job", file=name), hint=Said("table_other_job_hint"),
                file=name, line=None, reason="other_job",
            )  # fmt: skip
        return
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    _write(path, signature.encode())


def _signature(job: Job) -> str:
    """JSON of everything that determines the bytes of the output: options, input, release, tables, zones."""
    options = {**job._asdict(), "school": asdict(job.school), "output": form_of(job.output)}
    options["source"] = os.path.abspath(job.source)
    facts = [options, _input_digest(job.source), __version__, tables_hash(), IANA_VERSION]
    return json.dumps(facts, ensure_ascii=False, default=str, sort_keys=True)


def _input_digest(path: str) -> list[Any]:
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        first = file.read(_ENDS)
        file.seek(max(0, size - _ENDS))
        last = file.read(_ENDS)
    return [size, os.stat(path).st_mtime_ns, hashlib.sha256(first + last).hexdigest()]


def _unknown(name: str, value: object, allowed: tuple[str, ...]) -> UnknownOption:
    return UnknownOption(
        Said("option_value", name=name, value=shown(value), allowed=Listed(allowed, " or ")),
        name=name,
        value=shown(value),
        allowed=list(allowed),
    )
