"""The server as a process: killed, stopped while readings run, and as several workers on one database."""

from __future__ import annotations

import re
import signal
import socket
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from tests.hub.serving import BIRTH, bazi, serving, slow_model
from tests.waiting import eventually_there

T1, T2 = "fortune/bazi_basic_analysis", "fortune/bazi_pattern_analysis"
HISTORY, CREDITS = "meta/get_usage_history", "meta/get_user_credits"
ROUNDS = 4
process = pytest.mark.process


def account(folder, db, credits=1000):
    made = bazi(folder, "hub", "account", "create", "--credits", str(credits), "--db", db)
    return made["id"], bazi(folder, "keys", "issue", made["id"], "--db", db)["key"]


def born(number):
    return {**BIRTH, "birth_day": 1 + number % 28, "birth_minute": number // 28 % 60}


@process
def test_a_server_that_is_killed_forgets_nothing_it_said(tmp_path):
    """Paid calls under keys of their own; killed anywhere, everything answered is charged once and answered again."""
    db = str(tmp_path / "hub.sqlite3")
    who, key = account(tmp_path, db)
    answered = {}
    for turn in range(ROUNDS):
        with serving(tmp_path, "--db", db) as server, ThreadPoolExecutor(8) as pool:

            def one(number, server=server, turn=turn):
                once = f"{turn}-{number}"
                try:
                    answer = server.ask(T1, key, born(number + 100 * turn), once)
                except OSError:
                    return
                assert answer.status == 200
                answered[once] = answer.body

            running = [pool.submit(one, number) for number in range(60)]
            eventually_there(lambda turn=turn: len(answered) >= 10 * (turn + 1))
            server.kill()
            for each in running:
                each.result()
        assert bazi(tmp_path, "credits", "show", who, "--db", db)["held"] == 0
    with serving(tmp_path, "--db", db) as server:
        for once, body in answered.items():
            turn, number = map(int, once.split("-"))
            again = server.ask(T1, key, born(number + 100 * turn), once)
            assert (again.replayed, again.body["data"], again.body["credits_deducted"]) == (
                True,
                body["data"],
                0,
            )
    entries = bazi(tmp_path, "credits", "history", who, "--db", db)
    charged = [entry["call_id"] for entry in entries if entry["kind"] == "capture"]
    assert len(charged) == len(set(charged))
    paid = sum(body["credits_deducted"] for body in answered.values())
    assert paid <= -sum(entry["amount"] for entry in entries if entry["kind"] == "capture")


@contextmanager
def stopped_amid(tmp_path, count, seconds, **settings):
    """A server that is told to stop amid so many readings of a slow model, and their answers to come. Nothing may be paid or
    held when it has ended."""
    db = str(tmp_path / "hub.sqlite3")
    who, key = account(tmp_path, db)
    with slow_model(seconds) as (url, asked):
        model = {"READER": "openai", "LLM_BASE_URL": url, "LLM_MODEL": "slow", **settings}
        with serving(tmp_path, "--db", db, **model) as server, ThreadPoolExecutor(count) as pool:
            running = [pool.submit(server.ask, T2, key, born(number)) for number in range(count)]
            eventually_there(lambda: len(asked) >= count)
            server.process.send_signal(signal.SIGTERM)
            yield server, running
            assert server.process.wait(20) == 0
    shown = bazi(tmp_path, "credits", "show", who, "--db", db)
    assert (shown["balance"], shown["held"]) == (1000, 0)


@process
def test_a_server_keeps_as_many_connections_of_an_address_as_its_operator_says(tmp_path):
    with serving(tmp_path, "--dev", CONNECTIONS_PER_ADDRESS="2") as server, ExitStack() as held:
        first, *others = (
            held.enter_context(socket.create_connection(("127.0.0.1", server.port), 30)) for _ in range(3)
        )
        assert first.recv(1) == b""
        for each in others:
            each.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert each.recv(12) == b"HTTP/1.1 200"


@process
def test_a_server_that_is_stopped_finishes_what_it_began(tmp_path):
    with stopped_amid(tmp_path, 20, 1.0, LLM_FALLBACK="narrator") as (_, running):
        assert [each.result().status for each in running] == [200] * 20


@process
def test_a_server_that_may_not_wait_releases_what_it_holds(tmp_path):
    with stopped_amid(tmp_path, 5, 30.0, DRAIN_SECONDS="1") as (_, running):
        told = [each.result() for each in running]
        assert [(answer.status, answer.body["error"]["details"]["reason"]) for answer in told] == [
            (502, "DRAINING")
        ] * 5


@process
def test_a_server_that_is_asked_twice_stops_at_once_and_releases_what_it_holds(tmp_path):
    with stopped_amid(tmp_path, 1, 60.0, DRAIN_SECONDS="60") as (server, _):
        eventually_there(lambda: not server._ready())
        server.process.send_signal(signal.SIGTERM)


def scraped(server) -> int:
    """The calls that `/metrics` tells of, whichever worker answers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=10) as answer:
        told = answer.read().decode()
    assert {*re.findall(r'^bazi_hub_process_open_fds{worker="(\d)"}', told, re.MULTILINE)} == {"0", "1"}
    return sum(
        int(float(each)) for each in re.findall(r"^bazi_hub_calls_total{.*} (\S+)$", told, re.MULTILINE)
    )


@process
def test_a_scrape_tells_what_all_workers_counted_whichever_answers(tmp_path, new_url):
    db = new_url()
    _, key = account(tmp_path, db)
    with serving(tmp_path, "--workers", "2", "--db", db) as server, ThreadPoolExecutor(8) as pool:
        for rounds in (1, 2):
            assert {each.status for each in pool.map(lambda _: server.ask(CREDITS, key), range(30))} == {200}
            assert [scraped(server) for _ in range(12)] == [30 * rounds] * 12
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0


@process
def test_workers_on_one_database_spend_together_what_is_there(tmp_path, new_url):
    db = new_url()
    who, key = account(tmp_path, db, 25)
    with serving(tmp_path, "--workers", "2", "--db", db) as server, ThreadPoolExecutor(16) as pool:
        found = [*pool.map(lambda number: server.ask(T2, key, born(number)), range(60))]
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0
    assert sorted(answer.status for answer in found) == [200] * 6 + [402] * 54
    shown = bazi(tmp_path, "credits", "show", who, "--db", db)
    assert (shown["balance"], shown["held"]) == (1, 0)


def gone(server, key):
    try:
        server.ask(CREDITS, key)
    except OSError:
        return True
    return False


@process
def test_workers_whose_parent_is_killed_end_and_give_their_address_back(tmp_path, new_url):
    db = new_url()
    _, key = account(tmp_path, db)
    with serving(tmp_path, "--workers", "2", "--db", db) as server:
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        eventually_there(lambda: gone(server, key))
    with serving(tmp_path, "--workers", "2", "--db", db, at=server.port) as again:
        assert again.ask(CREDITS, key).status == 200


@process
def test_a_revoked_key_is_refused_by_every_worker_within_five_seconds(tmp_path, new_url):
    db = new_url()
    _, key = account(tmp_path, db)
    with serving(tmp_path, "--workers", "2", "--db", db) as server:
        assert {server.ask(CREDITS, key).status for _ in range(40)} == {200}
        bazi(tmp_path, "keys", "revoke", key, "--db", db)
        eventually_there(lambda: all(server.ask(CREDITS, key).status != 200 for _ in range(20)), 6)


@process
def test_ten_fortune_calls_a_minute_are_counted_over_all_workers(tmp_path, new_url):
    db = new_url()
    made = bazi(tmp_path, "hub", "account", "create", "--db", db)
    key = bazi(tmp_path, "keys", "issue", made["id"], "--flavor", "agent", "--db", db)["key"]
    with serving(tmp_path, "--workers", "2", "--db", db) as server, ThreadPoolExecutor(8) as pool:
        begun = int(time.time()) // 60
        statuses = [answer.status for answer in pool.map(lambda _: server.ask(T1, key), range(40))]
        turned = int(time.time()) // 60 - begun
    # Windows are minutes of UTC: ten in each that the calls fell into, and no more.
    assert 10 <= statuses.count(400) <= 10 * (1 + turned)
    assert statuses.count(400) + statuses.count(429) == 40


@process
def test_while_a_model_hangs_ninety_calls_of_one_account_keep_no_other_account_from_asking_it(tmp_path):
    """A server as it is deployed. The ninety are at their end, refused or waiting, before the other account comes."""
    db, share, waiting = str(tmp_path / "hub.sqlite3"), 16, 16
    (_, many), (_, other) = account(tmp_path, db), account(tmp_path, db)
    with slow_model(600.0) as (url, asked):
        model = {"READER": "openai", "LLM_BASE_URL": url, "LLM_MODEL": "slow"}
        with serving(tmp_path, "--db", db, **model) as server, ThreadPoolExecutor(91) as pool:
            flood = [pool.submit(server.ask, T2, many, born(number)) for number in range(90)]
            eventually_there(lambda: sum(each.done() for each in flood) == 90 - share - waiting)
            eventually_there(lambda: len(asked) == share)
            refused = [each.result() for each in flood if each.done()]
            told = {(answer.status, answer.body["error"]["details"]["reason"]) for answer in refused}
            assert told == {(502, "OVERLOADED")}
            yours = pool.submit(server.ask, T2, other, BIRTH)
            eventually_there(lambda: len(asked) == share + 1)
            # None of them has ended for it: the place was free.
            assert (sum(each.done() for each in flood), yours.done()) == (90 - share - waiting, False)
            server.kill()
