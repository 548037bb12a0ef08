"""Several processes on one socket: which are replaced, and what stops them all."""

from __future__ import annotations

import signal
import threading

import pytest

from bazi_hub import serving
from bazi_hub.config import ConfigurationError
from bazi_hub.serving import CANNOT_START, WATCH_S, Workers

KILLED = -9


class Process:
    """What stands for a process. It ends when a test says so."""

    def __init__(self, target, args) -> None:
        self.sentinel, self.exitcode, self.stopped = self, None, False

    def start(self) -> None: ...

    def join(self) -> None: ...

    def is_alive(self) -> bool:
        return self.exitcode is None

    def terminate(self) -> None:
        self.stopped, self.exitcode = True, 0


class Play:
    """Two workers, and what happens to them each time that they are looked at."""

    Event = threading.Event

    def __init__(self, monkeypatch) -> None:
        self.started: list[Process] = []
        self.slept: list[float] = []
        self.steps: list = []
        monkeypatch.setattr(serving.multiprocessing, "get_context", lambda way: self)
        monkeypatch.setattr(serving.multiprocessing.connection, "wait", lambda *told: self.steps.pop(0)())
        monkeypatch.setattr(serving.time, "sleep", self.slept.append)
        monkeypatch.setattr(serving.signal, "signal", lambda *told: None)
        self.workers = Workers(2, ())

    def Process(self, target, args):  # noqa: N802  # as multiprocessing calls it
        self.started.append(Process(target, args))
        return self.started[-1]

    def ends(self, number, code):
        def step():
            self.started[number].exitcode = code

        return step

    def signalled(self):
        self.workers._stop(signal.SIGTERM)


@pytest.fixture
def play(monkeypatch):
    return Play(monkeypatch)


def test_a_worker_that_dies_is_replaced_at_once(play):
    play.steps = [play.ends(0, KILLED), play.signalled]
    play.workers.run()
    assert (len(play.started), play.slept) == (3, [])
    assert [process.stopped for process in play.started] == [False, True, True]


def test_workers_that_never_opened_a_database_stop_with_the_first_that_cannot(play):
    play.steps = [play.ends(1, CANNOT_START)]
    with pytest.raises(ConfigurationError):
        play.workers.run()
    assert [process.stopped for process in play.started] == [True, False]


def test_a_worker_that_dies_while_the_database_is_away_comes_back_with_it(play):
    """The others go on: they have their connections, and an answer for everybody."""
    play.workers._opened.set()
    play.steps = [
        play.ends(0, KILLED),
        play.ends(2, CANNOT_START),
        play.ends(3, CANNOT_START),
        play.signalled,
    ]
    play.workers.run()
    assert (len(play.started), play.slept) == (5, [WATCH_S, WATCH_S])
    assert [process.stopped for process in play.started] == [False, True, False, False, True]


def test_a_signal_during_a_replacement_starts_nothing_that_nobody_stops(play, monkeypatch):
    play.workers._opened.set()
    monkeypatch.setattr(serving.time, "sleep", lambda seconds: play.signalled())
    play.steps = [play.ends(0, CANNOT_START)]
    play.workers.run()
    assert [process.stopped for process in play.started] == [False, True]
