"""A table of births in, columns of their charts out.

The rows are read in blocks that stay in the cache of a processor. The output has as many rows as the input, in the same
order, and `status` gives the outcome of each row.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bazi_core.astro import lunar, terms
from bazi_core.batch import luck, views
from bazi_core.batch.births import Births, Block
from bazi_core.batch.columns import STATUS, columns_of, groups_of, status_numbers
from bazi_core.batch.luck import UNIX_S
from bazi_core.batch.result import Charts
from bazi_core.batch.settings import Factor, number_of
from bazi_core.batch.steps import term_at_utc, tt_minus_utc_ms
from bazi_core.batch.table import BirthTable, table_of
from bazi_core.batch.times import TimeColumn, TimesOfBirth
from bazi_core.errors import BaziError, InvalidInput, UnknownOption, shown
from bazi_core.pillars import DAY_MS, HALF_DAY_MS, HOUR_MS, POSITIONS, four_pillars, pillar_indices
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Codes = NDArray[np.int8]

BLOCK = 1 << 15
ON_ERROR = ("null", "raise")


def assembled(
    table: Any, columns: str | Iterable[str], school: School | None, on_error: str, constants: dict[str, Any]
) -> Charts:
    """The charts of a table, `constants` holding for all its rows (`batch.charts`)."""
    _check(on_error)
    chosen, groups = school_of(school), groups_of(columns)
    given = table_of(table, constants)
    if given.options:
        return _by_school(given, groups, chosen, on_error)
    return _of(_births(given, chosen), groups, on_error)


def _check(on_error: str) -> None:
    if on_error not in ON_ERROR:
        raise UnknownOption(
            Said("option_value", name="on_error", value=shown(on_error), allowed=Listed(ON_ERROR, " or ")),
            name="on_error",
            value=shown(on_error),
            allowed=list(ON_ERROR),
        )


def _births(table: BirthTable, school: School) -> Births:
    points = table.points
    return Births(table.times, table.words, points.get("longitude"), points.get("latitude"), school)


def _of(births: Births, groups: tuple[str, ...], on_error: str) -> Charts:
    wanted = [column for group in groups for column in columns_of(group, births.school)]
    count = len(births)
    out = {column.name: np.empty(count, column.dtype) for column in wanted}
    status = np.empty(count, np.int8)
    for start in range(0, count, BLOCK):
        end = min(start + BLOCK, count)
        block = births.block(start, end)
        for name, values in _computed(block, groups, births.school):
            out[name][start:end] = values
        status[start:end] = block.status
        bad = np.flatnonzero(block.status)
        if len(bad):
            if on_error == "raise":
                raise _error(births, start + int(bad[0]))
            for column in wanted:
                out[column.name][start + bad] = np.datetime64("NaT") if column.is_time else -1
    return Charts(out, status, (*wanted, STATUS))


def _computed(block: Block, groups: tuple[str, ...], school: School) -> Any:
    """(name, values) of the columns of a block; the values of rows whose status is not 0 are undefined."""
    codes, term = four_of(block.utc_ms, block.local_ms, school)
    if school.year_boundary == "lunar_new_year":
        codes[0] = _lunar_years(block, school)
    yield from zip(POSITIONS, codes, strict=True)
    if groups == ("pillars",):
        return
    four: list[Ints] = [code.astype(np.int64) for code in codes]
    if "time" in groups:
        yield "utc", _as_datetimes(block.utc_ms)
        yield "local", _as_datetimes(block.local_ms)
        yield "utc_offset_s", block.offset_s
    for group, view in views.VIEWS.items():
        if group in groups:
            yield from view(four, block.genders, school)
    if not {"luck", "strength", "pattern"}.isdisjoint(groups):
        tt_ms = block.utc_ms + tt_minus_utc_ms(block.utc_ms, school.future_utc)
        if "luck" in groups:
            civil_ms = block.utc_ms + block.offset_s * 1000
            genders = np.maximum(block.genders, -1)
            yield from luck.luck(
                luck.LuckInputs(four[0], genders, tt_ms, civil_ms, block.offset_s, term), school
            )
        yield from _judged(four, tt_ms, term, groups, school)


def _judged(four: list[Ints], tt_ms: Ints, term: Ints, groups: tuple[str, ...], school: School) -> Any:
    if {"strength", "pattern"}.isdisjoint(groups):
        return
    from bazi_core.batch.judgement import judgements

    judgement = judgements(school)(four, tt_ms, term)
    for group in ("strength", "pattern"):
        if group in groups:
            yield from ((column.name, judgement[column.name]) for column in columns_of(group, school))


def _lunar_years(block: Block, school: School) -> NDArray[np.int8]:
    """The pillar of the lunar year; a row beyond the lunar calendar is out of range."""
    years = lunar_years(block.local_ms, school, False)
    if np.any(block.korean):
        years = np.where(block.korean, lunar_years(block.local_ms, school, True), years)
    outside = (years < 0) & (block.status == 0)
    block.status[outside] = status_numbers()["OUT_OF_RANGE"]
    return np.maximum(years, 0).astype(np.int8)


def _as_datetimes(ms: Ints) -> NDArray[np.datetime64]:
    return (ms + UNIX_S * 1000).view("datetime64[ms]")


def _error(births: Births, row: int) -> BaziError:
    """The error that the birth of a row raises, with the number of the row."""
    try:
        moment = births.moment(row)
        four_pillars(moment, moment.birth.in_place(births.school))
    except BaziError as error:
        message = Said("table_row", row=row, problem=error.message)
        return type(error)(message, hint=error.hint, **{**error.data, "row": row})
    return InvalidInput(Said("table_row", row=row, problem=""), row=row)


def _by_school(table: BirthTable, groups: tuple[str, ...], school: School, on_error: str) -> Charts:
    """The charts of a table whose rows name options of the School, computed School by School and put back in row order."""
    places, schools = _schools(table, school)
    parts: list[tuple[Ints, Charts]] = []
    status = np.zeros(table.times.length, np.int8)
    for number, each in enumerate(schools):
        rows = np.flatnonzero(places == number)
        if isinstance(each, BaziError):
            status[rows] = number_of(each)
            if on_error == "raise" and len(rows):
                raise type(each)(
                    Said("table_row", row=int(rows[0]), problem=each.message),
                    hint=each.hint,
                    **{**each.data, "row": int(rows[0])},
                )
        elif len(rows):
            births = _births(_rows_of(table, rows), each)
            try:
                parts.append((rows, _of(births, groups, on_error)))
            except BaziError as error:
                row = int(rows[error.data["row"]])
                problem = (
                    error.message.values["problem"] if isinstance(error.message, Said) else error.message
                )
                message = Said("table_row", row=row, problem=problem)
                raise type(error)(message, hint=error.hint, **{**error.data, "row": row}) from None
    described = {column.name: column for _, part in parts for column in part.described}
    if not described:
        described = {each.name: each for group in groups for each in columns_of(group, school)}
    out = {}
    for name, column in described.items():
        if name != STATUS.name:
            out[name] = np.full(len(status), np.datetime64("NaT") if column.is_time else -1, column.dtype)
    for rows, part in parts:
        status[rows] = part.status
        for name, values in part.columns.items():
            if name in out:
                out[name][rows] = values
    return Charts(out, status, (*(described[name] for name in out), STATUS))


def _schools(table: BirthTable, school: School) -> tuple[Ints, list[School | BaziError]]:
    at: Any = np.zeros(table.times.length, np.int64)
    for factor in table.options.values():
        at = at * len(factor.values) + (0 if factor.places is None else factor.places)
    kinds, places = np.unique(at, return_inverse=True)
    schools: list[School | BaziError] = []
    for kind in kinds.tolist():
        chosen = {}
        for name, factor in reversed(table.options.items()):
            kind, place = divmod(kind, len(factor.values))
            chosen[name] = factor.values[place]
        schools.append(_school({name: value for name, value in chosen.items() if value is not None}, school))
    return places, schools


def _school(options: dict[str, Any], school: School) -> School | BaziError:
    try:
        profile = options.pop("profile", None)
        base = school if profile is None else School.named(profile)
        return base.with_options(**options)
    except BaziError as error:
        return error


def _rows_of(table: BirthTable, rows: Ints) -> BirthTable:
    """Some rows of a table, without its options."""
    times = table.times

    def part(start: int, end: int) -> TimesOfBirth:
        chosen = rows[start:end]
        if not len(chosen):
            return times.part(0, 0)
        first = int(chosen[0])
        whole = times.part(first, int(chosen[-1]) + 1)
        parts: Any = (None if each is None else each[chosen - first] for each in whole)
        return TimesOfBirth(*parts)

    found = BirthTable(TimeColumn(len(rows), part, lambda row: times.given(int(rows[row])), times.zone))
    for name, factor in table.words.items():
        found.words[name] = factor if factor.places is None else Factor(factor.values, factor.places[rows])
    found.points = {name: values[rows] for name, values in table.points.items()}
    return found


_HOURS = 60 * 24
_NOON_2000 = 730_120  # the ordinal of 2000-01-01


class FourTables(NamedTuple):
    """Pillars by position of the term (year, month) and by the hour of a cycle of sixty days (day, hour)."""

    year: Codes
    month: Codes
    day: Codes
    hour: Codes


@lru_cache(maxsize=64)
def four_tables(school: School) -> FourTables:
    """The tables of a School."""
    position = np.arange(terms.COUNT)
    hours = np.arange(_HOURS) * HOUR_MS - HALF_DAY_MS
    year, month, _, _ = pillar_indices(position, np.int64(0), school)
    _, _, day, hour = pillar_indices(np.int64(0), hours, school)
    return FourTables(*(each.astype(np.int8) for each in (year, month, day, hour)))


def four_of(utc_ms: Ints, local_ms: Ints, school: School) -> tuple[list[Codes], Ints]:
    """The four pillars at instants and readings of the local clock, and the positions of the terms."""
    tables = four_tables(school)
    term = term_at_utc(utc_ms, school.future_utc)
    hour = (local_ms + HALF_DAY_MS) // HOUR_MS
    hour -= hour // _HOURS * _HOURS
    return [
        tables.year.take(term),
        tables.month.take(term),
        tables.day.take(hour),
        tables.hour.take(hour),
    ], term


def lunar_years(local_ms: Ints, school: School, korean: bool) -> Ints:
    """The pillar of the lunar year of the local dates; -1 outside the lunar calendar (`pillars._lunar_year_index`)."""
    starts = _new_years(school.future_utc, "korean" if korean else school.lunar_months)
    ordinal = (local_ms + HALF_DAY_MS) // DAY_MS + _NOON_2000
    year = lunar.FIRST_YEAR - 1 + np.searchsorted(starts, ordinal, "right")
    inside = (ordinal >= lunar.FIRST_DAY.toordinal()) & (ordinal <= lunar.LAST_DAY.toordinal())
    return np.where(inside, (year - 4) % 60, -1)


@lru_cache(maxsize=8)
def _new_years(future_utc: str, calendar: str) -> Ints:
    years = range(lunar.FIRST_YEAR, lunar.LAST_YEAR + 1)
    return np.array(
        [lunar.new_year(year, future_utc=future_utc, calendar=calendar).toordinal() for year in years],
        np.int64,
    )
