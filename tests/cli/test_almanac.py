"""`bazi day` and `bazi days`: the almanac of a day, and the days for a purpose."""

import pytest

from bazi_core.tables.words import LANGUAGES
from tests.schemas import problems, validator

WEDDING = ("days", "嫁娶", "--from", "2026-10-01", "--to", "2026-12-31", "--city", "上海")


def test_the_json_of_a_day_is_that_of_the_schema(bazi):
    found = bazi.json("day", "2026-02-03", "--city", "纽约", "--chart", "1990-05-15 13:30,北京,male")
    assert problems(validator("almanac_day"), found) == []
    assert (found["pillars"]["month"], found["persons"][0]["chart"]) == ("庚寅", 1)


def test_without_a_date_it_is_today_at_the_place(bazi):
    days = [bazi.json("day", "--tz", zone)["date"] for zone in ("Pacific/Kiritimati", "Pacific/Niue")]
    assert days[0] > days[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_day_is_told_in_three_languages(bazi, lang):
    text = bazi.text("day", "2026-10-03", "--tz", "Asia/Shanghai", "--hours", "--explain", "--lang", lang)
    assert "庚戌" in text
    assert "xj:月德:ji:畋猎" in text
    assert ("offerings (祭祀)" in text) == (lang == "en")
    assert "{" not in text


def test_the_items_are_those_of_the_list_that_is_asked_for(bazi):
    few, every = (
        bazi.json("day", "2026-10-03", "--items", name)["xieji"]["ji"] for name in ("minyong37", "all")
    )
    assert set(few) < set(every)


def test_days_of_a_search_are_listed_best_first(bazi):
    found = bazi.json(*WEDDING, "--chart", "1990-05-15 13:30,北京,male", "--limit", "3")
    assert len(found["days"]) == 3
    assert [day["rank"] for day in found["days"]] == sorted(day["rank"] for day in found["days"])
    assert found["considered"] == found["found"] + sum(found["excluded"].values())
    text = bazi.text(*WEDDING, "--explain", "--lang", "en")
    assert found["days"][0]["date"] in text
    assert "xj:" in text


def test_no_day_is_an_answer_with_a_status_of_its_own(bazi):
    done = bazi("days", "嫁娶", "--from", "2026-10-23", "--to", "2026-10-23", "--tz", "Asia/Shanghai")
    assert done.exit_code == 3


def test_a_birth_of_one_part_is_refused(bazi):
    assert bazi("day", "2026-10-03", "--chart", "1990-05-15 13:30").exit_code == 2


def test_persons_come_from_files_too(bazi, tmp_path):
    births = tmp_path / "births.txt"
    births.write_text(
        "# two\n1990-05-15 13:30,北京,male\n\n1992-08-01 09:00，上海，female\n", encoding="utf-8"
    )
    by_file = bazi.json(*WEDDING, "--charts", str(births))
    by_option = bazi.json(
        *WEDDING, "--chart", "1990-05-15 13:30,北京,male", "--chart", "1992-08-01 09:00,上海,female"
    )
    assert by_file == by_option
    assert (
        len(
            bazi.json("day", "2026-10-03", "--charts", str(births), "--chart", "1980-01-01 08:00,北京")[
                "persons"
            ]
        )
        == 3
    )


def test_a_file_that_holds_no_births_or_is_none_is_refused_in_words(bazi, tmp_path):
    wrong = tmp_path / "wrong.txt"
    wrong.write_bytes(b"\xff\xfe\x00 no birth")
    for path in (wrong, tmp_path / "none.txt", tmp_path):
        result = bazi("day", "2026-10-03", "--charts", str(path))
        assert result.exit_code == 2
        assert "Traceback" not in result.stderr


def test_a_month_of_the_almanac_is_drawn_and_told(bazi):
    month = ("calendar", "2026-10", "--almanac", "--city", "New York")
    assert len(bazi.json(*month)["days"]) == 31
    assert bazi.text(*month, "-f", "svg").startswith("<svg")
    assert bazi.text(*month, "-f", "html").startswith("<!doctype html>")
    assert "Cold Dew (寒露) 02:29" in bazi.text(*month, "--lang", "en")
    for beside in (("--city", "北京"), ("-f", "svg"), ("-f", "html")):
        result = bazi("calendar", "2026-10", *beside)
        assert (result.exit_code, "--almanac" in result.stderr) == (2, True)


def test_a_day_is_told_in_words_and_answers_a_question_first(bazi):
    text = bazi.text(
        "day", "2026-10-20", "--tz", "Asia/Shanghai", "--question", "Can we get married?", "--lang", "en"
    )
    assert text.startswith("Almanac for 20 October 2026\n\n")
    assert "favourable for weddings (嫁娶)" in " ".join(text.split())
    page = bazi.text("day", "2026-10-20", "--tz", "Asia/Shanghai", "--read", "-f", "md", "--no-plain")
    assert page.startswith("# 2026年10月20日的黄历\n")
    assert "主守持" not in page
    found = bazi.json("day", "2026-10-20", "--tz", "Asia/Shanghai", "--read", "--length", "short")
    assert {"reading", "narrative", "provenance", "facts"} <= found.keys()


def test_a_search_is_told_in_words_and_keeps_its_status(bazi):
    assert "宜嫁娶" in bazi.text(*WEDDING, "--read")
    done = bazi(
        "days", "嫁娶", "--from", "2026-10-23", "--to", "2026-10-23", "--tz", "Asia/Shanghai", "--read"
    )
    assert done.exit_code == 3
    assert "没有就是答案" in done.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hours_of_a_search_stand_below_the_clock_that_tells_them(bazi, lang):
    head = bazi.text(*WEDDING[:-1], "纽约", "--lang", lang).splitlines()[0]
    assert "America/New_York" in head


def test_rules_are_told_in_words_and_every_hanzi_of_an_english_day_has_a_gloss(bazi):
    text = bazi.text("day", "2026-11-07", "--city", "纽约", "--explain", "--lang", "en")
    assert "[S]" not in text
    assert "never lifted (逢德犹忌)" in text
    assert "waters begin to freeze (水始冰)" in text
    assert "mill and door (碓磨门)" in text
