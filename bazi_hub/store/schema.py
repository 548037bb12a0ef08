"""The tables, the same on both engines. Times are milliseconds since 1970 UTC, amounts integer credits, ids text.

Money: `journal` is a posting, `entries` its two sides, `accounts.posted` and `.held` projections that the checks below
keep above water. A call holds its price while it runs (`held` = the sum of `cost` over running calls that no quota pays).
Journal, entries, prices and admin journal are append-only: triggers refuse to change or delete a row.
The clock of leases (`calls.lease_ms`, `calls.admitted_ms`, `workers.seen_ms`) is monotonic on SQLite, where no lease
outlives the process, and the database's own on PostgreSQL.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData()

# SQLite numbers rows by itself only where the type says INTEGER.
Serial = BigInteger().with_variant(Integer, "sqlite")

APPEND_ONLY = ("journal", "entries", "prices", "admin_journal")


def _key(name: str, kind: Any = Text) -> Column[Any]:
    """A part of the primary key."""
    return Column(name, kind, primary_key=True, autoincrement=False)


def _of(name: str, table: str, **more: Any) -> Column[Any]:
    """The id of a row of another table."""
    return Column(name, Text, ForeignKey(f"{table}.id"), nullable=False, **more)


def _account(primary: bool = False) -> Column[str]:
    return _of("account_id", "accounts", primary_key=primary)


def _required(name: str, kind: Any = Text) -> Column[Any]:
    return Column(name, kind, nullable=False)


def _optional(name: str, kind: Any = Text) -> Column[Any]:
    return Column(name, kind)


def _count(name: str, kind: Any = BigInteger) -> Column[int]:
    return Column(name, kind, nullable=False, server_default=text("0"))


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=false())


def _where(condition: str) -> dict[str, Any]:
    """The condition of a partial index."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


# --- accounts, keys, sessions -----------------------------------------------------------------------------------------

accounts = Table(
    "accounts",
    metadata,
    _key("id"),
    _optional("email"),
    # The e-mail folded to lower case: SQLite itself folds ASCII only.
    Column("email_folded", Text, unique=True),
    _optional("display_name"),
    _required("status"),
    _optional("language"),
    _required("created_ms", BigInteger),
    _optional("password_hash"),
    _count("posted"),
    _count("held"),
    # The number of the account's newest ledger entry.
    _count("seq"),
    # Whether an operator gave the e-mail or confirmed it; who signs up may type anybody's.
    _flag("email_verified"),
    CheckConstraint("posted >= 0", name="posted_not_negative"),
    CheckConstraint("held >= 0", name="held_not_negative"),
    CheckConstraint("posted - held >= 0", name="available_not_negative"),
    CheckConstraint("status IN ('active', 'suspended', 'erased')", name="status_known"),
)

api_keys = Table(
    "api_keys",
    metadata,
    _key("id"),
    _account(),
    _required("flavor"),
    _required("digest", LargeBinary),
    _required("pepper_id"),
    _optional("agent_name"),
    _required("created_ms", BigInteger),
    _optional("expires_ms", BigInteger),
    _optional("revoked_ms", BigInteger),
    _optional("last_used_ms", BigInteger),
    Index("api_keys_of_account", "account_id"),
)

sessions = Table(
    "sessions",
    metadata,
    _key("id"),
    _account(),
    _required("csrf"),
    _required("created_ms", BigInteger),
    _required("seen_ms", BigInteger),
    _required("expires_ms", BigInteger),
    Index("sessions_of_account", "account_id"),
)

invites = Table(
    "invites",
    metadata,
    _key("token_hash"),
    _required("expires_ms", BigInteger),
    _optional("used_ms", BigInteger),
)

# --- prices and money -------------------------------------------------------------------------------------------------

prices = Table(
    "prices",
    metadata,
    _key("tool"),
    _key("version", Integer),
    _required("credit_cost", BigInteger),
    _required("min_balance", BigInteger),
    _required("free_quota", BigInteger),
    _required("enabled", Boolean),
    _required("changed_ms", BigInteger),
    _required("changed_by"),
    CheckConstraint("credit_cost >= 0 AND min_balance >= 0 AND free_quota >= 0", name="prices_not_negative"),
)

quota = Table(
    "quota",
    metadata,
    _account(primary=True),
    _key("tool"),
    _count("granted"),
    _count("used"),
    _count("reserved"),
    CheckConstraint("used >= 0 AND reserved >= 0", name="quota_not_negative"),
    CheckConstraint("used + reserved <= granted", name="quota_not_exceeded"),
)

