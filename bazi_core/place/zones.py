"""Time zones, only from the tzdata wheel.

`ZoneInfo(key)` would prefer the operating system's database, whose packaging differs from machine to
machine: the same birth, two charts. So every zone is read from the package resource, and the IANA version
is part of every result. Values in public objects are key strings; zone objects stay in here.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

import tzdata

from bazi_core.errors import ZoneUnknown, shown

IANA_VERSION: str = tzdata.IANA_VERSION
_FOLDER = os.path.dirname(tzdata.__file__)

# Zones whose history before 1970 differs from the zone they are now a link to, beside those that the
# wheel's own two tables tell.
_OLD_CHINESE_ZONES = ("Asia/Harbin", "Asia/Chongqing", "Asia/Chungking", "Asia/Kashgar")


@cache
def keys() -> frozenset[str]:
    """The keys of all zones.

    >>> "Asia/Shanghai" in keys(), "Mars/Olympus" in keys()
    (True, False)
    """
    with open(os.path.join(_FOLDER, "zones"), encoding="ascii") as lines:
        return frozenset(lines.read().split())


@lru_cache(maxsize=1024)
def canonical_key(given: str) -> str:
    """The key as the database spells it; upper and lower case do not matter.

    >>> canonical_key("asia/shanghai")
    'Asia/Shanghai'
    >>> canonical_key("Mars/Olympus")
    Traceback (most recent call last):
    bazi_core.errors.ZoneUnknown: 'Mars/Olympus' is not a zone of the tz database (2026f)
    """
    if given in keys():
        return given
    wanted = given.casefold()
    same = [key for key in keys() if key.casefold() == wanted]
    if len(same) == 1:
        return same[0]
    close = _close_keys(wanted[:100])
    raise ZoneUnknown(
        f"{shown(given)!r} is not a zone of the tz database ({IANA_VERSION})",
        hint="write an IANA key such as Asia/Shanghai" + (f"; close: {', '.join(close)}" if close else ""),
        value=shown(given),
        suggestions=close,
    )


def _close_keys(wanted: str) -> list[str]:
    import difflib

    by_folded = {key.casefold(): key for key in sorted(keys())}
    by_city = {folded.rpartition("/")[2]: key for folded, key in by_folded.items()}
    city = wanted.rpartition("/")[2].replace(" ", "_")
    found = [by_folded[name] for name in difflib.get_close_matches(wanted, by_folded, 5, 0.7)]
    found += [by_city[name] for name in difflib.get_close_matches(city, by_city, 5, 0.8)]
    return list(dict.fromkeys(found))[:5]


@cache
def zone(key: str) -> ZoneInfo:
    """The zone of a canonical key.

    >>> from datetime import datetime
    >>> datetime(1990, 5, 15, 13, 30, tzinfo=zone("Asia/Shanghai")).isoformat()
    '1990-05-15T13:30:00+09:00'
    """
    # Checked before it becomes part of a path.
    path = os.path.join(_FOLDER, "zoneinfo", *canonical_key(key).split("/"))
    with open(path, "rb") as file:
        return ZoneInfo.from_file(file, key)


@cache
def pre_1970_target(key: str) -> str | None:
    """The zone whose history `key` shows before 1970, if that is not its own.

    Since 2022 the database keeps separate history before 1970 only outside its main files; zones that agree
    since 1970 are merged there, and the wheel carries no other.

    >>> pre_1970_target("Europe/Amsterdam"), pre_1970_target("Asia/Shanghai")
    ('Europe/Brussels', None)
    """
    if key not in _merged_keys():
        return None
    own = _bytes_of(key)
    twins = sorted(other for other in _zone_tab("zone1970.tab") if _bytes_of(other) == own)
    return twins[0] if twins else None


@cache
def _merged_keys() -> frozenset[str]:
    return (_zone_tab("zone.tab") - _zone_tab("zone1970.tab")) | frozenset(_OLD_CHINESE_ZONES)


def _zone_tab(name: str) -> frozenset[str]:
    with open(os.path.join(_FOLDER, "zoneinfo", name), encoding="utf-8") as lines:
        return frozenset(line.split("\t")[2].strip() for line in lines if not line.startswith("#"))


def _bytes_of(key: str) -> bytes:
    with open(os.path.join(_FOLDER, "zoneinfo", *key.split("/")), "rb") as file:
        return file.read()
