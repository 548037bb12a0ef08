"""The pages of the hub: a form for a birth, charts and readings that are kept, the forum, the account and its money.

Rendered on the server, in Simplified and Traditional Chinese and English, and complete without a script: the one there is
suggests places as one types, tells that a form is at work and how far a reading is, shows times on the reader's clock and
copies what is to be copied. A page reaches the tools through the same pipeline as every other client; what a signed-in
person may buy is what a personal key may.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from bazi_hub.http.exchange import Pace, Routed
from bazi_hub.http.operations import Monitor
from bazi_hub.pages import (
    account,
    almanac,
    billing,
    charts,
    divining,
    docs,
    forum,
    liuyao,
    readings,
    signing,
    status,
    years,
)
from bazi_hub.pages.page import Page
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.site import SCRIPT, STYLE, Parts, Site

Handler = Callable[[PageRequest], Awaitable[Response]]

# Every page: its path, what GET shows, what POST does.
PAGES: tuple[tuple[str, Handler | None, Handler | None], ...] = (
    ("/", charts.birth_form, None),
    ("/places", charts.places, None),
    ("/chart", charts.chart, None),
    ("/chart.svg", charts.picture, None),
    ("/chart.pdf", charts.pdf, None),
    ("/chart.json", charts.data, None),
    ("/chart.txt", charts.context, None),
    ("/p/{signs}", charts.open_page, None),
    ("/p/{signs}/{gender}", charts.open_page, None),
    ("/p/{signs}/{gender}/{since}", charts.open_page, None),
    ("/c", charts.kept, charts.save),
    ("/c/{id}", charts.saved_page, None),
    ("/c/{id}/pdf", charts.saved_pdf, None),
    ("/c/{id}/share", None, charts.share),
    ("/c/{id}/unshare", None, charts.unshare),
    ("/c/{id}/delete", None, charts.delete),
    ("/c/{id}/reading", readings.offers, readings.buy),
    ("/c/{id}/divination", divining.follow, divining.buy),
    ("/c/{id}/reading/question", None, readings.listen),
    ("/s/{token}", charts.shared, None),
    ("/years", years.years, None),
    ("/year", years.year, None),
    ("/almanac", almanac.month, None),
    ("/almanac/day", almanac.day, None),
    ("/almanac/days", almanac.search, None),
    ("/liuyao", liuyao.form, liuyao.throw),
    ("/liuyao/board", liuyao.board, liuyao.ask),
    ("/liuyao/cast.json", liuyao.record, None),
    ("/liuyao/cast.svg", liuyao.picture, None),
    ("/forum", forum.posts, None),
    ("/forum.rss", forum.feed, None),
    ("/forum/new", forum.post_form, forum.create_post),
    ("/forum/{id}", forum.post, None),
    ("/forum/{id}/comments", None, forum.create_comment),
    ("/forum/{id}/like", None, forum.like),
    ("/billing", billing.overview, None),
    ("/billing/keys", None, billing.issue),
    ("/billing/keys/revoke", None, billing.revoke),
    ("/signup", signing.signup_form, signing.sign_up),
    ("/login", signing.login_form, signing.sign_in),
    ("/logout", None, signing.sign_out),
    ("/account", account.overview, account.change),
    ("/account/password", None, account.change_password),
    ("/account/sessions", None, account.end_sessions),
    ("/account/export", None, account.export),
    ("/account/erase", None, account.erase_account),
    ("/docs/api", docs.api, None),
    ("/status", status.overview, None),
)


def pages(parts: Parts, *, pace: Pace | None = None, monitor: Monitor | None = None) -> list[BaseRoute]:
    """The routes of all pages, with what stands at no other path last."""
    site = Site(parts, pace or Pace(), monitor or Monitor())
    routes: list[BaseRoute] = [Route(path, Routed(Page(site, get, post))) for path, get, post in PAGES]
    routes += [Route(asset.path, asset.response, methods=["GET"]) for asset in (STYLE, SCRIPT)]
    return [*routes, _Elsewhere("/{path:path}", Routed(Page(site, _nothing)))]


class _Elsewhere(Route):
    """Every path without a page, but for those of the API, which answers in its own way."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        found, child = super().matches(scope)
        path = child.get("path_params", {}).get("path", "")
        return (Match.NONE, {}) if path == "api" or path.startswith("api/") else (found, child)


async def _nothing(request: PageRequest) -> Response:
    raise Trouble(404)
