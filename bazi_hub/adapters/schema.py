"""The tables, the same on both engines. Times are milliseconds since 1970 UTC, amounts integer credits, ids text.

Money: `journal` is a posting, `entries` its two sides, `accounts.posted` and `.held` projections that the checks below
keep above water. A call holds its price while it runs (`held` = the sum of `cost` over running calls that no quota pays).
Journal, entries, prices and admin journal are append-only: triggers refuse to change or delete a row.
The clock of leases (`calls.lease_ms`, `calls.admitted_ms`, `workers.seen_ms`) is monotonic on SQLite, where no lease
outlives the process, and the database's own on PostgreSQL.
"""

from __future__ import annotations

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


def _account(primary: bool = False) -> Column[str]:
    return Column("account_id", Text, ForeignKey("accounts.id"), nullable=False, primary_key=primary)


def _required(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _time(name: str, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default=text("0"))


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False, server_default=false())


# --- accounts, keys, sessions -----------------------------------------------------------------------------------------

accounts = Table(
    "accounts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("email", Text),
    # The e-mail folded to lower case: SQLite itself folds ASCII only.
    Column("email_folded", Text, unique=True),
    Column("display_name", Text),
    _required("status"),
    Column("language", Text),
    _time("created_ms"),
    Column("password_hash", Text),
    _count("posted"),
    _count("held"),
    # The number of the account's newest ledger entry.
    _count("seq"),
    CheckConstraint("posted >= 0", name="posted_not_negative"),
    CheckConstraint("held >= 0", name="held_not_negative"),
    CheckConstraint("posted - held >= 0", name="available_not_negative"),
    CheckConstraint("status IN ('active', 'suspended', 'erased')", name="status_known"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("flavor"),
    Column("digest", LargeBinary, nullable=False),
    _required("pepper_id"),
    Column("agent_name", Text),
    _time("created_ms"),
    _time("expires_ms", nullable=True),
    _time("revoked_ms", nullable=True),
    _time("last_used_ms", nullable=True),
    Index("api_keys_of_account", "account_id"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("csrf"),
    _time("created_ms"),
    _time("seen_ms"),
    _time("expires_ms"),
    Index("sessions_of_account", "account_id"),
)

invites = Table(
    "invites",
    metadata,
    Column("token_hash", Text, primary_key=True),
    _time("expires_ms"),
    _time("used_ms", nullable=True),
)

# --- prices and money -------------------------------------------------------------------------------------------------

prices = Table(
    "prices",
    metadata,
    Column("tool", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("credit_cost", BigInteger, nullable=False),
    Column("min_balance", BigInteger, nullable=False),
    Column("free_quota", BigInteger, nullable=False),
    Column("enabled", Boolean, nullable=False),
    _time("changed_ms"),
    _required("changed_by"),
    CheckConstraint("credit_cost >= 0 AND min_balance >= 0 AND free_quota >= 0", name="prices_not_negative"),
)

quota = Table(
    "quota",
    metadata,
    _account(primary=True),
    Column("tool", Text, primary_key=True),
    _count("granted"),
    _count("used"),
    _count("reserved"),
    CheckConstraint("used >= 0 AND reserved >= 0", name="quota_not_negative"),
    CheckConstraint("used + reserved <= granted", name="quota_not_exceeded"),
)

calls = Table(
    "calls",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    Column("account_key", Text),
    _required("tool"),
    # Without a fingerprint: purged.
    Column("fingerprint", Text),
    Column("key", Text),
    Column("replay", Boolean, nullable=False),
    # A receipt of the forum is a call without a price, and no line of the usage history.
    Column("metered", Boolean, nullable=False),
    _required("state"),
    Column("error", Text),
    _count("cost"),
    Column("price_version", Integer, nullable=False, server_default=text("0")),
    _flag("from_quota"),
    # What the capture took: the cost, or nothing.
    _count("charged"),
    _time("started_ms"),
    _time("completed_ms", nullable=True),
    _time("lease_ms"),
    _time("admitted_ms"),
    _required("worker"),
    _flag("delivered"),
    CheckConstraint("state IN ('running', 'captured', 'released', 'expired')", name="state_known"),
    CheckConstraint("charged IN (0, cost)", name="charged_the_cost_or_nothing"),
)


_ARGUMENTS = ("account_id", "tool", "fingerprint")


def _only(name: str, columns: tuple[str, ...], where: str, unique: bool) -> Index:
    return Index(
        name,
        *(calls.c[column] for column in columns),
        unique=unique,
        sqlite_where=text(where),
        postgresql_where=text(where),
    )


_only("calls_by_key", ("account_id", "key"), "key IS NOT NULL AND state IN ('running', 'captured')", True)
# With replay the same call runs once at a time; where it is off it may run as often as it comes.
_only("calls_running", _ARGUMENTS, "state = 'running' AND key IS NULL AND replay", True)
# Without this one the look for an unseen answer reads the whole history of the account.
_only("calls_unseen", _ARGUMENTS, "state IN ('running', 'captured') AND NOT delivered", False)
_only("calls_leased", ("lease_ms",), "state = 'running'", False)
Index("calls_history", calls.c.account_id, calls.c.started_ms, calls.c.id)

results = Table(
    "results",
    metadata,
    Column("call_id", Text, ForeignKey("calls.id"), primary_key=True),
    # JSON as UTF-8, or a zlib stream of it.
    Column("body", LargeBinary, nullable=False),
)

journal = Table(
    "journal",
    metadata,
    Column("id", Serial, primary_key=True),
    _required("kind"),
    Column("call_id", Text),
    Column("ref", Text),
    _required("actor"),
    Column("memo", Text),
    _time("ts_ms"),
    Index("journal_ref", "kind", "ref", unique=True, sqlite_where=text("kind <> 'refund' AND ref IS NOT NULL"),
          postgresql_where=text("kind <> 'refund' AND ref IS NOT NULL")),
    Index("journal_call", "call_id", "kind", unique=True, sqlite_where=text("kind IN ('capture', 'refund')"),
          postgresql_where=text("kind IN ('capture', 'refund')")),
)  # fmt: skip

entries = Table(
    "entries",
    metadata,
    Column("journal_id", Serial, ForeignKey("journal.id"), primary_key=True, autoincrement=False),
    # user:<id> or system:<name>
    Column("account", Text, primary_key=True),
    Column("amount", BigInteger, nullable=False),
    Column("seq", BigInteger),
    Column("posted_after", BigInteger),
    Index("entries_of_user", "account", "seq", unique=True, sqlite_where=text("seq IS NOT NULL"),
          postgresql_where=text("seq IS NOT NULL")),
    sqlite_with_rowid=False,
)  # fmt: skip

uncharged = Table(
    "uncharged",
    metadata,
    _account(primary=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    _count("readings"),
)

workers = Table("workers", metadata, Column("id", Text, primary_key=True), _time("seen_ms"))

# --- forum ------------------------------------------------------------------------------------------------------------


def _said() -> list[Column[str]]:
    return [_required(name) for name in ("content", "author_display_name", "author_type")]


posts = Table(
    "posts",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("title"),
    *_said(),
    Column("bazi_year", Integer),
    Column("agent_metadata", Text),
    _time("created_ms"),
    _count("likes_count"),
    _count("comments_count"),
    _flag("hidden"),
    Index("posts_by_time", "created_ms", "id"),
    Index("posts_of_account", "account_id"),
)

post_tags = Table(
    "post_tags",
    metadata,
    Column("post_id", Text, ForeignKey("posts.id"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    _required("tag"),
    Index("posts_by_tag", "tag", "post_id"),
)

comments = Table(
    "comments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("post_id", Text, ForeignKey("posts.id"), nullable=False),
    _account(),
    *_said(),
    Column("agent_metadata", Text),
    _time("created_ms"),
    _flag("hidden"),
    Index("comments_of_post", "post_id", "created_ms", "id"),
    Index("comments_of_account", "account_id"),
)

likes = Table(
    "likes",
    metadata,
    Column("post_id", Text, ForeignKey("posts.id"), primary_key=True),
    _account(primary=True),
    _time("created_ms"),
    Index("likes_of_account", "account_id"),
)

# --- charts, and the rest ---------------------------------------------------------------------------------------------

charts = Table(
    "charts",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("kind"),
    _required("title"),
    _required("body"),
    _time("created_ms"),
    Index("charts_of_account", "account_id", "created_ms"),
)

shares = Table(
    "shares",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("chart_id", Text, ForeignKey("charts.id"), nullable=False, unique=True),
    _time("created_ms"),
)

admin_journal = Table(
    "admin_journal",
    metadata,
    Column("id", Serial, primary_key=True),
    _time("ts_ms"),
    _required("actor"),
    _required("action"),
    _required("target"),
    Column("before", Text),
    Column("after", Text),
)

# Counters of the rate limits where several processes share them. UNLOGGED on PostgreSQL: a crash may empty them.
rate_windows = Table(
    "rate_windows",
    metadata,
    Column("bucket", Text, primary_key=True),
    Column("window_s", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("hits", Integer, nullable=False),
)

# --- divination runs --------------------------------------------------------------------------------------------------

# Both objects of a cast, and the payload that they follow from: the same for all runs of a thread.
derivations = Table(
    "derivations",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("payload"),
    Column("divination", LargeBinary, nullable=False),
    Column("analysis", LargeBinary, nullable=False),
    Index("derivations_of_account", "account_id"),
)

threads = Table(
    "threads",
    metadata,
    _account(primary=True),
    Column("thread_id", Text, primary_key=True),
    Column("derivation_id", Text, ForeignKey("derivations.id"), nullable=False),
    _required("first_run"),
    Column("timezone", Text),
    _time("created_ms"),
)

# The number of the newest message of an account. Whoever changes a run takes this row first, so that locks have one order.
histories = Table("histories", metadata, _account(primary=True), Column("seq", BigInteger, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    _account(),
    _required("thread_id"),
    _required("run_id"),
    _required("fingerprint"),
    _required("status"),
    Column("attempt", Integer, nullable=False),
    # The call of the newest attempt.
    Column("call_id", Text, ForeignKey("calls.id"), nullable=False),
    _time("created_ms"),
    _time("finished_ms", nullable=True),
    Column("last_seq", BigInteger, nullable=False),
    # The first event of the newest attempt.
    Column("attempt_seq", BigInteger, nullable=False),
    Column("held", BigInteger, nullable=False),
    Column("deducted", BigInteger, nullable=False),
    _flag("asks"),
    _flag("derived"),
    _required("state"),
    Column("error_code", Text),
    Column("error_message", Text),
    _flag("purged"),
    Column("derivation_id", Text, ForeignKey("derivations.id"), nullable=False),
    CheckConstraint("status IN ('running', 'succeeded', 'failed', 'cancelled')", name="run_status_known"),
)
Index("runs_by_name", runs.c.account_id, runs.c.thread_id, runs.c.run_id, unique=True)
Index("runs_running", runs.c.account_id, runs.c.thread_id, unique=True,
      sqlite_where=text("status = 'running'"), postgresql_where=text("status = 'running'"))  # fmt: skip
Index("runs_of_call", runs.c.call_id, unique=True)
Index("runs_ended", runs.c.finished_ms, sqlite_where=text("status <> 'running' AND NOT purged"),
      postgresql_where=text("status <> 'running' AND NOT purged"))  # fmt: skip

# What one transaction added to a log: JSON, or a zlib stream of it.
run_events = Table(
    "run_events",
    metadata,
    Column("run", Text, ForeignKey("runs.id"), primary_key=True),
    Column("first_seq", BigInteger, primary_key=True, autoincrement=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

run_messages = Table(
    "run_messages",
    metadata,
    _account(primary=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    _required("thread_id"),
    Column("run", Text, ForeignKey("runs.id"), nullable=False),
    _required("role"),
    _required("content"),
    _time("ts_ms"),
    # Empty for what a user said.
    Column("output", LargeBinary, nullable=False),
    Index("run_messages_of_thread", "account_id", "thread_id", "seq"),
)
