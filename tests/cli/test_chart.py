"""`bazi chart`: formats, languages, the present, given pillars, reasons, the School from flags."""

import json

import pytest

import bazi_core as bz
from bazi_core.school import OPTIONS

NOW = "2026-02-04 04:30:15Z"
BORN = ("chart", "1990-05-15 13:30", "--city", "北京", "--gender", "male")


def test_text_is_the_default_and_is_what_the_core_draws(bazi, chart):
    assert bazi.text(*BORN) == chart.to_text(as_of=NOW)


def test_json_is_exactly_base_context(bazi, chart):
    assert bazi.json(*BORN) == chart.to_dict()


def test_json_goes_back_to_the_same_chart(bazi, chart):
    assert bz.Chart.from_json(bazi.text(*BORN, "-f", "json")) == chart


def test_compact_json_has_no_facts(bazi, chart):
    assert bazi.json(*BORN, "--compact") == chart.to_dict(facts=False)


def test_compact_text_fits_on_one_screen(bazi):
    assert len(bazi.text(*BORN, "--compact").splitlines()) <= 30


def test_markdown_is_what_the_core_writes(bazi, chart):
    assert bazi.text(*BORN, "-f", "md", "--lang", "en") == chart.to_markdown("en", as_of=NOW)


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_every_language_is_that_of_the_core(bazi, chart, lang):
    assert bazi.text(*BORN, "--lang", lang) == chart.to_text(lang, as_of=NOW)


def test_json_follows_a_language_that_was_asked_for_but_not_the_locale(bazi, chart):
    assert bazi.json(*BORN, LANG="en_US.UTF-8") == chart.to_dict()
    assert bazi.json(*BORN, "--lang", "en") == chart.to_dict(lang="en")


def test_words_of_the_time_need_no_quotes(bazi, chart):
    assert bazi.text("chart", "1990-05-15", "13:30", "--city", "北京", "--gender", "male") == chart.to_text(
        as_of=NOW
    )


def test_a_lunar_date_with_a_double_hour_is_read(bazi):
    found = bazi.json("chart", "农历1990年闰五月初一", "午时", "--city", "上海")
    assert found["time_trace"]["civil"].startswith("1990-06-23")
    assert (found["lunar"]["month"], found["lunar"]["leap"]) == (5, True)


def test_without_a_time_it_is_now_by_the_civil_clock_and_says_so(bazi):
    result = bazi("chart")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "未给时间，用现在：2026-02-04 04:30:15+00:00"
    assert "LONGITUDE_UNKNOWN" in {w["code"] for w in bazi.json("chart")["warnings"]}


def test_now_with_a_city_is_its_clock_and_true_solar_time(bazi):
    trace = bazi.json("chart", "--city", "Beijing")["time_trace"]
    assert (trace["civil"], trace["used"]) == ("2026-02-04T12:30:15", "true_solar")


def test_now_in_xinjiang_is_on_the_clock_of_the_school(bazi):
    found = bazi.json("chart", "--city", "喀什", "--clock", "xinjiang")
    assert found["time_trace"]["civil"] == "2026-02-04T10:30:15"


def test_now_at_a_stated_offset_or_zone(bazi):
    assert bazi.json("chart", "--utc-offset", "-5")["time_trace"]["civil"] == "2026-02-03T23:30:15"
    assert bazi.json("chart", "--tz", "Asia/Tokyo")["time_trace"]["civil"] == "2026-02-04T13:30:15"


def test_now_in_json_says_so_on_stderr_only(bazi):
    result = bazi("chart", "-f", "json")
    assert "2026-02-04" in result.stderr
    assert json.loads(result.stdout)["input"]["given"] == "2026-02-04 04:30:15"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chart"], (1, 0)), (["chart", "-f", "md"], (1, 0)), (["chart", "-f", "json"], (0, 1)),
        (["chart", "--explain"], (0, 1)), (["luck", "--gender", "male"], (1, 0)),
        (["luck", "--gender", "male", "-f", "json"], (0, 1)), (["year", "--gender", "male"], (1, 0)),
        (["year", "--gender", "male", "--explain"], (0, 1)),
    ],
)  # fmt: skip
def test_now_is_said_once_by_the_text_or_beside_what_has_no_room_for_it(bazi, arguments, told):
    result = bazi(*arguments)
    assert (result.stdout.count("用现在"), result.stderr.count("用现在")) == told


