"""How far a reading is, told as events: in order, to everybody who asks for it, and never at the price of a second one."""

import asyncio
import json
import re
from functools import partial
from pathlib import Path

import pytest

import bazi_hub.tools as tools
from bazi_core.errors import PortUnavailable
from bazi_hub.http.exchange import Pace
from bazi_hub.pages.texts import LANGUAGES, catalogue, text
from bazi_hub.ports import StoreError
from tests.docs.examples import DOCS
from tests.hub.pages.browsing import Seen, in_town, visits
from tests.hub.pages.test_readings import form_of, posted
from tests.hub.worlds import taught
from tests.waiting import eventually

EVENTS = "text/event-stream"
COMPUTED, READING, KEPT = (text(f"phase.{phase}", "zh-Hans") for phase in ("computed", "reading", "kept"))


class Buyer:
    """A member with a chart and a form that buys its reading."""

    def __init__(self, browser, saved, form):
        self.browser, self.saved, self.path, self.form = browser, saved, f"{saved}/reading", form

    @classmethod
    async def of(cls, town, language="zh", kind="life"):
        browser = await town.member(language=language)
        saved = await browser.saved_chart()
        return cls(browser, saved, form_of(await browser.get(f"{saved}/reading"), kind))

    def press(self, **fields):
        """A connection that sends the form as a script does."""
        return self.browser.posting(self.path, {**self.form, **fields}, accept=EVENTS)

    def ask_for(self, number, kind="life"):
        return self.browser.asking("GET", f"{self.path}?kind={kind}&of={number}", headers={"accept": EVENTS})


async def held_up(connection, reader):
    """The request, once the reader was asked."""
    running = asyncio.create_task(connection.run())
    await eventually(lambda: reader.asked)
    await eventually(lambda: connection.response.events[-1:] == [{"phase": READING}])
    return running


def bought_of(town):
    return [kept for kept in town.rows.charts.values() if kept.kind == "reading"]


# --- events


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_the_number_comes_first_then_each_phase_in_order_and_at_the_end_where_the_reading_stands(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    connection = buyer.press()
    running = await held_up(connection, reader)
    number = connection.response.events[0]["number"]
    assert connection.response.events == [{"number": number}, {"phase": COMPUTED}, {"phase": READING}]
    reader.gate.set()
    response = await running
    assert response.events[3:] == [{"phase": KEPT}, {"place": f"/c/{number}"}]
    assert [kept.id for kept in bought_of(town)] == [number]
    assert await posted(town) == 21


@in_town
async def test_the_stream_is_one_that_nobody_keeps_and_no_proxy_holds_back_under_the_policy_of_pages(town):
    response = await (await Buyer.of(town)).press().run()
    assert response.status == 200
    assert response.headers["content-type"] == EVENTS
    assert response.headers["cache-control"] == "no-store, no-transform"
    assert response.headers["x-accel-buffering"] == "no"
    assert "connect-src 'self'" in response.headers["content-security-policy"]
    assert "content-length" not in response.headers


@in_town
async def test_phases_are_told_in_the_language_of_the_page(town):
    response = await (await Buyer.of(town, "en")).press().run()
    phases = [event["phase"] for event in response.events if "phase" in event]
    assert phases == [text("phase.computed", "en"), text("phase.kept", "en")]


def test_there_are_words_for_every_phase_that_a_tool_tells():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in Path(tools.__file__).parent.glob("*.py"))
    told = set(re.findall(r"""\.tell\("(\w+)"\)""", sources))
    assert told
    assert all(catalogue()[f"phase.{phase}"][language] for phase in told for language in LANGUAGES)


def test_the_documentation_shows_the_events_as_they_come():
    lines = re.findall("^data: ({.*})$", (DOCS / "hub.md").read_text(encoding="utf-8"), re.MULTILINE)
    first, *phases, last = [json.loads(line) for line in lines]
    assert [event["phase"] for event in phases] == [
        text(f"phase.{phase}", "en") for phase in ("computed", "reading", "kept")
    ]
    assert last["place"] == f"/c/{first['number']}"


def test_where_there_is_nothing_to_tell_for_a_while_there_are_signs_of_life():
    reader = taught(is_slow=True)

    async def story(town):
        connection = (await Buyer.of(town)).press()
        running = await held_up(connection, reader)
        await eventually(lambda: connection.response.parts.count(b": ping\n\n") >= 2)
        reader.gate.set()
        assert "place" in (await running).events[-1]

    visits(story, reader=reader, signup="open", pace=Pace(sign_s=0.001))


