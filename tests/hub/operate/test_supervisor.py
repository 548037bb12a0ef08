"""Several processes on one socket: which are killed and replaced, when, and what stops them all."""

from __future__ import annotations

import itertools
import json
import os
import signal

import pytest

from bazi_hub.operate import supervisor
from bazi_hub.operate.supervisor import CANNOT_START, LONGEST_PAUSE_S, SIGN, STEADY_S, Workers, stacks_of
from bazi_hub.ports import StoreError
from bazi_hub.words.errors import ConfigurationError

KILLED = -9
WATCHDOG_S = 10.0


class Process:
    """What stands for a process. It ends when a test says so, and gives signs of life for as long as it does not."""

    numbers = itertools.count(100)

    def __init__(self, target, args) -> None:
        self.line, self.birth = os.dup(args[0].fileno()), args[1]
        self.sentinel, self.exitcode, self.terminated, self.pid = self, None, 0, next(self.numbers)
        self.signs, self.starting = True, False

    def start(self) -> None: ...

    def join(self) -> None: ...

    def is_alive(self) -> bool:
        return self.exitcode is None

    def terminate(self) -> None:
        self.terminated += 1
        if self.signs:
            self.exitcode = 0

    def kill(self) -> None:
        self.exitcode = KILLED

    def ends(self, code, *said) -> None:
        os.write(self.line, b"".join(said))
        self.exitcode = code

    def lives(self) -> None:
        if self.signs and not self.starting:
            os.write(self.line, SIGN)


class Play:
    """Two workers, a clock, and what happens to them each time that they are looked at."""

    def __init__(self, monkeypatch, context) -> None:
        self.started: list[Process] = []
        self.steps: list = []
        self.logged: list = []
        self.now_s = 1000.0
        self.Pipe = context.Pipe
        monkeypatch.setattr(supervisor.multiprocessing, "get_context", lambda way: self)
        monkeypatch.setattr(supervisor.multiprocessing.connection, "wait", self._wait)
        monkeypatch.setattr(supervisor.time, "monotonic", lambda: self.now_s)
        monkeypatch.setattr(supervisor.signal, "signal", lambda *told: None)
        monkeypatch.setattr(supervisor.os, "kill", lambda pid, number: self.asked.append((pid, number)))
        self.asked: list = []
        self.workers = Workers(2, print, (), watchdog_s=WATCHDOG_S, log=self._log)

    def Process(self, target, args):  # noqa: N802  # as multiprocessing calls it
        self.started.append(Process(target, args))
        return self.started[-1]

    def _log(self, event, level="info", **members):
        self.logged.append({"event": event, "level": level, **members})

    def _wait(self, waited_for, seconds):
        if waited_for and not isinstance(waited_for[0], Process):
            # A stack is asked for, and none comes.
            return []
        self.now_s += 1.0
        self.steps.pop(0)()
        for process in self.started:
            if process.is_alive():
                process.lives()
        return []

    def passes(self, seconds):
        return [lambda: None] * seconds

    def stops(self):
        self.workers.stop(signal.SIGTERM)

    def run(self, *steps):
        self.steps = [step for each in steps for step in (each if isinstance(each, list) else [each])]
        self.workers.run()
        assert not self.steps


@pytest.fixture
def play(monkeypatch):
    return Play(monkeypatch, supervisor.multiprocessing.get_context("spawn"))


def test_a_worker_that_dies_is_replaced_at_once_and_its_heir_told_whose_calls_to_release(play):
    play.run(play.passes(3), lambda: play.started[0].ends(KILLED), play.passes(1), play.stops)
    assert [process.terminated for process in play.started] == [0, 1, 1]
    dead, heir = play.started[0].birth, play.started[2].birth
    assert (heir.dead, heir.first, dead.first) == ((dead.name,), False, True)
    [line] = play.logged
    told = {"event": "worker_replaced", "level": "error", "worker": dead.name, "reason": "signal 9"}
    assert line == {**told, "pid": play.started[0].pid, "pause_s": 0.0}


def test_a_worker_without_a_sign_of_life_is_asked_for_its_stack_killed_and_replaced(play):
    def freezes():
        play.started[1].signs = False

    play.run(play.passes(2), freezes, play.passes(int(WATCHDOG_S) - 1), play.stops)
    assert [process.exitcode for process in play.started] == [0, KILLED, 0]
    assert play.asked == [(play.started[1].pid, signal.SIGUSR1)]
    assert play.started[2].birth.dead == (play.started[1].birth.name,)
    [line] = play.logged
    assert (line["event"], line["reason"], line["silent_s"]) == ("worker_replaced", "frozen", WATCHDOG_S)


def test_calls_are_inherited_once_and_by_the_next_where_the_heir_dies_first(play):
    def heir_cannot():
        play.started[2].starting = True

    play.run(
        play.passes(2),
        [lambda: play.started[0].ends(KILLED), heir_cannot, lambda: play.started[2].ends(KILLED)],
        play.passes(4),
        [lambda: play.started[1].ends(KILLED)],
        play.passes(8),
        play.stops,
    )
    names = [process.birth.name for process in play.started]
    assert [process.birth.dead for process in play.started[2:]] == [
        (names[0],),
        (names[0], names[2]),
        (names[1],),
    ]


