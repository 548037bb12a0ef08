"""Charts: made for anybody and forgotten, kept for whoever is signed in, shown to others by a link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bazi_core.place.display import name_shown
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages import birth
from bazi_hub.pages.chart_view import chart_view, reading_view, saved_chart
from bazi_hub.pages.visit import Trouble
from bazi_hub.people.keys import token_hash
from bazi_hub.ports import Saved
from bazi_hub.tools.forum import UUID
from bazi_hub.words.errors import HubError
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

if TYPE_CHECKING:
    from starlette.responses import Response

    from bazi_core.face import Chart
    from bazi_hub.pages.visit import Visit
    from bazi_hub.ports import Kept
    from bazi_hub.ports.charts import Position

LONGEST_TITLE = 80
LISTED = 20
# Nobody saves more by hand; a program that does fills the disk of a hub on which signing up is open.
MOST_SAVED, DAY_S = 100, 86_400
TOKEN_BYTES = 16
_TOKEN = re.compile(f"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
_UUID = re.compile(UUID["pattern"])
# Milliseconds that fit a database's integer, and an id.
_POSITION = re.compile(f"([0-9]{{1,15}})-({UUID['pattern'].strip('^$')})")


async def birth_form(visit: Visit) -> Response:
    return _form(visit, birth.fields({}))


async def cast_chart(visit: Visit) -> Response:
    """The chart of a birth. Nothing of it is stored."""
    values = birth.fields(visit.form)
    try:
        chart = await _made(visit, values)
    except HubError as error:
        return _asked_again(visit, values, error)
    now_ms = visit.site.hub.clock.now_ms()
    view = await visit.compute(lambda: chart_view(chart, visit.language, now_ms))
    return visit.page("chart.html", chart=view, values=values, title=_title(chart, visit.language))


async def save(visit: Visit) -> Response:
    """Keeps the chart of a birth under a title."""
    account = visit.member()
    values = birth.fields(visit.form)
    try:
        chart = await _made(visit, values)
    except HubError as error:
        return _asked_again(visit, values, error)
    taken = await visit.site.limits.take(f"charts:{account.id}", MOST_SAVED, DAY_S)
    if not taken.allowed:
        raise Trouble(429, "charts", taken.reset_s)
    title = cleaned(visit.form.get("title", ""))[:LONGEST_TITLE] or _title(chart, visit.language)
    body = await visit.compute(chart.to_json)
    hub = visit.site.hub
    saved = Saved(hub.ids.uuid(), account.id, "chart", title, body, hub.clock.now_ms())
    await hub.storage.charts.add(saved)
    return visit.go(f"/c/{saved.id}")


async def kept(visit: Visit) -> Response:
    """What is kept, newest first. A page is told by where the one before it ended, so that none moves while it is read."""
    account = visit.member()
    below = _below(visit.query.get("below"))
    found = await visit.site.hub.storage.charts.of(account.id, LISTED + 1, below)
    rows = [_row(each) for each in found[:LISTED]]
    older = "-".join(map(str, found[LISTED - 1].position)) if len(found) > LISTED else None
    return visit.page("kept.html", rows=rows, below=below, older=older)


def _row(each: Kept) -> dict[str, Any]:
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


async def chart(visit: Visit) -> Response:
    return await _owned(visit)


async def shared(visit: Visit) -> Response:
    """What somebody opened to whoever has the link: to be read, not found."""
    token = visit.path_params["token"]
    known = _TOKEN.fullmatch(token)
    found = await visit.site.hub.storage.charts.shared(token_hash(token)) if known else None
    if found is None:
        raise Trouble(404)
    response = await _shown(visit, found, open=True)
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def share(visit: Visit) -> Response:
    """A new link, which this page shows and no other ever does; an older one is closed."""
    account, hub = visit.member(), visit.site.hub
    token = hub.ids.secret(TOKEN_BYTES).hex()
    chart_id = _id(visit)
    if not await hub.storage.charts.share(chart_id, account.id, token_hash(token), hub.clock.now_ms()):
        raise Trouble(404)
    return await _owned(visit, f"{visit.base}/s/{token}")


async def unshare(visit: Visit) -> Response:
    account, chart_id = visit.member(), _id(visit)
    if not await visit.site.hub.storage.charts.unshare(chart_id, account.id):
        raise Trouble(404)
    return visit.go(f"/c/{chart_id}?closed=1")


async def delete(visit: Visit) -> Response:
    account = visit.member()
    if not await visit.site.hub.storage.charts.delete(_id(visit), account.id):
        raise Trouble(404)
    return visit.go("/c")


async def owned(visit: Visit) -> Saved:
    """The chart or reading of the path, if it belongs to whoever asks."""
    account = visit.member()
    found = await visit.site.hub.storage.charts.get(_id(visit), account.id)
    if found is None:
        raise Trouble(404)
    return found


async def _owned(visit: Visit, link: str | None = None) -> Response:
    saved = await owned(visit)
    since = await visit.site.hub.storage.charts.shared_ms(saved.id, saved.account_id)
    return await _shown(visit, saved, link=link, shared=None if since is None else iso(since))


async def _shown(
    visit: Visit, saved: Saved, *, open: bool = False, link: str | None = None, shared: str | None = None
) -> Response:
    """`open`: as whoever has the link sees it. To its owner a new link is shown, or since when one is there."""
    values: dict[str, Any] = {"open": open, "link": link, "shared": shared}
    values["closed"] = "closed" in visit.query
    if saved.kind == "reading":
        return await reading_page(visit, saved, **values)
    now_ms = visit.site.hub.clock.now_ms()
    view = await visit.compute(lambda: chart_view(saved_chart(saved), visit.language, now_ms))
    return visit.page("saved.html", chart=view, saved=saved, **values)


async def reading_page(visit: Visit, saved: Saved, **values: Any) -> Response:
    """A reading; without more values, of one that is not kept, there is nothing to be done with it."""
    reading = await visit.compute(lambda: reading_view(saved.body, visit.language))
    return visit.page(
        "reading.html", reading=reading, saved=saved, kept=bool(values), **{"open": False, **values}
    )


async def _made(visit: Visit, values: dict[str, str]) -> Chart:
    """The chart of the form's fields; `HubError` with what is wrong with them."""
    visit.require_room()
    try:
        made: Chart = await visit.compute(lambda: birth.chart_of(birth.arguments(values)))
    except Exception as error:
        refused = hub_error(birth.CHART_TOOL, error)
        if refused is not None:
            visit.count_refused()
        raise refused or error from None
    return made


def _asked_again(visit: Visit, values: dict[str, str], error: HubError) -> Response:
    if error.name != "INVALID_INPUT":
        raise error
    wrong, choice = birth.said(error, visit.language), birth.choice(error, visit.language)
    return _form(visit, {**values, "ref": "", "fold": ""}, 400, wrong, choice)


def _form(
    visit: Visit,
    values: dict[str, str],
    status: int = 200,
    wrong: list[birth.Wrong] | None = None,
    choice: birth.Choice | None = None,
) -> Response:
    return visit.page("birth.html", status, values=values, wrong=wrong or [], choice=choice)


def _title(chart: Chart, language: str) -> str:
    """What a chart is called until its owner says otherwise."""
    born = chart.birth
    place = f" {name_shown(born.place.ref, born.place.name, language)}" if born and born.place else ""
    when = (
        ""
        if born is None
        else f"{born.civil:%Y-%m-%d}" + ("" if born.hour_unknown else f" {born.civil:%H:%M}")
    )
    return f"{when}{place}"[:LONGEST_TITLE]


def _id(visit: Visit) -> str:
    found = visit.path_params["id"]
    if not _UUID.fullmatch(found):
        raise Trouble(404)
    return found.lower()
