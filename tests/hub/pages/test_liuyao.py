"""六爻 on the site: a throw that anybody can check, a board without a record, and a reading that is bought once."""

from __future__ import annotations

import asyncio
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from bazi_core import liuyao
from bazi_core.errors import PortUnavailable
from bazi_core.liuyao.cast import CastRecord
from bazi_hub.divination.request import LONGEST_QUESTION
from bazi_hub.pages.cast_view import _weighed
from bazi_hub.pages.casts import PageCast, Wrong, asked, of_body, of_query, time_of
from bazi_hub.pages.texts import LANGUAGES
from bazi_hub.ports import Price
from bazi_hub.ports.runs import TOOL, RunAnswer
from tests.hub.divination.runworld import Model
from tests.hub.pages.browsing import EMAIL, Seen, in_town, visits
from tests.waiting import eventually

QUESTION = "Should I take this new job?"
LINES = {f"y{n}": value for n, value in enumerate("798977", 1)}
AT = "2026-11-22T16:20:00+08:00"
HOSTILE = '"><script>alert(1)</script><b>&amp;\u202e\u0301'


async def thrown(browser, **fields):
    """What comes of a throw with the site's coins."""
    wished = {"question": QUESTION, "type": "", "words": "纸墨", "place": "London", "how": "coins"}
    return await browser.submit("/liuyao", "/liuyao", **{**wished, **fields})


async def tapped(browser, **fields):
    """What comes of six lines that were tapped."""
    wished = {"question": QUESTION, "type": "", "place": "+08:00", "when": "2026-11-22 16:20", "how": "lines"}
    return await browser.submit("/liuyao", "/liuyao", **{**wished, **LINES, **fields})


async def kept(browser, **fields):
    """The path of a cast that a member keeps."""
    page = await tapped(browser, **fields)
    assert page.status == 303, page.words
    return page.to


async def bought(browser, path, **fields):
    """Presses the button on the page of a cast."""
    form = (await browser.get(path)).form("/divination")
    return await browser.post(f"{path}/divination", {**form, **fields})


async def money(town):
    [account] = await town.storage.accounts.listed()
    found = await town.storage.ledger.account(account.id)
    return found.posted, found.held


async def settled(town, browser, path):
    """The page of a cast when its run has ended."""

    async def over():
        return "http-equiv" not in (await browser.get(path)).text

    for _ in range(200):
        if await over():
            break
        await asyncio.sleep(0.01)
    return await browser.get(path)


# --- the throw


@in_town
async def test_the_fingerprint_on_the_form_is_that_of_the_number_which_is_told_behind_the_throw(town):
    browser = town.browser()
    form = await browser.get("/liuyao")
    [fingerprint] = re.findall("sha256:[0-9a-f]{64}", form.text)
    fields = {
        **form.form("/liuyao"),
        "question": QUESTION,
        "words": "纸墨",
        "place": "London",
        "how": "coins",
    }
    page = await browser.post("/liuyao", fields)
    board = await browser.get(page.to)
    assert fingerprint in board.text
    record = json.loads((await browser.get(page.to.replace("board", "cast.json"))).text)
    assert (record["seedCommit"], record["clientSeed"], record["method"]) == (fingerprint, "纸墨", "auto")
    assert record["serverSeed"] not in form.text
    assert CastRecord.from_dict(record).to_dict() == record


@in_town
async def test_other_words_make_another_cast_and_the_same_words_the_same(town):
    form = (await town.browser().get("/liuyao")).form("/liuyao")
    wished = {**form, "question": "", "place": "London", "how": "coins"}
    seeds = [
        parse_qs(urlsplit((await town.browser().post("/liuyao", {**wished, "words": "a"})).to).query)["seed"][
            0
        ]
    ]
    records = [PageCast("", AT, seed=seeds[0], words=words).record for words in ("a", "b", "a")]
    assert records[0] == records[2] != records[1]


