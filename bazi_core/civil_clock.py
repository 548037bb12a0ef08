"""Birth → Clock: which civil clock a birth was read on, and its offset from UTC.

A stated zone or offset decides; else the zone of the place, in Xinjiang a choice of the School; before standard time
the mean time of the place itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bazi_core.astro import scales
from bazi_core.astro.civil import Clock, clock_of_instant, clock_of_wall, format_offset
from bazi_core.errors import (
    AmbiguousLocalTime,
    ClockNotApplicable,
    InvalidCoordinates,
    NonexistentLocalTime,
    ZoneConflict,
    ZoneRequired,
)
from bazi_core.place.zones import zone
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from bazi_core.birth import Birth
    from bazi_core.school import School

_DAY_S = 86_400


def clock_at(born: Birth, school: School, wall: datetime) -> Clock:
    """The civil clock of a birth at one of its readings.

    A stated offset decides; else the stated zone; else the zone of the place. An offset that is only claimed beside the
    zone picks one of two equal readings, and reads what the zone skipped. Before standard time the mean
    time of the place itself was kept, not that of the zone's reference city.
    """
    key = zone_of(born, school)
    if born.utc_offset_s is not None:
        if born.timezone_id is not None:
            # Of a reading that came twice either offset will do, unless the fold is stated.
            folds = (0, 1) if born.fold is None else (born.fold,)
            possible = {clock_of_wall(wall, born.timezone_id, fold).utc_offset_s for fold in folds}
            _check_agreement(possible, born.timezone_id, born.utc_offset_s)
        return Clock(key, "offset", born.utc_offset_s, 0, None, born.fold)
    source = "geo" if born.zone_from_coordinates else "zone"
    try:
        clock = clock_of_wall(wall, _known(key), born.fold, source)
    except AmbiguousLocalTime as twice:
        offsets = [each["utc_offset_s"] for each in twice.data["readings"]]
        if born.claimed_offset_s not in offsets:
            raise
        clock = clock_of_wall(wall, _known(key), offsets.index(born.claimed_offset_s), source)
    except NonexistentLocalTime:
        if born.claimed_offset_s is None:
            raise
        # The clocks of the place never showed it: only the offset that is claimed can read it.
        return Clock(key, "offset", born.claimed_offset_s, 0, None, None)
    return _local_mean_clock(born, clock) if clock.abbreviation == "LMT" else clock


def clock_at_instant(born: Birth, school: School, utc_ms: int) -> Clock:
    """The civil clock of a birth at an instant of UTC."""
    key = zone_of(born, school)
    if born.utc_offset_s is not None:
        if born.timezone_id is not None:
            of_zone = clock_of_instant(scales.datetime_of(utc_ms), born.timezone_id)
            _check_agreement({of_zone.utc_offset_s}, born.timezone_id, born.utc_offset_s)
        return Clock(key, "offset", born.utc_offset_s, 0, None, None)
    source = "geo" if born.zone_from_coordinates else "zone"
    return zone_clock_at_instant(born, key, utc_ms, source)


def zone_clock_at_instant(born: Birth, key: str | None, utc_ms: int, source: str = "zone") -> Clock:
    """The clock of a zone at an instant of UTC; before standard time that of the place of birth."""
    clock = clock_of_instant(scales.datetime_of(utc_ms), _known(key), source)
    return _local_mean_clock(born, clock) if clock.abbreviation == "LMT" else clock


def _local_mean_clock(born: Birth, of_zone: Clock) -> Clock:
    """The mean time of the place itself; of the zone's reference city where the longitude is unknown."""
    if born.longitude is None:
        return of_zone._replace(source="lmt_zone")
    own = round(unwrapped(born.longitude, of_zone.utc_offset_s) * 240)
    if abs(own) >= _DAY_S:
        raise InvalidCoordinates(
            Said("longitude_zone", longitude=born.longitude, timezone_id=of_zone.timezone_id),
            hint=Said("longitude_zone_hint"),
            field="longitude",
            value=born.longitude,
            accepted=f"a longitude that fits {of_zone.timezone_id}",
        )
    return of_zone._replace(source="lmt_longitude", utc_offset_s=own)


def zone_of(born: Birth, school: School) -> str | None:
    """The zone of the clock; in Xinjiang a choice of the School."""
    if born.timezone_id is not None:
        return born.timezone_id
    if school.clock != "xinjiang":
        return _zone_of_place(born, school)
    if has_xinjiang_clock(born):
        return "Asia/Urumqi"
    raise ClockNotApplicable(
        Said("xinjiang", place=(born.place and born.place.name) or Said("this_place")),
        hint=Said("xinjiang_hint"),
        clock="xinjiang",
        place=born.place.to_dict() if born.place else None,
    )


def _zone_of_place(born: Birth, school: School) -> str | None:
    """The zone of the place; of two clocks in use there the one that an offset claims."""
    place, claimed = born.place, born.claimed_offset_s
    if place is None:
        return None
    if claimed is not None and place.alt_timezone_id is not None and school.clock == "auto":
        main, other = (
            born.civil.replace(tzinfo=zone(key)).utcoffset()
            for key in (_known(place.timezone_id), place.alt_timezone_id)
        )
        if other == timedelta(seconds=claimed) != main:
            return place.alt_timezone_id
    return place.timezone_id


def _known(key: str | None) -> str:
    if key is not None:
        return key
    raise ZoneRequired(Said("zone_of_place"), hint=Said("zone_of_place_hint"), accepted=["tz", "utc_offset"])


def has_xinjiang_clock(born: Birth) -> bool:
    """Whether two clocks, Beijing's and Xinjiang's, are in use at the place."""
    if born.timezone_id == "Asia/Urumqi":
        return True
    place = born.place
    if place is None or place.longitude is None:
        return False
    if place.ref is not None:
        return place.alt_timezone_id is not None
    from bazi_core.place.gazetteer import near_xinjiang_clock

    return place.latitude is not None and near_xinjiang_clock(place.longitude, place.latitude)


def _check_agreement(possible: set[int], key: str, utc_offset_s: int) -> None:
    """Refuse a zone and an offset that disagree."""
    if utc_offset_s not in possible:
        found = min(possible)
        raise ZoneConflict(
            Said("zone_conflict", key=key, found=format_offset(found), given=format_offset(utc_offset_s)),
            hint=Said("zone_conflict_hint"),
            zone=key,
            zone_offset_s=found,
            utc_offset_s=utc_offset_s,
        )


def unwrapped(longitude: float, utc_offset_s: int) -> float:
    """The longitude by which a clock counts its date, ±360° across the date line.

    Kiritimati keeps +14:00 at 157.4° W: its Sun stands at 202.6° E of its calendar.
    """
    ahead = longitude * 240 - utc_offset_s
    if ahead > 43_200:
        return longitude - 360
    if ahead <= -43_200:
        return longitude + 360
    return longitude
