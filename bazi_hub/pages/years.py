"""Years of a chart for whoever has its address: ten beside each other, and one with its months. Nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from bazi_core.errors import known
from bazi_core.face import Chart
from bazi_core.place.display import name_shown
from bazi_core.year.rules import OVERALL
from bazi_core.year.span_value import SCORES
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages.addresses import chart_of_query, query_of
from bazi_hub.pages.birth import CHART_TOOL
from bazi_hub.pages.request import PageRequest
from bazi_hub.pages.year_view import year_view, years_view
from bazi_hub.tools.births import YEARS
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.errors import Issue

USUAL, MOST = 10, 20
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
        chart = chart_of_query(query)
        span = chart.years(first, min(last, YEARS[1]))
        return years_view(span, lang, now_ms, by, query_of(chart), born(chart, lang))

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
        chart = chart_of_query(query)
        return year_view(chart.year(number), lang, now_ms, query_of(chart), born(chart, lang))

    view = await _made(request, made)
    return _sent(request, "year.html", year=view, first_year=YEARS[0], last_year=YEARS[1])


async def _made(request: PageRequest, work: Callable[[], Any]) -> Any:
    """What is computed; what an address states wrongly is refused, and counted."""
    request.require_room()
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
    response.headers["Cache-Control"] = "private, no-store"
    return response


def born(chart: Chart, lang: str) -> str:
    """The birth as it was stated."""
    found = chart.birth
    if found is None:
        return ""
    when = f"{found.civil:%Y-%m-%d}" if found.hour_unknown else f"{found.civil:%Y-%m-%d %H:%M}"
    place = name_shown(found.place.ref, found.place.name, lang) if found.place else ""
    return " ".join(filter(None, (when, place)))


def _number(query: dict[str, str], name: str, usual: int) -> int:
    given = query.get(name, "")
    return int(given) if _YEAR.fullmatch(given) else usual


def _this_year(request: PageRequest) -> int:
    return datetime.fromtimestamp(request.site.hub.clock.now_ms() / 1000, UTC).year
