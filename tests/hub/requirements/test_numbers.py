"""Numbers that are promised and that no other test counts out."""

from bazi_hub import ports
from bazi_hub.calls import execution, gate, slots, state
from bazi_hub.divination import feed, request
from bazi_hub.http import runs
from bazi_hub.http.exchange import Pace
from bazi_hub.http.wire import agui, discovery, mcp
from bazi_hub.people import guessable, identity, passwords
from bazi_hub.store.postgres import writer
from bazi_hub.store.sqlite import database
from bazi_hub.words.settings import Settings
from tests.tables import holds_for_all

DAY_S = 86_400
DEFAULTS = Settings()
PROMISED = [
    ("seconds between heartbeats, and between rounds of the reaper", state.REAP_EVERY_S, 10),
    ("seconds by which a lease outlives its deadline", gate.LEASE_GRACE_S, 30),
    ("seconds a verified key is remembered", DEFAULTS.key_cache_s, 5),
    ("seconds between two notes of the use of a key", identity.USED_EVERY_MS / 1000, 60),
    ("active keys of an account", identity.MOST_KEYS, 20),
    ("days of a session", ports.SESSION_MS / 1000 / DAY_S, 14),
    ("days of an idle session", ports.SESSION_IDLE_MS / 1000 / DAY_S, 7),
    ("characters of a password", guessable.LEAST_LENGTH, 10),
    ("hashes at a time", passwords.THREADS, 2),
    ("hashes that wait", DEFAULTS.password_queue, 128),
    ("hashes of one address, those being made included", passwords.MOST_WAITING_OF_A_LANE, 6),
    ("wrong passwords of one e-mail from one address", DEFAULTS.signin_failures, 5),
    ("calls of an account that wait for a reader", slots.MOST_WAITING_OF_AN_ACCOUNT, 16),
    ("calls that wait for a reader", slots.MOST_WAITING, 256),
    ("readings at a time", DEFAULTS.llm_max_concurrency, 64),
    ("seconds for a pattern", DEFAULTS.deadlines_s["bazi_pattern_analysis"], 60),
    ("seconds for a year", DEFAULTS.deadlines_s["bigluck_year_fortune_eval"], 90),
    ("seconds for a run", DEFAULTS.deadlines_s["divination_run"], 90),
    ("seconds for any call", DEFAULTS.call_cap_s, 300),
    ("seconds for what runs when the hub stops", DEFAULTS.drain_s, 120),
    ("hours that a result is kept", DEFAULTS.result_ttl_s / 3600, 24),
    ("days that a log is kept", DEFAULTS.run_log_ttl_s / DAY_S, 7),
    ("readings a day that nobody paid", DEFAULTS.uncharged_readings, 20),
    ("credits of a new account", DEFAULTS.starter_credits, 25),
    ("bytes of a body", DEFAULTS.body_limit, 262_144),
    ("nesting of a body", DEFAULTS.json_depth, 64),
    ("seconds for a body to arrive, and between signs of life", Pace(), (15, 15)),
    ("milliseconds a list stays fresh", mcp.FRESH_MS, 300_000),
    ("seconds of patience that clients are asked for", discovery.CLIENT_TIMEOUT_S, 120),
    ("items of one transaction on SQLite", database.MOST_ITEMS, 256),
    ("items of one transaction on PostgreSQL", writer.MOST_ITEMS, 128),
    ("open streams of an account", feed.MOST_STREAMS, 16),
    ("seconds until another stream may be tried", feed.STREAM_RETRY_S, 5),
    ("events that a slow reader may lag behind", runs.MOST_BEHIND, 256),
    ("milliseconds until a reader reconnects", agui.RETRY, b"retry: 2000\n\n"),
    ("messages of a request", request.MOST_MESSAGES, 100),
    ("bytes of a client's state", request.MOST_STATE_BYTES, 32 * 1024),
    ("milliseconds that a client's two clocks may differ", request.MOST_DRIFT_MS, 1000),
    ("messages of a page of the history", request.DEFAULT_LIMIT, 50),
    ("messages of the largest page of the history", request.MOST_LIMIT, 100),
]  # fmt: skip


@holds_for_all("what, found, promised", PROMISED, lambda row: row[0])
def test_a_number_is_the_one_that_was_promised(what, found, promised):
    assert found == promised


def test_workers_look_for_news_of_each_other_four_times_a_second_at_least():
    assert execution.POLL_S <= 0.25
    assert feed.POLL_S <= 0.25


def test_what_the_embedded_database_acknowledged_is_on_the_disk():
    wanted = {"journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"}
    assert wanted <= set(database._PRAGMAS)
    assert any(pragma.startswith("busy_timeout = ") for pragma in database._PRAGMAS)