@in_town
async def test_a_page_that_tells_nothing_is_answered_as_it_is_without_events(town):
    buyer = await Buyer.of(town)
    for path in ("/", "/c", buyer.path, "/nothing"):
        plain, asked = [await buyer.browser.get(path, accept=accept) for accept in ("text/html", EVENTS)]
        assert (plain.status, plain.headers["content-type"]) == (asked.status, asked.headers["content-type"])
        assert "script-src 'self'" in asked.headers["content-security-policy"]


# --- refusals


def test_what_is_refused_on_the_way_is_the_page_that_there_is_without_a_script():
    reader = taught(is_slow=True)
    reader.gate.set()

    async def story(town):
        buyer = await Buyer.of(town)
        reader.error = PortUnavailable("no", reason="http", status=503)
        told = (await buyer.press().run()).events
        assert [next(iter(event)) for event in told] == ["number", "phase", "phase", "page"]
        without = await buyer.browser.post(buyer.path, buyer.form)
        numbers = re.compile("[0-9a-f]{8}-[0-9a-f-]{27}")
        assert numbers.sub("", told[-1]["page"]) == numbers.sub("", without.text)
        assert "没有扣点" in told[-1]["page"]
        assert await posted(town) == 25

    visits(story, reader=reader, signup="open")


@in_town
async def test_who_cannot_pay_is_told_so_with_the_form_and_may_send_it_again(town):
    buyer = await Buyer.of(town)
    [account] = await town.storage.accounts.listed()
    await town.storage.ledger.post("adjust", account.id, -22, "spent", "operator")
    page = Seen.of((await buyer.press().run()).events[-1]["page"])
    assert "INSUFFICIENT_ CREDITS" in page.words
    assert form_of(page)["nonce"] == buyer.form["nonce"]
    await town.storage.ledger.post("grant", account.id, 22, "topped up", "operator")
    assert "place" in (await buyer.press().run()).events[-1]
    assert await posted(town) == 21


@pytest.mark.parametrize(
    ("fields", "headers", "status"),
    [
        ({"csrf": "forged"}, {}, 403),
        ({}, {"origin": "https://elsewhere.example"}, 403),
        ({}, {"origin": ""}, 403),
        ({}, {"cookie": ""}, 303),
        ({"buy": "other"}, {}, 404),
        ({"buy": "year", "target_year": "next"}, {}, 400),
    ],
)
@in_town
async def test_a_form_that_is_not_to_be_trusted_or_makes_no_sense_begins_no_stream(
    town, fields, headers, status
):
    buyer = await Buyer.of(town)
    sent = {"accept": EVENTS, **headers}
    response = await buyer.browser.posting(buyer.path, {**buyer.form, **fields}, **sent).run()
    assert (response.status, response.events) == (status, [])
    assert await posted(town) == 25