@in_town
async def test_a_number_that_was_told_is_not_thrown_with_again(town):
    browser = town.browser()
    form = (await browser.get("/liuyao")).form("/liuyao")
    wished = {**form, "question": QUESTION, "words": "a", "place": "London", "how": "coins"}
    assert (await browser.post("/liuyao", wished)).status == 303
    again = await browser.post("/liuyao", {**wished, "words": "b"})
    assert again.status == 400
    assert "cannot be used again" in again.words
    assert again.form("/liuyao")["token"] != form["token"]
    assert QUESTION in again.words


@in_town
async def test_the_hub_vouches_for_a_throw_that_it_saw_and_for_no_other(town):
    browser = await town.member()
    page = await browser.get((await thrown(browser)).to)
    assert "The site kept this throw when it was made" in page.words
    forged = PageCast("", AT, seed=64 * "0", words="a").query()
    form = (await browser.get(f"/liuyao/board?{forged}")).form("/liuyao/board")
    kept_later = await browser.post("/liuyao/board", {**form, "seen": "1", "keep": "1"})
    assert "is no witness for others" in (await browser.get(kept_later.to)).words
    assert "The site kept this throw" not in (await browser.get(kept_later.to)).words


@pytest.mark.parametrize(
    "token", ["", "x", "0-0-0", "1a-" + 24 * "0" + "-" + 64 * "0", "1a-" + 24 * "0" + "-é", 9999 * "1"]
)
@in_town
async def test_a_token_that_is_not_of_this_hub_throws_nothing(town, token):
    page = await thrown(town.browser(), token=token)
    assert page.status == 400
    assert "has expired" in page.words


@in_town
async def test_a_fingerprint_grows_too_old(town):
    browser = town.browser()
    form = (await browser.get("/liuyao")).form("/liuyao")
    town.clock.advance(7 * 3600)
    page = await browser.post("/liuyao", {**form, "words": "a", "place": "London", "how": "coins"})
    assert (page.status, "has expired" in page.words) == (400, True)


@in_town
async def test_who_writes_no_words_is_asked_for_them_since_the_site_would_decide_alone(town):
    page = await thrown(town.browser(), words="")
    assert page.status == 400
    assert "the site alone would decide" in page.words
    assert re.search(r'name="words"[^>]* autofocus', page.text)


@in_town
async def test_who_throws_too_often_from_one_network_waits(town):
    browser = town.browser()
    for _ in range(60):
        assert (await thrown(browser)).status == 303
    page = await thrown(browser)
    assert page.status == 429


# --- six lines


@in_town
async def test_tapped_lines_are_those_of_the_board_the_lowest_first(town):
    browser = town.browser()
    page = await tapped(browser)
    assert parse_qs(urlsplit(page.to).query)["lines"] == ["798977"]
    board = await browser.get(page.to)
    assert "天泽履" in board.words
    assert "风雷益" in board.words
    assert "thrown by hand" in board.words


@in_town
async def test_a_line_that_is_missing_is_named_has_the_focus_and_the_rest_is_kept(town):
    page = await tapped(town.browser(language="zh-Hans"), y4="")
    assert page.status == 400
    assert "还差四爻。" in page.words
    assert re.findall(r'name="(y\d)"[^>]* autofocus', page.text) == ["y4"]
    assert page.form("/liuyao")["y3"] == "8"
    assert QUESTION in page.words


@pytest.mark.parametrize("value", ["5", "10", "七", "７", "79", HOSTILE, 5000 * "7"])
@in_town
async def test_what_is_no_line_is_missing(town, value):
    page = await tapped(town.browser(), y2=value)
    assert page.status == 400
    assert "Still missing: line 2." in page.words


# --- place and time


