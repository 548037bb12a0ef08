"""The log of runs in memory: transitions never wait, so each is atomic."""

from __future__ import annotations

from collections.abc import Sequence

from bazi_hub.ports import Admitted, NewCall, Refused
from bazi_hub.ports.runs import (
    CANCELLED,
    Begun,
    Derivation,
    Event,
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
)
from bazi_hub.store.memory.ledger import MemoryLedger
from bazi_hub.store.memory.run_changes import add_message, append_events, end_run
from bazi_hub.store.memory.run_rows import RunRows, run_key
from bazi_hub.store.memory.tables import Tables


class MemoryRunLog:
    def __init__(self, tables: Tables, ledger: MemoryLedger) -> None:
        self._tables, self._ledger = tables, ledger

    @property
    def _rows(self) -> RunRows:
        return self._tables.runs

    def _run(self, account_id: str, thread_id: str, run_id: str) -> Run | None:
        return self._rows.runs.get(self._rows.names.get((account_id, thread_id, run_id), ""))

    async def meet(self, account_id: str, thread_id: str, run_id: str) -> ThreadState:
        running = self._rows.runs.get(self._rows.running.get((account_id, thread_id), ""))
        return ThreadState(
            self._rows.threads.get((account_id, thread_id)),
            self._run(account_id, thread_id, run_id),
            running.run_id if running else None,
        )

    async def thread(self, account_id: str, thread_id: str) -> Thread | None:
        return self._rows.threads.get((account_id, thread_id))

    # --- transitions ---

    async def admit(self, run: NewRun, call: NewCall) -> Begun | Run | ThreadBusy | OtherCast | Refused:
        met = await self.meet(call.account_id, run.thread_id, run.run_id)
        obstacle = met.obstacle(run)
        if obstacle is not None:
            return obstacle
        held = await self._ledger.hold(call)
        if isinstance(held, Refused):
            return held
        assert isinstance(held, Admitted)
        return Begun(self._begin(run, call, held.cost, met))

    def _begin(self, new: NewRun, call: NewCall, cost: int, met: ThreadState) -> Run:
        tables, rows, now_ms = self._tables, self._rows, self._tables.clock.now_ms()
        thread = met.thread or Thread(
            call.account_id, new.thread_id, new.derivation, new.run_id, None, now_ms
        )
        place = (call.account_id, new.thread_id)
        rows.threads[place] = thread._replace(timezone=new.timezone or thread.timezone)
        run, events = met.attempt(new, call, cost, now_ms)
        append_events(tables, run.id, run.attempt_seq, events)
        rows.runs[run.id], rows.names[run_key(run)] = run, run.id
        rows.by_call[call.id], rows.running[place] = run.id, run.id
        rows.derivations[run.id] = new.derivation
        if met.run is None:
            add_message(tables, run, "user", new.message_id, new.said)
        return run

    def _running(self, call_id: str) -> Run | None:
        run = self._rows.runs.get(self._rows.by_call.get(call_id, ""))
        return run if run is not None and run.call_id == call_id and run.status == "running" else None

    async def succeed(
        self,
        call_id: str,
        answer: RunAnswer,
        events: Sequence[Event],
        free: bool = False,
        day: int | None = None,
    ) -> Admitted | None:
        run = self._running(call_id)
        if run is None:
            return None
        paid = await self._ledger.capture(call_id, run.receipt, free, day)
        if paid is not None:
            end_run(self._tables, run, answer, events, status="succeeded", deducted=paid.cost)
        return paid

    async def fail(
        self, call_id: str, answer: RunAnswer, code: str, message: str, day: int | None = None
    ) -> bool:
        run = self._running(call_id)
        if run is None or not await self._ledger.release(call_id, code, day):
            return False
        end = failing(self._tables.clock.now_ms(), code, message)
        end_run(self._tables, run, answer, end, status="failed", error=(code, message))
        return True

    async def cancel(
        self, account_id: str, thread_id: str, run_id: str, answer: RunAnswer, day: int | None = None
    ) -> Run | None:
        run = self._run(account_id, thread_id, run_id)
        if run is None or run.status != "running":
            return run
        if not await self._ledger.release(run.call_id, CANCELLED, day if run.asks else None):
            return run
        return end_run(self._tables, run, answer, cancelling(self._tables.clock.now_ms()), status="cancelled")

    # --- what is read ---

    async def events(self, run_id: str, after: int) -> list[Event]:
        return [event for event in self._rows.events.get(run_id, ()) if event.seq > after]

    async def sequences(self, run_ids: Sequence[str]) -> dict[str, int]:
        return {run_id: self._rows.runs[run_id].last_seq for run_id in run_ids if run_id in self._rows.runs}

    async def derivation(self, run_id: str) -> Derivation:
        return self._rows.derivations[run_id]

    async def messages(
        self, account_id: str, thread_id: str | None, since_ms: int | None, until_ms: int | None,
        before: int | None, limit: int,
    ) -> MessagePage:  # fmt: skip
        fitting = [
            kept.message._replace(derivation=self._rows.derivations[kept.run])
            if kept.message.role == "assistant"
            else kept.message
            for kept in reversed(self._rows.messages.get(account_id, []))
            if (thread_id is None or kept.message.thread_id == thread_id)
            and (since_ms is None or kept.message.ts_ms >= since_ms)
            and (until_ms is None or kept.message.ts_ms < until_ms)
            and (before is None or kept.message.seq < before)
        ]
        return MessagePage(fitting[:limit], len(fitting) > limit)

    async def purge(self, older_than_ms: int) -> int:
        old = [
            run
            for run in self._rows.runs.values()
            if not run.purged and run.finished_ms is not None and run.finished_ms < older_than_ms
        ]
        for run in old:
            self._rows.runs[run.id] = run._replace(purged=True)
            self._rows.events.pop(run.id, None)
        return len(old)
