"""Charts: shown to anybody, kept for members, opened by a link, and nobody else's business."""

from __future__ import annotations

import json
import re
from dataclasses import fields as members

import pytest

import bazi_core as bz
from bazi_hub.pages import charts
from bazi_hub.pages.charts import LISTED, MOST_SAVED
from bazi_hub.people.keys import token_hash
from bazi_hub.ports import StoreError
from bazi_hub.words.times import iso
from tests.hub.pages.browsing import BIRTH, visits

TOKEN = re.compile(r"/s/([0-9a-f]{32})")


def rows(town):
    """Everything that is stored, as text."""
    return repr([getattr(town.rows, each.name) for each in members(town.rows)])


def test_anybody_sees_the_chart_of_a_birth_and_nothing_of_it_is_stored():
    async def story(town):
        browser = town.browser()
        await browser.get("/")
        before = rows(town)
        page = await browser.submit("/", "/", **BIRTH)
        assert page.status == 200
        for sign in "庚午辛巳庚辰壬午":
            assert sign in page.words
        assert "sign in first" in page.words
        assert rows(town) == before
        assert browser.cookie is None

    visits(story)


def test_the_chart_is_told_in_the_language_of_the_reader():
    async def story(town):
        page = await town.browser(language="zh").submit("/", "/", **BIRTH)
        assert "七杀格" in page.words
        assert "Seven" not in page.words

    visits(story)


@pytest.mark.parametrize(
    ("language", "place", "starts"), [("zh", "北京市", "起运"), ("en", "北京市", "starts")]
)
def test_a_page_shows_no_key_that_only_a_command_takes(language, place, starts):
    async def story(town):
        page = await town.browser(language=language).submit("/", "/", **BIRTH)
        assert place in page.words
        assert starts in page.words
        assert re.findall(r"\w+_\w+|\b(?:cn|gn):\d+", page.words) == []

    visits(story)


@pytest.mark.parametrize("date", ["May 15, 1990", "1990年5月15日", "1990/5/15", "19900515"])
def test_a_date_may_be_spelt_as_the_command_reads_it(date):
    async def story(town):
        page = await town.browser().submit("/", "/", **{**BIRTH, "date": date})
        assert page.status == 200
        assert all(sign in page.words for sign in "庚午辛巳庚辰壬午")

    visits(story)


@pytest.mark.parametrize(("language", "place"), [("zh-Hans", "北京市"), ("en", "Beijing (北京市)")])
def test_the_title_of_a_chart_names_the_place_in_the_language_of_the_reader(language, place):
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    assert charts._title(chart, language) == f"1990-05-15 13:30 {place}"


def test_an_unknown_hour_gives_three_pillars():
    async def story(town):
        page = await town.browser().post("/", {**BIRTH, "time": "", "hour_unknown": "1"})
        assert page.status == 200
        assert "unknown" in page.words

    visits(story)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"date": ""}, "no such day"),
        ({"date": "1990-02-30"}, "no such day"),
        ({"date": "05/06/1990"}, "no such day"),
        ({"date": "12345-01-01"}, "no such day"),
        ({"time": ""}, "hour is unknown"),
        ({"gender": ""}, "Choose the sex"),
        ({"city": ""}, "place of birth"),
        ({"city": "Qwxyzzy"}, "No such place"),
        ({"longitude": "500"}, "longitude lies between"),
        ({"longitude": "east"}, "longitude lies between"),
        ({"longitude": "nan"}, "longitude lies between"),
        ({"longitude": "1_1"}, "longitude lies between"),
        ({"date": "1_9_90-05-15"}, "no such day"),
        ({"latitude": "10"}, "needs a longitude"),
        ({"timezone_id": "Mars/Base"}, "No such time zone"),
    ],
)
def test_what_is_wrong_is_said_beside_what_was_typed(changed, said):
    async def story(town):
        page = await town.browser().post("/", {**BIRTH, **changed})
        assert page.status == 400
        assert said in page.words
        kept = page.form("/")
        assert {name: kept.get(name) for name in ("date", "city")} == {
            name: {**BIRTH, **changed}[name] for name in ("date", "city")
        }

    visits(story)


