"""Whether anybody but its owner vouches for an e-mail: it was given by an operator, or an operator confirmed it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# Whoever signs up creates the account that is named as its target.
BY_OPERATOR = """UPDATE accounts SET email_verified = :yes WHERE email IS NOT NULL AND EXISTS (
    SELECT 1 FROM admin_journal j WHERE j.action = 'account.create' AND j.target = accounts.id AND j.actor <> accounts.id)"""


def upgrade() -> None:
    op.add_column(
        "accounts", sa.Column("email_verified", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.execute(sa.text(BY_OPERATOR).bindparams(sa.bindparam("yes", True, sa.Boolean)))