calls = Table(
    "calls",
    metadata,
    _key("id"),
    _account(),
    _optional("account_key"),
    _required("tool"),
    # Without a fingerprint: purged.
    _optional("fingerprint"),
    _optional("key"),
    _required("replay", Boolean),
    # A receipt of the forum is a call without a price, and no line of the usage history.
    _required("metered", Boolean),
    _required("state"),
    _optional("error"),
    _count("cost"),
    _count("price_version", Integer),
    _flag("from_quota"),
    # What the capture took: the cost, or nothing.
    _count("charged"),
    _required("started_ms", BigInteger),
    _optional("completed_ms", BigInteger),
    _required("lease_ms", BigInteger),
    _required("admitted_ms", BigInteger),
    _required("worker"),
    _flag("delivered"),
    CheckConstraint("state IN ('running', 'captured', 'released', 'expired')", name="state_known"),
    CheckConstraint("charged IN (0, cost)", name="charged_the_cost_or_nothing"),
)


_ARGUMENTS = (calls.c.account_id, calls.c.tool, calls.c.fingerprint)
Index(
    "calls_by_key",
    calls.c.account_id,
    calls.c.key,
    unique=True,
    **_where("key IS NOT NULL AND state IN ('running', 'captured')"),
)
# With replay the same call runs once at a time; where it is off it may run as often as it comes.
Index("calls_running", *_ARGUMENTS, unique=True, **_where("state = 'running' AND key IS NULL AND replay"))
# Without this one the look for an unseen answer reads the whole history of the account.
Index("calls_unseen", *_ARGUMENTS, **_where("state IN ('running', 'captured') AND NOT delivered"))
Index("calls_leased", calls.c.lease_ms, **_where("state = 'running'"))
Index("calls_history", calls.c.account_id, calls.c.started_ms, calls.c.id)

results = Table(
    "results",
    metadata,
    _of("call_id", "calls", primary_key=True),
    # JSON as UTF-8, or a zlib stream of it.
    _required("body", LargeBinary),
)

journal = Table(
    "journal",
    metadata,
    Column("id", Serial, primary_key=True),
    _required("kind"),
    _optional("call_id"),
    _optional("ref"),
    _required("actor"),
    _optional("memo"),
    _required("ts_ms", BigInteger),
    Index("journal_ref", "kind", "ref", unique=True, **_where("kind <> 'refund' AND ref IS NOT NULL")),
    Index("journal_call", "call_id", "kind", unique=True, **_where("kind IN ('capture', 'refund')")),
)

entries = Table(
    "entries",
    metadata,
    Column("journal_id", Serial, ForeignKey("journal.id"), primary_key=True, autoincrement=False),
    # user:<id> or system:<name>
    _key("account"),
    _required("amount", BigInteger),
    _optional("seq", BigInteger),
    _optional("posted_after", BigInteger),
    Index("entries_of_user", "account", "seq", unique=True, **_where("seq IS NOT NULL")),
    sqlite_with_rowid=False,
)

uncharged = Table(
    "uncharged",
    metadata,
    _account(primary=True),
    _key("day", Integer),
    _count("readings"),
)

workers = Table("workers", metadata, _key("id"), _required("seen_ms", BigInteger))

# --- forum ------------------------------------------------------------------------------------------------------------


def _authored_columns() -> list[Column[str]]:
    return [_required(name) for name in ("content", "author_display_name", "author_type")]


posts = Table(
    "posts",
    metadata,
    _key("id"),
    _account(),
    _required("title"),
    *_authored_columns(),
    _optional("bazi_year", Integer),
    _optional("agent_metadata"),
    _required("created_ms", BigInteger),
    _count("likes_count"),
    _count("comments_count"),
    _flag("hidden"),
    Index("posts_by_time", "created_ms", "id"),
    Index("posts_of_account", "account_id"),
)

post_tags = Table(
    "post_tags",
    metadata,
    _of("post_id", "posts", primary_key=True),
    _key("place", Integer),
    _required("tag"),
    Index("posts_by_tag", "tag", "post_id"),
)

comments = Table(
    "comments",
    metadata,
    _key("id"),
    _of("post_id", "posts"),
    _account(),
    *_authored_columns(),
    _optional("agent_metadata"),
    _required("created_ms", BigInteger),
    _flag("hidden"),
    Index("comments_of_post", "post_id", "created_ms", "id"),
    Index("comments_of_account", "account_id"),
)