def test_two_fields_that_are_wrong_are_each_told_in_their_own_words():
    async def story(town):
        page = await town.browser().post(
            "/", {**BIRTH, "date": "1990-02-30", "city": "Qwxyzzy", "gender": ""}
        )
        assert page.status == 400
        for said in ("no such day", "by a name that is known", "Choose the sex"):
            assert said in page.words
        page = await town.browser().post("/", {**BIRTH, "gender": "", "city": "Springfield"})
        assert "Choose the sex" in page.words
        assert [found for tag, found in page.shown.tags if found.get("name") == "ref"]

    visits(story)


def test_of_several_places_of_a_name_one_is_chosen():
    async def story(town):
        page = await town.browser().post("/", {**BIRTH, "city": "Springfield"})
        assert page.status == 400
        refs = [found["value"] for tag, found in page.shown.tags if found.get("name") == "ref"]
        assert len(refs) > 3
        chosen = await town.browser().post(
            "/", {**page.form("/"), **BIRTH, "city": "Springfield", "ref": refs[2]}
        )
        assert chosen.status == 200
        assert "Springfield" in chosen.words

    visits(story)


def test_a_place_that_was_chosen_does_not_stand_for_a_name_typed_afterwards():
    async def story(town):
        asked = await town.browser().post("/", {**BIRTH, "city": "Springfield"})
        refs = [found["value"] for tag, found in asked.shown.tags if found.get("name") == "ref"]
        page = await town.browser().post("/", {**asked.form("/"), **BIRTH, "city": "Beijing", "ref": refs[0]})
        assert "北京市" in page.words
        assert "Springfield" not in page.words

    visits(story)


def test_every_complaint_leads_to_its_field_and_the_field_names_the_complaint():
    async def story(town):
        for given, names in (
            ({}, {"date", "time", "gender", "city"}),
            ({**BIRTH, "latitude": "10"}, {"latitude"}),
        ):
            page = await town.browser().post("/", given)
            fields = {found.get("id"): found for _, found in page.shown.tags}
            assert {link[1:] for link in page.shown.links if link.startswith("#")} == {*names, "main"}
            for name in names:
                assert f"wrong-{name}" in fields
                assert f"wrong-{name}" in fields[name]["aria-describedby"].split()
        assert "open" in next(found for tag, found in page.shown.tags if tag == "details")

    visits(story)


def test_a_time_that_came_twice_is_asked_about():
    async def story(town):
        birth = {**BIRTH, "date": "2020-11-01", "time": "01:30", "city": "New York"}
        page = await town.browser().post("/", birth)
        assert (page.status, "came twice" in page.words) == (400, True)
        assert "-04:00" in page.words
        assert (await town.browser().post("/", {**birth, "fold": "1"})).status == 200

    visits(story)


def test_a_time_that_the_clock_skipped_is_told():
    async def story(town):
        page = await town.browser().post(
            "/", {**BIRTH, "date": "2020-03-08", "time": "02:30", "city": "New York"}
        )
        assert (page.status, "skipped" in page.words) == (400, True)

    visits(story)


def test_what_a_visitor_typed_is_never_markup():
    async def story(town):
        page = await town.browser().post("/", {**BIRTH, "city": '"><script>alert(1)</script>'})
        assert "<script>" not in page.text

    visits(story)


# --- kept charts


def test_a_member_keeps_a_chart_and_finds_it_again():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        assert "庚" in (await browser.get(saved)).words
        listed = await browser.get("/c")
        assert saved in listed.shown.links
        [kept] = town.rows.charts.values()
        assert (kept.kind, kept.title) == ("chart", "1990-05-15 13:30 Beijing (北京市)")
        assert json.loads(kept.body)["four_pillars"]["day"] == "庚辰"

    visits(story)


