"""The log of runs in SQL, the same statements on both engines; how money moves in the same transaction each engine says.

Runs of one account change one after the other, whichever process changes them. A piece of the log is what one transaction
added to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection

from bazi_hub.ports import Admitted, Clock, Ids, NewCall, Refused
from bazi_hub.ports.runs import (
    CANCELLED,
    INTERRUPTED,
    Begun,
    Derivation,
    Event,
    Message,
    MessagePage,
    NewRun,
    OtherCast,
    Run,
    RunAnswer,
    Thread,
    ThreadBusy,
    ThreadState,
    cancelling,
    failing,
    read,
    written,
)
from bazi_hub.store.sql import run_statements as sql
from bazi_hub.store.sql.database import alone, driver, packed, unpacked

Execute = Callable[[str, dict[str, Any]], "ResultRows"]

T = TypeVar("T")


class ResultRows(Protocol):
    """The rows of a statement."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> Sequence[Any]: ...


class Statements(Protocol):
    """One transaction."""

    def execute(self, statement: str, parameters: dict[str, Any]) -> ResultRows: ...

    def lock(self, account_id: str) -> None:
        """Keeps other processes from the runs of an account until the transaction ends."""


class RunTransaction(Statements, Protocol):
    """Statements of one transaction, and the money that moves in it."""

    def hold(self, call: NewCall) -> Any: ...

    def capture(self, call_id: str, result: str, free: bool, day: int | None) -> Admitted | None: ...

    def release(self, call_id: str, error: str, day: int | None) -> bool: ...


class Engine(Protocol):
    """A database as the log uses it."""

    clock: Clock
    ids: Ids

    async def work(self, work: Callable[[RunTransaction], T]) -> T:
        """One writing transaction."""

    async def look(self, work: Callable[[Execute], T]) -> T:
        """Statements that only read."""


def run_of(row: Sequence[Any]) -> Run:
    *members, asks, derived, state, code, message, purged = row
    error = None if code is None else (code, message)
    return Run._make([*members, bool(asks), bool(derived), state, error, bool(purged)])


def _found(execute: Execute, statement: str, told: dict[str, Any]) -> Run | None:
    row = execute(statement, told).fetchone()
    return None if row is None else run_of(row)


def _text(body: Any) -> str:
    return unpacked(bytes(body))


def _stored(execute: Execute, told: dict[str, Any]) -> tuple[str, Thread] | None:
    """A thread, with the id of its derivation."""
    row = execute(sql.THREAD, told).fetchone()
    if row is None:
        return None
    derivation_id, payload, divination, analysis, first_run, timezone, created_ms = row
    derivation = Derivation(payload, _text(divination), _text(analysis))
    thread = Thread(told["account_id"], told["thread_id"], derivation, first_run, timezone, created_ms)
    return derivation_id, thread


def _meeting(execute: Execute, named: dict[str, Any]) -> tuple[ThreadState, str | None]:
    """The thread and runs under a name, and the id of the thread's derivation."""
    stored = _stored(execute, named)
    if stored is None:
        return ThreadState(None, None, None), None
    derivation_id, thread = stored
    running = execute(sql.RUNNING, named).fetchone()
    return ThreadState(
        thread, _found(execute, sql.FIND, named), running[0] if running else None
    ), derivation_id