@pytest.mark.parametrize(
    ("place", "when", "at"),
    [
        ("北京", "2026-11-22 16:20", "2026-11-22T16:20:00+08:00"),
        ("朝阳", "2026年11月22日下午4点20分", "2026-11-22T16:20:00+08:00"),
        ("America/New_York", "2026-07-01 09:00", "2026-07-01T09:00:00-04:00"),
        ("+05:30", "2026-07-01 09:00", "2026-07-01T09:00:00+05:30"),
        ("London", "2026-07-01 09:00+02:00", "2026-07-01T09:00:00+02:00"),
        ("Kathmandu", "", "1970-01-01T05:30:00+05:30"),
    ],
)  # fmt: skip
def test_a_time_has_the_offset_of_its_place(place, when, at):
    assert time_of({"place": place, "when": when}, 0) == at


@pytest.mark.parametrize(
    ("place", "when", "field", "key"),
    [
        ("", "", "place", "place"),
        ("Springfield", "", "place", "places"),
        ("qqqqzz", "", "place", "unknown"),
        (HOSTILE, "", "place", "unknown"),
        ("北京", "2026-13-40 99:99", "when", "when"),
        ("北京", "2026-11-22", "when", "when"),
        ("北京", "9999-11-22 16:20", "when", "when"),
        ("北京", 100 * "9", "when", "when"),
        ("America/New_York", "2026-11-01 01:30", "when", "twice"),
        ("America/New_York", "2026-03-08 02:30", "when", "when"),
    ],
)
def test_a_place_or_time_that_says_nothing_is_told_at_its_field(place, when, field, key):
    found = time_of({"place": place, "when": when}, 0)
    assert isinstance(found, Wrong)
    assert (found.field, found.key) == (field, f"liuyao.wrong.{key}")


# --- the board and its address


@in_town
async def test_nothing_is_stored_of_somebody_who_is_not_signed_in(town):
    browser = town.browser()
    before = await town.storage.accounts.listed()
    page = await thrown(browser)
    await browser.get(page.to)
    assert (town.rows.charts, await town.storage.accounts.listed()) == ({}, before)
    assert (await town.storage.runs.messages("-", None, None, None, None, 10)).messages == []


@in_town
async def test_the_question_is_not_in_the_address_and_only_this_browser_shows_it(town):
    browser = town.browser()
    page = await thrown(browser)
    assert "job" not in page.to
    cookie = browser.set_cookie
    assert "Path=/liuyao" in cookie
    assert "HttpOnly" in cookie
    assert "Max-Age" not in cookie
    here = await browser.get(page.to, cookie=cookie.partition(";")[0])
    assert QUESTION in here.words
    assert QUESTION not in (await town.browser().get(page.to)).words
    other = page.to.replace("words=", "words=x")
    assert QUESTION not in (await browser.get(other, cookie=cookie.partition(";")[0])).words


@in_town
async def test_the_address_with_the_question_is_a_choice_that_says_what_it_does(town):
    browser = town.browser()
    page = await thrown(browser)
    board = await browser.get(page.to, cookie=browser.set_cookie.partition(";")[0])
    addresses = [
        tag["value"] for name, tag in board.shown.tags if name == "input" and tag.get("class") == "secret"
    ]
    assert ["q=" in each for each in addresses] == [False, True]
    assert "servers on the way may keep it" in board.words
    shown = await town.browser().get(addresses[1].removeprefix("http://localhost"))
    assert QUESTION in shown.words
    assert "This address holds the question." in shown.words


@in_town
async def test_a_board_is_private_to_whoever_has_its_address(town):
    board = await town.browser().get(f"/liuyao/board?lines=798977&at={AT.replace('+', '%2B')}")
    assert board.headers["x-robots-tag"] == "noindex"
    assert 'name="robots" content="noindex"' in board.text
    assert "private" in board.headers["cache-control"]
    # Nothing of the address leaves the site; a form of it still says where it comes from.
    assert board.headers["referrer-policy"] == "same-origin"