async def kept(town, browser, count):
    """The paths of so many charts, the newest first, some of them saved in the same millisecond."""
    fields = (await browser.submit("/", "/", **BIRTH)).form("/c")
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


def test_many_charts_are_turned_page_by_page_and_each_stands_on_one():
    async def story(town):
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

    visits(story)


def test_a_page_stays_what_it_was_while_charts_come_and_go_above_it():
    async def story(town):
        browser = await town.member()
        paths = await kept(town, browser, LISTED + 5)
        older = link_of(await browser.get("/c"), "next")
        before = charts_on(await browser.get(older))
        for path in paths[:3]:
            await browser.submit(path, f"{path}/delete")
        town.clock.advance(1)
        await browser.saved_chart()
        assert charts_on(await browser.get(older)) == before == paths[LISTED:]

    visits(story)


def test_exactly_one_page_has_no_next_and_a_page_below_the_last_says_so():
    async def story(town):
        browser = await town.member()
        assert "Nothing here yet" in (await browser.get("/c")).words
        await kept(town, browser, LISTED)
        page = await browser.get("/c")
        assert (len(charts_on(page)), link_of(page, "next")) == (LISTED, None)
        last = await browser.get("/c?below=1-00000000-0000-4000-8000-000000000000")
        assert "nothing further down" in last.words
        assert link_of(last, "prev") == "/c"

    visits(story)


@pytest.mark.parametrize("below", ["", "x", "1", "-1-x", "9" * 30 + "-" + "0" * 36, "%00", "1-' OR 1"])
def test_a_position_that_no_page_names_is_the_top(below):
    async def story(town):
        browser = await town.member()
        path = await browser.saved_chart()
        page = await browser.get(f"/c?below={below}")
        assert page.status == 400 if below == "%00" else charts_on(page) == [path]

    visits(story)


def test_a_chart_has_the_title_its_owner_gives_it():
    async def story(town):
        browser = await town.member()
        form = (await browser.submit("/", "/", **BIRTH)).form("/c")
        saved = await browser.post("/c", {**form, "title": " <b>甲</b>\u202e " + "x" * 200})
        page = await browser.get(saved.to)
        assert "&lt;b&gt;甲&lt;/b&gt;x" in page.text.replace(" x", "x")
        [kept] = town.rows.charts.values()
        assert len(kept.title) == 80
        assert "\u202e" not in kept.title

    visits(story)


def test_a_chart_that_cannot_be_is_not_kept():
    async def story(town):
        browser = await town.member()
        form = (await browser.submit("/", "/", **BIRTH)).form("/c")
        assert (await browser.post("/c", {**form, "date": "1990-02-30"})).status == 400
        assert town.rows.charts == {}

    visits(story)


def test_a_chart_of_somebody_else_is_not_there():
    async def story(town):
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

    visits(story)


def test_a_deleted_chart_is_gone():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        assert (await browser.submit(saved, f"{saved}/delete")).to == "/c"
        assert (await browser.get(saved)).status == 404
        assert town.rows.charts == {}

    visits(story)


# --- shared charts


async def shared(browser, saved):
    """The path of the link that opens a chart."""
    page = await browser.submit(saved, f"{saved}/share")
    assert page.status == 200
    return TOKEN.search(page.text)[0]


def test_a_link_shows_the_chart_to_whoever_has_it_and_nothing_to_do():
    async def story(town):
        browser = await town.member()
        link = await shared(browser, await browser.saved_chart())
        for reader in (town.browser(), await town.member("other@example.org"), browser):
            page = await reader.get(link)
            assert page.status == 200
            assert "庚" in page.words
            assert page.shown.forms == []
            assert page.headers["referrer-policy"] == "no-referrer"
            assert page.headers["x-robots-tag"] == "noindex"
            assert '<meta name="robots" content="noindex">' in page.text

    visits(story)


def test_the_link_is_128_random_bits_and_stored_as_a_hash():
    async def story(town):
        browser = await town.member()
        token = (await shared(browser, await browser.saved_chart())).removeprefix("/s/")
        assert len(bytes.fromhex(token)) == 16
        assert token not in rows(town)
        assert token_hash(token) in rows(town)

    visits(story)


