"""六爻: a question, six lines that are thrown or tapped, and the board.

Nothing is stored for somebody who is not signed in: the address of a board holds the lines and the time, from which it is
made again. The question is not in it, since addresses are copied, kept in histories and written to logs on the way; it lies
in a cookie of the browser until that is closed, under the address of its board, and comes into the address only by a link
that says so. A cast of somebody who is signed in is kept with the charts.

A page with a form names its site to it (`Referrer-Policy: same-origin`): with `no-referrer` browsers send the form without
its origin, by which forms are known. Other sites are told nothing either way.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from typing import Any

from starlette.responses import Response

from bazi_core.liuyao.cast import Commitment
from bazi_hub.divination.request import LONGEST_QUESTION
from bazi_hub.pages import cast_view, casts
from bazi_hub.pages.casts import BadCast, PageCast, Wrong
from bazi_hub.pages.charts import DAY_S, LONGEST_TITLE, MOST_SAVED
from bazi_hub.pages.purchase import number_of
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.people.identity import cookies_of
from bazi_hub.ports import Account, Conflict, Saved
from bazi_hub.ports.runs import TOOL
from bazi_hub.words.call import compact
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

QUESTION_COOKIE = "bazi_question"
# Throws of one network in a minute.
MOST_THROWS, MINUTE_S = 60, 60
# Casts that are listed under the form, and how many kept items are looked through for them.
LISTED, LOOKED_THROUGH = 10, 60
# Where a visitor's clock is taken to be until he says otherwise; the script asks the browser.
USUAL_PLACE = {"zh-Hans": "北京", "zh-Hant": "臺北", "en": ""}
USUAL_ZONE = {"zh-Hans": "Asia/Shanghai", "zh-Hant": "Asia/Taipei", "en": ""}
# A board is for the one who has its address.
PRIVATE = {"X-Robots-Tag": "noindex", "Cache-Control": "private, no-store"}


async def form(request: PageRequest) -> Response:
    values = {**casts.fields({}), "place": USUAL_PLACE[request.language]}
    return await _form(request, values, fresh=True)


async def throw(request: PageRequest) -> Response:
    """A cast: thrown here with the visitor's words, or tapped."""
    request.require_room()
    values, by_hand = casts.fields(request.form), request.form.get("how") == "lines"
    secrets, now_ms = request.site.identity.secrets, request.site.hub.clock.now_ms()
    number = casts.committed(secrets, values["token"], now_ms)
    if not by_hand:
        # The time of a throw is that at which it is made.
        values["when"] = ""
    wrong, at = await _wrong(request, values, by_hand, now_ms)
    if wrong:
        request.count_refused()
        return await _form(request, values, wrong, by_hand)
    if number is None:
        return await _form(request, values, [Wrong("words", "liuyao.wrong.token")], by_hand)
    cast = _cast(values, at, by_hand, number)
    if request.account is not None:
        seen = cast._replace(seen=bool(cast.seed))
        return await _keep(request, request.account, seen, values["token"])
    if not by_hand and not await _first_use(request, values["token"]):
        return await _form(request, values, [Wrong("words", "liuyao.wrong.used")], by_hand)
    return _to_board(request, cast)


async def board(request: PageRequest) -> Response:
    """The board of an address."""
    cast = _of_query(request)
    in_address = bool(cast.question)
    if not in_address:
        cast = cast._replace(question=_remembered(request, cast))
    view = await request.compute(lambda: cast_view.cast_view(cast, request.language))
    price = (await request.site.hub.storage.pricing.all()).get(TOOL)
    response = request.page(
        "board.html",
        private=True,
        cast=cast,
        view=view,
        in_address=in_address,
        cost=price.credit_cost if price is not None and price.enabled else None,
        kinds=cast_view.kind_choices(request.language),
        wanted=request.wanted(),
        base=request.base,
        most_question=LONGEST_QUESTION,
    )
    return _private(response)


async def ask(request: PageRequest) -> Response:
    """The board with another question or kind, or, of somebody who is signed in, among what is kept."""
    request.require_room()
    try:
        cast = casts.of_query({**request.form, "q": request.form.get("question", "")})
    except BadCast:
        request.count_refused()
        raise Trouble(400, "board") from None
    if request.account is not None and "keep" in request.form:
        return await _keep(request, request.account, cast, cast.query(question=True))
    return _to_board(request, cast)


async def record(request: PageRequest) -> Response:
    """The record of a cast as a file, as `bazi liuyao verify` reads it."""
    text = compact(_of_query(request).record.to_dict())
    return _file(Response(text, media_type="application/json"), "cast.json")


async def picture(request: PageRequest) -> Response:
    """The board as a picture that stands alone."""
    cast, theme = _of_query(request), "dark" if request.theme == "dark" else "light"
    drawn = await request.compute(lambda: cast_view.card(cast, request.language, theme))
    return _file(Response(drawn, media_type="image/svg+xml"), "cast.svg")


