"""Money and keys on one page: what is shown, what a new key is, and that it is shown once."""

import json
import re

from bazi_hub.people.keys import parse
from bazi_hub.ports import CallRecord, Price
from bazi_hub.words.times import iso
from tests.hub.client import Connection
from tests.hub.pages.browsing import HOME, in_town

KEY = re.compile(r"bz[pa]_[0-9A-Za-z]{46}")


async def issued(browser, **fields):
    page = await browser.submit("/billing", "/billing/keys", **{"flavor": "personal", "days": "0", **fields})
    assert page.status == 200, page.text
    return KEY.search(page.text)[0]


async def called(town, key, tool="meta/get_user_credits"):
    """What the API answers to a key."""
    response = await Connection(town.app, f"/api/universal/{tool}", b"{}", headers={"x-api-key": key}).run()
    return response.status


@in_town
async def test_balance_free_calls_and_live_prices_are_shown(town):
    await town.storage.pricing.set(Price("bigluck_year_analysis", 3, 7, 0, True), "operator")
    browser = await town.member()
    page = await browser.get("/billing")
    assert "Balance 25 credits Reserved 0 credits Available 25 credits" in page.words
    rows = re.sub(r"_ ", "_", page.words)
    assert "BaZi chart (八字排盘) bazi_basic_analysis 1 credit 1 credit 1 time" in rows
    assert "bigluck_year_analysis 3 credits 7 credits 0 times" in rows
    assert "Reading of six lines divination_run 4 credits 4 credits 0 times" in rows


@in_town(topup_url="https://pay.example/x")
async def test_the_way_to_more_credits_is_shown_where_there_is_one(town):
    page = await (await town.member()).get("/billing")
    assert "https://pay.example/x" in page.shown.links


@in_town
async def test_a_key_is_shown_once_and_works_at_once(town):
    browser = await town.member()
    key = await issued(browser)
    assert parse(key).flavor == "personal"
    assert await called(town, key) == 200
    assert key not in (await browser.get("/billing")).text
    assert parse(key).id in (await browser.get("/billing")).text


@in_town
async def test_an_agent_key_carries_its_name_and_its_end(town):
    browser = await town.member()
    key = await issued(browser, flavor="agent", agent_name=" Oracle\u202e " + "x" * 80, days="30")
    [kept] = town.rows.keys.values()
    assert (kept.flavor, len(kept.agent_name), kept.agent_name[:6]) == ("agent", 64, "Oracle")
    assert await called(town, key) == 200
    town.clock.advance(30 * 86_400)
    assert await called(town, key) == 401


@in_town
async def test_a_personal_key_has_no_agent_name(town):
    await issued(await town.member(), agent_name="Oracle")
    [kept] = town.rows.keys.values()
    assert kept.agent_name is None


@in_town
async def test_a_time_that_is_not_offered_is_refused(town):
    browser = await town.member()
    page = await browser.submit("/billing", "/billing/keys", flavor="personal", days="-5")
    assert page.status == 400
    assert town.rows.keys == {}


@in_town
async def test_a_revoked_key_ends_at_once_and_stays_listed(town):
    browser = await town.member()
    key = await issued(browser)
    assert await called(town, key) == 200
    page = await browser.submit("/billing", "/billing/keys/revoke")
    assert page.to == "/billing#keys"
    assert await called(town, key) == 401
    assert "revoked" in (await browser.get("/billing")).words


@in_town
async def test_nobody_revokes_the_key_of_somebody_else(town):
    key = await issued(await town.member())
    other = await town.member("other@example.org")
    token = (await other.get("/account")).form("/account")["csrf"]
    for name in (parse(key).id, "", "nonsense"):
        await other.post("/billing/keys/revoke", {"csrf": token, "key_id": name})
    assert await called(town, key) == 200
    assert parse(key).id not in (await other.get("/billing")).text


@in_town
async def test_the_twenty_first_key_is_refused_until_one_is_revoked(town):
    browser = await town.member()
    for _ in range(20):
        await issued(browser)
    page = await browser.submit("/billing", "/billing/keys", flavor="personal", days="0")
    assert (page.status, "Revoke one first" in page.words) == (409, True)
    await browser.submit("/billing", "/billing/keys/revoke")
    await issued(browser)


