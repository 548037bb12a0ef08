"""The shipped tables: their directory, their readers, and the check against their manifest.

Binaries are little-endian and have no header; each is read once, on first use, and its length is checked
then. Hashes are checked by `verify` (`bazi doctor`, the builder's `--check`, the tests), because hashing
six megabytes on every start would cost more than a chart does.
"""

from __future__ import annotations

import os
import sys
from array import array
from bisect import bisect_right
from functools import cache
from typing import Any

from bazi_core.errors import DataCorrupt, outside
from bazi_core.tables.compiled import compiled
from bazi_core.tables.sentences import Said

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
MANIFEST = "MANIFEST.json"
TABLES_VERSION = "astro-1"


def read_array(name: str, typecode: str, count: int | None = None, directory: str = DIRECTORY) -> array[int]:
    """The little-endian integers of a table, `DataCorrupt` when there are not `count` of them."""
    raw = _read(name, directory)
    numbers = array(typecode)
    if len(raw) % numbers.itemsize or (count is not None and len(raw) != count * numbers.itemsize):
        expected = (count or len(raw) // numbers.itemsize) * numbers.itemsize
        raise DataCorrupt(
            Said("data_size", name=name, count=len(raw), expected=expected),
            hint=Said("data_hint"),
            file=name,
            expected=expected,
            found=len(raw),
        )
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def position_in(instants: array[int], tt_ms: int) -> int:
    """Position of the last of some instants at or before another; `OutOfRange` before the first and after the last."""
    after = bisect_right(instants, tt_ms)
    if 0 < after < len(instants) or tt_ms == instants[-1]:
        return after - 1
    raise outside("tt_ms", instants[0], instants[-1], tt_ms)


def read_json(name: str, directory: str = DIRECTORY) -> Any:
    """The parsed content of a JSON table; `DataCorrupt` when it does not parse."""
    try:
        # Copies are kept beside shipped files only: a folder that is being built or checked holds nothing else.
        if directory == DIRECTORY:
            return compiled(os.path.join(directory, name), _of_json)
        return _of_json(_read(name, directory))
    except FileNotFoundError as error:
        raise _missing(name) from error
    except ValueError as error:
        raise DataCorrupt(
            Said("data_json", name=name), file=name, expected="JSON", found=str(error)
        ) from error


def _of_json(raw: bytes) -> Any:
    import json

    return json.loads(raw)


def _read(name: str, directory: str) -> bytes:
    try:
        with open(os.path.join(directory, name), "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise _missing(name) from error


def _missing(name: str) -> DataCorrupt:
    return DataCorrupt(
        Said("data_missing", name=name), hint=Said("data_hint"), file=name, expected="a file", found=None
    )


@cache
def manifest() -> dict[str, Any]:
    """The content of `MANIFEST.json`: files, sources and the versions that built them."""
    content: dict[str, Any] = read_json(MANIFEST)
    return content


def tables_hash() -> str:
    """The first twelve hex digits of the digest over all tables, named by every result."""
    return str(manifest()["tables_hash"])


def digest_of(hashes: dict[str, str]) -> str:
    """`tables_hash` of files with these hashes: sha256 over the sorted lines `name sha256`."""
    import hashlib

    lines = "".join(f"{name} {sha256}\n" for name, sha256 in sorted(hashes.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:12]


def sha256_of(path: str) -> str:
    """Hex sha256 of a file."""
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(directory: str = DIRECTORY) -> list[str]:
    """Error sentences for the tables of a directory; empty if all are correct."""
    try:
        promised = read_json(MANIFEST, directory)
    except DataCorrupt as error:
        return [error.message]
    files: dict[str, Any] = promised["files"]
    problems = [
        problem for name, facts in sorted(files.items()) if (problem := _problem(name, facts, directory))
    ]
    if promised["tables_hash"] != digest_of({name: facts["sha256"] for name, facts in files.items()}):
        problems.append("tables_hash of the manifest is not the digest of its files")
    return problems


def _problem(name: str, facts: dict[str, Any], directory: str) -> str | None:
    path = os.path.join(directory, name)
    if not os.path.exists(path):
        return f"{name} is missing"
    size = os.path.getsize(path)
    if size != facts["bytes"]:
        return f"{name} has {size} bytes, not {facts['bytes']}"
    digest = sha256_of(path)
    if digest != facts["sha256"]:
        return f"{name} has sha256 {digest}, not {facts['sha256']}"
    return None
