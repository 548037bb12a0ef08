"""`bazi convert`: a lunar date as a solar one, or a solar date as a lunar one."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from bazi_cli import output
from bazi_cli.commands.calendar import day_pillar
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_core.astro.lunar import LunarDate, lunar_date, lunar_months, solar_date
from bazi_core.astro.lunar_text import is_lunar, parse_lunar_date
from bazi_core.render.phrases import pillar_name
from bazi_core.render.text import pairs
from bazi_core.tables.words import glossed, label
from bazi_core.when import gregorian, parse_date, parse_when


@click.command("convert", cls=Command)
@click.argument("text", nargs=-1, required=True, type=TEXT)
@options("lunar_calendar", "future_utc")
@formats("text", "json")
@options(*OUTPUT)
def command(text: tuple[str, ...], **given: Any) -> None:
    """`农历1990年闰五月初一` gives the solar date, `1990-06-23` the lunar one; a leap month is always named."""
    policy = given["future_utc"] or "utc_frozen"
    of = "korean" if given["lunar_calendar"] == "korean" else "chinese"
    day = _day_of(" ".join(text), policy, of)
    lunar = lunar_date(day, future_utc=policy, calendar=of)
    made = (
        _json(day, lunar) if given["format"] == "json" else _text(day, lunar, policy, language(given["lang"]))
    )
    output.emit(made, given["output"])


def _day_of(text: str, policy: str, calendar: str) -> date:
    if is_lunar(text):
        year, month, leap, day = parse_lunar_date(text if len(text) > 100 else parse_when(text).date_text)
        return solar_date(year, month, day, leap, future_utc=policy, calendar=calendar)
    return gregorian(*parse_date(text if len(text) > 100 else parse_when(text).date_text))


def _json(day: date, lunar: LunarDate) -> str:
    return output.as_json(
        {
            "solar": day.isoformat(),
            "weekday": day.isoweekday(),
            "lunar": lunar.to_dict(),
            "text": {lang: lunar.text(lang) for lang in ("zh-Hans", "zh-Hant", "en")},
            "day_pillar": day_pillar(day).value,
        }
    )


def _text(day: date, lunar: LunarDate, policy: str, lang: str) -> str:
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") if lang == "en" else "一二三四五六日"
    shown = weekday[day.weekday()] if lang == "en" else f"{label('weekday', lang)}{weekday[day.weekday()]}"
    rows = [
        (label("solar", lang), f"{day}  {shown}"),
        (label("lunar", lang), _lunar_words(lunar, policy, lang)),
        (
            label("lunar_year", lang),
            f"{pillar_name(lunar.year_ganzhi, lang)}  {glossed(lunar.zodiac.value, lang)}",
        ),
        (label("day", lang), pillar_name(day_pillar(day), lang)),
        (
            label("month_length", lang),
            label("days_from", lang, days=lunar.month_days, start=lunar.month_start),
        ),
    ]
    if lunar.grade != "official":
        rows.append((label("grade", lang), label(lunar.grade, lang)))
    return "\n".join(pairs(rows, output.columns())) + "\n"


def _lunar_words(lunar: LunarDate, policy: str, lang: str) -> str:
    """The lunar date; where its number comes twice that year, which of the two it is."""
    text = lunar.text(lang).removeprefix(label("lunar", lang))
    months = lunar_months(lunar.year, future_utc=policy, calendar=lunar.calendar)
    twins = [month for month in months if month.month == lunar.month]
    if len(twins) == 1:
        return text
    note = label("this_is_leap" if lunar.leap else "this_is_not_leap", lang)
    return f"{text} ({note})" if lang == "en" else f"{text}（{note}）"
