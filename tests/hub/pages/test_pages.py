"""What all pages have in common: headers, languages, the guard of every form, and what a failure looks like."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from bazi_hub.http.exchange import Pace
from bazi_hub.pages import PAGES
from bazi_hub.pages.site import CSP, SCRIPT, STYLE
from bazi_hub.ports import StoreError
from tests.hub.client import Connection
from tests.hub.pages.browsing import HOME, in_town, visits

CSP_AS_STATED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
OPEN = ("/", "/forum", "/login", "/signup", "/docs/api")
MEMBERS = ("/c", "/forum/new", "/billing", "/account")
SOMETHING = "00000000-0000-4000-8000-00000000dead"


def test_every_page_carries_the_policies_and_the_disclaimer():
    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        for path in (
            *OPEN[:2],
            "/docs/api",
            *MEMBERS,
            saved,
            f"{saved}/reading",
            "/nothing",
            f"/c/{SOMETHING}",
        ):
            page = await browser.get(path)
            assert page.headers["content-security-policy"] == CSP_AS_STATED
            assert page.headers["x-content-type-options"] == "nosniff"
            assert page.headers["referrer-policy"] == "same-origin"
            assert page.headers["cache-control"] == "no-store"
            assert "strict-transport-security" not in page.headers
            assert "for entertainment only" in page.words

    assert CSP == CSP_AS_STATED
    visits(story)


@in_town
async def test_over_https_browsers_are_told_to_come_back_by_https(town):
    page = await town.browser(home="https://localhost").get("/")
    assert page.headers["strict-transport-security"] == "max-age=31536000"


@in_town
async def test_no_page_needs_what_the_policy_forbids(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    for path in (*OPEN, *MEMBERS, saved, f"{saved}/reading"):
        page = await browser.get(path)
        for tag, found in page.shown.tags:
            assert tag not in ("style", "iframe", "img", "base", "object")
            assert tag != "script" or found == {"src": SCRIPT.path, "defer": None}
            assert not [name for name in found if name == "style" or name.startswith("on")]


@in_town
async def test_every_field_has_a_label_and_every_table_a_caption(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    pages = [await town.browser().get(path) for path in OPEN]
    pages += [await browser.get(path) for path in (*MEMBERS, saved, f"{saved}/reading")]
    for text in (page.text for page in pages):
        assert text.count("<table") == text.count("<caption")
        assert text.count("<h1") == 1
        for found in re.finditer(r"<(?:input|select|textarea)\b[^>]*>", text):
            before = text[: found.start()]
            labelled = before.rfind("<label") > before.rfind("</label")
            own = re.search(r' id="([^"]+)"', found[0])
            labelled = labelled or (own and f'<label for="{own[1]}"' in before)
            assert labelled or 'type="hidden"' in found[0] or "aria-label" in found[0], found[0]


@pytest.mark.parametrize(
    ("accept", "language"),
    [("", "zh-Hans"), ("en-GB,en;q=0.9", "en"), ("fr,zh-TW;q=0.8,en;q=0.4", "zh-Hant"), ("zh-CN", "zh-Hans"),
     ("yue", "zh-Hant"), ("*", "zh-Hans"),     ("en;q=0", "zh-Hans"), ("en;q=x, zh", "zh-Hans"), ("de", "zh-Hans")],
)  # fmt: skip
@in_town
async def test_a_visitor_reads_the_language_of_the_browser_and_otherwise_chinese(town, accept, language):
    page = await town.browser(language=accept).get("/")
    assert f'<html lang="{language}">' in page.text


@in_town
async def test_the_name_of_an_account_holds_nothing_that_nobody_sees(town):
    browser = await town.member()
    await browser.submit("/account", "/account", display_name="\u200b甲\u202e\u3164")
    assert (await browser.get("/account")).form("/account")["display_name"] == "甲"


@in_town
async def test_the_language_of_the_account_goes_before_that_of_the_browser(town):
    browser = await town.member()
    await browser.submit("/account", "/account", language="zh-Hans", display_name="甲")
    page = await browser.get("/account")
    assert '<html lang="zh-Hans">' in page.text
    assert page.form("/account")["display_name"] == "甲"
    await browser.submit("/account", "/account", language="")
    assert '<html lang="en">' in (await browser.get("/account")).text


@pytest.mark.parametrize(("asset", "kind"), [(STYLE, "text/css"), (SCRIPT, "text/javascript")])
@in_town
async def test_style_and_script_are_kept_for_good_under_names_that_change_with_them(town, asset, kind):
    page = await town.browser().get(asset.path)
    assert page.status == 200
    assert page.headers["content-type"].startswith(kind)
    assert page.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (await town.browser().get("/static/style.000000000000.css")).status == 404
    assert (await town.browser().get("/static/../chinese.csv")).status == 404


# --- who may see what


@in_town
async def test_pages_of_members_send_others_to_the_sign_in(town):
    for path in (*MEMBERS, f"/c/{SOMETHING}", f"/c/{SOMETHING}/reading"):
        page = await town.browser().get(path)
        assert (page.status, page.to[:12]) == (303, "/login?next=")


POSTS = [path.replace("{id}", SOMETHING) for path, _, post in PAGES if post is not None]


@pytest.mark.parametrize("path", POSTS)
@in_town(allowed_origins="https://friend.example")
async def test_no_form_is_taken_without_the_own_origin(town, path):
    browser = await town.member()
    token = (await browser.get("/account")).form("/account")["csrf"]
    # Origins that the operator lets call the API, or that are local, are still not this site.
    for origin in ("https://friend.example", "http://localhost:9", ""):
        page = await browser.post(path, {"csrf": token}, origin=origin)
        assert page.status == 403, origin
        assert "not sent from this site" in page.words


@pytest.mark.parametrize("path", POSTS)
@in_town
async def test_no_form_of_a_member_is_taken_without_the_token_of_the_session(town, path):
    browser, other = await town.member(), await town.member("other@example.org")
    foreign = (await other.get("/account")).form("/account")["csrf"]
    for fields in ({}, {"csrf": ""}, {"csrf": "no"}, {"csrf": foreign}, {"csrf": "é"}):
        assert (await browser.post(path, fields)).status == 403


@in_town
async def test_a_foreign_site_is_refused_before_anything_is_read(town):
    page = await town.browser().post("/login", {}, origin="https://evil.example")
    assert page.status == 403


@in_town(public_url="https://hub.example/")
async def test_the_public_url_is_the_own_origin_where_it_is_set(town):
    browser = town.browser()
    assert (await browser.post("/signup")).status == 403
    assert (await browser.post("/signup", origin="https://hub.example")).status == 400


@in_town(public_url="https://hub.example/hub", root="/hub")
async def test_a_public_url_with_a_prefix_has_the_origin_without_it(town):
    page = await town.browser().post("/signup", origin="https://hub.example")
    assert page.status == 400


# --- what goes wrong


@in_town
async def test_what_is_nowhere_is_a_page_like_the_others(town):
    for path in ("/nothing", "/forum/x/y", "/c//", "/admin", "/apix"):
        page = await town.browser().get(path)
        assert page.status == 404
        assert "no such page" in page.words


@in_town
async def test_paths_of_the_api_are_left_to_the_api(town):
    for path in ("/api", "/api/", "/api/nothing"):
        page = await town.browser().get(path)
        assert "text/html" not in page.headers.get("content-type", ""), path


@in_town
async def test_the_wrong_verb_names_the_right_ones(town):
    page = await town.browser().ask("PUT", "/login")
    assert (page.status, page.headers["allow"]) == (405, "GET, HEAD, POST")
    assert (await town.browser().ask("HEAD", "/login")).status == 200


@in_town
async def test_a_form_of_another_kind_or_too_large_or_garbled_is_refused(town):
    browser = town.browser()
    form = {"origin": HOME, "content-type": "application/x-www-form-urlencoded"}
    json = await browser.ask("POST", "/signup", b"{}", {**form, "content-type": "application/json"})
    large = await browser.ask("POST", "/signup", b"city=" + b"x" * 262_144, form)
    many = await browser.ask("POST", "/signup", b"&".join(b"a%d=1" % n for n in range(100)), form)
    bad = await browser.ask("POST", "/signup", b"city=%ff", form)
    assert [page.status for page in (json, large, many, bad)] == [415, 413, 400, 400]
    assert (await browser.ask("GET", "/forum?tag=%ff")).status == 400


@in_town
async def test_a_store_that_is_away_is_told_as_that(town):
    browser = await town.member()

    async def of(account_id, most, below):
        raise StoreError("away")

    town.storage.charts.of = of
    page = await browser.get("/c")
    assert page.status == 503
    assert page.headers["retry-after"]


@in_town
async def test_an_unexpected_fault_is_told_by_its_number_only_and_logged_under_it(town):
    browser = await town.member()

    async def of(account_id, most, below):
        raise RuntimeError("a secret detail")

    town.storage.charts.of = of
    page = await browser.get("/c")
    assert page.status == 500
    assert "secret" not in page.text
    [line] = [line for line in town.voices.logged if line["event"] == "fault"]
    assert line["request_id"] in page.words


def test_a_form_that_does_not_arrive_is_not_waited_for():
    async def story(town):
        headers = {"origin": HOME, "content-type": "application/x-www-form-urlencoded"}
        slow = Connection(town.app, "/signup", [b"city="], headers=headers, query_string=b"")
        slow.never = True
        assert (await slow.run()).status == 408

    visits(story, pace=Pace(body_s=0.0))


@in_town
async def test_a_visitor_who_leaves_before_the_form_arrived_gets_no_answer(town):
    headers = {"origin": HOME, "content-type": "application/x-www-form-urlencoded"}
    gone = Connection(town.app, "/signup", [], headers=headers, query_string=b"")
    gone.gone.set()
    assert (await gone.run()).status == 0


@pytest.mark.parametrize("path", ["/login", "/signup"])
@in_town
async def test_no_database_is_asked_for_a_text_with_a_zero_byte(town, path):
    fields = {"email": "a\0b@example.org", "password": "correct horse battery", "city": "\0"}
    assert (await town.browser().post(path, fields)).status == 400
    member = await town.member()
    assert (await member.get("/forum?tag=%00")).status == 400
    assert (await member.submit("/account", "/account", display_name="a\0")).status == 400


@in_town
async def test_a_line_end_after_an_id_is_part_of_the_path(town):
    path = "/forum/00000000-0000-4000-8000-000000000001\n"
    assert (await Connection(town.app, path, method="GET").run()).status == 404


# --- languages and marks


@pytest.mark.parametrize("path", ["/", "/forum?tag=%E7%81%AB&page=2", "/login?next=%2Fbilling", "/docs/api"])
@in_town
async def test_a_visitor_turns_a_page_into_another_language_and_the_next_one_stays_in_it(town, path):
    browser = town.browser(language="zh")
    page = await browser.get(path)
    ways = {found["hreflang"]: found["href"] for _, found in page.shown.tags if found.get("hreflang")}
    assert list(ways) == ["zh-Hans", "zh-Hant", "en"]
    to = ways["en"]
    there, here = urlsplit(to), urlsplit(path)
    assert there.path == here.path
    assert dict(parse_qsl(there.query)) == {**dict(parse_qsl(here.query)), "lang": "en"}
    turned = await browser.get(to)
    assert '<html lang="en">' in turned.text
    line = turned.headers["set-cookie"]
    assert line.startswith("bazi_language=en;")
    assert {"httponly", "samesite=lax", "path=/", "max-age=31536000"} <= set(line.lower().split("; "))
    kept = await browser.get("/", cookie="bazi_language=en")
    assert '<html lang="en">' in kept.text
    assert "set-cookie" not in kept.headers


@in_town
async def test_a_visitor_chooses_the_colours_and_the_next_page_stays_in_them(town):
    browser = town.browser()
    page = await browser.get("/?theme=dark")
    assert '<html lang="en" data-theme="dark">' in page.text
    assert page.headers["set-cookie"].startswith("bazi_theme=dark;")
    kept = await browser.get("/forum", cookie="bazi_theme=dark")
    assert ('data-theme="dark"' in kept.text, "set-cookie" in kept.headers) == (True, False)
    for unknown in (await browser.get("/?theme=x"), await browser.get("/", cookie="bazi_theme=%22")):
        assert '<html lang="en">' in unknown.text
    system = await browser.get("/?theme=auto", cookie="bazi_theme=dark")
    assert '<html lang="en">' in system.text


@in_town
async def test_an_unknown_language_changes_nothing_and_that_of_an_account_stays(town):
    page = await town.browser(language="zh").get("/?lang=fr", cookie="bazi_language=xx")
    assert ('<html lang="zh-Hans">' in page.text, "set-cookie" in page.headers) == (True, False)
    browser = await town.member()
    await browser.submit("/account", "/account", language="zh-Hans", display_name="")
    page = await browser.get("/account?lang=en")
    assert '<html lang="zh-Hans">' in page.text
    assert not [found for _, found in page.shown.tags if "hreflang" in found]


@in_town
async def test_a_page_that_a_form_made_is_not_offered_in_another_language(town):
    page = await town.browser().post("/signup")
    assert not [found for _, found in page.shown.tags if "hreflang" in found]


def titles(page):
    return re.findall(r"<title>(.*?)</title>", page.text.partition("<body")[0], re.DOTALL)


@in_town
async def test_every_page_has_a_title_of_its_own(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    pages = [await town.browser().get(path) for path in OPEN]
    pages += [await browser.get(path) for path in (*MEMBERS, saved, f"{saved}/reading", "/nothing")]
    found = [title for page in pages for title in titles(page)]
    assert len(found) == len(set(found)) == len(pages)
    assert all(title.endswith(" · BaZi Hub") for title in found)


@in_town
async def test_a_title_says_that_something_went_wrong(town):
    browser, member = town.browser(), await town.member()
    for page in (
        await browser.get("/chart?y="),
        await browser.post("/login", {"email": "x"}),
        await browser.get("/nothing"),
        await member.submit("/forum/new", "/forum/new"),
    ):
        assert titles(page)[0].startswith("Error: ")
    assert not titles(await browser.get("/login"))[0].startswith("Error: ")


@in_town
async def test_the_way_marks_the_page_one_is_on(town):
    browser = await town.member()
    for path in ("/", "/c", "/forum", "/docs/api", "/billing", "/account"):
        page = await browser.get(path)
        assert [found["href"] for _, found in page.shown.tags if found.get("aria-current") == "page"] == [
            path
        ]


@in_town
async def test_what_a_field_is_described_by_is_there_and_no_id_stands_twice(town):
    browser = await town.member()
    saved = await browser.saved_chart()
    pages = [await browser.get(path) for path in (*OPEN, *MEMBERS, saved, f"{saved}/reading")]
    pages += [await town.browser().get(path) for path in OPEN]
    for page in pages:
        ids = [found["id"] for _, found in page.shown.tags if "id" in found]
        assert len(ids) == len(set(ids))
        for name in ("aria-describedby", "aria-labelledby"):
            told = [found[name] for _, found in page.shown.tags if name in found]
            assert {each for text in told for each in text.split()} <= set(ids)


@in_town
async def test_a_visitor_is_told_when_to_try_again(town):
    browser = town.browser(language="zh")
    for _ in range(6):
        page = await browser.post("/login", {"email": "a@example.org", "password": "wrong"})
    assert page.status == 429
    assert "密码错误次数太多。 请在 15 分钟后再试。" in page.words


@in_town
async def test_the_description_of_the_api_is_told_in_chinese_too(town):
    words = (await town.browser(language="zh").get("/docs/api")).words
    for said in (
        "按真太阳时排四柱",
        "北京、Beijing",
        "过 retry_after 秒后重试一次",
        "可用余额低于该工具的价格。",
    ):
        assert said in words
    assert "First step of a reading" not in words