@in_town
async def test_the_snippets_name_this_hub(town):
    page = await (await town.member()).get("/billing")
    for client in ("Claude", "Cursor", "Cline", "VS Code", "LangChain", "Coze"):
        assert client in page.words
    assert "http://localhost/api/mcp" in page.text


@in_town
async def test_the_cookie_of_the_pages_opens_the_api_as_a_session_and_buys_nothing_there(town):
    browser = await town.member()
    token = (await browser.get("/account")).form("/account")["csrf"]
    headers = {
        "cookie": f"bazi_session={browser.cookie}", "origin": HOME, "x-csrf-token": token,
        "content-type": "application/json",
    }  # fmt: skip

    async def status(tool, body=b"{}"):
        found = await Connection(town.app, f"/api/universal/{tool}", body, headers=headers).run()
        return found.status, json.loads(found.body)

    assert (await status("meta/get_user_credits"))[0] == 200
    refused, told = await status("fortune/bazi_basic_analysis")
    assert (refused, told["error"]["message"]) == (401, "API key required")


@in_town
async def test_the_description_of_the_api_names_every_tool_and_error_and_no_price(town):
    page = await town.browser().get("/docs/api")
    words = re.sub(r"([_.]) ", r"\1", page.words)
    for tool in town.hub.catalog:
        assert tool in words
    for word in ("location.timezone_offset", "UPSTREAM_TIMEOUT", "http://localhost/api/mcp", "x-api-key"):
        assert word in words
    assert (
        "credits"
        not in page.words.replace("Credits & keys", "").replace("get_ user_ credits", "").split("Tools")[0]
    )
    assert "JOB_NOT_FOUND" not in words


@in_town
async def test_a_key_is_revoked_only_by_a_second_step(town):
    browser = await town.member()
    await issued(browser)
    text = (await browser.get("/billing")).text
    revoke = text.partition("/billing/keys/revoke")[0]
    assert revoke.rfind("<details") > revoke.rfind("</details")
    assert "Revoke for good" in text


@in_town(starter_credits=10_025)
async def test_amounts_carry_units_and_times_their_zone(town):
    town.clock.advance(3600)
    browser = await town.member(language="zh")
    await issued(browser)
    page = await browser.get("/billing")
    assert "余额 10,025 点 占用中 0 点 可用 10,025 点" in page.words
    assert "八字排盘 bazi_ basic_ analysis 1 点 1 点 1 次" in page.words
    stamps = [found["datetime"] for tag, found in page.shown.tags if tag == "time"]
    assert stamps == [iso(town.clock.now_ms())]
    assert f"{stamps[0][:16].replace('T', ' ')} UTC" in page.words


@in_town
async def test_what_a_call_was_and_why_it_failed_is_told_beside_its_code(town):
    browser = await town.member(language="zh")
    [account_id] = town.rows.accounts
    records = [
        ("bigluck_year_analysis", "captured", None, 40),
        ("bazi_pattern_analysis", "released", "UPSTREAM_TIMEOUT", 60_400),
        ("divination_run", "running", None, None),
    ]

    async def history(asked, limit):
        assert asked == account_id
        return [
            CallRecord(f"c{number}", tool, 0, state, error, 0, duration)
            for number, (tool, state, error, duration) in enumerate(records)
        ]

    town.storage.ledger.history = history
    words = (await browser.get("/billing")).words
    assert "流年推算 bigluck_ year_ analysis ✓ 成功 0 点 不到 1 秒" in words
    failed = "一生解读 bazi_ pattern_ analysis ✗ 失败 解读服务没有及时回答，没有扣点，请稍后再试。"
    assert f"{failed} UPSTREAM_ TIMEOUT 0 点 60 秒" in words
    assert "六爻断语 divination_ run ◐ 进行中 0 点 –" in words


@in_town
async def test_what_was_used_stands_before_the_clients_and_a_call_by_hand_before_the_others(town):
    browser = await town.member(language="zh")
    words = (await browser.get("/billing")).words
    places = [words.index(name) for name in ("API 密钥", "用量", "接入客户端", "cURL", "Claude")]
    assert places == sorted(places)
    assert "curl http://localhost/api/universal/meta/get_user_credits" in words
