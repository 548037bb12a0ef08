"""Brings a database to the newest schema, whichever engine, without a configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from bazi_hub.adapters.database import alone
from bazi_hub.ports import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

# The newest revision of `migrations/versions`; a test compares.
HEAD = "0003"


def revision(db: Connection) -> str | None:
    """Where a database stands; None for one that is empty."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.execute(text("SELECT version_num FROM alembic_version")).scalar()


def require_head(db: Connection) -> None:
    """Nothing, if the tables are those of this version; `StoreError` otherwise."""
    if revision(db) != HEAD:
        raise StoreError("the database has to be migrated: bazi hub migrate")


def migrate(db: Connection) -> None:
    """Runs what is missing, in the transaction of the connection. Of several processes one does it, the others wait."""
    alone(db, "migrate")
    found = revision(db)
    if found != HEAD:
        # Imported here: a start of a migrated hub does not need it.
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", "bazi_hub.adapters:migrations")
        config.attributes["connection"] = db
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise StoreError(
                f"the tables are those of version {found}, which this hub does not know: it is older than they are"
            ) from error
