"""Years of a chart for whoever has its address: ten beside each other, and one with its months. Nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import Response

from bazi_core.errors import known
from bazi_core.face import Chart
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_value import SCORES
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages.address import CHART_TOOL, address, chart_of, fields, query_text
from bazi_hub.pages.chart_page import title_of
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.year_view import year_view, years_view
from bazi_hub.tools.births import YEARS
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.errors import Issue

USUAL, MOST = 10, 20
# Ten years under two readings take a twentieth of a second of a processor.
MOST_SHOWN, MINUTE_S = 60, 60
_YEAR = re.compile("[0-9]{1,4}")


async def years(request: PageRequest) -> Response:
    """Ten years beside each other, or as many as are asked for."""
    query, now_ms, lang = request.query, request.site.hub.clock.now_ms(), request.language
    first = _number(query, "from", _this_year(request))
    last = _number(query, "to", first + USUAL - 1)

    def made() -> Any:
        if not first <= last < first + MOST:
            raise BadArguments(Issue("to", f"Must be {first} to {first + MOST - 1}"))
        by = query.get("by", OVERALL)
        known("domain", by, SCORES)
        chart, own = _chart(query)
        span = chart.years(first, min(last, YEARS[1]))
        return years_view(span, lang, now_ms, by, own, title_of(chart, lang))

    view = await _made(request, made)
    wide = last - first + 1
    before, after = (first - wide, first - 1), (last + 1, last + wide)
    beside = [each if YEARS[0] <= each[0] and each[1] <= YEARS[1] else None for each in (before, after)]
    return _sent(request, "years.html", years=view, before=beside[0], after=beside[1])


async def year(request: PageRequest) -> Response:
    """One year with its months."""
    query, now_ms, lang = request.query, request.site.hub.clock.now_ms(), request.language
    number = _number(query, "year", _this_year(request))

    def made() -> Any:
        chart, own = _chart(query)
        return year_view(chart.year(number), lang, now_ms, own, title_of(chart, lang))

    view = await _made(request, made)
    own = parse_qsl(view.whose.query or "")
    return _sent(request, "year.html", year=view, query=own, first_year=YEARS[0], last_year=YEARS[1])


async def _made(request: PageRequest, work: Callable[[], Any]) -> Any:
    """What is computed; what an address states wrongly is refused, and counted."""
    request.require_room()
    taken = await request.site.limits.take(f"years:{request.owner}", MOST_SHOWN, MINUTE_S)
    if not taken.allowed:
        raise Trouble(429, "often", taken.reset_s)
    try:
        return await request.compute(work)
    except Exception as error:
        refused = hub_error(CHART_TOOL, error)
        if refused is None:
            raise
        request.count_refused()
        raise refused from None


def _sent(request: PageRequest, template: str, **values: Any) -> Response:
    """A page whose address holds a birth: for nobody's index, cache or referrer."""
    response = request.page(template, private=True, **values)
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "private"
    return response


def _chart(query: dict[str, str]) -> tuple[Chart, str | None]:
    """The chart of a query, and its address in one spelling."""
    values = fields(query)
    chart = chart_of(values)
    found = address(chart, values)
    return chart, None if found is None else query_text(found)


def _number(query: dict[str, str], name: str, usual: int) -> int:
    given = query.get(name, "")
    return int(given) if _YEAR.fullmatch(given) else usual


def _this_year(request: PageRequest) -> int:
    return datetime.fromtimestamp(request.site.hub.clock.now_ms() / 1000, UTC).year