BAD = [
    "", "lines=", "lines=798977", "lines=79897&at=T", "lines=7989771&at=T", "lines=７９８９７７&at=T", "lines=798975&at=T",
    "lines=<b>&at=T", f"lines={100_000 * '7'}&at=T", "lines=798977&at=now", "lines=798977&at=2026-11-22T16:20:00",
    "lines=798977&at=2026-11-22T16:20%2B08:00", "lines=798977&at=9999-11-22T16:20:00Z", "lines=798977&at=T&type=x",
    f"lines=798977&at=T&q={3000 * 'x'}", "seed=00&words=a&at=T", f"seed={64 * '0'}&at=T",
    f"seed={64 * '0'}&words={200 * 'x'}&at=T",
    f"seed={64 * 'A'}&words=a&at=T", f"seed={64 * '0'}&words=%E2%80%AEa&at=T", "lines[]=798977&at=T",
    "lines=798977&at=T&q=%ff",
    "lines=798977&at=T&q=%00",
]  # fmt: skip


@pytest.mark.parametrize("query", BAD)
@in_town
async def test_an_address_without_a_cast_is_refused_as_a_page(town, query):
    for path in ("/liuyao/board", "/liuyao/cast.json", "/liuyao/cast.svg"):
        page = await town.browser().get(f"{path}?{query.replace('=T', '=' + AT.replace('+', '%2B'))}")
        assert page.status == 400, path
        assert "<script>alert" not in page.text


@in_town
async def test_what_a_visitor_writes_is_text_wherever_it_stands(town):
    browser = town.browser()
    page = await thrown(browser, question=HOSTILE, words=HOSTILE[:40], place="London")
    cookie = browser.set_cookie.partition(";")[0]
    for shown in (
        await browser.get(page.to, cookie=cookie),
        await thrown(town.browser(), question=HOSTILE, words="", place=HOSTILE, when=HOSTILE, type=HOSTILE),
        await browser.get(
            "/liuyao/board?" + PageCast("798977", AT, "", "<script>alert(1)</script>").query(True)
        ),
    ):
        assert "<script>alert(1)" not in shown.text
        # Marks that turn the direction of writing stand in no text but a field.
        assert "\u202e" not in re.sub("<textarea.*?</textarea>|<input[^>]*>", "", shown.text)


@in_town
async def test_a_question_that_is_too_long_is_told_at_its_field(town):
    page = await thrown(town.browser(), question=(LONGEST_QUESTION + 1) * "问")
    assert page.status == 400
    assert "at most 500 characters" in page.words
    assert (await thrown(town.browser(), question=LONGEST_QUESTION * "问")).status == 303


@in_town
async def test_the_picture_to_share_shows_the_board_and_no_question(town):
    query = PageCast("798977", AT, "", QUESTION).query(True)
    drawn = await town.browser().get(f"/liuyao/cast.svg?{query}")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert "天泽履" in drawn.text
    assert "job" not in drawn.text


@pytest.mark.parametrize("language", LANGUAGES)
@in_town
async def test_every_page_stands_in_every_language(town, language):
    member = await town.member(language=language)
    path = await kept(member)
    await bought(member, path)
    done = await settled(town, member, path)
    for page in (
        done,
        await member.get("/liuyao"),
        await member.get("/liuyao/board?" + PageCast("798977", AT).query()),
    ):
        assert page.status == 200
        assert f'<html lang="{language}"' in page.text


# --- what is asked


@in_town
async def test_what_the_question_is_understood_as_stands_before_anything_is_bought(town):
    browser = await town.member()
    path = await kept(browser)
    page = await browser.get(path)
    assert "求职" in page.words
    assert "from your words" in page.words
    changed = await browser.get(f"{path}?type=%E5%A4%B1%E7%89%A9")
    assert "失物" in changed.words
    assert changed.form("/divination")["type"] == "失物"
    assert await money(town) == (25, 0)


@in_town
async def test_a_question_that_says_nothing_is_told_so_before_the_button(town):
    browser = await town.member()
    page = await browser.get(await kept(browser, question="asdf qwer"))
    assert page.words.index("was not understood") < page.words.index("Write the reading")


def test_two_matters_in_one_question_are_named():
    assert asked(PageCast("789876", AT, "", "Will I get the job, and how is my love life?")).beside == (
        "感情",
    )


# --- money


