"""What `print` and a prompt show of a value: readable text, one line."""

import re

import pytest

import bazi_core as bz
from bazi_core import liuyao
from bazi_core.render.printed import text_of
from bazi_core.render.width import width
from bazi_core.tables.words import LANGUAGES

CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")
DAY = bz.candidates("1990-05-15", city="北京")
CAST = liuyao.derive("789876", "2026-04-03T20:30:00+08:00")
VALUES = {
    "Chart": (CHART, "八字命盘  男（乾造）\n"),
    "Luck": (CHART.luck, "顺行，出生后7年3个月1天8小时起运"),
    "PatternResult": (CHART.pattern(), "旺衰    两可：取身强，四法中只有加权法如此断"),
    "YearResult": (CHART.year(2026), "2026年 丙午  男（乾造）"),
    "SolarMoment": (CHART.moment, "真太阳时  1990-05-15 12:19:20"),
    "UnknownHour": (DAY, "1990-05-15  时辰未知\n"),
    "LiuyaoChart": (CAST, "六爻  水火既济之风雷益\n"),
}


@pytest.fixture(params=VALUES)
def name(request):
    return request.param


def test_print_shows_text_in_chinese_unless_told_otherwise(name, monkeypatch):
    monkeypatch.delenv("BAZI_LANG", raising=False)
    value, said = VALUES[name]
    assert said in str(value)
    assert not str(value).endswith("\n")


def test_print_speaks_the_language_of_the_reader(name, monkeypatch):
    monkeypatch.setenv("BAZI_LANG", "en")
    told = str(VALUES[name][0])
    assert "Horse" in told or name == "SolarMoment"
    assert max(map(width, told.splitlines())) <= 80
    monkeypatch.setenv("BAZI_LANG", "zh-TW")
    assert re.search("[農時運殺]", str(VALUES[name][0]))


def test_a_language_that_is_none_of_the_three_is_not_an_error(name, monkeypatch):
    monkeypatch.setenv("BAZI_LANG", "\udcff klingon")
    assert VALUES[name][1] in str(VALUES[name][0])


def test_a_reading_is_printed_as_its_text_and_shown_in_one_line():
    told = bz.read(CHART)
    assert str(told) == told.narrative
    assert repr(told) == f"<NarratedReading zh-Hans 七杀格，用神水: {len(told.reading.sentences)} sentences>"
    assert repr(told.reading) == f"<Reading 七杀格，用神水: {len(told.reading.sentences)} sentences>"
    assert str(bz.read(CHART.year(2026))) == bz.read(CHART.year(2026)).narrative


def test_a_prompt_shows_one_short_line(name):
    shown = repr(VALUES[name][0])
    assert shown.startswith(f"<{name} ")
    assert shown.endswith(">")
    assert "\n" not in shown
    assert width(shown) <= 120


def test_the_line_of_a_prompt_names_the_pillars():
    assert repr(CHART) == "<Chart 庚午 辛巳 庚辰 壬午  male  1990-05-15 13:30:00  ziping>"
    assert repr(CHART.luck).startswith("<Luck forward from 1997-08-16: 壬午 癸未 甲申 ")
    assert repr(CHART.pattern()) == "<PatternResult 七杀格 庚午 辛巳 庚辰 壬午 useful 水火>"


def test_values_without_a_birth_gender_hour_or_judgement_print_as_well():
    given = bz.chart(pillars="庚午 辛巳 庚辰", gender="male")
    bare = bz.chart(pillars="庚午 辛巳 庚辰", school=bz.School.named("facts_only"))
    for value in (given, given.luck, given.pattern(), bare, bare.pattern()):
        assert str(value)
        assert repr(value).startswith("<")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_printed_value_keeps_to_eighty_columns(lang):
    for value in (CHART.luck, CHART.pattern(), CHART.year(2026), CHART.moment, DAY):
        lines = text_of(value, lang).splitlines()
        assert max(map(width, lines)) <= 80


def test_what_nothing_prints_is_said():
    with pytest.raises(TypeError, match="nothing prints a int"):
        text_of(1, "en")


def test_a_notebook_shows_the_language_of_the_reader(monkeypatch):
    monkeypatch.setenv("BAZI_LANG", "en")
    assert CHART._repr_mimebundle_()["text/plain"].startswith("BaZi chart")
    assert CAST._repr_mimebundle_()["text/plain"].startswith("Six lines")
