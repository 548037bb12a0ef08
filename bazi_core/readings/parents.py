"""Check of objects given as JSON: they are recomputed from their input and compared by digest; other members are ignored.

Beside `input`, `school` and `target_year` only the versions and the digest are read: another major schema version cannot
be read, the same engine must give the same digest, and for another engine the recomputed object is used with a warning.
"""

from __future__ import annotations

from typing import Any

from bazi_core.errors import DigestMismatch, InvalidInput, SchemaVersion, shown
from bazi_core.facts import SCHEMA_VERSION
from bazi_core.tables.sentences import Said
from bazi_core.warnings import BaziWarning


def opened(data: Any, name: str) -> dict[str, Any]:
    """An object of a readable schema version, or `INVALID_INPUT` or `SCHEMA_VERSION`.

    >>> opened({"schema_version": "1.9.0"}, "pattern_result")
    {'schema_version': '1.9.0'}
    """
    if not isinstance(data, dict):
        raise InvalidInput(Said("must_be_object", name=name, given=shown(data)), path=name)
    version = shown(data.get("schema_version"))
    if version.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
        raise SchemaVersion(
            Said("schema_unreadable_of", found=version, name=name),
            path=f"{name}.schema_version",
            expected=SCHEMA_VERSION,
            found=version,
        )
    return data


def compared(data: dict[str, Any], name: str, engine: dict[str, str], digest: str) -> tuple[BaziWarning, ...]:
    """None for an object of this engine with the right digest, the warning `RECOMPUTED` for one of another engine."""
    warnings = of_other_engine(data, name, engine)
    if not warnings and data.get("digest") != digest:
        raise mismatch(f"{name}.digest", digest, data.get("digest"))
    return warnings


def of_other_engine(data: dict[str, Any], name: str, engine: dict[str, str]) -> tuple[BaziWarning, ...]:
    """The warning `RECOMPUTED` for an object of another engine."""
    if data.get("engine_version") == engine:
        return ()
    stated = _stated(data.get("engine_version"))
    return (BaziWarning("RECOMPUTED", {"object": name, "found": stated, "used": engine}),)


def mismatch(path: str, expected: str, given: Any) -> DigestMismatch:
    """The error for an object that differs from its digest, or is of another chart than a second object."""
    return DigestMismatch(
        Said("digest_other", path=path), path=path, expected=expected, found=shown(given, 64)
    )


def of_one_chart(expected: dict[str, Any], found: dict[str, Any], name: str) -> None:
    """Raise `DIGEST_MISMATCH` at `name` unless two objects have the same input and School.

    The digest is over the resolved input and the options; a profile of the same options is another School all the same.
    """
    for path, one, other in (
        ("input_digest", expected["input_digest"], found["input_digest"]),
        ("school.profile", expected["school"]["profile"], found["school"]["profile"]),
    ):
        if one != other:
            raise mismatch(f"{name}.{path}", one, other)


def _stated(engine: Any) -> Any:
    """The engine version stated by a foreign object, reduced to short flat text."""
    if not isinstance(engine, dict):
        return shown(engine)
    return {shown(name, 30): shown(value, 30) for name, value in list(engine.items())[:10]}