def test_the_link_is_shown_once():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        link = await shared(browser, saved)
        assert link not in (await browser.get(saved)).text

    visits(story)


def test_a_chart_and_the_list_tell_its_owner_whether_a_link_is_open_and_offer_what_can_be_done():
    async def story(town):
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

    visits(story)


def test_the_closing_of_an_old_link_is_not_told_of_a_new_one():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        await shared(browser, saved)
        assert "opens nothing any more" not in (await browser.get(f"{saved}?closed=1")).words

    visits(story)


def test_a_closed_link_and_a_replaced_one_are_nowhere():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        first = await shared(browser, saved)
        second = await shared(browser, saved)
        assert (await town.browser().get(first)).status == 404
        assert (await town.browser().get(second)).status == 200
        assert (await browser.submit(saved, f"{saved}/unshare")).status == 303
        assert (await town.browser().get(second)).status == 404
        assert (await browser.get(saved)).status == 200

    visits(story)


@pytest.mark.parametrize("token", ["0" * 32, "x", "0" * 31, "A" * 32, "0" * 64])
def test_a_link_that_nobody_made_is_nowhere(token):
    async def story(town):
        assert (await town.browser().get(f"/s/{token}")).status == 404

    visits(story)


def test_the_link_carries_the_public_url_or_the_address_that_was_asked_for():
    async def story(town):
        browser = await town.member()
        saved = (await browser.saved_chart()).removeprefix("/hub")
        page = await browser.submit(saved, f"{saved}/share")
        assert 'value="http://localhost/hub/s/' in page.text

    visits(story, root="/hub")


def test_a_chart_whose_owner_is_erased_is_not_shown_any_more():
    async def story(town):
        browser = await town.member()
        link = await shared(browser, await browser.saved_chart())
        [account] = await town.storage.accounts.listed()
        await town.storage.accounts.erase(account.id, "operator")
        assert (await town.browser().get(link)).status == 404
        assert (await browser.get("/c")).status == 303

    visits(story)


def test_a_fault_of_the_store_is_not_taken_for_a_missing_chart():
    async def story(town):
        async def opened(token):
            raise StoreError("away")

        town.storage.charts.shared = opened
        assert (await town.browser().get("/s/" + "0" * 32)).status == 503

    visits(story)


def test_an_account_saves_so_many_charts_a_day_and_more_tomorrow():
    async def story(town):
        member, other = await town.member(), await town.member("other@example.org")
        fields = (await member.submit("/", "/", **BIRTH)).form("/c")
        for _ in range(MOST_SAVED):
            assert (await member.post("/c", fields)).status == 303
        full = await member.post("/c", fields)
        assert (full.status, "retry-after" in full.headers) == (429, True)
        assert len(town.rows.charts) == MOST_SAVED
        await other.saved_chart()
        town.clock.advance(86_400)
        assert (await member.post("/c", fields)).status == 303

    visits(story)


def test_births_that_cannot_be_are_counted_until_their_address_has_to_wait_and_nobody_else():
    async def story(town):
        town.hub.refused.most = 3
        member, stranger = await town.member(), town.browser()
        wrong = {**BIRTH, "date": "1990-13-45"}
        assert {(await stranger.submit("/", "/", **wrong)).status for _ in range(3)} == {400}
        beyond = await stranger.submit("/", "/", **BIRTH)
        assert (beyond.status, "refused" in beyond.words) == (429, True)
        # Signed in at the same address, or at another: each is counted for itself.
        assert (await member.submit("/", "/", **BIRTH)).status == 200
        assert (await town.browser(address="192.0.2.9").submit("/", "/", **BIRTH)).status == 200
        assert [(await member.submit("/", "/", **wrong)).status for _ in range(4)] == [400] * 3 + [429]
        town.clock.advance(60)
        assert (await stranger.submit("/", "/", **BIRTH)).status == 200

    visits(story)
