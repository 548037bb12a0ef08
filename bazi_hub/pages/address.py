"""The address of a chart: a birth as a query, written in one way, and the same without the birth, as pillars in a path.

`/chart?t=1990-05-15T13:30&p=cn:110000&g=m` is a chart; options follow where they differ from the usual. `p` is the number of
the place where its name could be no other, else the name, so that what it may be instead is told every time. A date without
a time is one whose hour is unknown. `/p/庚午-辛巳-庚辰-壬午/m/1997-08` has the pillars, the gender and the month when luck
begins.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode

from bazi_core.alphabet import PILLARS
from bazi_core.errors import BaziError
from bazi_core.face import Chart, cast_pillars
from bazi_core.school import OPTIONS, School
from bazi_hub.calls.faults import hub_error
from bazi_hub.tools.births import YEARS
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.tool import checked
from bazi_hub.words.errors import HubError

CHART_TOOL = CATALOG["bazi_basic_analysis"]
# The fields of the form, as `/chart` is asked by it.
FIELDS = (
    "cal", "y", "m", "d", "leap", "h", "i", "unknown", "place", "asked", "ref", "g", "fold",
    "school", "basis", "turn", "zi", "lon", "lat", "tz",
)  # fmt: skip
# The profiles that the form offers; facts_only is for programs.
SCHOOLS = ("ziping", "ditiansui", "qiongtong", "saju_kr")
# Fields that are options of the School, each with its option; the first value is the usual one.
CHOICES = {"basis": "time_basis", "turn": "day_boundary", "zi": "late_zi_hour_stem"}
GENDERS = {"male": "m", "female": "f"}
_LONG = {short: name for name, short in GENDERS.items()}
LONGEST_FIELD = 100
LONGEST_LUCK_START = 12  # years of life before which luck has begun
_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2}))?")
_NUMBER = re.compile(r"[+-]?([0-9]{1,17}\.?[0-9]{0,17}|\.[0-9]{1,17})")
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
_SAFE = ":/"

Fields = dict[str, str]


class OpenChart(NamedTuple):
    """A chart without its birth: pillars, and the year and month in which luck begins, if they are stated."""

    chart: Chart
    since: tuple[int, int] | None

    @property
    def born(self) -> int | None:
        """The year of birth from 立春 to 立春, which the year pillar and the start of luck leave no choice."""
        if self.since is None:
            return None
        year = self.since[0]
        return year - (year - 4 - self.chart.pillars.year.index) % 60


def fields(query: Fields) -> Fields:
    """The fields of the form from either query, no longer than they can be."""
    found = {name: query.get(name, "").strip()[:LONGEST_FIELD] for name in FIELDS}
    if "t" not in query:
        return {**found, "g": _gender(found["g"])}
    time = query["t"].strip()[:LONGEST_FIELD]
    parts = _TIME.fullmatch(time)
    # What is no date stands where the year does, for the form to ask again.
    year, month, day, hour, minute = parts.groups(default="") if parts else (time, "", "", "", "")
    return {
        **dict.fromkeys(FIELDS, ""),
        **{name: found[name] for name in ("fold", "school", *CHOICES, "lon", "lat", "tz")},
        "cal": "solar",
        "y": year,
        "m": month,
        "d": day,
        "h": hour,
        "i": minute,
        "unknown": "" if hour else "1",
        "place": query.get("p", "").strip()[:LONGEST_FIELD],
        "g": _gender(found["g"]),
    }


def _gender(stated: str) -> str:
    return _LONG.get(stated, stated)


def arguments(values: Fields) -> dict[str, Any]:
    """The arguments of the tool that the fields state; what cannot be a number stays text, for the schema to refuse."""
    unknown, lunar = bool(values["unknown"]), values["cal"] == "lunar"
    location: dict[str, Any] = {"city_name": place_of(values)}
    for name, member in (("lon", "longitude"), ("lat", "latitude")):
        if values[name]:
            location[member] = _number(values[name], float)
    if values["tz"]:
        location["timezone_id"] = values["tz"]
    options: dict[str, Any] = {option: values[name] for name, option in CHOICES.items() if values[name]}
    if values["school"]:
        options["profile"] = values["school"]
    if values["fold"]:
        options["fold"] = _number(values["fold"], int)
    return {
        "birth_year": _number(values["y"], int),
        "birth_month": _number(values["m"], int),
        "birth_day": _number(values["d"], int),
        "birth_hour": None if unknown else _number(values["h"], int),
        "birth_minute": None if unknown else _number(values["i"], int),
        "gender": values["g"],
        "location": location,
        **({"calendar": "lunar", "leap_month": bool(values["leap"])} if lunar else {}),
        **({"options": options} if options else {}),
    }


def place_of(values: Fields) -> str:
    """The place that is meant: one that was chosen stands for the name that was asked about, not for one typed since."""
    chosen = values["ref"] if values["asked"] == values["place"] or not values["place"] else ""
    return chosen or values["place"]


def _number(text: str, kind: type[int] | type[float]) -> Any:
    return kind(text) if _NUMBER.fullmatch(text) and (kind is float or "." not in text) else text


def chart_of(values: Fields) -> Chart:
    """The chart of the fields; `HubError` with every issue."""
    try:
        made: Chart = checked(CHART_TOOL, arguments(values)).subject
    except (BaziError, BadArguments) as error:
        raise hub_error(CHART_TOOL, error) or error from None
    return made


def address(chart: Chart, values: Fields | None = None) -> Fields | None:
    """The canonical query of a chart; None for one that no query states. `values`: the fields that it was made from."""
    born, school = chart.birth, chart.school
    if born is None or born.gender is None or born.hour_branch is not None or born.calendar == "julian":
        return None
    if (
        born.civil.second
        or born.utc_offset_s is not None
        or born.claimed_offset_s is not None
        or not born.place
    ):
        return None
    place = born.place
    named = place.name or "" if values is None else place_of(values)
    # Beside coordinates a name is a label.
    known = place.ref if place.ref and not place.passed_over else named
    day = f"{born.civil:%Y-%m-%d}".rjust(10, "0")
    query = {
        "t": day if born.hour_unknown else f"{day}T{born.civil:%H:%M}",
        "p": known,
        "g": GENDERS[born.gender],
    }
    if not place.ref:
        query["lon"] = _written(place.longitude)
        query["lat"] = _written(place.latitude)
    query["tz"] = born.timezone_id or ""
    # Which of two readings is meant is asked only where there are two.
    if chart.moment is not None and chart.moment.clock.fold is not None:
        query["fold"] = str(chart.moment.clock.fold)
    query["school"] = school.profile if school.profile != SCHOOLS[0] else ""
    for name, option in CHOICES.items():
        own = getattr(school, option)
        query[name] = own if own != OPTIONS[option][0] else ""
    return {name: value for name, value in query.items() if value}


def _written(number: float | None) -> str:
    """A coordinate in its shortest form, without an exponent.

    >>> _written(116.4), _written(-0.0), _written(1e-7)
    ('116.4', '0', '0.0000001')
    """
    if number is None:
        return ""
    told = f"{Decimal(repr(number + 0.0)):f}"
    return told.rstrip("0").rstrip(".") if "." in told else told


def address_of_saved(chart: Chart) -> Fields | None:
    """The query of a chart that is kept; None if it would lead to another chart, as where older options are set."""
    query = address(chart)
    if query is None:
        return None
    try:
        again = chart_of(fields(query))
    except HubError:
        return None
    same = again.pillars == chart.pillars and again.school == chart.school and again.luck == chart.luck
    return query if same else None


def query_text(query: Fields, **more: object) -> str:
    """A query as it is written.

    >>> query_text({"t": "1990-05-15T13:30", "p": "cn:110000", "g": "m"}, year=2027)
    't=1990-05-15T13:30&p=cn:110000&g=m&year=2027'
    """
    return urlencode({**query, **more}, safe=_SAFE)


# --- without the birth


def open_path(chart: Chart) -> str | None:
    """The path that shows a chart without its birth; None where pillars alone would not be taken for one."""
    signs = "-".join(pillar.value for pillar in chart.pillars if pillar)
    path = f"/p/{signs}"
    if chart.gender:
        path += f"/{GENDERS[chart.gender]}"
        if chart.luck is not None and chart.luck.start is not None:
            path += f"/{chart.luck.start:%Y-%m}"
    try:
        read = open_chart(*path.removeprefix("/p/").split("/"))
    except LookupError:
        return None
    return path if read.chart.pillars == chart.pillars else None


def open_chart(signs: str, gender: str = "", since: str = "") -> OpenChart:
    """The chart of a path without a birth; `LookupError` for a path that no chart has."""
    named = _LONG.get(gender) if gender else None
    pillars = signs.split("-")
    if len(pillars) not in (3, 4) or not all(pillar in _NAMES for pillar in pillars):
        raise LookupError(signs)
    if gender and named is None:
        raise LookupError(gender)
    try:
        chart = cast_pillars(pillars, named, School())
    except BaziError:
        raise LookupError(signs) from None
    if not since:
        return OpenChart(chart, None)
    month = _MONTH.fullmatch(since)
    if month is None or not YEARS[0] <= int(month[1]) <= YEARS[1]:
        raise LookupError(since)
    found = OpenChart(chart, (int(month[1]), int(month[2])))
    if found.born is None or int(month[1]) - found.born > LONGEST_LUCK_START:
        raise LookupError(since)
    return found


_NAMES = frozenset(pillar.value for pillar in PILLARS)
