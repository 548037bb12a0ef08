"""Charts: shown to every visitor under an address and forgotten, saved for members, shown to others by a link.

The form asks by GET, and `/chart` leads to the one address of its chart. Nothing is stored on the way, and no line of a log
holds a query. A page with a birth in its address is private: no search engine keeps it, no cache between shares it, and a
link from it tells no other site where one comes from.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import Response

from bazi_core.errors import PlaceNotFound
from bazi_core.face import Chart
from bazi_core.place.completion import complete
from bazi_core.school import OPTIONS
from bazi_core.tables.words import label
from bazi_hub.pages import birth, printing
from bazi_hub.pages.address import (
    CHOICES,
    FIELDS,
    LONGEST_FIELD,
    SCHOOLS,
    Fields,
    address,
    address_of_saved,
    chart_of,
    fields,
    open_chart,
    open_path,
    place_of,
    query_text,
)
from bazi_hub.pages.cast_page import cast_page
from bazi_hub.pages.chart_page import chart_page, example, title_of
from bazi_hub.pages.chart_view import saved_chart
from bazi_hub.pages.reading_page import pdf as pdf_of_reading
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
LONGEST_YEAR = 4
LISTED = 20
# Nobody saves more by hand; a program that does fills the disk of a hub on which signing up is open.
MOST_SAVED, DAY_S = 100, 86_400
# Somebody who types asks for places a few times a second.
MOST_PLACES, MINUTE_S = 240, 60
TOKEN_BYTES = 16
_TOKEN = re.compile(f"[0-9a-f]{{{2 * TOKEN_BYTES}}}")
_UUID = re.compile(UUID["pattern"])
# Milliseconds that fit a database's integer, and an id.
_POSITION = re.compile(f"([0-9]{{1,15}})-({UUID['pattern'].strip('^$')})")
# What a query may hold beside the chart.
_OF_PAGES = ("lang", "theme")
# The fields that stand folded.
MORE = ("school", *CHOICES, "lon", "lat", "tz")
# The example beside the form.
EXAMPLE = {"t": "1990-05-15T13:30", "p": "cn:110000", "g": "m"}


async def birth_form(request: PageRequest) -> Response:
    return _form(request, fields({}))


async def places(request: PageRequest) -> Response:
    """A part of the form: places for what is being typed."""
    typed = request.query.get("place", "").strip()[:LONGEST_FIELD]
    taken = await request.site.limits.take(f"places:{request.owner}", MOST_PLACES, MINUTE_S)
    if not taken.allowed:
        raise Trouble(429, "often", taken.reset_s)
    found = await request.compute(lambda: birth.suggestions(complete(typed), request.language))
    response = request.page("places.html", found=found, typed=typed, alone=True)
    return _private(request, response)


async def chart(request: PageRequest) -> Response:
    """The page of a chart at its address; every other way to say it leads there."""
    asked = request.query
    if not any(name in asked for name in ("t", *FIELDS)):
        return request.go("/")
    values = fields(asked)
    try:
        found = await _chart_of(request, values)
    except HubError as error:
        return _asked_again(request, values, error)
    query = address(found, values)
    assert query is not None, "the form states no chart that has no address"
    if _stated(request) != list(query.items()):
        return _private(request, request.go(f"/chart?{query_text(query)}"))
    return await _shown(request, found, query)


def _stated(request: PageRequest) -> list[tuple[str, str]]:
    """What the query says, in its order, beside language and colours."""
    query = request.exchange.scope.get("query_string", b"").decode("ascii")
    return [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in _OF_PAGES]


async def _shown(request: PageRequest, found: Chart, query: Fields) -> Response:
    now_ms = request.site.hub.clock.now_ms()
    view = await request.compute(lambda: chart_page(found, request.language, now_ms, query))
    return _private(
        request,
        request.page(
            "chart.html",
            chart=view,
            query=query,
            **_ways(request, found, query),
            title=title_of(found, request.language)[:LONGEST_TITLE],
            private=True,
        ),
    )


def _ways(request: PageRequest, found: Chart, query: Fields | None) -> dict[str, Any]:
    """The addresses that the page of a chart leads to; none of those with the birth without a query."""
    path, told = open_path(found), query_text(query) if query else ""
    return {
        "asked": told,
        "own_link": f"{request.base}/chart?{told}" if query else None,
        "open_link": f"{request.base}{path}" if path else None,
        "hours": _without_hour(query) if query and "T" in query["t"] else None,
        "pdf": printing.has_pdf(),
    }


def _without_hour(query: Fields) -> str:
    """The query of the same day with its hour unknown."""
    return query_text(
        {name: value[:10] if name == "t" else value for name, value in query.items() if name != "fold"}
    )


def _private(request: PageRequest, response: Response) -> Response:
    """A response with a birth in its address. For a member it has forms, which a browser without a referrer sends without
    an origin too: there nothing leaves the site either."""
    response.headers["Cache-Control"] = "private"
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Referrer-Policy"] = "same-origin" if request.account else "no-referrer"
    return response


# --- downloads


async def picture(request: PageRequest) -> Response:
    found = await _chart_of(request, fields(request.query))
    drawn = await request.compute(lambda: found.svg(request.language))
    return _file(request, found, drawn, "image/svg+xml", "svg")


async def data(request: PageRequest) -> Response:
    found = await _chart_of(request, fields(request.query))
    told = await request.compute(lambda: found.to_json(lang=request.language))
    return _file(request, found, told, "application/json", "json")


async def context(request: PageRequest) -> Response:
    """What a model of one's own needs to know of the chart."""
    found = await _chart_of(request, fields(request.query))
    today = iso(request.site.hub.clock.now_ms())[:10]
    told = await request.compute(lambda: found.to_context(request.language, as_of=today))
    return _file(request, found, told, "text/plain", "txt")


