"""Birth: the stated facts of a birth, resolved as far as possible without astronomy.

`birth()` is the edge where callers' arguments (texts, names of places, loose coordinates) become one frozen
value. Its wall clock is Gregorian, whatever the calendar of the input; `moment` relates the clock to UTC and to
the Sun.
"""

from __future__ import annotations

import unicodedata
from datetime import date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import HourBranch
from bazi_core.astro.lunar_text import is_lunar, parse_lunar_date
from bazi_core.birthplace import kept_zone, label_of, place_from_dict, place_of, zone_key, zone_required
from bazi_core.errors import (
    BirthRequired,
    CalendarRequired,
    InvalidDatetime,
    InvalidInput,
    known,
    shown,
    unknown_option,
)
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Said
from bazi_core.when import (
    LONGEST_OFFSET_S,
    LONGEST_TEXT,
    check_weekday,
    gregorian,
    julian,
    parse_date,
    parse_offset,
    parse_when,
)

if TYPE_CHECKING:
    from typing import TypedDict

    from bazi_core.place.gazetteer import Place
    from bazi_core.when import When

    # Year, month, whether it is a leap month, day.
    LunarParts = tuple[int, int, bool, int]

    class Where(TypedDict, total=False):
        """The arguments on place, zone and calendar of a wall clock, shared by `birth`, `chart` and similar functions."""

        city: str | None
        place: Place | str | None
        longitude: float | None
        latitude: float | None
        tz: str | tzinfo | None
        utc_offset: str | float | timedelta | None
        fold: int | None
        calendar: str | None
        precision_s: int | None


_GENDERS = {
    "male": "male m man boy 男 男命 男性 男士 男孩 男生 乾 乾造 乾命 남 남자 남성",
    "female": "female f woman girl 女 女命 女性 女士 女孩 女生 坤 坤造 坤命 여 여자 여성",
}
GENDERS = {word: gender for gender, words in _GENDERS.items() for word in words.split()}
_LONGEST_GENDER = 10
FIRST_GREGORIAN = date(1582, 10, 15)


class Birth(NamedTuple):
    """A birth: the reading of a wall clock, the place of the clock, and the other statements.

    `civil` is the naive Gregorian reading (midnight of the date when the hour is unknown or only named);
    `timezone_id` and `utc_offset_s` are set only when the caller stated them, otherwise the place decides. An offset
    stated beside a place whose zone is known is `claimed_offset_s`: it decides nothing that the zone does.

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
    claimed_offset_s: int | None = None

    @property
    def longitude(self) -> float | None:
        return self.place.longitude if self.place else None

    def in_place(self, school: School) -> School:
        """The School with its lunar calendar set by the place of birth."""
        return _in_place(school, self.place, self.timezone_id)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, from which `from_dict` gives the same birth."""
        claimed = {} if self.claimed_offset_s is None else {"claimed_offset_s": self.claimed_offset_s}
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
            **claimed,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Birth:
        """The birth of a JSON form; every value is checked as an argument would be."""
        stated, named = data.get("place"), data.get("hour_branch")
        offset, claimed = data.get("utc_offset_s"), data.get("claimed_offset_s")
        unknown = _flag("hour_unknown", data.get("hour_unknown", False))
        if named is not None and unknown:
            raise unknown_option("hour_branch", shown(named), (Said("null_hour"),))
        return cls(
            civil=_civil(data.get("civil"), date_only=unknown or named is not None),
            place=place_from_dict(stated) if stated is not None else None,
            timezone_id=kept_zone(data.get("timezone_id")),
            utc_offset_s=None if offset is None else _offset_s(offset),
            fold=_fold(data.get("fold")),
            gender=gender_of(data.get("gender")),
            precision_s=_precision(data.get("precision_s", 60)),
            hour_branch=_hour_branch(named) if named is not None else None,
            hour_unknown=unknown,
            calendar=known("calendar", data.get("calendar", "gregorian"), ("gregorian", "julian", "lunar")),
            zone_from_coordinates=_flag("zone_from_coordinates", data.get("zone_from_coordinates", False)),
            given=label_of(data.get("given")) or "",
            claimed_offset_s=None if claimed is None else _offset_s(claimed),
        )


def birth(
    when: str | datetime | date | Birth,
    *,
    city: str | None = None,
    place: Place | str | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
    tz: str | tzinfo | None = None,
    utc_offset: str | float | timedelta | None = None,
    fold: int | None = None,
    gender: str | None = None,
    calendar: str | None = None,
    precision_s: int | None = None,
    hour_unknown: bool = False,
    school: School | None = None,
) -> Birth:
    """The birth that these arguments state.

    Coordinates win over those of a name; the zone of a known place decides the clock unless `tz` names another one, which
    may be an offset (`UTC+8`). A `utc_offset` counts where no zone is known; beside one it is compared, picks one of two
    equal readings, and a difference is a warning. `calendar` is needed before 1582-10-15; lunar dates are written out in
    the text and read in the lunar calendar of the place or the School. `fold` says which of two equal clock readings is
    meant.

    >>> birth("1990-05-15 13:30", longitude=116.4, tz="Asia/Shanghai").longitude
    116.4
    """
    if isinstance(when, Birth):
        beside = (city, place, longitude, latitude, tz, utc_offset, fold, calendar, precision_s)
        return _again(when, gender, hour_unknown or any(argument is not None for argument in beside))
    hour_unknown = _flag("hour_unknown", hour_unknown)
    text = _as_text(when)
    read = parse_when(text)
    written = _date_of(read.date_text, calendar)
    where, from_coordinates = place_of(city, place, longitude, latitude, tz, utc_offset, read)
    timezone_id = zone_key(tz)
    day = (
        written
        if isinstance(written, date)
        else _date_of_lunar(written, _in_place(school_of(school), where, timezone_id))
    )
    check_weekday(day, read.weekday)
    if read.time is None and read.hour_branch is None and not hour_unknown:
        raise BirthRequired(Said("no_time", text=shown(text)), hint=Said("no_time_hint"), missing=["time"])
    offset_s, claimed_s = _offsets(utc_offset, read, where, timezone_id)
    clock = (0, 0, 0) if hour_unknown or read.time is None else read.time
    return Birth(
        civil=datetime(day.year, day.month, day.day, *clock),
        place=where,
        timezone_id=timezone_id,
        utc_offset_s=offset_s,
        fold=_fold(fold),
        gender=gender_of(gender),
        precision_s=read.precision_s if precision_s is None else _precision(precision_s),
        hour_branch=None if hour_unknown else read.hour_branch,
        hour_unknown=hour_unknown,
        calendar=(calendar or "gregorian") if written is day else "lunar",
        zone_from_coordinates=from_coordinates,
        given=text,
        claimed_offset_s=claimed_s,
    )


