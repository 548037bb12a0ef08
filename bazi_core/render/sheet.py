"""The head of a printed chart as labelled rows: who, where, by which school, on which clocks.

The four columns and the luck are in `grids`, the warnings in `notes`; how rows are laid out is for `text` and
`markdown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.astro import scales, terms
from bazi_core.astro.civil import format_offset
from bazi_core.render import phrases
from bazi_core.school import School
from bazi_core.tables.words import glossed, label

if TYPE_CHECKING:
    from bazi_core.chart import Chart
    from bazi_core.moment import SolarMoment

PALACES = ("tai_yuan", "tai_xi", "ming_gong", "shen_gong")


def title(chart: Chart, lang: str) -> str:
    return f"{label('title', lang)}  {label(chart.gender or 'gender_unknown', lang)}"


def head(chart: Chart, lang: str, *, keys: bool = True) -> list[tuple[str, str]]:
    """Who and where, by which school: (label, value). `keys`: with that by which the place can be named again."""
    rows = []
    if chart.birth is None:
        rows.append((label("pillar", lang), label("given_pillars", lang)))
    elif chart.day is not None:
        rows.append((label("solar", lang), f"{chart.birth.civil.date()}  {label('hour_unknown', lang)}"))
    if chart.lunar is not None:
        rows.append((label("lunar", lang), _lunar(chart, lang)))
    animals = {rule: animal.value for rule, animal in chart.zodiac.items() if animal}
    rows.append((label("zodiac", lang), phrases.zodiac(animals, lang)))
    if chart.birth is not None and chart.birth.place is not None:
        place = chart.birth.place if keys else chart.birth.place._replace(ref=None)
        rows.append((label("place", lang), phrases.printable(str(place))))
    return [*rows, (label("school", lang), _school(chart.school, lang))]


def _lunar(chart: Chart, lang: str) -> str:
    """The lunar date, and how sure it is when it is not the calendar as issued."""
    found = chart.lunar
    assert found is not None
    text = found.text(lang).removeprefix(label("lunar", lang))
    return text if found.grade == "official" else f"{text}  ({label(found.grade, lang)})"


def _school(chosen: School, lang: str) -> str:
    """The profile and the options that differ from it."""
    usual = School.named(chosen.profile).to_dict()["options"]
    options = chosen.to_dict()["options"]
    other = [f"{name}={value}" for name, value in options.items() if value != usual[name]]
    return "  ".join([phrases.word(chosen.profile, lang), *other])


def time_rows(chart: Chart, lang: str) -> list[list[str]]:
    """The moment on its clocks: [label, reading, remark]; nothing where the moment is not known."""
    moment = chart.moment
    if moment is None:
        return []
    rows = []
    for step in moment.steps():
        remarks = [_REMARKS[step["name"]](moment, lang)]
        if step["name"] == moment.used:
            remarks.append(f"<= {label('decides', lang)}")
        remark = "  ".join(filter(None, remarks))
        rows.append([label(step["name"], lang), phrases.reading(step["value"]), remark])
    before = _jie_row(moment, moment.prev_jie, ("prev_jie", "ago"), lang)
    return [*rows, before, _jie_row(moment, moment.next_jie, ("next_jie", "ahead"), lang)]


def _civil(moment: SolarMoment, lang: str) -> str:
    name = moment.clock.abbreviation
    # Zones without letters of their own call themselves by the offset (+07).
    parts = [format_offset(moment.utc_offset_s), name if name and name[0] not in "+-" else ""]
    if moment.birth.hour_branch is not None:
        parts.append(label("double_hour", lang, name=moment.birth.hour_branch.value))
    return "  ".join(filter(None, parts))


def _longitude(moment: SolarMoment, lang: str) -> str:
    longitude, shift = moment.birth.longitude, moment.longitude_correction_s
    assert longitude is not None
    assert shift is not None
    return label("longitude_shift", lang, longitude=phrases.degrees(longitude), shift=phrases.signed(shift))


def _equation_of_time(moment: SolarMoment, lang: str) -> str:
    return label("eot_shift", lang, shift=phrases.signed(moment.equation_of_time_s or 0))


_REMARKS = {
    "civil": _civil,
    "dst": lambda moment, lang: phrases.signed(-moment.dst_s),
    "utc": lambda moment, lang: "",
    "mean_solar": _longitude,
    "true_solar": _equation_of_time,
}


def _jie_row(moment: SolarMoment, position: int, words: tuple[str, str], lang: str) -> list[str]:
    which, phrase = words
    at = terms.instant(position)
    local_ms = scales.utc_from_tt(at, moment.future_utc) + moment.utc_offset_s * 1000
    span = phrases.duration(abs(at - moment.tt_ms) // 1000, lang)
    remark = label(phrase, lang, name=glossed(terms.term_at(position).value, lang), span=span)
    return [label(which, lang), phrases.reading(scales.iso_local(local_ms)), remark]


def palaces(chart: Chart, lang: str) -> list[tuple[str, str]]:
    """司令 and the derived pillars that are known: (label, value)."""
    found = [(label(name, lang), pillar.value) for name in PALACES if (pillar := getattr(chart, name))]
    if chart.siling is None:
        return found
    day = label("month_day", lang, day=min(int(chart.siling.day_in_month) + 1, 30))
    commander = phrases.character(chart.siling.stem, lang)
    marks = f" ({day})" if lang == "en" else f"（{day}）"
    return [(label("siling", lang), commander + marks), *found]


def luck_line(chart: Chart, lang: str, *, keys: bool = True) -> str:
    """Direction and start of the luck. `keys`: with the rule as it is named in `School`."""
    from bazi_core.render.transition import transition

    luck = chart.luck
    if luck is None:
        return label("no_gender", lang)
    line = phrases.joined([label(luck.direction, lang), transition(luck, lang)], lang)
    dated = luck.start is not None or luck.start_range is not None
    return f"{line} ({luck.method})" if dated and keys else line
