"""The facts of many days as columns: one row a day, the same facts by the same tables as of a single day."""

from __future__ import annotations

from datetime import date as civil_date
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from bazi_core.almanac.calendar import calendar_of
from bazi_core.almanac.day import place_and_date, school_of
from bazi_core.almanac.facts import day_facts
from bazi_core.almanac.gods import HANZI, circumstances
from bazi_core.astro.lunar import lunar_date
from bazi_core.errors import InvalidInput, library_missing
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.almanac.school import AlmanacSchool
    from bazi_core.birth import Birth
    from bazi_core.place.gazetteer import Place

COLUMNS = (
    "date", "year_pillar", "month_pillar", "day_pillar", "lunar_year", "lunar_month", "lunar_leap", "lunar_day", "term",
    "term_day", "hou", "jianchu", "tianshen", "huangdao", "xiu", "zheng", "qin", "nayin", "void", "clash", "sha",
    "taishen", "xishen", "caishen", "fushen", "yanggui", "yingui", "lu", "year_star", "month_star", "day_star", "marks",
    "folk",
)  # fmt: skip


class AlmanacTable:
    """The facts of the days of a span, a list for each name of `COLUMNS`; `marks` and `folk` are tuples.

    `to_arrow` gives a pyarrow table, so that frames and engines read it.
    """

    __slots__ = ("columns",)

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns["date"])

    def __getitem__(self, name: str) -> list[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        return f"<AlmanacTable of {len(self)} days, {len(self.columns)} columns>"

    def to_arrow(self) -> Any:
        """A pyarrow table; `LIBRARY_MISSING` where pyarrow is not installed."""
        try:
            import pyarrow as arrow
        except ImportError:
            raise library_missing("pyarrow") from None
        return arrow.table(self.columns)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def almanac_table(
    start: str | civil_date | datetime,
    end: str | civil_date | datetime,
    place: Place | str | None = None,
    *,
    city: str | None = None,
    tz: str | tzinfo | None = None,
    school: AlmanacSchool | None = None,
) -> AlmanacTable:
    """The facts of the days from `start` to `end`, both included, at a place.

    A day that the clocks of the place skipped has a row too: that of its date.

    >>> table = almanac_table("2026-02-03", "2026-02-05", tz="Asia/Shanghai")
    >>> table["jianchu"], table["month_pillar"]
    (['危', '危', '成'], ['己丑', '庚寅', '庚寅'])
    """
    chosen = school_of(school)
    where = place_and_date(start, place, city, tz)
    first, last = where.civil.date(), place_and_date(end, place, city, tz).civil.date()
    if last < first:
        raise InvalidInput(
            Said("find_range", first=first, last=last), field="end", first=str(first), last=str(last)
        )
    rows = [_row(ordinal, where, chosen) for ordinal in range(first.toordinal(), last.toordinal() + 1)]
    return AlmanacTable(dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)))


def _row(ordinal: int, where: Birth, school: AlmanacSchool) -> tuple[Any, ...]:
    date = civil_date.fromordinal(ordinal)
    day, lunar = calendar_of(ordinal, where, school), lunar_date(date, future_utc=school.future_utc)
    asked = circumstances(day, lunar, school)
    facts = day_facts(day, asked, school)
    own = facts.of_pillar
    ways = own.directions
    return (
        date, HANZI[day.year_pillar], HANZI[day.month_pillar], HANZI[asked.pillar], lunar.year, lunar.month, lunar.leap,
        lunar.day, asked.term, day.term_day, facts.hou, facts.jianchu, facts.tianshen, facts.huangdao, facts.xiu,
        facts.zheng, facts.qin, own.nayin, own.void, own.clash_pillar, own.sha, own.taishen_place,
        ways["xishen"], ways["caishen"], ways["fushen"], ways["yanggui"], ways["yingui"], own.lu, facts.year_star,
        facts.month_star, facts.day_star, facts.marks, facts.folk,
    )  # fmt: skip