likes = Table(
    "likes",
    metadata,
    _of("post_id", "posts", primary_key=True),
    _account(primary=True),
    _required("created_ms", BigInteger),
    Index("likes_of_account", "account_id"),
)

# --- charts, and the rest ---------------------------------------------------------------------------------------------

charts = Table(
    "charts",
    metadata,
    _key("id"),
    _account(),
    _required("kind"),
    _required("title"),
    _required("body"),
    _required("created_ms", BigInteger),
    Index("charts_of_account", "account_id", "created_ms"),
)

shares = Table(
    "shares",
    metadata,
    _key("token_hash"),
    _of("chart_id", "charts", unique=True),
    _required("created_ms", BigInteger),
)

admin_journal = Table(
    "admin_journal",
    metadata,
    Column("id", Serial, primary_key=True),
    _required("ts_ms", BigInteger),
    _required("actor"),
    _required("action"),
    _required("target"),
    _optional("before"),
    _optional("after"),
)

# Counters of the rate limits where several processes share them. UNLOGGED on PostgreSQL: a crash may empty them.
rate_windows = Table(
    "rate_windows",
    metadata,
    _key("bucket"),
    _key("window_s", Integer),
    _required("number", BigInteger),
    _required("hits", Integer),
)

# Places that are taken for a while: open streams, wrong passwords. UNLOGGED on PostgreSQL too.
rate_places = Table("rate_places", metadata, _key("bucket"), _key("place"), _required("until_ms", BigInteger))

# --- divination runs --------------------------------------------------------------------------------------------------

# Both objects of a cast, and the payload that they follow from: the same for all runs of a thread.
derivations = Table(
    "derivations",
    metadata,
    _key("id"),
    _account(),
    _required("payload"),
    _required("divination", LargeBinary),
    _required("analysis", LargeBinary),
    Index("derivations_of_account", "account_id"),
)

threads = Table(
    "threads",
    metadata,
    _account(primary=True),
    _key("thread_id"),
    _of("derivation_id", "derivations"),
    _required("first_run"),
    _optional("timezone"),
    _required("created_ms", BigInteger),
)

# The number of the newest message of an account. Whoever changes a run takes this row first, so that locks have one order.
histories = Table("histories", metadata, _account(primary=True), _required("seq", BigInteger))

runs = Table(
    "runs",
    metadata,
    _key("id"),
    _account(),
    _required("thread_id"),
    _required("run_id"),
    _required("fingerprint"),
    _required("status"),
    _required("attempt", Integer),
    # The call of the newest attempt.
    _of("call_id", "calls"),
    _required("created_ms", BigInteger),
    _optional("finished_ms", BigInteger),
    _required("last_seq", BigInteger),
    # The first event of the newest attempt.
    _required("attempt_seq", BigInteger),
    _required("held", BigInteger),
    _required("deducted", BigInteger),
    _flag("asks"),
    _flag("derived"),
    _required("state"),
    _optional("error_code"),
    _optional("error_message"),
    _flag("purged"),
    _of("derivation_id", "derivations"),
    CheckConstraint("status IN ('running', 'succeeded', 'failed', 'cancelled')", name="run_status_known"),
)
Index("runs_by_name", runs.c.account_id, runs.c.thread_id, runs.c.run_id, unique=True)
Index("runs_running", runs.c.account_id, runs.c.thread_id, unique=True, **_where("status = 'running'"))
Index("runs_of_call", runs.c.call_id, unique=True)
Index("runs_ended", runs.c.finished_ms, **_where("status <> 'running' AND NOT purged"))

# What one transaction added to a log: JSON, or a zlib stream of it.
run_events = Table(
    "run_events",
    metadata,
    _of("run", "runs", primary_key=True),
    _key("first_seq", BigInteger),
    _required("last_seq", BigInteger),
    _required("body", LargeBinary),
)

run_messages = Table(
    "run_messages",
    metadata,
    _account(primary=True),
    _key("seq", BigInteger),
    Column("id", Text, nullable=False, unique=True),
    _required("thread_id"),
    _of("run", "runs"),
    _required("role"),
    _required("content"),
    _required("ts_ms", BigInteger),
    # Empty for what a user said.
    _required("output", LargeBinary),
    Index("run_messages_of_thread", "account_id", "thread_id", "seq"),
)
