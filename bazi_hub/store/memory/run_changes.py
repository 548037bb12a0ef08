"""Changes of runs in memory that the ledger and the log of runs share: each is finished before others act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bazi_hub.ports.runs import (
    INTERRUPTED,
    Event,
    Message,
    Run,
    RunAnswer,
    failing,
)
from bazi_hub.store.memory.run_rows import MessageRow
from bazi_hub.store.memory.tables import Tables


def interrupt(tables: Tables, call_id: str) -> None:
    """Ends the run of a call that expired."""
    run_id = tables.runs.by_call.get(call_id)
    run = tables.runs.runs.get(run_id or "")
    if run is not None and run.call_id == call_id and run.status == "running":
        answer, end = (
            RunAnswer.failed(tables.ids.uuid(), *INTERRUPTED),
            failing(tables.clock.now_ms(), *INTERRUPTED),
        )
        end_run(tables, run, answer, end, status="failed", error=INTERRUPTED)


def end_run(tables: Tables, run: Run, answer: RunAnswer, events: Sequence[Event], **members: Any) -> Run:
    append_events(tables, run.id, run.last_seq + 1, events)
    run = run._replace(last_seq=run.last_seq + len(events), finished_ms=tables.clock.now_ms(), **members)
    tables.runs.runs[run.id] = run
    tables.runs.running.pop((run.account_id, run.thread_id), None)
    add_message(tables, run, "assistant", answer.message_id, answer.content, answer.output)
    return run


def append_events(tables: Tables, run_id: str, first_seq: int, events: Sequence[Event]) -> None:
    log = tables.runs.events.setdefault(run_id, [])
    log += [event._replace(seq=seq) for seq, event in enumerate(events, first_seq)]


def add_message(
    tables: Tables, run: Run, role: Any, message_id: str, content: str, output: str | None = None
) -> None:
    mine = tables.runs.messages.setdefault(run.account_id, [])
    message = Message(
        message_id, len(mine) + 1, run.thread_id, run.run_id, role, content, tables.clock.now_ms(), output
    )
    mine.append(MessageRow(run.id, message))
