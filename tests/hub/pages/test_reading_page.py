"""The page of a reading: the answer first, every sentence leads to its facts, and whoever has the link sees no birth."""

import json
import re

import pytest

import bazi_core as bz
from bazi_core.readings import final
from bazi_hub.pages.evidence import Proofs, facts_again
from bazi_hub.pages.reading_view import held_in, kept_body, reading_view
from bazi_hub.pages.texts import LANGUAGES, text
from bazi_hub.ports import Saved
from tests.hub.pages.browsing import in_town, visits
from tests.hub.pages.test_readings import QUESTION, bought

NOW_MS = 1_795_400_000_000  # 2026-11-23
CHARTS = [
    bz.chart("1990-05-15 13:30", city="北京", gender="male"),
    bz.chart("1984-02-04 23:10", city="上海", gender="female"),
    bz.chart("2001-09-30", hour_unknown=True, city="Guangzhou", gender="female"),
]


def life(chart, language="zh-Hans", **wish):
    """The body of a reading of a life, as it is kept."""
    pattern = chart.pattern()
    told = final.read_pattern(pattern, language=language, as_of="2026-11-23", **wish)
    whole = {"pattern_result": final.told(pattern, told).to_dict()}
    return kept_body(
        json.dumps(whole, ensure_ascii=False), {"question": wish.get("question", ""), "charged": 4}
    )


def year(chart, language="zh-Hans", **wish):
    whole = {
        "final_result": final.read(chart.year(2027), language=language, as_of="2026-11-23", **wish).to_dict()
    }
    return json.dumps(whole, ensure_ascii=False)


