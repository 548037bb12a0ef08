"""The books, recomputed from raw rows: every invariant is a query that finds the rows which break it.

The queries run on both engines, in one read transaction, each in one or two passes over its tables. None: all is well.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, text

from bazi_hub.ports import COUNTER_ACCOUNT, Finding

MOST = 20
_COUNTER = " ".join(f"WHEN '{kind}' THEN '{account}'" for kind, account in COUNTER_ACCOUNT.items())


class Invariant(NamedTuple):
    """An invariant, what is wrong where a row is found, and the query for `subject` and `detail`."""

    invariant: str
    wrong: str
    query: str


RULES = (
    Invariant("I1", "balance {} is not the sum of the entries", """
        SELECT a.id, a.posted FROM accounts a
        LEFT JOIN (SELECT account, sum(amount) AS total FROM entries GROUP BY account) e ON e.account = 'user:' || a.id
        WHERE a.posted <> coalesce(e.total, 0)"""),
    Invariant("I1", "entries of an account that is not there", """
        SELECT e.account, 0 FROM (SELECT DISTINCT account FROM entries WHERE account LIKE 'user:%') e
        LEFT JOIN accounts a ON 'user:' || a.id = e.account WHERE a.id IS NULL"""),
    Invariant("I2", "{} held is not what its running calls cost", """
        SELECT a.id, a.held FROM accounts a
        LEFT JOIN (SELECT account_id, sum(cost) AS total FROM calls WHERE state = 'running' AND NOT from_quota
                   GROUP BY account_id) c ON c.account_id = a.id
        WHERE a.held <> coalesce(c.total, 0)"""),
    Invariant("I3", "balance {} is negative, or less than what is held", """
        SELECT id, posted FROM accounts WHERE posted < 0 OR held < 0 OR posted - held < 0"""),
    Invariant("I4", "the sides of the posting sum to {}", """
        SELECT j.id, coalesce(e.total, 0) FROM journal j
        LEFT JOIN (SELECT journal_id, sum(amount) AS total, count(*) AS sides FROM entries GROUP BY journal_id) e
          ON e.journal_id = j.id
        WHERE coalesce(e.total, 1) <> 0 OR e.sides <> 2"""),
    Invariant("I4", "the two sides are not those of a {}", f"""
        SELECT j.id, j.kind FROM journal j
        LEFT JOIN entries u ON u.journal_id = j.id AND u.account LIKE 'user:%'
        LEFT JOIN entries s ON s.journal_id = j.id AND s.account = CASE j.kind {_COUNTER} END
        WHERE u.journal_id IS NULL OR s.journal_id IS NULL"""),
    Invariant("I4", "an entry without a posting", """
        SELECT e.journal_id, 0 FROM entries e LEFT JOIN journal j ON j.id = e.journal_id WHERE j.id IS NULL"""),
    Invariant("I5", "{} captures of one call", """
        SELECT call_id, count(*) FROM journal WHERE kind = 'capture' GROUP BY call_id HAVING count(*) > 1"""),
    Invariant("I5", "{} refunds of one call", """
        SELECT call_id, count(*) FROM journal WHERE kind = 'refund' GROUP BY call_id HAVING count(*) > 1"""),
    Invariant("I6", "captured, and no result", """
        SELECT c.id, 0 FROM calls c LEFT JOIN results r ON r.call_id = c.id
        WHERE c.state = 'captured' AND c.fingerprint IS NOT NULL AND r.call_id IS NULL"""),
    Invariant("I6", "a result, and {}", """
        SELECT r.call_id, coalesce(c.state, 'no call') FROM results r LEFT JOIN calls c ON c.id = r.call_id
        WHERE c.id IS NULL OR c.state <> 'captured'"""),
    Invariant("I6", "a posting, and {}", """
        SELECT j.call_id, coalesce(c.state, 'no call') FROM journal j LEFT JOIN calls c ON c.id = j.call_id
        WHERE j.call_id IS NOT NULL AND (c.id IS NULL OR c.state <> 'captured')"""),
    Invariant("I6", "recorded as {}, posted otherwise", """
        SELECT c.id, c.charged FROM calls c LEFT JOIN journal j ON j.call_id = c.id AND j.kind = 'capture'
        LEFT JOIN entries e ON e.journal_id = j.id AND e.account = 'user:' || c.account_id
        WHERE c.charged <> coalesce(-e.amount, 0)"""),
    Invariant("I6", "a refund of {}, and no call of this account that cost so much", """
        SELECT j.id, e.amount FROM journal j JOIN entries e ON e.journal_id = j.id AND e.account LIKE 'user:%'
        LEFT JOIN calls c ON c.id = j.call_id AND 'user:' || c.account_id = e.account
        WHERE j.kind = 'refund' AND (c.id IS NULL OR e.amount > c.charged)"""),
    Invariant("I6", "the run is {}, and its call is not", """
        SELECT r.id, r.status FROM runs r LEFT JOIN calls c ON c.id = r.call_id WHERE c.id IS NULL
          OR (r.status = 'running') <> (c.state = 'running') OR (r.status = 'succeeded') <> (c.state = 'captured')"""),
    Invariant("I6", "the run says that it cost {}, and its call says otherwise", """
        SELECT r.id, r.deducted FROM runs r JOIN calls c ON c.id = r.call_id WHERE r.deducted <> c.charged"""),
    Invariant("I8", "more than the {} free calls that were granted", """
        SELECT account_id || ' ' || tool, granted FROM quota WHERE used < 0 OR reserved < 0 OR used + reserved > granted"""),
    Invariant("I8", "{} free calls used or reserved, and the calls say otherwise", """
        SELECT q.account_id || ' ' || q.tool, q.used + q.reserved FROM quota q
        LEFT JOIN (SELECT account_id, tool, sum(CASE state WHEN 'captured' THEN 1 ELSE 0 END) AS used,
                          sum(CASE state WHEN 'running' THEN 1 ELSE 0 END) AS reserved
                   FROM calls WHERE from_quota GROUP BY account_id, tool) c
          ON c.account_id = q.account_id AND c.tool = q.tool
        WHERE q.used <> coalesce(c.used, 0) OR q.reserved <> coalesce(c.reserved, 0)"""),
    Invariant("I8", "{} calls that a quota paid for, and there is none", """
        SELECT c.account_id || ' ' || c.tool, count(*) FROM calls c
        LEFT JOIN quota q ON q.account_id = c.account_id AND q.tool = c.tool
        WHERE c.from_quota AND c.state IN ('running', 'captured') AND q.tool IS NULL GROUP BY c.account_id, c.tool"""),
    Invariant("I10", "entry {} is missing, double, or has a wrong balance", """
        SELECT account, n FROM (
          SELECT account, seq, posted_after, row_number() OVER w AS n, sum(amount) OVER w AS total
          FROM entries WHERE account LIKE 'user:%' WINDOW w AS (PARTITION BY account ORDER BY seq)) e
        WHERE seq IS NULL OR seq <> n OR posted_after IS NULL OR posted_after <> total"""),
    Invariant("I10", "the account counts {} entries, and there are more or fewer", """
        SELECT a.id, a.seq FROM accounts a
        LEFT JOIN (SELECT account, count(*) AS n FROM entries GROUP BY account) e ON e.account = 'user:' || a.id
        WHERE a.seq <> coalesce(e.n, 0)"""),
    Invariant("I11", "charged {}, which is not the price at its admission", """
        SELECT c.id, c.charged FROM calls c LEFT JOIN prices p ON p.tool = c.tool AND p.version = c.price_version
        WHERE c.metered AND (p.tool IS NULL OR c.charged NOT IN (0, c.cost) OR (c.charged <> 0 AND c.from_quota)
          OR ((c.charged <> 0 OR c.state <> 'captured')
              AND c.cost <> CASE WHEN c.from_quota THEN 0 ELSE p.credit_cost END))"""),
)  # fmt: skip


def verify(db: Connection) -> list[Finding]:
    """Every breach, at most `MOST` rows of each kind."""
    return [finding for rule in RULES for finding in _broken(db, rule)]


def _broken(db: Connection, rule: Invariant) -> list[Finding]:
    rows = db.execute(text(f"{rule.query} LIMIT {MOST}")).all()
    return [Finding(rule.invariant, str(subject), rule.wrong.format(value)) for subject, value in rows]
