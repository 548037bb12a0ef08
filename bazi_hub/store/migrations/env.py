"""Runs the revisions on the connection that `migrate` hands over; there is no other way in."""

from __future__ import annotations

from alembic import context

from bazi_hub.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
