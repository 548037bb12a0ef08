"""The head of a printed chart as labelled rows: person, place, School and clocks.

The four columns and the luck are in `grids`, the warnings in `notes`; how rows are laid out is for `text` and
`markdown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import Branch
from bazi_core.astro import terms
from bazi_core.astro.civil import format_offset
from bazi_core.place.display import place_shown
from bazi_core.render import phrases
from bazi_core.render.clocks import term_on_clock
from bazi_core.school import School
from bazi_core.tables import row_of
from bazi_core.tables.words import glossed, label, term
from bazi_core.wording import sign_name

if TYPE_CHECKING:
    from bazi_core.astro.lunar import LunarDate
    from bazi_core.chart import ChartValue
    from bazi_core.moment import SolarMoment
    from bazi_core.views.ming_gua import MingGua

PALACES = ("tai_yuan", "tai_xi", "ming_gong", "shen_gong")


def title(chart: ChartValue, lang: str) -> str:
    return f"{label('title', lang)}  {label(chart.gender or 'gender_unknown', lang)}"


def head(chart: ChartValue, lang: str, *, keys: bool = True) -> list[tuple[str, str]]:
    """(label, value) of person, place and School. `keys`: with the `ref` of the place."""
    rows = []
    if chart.birth is None:
        rows.append((label("pillar", lang), label("given_pillars", lang)))
    elif chart.day is not None:
        rows.append((label("solar", lang), f"{chart.birth.civil.date()}  {label('hour_unknown', lang)}"))
    if chart.lunar is not None:
        rows.append((label("lunar", lang), lunar(chart.lunar, lang)))
    rows.append((label("zodiac", lang), zodiac(chart, lang)))
    if chart.birth is not None and chart.birth.place is not None:
        place = chart.birth.place if keys else chart.birth.place._replace(ref=None)
        rows.append((label("place", lang), phrases.printable(place_shown(place, lang))))
    return [*rows, (label("school", lang), _school(chart.school, lang))]


def lunar(date: LunarDate, lang: str) -> str:
    """The lunar date, with its certainty if it is not that of the calendar as issued."""
    text = date.text(lang).removeprefix(label("lunar", lang))
    return text if date.grade == "official" else phrases.bracketed(text, label(date.grade, lang), lang)


def zodiac(chart: ChartValue, lang: str) -> str:
    """The animal of the year by both rules."""
    return phrases.zodiac({rule: animal.value for rule, animal in chart.zodiac.items() if animal}, lang)


def _school(chosen: School, lang: str) -> str:
    """The profile and the options that differ from it."""
    usual = School.named(chosen.profile).to_dict()["options"]
    options = chosen.to_dict()["options"]
    other = {name: value for name, value in options.items() if value != usual[name]}
    if other.get("day_boundary") == "00:00" and other.pop("late_zi_hour_stem", ""):
        other["day_boundary"] += f"_{chosen.late_zi_hour_stem}"
    settings = [
        phrases.titled(label(f"choice.{name}", lang), _chosen(name, value, usual[name], lang), lang)
        for name, value in other.items()
    ]
    return ("; " if lang == "en" else "；").join([phrases.word(chosen.profile, lang), *settings])


def _chosen(name: str, value: Any, usual: Any, lang: str) -> str:
    """The value of an option in words; for weights those that differ from the default."""
    if name == "yong_weights":
        other = {method: weight for method, weight in value.items() if weight != usual.get(method)}
        return phrases.joined(
            [f"{label(f'weight.{method}', lang)} {weight:g}" for method, weight in other.items()], lang
        )
    if name == "star_variants":
        return phrases.joined(
            [f"{term(star, lang, 'star')} {variant}" for star, variant in value.items()], lang
        )
    if name == "boundary_window_s":
        return label(f"value.{name}", lang, given=value)
    return label(f"value.{name}.{value}", lang)


def time_rows(chart: ChartValue, lang: str) -> list[list[str]]:
    """The moment on its clocks: [label, reading, remark]; empty where the moment is unknown."""
    return [] if chart.moment is None else moment_rows(chart.moment, lang)


def moment_rows(moment: SolarMoment, lang: str) -> list[list[str]]:
    """A moment on its clocks and between two 节: [label, reading, remark]."""
    before = _jie_row(moment, moment.prev_jie, ("prev_jie", "ago"), lang)
    after = _jie_row(moment, moment.next_jie, ("next_jie", "ahead"), lang)
    return [*clock_rows(moment, lang), before, after]


def clock_rows(moment: SolarMoment, lang: str) -> list[list[str]]:
    """A moment on its clocks: [label, reading, remark]."""
    rows = []
    for step in moment.steps():
        remarks = [_REMARKS[step["name"]](moment, lang)]
        if step["name"] == moment.used:
            remarks.append(label("decides", lang))
        remark = "  ".join(filter(None, remarks))
        rows.append([label(step["name"], lang), phrases.reading(step["value"]), remark])
    return rows


def _civil(moment: SolarMoment, lang: str) -> str:
    name = moment.clock.abbreviation
    # Zones without letters of their own call themselves by the offset (+07).
    parts = [format_offset(moment.utc_offset_s), name if name and name[0] not in "+-" else ""]
    if moment.birth.hour_branch is not None:
        parts.append(label("double_hour", lang, name=_hour(moment.birth.hour_branch.value, lang)))
    return "  ".join(filter(None, parts))


def _hour(name: str, lang: str) -> str:
    """A double hour by name: 午, 晚子; in English by its animal."""
    return f"{sign_name(Branch(name[-1]))} ({name}时)" if lang == "en" else name


def _longitude(moment: SolarMoment, lang: str) -> str:
    longitude, shift = moment.birth.longitude, moment.longitude_correction_s
    assert longitude is not None
    assert shift is not None
    return label("longitude_shift", lang, longitude=phrases.degrees(longitude), shift=phrases.signed(shift))


def _equation_of_time(moment: SolarMoment, lang: str) -> str:
    return label("eot_shift", lang, shift=phrases.signed(moment.equation_of_time_s or 0))


_REMARKS = {
    "civil": _civil,
    "dst": lambda moment, lang: label("dst_shift", lang, shift=phrases.signed(-moment.dst_s)),
    "utc": lambda moment, lang: "",
    "mean_solar": _longitude,
    "true_solar": _equation_of_time,
}


def _jie_row(moment: SolarMoment, position: int, words: tuple[str, str], lang: str) -> list[str]:
    which, phrase = words
    span = phrases.duration(abs(terms.instant(position) - moment.tt_ms) // 1000, lang)
    at, offset = term_on_clock(moment, position)
    remark = label(phrase, lang, name=glossed(terms.term_at(position).value, lang), span=span)
    return [label(which, lang), at, "  ".join(filter(None, (offset, remark)))]


def palaces(chart: ChartValue, lang: str, compact: bool = False) -> list[tuple[str, str]]:
    """司令 and the derived pillars that are known, and unless `compact` 命卦 and 称骨: (label, value)."""
    pillars = [(name, getattr(chart, name)) for name in PALACES]
    labelled = [(label(name, lang), phrases.pillar_name(pillar, lang)) for name, pillar in pillars if pillar]
    labelled += [] if compact else _further(chart, lang)
    if chart.siling is None:
        return labelled
    day = label("month_day", lang, day=min(int(chart.siling.day_in_month) + 1, 30))
    commander = phrases.character(chart.siling.stem, lang)
    text = f"{commander}, {day}" if lang == "en" else f"{commander}（{day}）"
    return [(label("siling", lang), text), *labelled]


def _further(chart: ChartValue, lang: str) -> list[tuple[str, str]]:
    """(label, value) of 命卦 and 称骨, as far as they are known."""
    rows = []
    gua, bones = chart.ming_gua, chart.bone_weight
    if gua is not None:
        group = label(f"gua.{gua.group}", lang)
        named = label("ming_gua_of", lang, trigram=_trigram(gua, lang), group=group)
        rows.append((label("ming_gua", lang), named))
    if bones is not None:
        liang, qian = divmod(bones.total, 10)
        rows.append((label("bone_weight", lang), label("bone_weight_of", lang, liang=liang, qian=qian)))
    return rows


def _trigram(gua: MingGua, lang: str) -> str:
    row = row_of("liuyao/trigrams", gua.trigram, "name")
    names = {"zh-Hans": row["name"], "zh-Hant": row["name_hant"]}
    return names.get(lang, f"{gua.number} {row['pinyin']} {gua.trigram}")


def luck_line(chart: ChartValue, lang: str, *, keys: bool = True) -> str:
    """Direction and start of the luck. `keys`: with the rule by which its age is counted."""
    from bazi_core.luck.transition import transition

    luck = chart.luck
    if luck is None:
        return label("no_gender", lang)
    line = phrases.joined([label(luck.direction, lang), transition(luck, lang)], lang)
    dated = luck.start is not None or luck.start_range is not None
    rule = label(f"value.luck_start.{luck.method}", lang)
    return phrases.bracketed(line, rule, lang) if dated and keys else line
