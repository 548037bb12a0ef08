"""Time zones, only from the tzdata wheel.

`ZoneInfo(key)` would prefer the operating system's database, whose packaging differs from machine to
machine: the same birth, two charts. So every zone is read from the package resource, and the IANA version
is part of every result. Values in public objects are key strings; zone objects stay in here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from itertools import pairwise
from unicodedata import normalize
from zoneinfo import ZoneInfo

import tzdata

from bazi_core.errors import ZoneUnknown, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said

IANA_VERSION: str = tzdata.IANA_VERSION
LONGEST_OFFSET_S = 16 * 3600
LONGEST_KEY = 255
_FOLDER = os.path.dirname(tzdata.__file__)

# Zones whose history before 1970 differs from the zone they are now a link to, beside those that the
# wheel's own two tables tell.
_OLD_CHINESE_ZONES = ("Asia/Harbin", "Asia/Chongqing", "Asia/Chungking", "Asia/Kashgar")


@cache
def keys() -> frozenset[str]:
    """The keys of all zones."""
    with open(os.path.join(_FOLDER, "zones"), encoding="ascii") as lines:
        return frozenset(lines.read().split())


def canonical_key(given: str) -> str:
    """The key in the spelling of the database, or, for a clock with a fixed offset, `UTC+08:00`.

    Upper and lower case do not matter. What people call a zone (EST, China Standard Time) is no key: it is refused with
    the zones that it may mean.

    >>> canonical_key("asia/shanghai"), canonical_key("GMT+8"), canonical_key("-3:30"), canonical_key("东八区")
    ('Asia/Shanghai', 'UTC+08:00', 'UTC-03:30', 'UTC+08:00')
    >>> canonical_key("Mars/Olympus")
    Traceback (most recent call last):
    bazi_core.errors.ZoneUnknown: 'Mars/Olympus' is not a zone of the tz database (2026f)
    """
    # A longer text is no key and is not cached.
    return _canonical_key(given if len(given) <= LONGEST_KEY else given[:LONGEST_KEY] + "…")


@lru_cache(maxsize=1024)
def _canonical_key(given: str) -> str:
    meant = _meant_by(given)
    if meant:
        raise _unknown(given, meant, "zone_unknown_meant")
    if given in keys():
        return given
    offset_s = fixed_offset_s(given)
    if offset_s is not None:
        return timezone(timedelta(seconds=offset_s)).tzname(None)
    wanted = given.casefold()
    same = [key for key in keys() if key.casefold() == wanted]
    if len(same) == 1:
        return same[0]
    # A zone of a city that has none of its own, `Asia/Beijing`; an offset without its sign.
    if meant := _meant_by(given.rpartition("/")[2]) or _either_side(given):
        raise _unknown(given, meant, "zone_unknown_meant")
    raise _unknown(given, _close_keys(wanted[:100]))


def _either_side(given: str) -> list[str]:
    """The two offsets that a number without a sign may mean: `UTC8`, `GMT 5:30`, `8`."""
    bare = given.strip()[:32]
    prefix = bare[:3] if bare[:3].upper() in ("UTC", "GMT") else ""
    hours = bare.removeprefix(prefix).strip()
    if not hours[:1].isdecimal() or fixed_offset_s(f"+{hours}") is None:
        return []
    return [f"UTC{sign}{hours}" for sign in "+-"]


def fixed_offset_s(given: str) -> int | None:
    """Seconds east of UTC of a clock named by its offset; None for any other name.

    >>> fixed_offset_s("UTC+8"), fixed_offset_s("GMT-03:30"), fixed_offset_s("Etc/GMT+8")
    (28800, -12600, None)
    """
    if len(given) > 32:
        return None
    text = normalize("NFKC", given).replace("\u2212", "-").strip()
    # Compiled on use: most charts name no such clock.
    zoned = re.fullmatch(f"([东東西])({'|'.join(reversed(_TWELVE))})[区區]", text)
    if zoned:
        hours = _TWELVE.index(zoned[2]) + 1
        return hours * 3600 * (-1 if zoned[1] == "西" else 1)
    clock = re.fullmatch(
        r"(?:UTC|GMT)? ?([+-]) ?(\d{1,2})(?::?([0-5]\d)(?::([0-5]\d))?)?", text, re.ASCII | re.IGNORECASE
    )
    if clock is None:
        return None
    seconds = int(clock[2]) * 3600 + int(clock[3] or 0) * 60 + int(clock[4] or 0)
    if seconds > LONGEST_OFFSET_S:
        return None
    return -seconds if clock[1] == "-" else seconds


def inverted_offset_s(key: str) -> int | None:
    """Seconds east of UTC of `Etc/GMT±n`, whose sign is inverted (POSIX); None for other keys.

    >>> inverted_offset_s("Etc/GMT+8"), inverted_offset_s("Etc/GMT+0"), inverted_offset_s("UTC+08:00")
    (-28800, None, None)
    """
    hours = key.removeprefix("Etc/GMT")
    return -int(hours) * 3600 or None if hours != key and hours[:1] in ("+", "-") else None


_TWELVE = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def _unknown(given: str, suggestions: list[str], way: str = "zone_unknown_close") -> ZoneUnknown:
    return ZoneUnknown(
        Said("zone_unknown", given=shown(given), version=IANA_VERSION),
        hint=Said(way, names=Listed(suggestions)) if suggestions else Said("zone_unknown_hint"),
        value=shown(given),
        suggestions=suggestions,
    )


def named_by(name: str) -> list[str]:
    """The zones that a word may mean: those with this common name, or the one with this key.

    >>> named_by("CST"), named_by("asia/seoul"), named_by("noon")
    (['Asia/Shanghai', 'America/Chicago', 'Asia/Taipei', 'America/Havana'], ['Asia/Seoul'], [])
    """
    wanted = name.casefold()
    return _meant_by(name) or [key for key in keys() if key.casefold() == wanted and "/" in key]


def _meant_by(given: str) -> list[str]:
    """The zones that a name of the table may mean."""
    return _names().get(" ".join(given.casefold().split()), []) if len(given) <= 100 else []


@cache
def _names() -> dict[str, list[str]]:
    return {row["name"].casefold(): row["zones"].split() for row in rows("zone_names")}


def _close_keys(wanted: str) -> list[str]:
    import difflib

    # `Etc/GMT+8` would be misread as eight hours east, since its sign is inverted.
    by_folded = {key.casefold(): key for key in sorted(keys()) if "GMT" not in key}
    by_city = {folded.rpartition("/")[2]: key for folded, key in by_folded.items()}
    city = wanted.rpartition("/")[2].replace(" ", "_")
    found = [by_folded[name] for name in difflib.get_close_matches(wanted, by_folded, 5, 0.7)]
    found += [by_city[name] for name in difflib.get_close_matches(city, by_city, 5, 0.8)]
    return list(dict.fromkeys(found))[:5]


@cache
def zone(key: str) -> tzinfo:
    """The zone of a canonical key."""
    fixed = None if key in keys() else fixed_offset_s(key)
    if fixed:
        return timezone(timedelta(seconds=fixed), key.removeprefix("UTC"))
    # Checked before it becomes part of a path.
    known = key if key in keys() else canonical_key(key)
    path = os.path.join(_FOLDER, "zoneinfo", *known.split("/"))
    with open(path, "rb") as file:
        return ZoneInfo.from_file(file, known)


@cache
def changes(key: str, last_year: int) -> tuple[int, ...]:
    """The instants, in seconds of UTC since 1970, at which the clock of a zone changes: all that its file lists, and to
    the end of a year those of the rule that goes on after them.

    >>> len(changes("Asia/Shanghai", 2100)), len(changes("UTC+08:00", 2100)), changes("Europe/Paris", 2100)[-1]
    (29, 0, 4128627600)
    """
    if key not in keys():
        return ()
    import struct

    data = _bytes_of(key)
    # RFC 8536: a block for readers of 32 bits, which is passed over, then one of 64 bits and the rule.
    *_, leaps, _, types, letters = counts = struct.unpack(_COUNTS, data[20:44])
    times = counts[3]
    second = 44 + times * 5 + types * 6 + letters + leaps * 8 + counts[0] + counts[1]
    count = struct.unpack(_COUNTS, data[second + 20 : second + 44])[3]
    listed = struct.unpack(f">{count}q", data[second + 44 : second + 44 + 8 * count])
    # A rule without a comma has no summer time.
    if b"," not in data[data.rindex(b"\n", 0, -1) :]:
        return listed
    return (*listed, *_changes_by_rule(zone(key), listed[-1] if listed else -1, last_year))


_COUNTS = ">6l"
_UNIX_EPOCH = datetime(1970, 1, 1)
_MINUTE = timedelta(minutes=1)


def _changes_by_rule(tz: tzinfo, after: int, last_year: int) -> Iterator[int]:
    """The changes of the rule of a zone later than an instant: sought, to the minute, within each month whose ends differ
    in offset."""
    first_year = (_UNIX_EPOCH + timedelta(seconds=max(after, 0))).year
    months = [(year, month) for year in range(first_year, last_year + 1) for month in range(1, 13)]
    firsts = [datetime(year, month, 1, tzinfo=tz) for year, month in [*months, (last_year + 1, 1)]]
    offsets = [tz.fromutc(first).utcoffset() for first in firsts]
    for (first, before), (end, then) in pairwise(zip(firsts, offsets, strict=True)):
        if before == then:
            continue
        low, high = 0, (end - first) // _MINUTE
        while high - low > 1:
            middle = (low + high) // 2
            if tz.fromutc(first + middle * _MINUTE).utcoffset() == before:
                low = middle
            else:
                high = middle
        at = (first.replace(tzinfo=None) - _UNIX_EPOCH) // timedelta(seconds=1) + 60 * high
        if at > after:
            yield at


@cache
def pre_1970_target(key: str) -> str | None:
    """The zone whose history `key` shows before 1970, if that is not its own.

    Since 2022 the database keeps separate history before 1970 only outside its main files; zones that agree
    since 1970 are merged there, and the wheel carries no other.
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
