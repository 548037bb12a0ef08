"""Warnings: every way in which a chart could have come out otherwise, as a warning with the alternative.

A warning never changes a value. Each is one row of `WARNINGS`: a code and the function that finds its data,
or None. Their order is the order in every result.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.astro import scales
from bazi_core.astro.civil import Clock, format_offset, seconds_of
from bazi_core.astro.lunar import LunarDate, lunar_date, solar_date
from bazi_core.boundaries import boundaries
from bazi_core.civil_clock import clock_at, has_xinjiang_clock, zone_of
from bazi_core.errors import BaziError, InvalidLunarDate, OutOfRange
from bazi_core.moment import HALF_DAY_MS, HOUR_MS, SolarMoment, moment_at, solar_moment
from bazi_core.pillars import FourPillars, four_pillars, pillars_at
from bazi_core.place.gazetteer import distance_km, known_as, zone_near
from bazi_core.place.zones import fixed_offset_s, inverted_offset_s, pre_1970_target, zone
from bazi_core.unknown_hour import UnknownHour, unknown_hour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bazi_core.birth import Birth
    from bazi_core.school import School

CHINA_1912_49_OFFSETS_S = (19_800, 21_600, 25_200, 28_800, 30_600)
FIRST_RELIABLE_ALMANAC = 1734
# Few cities and counties extend so far; coordinates beyond are not in the named place.
ELSEWHERE_KM = 300


class BaziWarning(NamedTuple):
    """A warning: stable code and JSON-ready data; the words come from the message catalogue."""

    code: str
    data: dict[str, Any]

    def to_dict(self, lang: str = "zh-Hans") -> dict[str, Any]:
        return {"code": self.code, "message": self.text(lang), "data": self.data}

    def text(self, lang: str = "zh-Hans") -> str:
        """The warning in a sentence; a place bears the name that readers of the language know."""
        from bazi_core.tables.words import message

        taken, ref = self.data.get("taken"), self.data.get("ref")
        if taken is None and ref is None:
            return message(self.code, self.data, lang)
        from bazi_core.place.display import name_shown

        if taken is None:
            return message(self.code, self.data | {"place": name_shown(ref, self.data["place"], lang)}, lang)
        shown = taken | {"name": name_shown(taken["ref"], taken["name"], lang)}
        return message(self.code, self.data | {"taken": shown}, lang)

    def __hash__(self) -> int:
        return hash(self.code)


class _WarningInput:
    """The input of the rows, with derived values cached."""

    def __init__(
        self, moment: SolarMoment, school: School, pillars: FourPillars, day: UnknownHour | None = None
    ) -> None:
        self.day = day
        self.birth = moment.birth
        self.moment = moment
        self.school = school
        self.pillars = pillars
        self.clock = moment.clock
        self.local_date: date = scales.datetime_of(moment.civil_ms).date()
        self.lunar = lunar_of(self.local_date, school)

    @cached_property
    def by_clock(self) -> FourPillars:
        """The pillars by the civil clock."""
        clock, used = self.moment.civil_ms + HALF_DAY_MS, self.moment.local_ms + HALF_DAY_MS
        # Every edge stands at a whole hour of a clock.
        if clock // HOUR_MS == used // HOUR_MS:
            return self.pillars
        return pillars_at(self.moment.term, self.moment.civil_ms, self.school)

    def on(self, utc_offset_s: int) -> tuple[FourPillars, SolarMoment]:
        """The pillars and the moment of the same wall clock at another offset."""
        clock = Clock(None, "offset", utc_offset_s, 0, None, None)
        utc_ms = self.moment.civil_ms - utc_offset_s * 1000
        moment = moment_at(self.birth, self.school, clock, utc_ms, self.moment.used)
        return four_pillars(moment, self.school), moment


Found = dict[str, Any] | list[dict[str, Any]] | None


def _place_assumed(case: _WarningInput) -> Found:
    place = case.birth.place
    if place is None or not place.passed_over:
        return None
    return {"taken": place.to_dict(), "passed_over": [other.to_dict() for other in place.passed_over]}


def _zone_from_coordinates(case: _WarningInput) -> Found:
    return {"zone": case.clock.timezone_id} if case.birth.zone_from_coordinates else None


def _offset_differs(case: _WarningInput) -> Found:
    stated, key = _stated_offset(case.birth), _compared_zone(case)
    if stated is None or key is None:
        return None
    used = case.clock.timezone_id == key and case.clock.source != "offset"
    bare = case.birth._replace(utc_offset_s=None, claimed_offset_s=None, fold=case.birth.fold or 0)
    by_zone, zone_offset = _read(bare._replace(timezone_id=key), case)
    if zone_offset == stated:
        return None
    by_offset, _ = _read(bare._replace(timezone_id=None, utc_offset_s=stated), case)
    return {
        "offset": format_offset(stated),
        "zone": key,
        "zone_offset": None if zone_offset is None else format_offset(zone_offset),
        "used": "zone" if used else "offset",
        "pillars_by_zone": by_zone,
        "pillars_by_offset": by_offset,
    }


def _stated_offset(born: Birth) -> int | None:
    """The stated offset in seconds, whether it decides or not."""
    if born.claimed_offset_s is not None:
        return born.claimed_offset_s
    if born.timezone_id is not None:
        return fixed_offset_s(born.timezone_id)
    return born.utc_offset_s


def _compared_zone(case: _WarningInput) -> str | None:
    """The zone that an offset is compared with: the one that decides instead, else that of the place."""
    born = case.birth
    if born.claimed_offset_s is not None:
        return zone_of(born, case.school)
    return born.place.timezone_id if born.place else None


def _read(born: Birth, case: _WarningInput) -> tuple[dict[str, Any] | None, int | None]:
    """The pillars of a birth on another clock, and its offset; at noon where the hour is unknown."""
    try:
        if case.day is None:
            moment = solar_moment(born, case.school)
            return four_pillars(moment, case.school).to_dict(), moment.utc_offset_s
        noon = born.civil.replace(hour=12)
        return unknown_hour(born, case.school).pillars.to_dict(), clock_at(
            born, case.school, noon
        ).utc_offset_s
    except BaziError:
        # The clocks of the place skipped this reading: no offset of theirs can agree.
        return None, None


def _zone_sign_inverted(case: _WarningInput) -> Found:
    key = case.birth.timezone_id
    offset = None if key is None else inverted_offset_s(key)
    return (
        None
        if offset is None
        else {"zone": key, "offset": format_offset(offset), "meant": f"UTC{format_offset(-offset)}"}
    )


def _place_contradicted(case: _WarningInput) -> Found:
    """Coordinates that lie far from the place whose zone was used with them."""
    place = case.birth.place
    if place is None or place.source != "user" or case.birth.zone_from_coordinates:
        return None
    named = known_as(place)
    if named is None or named.timezone_id != place.timezone_id:
        return None
    apart = distance_km(named, place)
    if apart < ELSEWHERE_KM:
        return None
    there = zone_near(place)
    other = there if there and zone_of(case.birth, case.school) != there else None
    pillars = _read(case.birth._replace(timezone_id=other), case)[0] if other else None
    return {
        "place": place.name,
        "ref": named.ref,
        "distance_km": round(apart),
        "zone": zone_of(case.birth, case.school),
        "zone_of_coordinates": other,
        "pillars_by_coordinates": pillars,
    }


def _longitude_unknown(case: _WarningInput) -> Found:
    fell_back = case.birth.longitude is None and case.school.time_basis is None
    return {"used": case.moment.used} if fell_back else None


def _longitude_zone_mismatch(case: _WarningInput) -> Found:
    longitude = case.birth.longitude
    if longitude is None:
        return None
    hours = longitude / 15 - (case.clock.utc_offset_s - case.clock.dst_s) / 3600
    apart = abs((hours + 12) % 24 - 12)
    return {"longitude": longitude, "offset": format_offset(case.clock.utc_offset_s)} if apart > 4 else None


def _historical_calendar(case: _WarningInput) -> Found:
    if case.birth.calendar == "julian":
        return {"calendar": "julian", "reason": "julian"}
    if case.local_date.year < FIRST_RELIABLE_ALMANAC:
        return {"calendar": case.birth.calendar, "reason": "before_1734"}
    return None


def _lmt_used(case: _WarningInput) -> Found:
    if not case.clock.source.startswith("lmt"):
        return None
    return {
        "offset_s": case.clock.utc_offset_s,
        "offset": format_offset(case.clock.utc_offset_s),
        "source": case.clock.source,
    }


def _dst_applied(case: _WarningInput) -> Found:
    dst = case.clock.dst_s
    if dst <= 0:
        return None
    standard_ms = case.moment.civil_ms - dst * 1000
    data: dict[str, Any] = {"dst_s": dst, "standard_clock": scales.iso_local(standard_ms, ms=False)}
    by_standard = pillars_at(case.moment.term, standard_ms, case.school)
    if case.moment.used == "civil" and by_standard != case.pillars:
        data["pillars_by_standard_clock"] = by_standard.to_dict()
    return data


def _pre_1970_link_zone(case: _WarningInput) -> Found:
    key = case.clock.timezone_id
    if key is None or case.clock.source == "offset" or case.local_date.year >= 1970:
        return None
    target = pre_1970_target(key)
    return {"zone": key, "target": target} if target else None


def _china_1912_49(case: _WarningInput) -> Found:
    place = case.birth.place
    in_china = place is not None and place.country == "CN"
    confirmed = case.birth.utc_offset_s is not None or case.birth.claimed_offset_s == case.clock.utc_offset_s
    if not in_china or confirmed or not 1912 <= case.local_date.year <= 1949:
        return None
    return {
        "applied_offset": format_offset(case.clock.utc_offset_s),
        "alternatives": [
            {"utc_offset": format_offset(offset), "hour_pillar": _hour_of(case.on(offset)[0])}
            for offset in CHINA_1912_49_OFFSETS_S
        ],
    }


def _hour_of(pillars: FourPillars) -> str | None:
    return pillars.hour.value if pillars.hour else None


def _xinjiang_dual_time(case: _WarningInput) -> Found:
    if not has_xinjiang_clock(case.birth):
        return None
    on_xinjiang = case.clock.timezone_id == "Asia/Urumqi" and case.clock.source != "offset"
    on_xinjiang = on_xinjiang or case.clock.utc_offset_s == 21_600
    clocks = ("xinjiang", "beijing") if on_xinjiang else ("beijing", "xinjiang")
    alternative = _on_other_clock(case, "Asia/Shanghai" if on_xinjiang else "Asia/Urumqi")
    return {"clock": clocks[0], "other_clock": clocks[1], "alternative_pillars": alternative.to_dict()}


def _on_other_clock(case: _WarningInput, key: str) -> FourPillars:
    """The pillars of the same reading on the clock of another zone."""
    elsewhere = case.birth._replace(timezone_id=key, utc_offset_s=None, claimed_offset_s=None)
    if case.day is not None:
        return unknown_hour(elsewhere, case.school).pillars
    if case.birth.hour_branch is not None:
        return four_pillars(solar_moment(elsewhere, case.school), case.school)
    # Read as it is even where the other clock skipped the reading, since the comparison is hypothetical.
    offset = scales.datetime_of(case.moment.civil_ms).replace(tzinfo=zone(key)).utcoffset()
    return case.on(seconds_of(offset) if offset else 0)[0]


def _future_utc_policy(case: _WarningInput) -> Found:
    utc_ms = case.moment.utc_ms
    if not scales.after_leap_list(utc_ms):
        return None
    frozen, model = (scales.tt_minus_utc_ms(utc_ms, policy) for policy in scales.POLICIES)
    return {"policy": case.school.future_utc, "difference_s": (model - frozen) / 1000}


def _changed_by_solar_time(name: str) -> Callable[[_WarningInput], Found]:
    def changed(case: _WarningInput) -> Found:
        if case.moment.used == "civil" or case.birth.hour_branch is not None:
            return None
        clock, solar = getattr(case.by_clock, name), getattr(case.pillars, name)
        if clock is solar:
            return None
        shift = (case.moment.local_ms - case.moment.civil_ms) / 1000
        return {"clock": clock.value, "solar": solar.value, "shift_s": round(shift, 1)}

    return changed


def _near_boundary(case: _WarningInput) -> Found:
    return [boundary.to_dict() for boundary in boundaries(case.moment, case.school)] or None


def _hour_unknown(case: _WarningInput) -> Found:
    return None if case.day is None else {"varies": case.day.varies}


def _lunar_notes(code: str) -> Callable[[_WarningInput], Found]:
    def found(case: _WarningInput) -> Found:
        notes = case.lunar.notes if case.lunar else ()
        return [note.data for note in notes if note.code == code] if notes else None

    return found


def _lunar_calendar_differs(case: _WarningInput) -> Found:
    """A lunar date that China's calendar and Korea's put on different days; by the clocks of Japan too, whose old
    calendar reckons with the same meridian as Korea's."""
    if case.birth.calendar != "lunar":
        return None
    used = case.school.lunar_months
    if used == "chinese" and case.clock.utc_offset_s - case.clock.dst_s != 9 * 3600:
        return None
    other = "chinese" if used == "korean" else "korean"
    day = case.birth.civil.date()
    found = lunar_of(day, case.school)
    assert found is not None
    named = found.year, found.month, found.day, found.leap
    try:
        elsewhere = solar_date(*named, future_utc=case.school.future_utc, calendar=other)
    except InvalidLunarDate:
        elsewhere = None
    if elsewhere == day:
        return None
    return {
        "used": used,
        "date": day.isoformat(),
        "other": other,
        "other_date": elsewhere and elsewhere.isoformat(),
    }


