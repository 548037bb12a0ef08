"""Readings of a chart that is kept: what each costs before the button, and buying it.

A reading is one call of a tool, with the objects it rests on computed from the chart. The form carries a number of its own;
from it and from what is wished the purchase has its number, which is in the idempotency key of the call and is the id under
which the reading is kept, like a chart. So a form that is sent twice, by two fingers or a broken connection, buys once, and
whoever knows the number of a purchase finds the reading, on its way or there.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from starlette.responses import Response

from bazi_core.errors import shown
from bazi_core.face import Chart
from bazi_core.speech.speaker import TONES
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages.billing import prices
from bazi_hub.pages.chart_view import saved_chart
from bazi_hub.pages.charts import LONGEST_TITLE, owned, reading_page
from bazi_hub.pages.purchase import Purchase, Tell, begun, call_of, key_of, number_of, under_way
from bazi_hub.pages.refusal import Refusal, of_trouble
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.ports import UUID_FORM, Conflict, Saved
from bazi_hub.tools.births import YEARS
from bazi_hub.tools.fortune import MOST_QUESTION
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.call import Call, Outcome
from bazi_hub.words.errors import Issue

LONGEST_NONCE = 64
LOOK_EVERY_S = 1.0
_YEAR = re.compile("[0-9]{1,4}")


class ReadingOffer(NamedTuple):
    """Something to buy: the tool, and its arguments for a chart and a form."""

    kind: str
    tool: str
    yearly: bool
    arguments: Callable[[Chart, dict[str, str], str], dict[str, Any]]


def _pattern(chart: Chart, form: dict[str, str], language: str) -> dict[str, Any]:
    return {"base_context": chart.to_dict(), "language": language}


def _year(chart: Chart, form: dict[str, str], language: str) -> dict[str, Any]:
    return {
        "base_context": chart.to_dict(),
        "pattern_result": chart.pattern().to_dict(),
        "target_year": _target(form),
    }


def _words(chart: Chart, form: dict[str, str], language: str) -> dict[str, Any]:
    question, tone = form.get("question", "").strip(), form.get("tone", "neutral")
    return {
        "year_analysis_result": chart.year(_target(form)).to_dict(),
        "pattern_result": chart.pattern().to_dict(),
        "language": language,
        "tone": tone,
        **({"question": question} if question else {}),
    }


OFFERS = {
    offer.kind: offer
    for offer in (
        ReadingOffer("pattern", "bazi_pattern_analysis", False, _pattern),
        ReadingOffer("year", "bigluck_year_analysis", True, _year),
        ReadingOffer("words", "bigluck_year_fortune_eval", True, _words),
    )
}


async def offers(request: PageRequest) -> Response:
    """The page of offers for a chart, with prices and balance, or of a purchase by its number."""
    saved = await owned(request)
    if "of" not in request.query:
        return await _offers(request, saved)
    return await _bought_before(request, saved) or await _offers(request, saved, _not_there(request))


async def buy(request: PageRequest) -> Response:
    """One reading, paid once however often its button is pressed; what is refused is told above the button."""
    saved, hub, form = await owned(request), request.site.hub, request.form
    offer = OFFERS.get(form.get("kind", ""))
    if offer is None or saved.kind != "chart":
        raise Trouble(404)
    request.require_room()
    try:
        arguments = await request.compute(lambda: offer.arguments(saved_chart(saved), form, request.language))
    except Exception as error:
        refused = hub_error(hub.catalog[offer.tool], error)
        if refused is None:
            raise
        request.count_refused()
        return await _offers(request, saved, request.refusal(refused))
    number = number_of(saved.account_id, form.get("nonce", "")[:LONGEST_NONCE], offer.tool, arguments)
    request.tell("number", number)
    if await hub.storage.charts.get(number, saved.account_id):
        return request.go(f"/c/{number}")

    async def bought(tell: Tell) -> Outcome:
        tell("computed")
        call = Call(
            offer.tool, arguments, request.caller, request.exchange.id, key_of(number), transport="web"
        )
        outcome = await hub.call(call._replace(progress=tell))
        if outcome.call_id is not None:
            await _keep(request, saved, offer, number, outcome)
            tell("kept")
        return outcome

    purchase = under_way(hub, saved.account_id, number) or begun(hub, saved.account_id, number, bought)
    return await _followed(request, saved, offer, number, purchase)


async def _bought_before(request: PageRequest, saved: Saved) -> Response | None:
    """The way to a reading that was paid or is being made; None for an unknown number. Nothing is bought here."""
    offer, number = OFFERS.get(request.query.get("kind", "")), request.query.get("of", "")
    if offer is None or not re.fullmatch(UUID_FORM, number):
        return None
    hub = request.site.hub
    purchase = under_way(hub, saved.account_id, number)
    if purchase is not None:
        return await _followed(request, saved, offer, number, purchase)
    while not await hub.storage.charts.get(number, saved.account_id):
        call_id = await call_of(hub, saved.account_id, number, offer.tool)
        if call_id is None:
            return None
        captured = await hub.storage.ledger.result(call_id)
        if captured is not None:
            # Paid by a process that did not live to keep it.
            await _keep(request, saved, offer, number, Outcome(captured.result, undelivered=call_id))
        elif hub.draining:
            raise Trouble(503, retry_after=1)
        else:
            # Another process is at it.
            request.tell_phase("reading")
            await asyncio.sleep(LOOK_EVERY_S)
    return request.go(f"/c/{number}")


def _not_there(request: PageRequest) -> Refusal:
    """The refusal above the offers where the reading asked for is not known (any more); its status is 200."""
    return of_trouble(200, "no_reading", None, request.language, None)


async def _followed(
    request: PageRequest, saved: Saved, offer: ReadingOffer, number: str, purchase: Purchase
) -> Response:
    """A redirect to the reading when it is saved, or the offers with the refusal."""
    outcome = await purchase.followed(request.tell_phase)
    if outcome.error is not None:
        return await _offers(request, saved, request.refusal(outcome.error))
    if outcome.call_id is None:
        # One answer to distress more than are stored a day: it is given all the same.
        return await reading_page(request, _reading_of(request, saved, offer, number, outcome))
    return request.go(f"/c/{number}")


async def _keep(
    request: PageRequest, saved: Saved, offer: ReadingOffer, number: str, outcome: Outcome
) -> None:
    """Puts a reading where its buyer finds it, whether or not this answer arrives: it is delivered by that."""
    hub = request.site.hub
    with suppress(Conflict):
        await hub.storage.charts.add(_reading_of(request, saved, offer, number, outcome))
    if outcome.undelivered is not None:
        await hub.delivered(outcome.undelivered)


def _reading_of(
    request: PageRequest, saved: Saved, offer: ReadingOffer, number: str, outcome: Outcome
) -> Saved:
    """A reading of a chart, as it is kept."""
    body = outcome.result or ""
    [result] = json.loads(body).values()
    year = [str(result["target_year"])] if offer.yearly else []
    title = " · ".join((request.say(f"offer.{offer.kind}"), *year, saved.title))[:LONGEST_TITLE]
    return Saved(number, saved.account_id, "reading", title, body, request.site.hub.clock.now_ms())


async def _offers(request: PageRequest, saved: Saved, refusal: Refusal | None = None) -> Response:
    """All offers; the refused one with what was wished, and under its old number, so that it is paid once still."""
    if saved.kind != "chart":
        raise Trouble(404)
    hub = request.site.hub
    money = await request.ask("get_user_credits", {})
    by_tool = {each["tool"]: each for each in await prices(request, money)}
    usual = {
        "nonce": hub.ids.uuid(),
        "target_year": str(_this_year(request)),
        "tone": "neutral",
        "question": "",
    }
    refused = (request.form or request.query).get("kind") if refusal else None

    def offered(offer: ReadingOffer) -> tuple[ReadingOffer, dict[str, Any], dict[str, str], int | None]:
        form = {**usual, **(request.form if offer.kind == refused else {})}
        return offer, by_tool[offer.tool], form, _waits(request, offer)

    return request.page(
        "offers.html",
        refusal=refusal,
        refused=refused,
        saved=saved,
        money=money,
        offers=[offered(offer) for offer in OFFERS.values()],
        first_year=max(YEARS[0], _born(saved.body)),
        last_year=YEARS[1],
        tones=TONES,
        most_question=MOST_QUESTION,
        topup_url=request.site.settings.topup_url,
    )


def _waits(request: PageRequest, offer: ReadingOffer) -> int | None:
    """The seconds that it may take, where a model writes."""
    hub = request.site.hub
    asks = hub.remote and hub.catalog[offer.tool].reads
    return round(hub.settings.deadlines_s[offer.tool]) if asks else None


def _target(form: dict[str, str]) -> int:
    stated = form.get("target_year", "")
    if not _YEAR.fullmatch(stated):
        raise BadArguments(Issue("target_year", f"Not in the right form: {shown(stated)}"))
    return int(stated)


def _this_year(request: PageRequest) -> int:
    return datetime.fromtimestamp(request.site.hub.clock.now_ms() / 1000, UTC).year


def _born(body: str) -> int:
    """The year of a birth; the first of all where only pillars are known."""
    civil = json.loads(body)["input"].get("civil")
    return int(civil[:4]) if civil else YEARS[0]
