"""Saved charts: kept for members, opened by a link, and nobody else's business."""

import json
import re
from dataclasses import fields as members

import pytest

import bazi_core as bz
from bazi_hub.pages.charts import LISTED, MOST_SAVED
from bazi_hub.people.keys import token_hash
from bazi_hub.ports import Saved, StoreError
from bazi_hub.words.times import iso
from tests.hub.pages.browsing import CHART, in_town

TOKEN = re.compile(r"/s/([0-9a-f]{32})")


def rows(town):
    """Everything that is stored, as text."""
    return repr([getattr(town.rows, each.name) for each in members(town.rows)])


@in_town
async def test_a_member_keeps_a_chart_and_finds_it_again(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    assert "庚" in (await browser.get(saved)).words
    listed = await browser.get("/c")
    assert saved in listed.shown.links
    [kept] = town.rows.charts.values()
    assert (kept.kind, kept.title) == ("chart", "1990-05-15 13:30 Beijing (北京市)")
    assert json.loads(kept.body)["four_pillars"]["day"] == "庚辰"


async def kept(town, browser, count):
    """The paths of so many charts, the newest first, some of them saved in the same millisecond."""
    fields = await browser.chart_form()
    paths = []
    for number in range(count):
        town.clock.advance(number % 3)
        paths.append((await browser.post("/c", {**fields, "title": f"chart {number}"})).to)
    listed = {
        f"/c/{each.id}": each.position for each in await town.storage.charts.of(town_owner(town), count)
    }
    return sorted(paths, key=listed.__getitem__, reverse=True)


def town_owner(town):
    [account_id] = town.rows.accounts
    return account_id


def charts_on(page):
    return [link for link in page.shown.links if link.startswith("/c/")]


def link_of(page, rel):
    return next((found["href"] for tag, found in page.shown.tags if found.get("rel") == rel), None)


@in_town
async def test_many_charts_are_turned_page_by_page_and_each_stands_on_one(town):
    browser = await town.member()
    paths = await kept(town, browser, 2 * LISTED + 1)
    page, seen = await browser.get("/c"), []
    assert link_of(page, "prev") is None
    while True:
        seen.append(charts_on(page))
        older = link_of(page, "next")
        if older is None:
            break
        page = await browser.get(older)
        assert link_of(page, "prev") == "/c"
    assert [len(each) for each in seen] == [LISTED, LISTED, 1]
    assert [path for each in seen for path in each] == paths


@in_town
async def test_a_page_stays_what_it_was_while_charts_come_and_go_above_it(town):
    browser = await town.member()
    paths = await kept(town, browser, LISTED + 5)
    older = link_of(await browser.get("/c"), "next")
    before = charts_on(await browser.get(older))
    for path in paths[:3]:
        await browser.submit(path, f"{path}/delete")
    town.clock.advance(1)
    await browser.saved_chart()
    assert charts_on(await browser.get(older)) == before == paths[LISTED:]


@in_town
async def test_exactly_one_page_has_no_next_and_a_page_below_the_last_says_so(town):
    browser = await town.member()
    assert "Nothing here yet" in (await browser.get("/c")).words
    await kept(town, browser, LISTED)
    page = await browser.get("/c")
    assert (len(charts_on(page)), link_of(page, "next")) == (LISTED, None)
    last = await browser.get("/c?below=1-00000000-0000-4000-8000-000000000000")
    assert "end of the list" in last.words
    assert link_of(last, "prev") == "/c"


@pytest.mark.parametrize("below", ["", "x", "1", "-1-x", "9" * 30 + "-" + "0" * 36, "%00", "1-' OR 1"])
@in_town
async def test_a_position_that_no_page_names_is_the_top(town, below):
    browser = await town.member()
    path = await browser.saved_chart()
    page = await browser.get(f"/c?below={below}")
    assert page.status == 400 if below == "%00" else charts_on(page) == [path]


@in_town
async def test_a_chart_has_the_title_its_owner_gives_it(town):
    browser = await town.member()
    form = await browser.chart_form()
    saved = await browser.post("/c", {**form, "title": " <b>甲</b>\u202e " + "x" * 200})
    page = await browser.get(saved.to)
    assert "&lt;b&gt;甲&lt;/b&gt;x" in page.text.replace(" x", "x")
    [kept] = town.rows.charts.values()
    assert len(kept.title) == 80
    assert "\u202e" not in kept.title


@in_town
async def test_a_chart_that_cannot_be_is_not_kept(town):
    browser = await town.member()
    form = await browser.chart_form()
    assert (await browser.post("/c", {**form, "t": "1990-02-30T13:30"})).status == 400
    assert town.rows.charts == {}


@in_town
async def test_a_chart_of_somebody_else_is_not_there(town):
    mine = await (await town.member()).saved_chart()
    other = await town.member("other@example.org")
    token = (await other.get("/account")).form("/account")["csrf"]
    for path in (mine, f"{mine}/reading", "/c/not-an-id"):
        assert (await other.get(path)).status == 404
    for path in (f"{mine}/share", f"{mine}/unshare", f"{mine}/delete", f"{mine}/reading"):
        page = await other.post(path, {"csrf": token, "kind": "pattern"})
        assert page.status == 404
    assert len(town.rows.charts) == 1
    assert mine not in (await other.get("/c")).shown.links


@in_town
async def test_a_deleted_chart_is_gone(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    assert (await browser.submit(saved, f"{saved}/delete")).to == "/c"
    assert (await browser.get(saved)).status == 404
    assert town.rows.charts == {}


# --- shared charts


async def shared(browser, saved):
    """The path of the link that opens a chart."""
    page = await browser.submit(saved, f"{saved}/share")
    assert page.status == 200
    return TOKEN.search(page.text)[0]


@in_town
async def test_a_link_shows_the_chart_to_whoever_has_it_and_nothing_to_do(town):
    browser = await town.member()
    link = await shared(browser, await browser.saved_chart())
    for reader in (town.browser(), await town.member("other@example.org"), browser):
        page = await reader.get(link)
        assert page.status == 200
        assert "庚" in page.words
        assert [form for form in page.shown.forms if form["method"] == "post"] == []
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["x-robots-tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in page.text


@in_town
async def test_the_link_is_128_random_bits_and_stored_as_a_hash(town):
    browser = await town.member()
    token = (await shared(browser, await browser.saved_chart())).removeprefix("/s/")
    assert len(bytes.fromhex(token)) == 16
    assert token not in rows(town)
    assert token_hash(token) in rows(town)


@in_town
async def test_the_link_is_shown_once(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    link = await shared(browser, saved)
    assert link not in (await browser.get(saved)).text


@in_town
async def test_a_chart_and_the_list_tell_its_owner_whether_a_link_is_open_and_offer_what_can_be_done(town):
    browser = await town.member()
    saved = await browser.saved_chart()

    async def told():
        page, listed = await browser.get(saved), await browser.get("/c")
        actions = [form["action"].rpartition("/")[2] for form in page.shown.forms]
        return (
            "No link is open" in page.words,
            "A link is open" in page.words,
            listed.words.count(" open"),
            actions,
        )

    assert await told() == (True, False, 0, ["share", "delete"])
    town.clock.advance(60)
    await browser.submit(saved, f"{saved}/share")
    assert await told() == (False, True, 1, ["share", "unshare", "delete"])
    stamps = [found["datetime"] for tag, found in (await browser.get(saved)).shown.tags if tag == "time"]
    assert stamps == [iso(town.clock.now_ms())]
    closed = await browser.submit(saved, f"{saved}/unshare")
    assert "opens nothing any more" in (await browser.get(closed.to)).words
    assert await told() == (True, False, 0, ["share", "delete"])


@in_town
async def test_the_closing_of_an_old_link_is_not_told_of_a_new_one(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    await shared(browser, saved)
    assert "opens nothing any more" not in (await browser.get(f"{saved}?closed=1")).words


@in_town
async def test_a_closed_link_and_a_replaced_one_are_nowhere(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    first = await shared(browser, saved)
    second = await shared(browser, saved)
    assert (await town.browser().get(first)).status == 404
    assert (await town.browser().get(second)).status == 200
    assert (await browser.submit(saved, f"{saved}/unshare")).status == 303
    assert (await town.browser().get(second)).status == 404
    assert (await browser.get(saved)).status == 200


@pytest.mark.parametrize("token", ["0" * 32, "x", "0" * 31, "A" * 32, "0" * 64])
@in_town
async def test_a_link_that_nobody_made_is_nowhere(town, token):
    assert (await town.browser().get(f"/s/{token}")).status == 404


@in_town(root="/hub")
async def test_the_link_carries_the_public_url_or_the_address_that_was_asked_for(town):
    browser = await town.member()
    saved = (await browser.saved_chart()).removeprefix("/hub")
    page = await browser.submit(saved, f"{saved}/share")
    assert 'value="http://localhost/hub/s/' in page.text


@in_town
async def test_a_chart_whose_owner_is_erased_is_not_shown_any_more(town):
    browser = await town.member()
    link = await shared(browser, await browser.saved_chart())
    [account] = await town.storage.accounts.listed()
    await town.storage.accounts.erase(account.id, "operator")
    assert (await town.browser().get(link)).status == 404
    assert (await browser.get("/c")).status == 303


@in_town
async def test_a_fault_of_the_store_is_not_taken_for_a_missing_chart(town):
    async def opened(token):
        raise StoreError("away")

    town.storage.charts.shared = opened
    assert (await town.browser().get("/s/" + "0" * 32)).status == 503


@in_town
async def test_an_account_saves_so_many_charts_a_day_and_more_tomorrow(town):
    member, other = await town.member(), await town.member("other@example.org")
    fields = await member.chart_form()
    for _ in range(MOST_SAVED):
        assert (await member.post("/c", fields)).status == 303
    full = await member.post("/c", fields)
    assert (full.status, "retry-after" in full.headers) == (429, True)
    assert len(town.rows.charts) == MOST_SAVED
    await other.saved_chart()
    town.clock.advance(86_400)
    assert (await member.post("/c", fields)).status == 303


# --- the page of a saved chart


@in_town
async def test_a_saved_chart_leads_to_its_address_its_years_and_its_files(town):
    browser = await town.member()
    page = await browser.get(await browser.saved_chart())
    query = CHART.partition("?")[2]
    assert f"/year?{query}&year=2027" in page.shown.links
    assert f"/years?{query}" in page.shown.links
    assert {f"/chart.{each}?{query}" for each in ("svg", "json", "txt")} <= {*page.shown.links}
    assert f'value="http://localhost{CHART}"'.replace("&", "&amp;") in page.text


@in_town
async def test_whoever_saves_in_order_to_read_is_led_to_the_readings(town):
    browser = await town.member()
    form = await browser.chart_form()
    assert (await browser.post("/c", {**form, "then": "reading"})).to.endswith("/reading")
    assert not (await browser.post("/c", form)).to.endswith("/reading")


@pytest.mark.parametrize(
    "chart",
    [
        lambda: bz.chart("1990-05-15 13:30:20", city="北京", gender="male"),
        lambda: bz.chart("1990-05-15 午时", city="北京", gender="male"),
        lambda: bz.chart("1990-05-15 13:30", utc_offset=8, gender="male"),
        lambda: bz.chart("1990-05-15 13:30", city="北京"),
        lambda: bz.chart(
            "1990-05-15 13:30", city="北京", gender="male", school=bz.School(strength_method="root_units")
        ),
        lambda: bz.chart("1990-05-15 13:30", city="北京", gender="male", school=bz.School(judgement="facts")),
        lambda: bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male"),
        lambda: bz.chart(pillars="庚午 辛巳 庚辰"),
        lambda: bz.chart("1700-05-15 13:30", city="北京", gender="male", calendar="julian"),
    ],
)
@in_town
async def test_a_chart_that_no_address_states_is_shown_all_the_same_without_one(town, chart):
    browser = await town.member()
    made = chart()
    saved = Saved(town.ids.uuid(), town_owner(town), "chart", "old", made.to_json(), town.clock.now_ms())
    await town.storage.charts.add(saved)
    page = await browser.get(f"/c/{saved.id}")
    assert page.status == 200, page.words
    assert made.pillars.day.value in page.words
    assert not [link for link in page.shown.links if link.startswith(("/chart", "/year"))]
