"""The almanac's pages: a month, a day and the choice of days, at a place, for persons known by pillars alone."""

from urllib.parse import parse_qsl, quote, urlsplit

import pytest

import bazi_core as bz
from bazi_core.questions.safety import supporting
from bazi_hub.pages.almanac import MOST_SEARCHED, SEARCHES
from tests.hub.pages.browsing import in_town

PILLARS = "庚午 辛巳 庚辰 壬午"


async def asked(browser, path, **query):
    """A page of the almanac."""
    return await browser.get(path + "?" + "&".join(f"{name}={quote(value)}" for name, value in query.items()))


@in_town
async def test_a_month_has_every_day_with_its_term_and_the_instant_of_the_place(town):
    page = await asked(town.browser(), "/almanac", m="2026-10", place="纽约")
    assert page.status == 200
    days = [dict(parse_qsl(urlsplit(link).query)) for link in page.shown.links if "/almanac/day" in link]
    assert [day["d"] for day in days if "d" in day] == [f"2026-10-{number:02}" for number in range(1, 32)]
    assert {day["place"] for day in days} == {"纽约"}
    assert "2026-10-08 02:29 Cold Dew" in page.words
    assert "New York City (America/New_York)" in page.words
    assert "No place was given" not in page.words


@in_town
async def test_without_an_address_it_is_the_month_of_today_in_china_and_says_so(town):
    page = await town.browser().get("/almanac")
    assert "March 2026" in page.words
    assert "No place was given: the day is that of China." in page.words
    assert sum("here" in (found.get("class") or "") for tag, found in page.shown.tags if tag == "td") == 1


@pytest.mark.parametrize(("month", "link"), [("2199-12", "2200"), ("1646-01", "1645")])
@in_town
async def test_no_month_beyond_the_tables_is_linked(town, month, link):
    page = await asked(town.browser(), "/almanac", m=month)
    assert page.status == 200
    assert not any(f"m={link}" in each for each in page.shown.links)


@in_town
async def test_a_day_says_what_the_library_says_with_its_rows(town):
    page = await asked(town.browser(), "/almanac/day", d="2026-10-08", place="纽约", who=PILLARS)
    day = bz.almanac("2026-10-08", city="纽约")
    assert page.status == 200
    assert day.read("en").reading.summary[0].text in page.words
    for words in (
        "before it the month is 丁酉", "offerings (祭祀)", "Great Season (大时)", "vol. 10", PILLARS,
    ):  # fmt: skip
        assert words in page.words
    assert page.text.count("<tr>") >= len(day.hours)
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "private, no-store"


@in_town
async def test_a_question_about_a_day_is_answered_first_and_shown_as_text(town):
    browser = town.browser()
    page = await asked(browser, "/almanac/day", d="2026-10-08", q="Is it good to move house?")
    assert "To your question first: this day is not for moving house" in page.words
    evil = "<script>alert(1)</script>"
    page = await asked(browser, "/almanac/day", d="2026-10-08", q=evil)
    assert (page.status, evil in page.text) == (200, False)
    grave = await asked(browser, "/almanac/day", d="2026-10-08", q="Will my mother die today?")
    assert "not for moving" not in grave.words
    assert grave.status == 200


@in_town
async def test_a_search_lists_days_with_grounds_and_counts_the_others(town):
    query = {
        "p": "嫁娶",
        "a": "2026-10-01",
        "b": "2026-12-31",
        "place": "上海",
        "who": PILLARS.replace(" ", "-"),
    }
    page = await asked(town.browser(), "/almanac/days", **query)
    found = bz.days("嫁娶", "2026-10-01", "2026-12-31", city="上海", charts=[bz.chart(pillars=PILLARS)])
    assert page.status == 200
    shown = [link for link in page.shown.links if "/almanac/day?" in link]
    assert f"d={found.days[0].date}" in shown[0]
    for reason, number in found.excluded.items():
        assert f"{number} day" in page.words, reason
    assert "who=" in shown[0]
    assert all("1990" not in link for link in page.shown.links)


@in_town
async def test_that_no_day_fits_is_an_answer(town):
    page = await asked(town.browser(), "/almanac/days", p="嫁娶", a="2026-10-01", b="2026-10-03")
    assert page.status == 200
    assert "No day of this span fits." in page.words
    assert "The standard is not lowered by itself." in page.words


@in_town
async def test_searches_are_counted_and_short(town):
    browser = town.browser()
    long = await asked(browser, "/almanac/days", p="嫁娶", a="2026-01-01", b="2027-12-31")
    assert (long.status, str(MOST_SEARCHED) in long.words) == (400, True)
    for _ in range(SEARCHES - 1):
        assert (await asked(browser, "/almanac/days", p="嫁娶", a="2026-10-01", b="2026-10-02")).status == 200
    last = await asked(browser, "/almanac/days", p="嫁娶", a="2026-10-01", b="2026-10-02")
    assert (last.status, last.headers.get("retry-after") is not None) == (429, True)
    assert (await browser.get("/almanac/days")).status == 200