def test_given_pillars_need_no_birth(bazi):
    found = bazi.json("chart", "--pillars", "庚午 辛巳 庚辰 壬午", "--gender", "male")
    assert found == bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male").to_dict()


def test_an_unknown_hour_leaves_the_hour_pillar_open(bazi):
    found = bazi.json("chart", "1990-05-15", "--hour-unknown", "--city", "北京")
    assert found["four_pillars"]["hour"] is None


def test_coordinates_win_over_the_name_which_stays_a_label(bazi):
    place = bazi.json("chart", "1990-05-15 13:30", "--city", "Home", "--lon", "-70.5", "--lat", "-33.2",
                      "--tz", "America/Santiago")["input"]["place"]  # fmt: skip
    assert (place["name"], place["longitude"], place["latitude"]) == ("Home", -70.5, -33.2)


def test_fold_chooses_between_equal_readings(bazi):
    late = ("chart", "1990-09-16 01:30", "--city", "上海")
    offsets = [bazi.json(*late, "--fold", fold)["time_trace"]["utc_offset_s"] for fold in "01"]
    assert offsets == [32400, 28800]


def test_calendar_julian_is_understood(bazi):
    found = bazi.json("chart", "1917-10-25 21:45", "--calendar", "julian", "--city", "Moscow")
    assert found["time_trace"]["civil"] == "1917-11-07T21:45:00"


@pytest.mark.parametrize("name", OPTIONS)
def test_every_school_option_has_a_flag(bazi, name):
    value = "civil" if name == "time_basis" else OPTIONS[name][-1]
    place = "喀什" if name == "clock" else "北京"
    found = bazi.json("chart", "1990-05-15 13:30", "--city", place, "--" + name.replace("_", "-"), value)
    assert found["school"]["options"][name] == value


def test_the_window_and_the_profile_have_flags(bazi):
    found = bazi.json(*BORN, "--school", "ditiansui", "--boundary-window-s", "600")["school"]
    assert found["profile"] == "ditiansui"
    assert found["options"]["boundary_window_s"] == 600
    assert found["options"]["twelve_stages"] == "yin_yang_tong_sheng"


def test_explain_with_an_id_is_that_of_the_core(bazi, chart):
    assert bazi.text(*BORN, "--explain", "tg.hour.stem") == chart.explain("tg.hour.stem") + "\n"


def test_explain_with_an_id_as_json_is_the_fact_and_its_basis(bazi):
    found = bazi.json(*BORN, "--explain", "tg.hour.stem")
    assert [fact["id"] for fact in found] == ["tg.hour.stem", "p.day.stem", "p.hour.stem"]


def test_explain_alone_as_json_is_every_fact(bazi, chart):
    assert len(bazi.json(*BORN, "--explain")) == len(chart.facts)


def test_strict_prints_the_chart_and_ends_with_nine(bazi, chart):
    result = bazi(*BORN, "--strict")
    assert result.exit_code == 9
    assert result.stdout == chart.to_text(as_of=NOW)
    assert "--strict" in result.stderr


def test_strict_without_warnings_ends_well(bazi):
    quiet = ["--lon", "120", "--utc-offset", "+8", "--gender", "male", "--strict"]
    assert bazi("chart", "2020-05-15 11:45", *quiet).exit_code == 0


def test_output_goes_to_a_file_and_nothing_to_stdout(bazi, chart, tmp_path):
    file = tmp_path / "chart.md"
    assert bazi.text(*BORN, "-f", "md", "-o", str(file)) == ""
    assert file.read_text("utf-8") == chart.to_markdown(as_of=NOW)


def test_a_dash_as_file_is_stdout(bazi, chart):
    assert bazi.text(*BORN, "-o", "-") == chart.to_text(as_of=NOW)


def test_a_narrow_display_narrows_the_chart(bazi, chart):
    from bazi_core.render.text import chart_text

    assert bazi.text(*BORN, COLUMNS="40") == chart_text(chart.pattern(), columns=40, as_of=NOW)
    assert bazi.text(*BORN, COLUMNS="zero") == chart.to_text(as_of=NOW)
