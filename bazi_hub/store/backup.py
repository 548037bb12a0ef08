"""A database as text: one file of JSON Lines for every table, and a manifest that counts and hashes them.

What is exported from one engine can be imported into an empty database of the other, and what an older release exported
into a newer one: it is read into the tables that it was written from, which are then migrated like any others. A value of
bytes is base64. The hashes of API keys stay at home unless they are asked for: a key without its hash can be listed and
counted, and not be used. Whoever exports is the only one who can read the files, since e-mails, password hashes and births
stand in them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, select, text

from bazi_hub.ports import Conflict, Finding, NewerSchema
from bazi_hub.store.migrate import HEAD, migrate, revision, revisions, start_over
from bazi_hub.store.schema import metadata
from bazi_hub.store.sql.database import Database
from bazi_hub.store.sql.verify import verify
from bazi_hub.words.private_files import new_file

FORMAT = "bazi-hub-export"
MANIFEST = "manifest.json"
# What lives for moments only.
_PASSING = {"workers", "rate_windows", "rate_places"}
# The note of which revision the tables are is the manifest's.
_NOT_EXPORTED = {*_PASSING, "alembic_version"}
TABLES = tuple(table for table in metadata.sorted_tables if table.name not in _NOT_EXPORTED)
ROWS_AT_ONCE = 1000


async def import_from(database: Database, folder: Path) -> list[Finding]:
    """Fills an empty database in one transaction, and verifies it.

    The storage has to be opened with `prices=()`: prices are append-only, and those of the export come with it. `Conflict`
    where a table is not empty, `NewerSchema` where a newer release wrote it, `ValueError` where the files are not what the
    manifest says.
    """
    await database.write(lambda db: import_tables(db, folder))
    return await database.scan(verify)


def export_tables(db: Connection, folder: Path, with_keys: bool) -> dict[str, Any]:
    """Writes every table into an empty folder, as the connection sees it, for its owner alone; the manifest.

    The tables may be those of an older release, for who installed the newer one first.
    """
    schema = _known_revision(revision(db), "the tables are")
    if folder.is_symlink():
        raise Conflict(f"{folder} is a symbolic link: name the directory itself")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if any(folder.iterdir()):
        raise Conflict(f"{folder} is not empty")
    files = {table.name: _export(db, table, folder, with_keys) for table in _tables(db, schema)}
    manifest = {"format": FORMAT, "schema": schema, "keys": with_keys, "tables": files}
    with new_file(folder / MANIFEST) as file:
        file.write(json.dumps(manifest, indent=1).encode() + b"\n")
    return manifest


def _known_revision(schema: Any, what: str) -> str:
    """A revision that this release knows; of the others it can say neither what they hold nor what is secret in it."""
    if schema not in revisions():
        raise NewerSchema(f"{what} of version {schema}; this release knows {HEAD} at most", str(schema), HEAD)
    return str(schema)


def _tables(db: Connection, schema: str) -> tuple[Table, ...]:
    """The exported tables of a revision, in an order in which rows can be added."""
    if schema == HEAD:
        return TABLES
    found = MetaData()
    found.reflect(db)
    return tuple(table for table in found.sorted_tables if table.name not in _NOT_EXPORTED)


def _export(db: Connection, table: Table, folder: Path, with_keys: bool) -> dict[str, Any]:
    digest, rows = hashlib.sha256(), 0
    wanted = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=ROWS_AT_ONCE)
    with new_file(folder / f"{table.name}.jsonl") as file:
        for row in db.execute(wanted).mappings():
            told = {name: _encoded(value) for name, value in row.items()}
            if table.name == "api_keys" and not with_keys:
                told["digest"] = ""
            line = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            rows += 1
    return {"rows": rows, "sha256": digest.hexdigest()}


def _encoded(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value


def import_tables(db: Connection, folder: Path) -> None:
    """Fills the empty tables of this release; those of an older export are migrated with what is in them."""
    for table in TABLES:
        if db.execute(select(func.count()).select_from(table)).scalar_one():
            raise Conflict(f"{table.name} is not empty")
    fill(db, folder)
    migrate(db)


def fill(db: Connection, folder: Path) -> None:
    """Puts an export into the tables that it was written from, which are made anew unless they are those of this release."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if manifest.get("format") != FORMAT:
        raise ValueError(f"{folder} holds no export of a hub")
    schema = _known_revision(manifest["schema"], "this is an export")
    if schema != HEAD:
        start_over(db, schema)
    tables = _tables(db, schema)
    if {*manifest["tables"]} != {table.name for table in tables}:
        raise ValueError(f"{MANIFEST} does not name the tables of version {schema}")
    for table in tables:
        _import(db, table, folder, manifest["tables"][table.name])
    _continue_numbers(db)


def _import(db: Connection, table: Table, folder: Path, expected: dict[str, Any]) -> None:
    digest, rows = hashlib.sha256(), 0
    for batch in _batches(folder / f"{table.name}.jsonl"):
        for line in batch:
            digest.update(line)
        rows += len(batch)
        db.execute(insert(table), [_row(table, line) for line in batch])
    if (rows, digest.hexdigest()) != (expected["rows"], expected["sha256"]):
        raise ValueError(f"{table.name}.jsonl is not what the manifest says")


def _batches(path: Path) -> Iterator[list[bytes]]:
    with path.open("rb") as file:
        while batch := [line for _, line in zip(range(ROWS_AT_ONCE), file, strict=False)]:
            yield batch


def _row(table: Table, line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for column in table.columns:
        if isinstance(column.type, LargeBinary):
            row[column.name] = base64.b64decode(row[column.name])
    return row


def _continue_numbers(db: Connection) -> None:
    """PostgreSQL goes on numbering where the imported rows end; SQLite does by itself."""
    if db.dialect.name == "postgresql":
        for table in ("journal", "admin_journal"):
            highest = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
            db.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {highest}, FALSE)"))
