"""Charts: made for every visitor and forgotten, saved for members, shown to others by a link."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response

from bazi_core.face import Chart
from bazi_core.place.display import name_shown
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages import birth
from bazi_hub.pages.chart_view import chart_view, saved_chart
from bazi_hub.pages.reading_page import reading_page
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.people.keys import token_hash
from bazi_hub.ports import Saved, SavedItem
from bazi_hub.ports.charts import Position
from bazi_hub.tools.forum import UUID
from bazi_hub.words.errors import HubError
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

LONGEST_TITLE = 80
LISTED = 20
# Nobody saves more by hand; a program that does fills the disk of a hub on which signing up is open.
MOST_SAVED, DAY_S = 100, 86_400
TOKEN_BYTES = 16
_TOKEN = re.compile(f"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
_UUID = re.compile(UUID["pattern"])
# Milliseconds that fit a database's integer, and an id.
_POSITION = re.compile(f"([0-9]{{1,15}})-({UUID['pattern'].strip('^$')})")


async def birth_form(request: PageRequest) -> Response:
    return _form(request, birth.fields({}))


async def cast_chart(request: PageRequest) -> Response:
    """The chart of a birth. Nothing of it is stored."""
    values = birth.fields(request.form)
    try:
        chart = await _chart_of(request, values)
    except HubError as error:
        return _asked_again(request, values, error)
    now_ms = request.site.hub.clock.now_ms()
    view = await request.compute(lambda: chart_view(chart, request.language, now_ms))
    return request.page("chart.html", chart=view, values=values, title=_title(chart, request.language))


async def save(request: PageRequest) -> Response:
    """Keeps the chart of a birth under a title."""
    account = request.member()
    values = birth.fields(request.form)
    try:
        chart = await _chart_of(request, values)
    except HubError as error:
        return _asked_again(request, values, error)
    taken = await request.site.limits.take(f"charts:{account.id}", MOST_SAVED, DAY_S)
    if not taken.allowed:
        raise Trouble(429, "charts", taken.reset_s)
    title = cleaned(request.form.get("title", ""))[:LONGEST_TITLE] or _title(chart, request.language)
    body = await request.compute(chart.to_json)
    hub = request.site.hub
    saved = Saved(hub.ids.uuid(), account.id, "chart", title, body, hub.clock.now_ms())
    await hub.storage.charts.add(saved)
    return request.go(f"/c/{saved.id}")


async def kept(request: PageRequest) -> Response:
    """The saved charts and readings, newest first. A page begins where the one before it ended, so that none moves."""
    account = request.member()
    below = _below(request.query.get("below"))
    found = await request.site.hub.storage.charts.of(account.id, LISTED + 1, below)
    rows = [_row(each) for each in found[:LISTED]]
    older = "-".join(map(str, found[LISTED - 1].position)) if len(found) > LISTED else None
    return request.page("kept.html", rows=rows, below=below, older=older)


def _row(each: SavedItem) -> dict[str, Any]:
    shared = each.shared_ms is not None
    return {
        "id": each.id,
        "kind": each.kind,
        "title": each.title,
        "saved": iso(each.created_ms),
        "shared": shared,
    }


def _below(text: str | None) -> Position | None:
    """The end of the page before, as its link to this one says; the top of the list for what no page says."""
    found = _POSITION.fullmatch(text or "")
    return (int(found[1]), found[2]) if found else None


async def chart(request: PageRequest) -> Response:
    return await _owned(request)


async def shared(request: PageRequest) -> Response:
    """A shared chart or reading: anyone with the link reads it, search engines do not."""
    token = request.path_params["token"]
    known = _TOKEN.fullmatch(token)
    found = await request.site.hub.storage.charts.shared(token_hash(token)) if known else None
    if found is None:
        raise Trouble(404)
    response = await _page_of(request, found, open=True)
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def share(request: PageRequest) -> Response:
    """A new link, which this page shows and no other ever does; an older one is closed."""
    account, hub = request.member(), request.site.hub
    token = hub.ids.secret(TOKEN_BYTES).hex()
    chart_id = _id(request)
    if not await hub.storage.charts.share(chart_id, account.id, token_hash(token), hub.clock.now_ms()):
        raise Trouble(404)
    return await _owned(request, f"{request.base}/s/{token}")


async def unshare(request: PageRequest) -> Response:
    account, chart_id = request.member(), _id(request)
    if not await request.site.hub.storage.charts.unshare(chart_id, account.id):
        raise Trouble(404)
    return request.go(f"/c/{chart_id}?closed=1")


async def delete(request: PageRequest) -> Response:
    account = request.member()
    if not await request.site.hub.storage.charts.delete(_id(request), account.id):
        raise Trouble(404)
    return request.go("/c")


async def owned(request: PageRequest) -> Saved:
    """The chart or reading of the path, if it belongs to the visitor."""
    account = request.member()
    found = await request.site.hub.storage.charts.get(_id(request), account.id)
    if found is None:
        raise Trouble(404)
    return found


async def _owned(request: PageRequest, link: str | None = None) -> Response:
    saved = await owned(request)
    since = await request.site.hub.storage.charts.shared_ms(saved.id, saved.account_id)
    return await _page_of(request, saved, link=link, shared=None if since is None else iso(since))


async def _page_of(
    request: PageRequest,
    saved: Saved,
    *,
    open: bool = False,
    link: str | None = None,
    shared: str | None = None,
) -> Response:
    """The page of a chart. `open`: as the link shows it; its owner sees a new link, or since when one is open."""
    values: dict[str, Any] = {"open": open, "link": link, "shared": shared}
    values["closed"] = "closed" in request.query
    if saved.kind == "reading":
        return await reading_page(request, saved, **values)
    now_ms = request.site.hub.clock.now_ms()
    view = await request.compute(lambda: chart_view(saved_chart(saved), request.language, now_ms))
    return request.page("saved.html", chart=view, saved=saved, **values)


async def _chart_of(request: PageRequest, values: dict[str, str]) -> Chart:
    """The chart of the form's fields; `HubError` with their issues."""
    request.require_room()
    try:
        made: Chart = await request.compute(lambda: birth.chart_of(birth.arguments(values)))
    except Exception as error:
        refused = hub_error(birth.CHART_TOOL, error)
        if refused is not None:
            request.count_refused()
        raise refused or error from None
    return made


def _asked_again(request: PageRequest, values: dict[str, str], error: HubError) -> Response:
    if error.name != "INVALID_INPUT":
        raise error
    wrong, choice = birth.said(error, request.language), birth.choice(error, request.language)
    return _form(request, {**values, "ref": "", "fold": ""}, 400, wrong, choice)


def _form(
    request: PageRequest,
    values: dict[str, str],
    status: int = 200,
    wrong: list[birth.Wrong] | None = None,
    choice: birth.FieldChoice | None = None,
) -> Response:
    return request.page("birth.html", status, values=values, wrong=wrong or [], choice=choice)


def _title(chart: Chart, language: str) -> str:
    """The title of a chart until its owner names it."""
    born = chart.birth
    place = f" {name_shown(born.place.ref, born.place.name, language)}" if born and born.place else ""
    when = (
        ""
        if born is None
        else f"{born.civil:%Y-%m-%d}" + ("" if born.hour_unknown else f" {born.civil:%H:%M}")
    )
    return f"{when}{place}"[:LONGEST_TITLE]


def _id(request: PageRequest) -> str:
    found = request.path_params["id"]
    if not _UUID.fullmatch(found):
        raise Trouble(404)
    return found.lower()