@in_town
async def test_a_reading_is_bought_kept_and_charged_once(town):
    browser = await town.member()
    path = await kept(browser)
    offer = await browser.get(path)
    assert offer.words.index("4 credits") < offer.words.index("25 credits") < offer.words.index("21 credits")
    assert offer.words.index("21 credits") < offer.words.index("Write the reading: 4 credits")
    form = offer.form("/divination")
    first, second = await asyncio.gather(*(browser.post(f"{path}/divination", form) for _ in range(2)))
    third = await browser.post(f"{path}/divination", form)
    assert first.to == second.to == third.to == path
    page = await settled(town, browser, path)
    assert "leans towards taking it" in page.words
    assert await money(town) == (21, 0)
    await browser.get(path)
    assert await money(town) == (21, 0)
    assert path in (await browser.get("/c")).shown.links
    assert path in (await browser.get("/liuyao")).shown.links


@in_town
async def test_a_form_that_is_sent_twice_keeps_one_cast(town):
    browser = await town.member()
    form = (await browser.get("/liuyao")).form("/liuyao")
    wished = {**form, "question": QUESTION, "type": "", "words": "a", "place": "London", "how": "coins"}
    one, other = await asyncio.gather(*(browser.post("/liuyao", wished) for _ in range(2)))
    again = await browser.post("/liuyao", {**wished, "words": "b"})
    assert one.to == other.to == again.to
    assert len(town.rows.charts) == 1
    [saved] = town.rows.charts.values()
    assert of_body(saved.body).words == "a"


@in_town
async def test_what_a_member_saw_by_its_address_is_kept_once_and_then_read(town):
    browser = await town.member()
    board = "/liuyao/board?" + PageCast("798977", AT).query()
    form = (await browser.get(board)).form("/liuyao/board")
    pages = [
        await browser.post("/liuyao/board", {**form, "question": QUESTION, "keep": "1"}) for _ in range(2)
    ]
    assert pages[0].to == pages[1].to
    await bought(browser, pages[0].to)
    await settled(town, browser, pages[0].to)
    assert await money(town) == (21, 0)


@in_town
async def test_a_cast_without_a_question_is_read_once_there_is_one(town):
    browser = await town.member()
    path = await kept(browser, question="")
    refused = await bought(browser, path)
    assert (refused.status, await money(town)) == (400, (25, 0))
    await bought(browser, path, question=QUESTION)
    page = await settled(town, browser, path)
    assert QUESTION in page.words
    assert await money(town) == (21, 0)


@in_town(starter_credits="3")
async def test_who_cannot_pay_has_no_button_and_is_refused_if_asking_all_the_same(town):
    browser = await town.member()
    path = await kept(browser)
    page = await browser.get(path)
    assert "1 credit short" in page.words
    assert "Write the reading" not in page.words
    refused = await bought(browser, path)
    assert refused.status == 402
    assert await money(town) == (3, 0)


@in_town
async def test_what_the_operator_switched_off_is_not_sold(town):
    browser = await town.member()
    path = await kept(browser)
    await town.storage.pricing.set(Price(TOOL, 4, 4, 0, False), "operator")
    assert "Not available now" in (await browser.get(path)).words
    assert (await bought(browser, path)).status == 403
    assert await money(town) == (25, 0)


@pytest.mark.parametrize(
    "question", ["我什么时候死", "我不想活了", "How long will my father live?", "I want to end it all"]
)
@in_town
async def test_life_and_death_are_answered_with_the_fixed_text_and_not_charged(town, question):
    browser = await town.member()
    path = await kept(browser, question=question)
    page = await browser.get(path)
    assert "nothing is charged" in page.words
    assert "Write the reading" not in page.words
    assert "favourable" not in page.words
    sent = await browser.post(f"{path}/divination", {"csrf": _csrf(await browser.get("/account"))})
    assert sent.status == 303
    told = await settled(town, browser, path)
    assert await money(town) == (25, 0)
    assert 'role="alert"' in told.text
    assert "sign (" not in told.words