HOSTILE = (
    "x",
    "0",
    "-1",
    "9" * 100,
    "2026-13",
    "١٢",
    "\u202e",
    "<b>",
    "' OR 1=1",
    "%",
    "२०२६-०१-०१",
    "2026-02-30",
)


@pytest.mark.parametrize("value", HOSTILE)
@in_town
async def test_a_value_that_is_none_is_told_and_never_a_fault(town, value):
    browser = town.browser()
    for path, name in (
        ("/almanac", "m"), ("/almanac", "place"), ("/almanac/day", "d"), ("/almanac/day", "q"), ("/almanac/day", "who"),
        ("/almanac/days", "p"), ("/almanac/days", "place"),
    ):  # fmt: skip
        page = await asked(browser, path, **{name: value})
        assert page.status in (200, 400, 429), (path, name)
        assert 'value="<b>"' not in page.text
    for name in "ab":
        page = await asked(browser, "/almanac/days", p="嫁娶", **{name: value})
        assert page.status in (400, 429), name


@in_town
async def test_a_name_of_several_places_is_asked_with_everything_kept(town):
    page = await asked(town.browser(), "/almanac/day", d="2026-10-08", place="朝阳", who=PILLARS)
    assert page.status == 400
    ways = [
        dict(parse_qsl(link[1:])) for link in page.shown.links if link.startswith("?") and "place=cn" in link
    ]
    assert {way["place"] for way in ways} >= {"cn:110105", "cn:211300"}
    assert {(way["d"], way["who"]) for way in ways} == {("2026-10-08", PILLARS)}
    assert any(found.get("role") == "alert" for _, found in page.shown.tags)
    assert page.form("/almanac/day")["d"] == "2026-10-08"


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "en"])
@in_town
async def test_the_pages_are_read_in_every_language(town, language):
    browser = town.browser(language=language)
    pages = [await browser.get("/almanac"), await asked(browser, "/almanac/day", d="2026-10-08")]
    pages.append(await asked(browser, "/almanac/days", p="嫁娶", a="2026-10-01", b="2026-12-31"))
    for page in pages:
        assert page.status == 200
        assert page.text.count("<h1") == 1
        assert page.text.count("<table") == page.text.count("<caption")
    if language == "zh-TW":
        told = " ".join(page.words for page in pages)
        assert not set("个这时历为与论从书农") & set(told.replace("简体", ""))


@in_town
async def test_a_day_on_which_everything_is_forbidden_says_so_where_one_looks_for_it(town):
    page = await town.browser(language="zh-CN").get("/almanac/day?d=2026-03-01")
    assert "忌 诸事皆忌" in page.words


@in_town
async def test_distress_is_met_with_help_and_with_nothing_of_the_almanac(town):
    browser = town.browser()
    told = supporting("crisis_message", "en")
    page = await asked(browser, "/almanac/day", d="2026-10-08", q="我不想活了")
    assert all(each in page.words for each in told)
    assert "Favoured and forbidden" not in page.words
    searched = await asked(browser, "/almanac/days", p="我不想活了")
    assert all(each in searched.words for each in told)
    buried = await asked(browser, "/almanac/day", d="2026-02-17", q="父亲的葬礼定在这天可以吗")
    assert "favourable for burials (安葬)" in buried.words


@pytest.mark.parametrize("language", ["zh-CN", "zh-TW", "en"])
@in_town
async def test_a_purpose_that_is_none_is_told_with_those_that_there_are_in_the_script_of_the_page(
    town, language
):
    page = await asked(town.browser(language=language), "/almanac/days", p="提车")
    named = {"zh-CN": "签约", "zh-TW": "簽約", "en": "signing a contract"}
    assert named[language] in page.words


@in_town
async def test_times_stand_beside_their_clock_and_codes_are_not_shown(town):
    browser = town.browser()
    day = await asked(browser, "/almanac/day", d="2026-11-07", place="纽约")
    assert "04:52, local time" in day.words
    assert "Local clock" in day.words
    assert "xj:" not in day.words
    assert "Earth River Deer (土獐)" in day.words
    days = await asked(browser, "/almanac/days", p="嫁娶", a="2026-10-20", b="2026-10-20", place="纽约")
    assert "New York City (America/New_York) · date and times by the local clock" in days.words
    month = await asked(browser, "/almanac", m="2026-10", place="纽约")
    assert "No day delays a doctor" in month.words
