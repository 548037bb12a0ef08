"""Birth: what is known of a birth, resolved as far as it can be without astronomy.

`birth()` is the edge where callers' arguments (texts, names of places, loose coordinates) become one frozen
value. The wall clock in it is Gregorian whatever calendar was written; how the clock relates to UTC and to
the Sun is worked out in `moment`.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.errors import (
    BirthRequired,
    CalendarRequired,
    InvalidCoordinates,
    InvalidDatetime,
    InvalidInput,
    UnknownOption,
    ZoneRequired,
    shown,
)
from bazi_core.place.gazetteer import Place, look_up
from bazi_core.place.zones import canonical_key
from bazi_core.when import (
    ACCEPTED,
    LONGEST_OFFSET_S,
    LONGEST_TEXT,
    When,
    gregorian,
    julian,
    parse_date,
    parse_offset,
    parse_when,
)

GENDERS = {"male": "male", "female": "female", "男": "male", "女": "female", "乾": "male", "坤": "female"}
FIRST_GREGORIAN = date(1582, 10, 15)
LUNAR_PREFIXES = ("农历", "農曆", "阴历", "陰曆", "旧历", "舊曆", "夏历", "夏曆")


class Birth(NamedTuple):
    """A birth: the reading of a wall clock, where the clock hung, and what else was stated.

    `civil` is the naive Gregorian reading (midnight of the date when the hour is unknown or only named);
    `timezone_id` and `utc_offset_s` are set only when the caller stated them, otherwise the place decides.

    >>> from bazi_core.birth import birth
    >>> born = birth("1990-05-15 13:30", city="北京", gender="male")
    >>> born.civil, born.place.ref, born.precision_s
    (datetime.datetime(1990, 5, 15, 13, 30), 'cn:110000', 60)
    """

    civil: datetime
    place: Place | None = None
    timezone_id: str | None = None
    utc_offset_s: int | None = None
    fold: int | None = None
    gender: str | None = None
    precision_s: int = 60
    hour_branch: HourBranch | None = None
    hour_unknown: bool = False
    calendar: str = "gregorian"
    zone_from_coordinates: bool = False
    given: str = ""

    @property
    def longitude(self) -> float | None:
        return self.place.longitude if self.place else None

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, from which `from_dict` makes the same birth again."""
        return {
            "given": self.given,
            "calendar": self.calendar,
            "civil": self.civil.isoformat() if not self.hour_unknown else self.civil.date().isoformat(),
            "hour_branch": self.hour_branch.value if self.hour_branch else None,
            "hour_unknown": self.hour_unknown,
            "precision_s": self.precision_s,
            "timezone_id": self.timezone_id,
            "utc_offset_s": self.utc_offset_s,
            "fold": self.fold,
            "gender": self.gender,
            "place": self.place.to_dict() if self.place else None,
            "zone_from_coordinates": self.zone_from_coordinates,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Birth:
        """The birth of a JSON form; every value is checked as an argument would be."""
        stated, named, offset = data.get("place"), data.get("hour_branch"), data.get("utc_offset_s")
        unknown = _flag("hour_unknown", data.get("hour_unknown", False))
        if named is not None and unknown:
            raise _unknown("hour_branch", named, ("null beside an unknown hour",))
        return cls(
            civil=_civil(data.get("civil"), date_only=unknown or named is not None),
            place=_place_from_dict(stated) if stated is not None else None,
            timezone_id=_zone_key(data.get("timezone_id")),
            utc_offset_s=None if offset is None else _offset_s(offset),
            fold=_fold(data.get("fold")),
            gender=gender_of(data.get("gender")),
            precision_s=_precision(data.get("precision_s", 60)),
            hour_branch=_hour_branch(named) if named is not None else None,
            hour_unknown=unknown,
            calendar=_choice("calendar", data.get("calendar", "gregorian"), ("gregorian", "julian", "lunar")),
            zone_from_coordinates=_flag("zone_from_coordinates", data.get("zone_from_coordinates", False)),
            given=_label(data.get("given")) or "",
        )


def birth(
    when: str | datetime | date | Birth,
    *,
    city: str | None = None,
    place: Place | str | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
    tz: str | None = None,
    utc_offset: str | float | timedelta | None = None,
    fold: int | None = None,
    gender: str | None = None,
    calendar: str | None = None,
    precision_s: int | None = None,
    hour_unknown: bool = False,
    future_utc: str = "utc_frozen",
) -> Birth:
    """The birth that these arguments state.

    Coordinates always win over a name, which is then only a label. `calendar` is needed before 1582-10-15;
    lunar dates are written out in the text. `fold` says which of two equal clock readings is meant.

    >>> birth("1990-05-15 13:30", longitude=116.4, tz="Asia/Shanghai").longitude
    116.4
    """
    if isinstance(when, Birth):
        beside = (city, place, longitude, latitude, tz, utc_offset, fold, calendar, precision_s)
        if hour_unknown or any(argument is not None for argument in beside):
            raise InvalidInput(
                "a Birth already says where and when", hint="change it with birth._replace(...)"
            )
        return when if gender is None else when._replace(gender=gender_of(gender))
    hour_unknown = _flag("hour_unknown", hour_unknown)
    text = _as_text(when)
    read = parse_when(text)
    day, calendar_used = _date_of(read.date_text, calendar, future_utc)
    if read.time is None and read.hour_branch is None and not hour_unknown:
        raise BirthRequired(
            f"{shown(text)!r} has no time of day",
            hint="add a time such as 13:30 or 午时, or give hour_unknown=",
            missing=["time"],
        )
    where, from_coordinates = _place_of(city, place, longitude, latitude, tz, utc_offset, read)
    stated_offset = parse_offset(utc_offset) if utc_offset is not None else read.utc_offset_s
    if where is None and tz is None and stated_offset is None:
        raise _zone_required()
    clock = (0, 0, 0) if hour_unknown or read.time is None else read.time
    return Birth(
        civil=datetime(day.year, day.month, day.day, *clock),
        place=where,
        timezone_id=_zone_key(tz),
        utc_offset_s=stated_offset,
        fold=_fold(fold),
        gender=gender_of(gender),
        precision_s=read.precision_s if precision_s is None else _precision(precision_s),
        hour_branch=None if hour_unknown else read.hour_branch,
        hour_unknown=hour_unknown,
        calendar=calendar_used,
        zone_from_coordinates=from_coordinates,
        given=text,
    )


def _as_text(when: str | datetime | date) -> str:
    if isinstance(when, str):
        if len(when) > LONGEST_TEXT or not when.strip():
            parse_date(when)
        return when.strip()
    if isinstance(when, datetime):
        # Below a second nothing in a chart is decided; the rest is cut off, never rounded.
        return when.replace(microsecond=0).isoformat(" ")
    if isinstance(when, date):
        return when.isoformat()
    raise InvalidDatetime(
        f"a {type(when).__name__} is not a birth time",
        hint=ACCEPTED,
        field="datetime",
        value=type(when).__name__,
        reason="format",
    )


def _date_of(text: str, calendar: str | None, future_utc: str) -> tuple[date, str]:
    """The Gregorian date of a date text, and the calendar in which it was written."""
    if text.startswith(LUNAR_PREFIXES):
        from bazi_core.astro.lunar import solar_date
        from bazi_core.astro.lunar_text import parse_lunar_date

        year, month, day, leap = _lunar_parts(parse_lunar_date(text))
        return solar_date(year, month, day, leap, future_utc=future_utc), "lunar"
    parts = parse_date(text)
    if calendar is None:
        stated = gregorian(*parts)
        if stated < FIRST_GREGORIAN:
            raise CalendarRequired(
                f"{stated} is before the Gregorian calendar (1582-10-15)",
                hint="say calendar='gregorian' or calendar='julian'",
                date=stated.isoformat(),
                choices=["gregorian", "julian"],
            )
        return stated, "gregorian"
    _choice("calendar", calendar, ("gregorian", "julian"))
    return (julian(*parts), "julian") if calendar == "julian" else (gregorian(*parts), "gregorian")


def _lunar_parts(parsed: tuple[int, int, bool, int]) -> tuple[int, int, int, bool]:
    year, month, leap, day = parsed
    return year, month, day, leap


def _place_of(
    city: str | None,
    place: Place | str | None,
    longitude: float | None,
    latitude: float | None,
    tz: str | None,
    utc_offset: object,
    read: When,
) -> tuple[Place | None, bool]:
    """The place, and whether its zone was inferred from its coordinates."""
    if longitude is None and latitude is not None:
        raise _invalid_coordinates("longitude", None, "a longitude beside the latitude")
    if longitude is not None:
        label = place.name if isinstance(place, Place) else _label(place or city)
        return _user_place(
            label, longitude, latitude, bool(tz) or utc_offset is not None or read.utc_offset_s is not None
        )
    if isinstance(place, Place):
        return _checked(place), False
    name = place if place is not None else city
    if name is None:
        return None, False
    if not isinstance(name, str):
        raise _unknown("city", name, ("the name of a place",))
    return look_up(name), False


def _checked(place: Place) -> Place:
    """A place that the caller made, its numbers and zone checked as loose arguments would be."""
    return place._replace(
        longitude=None if place.longitude is None else _coordinate("longitude", place.longitude, 180),
        latitude=None if place.latitude is None else _coordinate("latitude", place.latitude, 90),
        timezone_id=_zone_key(place.timezone_id),
        alt_timezone_id=_zone_key(place.alt_timezone_id),
    )


def _user_place(
    label: str | None, longitude: float, latitude: float | None, has_clock: bool
) -> tuple[Place, bool]:
    lon = _coordinate("longitude", longitude, 180)
    lat = None if latitude is None else _coordinate("latitude", latitude, 90)
    key = None if has_clock else _zone_of_point(lon, lat)
    return Place(name=label, longitude=lon, latitude=lat, timezone_id=key), key is not None


def _zone_of_point(longitude: float, latitude: float | None) -> str | None:
    if latitude is None:
        raise _zone_required()
    try:
        import tzfpy
    except ImportError:
        raise _zone_required() from None
    return canonical_key(tzfpy.get_tz(longitude, latitude))


def _zone_required() -> ZoneRequired:
    return ZoneRequired(
        "a wall clock alone does not say when it was: the place, zone or offset is missing",
        hint="give city=, or longitude= with tz=, or utc_offset=",
        accepted=["city", "place", "longitude + tz", "tz", "utc_offset"],
    )


def _coordinate(field: str, value: object, limit: int) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _invalid_coordinates(field, value, "degrees")
    # NaN fails the comparison too; an integer too large for a float is compared as it is.
    if not -limit <= value <= limit:
        raise _invalid_coordinates(field, value, f"{-limit}…{limit} degrees")
    return float(value)


def _invalid_coordinates(field: str, value: object, accepted: str) -> InvalidCoordinates:
    return InvalidCoordinates(
        f"{field} {shown(value)} is not in {accepted}",
        field=field,
        value=shown(value),
        accepted=accepted,
    )


def _zone_key(key: object) -> str | None:
    # A ZoneInfo is its key when printed.
    return None if key is None else canonical_key(shown(key, LONGEST_TEXT))


def _fold(fold: object) -> int | None:
    if fold is None or (type(fold) is int and fold in (0, 1)):
        return fold
    raise _unknown("fold", fold, ("0", "1"))


def gender_of(gender: object) -> str | None:
    if gender is None:
        return None
    if not isinstance(gender, str) or gender not in GENDERS:
        raise _unknown("gender", gender, ("male", "female"))
    return GENDERS[gender]


def _precision(seconds: object) -> int:
    if type(seconds) is int and 1 <= seconds <= 86400:
        return seconds
    raise _unknown("precision_s", seconds, ("seconds from 1", "86400"))


def _choice(name: str, value: object, allowed: tuple[str, ...]) -> str:
    if isinstance(value, str) and value in allowed:
        return value
    raise _unknown(name, value, allowed)


def _unknown(name: str, value: object, allowed: tuple[str, ...]) -> UnknownOption:
    text = shown(value)
    return UnknownOption(
        f"{name}={text!r}: choose {' or '.join(allowed)}", name=name, value=text, allowed=list(allowed)
    )


def _hour_branch(name: object) -> HourBranch:
    return HourBranch(_choice("hour_branch", name, tuple(HourBranch.__members__)))


def _offset_s(seconds: object) -> int:
    if type(seconds) is int and abs(seconds) <= LONGEST_OFFSET_S:
        return seconds
    raise _unknown("utc_offset_s", seconds, (f"seconds from -{LONGEST_OFFSET_S}", str(LONGEST_OFFSET_S)))


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _unknown(name, value, ("true", "false"))


def _civil(text: object, date_only: bool) -> datetime:
    """The wall clock of a JSON form: without an offset, which has its own member, and without a time of day
    where the hour is unknown or only named."""
    try:
        found = datetime.fromisoformat(shown(text))
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None or (date_only and found.time() != time()):
        wanted = "a date" if date_only else "a date and time without an offset"
        raise InvalidDatetime(
            f"{shown(text)!r} is not {wanted} in ISO form", field="civil", value=shown(text), reason="format"
        )
    return found


def _place_from_dict(stated: object) -> Place:
    if not isinstance(stated, dict):
        raise _unknown("place", stated, ("an object",))
    lon, lat = stated.get("longitude"), stated.get("latitude")
    return Place(
        name=_label(stated.get("name")),
        ref=_label(stated.get("ref")),
        country=_label(stated.get("country")),
        admin=_label(stated.get("admin")),
        longitude=None if lon is None else _coordinate("longitude", lon, 180),
        latitude=None if lat is None else _coordinate("latitude", lat, 90),
        timezone_id=_zone_key(stated.get("timezone_id")),
        alt_timezone_id=_zone_key(stated.get("alt_timezone_id")),
        source=_choice("source", stated.get("source", "user"), ("user", "geonames", "adcode")),
    )


def _label(text: object) -> str | None:
    return None if text is None else shown(text, LONGEST_TEXT).rstrip("…")