@in_town(starter_credits="0")
async def test_a_question_of_life_and_death_is_answered_also_without_credits(town):
    browser = await town.member()
    path = await kept(browser, question="我不想活了")
    sent = await browser.post(f"{path}/divination", {"csrf": _csrf(await browser.get("/account"))})
    assert sent.status == 200
    assert "emergency" in sent.words
    assert await money(town) == (0, 0)


@in_town
async def test_what_no_cast_can_answer_is_told_so_and_not_charged(town):
    browser = await town.member()
    path = await kept(browser, question="帮我写一段代码")
    page = await browser.get(path)
    assert "A cast cannot answer this" in page.words
    assert "Write the reading" not in page.words
    refused = await bought(browser, path)
    assert (refused.status, await money(town)) == (400, (25, 0))


def _csrf(page: Seen) -> str:
    return page.shown.forms[0]["fields"]["csrf"]


# --- a run that takes its time


@in_town(reader=Model)
async def test_without_a_script_the_page_tells_how_far_it_is_and_asks_again_by_itself(town):
    reader = town.reader
    reader.gate.clear()
    browser = await town.member()
    path = await kept(browser)
    assert (await bought(browser, path)).to == path
    page = await browser.get(path)
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page.text
    assert "You may leave" in page.words
    assert "Write the reading" not in page.words
    assert await money(town) == (25, 4)
    reader.gate.set()
    await eventually(lambda: not town.hub.in_progress.keys())
    done = await settled(town, browser, path)
    assert 'id="answer"' in done.text


@in_town
async def test_a_script_is_told_every_step_and_then_where_the_answer_stands(town):
    browser = await town.member()
    path = await kept(browser)
    form = (await browser.get(path)).form("/divination")
    said = await browser.post(f"{path}/divination", form, accept="text/event-stream")
    news = [json.loads(line[6:]) for line in said.text.splitlines() if line.startswith("data: ")]
    assert [each.get("phase", "")[:10] for each in news[:-1]] == [
        "The six li", "The board ", "Being writ", "Written",
    ]  # fmt: skip
    assert news[-1] == {"place": path}
    again = await browser.get(f"{path}/divination", accept="text/event-stream")
    assert f'"place":"{path}"' in again.text
    assert (await browser.get(f"{path}/divination")).to == path
    assert await money(town) == (21, 0)


def test_a_reader_that_fails_costs_nothing_says_so_with_a_number_and_may_be_asked_again():
    reader = Model()
    reader.error = PortUnavailable("no", reason="connect")

    async def story(town):
        browser = await town.member()
        path = await kept(browser)
        await bought(browser, path)
        page = await settled(town, browser, path)
        assert "This was not finished, and nothing was charged." in page.words
        assert re.search(r"reference [0-9a-f-]{36}", page.words)
        assert await money(town) == (25, 0)
        reader.error = None
        await bought(browser, path)
        done = await settled(town, browser, path)
        assert 'id="answer"' in done.text
        assert (await money(town))[1] == 0

    visits(story, reader=reader)


@in_town(reader=Model)
async def test_a_run_that_its_owner_cancelled_can_be_bought_anew(town):
    reader = town.reader
    reader.gate.clear()
    browser = await town.member()
    path = await kept(browser)
    await bought(browser, path)
    [saved] = town.rows.charts.values()
    answer = RunAnswer.none(town.ids.uuid(), "cancelled")
    await town.storage.runs.cancel(saved.account_id, saved.id, "reading-1", answer)
    assert await money(town) == (25, 0)
    reader.gate.set()
    await bought(browser, path)
    await settled(town, browser, path)
    assert (await money(town))[1] == 0


# --- what was said