def _out_of_table(case: _WarningInput) -> Found:
    if case.lunar is not None:
        return None
    return {"quantity": "lunar_date", "first": "1645-01-28", "last": "2200-02-14"}


def _zi_hour_assumed(case: _WarningInput) -> Found:
    if case.birth.hour_branch is not HourBranch.子:
        return None
    late = solar_moment(case.birth._replace(hour_branch=HourBranch.晚子), case.school)
    return {
        "assumed": "早子",
        "other": "晚子",
        "alternative_pillars": four_pillars(late, case.school).to_dict(),
    }


# A code, the function that finds its data, and whether it can be asked of a birth without an hour.
WARNINGS: tuple[tuple[str, Callable[[_WarningInput], Found], bool], ...] = (
    ("PLACE_ASSUMED", _place_assumed, True),
    ("ZONE_FROM_COORDINATES", _zone_from_coordinates, True),
    ("PLACE_CONTRADICTED", _place_contradicted, True),
    ("OFFSET_DIFFERS", _offset_differs, True),
    ("ZONE_SIGN_INVERTED", _zone_sign_inverted, True),
    ("LONGITUDE_UNKNOWN", _longitude_unknown, True),
    ("LONGITUDE_ZONE_MISMATCH", _longitude_zone_mismatch, True),
    ("HISTORICAL_CALENDAR", _historical_calendar, True),
    ("LMT_USED", _lmt_used, True),
    ("DST_APPLIED", _dst_applied, False),
    ("PRE_1970_LINK_ZONE", _pre_1970_link_zone, True),
    ("CHINA_1912_49_ZONES", _china_1912_49, False),
    ("XINJIANG_DUAL_TIME", _xinjiang_dual_time, True),
    ("FUTURE_UTC_POLICY", _future_utc_policy, True),
    ("OUT_OF_TABLE", _out_of_table, True),
    ("HOUR_CHANGED_BY_SOLAR_TIME", _changed_by_solar_time("hour"), False),
    ("DAY_CHANGED_BY_SOLAR_TIME", _changed_by_solar_time("day"), False),
    ("NEAR_BOUNDARY", _near_boundary, False),
    ("HOUR_UNKNOWN", _hour_unknown, True),
    ("LUNAR_CALENDAR_DIFFERS", _lunar_calendar_differs, True),
    ("LUNAR_OVERRIDE", _lunar_notes("LUNAR_OVERRIDE"), True),
    ("LUNAR_NEAR_MIDNIGHT", _lunar_notes("LUNAR_NEAR_MIDNIGHT"), True),
    ("ZI_HOUR_ASSUMED", _zi_hour_assumed, False),
)


def warnings_of(moment: SolarMoment, school: School, pillars: FourPillars) -> tuple[BaziWarning, ...]:
    """The warnings of a moment, in the order of `WARNINGS`."""
    return tuple(_found(_WarningInput(moment, school, pillars), WARNINGS))


def warnings_of_day(day: UnknownHour, school: School) -> tuple[BaziWarning, ...]:
    """The warnings of a birth without an hour, among them the pillars that vary."""
    first = day.candidates[0]
    rows = (row for row in WARNINGS if row[2])
    return tuple(_found(_WarningInput(first.start, school, first.pillars, day), rows))


def _found(
    case: _WarningInput, rows: Iterable[tuple[str, Callable[[_WarningInput], Found], bool]]
) -> Iterator[BaziWarning]:
    for code, look, _ in rows:
        data = look(case)
        if data is not None:
            yield from (BaziWarning(code, each) for each in (data if isinstance(data, list) else [data]))


def lunar_of(day: date, school: School) -> LunarDate | None:
    """The `LunarDate` of a civil date, or None where the lunar table does not reach."""
    try:
        return lunar_date(day, future_utc=school.future_utc, calendar=school.lunar_months)
    except OutOfRange:
        return None
