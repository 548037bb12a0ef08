"""The first schema. It stays as it is: what comes later is another revision."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
APPEND_ONLY = ("journal", "entries", "prices", "admin_journal")


def need(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, autoincrement=False)


def may(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind)


def serial(name: str) -> sa.Column[Any]:
    return sa.Column(name, SERIAL, nullable=False)


def count(name: str, kind: Any = sa.BigInteger) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, server_default=sa.text("0"))


def flag(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def key(*names: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*names)


def refers(name: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([name], [f"{table}.id"])


def check(name: str, condition: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=name)


def index(name: str, table: str, columns: list[str], unique: bool, where: str | None = None) -> None:
    only: dict[str, Any] = (
        {} if where is None else {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}
    )
    op.create_index(name, table, columns, unique=unique, **only)


def upgrade() -> None:
    op.create_table(
        "accounts",
        need("id"),
        may("email"),
        may("email_folded"),
        may("display_name"),
        need("status"),
        may("language"),
        need("created_ms", sa.BigInteger),
        may("password_hash"),
        count("posted"),
        count("held"),
        count("seq"),
        check("status_known", "status IN ('active', 'suspended', 'erased')"),
        check("held_not_negative", "held >= 0"),
        check("available_not_negative", "posted - held >= 0"),
        check("posted_not_negative", "posted >= 0"),
        key("id"),
        sa.UniqueConstraint("email_folded"),
    )
    op.create_table(
        "admin_journal",
        serial("id"),
        need("ts_ms", sa.BigInteger),
        need("actor"),
        need("action"),
        need("target"),
        may("before"),
        may("after"),
        key("id"),
    )
    op.create_table(
        "invites",
        need("token_hash"),
        need("expires_ms", sa.BigInteger),
        may("used_ms", sa.BigInteger),
        key("token_hash"),
    )
    op.create_table(
        "journal",
        serial("id"),
        need("kind"),
        may("call_id"),
        may("ref"),
        need("actor"),
        may("memo"),
        need("ts_ms", sa.BigInteger),
        key("id"),
    )
    index("journal_call", "journal", ["call_id", "kind"], True, "kind IN ('capture', 'refund')")
    index("journal_ref", "journal", ["kind", "ref"], True, "kind <> 'refund' AND ref IS NOT NULL")
    op.create_table(
        "prices",
        need("tool"),
        need("version", sa.Integer),
        need("credit_cost", sa.BigInteger),
        need("min_balance", sa.BigInteger),
        need("free_quota", sa.BigInteger),
        need("enabled", sa.Boolean),
        need("changed_ms", sa.BigInteger),
        need("changed_by"),
        check("prices_not_negative", "credit_cost >= 0 AND min_balance >= 0 AND free_quota >= 0"),
        key("tool", "version"),
    )
    unlogged = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "rate_windows",
        need("bucket"),
        need("window_s", sa.Integer),
        need("number", sa.BigInteger),
        need("hits", sa.Integer),
        key("bucket", "window_s"),
        prefixes=unlogged,
    )
    op.create_table("workers", need("id"), need("seen_ms", sa.BigInteger), key("id"))
    op.create_table(
        "api_keys",
        need("id"),
        need("account_id"),
        need("flavor"),
        need("digest", sa.LargeBinary),
        need("pepper_id"),
        may("agent_name"),
        need("created_ms", sa.BigInteger),
        may("expires_ms", sa.BigInteger),
        may("revoked_ms", sa.BigInteger),
        may("last_used_ms", sa.BigInteger),
        refers("account_id", "accounts"),
        key("id"),
    )
    index("api_keys_of_account", "api_keys", ["account_id"], False)
    op.create_table(
        "calls",
        need("id"),
        need("account_id"),
        may("account_key"),
        need("tool"),
        may("fingerprint"),
        may("key"),
        need("replay", sa.Boolean),
        need("metered", sa.Boolean),
        need("state"),
        may("error"),
        count("cost"),
        count("price_version", sa.Integer),
        flag("from_quota"),
        count("charged"),
        need("started_ms", sa.BigInteger),
        may("completed_ms", sa.BigInteger),
        need("lease_ms", sa.BigInteger),
        need("admitted_ms", sa.BigInteger),
        need("worker"),
        flag("delivered"),
        check("state_known", "state IN ('running', 'captured', 'released', 'expired')"),
        check("charged_the_cost_or_nothing", "charged IN (0, cost)"),
        refers("account_id", "accounts"),
        key("id"),
    )
    index(
        "calls_by_key",
        "calls",
        ["account_id", "key"],
        True,
        "key IS NOT NULL AND state IN ('running', 'captured')",
    )
    index("calls_history", "calls", ["account_id", "started_ms", "id"], False)
    index("calls_leased", "calls", ["lease_ms"], False, "state = 'running'")
    index(
        "calls_running",
        "calls",
        ["account_id", "tool", "fingerprint"],
        True,
        "state = 'running' AND key IS NULL AND replay",
    )
    index(
        "calls_unseen",
        "calls",
        ["account_id", "tool", "fingerprint"],
        False,
        "state IN ('running', 'captured') AND NOT delivered",
    )
    op.create_table(
        "charts",
        need("id"),
        need("account_id"),
        need("kind"),
        need("title"),
        need("body"),
        need("created_ms", sa.BigInteger),
        refers("account_id", "accounts"),
        key("id"),
    )
    index("charts_of_account", "charts", ["account_id", "created_ms"], False)
    op.create_table(
        "entries",
        need("journal_id", SERIAL),
        need("account"),
        need("amount", sa.BigInteger),
        may("seq", sa.BigInteger),
        may("posted_after", sa.BigInteger),
        refers("journal_id", "journal"),
        key("journal_id", "account"),
        sqlite_with_rowid=False,
    )
    index("entries_of_user", "entries", ["account", "seq"], True, "seq IS NOT NULL")
    op.create_table(
        "posts",
        need("id"),
        need("account_id"),
        need("title"),
        need("content"),
        need("author_display_name"),
        need("author_type"),
        may("bazi_year", sa.Integer),
        may("agent_metadata"),
        need("created_ms", sa.BigInteger),
        count("likes_count"),
        count("comments_count"),
        flag("hidden"),
        refers("account_id", "accounts"),
        key("id"),
    )
    index("posts_by_time", "posts", ["created_ms", "id"], False)
    index("posts_of_account", "posts", ["account_id"], False)
    op.create_table(
        "quota",
        need("account_id"),
        need("tool"),
        count("granted"),
        count("used"),
        count("reserved"),
        check("quota_not_exceeded", "used + reserved <= granted"),
        check("quota_not_negative", "used >= 0 AND reserved >= 0"),
        refers("account_id", "accounts"),
        key("account_id", "tool"),
    )
    op.create_table(
        "sessions",
        need("id"),
        need("account_id"),
        need("csrf"),
        need("created_ms", sa.BigInteger),
        need("seen_ms", sa.BigInteger),
        need("expires_ms", sa.BigInteger),
        refers("account_id", "accounts"),
        key("id"),
    )
    index("sessions_of_account", "sessions", ["account_id"], False)
    op.create_table(
        "uncharged",
        need("account_id"),
        need("day", sa.Integer),
        count("readings"),
        refers("account_id", "accounts"),
        key("account_id", "day"),
    )
    op.create_table(
        "comments",
        need("id"),
        need("post_id"),
        need("account_id"),
        need("content"),
        need("author_display_name"),
        need("author_type"),
        may("agent_metadata"),
        need("created_ms", sa.BigInteger),
        flag("hidden"),
        refers("account_id", "accounts"),
        refers("post_id", "posts"),
        key("id"),
    )
    index("comments_of_account", "comments", ["account_id"], False)
    index("comments_of_post", "comments", ["post_id", "created_ms", "id"], False)
    op.create_table(
        "likes",
        need("post_id"),
        need("account_id"),
        need("created_ms", sa.BigInteger),
        refers("account_id", "accounts"),
        refers("post_id", "posts"),
        key("post_id", "account_id"),
    )
    index("likes_of_account", "likes", ["account_id"], False)
    op.create_table(
        "post_tags",
        need("post_id"),
        need("place", sa.Integer),
        need("tag"),
        refers("post_id", "posts"),
        key("post_id", "place"),
    )
    index("posts_by_tag", "post_tags", ["tag", "post_id"], False)
    op.create_table(
        "results", need("call_id"), need("body", sa.LargeBinary), refers("call_id", "calls"), key("call_id")
    )
    op.create_table(
        "shares",
        need("token_hash"),
        need("chart_id"),
        need("created_ms", sa.BigInteger),
        refers("chart_id", "charts"),
        key("token_hash"),
        sa.UniqueConstraint("chart_id"),
    )
    (_seal_sqlite if op.get_bind().dialect.name == "sqlite" else _seal_postgresql)()


def _seal_sqlite() -> None:
    """Triggers that refuse to change or delete rows."""
    for table in APPEND_ONLY:
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


def _seal_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_sealed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