# --- whoever listens, and whoever does not


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_who_asks_again_while_it_runs_is_told_everything_and_nobody_pays_twice(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    first, second = buyer.press(), buyer.press()
    running = [await held_up(connection, reader) for connection in (first, second)]
    third = asyncio.create_task(buyer.browser.post(buyer.path, buyer.form))
    reader.gate.set()
    one, other = await asyncio.gather(*running)
    assert one.events == other.events
    assert (await third).to == one.events[-1]["place"]
    assert (reader.asked, await posted(town), len(bought_of(town))) == (1, 21, 1)


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_who_left_has_the_reading_all_the_same_and_finds_it_by_the_form_and_by_its_number(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    left = buyer.press()
    running = await held_up(left, reader)
    left.gone.set()
    reader.gate.set()
    await running
    [kept] = bought_of(town)
    for connection in (buyer.press(), buyer.ask_for(kept.id)):
        response = await connection.run()
        to = response.headers.get("location") or response.events[-1]["place"]
        assert to == f"/c/{kept.id}"
    assert (reader.asked, await posted(town)) == (1, 21)


@pytest.mark.parametrize("accept", [EVENTS, "text/html"])
@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_a_server_that_drops_the_request_of_who_left_does_not_drop_the_reading(town, accept):
    reader = town.reader
    buyer = await Buyer.of(town)
    running = asyncio.create_task(buyer.browser.posting(buyer.path, buyer.form, accept=accept).run())
    await eventually(lambda: reader.asked)
    running.cancel()
    await asyncio.wait([running])
    reader.gate.set()
    await eventually(lambda: bought_of(town))
    assert await posted(town) == 21


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_who_comes_back_while_it_runs_is_told_the_rest_by_its_number(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    first = buyer.press()
    running = await held_up(first, reader)
    number = first.response.events[0]["number"]
    back = buyer.ask_for(number)
    told = await held_up(back, reader)
    reader.gate.set()
    assert (await told).events == (await running).events[1:]
    assert await posted(town) == 21


@in_town
async def test_without_events_the_number_leads_to_the_reading_too(town):
    buyer = await Buyer.of(town)
    place = (await buyer.press().run()).events[-1]["place"]
    page = await buyer.browser.get(f"{buyer.path}?kind=life&of={place.removeprefix('/c/')}")
    assert (page.status, page.to) == (303, place)


@in_town
async def test_the_same_number_in_the_forms_of_two_people_is_a_reading_for_each(town):
    places = set()
    for email in ("one@example.org", "other@example.org"):
        browser = await town.member(email)
        path = f"{await browser.saved_chart()}/reading"
        form = form_of(await browser.get(path))
        page = await browser.post(path, {**form, "nonce": "same"})
        assert (await browser.get(page.to)).status == 200
        places.add(page.to)
    assert len(places) == len(bought_of(town)) == 2


@in_town
async def test_a_number_that_nobody_knows_or_that_is_of_somebody_else_buys_nothing_and_shows_the_offers(town):
    buyer = await Buyer.of(town)
    number = (await buyer.press().run()).events[0]["number"]
    stranger = await town.member("stranger@example.org")
    other = await stranger.saved_chart()
    for asked in (number, town.hub.ids.uuid(), "x", "' OR 1=1"):
        page = await stranger.get(f"{other}/reading?kind=life&of={asked}", accept=EVENTS)
        assert (page.status, "A reading of this chart" in page.words) == (200, True)
        assert "This reading is not there. One that was not finished is not charged" in page.words
    assert (await stranger.get(f"{buyer.path}?kind=life&of={number}")).status == 404
    assert len(bought_of(town)) == 1


@in_town
async def test_a_form_that_is_sent_again_when_the_ledger_has_forgotten_its_key_is_not_paid_again(town):
    buyer = await Buyer.of(town)
    first = (await buyer.press().run()).events
    town.clock.advance(3 * 86_400)
    await town.storage.ledger.purge(town.clock.now_ms())
    again = (await buyer.press().run()).events
    assert again == [first[0], first[-1]]
    assert (await posted(town), len(bought_of(town))) == (21, 1)


# --- what breaks in between


def test_what_was_paid_and_could_not_be_kept_is_kept_when_it_is_asked_for_again():
    async def story(town, again):
        buyer = await Buyer.of(town)
        add = town.storage.charts.add

        async def broken(saved):
            raise StoreError("disk full")

        town.storage.charts.add = broken
        told = (await buyer.press().run()).events
        assert "page" in told[-1]
        assert (await posted(town), bought_of(town)) == (21, [])
        town.storage.charts.add = add
        number = told[0]["number"]
        response = await again(buyer, number).run()
        assert (response.headers.get("location") or response.events[-1]["place"]) == f"/c/{number}"
        [kept] = bought_of(town)
        assert await posted(town) == 21
        assert kept.title == "一生解读 · 1990-05-15 13:30 北京市"
        assert (await buyer.browser.get(f"/c/{number}")).status == 200

    for again in (lambda buyer, number: buyer.press(), Buyer.ask_for):
        visits(lambda town, again=again: story(town, again))


def test_what_another_process_is_at_is_waited_for_unless_this_one_is_about_to_stop(monkeypatch):
    reader = taught(is_slow=True)
    monkeypatch.setattr("bazi_hub.pages.readings.LOOK_EVERY_S", 0.0)

    async def story(town):
        buyer = await Buyer.of(town)
        first = buyer.press()
        running = await held_up(first, reader)
        number = first.response.events[0]["number"]
        here = dict(town.hub.in_progress)
        town.hub.in_progress.clear()  # As it is in a process that does nothing of it.
        waiting = await held_up(buyer.ask_for(number), reader)
        town.hub.draining = True
        refused = Seen.of((await waiting).events[-1]["page"])
        assert "服务暂时不可用" in refused.words
        town.hub.draining = False
        waiting = await held_up(buyer.ask_for(number), reader)
        town.hub.in_progress.update(here)
        reader.gate.set()
        place = (await running).events[-1]
        assert (await waiting).events[-1] == place == {"place": f"/c/{number}"}
        assert (reader.asked, await posted(town)) == (1, 21)

    visits(story, reader=reader, signup="open")


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_a_hub_that_closes_waits_until_the_reading_is_kept(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    running = await held_up(buyer.press(), reader)
    keeping, kept = asyncio.Event(), asyncio.Event()
    add = town.storage.charts.add

    async def slowly(saved):
        keeping.set()
        await kept.wait()
        await add(saved)

    town.storage.charts.add = slowly
    draining = asyncio.create_task(town.hub.drain())
    await eventually(lambda: town.hub.draining)
    reader.gate.set()
    await keeping.wait()
    await asyncio.sleep(0)
    assert not draining.done()
    kept.set()
    await draining
    assert len(bought_of(town)) == 1
    assert "place" in (await running).events[-1]


@in_town(reader=partial(taught, is_slow=True), signup="open")
async def test_a_hub_that_can_wait_no_longer_refuses_and_charges_nothing(town):
    reader = town.reader
    buyer = await Buyer.of(town)
    running = await held_up(buyer.press(), reader)
    await town.hub.drain(0)
    page = Seen.of((await running).events[-1]["page"])
    assert "本站正在重启，没有扣点" in page.words
    assert await posted(town) == 25
    late = Seen.of((await buyer.press().run()).events[-1]["page"])
    assert "本站正在重启，没有扣点" in late.words


# --- without a script


async def on_the_way(buyer, reader):
    """The page of a reading that takes longer than a moment."""
    sent = await buyer.browser.post(buyer.path, buyer.form)
    assert (sent.status, sent.to.startswith(f"{buyer.path}?kind=life&of=")) == (303, True)
    await eventually(lambda: reader.asked)
    return sent.to


def test_without_a_script_a_page_says_how_far_it_is_and_loads_itself_again_until_it_leads_to_the_reading(
    monkeypatch,
):
    monkeypatch.setattr("bazi_hub.pages.readings.MOMENT_S", 0.0)
    reader = taught(is_slow=True)

    async def story(town):
        buyer = await Buyer.of(town)
        way = await on_the_way(buyer, reader)
        page = await buyer.browser.get(way)
        assert page.status == 200
        assert COMPUTED in page.words
        assert READING in page.words
        assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page.text
        assert "Offers" not in page.words
        assert await posted(town) == 25
        reader.gate.set()
        await eventually(lambda: bought_of(town))
        [kept] = bought_of(town)
        assert (await buyer.browser.get(way)).to == f"/c/{kept.id}"
        assert (reader.asked, await posted(town)) == (1, 21)

    visits(story, reader=reader, signup="open")


def test_without_a_script_whoever_looks_after_it_failed_is_told_why_with_the_number_of_the_request(
    monkeypatch,
):
    monkeypatch.setattr("bazi_hub.pages.readings.MOMENT_S", 0.0)
    reader = taught(is_slow=True)

    async def story(town):
        buyer = await Buyer.of(town)
        reader.error = PortUnavailable("no", reason="http", status=503)
        way = await on_the_way(buyer, reader)
        reader.gate.set()
        await eventually(lambda: not town.hub.in_progress)
        page = await buyer.browser.get(way)
        assert (page.status, "没有扣点" in page.words) == (502, True)
        assert re.search("[0-9a-f]{8}-[0-9a-f-]{27}", page.words)
        assert await posted(town) == 25

    visits(story, reader=reader, signup="open")


def test_without_a_script_what_another_process_is_at_has_the_same_page(monkeypatch):
    monkeypatch.setattr("bazi_hub.pages.readings.MOMENT_S", 0.0)
    reader = taught(is_slow=True)

    async def story(town):
        buyer = await Buyer.of(town)
        way = await on_the_way(buyer, reader)
        here = dict(town.hub.in_progress)
        town.hub.in_progress.clear()
        page = await buyer.browser.get(way)
        assert (page.status, READING in page.words) == (200, True)
        town.hub.in_progress.update(here)
        reader.gate.set()
        await eventually(lambda: bought_of(town))

    visits(story, reader=reader, signup="open")