def sentences(view):
    parts = [part for section in view.sections for part in (section, *section.parts)]
    return [view.answer, *view.grounds, *(each for part in parts for each in part.sentences)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", CHARTS, ids=str)
@pytest.mark.parametrize("made", [life, year])
def test_every_sentence_that_cites_something_leads_to_a_drawer_with_all_of_it(made, chart, language):
    body = made(chart, language, question=QUESTION, length="long")
    view = reading_view(held_in(body), language, NOW_MS)
    [result] = [value for name, value in json.loads(body).items() if name != "page"]
    told = [
        *result["reading"]["summary"],
        *(one for part in result["reading"]["sections"] for one in part["sentences"]),
    ]
    cited = {each["text"]: each["evidence"] for each in told if each["evidence"]}
    drawers = {number: [proof.id for proof in proofs] for number, proofs in view.drawers}
    shown = {each.text: drawers[each.proof] for each in sentences(view) if each.proof}
    assert shown == cited


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asked", [QUESTION, "我什么时候结婚？", "2027年还是2028年换工作好？", None])
def test_facts_are_told_in_the_language_of_the_page_whatever_the_reading_was_written_in(asked, language):
    for made in (life, year):
        view = reading_view(held_in(made(CHARTS[0], "zh-Hans", question=asked)), language, NOW_MS)
        found = [proof for _, proofs in view.drawers for proof in proofs]
        assert found
        assert [proof.id for proof in found if proof.language] == []
        if language == "en":
            assert all(re.search("[A-Za-z]{3}", proof.text) for proof in found)


def test_a_fact_that_another_release_words_otherwise_stays_as_it_was_stored():
    chart = CHARTS[0]
    stored = {name: fact.to_dict() for name, fact in chart.pattern().all_facts.items()}
    stored["yong.primary"]["text_zh"] = "用神为水，旧说"
    proofs = Proofs("en", stored, facts_again(chart, stored))
    proofs.number(["yong.primary", "gone.with.time", "str.verdict"])
    [(_, [old, new])] = proofs.drawers()
    assert (old.text, old.language) == ("用神为水，旧说", "zh-Hans")
    assert new.language is None


def test_the_walk_has_every_decade_under_both_readings_and_says_where_one_is():
    view = reading_view(held_in(life(CHARTS[0])), "zh-Hans", NOW_MS)
    assert view.walk.readings == ["若身强", "若身弱"]
    assert [step.pillar for step in view.walk.steps if step.here] == ["甲申"]
    assert len(view.walk.steps) == 10
    assert [[role.role for role in roles] for role in [0] for roles in view.walk.steps[2].roles] == [
        ["闲", "仇"], ["忌", "喜"],
    ]  # fmt: skip


def test_how_sure_an_answer_is_stands_beside_it():
    same = reading_view(held_in(life(CHARTS[0], question=QUESTION)), "en", NOW_MS)
    general = reading_view(held_in(life(CHARTS[0])), "en", NOW_MS)
    assert (same.sure, general.sure) == (text("sure.same", "en"), text("sure.open", "en"))


def test_an_answer_to_distress_has_no_certainty_no_score_and_no_walk():
    for made in (life, year):
        view = reading_view(held_in(made(CHARTS[0], question="我不想活了")), "zh-Hans", NOW_MS)
        assert (view.sure, view.score, view.walk, view.drawers, view.written) == ("", "", None, [], "")
        assert view.answer.text


@in_town
async def test_whoever_has_the_link_sees_the_reading_and_the_pillars_and_no_birth(town):
    browser = await town.member(language="zh")
    reading = (await bought(browser, await browser.saved_chart(), question=QUESTION, length="long")).to
    page = await browser.submit(reading, f"{reading}/share")
    link = next(found["value"] for _, found in page.shown.tags if found.get("class") == "secret")
    seen = await town.browser(language="zh").get(link.removeprefix("http://localhost"))
    assert seen.status == 200
    for word in (QUESTION, "庚午 辛巳 庚辰 壬午", "大运一步步走下来"):
        assert word in seen.words
    for word in ("1990", "13:30", "北京", "p.time", "reader@example.org", "/year?", "/delete", "用去"):
        assert word not in seen.text, word
    assert (seen.headers["x-robots-tag"], seen.headers["referrer-policy"]) == ("noindex", "no-referrer")
    await browser.submit(reading, f"{reading}/unshare")
    assert (await town.browser().get(link.removeprefix("http://localhost"))).status == 404


@in_town
async def test_a_reading_is_shared_and_deleted_like_a_chart(town):
    browser = await town.member()
    reading = (await bought(browser, await browser.saved_chart(), "year")).to
    page = await browser.submit(reading, f"{reading}/share")
    link = next(found["value"] for _, found in page.shown.tags if found.get("class") == "secret")
    await browser.submit(reading, f"{reading}/delete")
    assert (await town.browser().get(link.removeprefix("http://localhost"))).status == 404
    assert (await browser.get(reading)).status == 404


@in_town
async def test_a_reading_leads_on_to_the_year_to_ten_years_to_a_cast_and_to_another_question(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    page = await browser.get((await bought(browser, saved, question=QUESTION)).to)
    query = "t=1990-05-15T13:30&p=cn:110000&g=m"
    for path in (f"/year?{query}&year=2027", f"/years?{query}", "/liuyao", f"{saved}/reading", saved):
        assert path in page.shown.links, path
    for path in (f"/year?{query}&year=2027", f"/years?{query}"):
        assert (await browser.get(path)).status == 200


@in_town
async def test_a_reading_in_another_language_than_the_page_says_so(town):
    browser = await town.member(language="zh")
    saved = await browser.saved_chart()
    for kind in ("life", "year"):
        path = (await bought(browser, saved, kind)).to
        for language, marked in (("zh", []), ("en", ["zh-Hans", "zh-Hans"])):
            browser.language = language
            page = await browser.get(path)
            told = [found for tag, found in page.shown.tags if tag in ("h1", "article")]
            assert [found["lang"] for found in told if "lang" in found] == marked
        browser.language = "zh"


def test_rows_of_older_releases_are_still_shown():
    chart = CHARTS[0]
    pattern, of_year = chart.pattern().to_dict(), chart.year(2027)
    for gone in ("diagnosis", "dynamics", "as_of", "alternatives"):
        pattern.pop(gone, None)
    text_only = {**final.read(of_year).to_dict()}
    text_only["reading"] = {"title": "旧题", "keywords": []}
    odd = {**text_only, "input": {"civil": "?"}, "facts": {}}
    kept = [
        ({"pattern_result": pattern}, "格局与用神"),
        ({"year_analysis_result": json.loads(of_year.to_json())}, "十二个流月"),
        ({"final_result": text_only}, "旧题"),
        ({"final_result": odd}, "旧题"),
    ]

    async def story(town):
        browser = await town.member(language="zh")
        [account] = await town.storage.accounts.listed()
        for result, word in kept:
            body = json.dumps(result, ensure_ascii=False)
            saved = Saved(town.hub.ids.uuid(), account.id, "reading", "<b>old</b>", body, 0)
            await town.storage.charts.add(saved)
            page = await browser.get(f"/c/{saved.id}")
            assert (page.status, word in page.words) == (200, True), page.words[:300]
            assert "<b>old" not in page.text

    visits(story)
