"""Brings a database to the newest schema, whichever engine, without a configuration file."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, inspect, text

from bazi_hub.ports import NewerSchema, StoreError
from bazi_hub.store.schema import metadata
from bazi_hub.store.sql.database import alone

# The newest revision of `migrations/versions`; a test compares.
HEAD = "0004"


def revision(db: Connection) -> str | None:
    """The revision of a database; None for one that is empty."""
    if not inspect(db).has_table("alembic_version"):
        return None
    return db.execute(text("SELECT version_num FROM alembic_version")).scalar()


def require_head(db: Connection) -> None:
    """Nothing, if the tables are those of this version; `StoreError` otherwise."""
    if revision(db) != HEAD:
        raise StoreError("the database has to be migrated: bazi hub migrate")


def migrate(db: Connection, to: str = HEAD) -> None:
    """Runs what is missing, in the transaction of the connection. Of several processes one does it, the others wait."""
    alone(db, "migrate")
    found = revision(db)
    if found != to:
        # Imported here: a start of a migrated hub does not need it.
        from alembic import command
        from alembic.util import CommandError

        config = _history()
        config.attributes["connection"] = db
        try:
            command.upgrade(config, to)
        except CommandError as error:
            told = f"the tables are those of version {found}, which this hub does not know: it is older than they are"
            raise NewerSchema(told, str(found), HEAD) from error


def revisions() -> list[str]:
    """Every revision, oldest first."""
    from alembic.script import ScriptDirectory

    history = ScriptDirectory.from_config(_history()).walk_revisions()
    return [each.revision for each in history][::-1]


def start_over(db: Connection, at: str) -> None:
    """Makes the tables of another revision in place of those that are there, and with them their rows are gone."""
    metadata.drop_all(db)
    db.execute(text("DROP TABLE alembic_version"))
    if db.dialect.name == "postgresql":
        db.execute(text("DROP FUNCTION refuse_change"))
    migrate(db, at)


def _history() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "bazi_hub.store:migrations")
    return config
