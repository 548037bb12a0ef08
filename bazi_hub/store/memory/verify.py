"""The invariants of the ledger, recounted from its rows: nothing here trusts a balance, a count or an index.

| I1 | the entries of an account add up to its balance |
| I2 | what is held is what running calls may cost |
| I3 | nothing is negative, nor less than what is held |
| I4 | every journal group has two sides and adds up to nothing |
| I5 | a call is captured once |
| I6 | captured and stored are the same; a call that was not captured has no entries |
| I8 | quota is what calls used and reserved, and never more than was granted |
| I10 | entries are numbered without a gap and carry the balance after them |
| I11 | what was charged is the price at the admission |
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from bazi_hub.ports import COUNTER_ACCOUNT, Account, Finding
from bazi_hub.store.memory.tables import CallRow, EntryRow, JournalRow, Quota, Tables


def findings(tables: Tables) -> list[Finding]:
    """Every breach, invariant by invariant."""
    checks = (_balances, _groups, _numbering, _calls, _runs, _quotas)
    return sorted(finding for check in checks for finding in check(tables))


def _balances(tables: Tables) -> Iterator[Finding]:
    held: Counter[str] = Counter()
    for row in tables.calls.values():
        if row.state == "running":
            held[row.account_id] += row.cost
    for name in sorted(tables.entries.keys() - {f"user:{account_id}" for account_id in tables.accounts}):
        if name.startswith("user:"):
            yield Finding("I1", name, "has entries and no account")
    for account in tables.accounts.values():
        yield from _balance(account, tables.entries.get(f"user:{account.id}", []), held[account.id])


def _balance(account: Account, entries: list[EntryRow], held: int) -> Iterator[Finding]:
    total = sum(entry.amount for entry in entries)
    if total != account.posted:
        yield Finding("I1", account.id, f"entries add up to {total}, posted is {account.posted}")
    if held != account.held:
        yield Finding("I2", account.id, f"running calls hold {held}, held is {account.held}")
    if min(account.posted, account.held, account.available) < 0:
        yield Finding("I3", account.id, f"posted {account.posted}, held {account.held}")


def _groups(tables: Tables) -> Iterator[Finding]:
    groups: defaultdict[str, list[EntryRow]] = defaultdict(list)
    for entries in tables.entries.values():
        for entry in entries:
            groups[entry.journal_id].append(entry)
    for journal_id in sorted(groups.keys() | tables.journal.keys()):
        yield from _group(journal_id, tables.journal.get(journal_id), groups[journal_id])


def _group(journal_id: str, row: JournalRow | None, entries: list[EntryRow]) -> Iterator[Finding]:
    total = sum(entry.amount for entry in entries)
    if total:
        yield Finding("I4", journal_id, f"adds up to {total}")
    if row is None:
        yield Finding("I4", journal_id, "has entries and no journal row")
        return
    sides = sorted("user" if entry.account.startswith("user:") else entry.account for entry in entries)
    if sides != sorted(["user", COUNTER_ACCOUNT.get(row.kind, "nobody")]):
        yield Finding("I4", journal_id, f"a {row.kind} between {sides}")


def _numbering(tables: Tables) -> Iterator[Finding]:
    for account, entries in tables.entries.items():
        if not account.startswith("user:"):
            continue
        balance = 0
        for number, entry in enumerate(entries, 1):
            balance += entry.amount
            if (entry.seq, entry.posted_after) != (number, balance):
                found = f"entry {entry.seq} with {entry.posted_after} where {number} with {balance} belongs"
                yield Finding("I10", account, found)
                break


def _calls(tables: Tables) -> Iterator[Finding]:
    posted: defaultdict[str, list[JournalRow]] = defaultdict(list)
    for journal in tables.journal.values():
        if journal.call_id is not None:
            posted[journal.call_id].append(journal)
    amounts = {
        entry.journal_id: entry.amount
        for account, entries in tables.entries.items()
        if account.startswith("user:")
        for entry in entries
    }
    for call_id in sorted(posted.keys() - tables.calls.keys()):
        yield Finding("I6", call_id, "has entries and no record")
    for row in tables.calls.values():
        captures = [-amounts.get(one.id, 0) for one in posted[row.id] if one.kind == "capture"]
        refunds = [amounts.get(one.id, 0) for one in posted[row.id] if one.kind == "refund"]
        yield from _call(row, captures, refunds)
        yield from _charge(tables, row, sum(captures))


def _call(row: CallRow, captures: list[int], refunds: list[int]) -> Iterator[Finding]:
    if len(captures) > 1 or len(refunds) > 1:
        yield Finding("I5", row.id, f"captured {len(captures)} times, refunded {len(refunds)} times")
    if row.state != "captured" and (captures or refunds):
        yield Finding("I6", row.id, f"{row.state} with entries")
    stored = row.result is not None
    if stored if row.state != "captured" or row.purged else not stored:
        yield Finding("I6", row.id, f"{row.state} {'with' if stored else 'without'} a result")
    if sum(refunds) > sum(captures):
        yield Finding("I6", row.id, f"refunded {sum(refunds)} of {sum(captures)}")


def _charge(tables: Tables, row: CallRow, captured: int) -> Iterator[Finding]:
    prices = [price for price in tables.prices.get(row.tool, ()) if price.version == row.price_version]
    if row.metered and not prices:
        yield Finding("I11", row.id, f"admitted at version {row.price_version}, which is none")
    # What was given away in one step never had a price.
    held = row.state != "captured" or not row.gratis
    for price in prices if held else ():
        if row.cost != (0 if row.from_quota else price.credit_cost):
            yield Finding(
                "I11", row.id, f"admitted at {row.cost}, version {price.version} is {price.credit_cost}"
            )
    due = row.cost if row.state == "captured" and not row.gratis else 0
    if not captured == row.charged == due:
        yield Finding("I11", row.id, f"{due} due, {row.charged} recorded, {captured} posted")


def _runs(tables: Tables) -> Iterator[Finding]:
    for run in tables.runs.runs.values():
        call = tables.calls[run.call_id]
        state = call.state
        if run.deducted != call.charged:
            found = f"the run says that it cost {run.deducted}, its call says {call.charged}"
            yield Finding("I6", run.id, found)
        if (run.status == "running", run.status == "succeeded") != (state == "running", state == "captured"):
            yield Finding("I6", run.id, f"the run is {run.status}, and its call is {state}")


def _quotas(tables: Tables) -> Iterator[Finding]:
    counted: Counter[tuple[str, str, str]] = Counter()
    for row in tables.calls.values():
        if row.from_quota and row.state in ("running", "captured"):
            counted[row.account_id, row.tool, row.state] += 1
    for account_id, tool, _ in counted:
        if tool not in tables.quotas.get(account_id, {}):
            yield Finding("I8", account_id, f"{tool} has no quota and calls that it paid for")
    for account_id, quotas in tables.quotas.items():
        for tool, quota in quotas.items():
            used = counted[account_id, tool, "captured"]
            reserved = counted[account_id, tool, "running"]
            if quota != Quota(quota.granted, used, reserved) or quota.left < 0:
                yield Finding("I8", account_id, f"{tool}: {quota}, calls used {used} and reserve {reserved}")
