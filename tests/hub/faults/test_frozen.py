"""A worker whose event loop stands still: it is killed and replaced, and what its calls held goes back at once."""

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.hub.faults import freezing
from tests.hub.faults.test_processes import CREDITS, T2, account, born
from tests.hub.serving import bazi, serving
from tests.waiting import eventually_there

pytestmark = pytest.mark.process
# Calls of a worker of which nobody knows that it is dead go back after 30 s of silence.
SOONER_S = 25
# Long enough that a machine with much to do is not taken for a frozen worker.
WATCHDOG_S = 6


@contextmanager
def frozen(tmp_path, db, way, *arguments):
    """A server of which one worker is frozen amid a reading: the server, its account and key, and the call that waits."""
    who, key = account(tmp_path, db)
    freeze = tmp_path / "freeze"
    settings = {"READER": "openai", "LLM_FALLBACK": "narrator", "WATCHDOG_SECONDS": str(WATCHDOG_S)}
    program = (freezing.__file__, way)
    with (
        ThreadPoolExecutor(1) as pool,
        serving(
            tmp_path, "--db", db, *arguments, program=program, more={freezing.WAY: str(freeze)}, **settings
        ) as server,
    ):
        freeze.touch()
        waiting = pool.submit(server.ask, T2, key, born(0))
        eventually_there(lambda: not freeze.exists())
        yield server, who, key, waiting


def replaced(server):
    return [line for line in server.log() if line["event"] == "worker_replaced"]


@pytest.mark.parametrize("way", ["loop", "pattern"])
def test_a_frozen_worker_on_sqlite_is_replaced_and_its_holds_go_back(tmp_path, way):
    db = str(tmp_path / "hub.sqlite3")
    with frozen(tmp_path, db, way) as (server, _, key, waiting):
        [line] = eventually_there(lambda: replaced(server), SOONER_S)
        with pytest.raises(OSError):
            waiting.result()
        assert (line["level"], line["reason"]) == ("error", "frozen")
        assert line["silent_s"] >= WATCHDOG_S
        assert [frame.partition(" ")[2] for frame in line["stacks"][0] if "freezing.py" in frame] == [
            "generate",
            way,
        ]
        eventually_there(server._ready, SOONER_S)
        shown = server.ask(CREDITS, key).body["data"]
        assert (shown["balance"], shown["held"]) == (1000, 0)
        # The same call is none that runs: it is answered, by the rules and for nothing.
        assert server.ask(T2, key, born(0)).body["credits_deducted"] == 0


@pytest.mark.postgres
def test_of_two_workers_on_postgresql_one_serves_while_the_frozen_one_is_replaced(tmp_path, new_url):
    db = new_url()
    with frozen(tmp_path, db, "pattern", "--workers", "2") as (server, who, key, waiting):
        # Before anybody has noticed; the other one tells it.
        assert server.ask(CREDITS, key).body["data"]["held"] == 4
        assert not replaced(server)
        [line] = eventually_there(lambda: replaced(server), SOONER_S)
        eventually_there(lambda: bazi(tmp_path, "credits", "show", who, "--db", db)["held"] == 0, SOONER_S)
        with pytest.raises(OSError):
            waiting.result()
        assert line["reason"] == "frozen"
        assert {server.ask(CREDITS, key).status for _ in range(20)} == {200}
        assert len({each["worker"] for each in replaced(server)}) == 1
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0


def test_a_server_stops_while_a_pattern_holds_the_interpreter_of_its_worker(tmp_path):
    db = str(tmp_path / "hub.sqlite3")
    with frozen(tmp_path, db, "pattern") as (server, who, _, waiting):
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SOONER_S) == 0
        with pytest.raises(OSError):
            waiting.result()
        [line] = [line for line in server.log() if line["event"] == "worker_killed"]
        assert line["reason"] == "frozen"
    shown = bazi(tmp_path, "hub", "account", "list", "--db", db)
    assert [each["id"] for each in shown] == [who]