def _again(born: Birth, gender: str | None, beside: bool) -> Birth:
    """A birth that was read before, with a gender if one is given; nothing else may stand beside it."""
    if beside:
        raise InvalidInput(Said("birth_again"), hint=Said("birth_again_hint"))
    return born if gender is None else born._replace(gender=gender_of(gender))


def _offsets(
    utc_offset: str | float | timedelta | None, read: When, where: Place | None, timezone_id: str | None
) -> tuple[int | None, int | None]:
    """The offset that decides and the one that is only claimed, in seconds; at most one of them is there.

    A time written with its own offset is an instant; an offset beside it is a claim about the clock of the place.
    """
    stated = parse_offset(utc_offset) if utc_offset is not None else read.utc_offset_s
    if where is None and timezone_id is None and stated is None:
        raise zone_required()
    if (
        read.utc_offset_s is None
        and timezone_id is None
        and where is not None
        and where.timezone_id is not None
    ):
        return None, stated
    return stated, None


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
        Said("birth_kind", name=type(when).__name__),
        hint=Said("when.accepted"),
        field="datetime",
        value=type(when).__name__,
        reason="format",
    )


def _in_place(school: School, place: Place | None, timezone_id: str | None) -> School:
    """The School with its lunar calendar set by a place."""
    if place is None:
        return school.at(None, timezone_id)
    return school.at(place.country, timezone_id or place.timezone_id)


def _date_of_lunar(parts: LunarParts, school: School) -> date:
    """The Gregorian date of a lunar date."""
    from bazi_core.astro.lunar import solar_date

    year, month, leap, day = parts
    return solar_date(year, month, day, leap, future_utc=school.future_utc, calendar=school.lunar_months)


def _date_of(text: str, calendar: str | None) -> date | LunarParts:
    """The Gregorian date of a written one; the parts of a lunar date, which wait for the calendar of the place."""
    if is_lunar(text):
        return parse_lunar_date(text)
    parts = parse_date(text)
    if calendar is not None:
        known("calendar", calendar, ("gregorian", "julian"))
        return julian(*parts) if calendar == "julian" else gregorian(*parts)
    stated = gregorian(*parts)
    if stated < FIRST_GREGORIAN:
        raise CalendarRequired(
            Said("calendar_required", stated=stated),
            hint=Said("calendar_required_hint"),
            date=stated.isoformat(),
            choices=["gregorian", "julian"],
        )
    return stated


def _fold(fold: object) -> int | None:
    if fold is None or (type(fold) is int and fold in (0, 1)):
        return fold
    raise unknown_option("fold", shown(fold), ("0", "1"))


def gender_of(gender: object) -> str | None:
    """`male` or `female` for a word in English or Chinese; None for None.

    >>> gender_of("M"), gender_of("Female"), gender_of("乾造")
    ('male', 'female', 'male')
    """
    if gender is None:
        return None
    found = None
    if isinstance(gender, str) and len(gender) <= _LONGEST_GENDER:
        found = GENDERS.get(gender) or GENDERS.get(unicodedata.normalize("NFKC", gender).strip().lower())
    if found is None:
        raise unknown_option("gender", shown(gender), ("male", "female", "男", "女"))
    return found


def _precision(seconds: object) -> int:
    if type(seconds) is int and 1 <= seconds <= 86400:
        return seconds
    raise unknown_option("precision_s", shown(seconds), (Said("seconds_between", least=1, most=86400),))


def _hour_branch(name: object) -> HourBranch:
    return HourBranch(known("hour_branch", name, tuple(HourBranch.__members__)))


def _offset_s(seconds: object) -> int:
    if type(seconds) is int and abs(seconds) <= LONGEST_OFFSET_S:
        return seconds
    raise unknown_option(
        "utc_offset_s",
        shown(seconds),
        (Said("seconds_between", least=-LONGEST_OFFSET_S, most=LONGEST_OFFSET_S),),
    )


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise unknown_option(name, shown(value), ("true", "false"))


def _civil(text: object, date_only: bool) -> datetime:
    """The wall clock of a JSON form: without an offset, which has its own member, and without a time of day
    where the hour is unknown or only named."""
    try:
        reading = datetime.fromisoformat(shown(text))
    except ValueError:
        reading = None
    if reading is None or reading.tzinfo is not None or (date_only and reading.time() != time()):
        wanted = Said("iso.date" if date_only else "iso.datetime")
        raise InvalidDatetime(
            Said("iso_form", text=shown(text), wanted=wanted),
            field="civil",
            value=shown(text),
            reason="format",
        )
    return reading
