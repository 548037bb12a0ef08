"""Divination runs: threads, runs, their logs, and the history of an account."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def need(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False, autoincrement=False)


def may(name: str, kind: Any = sa.Text) -> sa.Column[Any]:
    return sa.Column(name, kind)


def flag(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def refers(name: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([name], [column])


def upgrade() -> None:
    op.create_table(
        "derivations",
        need("id"),
        need("account_id"),
        need("payload"),
        need("divination", sa.LargeBinary),
        need("analysis", sa.LargeBinary),
        refers("account_id", "accounts.id"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("derivations_of_account", "derivations", ["account_id"])
    op.create_table(
        "threads",
        need("account_id"),
        need("thread_id"),
        need("derivation_id"),
        need("first_run"),
        may("timezone"),
        need("created_ms", sa.BigInteger),
        refers("account_id", "accounts.id"),
        refers("derivation_id", "derivations.id"),
        sa.PrimaryKeyConstraint("account_id", "thread_id"),
    )
    op.create_table(
        "histories",
        need("account_id"),
        need("seq", sa.BigInteger),
        refers("account_id", "accounts.id"),
        sa.PrimaryKeyConstraint("account_id"),
    )
    op.create_table(
        "runs",
        need("id"),
        need("account_id"),
        need("thread_id"),
        need("run_id"),
        need("fingerprint"),
        need("status"),
        need("attempt", sa.Integer),
        need("call_id"),
        need("created_ms", sa.BigInteger),
        may("finished_ms", sa.BigInteger),
        need("last_seq", sa.BigInteger),
        need("attempt_seq", sa.BigInteger),
        need("held", sa.BigInteger),
        need("deducted", sa.BigInteger),
        flag("asks"),
        flag("derived"),
        need("state"),
        may("error_code"),
        may("error_message"),
        flag("purged"),
        need("derivation_id"),
        sa.CheckConstraint(
            "status IN ('running', 'succeeded', 'failed', 'cancelled')", name="run_status_known"
        ),
        refers("account_id", "accounts.id"),
        refers("call_id", "calls.id"),
        refers("derivation_id", "derivations.id"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("runs_by_name", "runs", ["account_id", "thread_id", "run_id"], unique=True)
    running: dict[str, Any] = {
        "sqlite_where": sa.text("status = 'running'"),
        "postgresql_where": sa.text("status = 'running'"),
    }
    op.create_index("runs_running", "runs", ["account_id", "thread_id"], unique=True, **running)
    op.create_index("runs_of_call", "runs", ["call_id"], unique=True)
    kept: dict[str, Any] = {
        "sqlite_where": sa.text("status <> 'running' AND NOT purged"),
        "postgresql_where": sa.text("status <> 'running' AND NOT purged"),
    }
    op.create_index("runs_ended", "runs", ["finished_ms"], **kept)
    op.create_table(
        "run_events",
        need("run"),
        need("first_seq", sa.BigInteger),
        need("last_seq", sa.BigInteger),
        need("body", sa.LargeBinary),
        refers("run", "runs.id"),
        sa.PrimaryKeyConstraint("run", "first_seq"),
    )
    op.create_table(
        "run_messages",
        need("account_id"),
        need("seq", sa.BigInteger),
        need("id"),
        need("thread_id"),
        need("run"),
        need("role"),
        need("content"),
        need("ts_ms", sa.BigInteger),
        need("output", sa.LargeBinary),
        refers("account_id", "accounts.id"),
        refers("run", "runs.id"),
        sa.PrimaryKeyConstraint("account_id", "seq"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("run_messages_of_thread", "run_messages", ["account_id", "thread_id", "seq"])
