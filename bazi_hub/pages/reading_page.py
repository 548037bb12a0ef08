"""The page of a reading that is kept, for its owner and for whoever has the link."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from bazi_core.objects import year_of
from bazi_hub.pages.printing import has_pdf, printed, reading_pdf
from bazi_hub.pages.reading_view import held_in, reading_view
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.year_view import year_view
from bazi_hub.ports import Saved


async def reading_page(request: PageRequest, saved: Saved, **values: Any) -> Response:
    """A reading; without more values, of one that is not kept, there is nothing to be done with it."""
    given = {"open": False, "link": None, "shared": None, "closed": False, **values}
    now_ms, lang, open = request.site.hub.clock.now_ms(), request.language, given["open"]
    held = held_in(saved.body)
    shown = {"saved": saved, "kept": bool(values), "private": True, **given}
    if held.name == "year_analysis_result":
        # The tables of a year, which were sold once.
        view = await request.compute(lambda: year_view(year_of(held.result)[0], lang, now_ms, None))
        return request.page("kept_year.html", year=view, **shown)
    view = await request.compute(lambda: reading_view(held, lang, now_ms, open=open))
    about = view.year or held.page.get("year") or datetime.fromtimestamp(now_ms / 1000, UTC).year
    shown["pdf"] = has_pdf() and bool(values) and not open and not view.declined
    return request.page(
        "reading.html", reading=view, chart_id=held.page.get("chart"), about_year=about, **shown
    )


async def pdf(request: PageRequest, saved: Saved) -> Response:
    """A kept reading as pages of A4; its file is named after it and tells no birth."""
    now_ms, lang = request.site.hub.clock.now_ms(), request.language
    held = held_in(saved.body) if saved.kind == "reading" else None
    if held is None or held.name == "year_analysis_result":
        raise Trouble(404)
    view = await request.compute(lambda: reading_view(held, lang, now_ms))
    if view.declined:
        raise Trouble(404)
    made = await printed(request, lambda: reading_pdf(view, lang))
    named = {"Content-Disposition": f'attachment; filename="reading-{saved.id[:8]}.pdf"'}
    return Response(made, media_type="application/pdf", headers=named)
