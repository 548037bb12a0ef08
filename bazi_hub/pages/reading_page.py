"""The page of a reading that is kept, for its owner and for whoever has the link."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from bazi_core.objects import year_of
from bazi_hub.pages.reading_view import reading_view, result_of
from bazi_hub.pages.request import PageRequest
from bazi_hub.pages.year_view import year_view
from bazi_hub.ports import Saved


async def reading_page(request: PageRequest, saved: Saved, **values: Any) -> Response:
    """A reading; without more values, of one that is not kept, there is nothing to be done with it."""
    given = {"open": False, "link": None, "shared": None, "closed": False, **values}
    now_ms, lang, open = request.site.hub.clock.now_ms(), request.language, given["open"]
    name, found, page = result_of(saved.body)
    shown = {"saved": saved, "kept": bool(values), "private": True, **given}
    if name == "year_analysis_result":
        # The tables of a year, which were sold once.
        view = await request.compute(lambda: year_view(year_of(found)[0], lang, now_ms, None))
        return request.page("kept_year.html", year=view, **shown)
    view = await request.compute(lambda: reading_view(saved.body, lang, now_ms, open=open))
    about = view.year or page.get("year") or datetime.fromtimestamp(now_ms / 1000, UTC).year
    return request.page("reading.html", reading=view, chart_id=page.get("chart"), about_year=about, **shown)