def test_a_worker_that_is_long_in_starting_is_not_taken_for_frozen(play):
    def starting():
        for process in play.started:
            process.starting = True

    play.run(starting, play.passes(100), play.stops)
    assert (len(play.started), play.logged) == (2, [])


def test_a_supervisor_that_was_stopped_itself_kills_nobody_when_it_goes_on(play):
    def sleeps():
        play.now_s += 3600
        for process in play.started:
            process.signs = False

    def wakes():
        for process in play.started:
            process.signs = True

    play.run(play.passes(2), sleeps, wakes, play.passes(3), play.stops)
    assert (len(play.started), play.logged) == (2, [])


def test_workers_that_never_served_stop_with_the_first_that_cannot_start(play):
    refusal = json.dumps(["DatabaseInUse", "another process uses it"]).encode() + SIGN

    def cannot():
        play.started[0].starting = True
        play.started[1].ends(CANNOT_START, refusal)

    with pytest.raises(StoreError, match="another process uses it"):
        play.run(cannot, play.passes(1))
    assert [process.terminated for process in play.started] == [1, 0]


@pytest.mark.parametrize(
    ("code", "said", "told"),
    [
        (CANNOT_START, b'["ConfigurationError", "wrong"]\n', "wrong"),
        (1, b"", "exit status 1"),
        (KILLED, b"", "signal 9"),
    ],
)
def test_a_first_worker_that_ends_before_it_served_is_an_error_and_no_endless_trial(play, code, said, told):
    def cannot():
        play.started[1].starting = True
        play.started[0].ends(code, said)

    with pytest.raises(ConfigurationError, match=told):
        play.run(cannot, play.passes(1))


def test_a_worker_that_dies_while_the_database_is_away_comes_back_with_it(play):
    """The others go on: they have their connections, and an answer for everybody. Nobody is started every moment."""

    def away():
        play.started[-1].ends(CANNOT_START, b'["StoreError", "connection refused"]\n')

    play.run(
        play.passes(2),
        [lambda: play.started[0].ends(KILLED), away],
        [*play.passes(1), away],
        [*play.passes(2), away],
        [*play.passes(4), *play.passes(5)],
        play.stops,
    )
    assert [line["pause_s"] for line in play.logged] == [0.0, 1.0, 2.0, 4.0]
    assert [line.get("detail") for line in play.logged] == [None, *["connection refused"] * 3]
    assert [process.terminated for process in play.started] == [0, 1, 0, 0, 0, 1]


def test_who_dies_again_and_again_is_paused_for_no_longer_than_half_a_minute(play):
    def dies():
        play.started[-1].ends(KILLED)

    rounds = [each for _ in range(9) for each in [*play.passes(int(LONGEST_PAUSE_S) + 2), dies]]
    play.run(play.passes(2), rounds, play.passes(int(STEADY_S) + 40), dies, play.stops)
    pauses = [line["pause_s"] for line in play.logged]
    assert pauses == [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 0.0]


def test_a_frozen_worker_that_hears_no_signal_is_killed_when_all_stop(play):
    def freezes():
        play.started[0].signs = False

    play.run(play.passes(2), freezes, play.stops, play.passes(int(WATCHDOG_S) - 2))
    assert [process.exitcode for process in play.started] == [KILLED, 0]
    assert [(line["event"], line["reason"]) for line in play.logged] == [("worker_killed", "frozen")]


def test_asked_twice_all_are_asked_twice(play):
    def freezes():
        play.started[0].signs = False

    play.run(play.passes(2), freezes, play.stops, play.stops, lambda: play.started[0].ends(0))
    assert [process.terminated for process in play.started] == [2, 1]


def test_a_signal_during_a_replacement_starts_nothing_that_nobody_stops(play, monkeypatch):
    def signalled(process):
        play.workers.stop()

    def dies():
        monkeypatch.setattr(Process, "start", signalled)
        play.started[0].ends(KILLED)

    play.run(play.passes(2), dies, play.passes(1))
    assert len(play.started) == 3
    assert all(not process.is_alive() for process in play.started)


def test_the_thread_that_took_the_signal_is_told_first_and_outermost_frames_first():
    dump = (
        'Thread 0x00007f (most recent call first):\n  File "/x/wait.py", line 3 in get\n'
        '  File "/x/run.py", line 9 in run\n\n'
        'Current thread 0x00008f (most recent call first):\n  File "/x/a.py", line 1 in <lambda>\n'
        '  File "/x/b.py", line 2 in Outer.call\n'
    )
    assert stacks_of(dump) == [
        ["/x/b.py:2 Outer.call", "/x/a.py:1 <lambda>"],
        ["/x/run.py:9 run", "/x/wait.py:3 get"],
    ]
    assert stacks_of("") == stacks_of("Segmentation fault\n  File torn") == []


def test_who_comes_later_is_told_how_many_were_replaced_before(play):
    def dies(number):
        return lambda: play.started[number].ends(1)

    play.run(play.passes(2), dies(0), play.passes(2), dies(1), play.passes(3), play.stops)
    assert [process.birth.replaced for process in play.started] == [0, 0, 1, 2]