def _file(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return _private(response)


def _private(response: Response) -> Response:
    response.headers.update(PRIVATE)
    return response


def _of_query(request: PageRequest) -> PageCast:
    try:
        return casts.of_query(request.query)
    except BadCast:
        raise Trouble(400, "board") from None


# --- the form ---


async def _form(
    request: PageRequest,
    values: dict[str, str],
    wrong: list[Wrong] | None = None,
    by_hand: bool = False,
    fresh: bool = False,
) -> Response:
    """The form with a new fingerprint, which is published by this."""
    hub, found = request.site.hub, wrong or []
    offered = casts.offered(request.site.identity.secrets, hub.ids, hub.clock.now_ms())
    price = (await hub.storage.pricing.all()).get(TOOL)
    lang = request.language
    return _private(
        request.page(
            "liuyao.html",
            400 if found else 200,
            values={**values, "token": offered.token},
            fingerprint=offered.fingerprint,
            wrong=[(each.field, request.say(each.key, **each.values)) for each in found],
            first=found[0].field if found else "",
            by_hand=by_hand,
            zone=USUAL_ZONE[lang] if fresh else None,
            kinds=cast_view.kind_choices(lang),
            choices=cast_view.line_choices(lang),
            places=cast_view.places(lang),
            cost=price.credit_cost if price is not None and price.enabled else None,
            before=await _before(request),
            most_question=LONGEST_QUESTION,
        )
    )


async def _wrong(
    request: PageRequest, values: dict[str, str], by_hand: bool, now_ms: int
) -> tuple[list[Wrong], str]:
    """What is wrong with a form, in the order of its fields, and the time of the cast."""
    found = []
    if casts.read_question(values["question"]) is None:
        found.append(Wrong("question", "liuyao.wrong.question", {"number": LONGEST_QUESTION}))
    if values["type"] not in ("", *casts.kinds()):
        found.append(Wrong("type", "liuyao.wrong.type"))
    at = await request.compute(lambda: casts.time_of(values, now_ms))
    if isinstance(at, Wrong):
        found.append(at)
        at = ""
    if by_hand:
        open_lines = casts.missing(values)
        gap = ", " if request.language == "en" else "、"
        named = gap.join(name for n, name in reversed(cast_view.places(request.language)) if n in open_lines)
        if open_lines:
            found.append(Wrong(f"y{open_lines[0]}", "liuyao.wrong.lines", {"lines": named}))
    elif not values["words"]:
        found.append(Wrong("words", "liuyao.wrong.words"))
    elif not casts.are_words(cleaned(values["words"])):
        found.append(Wrong("words", "liuyao.wrong.words.long"))
    return found, at


def _cast(values: dict[str, str], at: str, by_hand: bool, number: Commitment) -> PageCast:
    question = casts.read_question(values["question"]) or ""
    if by_hand:
        lines = "".join(values[f"y{n}"] for n in range(1, casts.COUNT + 1))
        return PageCast(lines, at, values["type"], question)
    words = cleaned(values["words"])
    lines = "".join(map(str, number.reveal(words).values))
    return PageCast(lines, at, values["type"], question, number.server_seed.hex(), words)


async def _first_use(request: PageRequest, token: str) -> bool:
    """Whether a number is thrown with for the first time; whoever throws again knows it. `Trouble` for a flood."""
    limits, secrets = request.site.limits, request.site.identity.secrets
    network = secrets.seal("throws", request.customer)
    taken = await limits.take(f"throws:{network}", MOST_THROWS, MINUTE_S)
    if not taken.allowed:
        raise Trouble(429, "throws", taken.reset_s)
    bucket = f"throw:{hashlib.sha256(token.encode()).hexdigest()}"
    return not await limits.acquire(bucket, "thrown", 1, casts.GOOD_FOR_MS / 1000)


async def _before(request: PageRequest) -> list[dict[str, Any]]:
    """The casts that a member keeps, the newest first."""
    if request.account is None:
        return []
    found = await request.site.hub.storage.charts.of(request.account.id, LOOKED_THROUGH)
    kept = [each for each in found if each.kind == "cast"][:LISTED]
    return [{"id": each.id, "title": each.title, "saved": iso(each.created_ms)} for each in kept]


# --- where a cast goes ---


async def _keep(request: PageRequest, account: Account, cast: PageCast, nonce: str) -> Response:
    """Keeps a cast, once for a form, and leads to it."""
    hub = request.site.hub
    number = number_of(account.id, nonce, TOOL, {})
    if await hub.storage.charts.get(number, account.id) is None:
        taken = await request.site.limits.take(f"casts:{account.id}", MOST_SAVED, DAY_S)
        if not taken.allowed:
            raise Trouble(429, "casts", taken.reset_s)
        title = cast.question or await request.compute(
            lambda: cast_view.title_of(cast.analysis(), request.language)
        )
        saved = Saved(number, account.id, "cast", title[:LONGEST_TITLE], cast.body(), hub.clock.now_ms())
        with suppress(Conflict):
            await hub.storage.charts.add(saved)
    response = request.go(f"/c/{number}")
    return _forgetting(request, response)


def _to_board(request: PageRequest, cast: PageCast) -> Response:
    """On to the address of a board; its question goes into the browser's own keeping."""
    response = request.go(f"/liuyao/board?{cast.query()}")
    if not cast.question:
        return _forgetting(request, response)
    kept = base64.urlsafe_b64encode(cast.question.encode()).decode()
    _set(request, response, f"{_tag(cast)}.{kept}", None)
    return response


def _forgetting(request: PageRequest, response: Response) -> Response:
    if QUESTION_COOKIE in cookies_of(request.exchange.headers):
        _set(request, response, "", 0)
    return response


def _set(request: PageRequest, response: Response, value: str, age_s: int | None) -> None:
    response.set_cookie(
        QUESTION_COOKIE, value, max_age=age_s, path=request.at("/liuyao"), secure=request.site.secure(request.exchange),
        httponly=True, samesite="lax",
    )  # fmt: skip


def _remembered(request: PageRequest, cast: PageCast) -> str:
    """The question that this browser asked of a board; empty without one."""
    cookie = cookies_of(request.exchange.headers).get(QUESTION_COOKIE, "")
    tag, _, kept = cookie.strip('"').partition(".")
    if tag != _tag(cast):
        return ""
    with suppress(ValueError):
        return casts.read_question(base64.urlsafe_b64decode(kept).decode()) or ""
    return ""


def _tag(cast: PageCast) -> str:
    """What tells one board from another."""
    return hashlib.sha256(cast._replace(kind="").query().encode()).hexdigest()[:16]
