"""The rows of the log of runs in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from bazi_hub.ports.runs import Derivation, Event, Message, Run, Thread

Key = tuple[str, str, str]


def run_key(run: Run) -> Key:
    return run.account_id, run.thread_id, run.run_id


class MessageRow(NamedTuple):
    """A message with the id of its run, through which its derivation is found."""

    run: str
    message: Message


@dataclass(slots=True)
class RunRows:
    """Threads by account and id; runs by their own id, and where to find them."""

    threads: dict[tuple[str, str], Thread] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)
    names: dict[Key, str] = field(default_factory=dict)
    by_call: dict[str, str] = field(default_factory=dict)
    running: dict[tuple[str, str], str] = field(default_factory=dict)
    derivations: dict[str, Derivation] = field(default_factory=dict)
    events: dict[str, list[Event]] = field(default_factory=dict)
    messages: dict[str, list[MessageRow]] = field(default_factory=dict)

    def forget(self, account_id: str) -> None:
        """Deletes all that an account asked and was told."""
        mine = [run for run in self.runs.values() if run.account_id == account_id]
        for run in mine:
            del self.runs[run.id], self.names[run_key(run)]
            self.by_call.pop(run.call_id, None)
            self.derivations.pop(run.id, None)
            self.events.pop(run.id, None)
        self.threads = {key: thread for key, thread in self.threads.items() if key[0] != account_id}
        self.messages.pop(account_id, None)
