"""`bazi calendar`: a month as a sheet of weeks: Gregorian day, day pillar, lunar day, solar terms."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import click

from bazi_cli import now, output
from bazi_cli.grids import drawn, headed
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, TEXT, formats, options
from bazi_cli.request import almanac_place
from bazi_core.alphabet import PILLARS, Pillar
from bazi_core.astro import scales
from bazi_core.astro.lunar import LunarDate
from bazi_core.astro.terms import TermEvent
from bazi_core.errors import InvalidDatetime, outside
from bazi_core.pillars import FourPillars, day_index, pillars_of_instant
from bazi_core.render.phrases import pillar_name, reading
from bazi_core.render.width import pack
from bazi_core.school import School
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import glossed, label, term

FIRST_YEAR, LAST_YEAR = 1583, 2648
_WEEKDAYS = "一二三四五六日"


class Day(NamedTuple):
    """A day of the sheet; `lunar` is None where the lunar table does not reach."""

    date: date
    pillar: Pillar
    lunar: LunarDate | None
    term: TermEvent | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "date": self.date.isoformat(),
            "weekday": self.date.isoweekday(),
            "day_pillar": self.pillar.value,
            "lunar": self.lunar.to_dict() if self.lunar else None,
            "term": self.term.to_dict() if self.term else None,
        }


@click.command("calendar", cls=Command)
@click.argument("month", metavar="[YEAR-MONTH]", type=TEXT, required=False)
@options("almanac", "city", "tz", "items", "theme")
@formats("text", "json", "md", "svg", "html")
@options(*OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, month: str | None, **given: Any) -> None:
    """A sheet of the month (default: this one); solar terms at +08:00, with --almanac by the clock of the place."""
    from bazi_core.astro.terms import CHINA_STANDARD

    today = now.now().astimezone(CHINA_STANDARD)
    year, number = _parsed(month) if month else (today.year, today.month)
    where = almanac_place(ctx)
    if given["almanac"]:
        output.emit(_almanac(year, number, where, given), given["output"])
        return
    if where or given["format"] in ("svg", "html"):
        raise click.UsageError(Said("only_almanac"))
    days = days_of(year, number)
    before, after = (_pillars_at(each) for each in (days[0].date, days[-1].date + timedelta(days=1)))
    if given["format"] == "json":
        text = _json(year, number, days, (before, after))
    else:
        text = _sheet(days, (before, after), given["format"], language(given["lang"]))
    output.emit(text, given["output"])


def _almanac(year: int, number: int, where: dict[str, Any], given: dict[str, Any]) -> str:
    """The sheet of the almanac in the form that is asked for."""
    from bazi_core.almanac.month import almanac_month, heading
    from bazi_core.almanac.month_sheet import closing, month_html, month_rows, month_svg

    found, lang, form = almanac_month(year, number, **where), language(given["lang"]), given["format"]
    if form == "json":
        return output.as_json(found.to_dict(given["items"]))
    if form == "svg":
        return month_svg(found, lang, given["theme"] or "light", given["items"]) + "\n"
    if form == "html":
        return month_html(found, lang, given["theme"] or "auto", given["items"])
    notes = {note.text(lang) for day in found.days[:1] for note in day.notes if note.code == "PLACE_ASSUMED"}
    told = "".join(f"{each}\n" for each in (*notes, *closing(found, lang)))
    return (
        headed(form, heading(found, lang))
        + drawn(form, month_rows(found, lang, given["items"]))
        + "\n"
        + told
    )


def _parsed(text: str) -> tuple[int, int]:
    import re

    match = re.fullmatch(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*月?", text.strip())
    if not match or not 1 <= int(match[2]) <= 12:
        shown = text[:60]
        raise InvalidDatetime(
            Said("month_form", given=shown),
            hint=Said("month_form_hint"),
            field="month",
            value=shown,
            reason="format",
        )
    if not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        raise outside("year", FIRST_YEAR, LAST_YEAR, int(match[1]))
    return int(match[1]), int(match[2])


def days_of(year: int, month: int) -> list[Day]:
    """The days of a month.

    >>> day = days_of(2026, 2)[16]
    >>> day.pillar, day.lunar.month, day.lunar.day, days_of(2026, 2)[3].term.name
    (Pillar('壬戌'), 1, 1, SolarTerm('立春'))
    """
    from bazi_core.astro.terms import solar_terms
    from bazi_core.warnings import lunar_of

    terms = {event.local[:10]: event for event in solar_terms(year)}
    dates = [date(year, month, number) for number in range(1, monthrange(year, month)[1] + 1)]
    school = School()
    return [Day(day, day_pillar(day), lunar_of(day, school), terms.get(day.isoformat())) for day in dates]


def day_pillar(day: date) -> Pillar:
    """The pillar of a civil date, from its 00:00 to 23:00.

    >>> day_pillar(date(2000, 1, 1))
    Pillar('戊午')
    """
    index: int = day_index(scales.ms_of(datetime(day.year, day.month, day.day, 12)), True)
    return PILLARS[index]


def _pillars_at(day: date) -> FourPillars:
    """The pillars at 00:00 of a day at +08:00."""
    from bazi_core.astro.terms import CHINA_STANDARD

    return pillars_of_instant(datetime(day.year, day.month, day.day, tzinfo=CHINA_STANDARD), School())


def _json(year: int, month: int, days: list[Day], ends: tuple[FourPillars, FourPillars]) -> str:
    names = ("at_start", "at_end")
    pillars = {
        name: {"year": end.year.value, "month": end.month.value}
        for name, end in zip(names, ends, strict=True)
    }
    return output.as_json({"year": year, "month": month, **pillars, "days": [day.to_dict() for day in days]})


def _sheet(days: list[Day], ends: tuple[FourPillars, FourPillars], form: str, lang: str) -> str:
    table = drawn(form, _weeks(days, lang, " "))
    if lang != "en" and table.count("┌") > 1:
        # Where a week does not fit into a narrow display, the pillars stand below the numbers of the days.
        table = drawn(form, _weeks(days, lang, "\n"))
    title = "\n".join(pack([f"{days[0].date:%Y-%m}", *_ruling(ends, lang)], _room(form), "  ", "  "))
    return headed(form, title) + table + _events(days, ends[1], form, lang)


def _weeks(days: list[Day], lang: str, between: str) -> list[list[str]]:
    """The weeks one below the other, the head first."""
    cells = [""] * days[0].date.weekday() + [_cell(day, lang, between) for day in days]
    cells += [""] * (-len(cells) % 7)
    # The layout repeats its first column when a narrow display cuts a table, so the week is numbered there.
    weeks = [[_week(days, at), *cells[at : at + 7]] for at in range(0, len(cells), 7)]
    return [[label("week", lang), *(_weekday(number, lang) for number in range(7))], *weeks]


def _room(form: str) -> int:
    """Width of the heading in columns; unlimited in Markdown."""
    return 10_000 if form == "md" else output.columns()


def _week(days: list[Day], at: int) -> str:
    monday = days[0].date + timedelta(days=at - days[0].date.weekday())
    return str(monday.isocalendar().week)


def _weekday(number: int, lang: str) -> str:
    return ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[number] if lang == "en" else _WEEKDAYS[number]


def _cell(day: Day, lang: str, between: str) -> str:
    """The day, its pillar and lunar date; terms by name, in English by a mark, since names are too long there."""
    if lang == "en":
        mark = " *" if day.term else ""
        _, *name = pillar_name(day.pillar, lang).split()
        return "\n".join([f"{day.date.day:2} {day.pillar}", *name, _lunar(day.lunar, lang) + mark])
    terms = [term(day.term.name.value, lang)] if day.term else []
    return "\n".join([f"{day.date.day:2}{between}{day.pillar}", _lunar(day.lunar, lang), *terms])


def _lunar(lunar: LunarDate | None, lang: str) -> str:
    """The lunar day; on the first of a month the month."""
    if lunar is None:
        return ""
    if lang == "en":
        return f"{'leap ' if lunar.leap and lunar.day == 1 else ''}{lunar.month}-{lunar.day}"
    month_and_day = lunar.text(lang).partition("年")[2]
    return month_and_day[:-2] if lunar.day == 1 else month_and_day[-2:]


def _ruling(ends: tuple[FourPillars, FourPillars], lang: str) -> list[str]:
    """Year and month pillar at the start of the month, and those after a change."""
    return [f"{label(name, lang)} {_change(name, ends, lang)}" for name in ("year", "month")]


def _change(name: str, ends: tuple[FourPillars, FourPillars], lang: str) -> str:
    shown = [pillar_name(getattr(end, name), lang) for end in ends]
    return (" -> " if lang == "en" else "→").join(dict.fromkeys(shown))


def _events(days: list[Day], after: FourPillars, form: str, lang: str) -> str:
    mark = "- " if form == "md" else ""
    terms = [day.term for day in days if day.term]
    # The star is the mark of their days in the sheet.
    mark = mark or ("* " if lang == "en" else "")
    lines = [f"{mark}{reading(event.local)}  {glossed(event.name.value, lang)}" for event in terms]
    return ("\n" if form == "md" else "") + "\n".join(lines) + "\n"