async def pdf(request: PageRequest) -> Response:
    """The chart as a page of A4, where the hub can set one."""
    found = await _chart_of(request, fields(request.query))
    today = iso(request.site.hub.clock.now_ms())[:10]
    made = await printing.printed(request, lambda: found.pdf(request.language, as_of=today))
    return _file(request, found, made, "application/pdf", "pdf")


def _file(request: PageRequest, found: Chart, body: str | bytes, kind: str, ending: str) -> Response:
    """A file to be kept; its name tells no birth."""
    named = f'attachment; filename="bazi-{found.digest[:8]}.{ending}"'
    return _private(request, Response(body, media_type=kind, headers={"Content-Disposition": named}))


# --- without the birth


async def open_page(request: PageRequest) -> Response:
    """A chart by its pillars, for whoever has the link."""
    parts = [request.path_params.get(name, "") for name in ("signs", "gender", "since")]
    request.require_room()
    try:
        found = open_chart(*parts)
    except LookupError:
        request.count_refused()
        raise Trouble(404) from None
    now_ms = request.site.hub.clock.now_ms()
    view = await request.compute(lambda: chart_page(found.chart, request.language, now_ms, None, found))
    link = f"{request.base}/p/{'/'.join(filter(None, parts))}"
    return _private(request, request.page("open.html", chart=view, link=link, private=True))


# --- saved


async def save(request: PageRequest) -> Response:
    """Keeps the chart of an address under a title; `then` leads on to its readings, with `year` to that of a year."""
    account = request.member()
    values = fields(request.form)
    try:
        found = await _chart_of(request, values)
    except HubError as error:
        return _asked_again(request, values, error)
    taken = await request.site.limits.take(f"charts:{account.id}", MOST_SAVED, DAY_S)
    if not taken.allowed:
        raise Trouble(429, "charts", taken.reset_s)
    usual = title_of(found, request.language)
    title = (cleaned(request.form.get("title", "")) or usual)[:LONGEST_TITLE]
    body = await request.compute(found.to_json)
    hub = request.site.hub
    saved = Saved(hub.ids.uuid(), account.id, "chart", title, body, hub.clock.now_ms())
    await hub.storage.charts.add(saved)
    year = request.form.get("year", "")
    asked = (
        f"?kind=year&year={year}" if year.isascii() and year.isdigit() and len(year) <= LONGEST_YEAR else ""
    )
    return request.go(
        f"/c/{saved.id}/reading{asked}" if request.form.get("then") == "reading" else f"/c/{saved.id}"
    )


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


async def saved_page(request: PageRequest) -> Response:
    return await _owned(request)


async def saved_pdf(request: PageRequest) -> Response:
    return await pdf_of_reading(request, await owned(request))


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
    if saved.kind == "cast":
        return await cast_page(request, saved, **values)
    found = await request.compute(lambda: saved_chart(saved))
    query = None if open else await request.compute(lambda: address_of_saved(found))
    now_ms = request.site.hub.clock.now_ms()
    view = await request.compute(lambda: chart_page(found, request.language, now_ms, query))
    ways = _ways(request, found, query)
    return request.page("saved.html", chart=view, saved=saved, query=query, **ways, **values)


async def _chart_of(request: PageRequest, values: Fields) -> Chart:
    """The chart of the fields; `HubError` with their issues."""
    request.require_room()
    try:
        made: Chart = await request.compute(lambda: chart_of(values))
    except HubError:
        request.count_refused()
        raise
    return made


def _asked_again(request: PageRequest, values: Fields, error: HubError) -> Response:
    if error.name != "INVALID_INPUT":
        raise error
    language, doubt = request.language, birth.place_doubt(place_of(values))
    wrong = birth.said(error, doubt, language)
    if not any(each.question == "place" for each in wrong):
        doubt = None
    choice = {
        # A place that was chosen stays chosen, whatever else is wrong.
        "found": birth.places_meant(doubt, language) or birth.chosen(values, language),
        "near": isinstance(doubt, PlaceNotFound),
        "folds": birth.folds(error, language),
    }
    response = _form(request, {**values, "fold": ""}, 400, wrong, **choice)
    return _private(request, response)


def _form(
    request: PageRequest,
    values: Fields,
    status: int = 200,
    wrong: list[birth.Wrong] | None = None,
    **choice: Any,
) -> Response:
    return request.page(
        "birth.html",
        status,
        values=values,
        typed=values["place"],
        wrong=wrong or [],
        **{"found": [], "near": False, "folds": [], **choice},
        example=example(request.language),
        example_query=query_text(EXAMPLE),
        schools=SCHOOLS,
        choices=CHOICES,
        options=OPTIONS,
        words=_words(request),
        unfolded=any(values[name] for name in MORE) or any(each.field in MORE for each in wrong or ()),
    )


def _words(request: PageRequest) -> dict[str, str]:
    """The words for the values of the form's choices, most of them the core's."""
    lang = request.language
    words = {f"school.{name}": label(f"word.{name}", lang) for name in SCHOOLS}
    words |= {f"basis.{value}": label(f"value.time_basis.{value}", lang) for value in OPTIONS["time_basis"]}
    words |= {f"turn.{value}": value for value in OPTIONS["day_boundary"]}
    return words | {f"zi.{value}": request.say(f"birth.zi.{value}") for value in OPTIONS["late_zi_hour_stem"]}


def _id(request: PageRequest) -> str:
    found = request.path_params["id"]
    if not _UUID.fullmatch(found):
        raise Trouble(404)
    return found.lower()
