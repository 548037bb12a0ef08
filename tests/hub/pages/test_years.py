"""Years of a chart at its address: free, both readings where the strength is open, and nothing of them is stored."""

import re

import pytest

import bazi_core as bz
from bazi_hub.pages.year_view import year_view, years_view
from tests.hub.pages.browsing import in_town

QUERY = "t=1990-05-15T13:30&p=cn:110000&g=m"
NOW_MS = 1_795_400_000_000  # 2026-11-23
CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")
SETTLED = bz.chart("1986-11-20 06:00", city="Shanghai", gender="female")


@in_town
async def test_ten_years_stand_beside_each_other_each_leading_to_its_year(town):
    page = await town.browser(language="zh").get(f"/years?{QUERY}&from=2026&to=2035")
    assert page.status == 200
    for number in range(2026, 2036):
        assert f"/year?{QUERY}&year={number}" in page.shown.links
    assert "两种读法在" in page.words
    for path in (f"/years?{QUERY}&from=2016&to=2025", f"/years?{QUERY}&from=2036&to=2045", f"/chart?{QUERY}"):
        assert path in page.shown.links
    assert town.rows.charts == {}
    assert await town.storage.accounts.listed() == []


@in_town
async def test_a_year_says_where_its_points_come_from_and_has_its_months_with_instants(town):
    page = await town.browser(language="zh").get(f"/year?{QUERY}&year=2027")
    assert page.status == 200
    stamps = [found["datetime"] for tag, found in page.shown.tags if tag == "time"]
    assert len(stamps) == 12
    assert stamps[0] == "2027-02-04T01:46:18Z"
    assert "2027-02-04 09:46 +08:00" in page.words
    for number in re.findall('href="#(ev[0-9]+)"', page.text):
        assert f'id="{number}"' in page.text
    assert "三会成局" in page.words
    assert f"/year?{QUERY}&year=2026" in page.shown.links


def test_points_add_up_to_the_score_under_each_reading():
    for chart in (CHART, SETTLED):
        for number in range(2026, 2032):
            view = year_view(chart.year(number), "en", NOW_MS, QUERY, "born")
            for at, score in enumerate(view.scores):
                added = sum(row.points[at] or 0 for row in view.points)
                assert score == max(0, min(100, 50 + added))
            assert len(view.verdicts) == len(view.scores) == 1 + len(chart.pattern().alternatives)


def test_the_month_that_runs_is_marked():
    view = year_view(CHART.year(2026), "zh-Hans", NOW_MS, QUERY, "born")
    assert [row.pillar for row in view.months if row.here] == ["己亥"]
    assert [row.here for row in year_view(CHART.year(2027), "zh-Hans", NOW_MS, QUERY, "").months] == [
        False
    ] * 12


def test_years_on_which_two_readings_differ_are_named():
    view = years_view(CHART.years(2026, 2035), "en", NOW_MS, "overall", QUERY, "born")
    assert view.answer[0] == "The two readings say the opposite of 2028–2030, 2032–2033."
    alone = years_view(SETTLED.years(2026, 2035), "en", NOW_MS, "overall", QUERY, "born")
    assert alone.answer[0].startswith("Highest ")
    assert alone.verdicts == [""]


@pytest.mark.parametrize("path", ["/years", "/year"])
@in_town
async def test_an_address_with_a_birth_is_for_no_index_no_cache_and_no_referrer(town, path):
    page = await town.browser().get(f"{path}?{QUERY}")
    assert page.status == 200
    assert page.headers["x-robots-tag"] == "noindex"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "private"
    assert '<meta name="robots" content="noindex">' in page.text
    assert "1990" not in repr(town.voices.logged)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/years?{QUERY}&from=2035&to=2026", 400),
        (f"/years?{QUERY}&from=2026&to=2099", 400),
        (f"/years?{QUERY}&by=fame", 400),
        (f"/years?{QUERY}&from=1700", 400),
        (f"/years?{QUERY}&from=9999", 400),
        (f"/years?{QUERY}&from={'9' * 5000}", 200),
        (f"/year?{QUERY}&year=1950", 400),
        (f"/year?{QUERY}&year=%3Cscript%3E", 200),
        ("/year?t=1990-02-30T13:30&p=cn:110000&g=m", 400),
        ("/year?t=%3Cscript%3Ealert(1)%3C/script%3E&p=%3Cimg%3E&g=%22", 400),
        ("/years", 400),
    ],
)
@in_town
async def test_an_address_that_cannot_be_is_refused_and_shown_as_text(town, path, status):
    page = await town.browser().get(path)
    assert page.status == status
    assert not re.search("<script>alert|<img", page.text)


@in_town
async def test_addresses_that_cannot_be_are_counted_and_many_years_have_to_wait(town):
    town.hub.refused.most = 3
    browser = town.browser()
    asked = [(await browser.get("/year?t=x")).status for _ in range(4)]
    assert asked == [400, 400, 400, 429]
    town.clock.advance(60)
    assert {(await browser.get(f"/year?{QUERY}")).status for _ in range(60)} == {200}
    assert (await browser.get(f"/year?{QUERY}")).status == 429


@pytest.mark.parametrize("language", ["zh", "zh-Hant", "en"])
@pytest.mark.parametrize("path", ["/years", "/year"])
@in_town
async def test_they_are_told_in_every_language_without_a_word_of_another(town, path, language):
    page = await town.browser(language=language).get(f"{path}?{QUERY}")
    assert page.status == 200
    hans, hant = "总评" in page.words, "總評" in page.words
    assert (hans, hant) == {"zh": (True, False), "zh-Hant": (False, True), "en": (False, False)}[language]


@in_town
async def test_a_year_leads_to_its_reading_by_one_press_and_who_is_not_signed_in_comes_back_to_it(town):
    browser = await town.member(language="zh")
    page = await browser.get(f"/year?{QUERY}&year=2029")
    offers = await browser.post("/c", {**page.form("/c"), "school": ""})
    assert offers.status == 303
    assert offers.to.endswith("/reading?kind=year&year=2029")
    seen = await browser.get(offers.to)
    assert (seen.form("/reading")["kind"], seen.form("/reading")["target_year"]) == ("year", "2029")
    stranger = await town.browser(language="zh").get(f"/year?{QUERY}&year=2029")
    assert any(
        link.startswith("/signup?next=/year%3F") and link.endswith("year%3D2029")
        for link in stranger.shown.links
    )
