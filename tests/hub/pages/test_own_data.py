"""The data of an account in the hands of its owner: taken along as a file, and deleted for good."""

import asyncio
import json

from bazi_hub.pages.account import MOST_EXPORTS_A_DAY
from bazi_hub.ports import NewCall
from tests.hub.pages.browsing import PASSWORD, in_town, visits
from tests.hub.pages.test_billing import issued
from tests.hub.pages.test_forum import POST, written


async def taken(browser):
    """The file of an account."""
    page = await browser.submit("/account", "/account/export")
    assert page.status == 200, page.text
    return page


@in_town
async def test_the_file_holds_all_that_was_kept_and_no_secret(town):
    browser = await town.member()
    saved, key = await browser.saved_chart(), await issued(browser, flavor="agent", agent_name="Robin")
    path = await written(browser)
    await browser.submit(path, f"{path}/comments", content="好")
    page = await taken(browser)
    assert "attachment" in page.headers["content-disposition"]
    assert page.headers["cache-control"] == "no-store"
    found = json.loads(page.text)
    assert found["account"]["email"] == "reader@example.org"
    assert [each["id"] for each in found["kept"]] == [saved.rpartition("/")[2]]
    assert "four_pillars" in json.dumps(found["kept"][0]["body"])
    assert [each["agent_name"] for each in found["keys"]] == ["Robin"]
    assert [each["kind"] for each in found["ledger"]] == ["starter"]
    assert [each["title"] for each in found["posts"]] == [POST["title"]]
    assert [each["content"] for each in found["comments"]] == ["好"]
    for secret in (key, PASSWORD, "argon2", "pepper", "password_hash"):
        assert secret not in page.text


@in_town
async def test_the_file_holds_nothing_of_anybody_else(town):
    other = await town.member("other@example.org")
    await other.saved_chart()
    await written(other)
    found = json.loads((await taken(await town.member())).text)
    assert (found["kept"], found["posts"], found["comments"]) == ([], [], [])
    assert "other@example.org" not in json.dumps(found)


@in_town
async def test_the_file_is_for_members_and_not_more_often_than_anybody_needs_it(town):
    stranger = town.browser()
    assert (await stranger.post("/account/export")).to.startswith("/login")
    browser = await town.member()
    for _ in range(MOST_EXPORTS_A_DAY):
        await taken(browser)
    assert (await browser.submit("/account", "/account/export")).status == 429


@in_town
async def test_an_account_is_deleted_with_all_that_it_kept(town):
    browser = await town.member()
    await browser.saved_chart()
    path = await written(browser)
    page = await browser.submit("/account", "/account/erase", password=PASSWORD, sure="1")
    assert (page.status, page.to) == (303, "/login?erased=1")
    assert "The account is deleted." in (await browser.get(page.to)).words
    assert (await browser.get("/account")).to.startswith("/login")
    [account] = town.rows.accounts.values()
    assert (account.status, account.email, account.password_hash) == ("erased", None, None)
    assert town.rows.charts == {}
    assert (await town.browser().get(path)).status == 404
    again = await town.browser().post("/login", {"email": "reader@example.org", "password": PASSWORD})
    assert again.status == 403


@in_town
async def test_nothing_is_deleted_without_the_password_and_the_tick(town):
    browser = await town.member()
    for fields, status in (
        ({"password": "wrong password", "sure": "1"}, 403),
        ({"password": PASSWORD, "sure": ""}, 400),
        ({"password": PASSWORD, "sure": "1", "csrf": "0"}, 403),
    ):
        assert (await browser.submit("/account", "/account/erase", **fields)).status == status
    [account] = town.rows.accounts.values()
    assert account.status == "active"


def test_an_account_with_a_running_call_stays_as_it_is(monkeypatch):
    monkeypatch.setattr("bazi_hub.pages.account.ERASE_WAIT_S", 0.0)
    monkeypatch.setattr("bazi_hub.people.erasure.LOOK_EVERY_S", 0.0)

    async def story(town):
        browser = await town.member()
        [account] = town.rows.accounts.values()
        call = NewCall(
            "c", account.id, "bazi_pattern_analysis", "f", lease_s=330.0, started_ms=town.clock.now_ms()
        )
        await town.storage.ledger.hold(call)
        page = await browser.submit("/account", "/account/erase", password=PASSWORD, sure="1")
        assert (page.status, "still running" in page.words) == (409, True)
        [account] = town.rows.accounts.values()
        assert (account.status, account.email) == ("active", "reader@example.org")
        assert (await browser.get("/account")).status == 200
        await town.storage.ledger.release("c", "UPSTREAM_ERROR")
        await asyncio.sleep(0)
        page = await browser.submit("/account", "/account/erase", password=PASSWORD, sure="1")
        assert page.to == "/login?erased=1"

    visits(story)
