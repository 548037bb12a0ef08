"""Readings of a chart that is kept: what each costs before the button, buying it, and how far it is.

A reading is one call of a tool, with the objects it rests on computed from the chart. The form carries a number of its own;
from it and from what is wished the purchase has its number, which is in the idempotency key of the call and is the id under
which the reading is kept, like a chart. So a form that is sent twice, by two fingers or a broken connection, buys once, and
whoever knows the number of a purchase finds the reading, on its way or there.

A script hears how far it is; without one, a reading that takes more than a moment has a page that asks again by itself.
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

from bazi_core.alphabet import PILLARS
from bazi_core.errors import shown
from bazi_core.face import Chart
from bazi_core.render.phrases import pillars_text
from bazi_core.speech.reading import SENTENCES
from bazi_core.speech.speaker import TONES
from bazi_core.tables.words import label
from bazi_core.views.certainty import OPEN
from bazi_hub.calls.faults import hub_error
from bazi_hub.pages import events
from bazi_hub.pages.billing import prices
from bazi_hub.pages.chart_view import saved_chart
from bazi_hub.pages.charts import LONGEST_TITLE, owned
from bazi_hub.pages.heard import NOT_UNDERSTOOD, answerable, heard, only_year_of, year_of
from bazi_hub.pages.purchase import Purchase, Tell, begun, call_of, key_of, number_of, under_way
from bazi_hub.pages.reading_page import reading_page
from bazi_hub.pages.reading_view import kept_body, query_of
from bazi_hub.pages.refusal import Refusal, of_trouble
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.ports import UUID_FORM, Conflict, Saved
from bazi_hub.tools.births import YEARS
from bazi_hub.tools.fortune import MOST_QUESTION
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.words.call import Call, Outcome
from bazi_hub.words.errors import Issue
from bazi_hub.words.text_rules import cleaned

LONGEST_NONCE = 64
LOOK_EVERY_S = 1.0
# What a page without a script waits for before it shows how far the reading is, and how often that page is loaded again.
MOMENT_S, REFRESH_S = 2.0, 5
_YEAR = re.compile("[0-9]{1,4}")


class ReadingOffer(NamedTuple):
    """Something to buy: the tool, and its arguments for a chart and a form."""

    kind: str
    tool: str
    yearly: bool
    arguments: Callable[[Chart, dict[str, str], str], dict[str, Any]]


def _life(chart: Chart, form: dict[str, str], language: str) -> dict[str, Any]:
    return {"base_context": chart.to_dict(), **_wish(form, language)}


def _year(chart: Chart, form: dict[str, str], language: str) -> dict[str, Any]:
    return {
        "year_analysis_result": chart.year(_target(form)).to_dict(),
        "pattern_result": chart.pattern().to_dict(),
        **_wish(form, language),
    }


def _wish(form: dict[str, str], language: str) -> dict[str, Any]:
    asked = answerable(form.get("question", "").strip())
    return {
        "language": language,
        "tone": form.get("tone", "neutral"),
        "length": form.get("length", "standard"),
        **({"question": asked} if asked else {}),
    }


OFFERS = {
    offer.kind: offer
    for offer in (
        ReadingOffer("life", "bazi_pattern_analysis", False, _life),
        ReadingOffer("year", "bigluck_year_fortune_eval", True, _year),
    )
}


async def offers(request: PageRequest) -> Response:
    """The page of offers for a chart, with prices and balance, or of a purchase by its number."""
    saved = await owned(request)
    if "of" not in request.query:
        return await _offers(request, saved)
    return await _bought_before(request, saved) or await _offers(request, saved, _not_there(request))


async def listen(request: PageRequest) -> Response:
    """What the question of the form is understood as, for a script that shows it while one types."""
    saved = await owned(request)
    request.require_room()
    form = {**request.form, "kind": _kind(request.form)}
    told_year = await _year_told(request, form, saved)
    chosen = told_year.chosen if told_year is not None else form.get("target_year", "")
    return request.page(
        "heard.html",
        asked=form.get("question", ""),
        heard=await _heard(request, form),
        told_year=told_year,
        chosen=chosen,
        year_pillar=_pillar(chosen),
        first_year=max(YEARS[0], _born(saved.body)),
        last_year=YEARS[1],
    )


async def buy(request: PageRequest) -> Response:
    """One reading, paid once however often its button is pressed; what is refused is told above the button."""
    saved, hub, form = await owned(request), request.site.hub, request.form
    offer = OFFERS.get(form.get("buy") or form.get("kind", ""))
    if offer is None or saved.kind != "chart":
        raise Trouble(404)
    request.require_room()
    if "look" in form or await _is_to_be_told(request, {**form, "kind": offer.kind}, saved):
        return await _offers(request, saved)
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
        if outcome.error is not None:
            request.site.failed.keep(number, outcome.error)
        return outcome

    purchase = under_way(hub, saved.account_id, number) or begun(hub, saved.account_id, number, bought)
    return await _followed(request, saved, offer, number, purchase)


async def _is_to_be_told(request: PageRequest, form: dict[str, str], saved: Saved) -> bool:
    """Whether something has still to be told before the button: that a question is not understood, or is about another
    year than is chosen.
    """
    found = await _heard(request, form)
    if found is not None and found.way == NOT_UNDERSTOOD:
        return form.get("told") != form.get("question")
    year = await _year_told(request, form, saved)
    return year is not None and year.changed


class YearTold(NamedTuple):
    """A question about one year in a form for another: the year it names, the one that is chosen now, whether the page has
    just chosen the year of the question, and what is said.
    """

    asked: int
    chosen: str
    changed: bool
    note: str


async def _year_told(request: PageRequest, form: dict[str, str], saved: Saved) -> YearTold | None:
    """The year of a question is chosen once, and said; after that the year is whichever the visitor leaves there."""
    asked, this_year = form.get("question", ""), _this_year(request)
    if not OFFERS[form["kind"]].yearly or not asked:
        return None
    named = await request.compute(lambda: only_year_of(asked, this_year))
    if named is None or not max(YEARS[0], _born(saved.body)) <= named <= YEARS[1]:
        return None
    stated, told = form.get("target_year", ""), form.get("asked_year") == str(named)
    if stated != str(named) and told:
        note = request.say("heard.year.other", asked=named, chosen=stated)
        return YearTold(named, stated, False, note)
    if stated != str(named) or told:
        return YearTold(named, str(named), not told, request.say("heard.year", asked=named))
    return None


async def _heard(request: PageRequest, form: dict[str, str]) -> Any:
    asked, kind, year = form.get("question", ""), form["kind"], _this_year(request)
    return await request.compute(lambda: heard(asked, kind, year, request.language))


async def _bought_before(request: PageRequest, saved: Saved) -> Response | None:
    """The way to a reading that was paid or is being made; None for an unknown number. Nothing is bought here."""
    offer, number = OFFERS.get(request.query.get("kind", "")), request.query.get("of", "")
    if offer is None or not re.fullmatch(UUID_FORM, number):
        return None
    hub = request.site.hub
    purchase = under_way(hub, saved.account_id, number)
    if purchase is not None:
        return await _followed(request, saved, offer, number, purchase, 0.0)
    while not await hub.storage.charts.get(number, saved.account_id):
        call_id = await call_of(hub, saved.account_id, number, offer.tool)
        if call_id is None:
            return await _failed_before(request, saved, number)
        captured = await hub.storage.ledger.result(call_id)
        if captured is not None:
            # Paid by a process that did not live to keep it.
            await _keep(request, saved, offer, number, Outcome(captured.result, undelivered=call_id))
        elif hub.draining:
            raise Trouble(503, retry_after=1)
        elif not events.wanted(request.exchange):
            return _way(request, saved, offer, number, ["computed", "reading"], None)
        else:
            # Another process is at it.
            request.tell_phase("reading")
            await asyncio.sleep(LOOK_EVERY_S)
    return request.go(f"/c/{number}")


async def _failed_before(request: PageRequest, saved: Saved, number: str) -> Response | None:
    """The offers with what became of a purchase that failed while nobody listened."""
    error = request.site.failed.of(number)
    return None if error is None else await _offers(request, saved, request.refusal(error))


def _not_there(request: PageRequest) -> Refusal:
    """The refusal above the offers where the reading asked for is not known (any more); its status is 200."""
    return of_trouble(200, "no_reading", None, request.language, None)


async def _followed(
    request: PageRequest,
    saved: Saved,
    offer: ReadingOffer,
    number: str,
    purchase: Purchase,
    moment_s: float | None = None,
) -> Response:
    """A redirect to the reading when it is saved, or the offers with the refusal. Without a script, after a moment the way
    there."""
    if not events.wanted(request.exchange):
        await asyncio.wait([purchase.task], timeout=MOMENT_S if moment_s is None else moment_s)
        if not purchase.task.done():
            if request.exchange.method == "POST":
                return request.go(f"/c/{saved.id}/reading?kind={offer.kind}&of={number}")
            return _way(request, saved, offer, number, purchase.phases, purchase.seconds)
    outcome = await purchase.followed(request.tell_phase)
    if outcome.error is not None:
        return await _offers(request, saved, request.refusal(outcome.error))
    if outcome.call_id is None:
        # One answer to distress more than are stored a day: it is given all the same.
        return await reading_page(request, _reading_of(request, saved, offer, number, outcome))
    return request.go(f"/c/{number}")


def _way(
    request: PageRequest,
    saved: Saved,
    offer: ReadingOffer,
    number: str,
    phases: list[str],
    seconds: int | None,
) -> Response:
    """How far a reading is, on a page that loads itself again where no script does."""
    again = f"/c/{saved.id}/reading?kind={offer.kind}&of={number}"
    return request.page(
        "reading_way.html",
        saved=saved,
        phases=[request.say(f"phase.{phase}") for phase in dict.fromkeys(phases)],
        seconds=seconds,
        again=again,
        refresh_s=REFRESH_S,
        waits=_waits(request, offer),
    )


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
    """A reading of a chart, as it is kept: under the question, or else under what it is a reading of."""
    body = outcome.result or ""
    [result] = json.loads(body).values()
    asked = cleaned(request.form.get("question", ""))
    year = [str(result["target_year"])] if offer.yearly else []
    title = asked or " · ".join((request.say(f"offer.{offer.kind}"), *year, saved.title))
    page: dict[str, Any] = {"chart": saved.id}
    if request.form:
        named = year_of(asked, _this_year(request))
        page |= {"question": asked, "charged": outcome.credits_deducted, "year": named}
    kept = kept_body(body, page)
    now_ms = request.site.hub.clock.now_ms()
    return Saved(number, saved.account_id, "reading", title[:LONGEST_TITLE], kept, now_ms)


async def _offers(request: PageRequest, saved: Saved, refusal: Refusal | None = None) -> Response:
    """All offers in one form; a refused one with what was wished, and under its old number: it is paid once still."""
    if saved.kind != "chart":
        raise Trouble(404)
    hub = request.site.hub
    money = await request.ask("get_user_credits", {})
    by_tool = {each["tool"]: each for each in await prices(request, money)}
    usual = {
        "nonce": hub.ids.uuid(),
        "target_year": request.query.get("year", "")[:4] or str(_this_year(request)),
        "tone": "neutral",
        "length": "standard",
        "question": "",
        "told": "",
    }
    form = {**usual, **request.form, "kind": _kind(request.form or request.query)}
    form["question"] = form["question"][: 4 * MOST_QUESTION]
    told_year = await _year_told(request, form, saved)
    if told_year is not None:
        form["target_year"] = told_year.chosen
    chart = await request.compute(lambda: saved_chart(saved))
    strength = (await request.compute(chart.pattern)).strength
    return request.page(
        "offers.html",
        refusal=refusal,
        saved=saved,
        pillars=pillars_text(chart.pillars, request.language),
        gender=label(chart.gender, request.language) if chart.gender else "",
        address=query_of(chart),
        open_strength=strength is not None and strength.certainty == OPEN,
        money=money,
        form=form,
        asked=form["question"],
        heard=await _heard(request, form),
        told_year=told_year,
        offers=[
            (offer, by_tool[offer.tool], _waits(request, offer))
            for offer in OFFERS.values()
            if not offer.yearly or chart.birth is not None
        ],
        year_pillar=_pillar(form["target_year"]),
        first_year=max(YEARS[0], _born(saved.body)),
        last_year=YEARS[1],
        tones=TONES,
        lengths=tuple(SENTENCES),
        most_question=MOST_QUESTION,
        topup_url=request.site.settings.topup_url,
    )


def _kind(form: dict[str, str]) -> str:
    wished = form.get("buy") or form.get("kind", "")
    return wished if wished in OFFERS else next(iter(OFFERS))


def _pillar(year: str) -> str:
    """The pillar of a year; nothing for what is none."""
    if not _YEAR.fullmatch(year) or not YEARS[0] <= int(year) <= YEARS[1]:
        return ""
    return str(PILLARS[(int(year) - 4) % 60])


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