@in_town
async def test_every_sentence_leads_to_facts_that_stand_on_the_page(town):
    browser = await town.member(language="zh-Hans")
    path = await kept(browser, question="这份新工作该不该接")
    await bought(browser, path)
    page = await settled(town, browser, path)
    wanted = {tag["href"] for name, tag in page.shown.tags if name == "a" and tag.get("class") == "ev"}
    there = {f"#{tag['id']}" for _, tag in page.shown.tags if tag.get("id", "").startswith("ev-")}
    assert wanted == there != set()
    article = page.text.partition('<article class="prose"')[2].partition("</article>")[0]
    sentences = [
        each for each in re.split("</a>|</p>", article) if re.search("[。！？]", re.sub("<[^>]*>", "", each))
    ]
    # The disclaimer follows from nothing.
    assert [bool("#ev-" in each) for each in sentences] == [True] * (len(sentences) - 1) + [False]


@in_town
async def test_the_answer_stands_first_then_what_it_rests_on_and_what_speaks_against_it(town):
    browser = await town.member()
    path = await kept(browser)
    await bought(browser, path)
    words = (await settled(town, browser, path)).words
    order = [
        "leans towards", "favourable sign", "Why", "For +3", "Against -1", "What to do", "cannot say",
        "The reading",
    ]  # fmt: skip
    places = [words.index(each) for each in order]
    assert places == sorted(places)


# --- others


@in_town
async def test_a_shared_cast_shows_board_and_words_and_neither_name_nor_account(town):
    browser = await town.member()
    page = await thrown(browser)
    path = page.to
    await bought(browser, path)
    await settled(town, browser, path)
    shared = await browser.submit(path, f"{path}/share")
    link = re.findall(r"http://localhost(/s/[0-9a-f]+)", shared.text)[0]
    seen = await town.browser().get(link)
    assert seen.status == 200
    assert QUESTION in seen.words
    assert 'id="answer"' in seen.text
    assert "纸墨" in seen.words
    assert EMAIL not in seen.text
    assert "credits" not in seen.words
    assert "Delete" not in seen.words
    assert seen.headers["referrer-policy"] == "no-referrer"
    await browser.submit(path, f"{path}/unshare")
    assert (await town.browser().get(link)).status == 404


@in_town
async def test_nobody_reads_or_buys_the_cast_of_somebody_else(town):
    one, other = await town.member(), await town.member("other@example.org")
    path = await kept(one)
    form = (await one.get(path)).form("/divination")
    csrf = _csrf(await other.get("/account"))
    assert (await other.get(path)).status == 404
    assert (await other.get(f"{path}/divination")).status == 404
    assert (await other.post(f"{path}/divination", {**form, "csrf": csrf})).status == 404
    assert (await town.browser().get(path)).to.startswith("/login")


@in_town
async def test_a_chart_is_no_cast(town):
    browser = await town.member()
    path = await browser.saved_chart()
    assert (await browser.get(f"{path}/divination")).status == 404


@in_town
async def test_a_day_has_room_for_so_many_casts(town):
    browser = await town.member()
    [account] = await town.storage.accounts.listed()
    for _ in range(100):
        await town.limits.take(f"casts:{account.id}", 100, 86_400)
    assert (await tapped(browser)).status == 429


# --- forms of a cast


def test_a_cast_is_the_same_from_its_address_and_from_what_is_kept():
    cast = PageCast("798977", AT, "求职", QUESTION)
    query = {name: values[0] for name, values in parse_qs(cast.query(True)).items()}
    assert of_query(query) == cast == of_body(cast.body())
    assert of_query({name: value for name, value in query.items() if name != "q"}) == cast._replace(
        question=""
    )
    assert cast.payload()["yaoLines"] == [*liuyao.cast.lines("798977").lines]


def test_what_is_told_as_for_the_matter_has_points_above_nought_and_what_is_against_it_below():
    sides = [
        (side, points)
        for lines in ("798977", "666666", "999999", "787878", "697867", "978866", "776989")
        for side, _, points in _weighed(PageCast(lines, AT, "求职", "这份工作能成吗？").analysis(), "zh-Hans")
    ]
    assert {side for side, _ in sides} == {"for", "against"}
    assert all(points > 0 if side == "for" else points < 0 for side, points in sides)