class RawTransaction:
    """A transaction begun elsewhere, in which runs are only ended."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._shared = db.dialect.name == "postgresql"

    def execute(self, statement: str, parameters: dict[str, Any]) -> ResultRows:
        return self._db.exec_driver_sql(driver(statement) if self._shared else statement, parameters)

    def lock(self, account_id: str) -> None:
        if self._shared:
            alone(self._db, f"runs:{account_id}")


class Endings:
    """Ends of runs, inside one transaction. The money moves in another step."""

    def __init__(self, work: Statements, now_ms: int, ids: Ids) -> None:
        self._statements, self._now_ms, self._ids = work, now_ms, ids

    def _do(self, statement: str, **told: Any) -> ResultRows:
        return self._statements.execute(statement, told)

    def end(self, run: Run, status: str, answer: RunAnswer, events: Sequence[Event],
            error: tuple[str, str] | None = None) -> bool:  # fmt: skip
        """Ends a run without a text."""
        self._statements.lock(run.account_id)
        if not self._end(run, status, len(events), error):
            return False
        self._append(run.id, run.last_seq + 1, packed(written(events)), len(events))
        self._say(run, "assistant", answer.message_id, answer.content, packed(answer.output))
        return True

    def interrupt(self, call_id: str) -> None:
        """Ends the run of a call that expired."""
        run = _found(self._statements.execute, sql.FIND_BY_CALL, {"call_id": call_id})
        if run is not None:
            answer = RunAnswer.failed(self._ids.uuid(), *INTERRUPTED)
            self.end(run, "failed", answer, failing(self._now_ms, *INTERRUPTED), INTERRUPTED)

    def _end(self, run: Run, status: str, count: int, error: tuple[str, str] | None = None) -> bool:
        """Ends the attempt by compare-and-set; False if it was not running."""
        code, message = error or (None, None)
        told = {
            "id": run.id, "call_id": run.call_id, "status": status, "now_ms": self._now_ms, "deducted": 0,
            "last_seq": run.last_seq + count, "error_code": code, "error_message": message,
        }  # fmt: skip
        return self._statements.execute(sql.END_RUN, told).fetchone() is not None

    def _append(self, run: str, first_seq: int, body: bytes, count: int) -> None:
        self._do(sql.ADD_EVENTS, run=run, first_seq=first_seq, last_seq=first_seq + count - 1, body=body)

    def _number(self, account_id: str) -> int:
        seq: int = self._do(sql.NUMBER, account_id=account_id).fetchone()[0]
        return seq

    def _say(self, run: Run, role: str, message_id: str, content: str, output: bytes) -> None:
        self._do(
            sql.ADD_MESSAGE, account_id=run.account_id, seq=self._number(run.account_id), id=message_id,
            thread_id=run.thread_id, run=run.id, role=role, content=content, now_ms=self._now_ms, output=output,
        )  # fmt: skip


class Transitions(Endings):
    """Transitions of a run, with the money of the ledger."""

    def __init__(self, work: RunTransaction, now_ms: int, ids: Ids) -> None:
        super().__init__(work, now_ms, ids)
        self._work = work

    def admit(
        self, new: NewRun, call: NewCall, texts: dict[str, bytes]
    ) -> Begun | Run | ThreadBusy | OtherCast | Refused:
        named = {"account_id": call.account_id, "thread_id": new.thread_id, "run_id": new.run_id}
        self._work.lock(call.account_id)
        met, derived = _meeting(self._work.execute, named)
        obstacle = met.obstacle(new)
        if obstacle is not None:
            return obstacle
        held = self._work.hold(call)
        if not isinstance(held, Admitted):
            assert isinstance(held, Refused)
            return held
        if derived is None or met.thread is None or met.thread.derivation != new.derivation:
            # Another release of the library may derive something else from the same payload.
            derived = self._ids.uuid()
            payload = new.derivation.payload
            self._do(sql.ADD_DERIVATION, id=derived, account_id=call.account_id, payload=payload, **texts)
        self._thread(new, named | {"derivation_id": derived, "timezone": new.timezone}, met.thread)
        return Begun(self._begin(new, call, held.cost, met, derived))

    def _thread(self, new: NewRun, told: dict[str, Any], stored: Thread | None) -> None:
        if stored is None:
            self._work.execute(sql.ADD_THREAD, told | {"now_ms": self._now_ms})
        elif new.timezone is not None and new.timezone != stored.timezone:
            self._work.execute(sql.TIMEZONE, told)

    def _begin(self, new: NewRun, call: NewCall, cost: int, met: ThreadState, derivation_id: str) -> Run:
        run, events = met.attempt(new, call, cost, self._now_ms)
        told = run._asdict() | {"now_ms": self._now_ms, "derivation_id": derivation_id}
        self._work.execute(sql.RUN_AGAIN if met.run else sql.ADD_RUN, told)
        if met.run is None:
            self._say(run, "user", new.message_id, new.said, b"")
        self._append(run.id, run.attempt_seq, packed(written(events)), len(events))
        return run

    def succeed(
        self,
        call_id: str,
        answer: RunAnswer,
        texts: dict[str, bytes],
        count: int,
        free: bool,
        day: int | None,
    ) -> Admitted | None:
        run = _found(self._work.execute, sql.FIND_BY_CALL, {"call_id": call_id})
        if run is None:
            return None
        self._work.lock(run.account_id)
        if not self._end(run, "succeeded", count):
            return None
        paid = self._work.capture(call_id, run.receipt, free, day)
        if paid is None:
            raise Undone
        if paid.cost:
            self._do(sql.DEDUCTED, cost=paid.cost, id=run.id)
        self._append(run.id, run.last_seq + 1, texts["events"], count)
        self._say(run, "assistant", answer.message_id, answer.content, texts["output"])
        return paid

    def fail(self, call_id: str, answer: RunAnswer, error: tuple[str, str], day: int | None) -> bool:
        run = _found(self._work.execute, sql.FIND_BY_CALL, {"call_id": call_id})
        if run is None or not self.end(run, "failed", answer, failing(self._now_ms, *error), error):
            return False
        if not self._work.release(call_id, error[0], day):
            raise Undone
        return True

    def cancel(self, named: dict[str, str], answer: RunAnswer, day: int | None) -> Run | None:
        run = _found(self._work.execute, sql.FIND, named)
        if run is None or run.status != "running":
            return run
        if self.end(run, "cancelled", answer, cancelling(self._now_ms)) and not self._work.release(
            run.call_id, CANCELLED, day if run.asks else None
        ):
            raise Undone
        return _found(self._work.execute, sql.FIND, named)


def forget_runs(db: Connection, account_id: str) -> None:
    """Deletes all that an account asked and was told."""
    for statement in sql.FORGET:
        RawTransaction(db).execute(statement, {"account_id": account_id})


class Undone(Exception):
    """A run that was running and whose call was not: nothing of the transaction may stay."""


class SqlRunLog:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def _change(self, act: Callable[[Transitions], T]) -> T:
        now_ms, ids = self._engine.clock.now_ms(), self._engine.ids
        return await self._engine.work(lambda work: act(Transitions(work, now_ms, ids)))

    async def admit(self, run: NewRun, call: NewCall) -> Begun | Run | ThreadBusy | OtherCast | Refused:
        texts = {"divination": packed(run.derivation.divination), "analysis": packed(run.derivation.analysis)}
        return await self._change(lambda tx: tx.admit(run, call, texts))

    async def succeed(
        self,
        call_id: str,
        answer: RunAnswer,
        events: Sequence[Event],
        free: bool = False,
        day: int | None = None,
    ) -> Admitted | None:
        texts = {"events": packed(written(events)), "output": packed(answer.output)}
        try:
            return await self._change(lambda tx: tx.succeed(call_id, answer, texts, len(events), free, day))
        except Undone:
            return None

    async def fail(
        self, call_id: str, answer: RunAnswer, code: str, message: str, day: int | None = None
    ) -> bool:
        try:
            return await self._change(lambda tx: tx.fail(call_id, answer, (code, message), day))
        except Undone:
            return False

    async def cancel(
        self, account_id: str, thread_id: str, run_id: str, answer: RunAnswer, day: int | None = None
    ) -> Run | None:
        named = {"account_id": account_id, "thread_id": thread_id, "run_id": run_id}
        try:
            return await self._change(lambda tx: tx.cancel(named, answer, day))
        except Undone:
            return await self._engine.look(lambda execute: _found(execute, sql.FIND, named))

    # --- what is read ---

    async def meet(self, account_id: str, thread_id: str, run_id: str) -> ThreadState:
        named = {"account_id": account_id, "thread_id": thread_id, "run_id": run_id}
        return await self._engine.look(lambda execute: _meeting(execute, named)[0])

    async def thread(self, account_id: str, thread_id: str) -> Thread | None:
        named = {"account_id": account_id, "thread_id": thread_id}
        stored = await self._engine.look(lambda execute: _stored(execute, named))
        return stored[1] if stored else None

    async def events(self, run_id: str, after: int) -> list[Event]:
        told = {"run": run_id, "after": after}
        pieces = await self._rows(sql.EVENTS, told)
        events = [event for first_seq, body in pieces for event in read(_text(body), first_seq)]
        return [event for event in events if event.seq > after]

    async def sequences(self, run_ids: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for start in range(0, len(run_ids), 500):
            some = {f"id_{place}": run_id for place, run_id in enumerate(run_ids[start : start + 500])}
            wanted = f"SELECT id, last_seq FROM runs WHERE id IN ({', '.join(f':{name}' for name in some)})"
            found |= dict(await self._rows(wanted, some))
        return found

    async def _rows(self, statement: str, told: dict[str, Any]) -> Sequence[Any]:
        return await self._engine.look(lambda execute: execute(statement, told).fetchall())

    async def derivation(self, run_id: str) -> Derivation:
        row = await self._engine.look(lambda execute: execute(sql.DERIVATION, {"run": run_id}).fetchone())
        return Derivation(row[0], _text(row[1]), _text(row[2]))

    async def messages(
        self, account_id: str, thread_id: str | None, since_ms: int | None, until_ms: int | None,
        before: int | None, limit: int,
    ) -> MessagePage:  # fmt: skip
        asked = {"thread_id": thread_id, "since_ms": since_ms, "until_ms": until_ms, "before": before}
        told = {name: value for name, value in asked.items() if value is not None}
        conditions = "".join(sql.CONDITIONS[name] for name in told)
        told |= {"account_id": account_id, "limit": limit + 1}

        def look(execute: Execute) -> MessagePage:
            rows = execute(sql.MESSAGES.format(conditions=conditions), told).fetchall()
            casts: dict[str, Derivation] = {}
            return MessagePage([_message(execute, row, casts) for row in rows[:limit]], len(rows) > limit)

        return await self._engine.look(look)

    async def purge(self, older_than_ms: int) -> int:
        def purge(work: RunTransaction) -> int:
            old = work.execute(sql.OLD, {"older_than_ms": older_than_ms}).fetchall()
            for (run,) in old:
                work.execute(sql.DROP_EVENTS, {"run": run})
                work.execute(sql.PURGED, {"run": run})
            return len(old)

        return await self._engine.work(purge)


def _message(execute: Execute, row: Sequence[Any], casts: dict[str, Derivation]) -> Message:
    """A line of the history; a cast that several lines share is read once."""
    message_id, seq, thread_id, run_id, role, content, ts_ms, output, derivation_id = row
    message = Message(message_id, seq, thread_id, run_id, role, content, ts_ms)
    if not output:
        return message
    if derivation_id not in casts:
        payload, divination, analysis = execute(sql.CAST, {"id": derivation_id}).fetchone()
        casts[derivation_id] = Derivation(payload, _text(divination), _text(analysis))
    return message._replace(output=_text(output), derivation=casts[derivation_id])
