"""Readings on the site: the price before the button, one charge however often it is pressed, and what was bought is kept."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from bazi_core.errors import PortUnavailable
from bazi_hub.ports import Price
from bazi_hub.tools.births import chart_of
from tests.hub.pages.browsing import PASSWORD, visits
from tests.hub.worlds import BIRTH, Reader

PATTERN, YEAR, WORDS = "bazi_pattern_analysis", "bigluck_year_analysis", "bigluck_year_fortune_eval"
COST = {"pattern": 4, "year": 1, "words": 6}


def form_of(page, kind):
    """The form that buys this kind of reading."""
    return next(dict(form["fields"]) for form in page.shown.forms if form["fields"].get("kind") == kind)


def button_of(page, kind):
    """Whether that form can be sent."""
    after = page.text.partition(f'name="kind" value="{kind}"')[2].partition("</form>")[0]
    return "<button" in after


async def bought(browser, saved, kind, /, **fields):
    offers = await browser.get(f"{saved}/reading")
    return await browser.post(f"{saved}/reading", {**form_of(offers, kind), **fields})


async def posted(town):
    [account] = await town.storage.accounts.listed()
    return (await town.storage.ledger.account(account.id)).posted


@pytest.mark.parametrize("kind", COST)
def test_a_reading_is_bought_kept_and_charged_once(kind):
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        page = await bought(browser, saved, kind)
        assert page.status == 303
        assert await posted(town) == 25 - COST[kind]
        reading = await browser.get(page.to)
        assert reading.status == 200
        assert page.to in (await browser.get("/c")).shown.links

    visits(story)


def test_price_and_balance_stand_before_the_button():
    async def story(town):
        browser = await town.member()
        offers = await browser.get(f"{await browser.saved_chart()}/reading")
        assert "25 credits available" in offers.words
        for kind, cost in COST.items():
            assert offers.words.index(f"Price: {cost} credit") < offers.words.rindex("Buy")
            assert button_of(offers, kind)

    visits(story)


def test_pressed_twice_it_is_bought_once():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        form = form_of(await browser.get(f"{saved}/reading"), "words")
        first, second = await asyncio.gather(*(browser.post(f"{saved}/reading", form) for _ in range(2)))
        third = await browser.post(f"{saved}/reading", form)
        assert first.to == second.to == third.to
        assert await posted(town) == 25 - 6
        assert sum(kept.kind == "reading" for kept in town.rows.charts.values()) == 1

    visits(story)


def test_another_year_in_the_same_form_is_another_reading():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        form = form_of(await browser.get(f"{saved}/reading"), "year")
        one = await browser.post(f"{saved}/reading", form)
        other = await browser.post(f"{saved}/reading", {**form, "target_year": "2027"})
        assert one.to != other.to
        assert await posted(town) == 25 - 2

    visits(story)


def test_asked_for_again_from_a_new_form_it_is_bought_again():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        one, other = await bought(browser, saved, "year"), await bought(browser, saved, "year")
        assert one.to != other.to
        assert await posted(town) == 25 - 2

    visits(story)


def test_whoever_cannot_pay_has_no_button_and_is_refused_if_asking_all_the_same():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        offers = await browser.get(f"{saved}/reading")
        assert "Not enough credits" in offers.words
        assert not button_of(offers, "pattern")
        assert button_of(offers, "year")
        assert "https://pay.example" in offers.shown.links
        page = await bought(browser, saved, "pattern")
        assert page.status == 402
        assert "https://pay.example" in page.shown.links
        assert await posted(town) == 3

    visits(story, starter_credits=3, topup_url="https://pay.example")


def test_a_tool_that_is_off_or_free_says_so():
    async def story(town):
        await town.storage.pricing.set(Price(WORDS, 6, 6, 0, False), "operator")
        await town.storage.pricing.set(Price(PATTERN, 4, 4, 1, True), "operator")
        browser = await town.member()
        saved = await browser.saved_chart()
        offers = await browser.get(f"{saved}/reading")
        assert not button_of(offers, "words")
        assert "Price: free" in offers.words
        assert (await bought(browser, saved, "words")).status == 403
        assert (await bought(browser, saved, "pattern")).status == 303
        assert await posted(town) == 25

    visits(story)


@pytest.mark.parametrize(
    ("kind", "fields", "status"),
    [
        ("year", {"target_year": "1800"}, 400),
        ("year", {"target_year": "next"}, 400),
        ("year", {"target_year": "1950"}, 400),
        ("words", {"target_year": "9" * 5000}, 400),
        ("words", {"tone": "cruel"}, 400),
        ("words", {"question": "x" * 501}, 400),
        ("pattern", {"kind": "other"}, 404),
    ],
)
def test_a_wish_that_cannot_be_costs_nothing(kind, fields, status):
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        page = await bought(browser, saved, kind, **fields)
        assert page.status == status
        assert await posted(town) == 25

    visits(story)


def test_a_reading_is_no_chart_to_be_read():
    async def story(town):
        browser = await town.member()
        reading = (await bought(browser, await browser.saved_chart(), "year")).to
        assert (await browser.get(f"{reading}/reading")).status == 404
        token = (await browser.get("/account")).form("/account")["csrf"]
        assert (await browser.post(f"{reading}/reading", {"csrf": token, "kind": "year"})).status == 404

    visits(story)


def test_a_reading_is_shared_and_deleted_like_a_chart():
    async def story(town):
        browser = await town.member()
        reading = (await bought(browser, await browser.saved_chart(), "words")).to
        page = await browser.submit(reading, f"{reading}/share")
        link = next(found["value"] for tag, found in page.shown.tags if found.get("class") == "secret")
        seen = await town.browser().get(link.removeprefix("http://localhost"))
        assert seen.status == 200
        assert "2026" in seen.words
        await browser.submit(reading, f"{reading}/delete")
        assert (await town.browser().get(link.removeprefix("http://localhost"))).status == 404

    visits(story)


def test_the_reading_is_told_in_the_language_of_the_buyer():
    async def story(town):
        browser = await town.member(language="zh")
        page = await bought(browser, await browser.saved_chart(), "words")
        [kept] = [kept for kept in town.rows.charts.values() if kept.kind == "reading"]
        assert json.loads(kept.body)["final_result"]["language"] == "zh-Hans"
        assert "流年" in (await browser.get(page.to)).words

    visits(story)


def test_somebody_in_distress_gets_help_and_pays_nothing():
    async def story(town):
        browser = await town.member()
        page = await bought(browser, await browser.saved_chart(), "words", question="我不想活了")
        assert page.status == 303
        assert await posted(town) == 25

    visits(story)


def test_a_reader_from_afar_is_paid_when_it_told_and_not_when_it_failed():
    reader = Reader()
    reader.learn(chart_of(BIRTH).pattern())

    async def story(town):
        browser = await town.member(language="zh")
        saved = await browser.saved_chart()
        reader.error = PortUnavailable("no", reason="http", status=503)
        page = await bought(browser, saved, "pattern")
        assert (page.status, "没有扣点" in page.words) == (502, True)
        assert await posted(town) == 25
        reader.error = None
        assert (await bought(browser, saved, "pattern")).status == 303
        assert await posted(town) == 21

    visits(story, reader=reader, signup="open")


def test_a_reading_that_is_kept_counts_as_delivered():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        told = []

        async def delivered(call_id):
            told.append(call_id)

        town.hub.delivered = delivered
        await bought(browser, saved, "year")
        [record] = await town.storage.ledger.history((await town.storage.accounts.listed())[0].id, 10)
        assert told == [record.id]

    visits(story)


def test_usage_of_the_site_stands_among_the_usage_of_the_account():
    async def story(town):
        browser = await town.member()
        await bought(browser, await browser.saved_chart(), "year")
        assert YEAR in (await browser.get("/billing")).words.replace(" ", "")
        assert PASSWORD not in repr(town.voices.logged)
        assert "1990" not in repr(town.voices.logged)

    visits(story)


def test_a_refused_wish_comes_back_where_it_was_made_with_what_was_typed():
    async def story(town):
        browser = await town.member(language="zh")
        saved = await browser.saved_chart()
        offers = await browser.get(f"{saved}/reading")
        wish = {**form_of(offers, "words"), "target_year": "1950", "tone": "warm", "question": "换工作？"}
        page = await browser.post(f"{saved}/reading", wish)
        assert page.status == 400
        for word in ("这一年推算不了：", "流年：1950 年不在 1990 至 2648 之内", "INVALID_ INPUT", "换工作？"):
            assert word in page.words
        kept = form_of(page, "words")
        assert {**kept, "question": "换工作？"} == wish
        assert form_of(page, "year")["target_year"] == "2026"
        assert (
            page.words.index("流年推算")
            < page.words.index("这一年推算不了")
            < page.words.index("句句以推算为据")
        )

    visits(story)


def test_a_reading_that_failed_is_bought_once_from_the_form_that_came_back():
    reader = Reader()
    reader.learn(chart_of(BIRTH).pattern())

    async def story(town):
        browser = await town.member(language="zh")
        saved = await browser.saved_chart()
        reader.error = PortUnavailable("no", reason="http", status=503)
        failed = await bought(browser, saved, "pattern")
        reader.error = None
        again = form_of(failed, "pattern")
        first, second = [await browser.post(f"{saved}/reading", again) for _ in range(2)]
        assert (first.status, first.to) == (303, second.to), first.words
        assert await posted(town) == 21

    visits(story, reader=reader, signup="open")


@pytest.mark.parametrize(("reader", "waits"), [(None, []), (Reader(), ["60 seconds", "45 seconds"])])
def test_only_where_a_model_writes_it_is_said_how_long_that_may_take(reader, waits):
    async def story(town):
        browser = await town.member()
        offers = await browser.get(f"{await browser.saved_chart()}/reading")
        assert re.findall(r"[0-9]+ seconds", offers.words) == waits
        busy = {found.get("data-busy") for tag, found in offers.shown.tags if tag == "button"}
        assert busy == {"Being read, one moment…"}

    visits(story, reader=reader, signup="open", llm_deadline_t4="45")


def test_a_reading_in_another_language_than_the_page_says_so():
    async def story(town):
        browser = await town.member(language="zh")
        saved = await browser.saved_chart()
        for kind in ("pattern", "words"):
            path = (await bought(browser, saved, kind)).to
            for language, marked in (("zh", []), ("en", ["zh-Hans", "zh-Hans"])):
                browser.language = language
                page = await browser.get(path)
                told = [found for tag, found in page.shown.tags if tag in ("h1", "article")]
                assert [found["lang"] for found in told if "lang" in found] == marked
            browser.language = "zh"

    visits(story)


def test_answers_to_distress_beyond_those_of_a_day_are_shown_and_kept_nowhere():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()

        async def asked(number):
            return await bought(browser, saved, "words", question=f"我不想活了 {number}")

        stored = [await asked(number) for number in range(2)]
        assert [page.status for page in stored] == [303, 303]
        beyond = [await asked(number) for number in range(2, 5)]
        assert [page.status for page in beyond] == [200] * 3
        # The same answer as on the page that is kept, with nothing to delete or share.
        [kept, *_] = [await browser.get(page.to) for page in stored]
        article = kept.text.partition("<article")[2].partition("</article>")[0]
        assert article
        assert {page.text.partition("<article")[2].partition("</article>")[0] for page in beyond} == {article}
        assert "delete" in kept.text
        assert not any("delete" in page.text for page in beyond)
        assert sum(kept.kind == "reading" for kept in town.rows.charts.values()) == 2
        assert await posted(town) == 25

    visits(story, free_answers=2)


def test_questions_and_years_that_cannot_be_read_are_counted_until_the_account_has_to_wait():
    async def story(town):
        town.hub.refused.most = 4
        browser = await town.member()
        saved = await browser.saved_chart()
        answers = [await bought(browser, saved, "words", target_year="next") for _ in range(2)]
        answers += [await bought(browser, saved, "words", question="x" * 5000) for _ in range(2)]
        assert {page.status for page in answers} == {400}
        beyond = await bought(browser, saved, "words", question="Should I move?")
        assert (beyond.status, "Too many requests were refused" in beyond.words) == (429, True)
        assert await posted(town) == 25
        town.clock.advance(60)
        assert (await bought(browser, saved, "words", question="Should I move?")).status == 303

    visits(story)
