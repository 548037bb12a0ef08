"""`--explain`: every command takes a fact apart in the language of its reader."""

import pytest

import bazi_core as bz

BIRTH = ("1990-05-15 13:30", "--city", "北京", "--gender", "male")
CAST = ("liuyao", "--lines", "789876", "--at", "2026-03-01T10:00:00+08:00", "--type", "事业")
COMMANDS = {
    "chart": (("chart", *BIRTH, "--explain", "tg.hour.stem"), "时干壬为食神", "時干壬為食神", "The hour stem Yang Water"),
    "luck": (("luck", *BIRTH, "--explain"), "第1步大运壬午", "第1步大運壬午", "Luck pillar 1: Water Horse (壬午 Ren Wu)"),
    "year": (("year", *BIRTH, "--target", "2026", "--explain"), "2026年总评", "2026年總評", "In 2026, overall: "),
    "read": (("read", *BIRTH, "--explain"), "格局为七杀格", "格局為七殺格", "The pattern: Seven Killings pattern (七杀格)"),
    "read a year": (("read", *BIRTH, "--target", "2026", "--explain"), "2026年总评", "2026年總評", "In 2026, overall: "),
    "liuyao": ((*CAST, "--explain"), "签等为", "籤等為", "The level of the sign: "),
    "hour": (("hour", "1990-05-15", "--city", "北京", "--explain", "str.verdict"), "日主庚身强", "日主庚身強",
             "The day master Yang Metal (庚 Geng) is strong (身强)"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "hans", "hant", "english"), COMMANDS.values(), ids=COMMANDS)
def test_a_fact_and_its_basis_are_told_in_the_language_that_is_asked_for(
    bazi, arguments, hans, hant, english
):
    told = [bazi.text(*arguments, "--lang", lang).splitlines() for lang in ("zh-Hans", "zh-Hant", "en")]
    for lines, first in zip(told, (hans, hant, english), strict=True):
        assert lines[0].startswith(first)
    # The same facts in the same order, whatever the language.
    assert len({tuple(line.rpartition("  [")[2] for line in lines) for lines in told}) == 1


def test_the_chain_of_reasons_in_english_glosses_every_sign(bazi):
    told = bazi.text("chart", *BIRTH, "--lang", "en", "--explain")
    for phrase in (
        "Year Metal Horse (庚午 Geng Wu)",
        "the Five Tigers (五虎遁)",
        "is yang (阳)",
        "Start of Spring (立春)",
    ):
        assert phrase in " ".join(told.split())


def test_the_reasons_of_a_birth_without_an_hour_name_their_pillars_in_english(bazi):
    told = bazi.text("chart", "1990-05-15", "--hour-unknown", "--city", "北京", "--lang", "en", "--explain")
    assert "Metal Horse (庚午 Geng Wu), Metal Snake (辛巳 Xin Si)" in " ".join(told.split())


@pytest.mark.parametrize("command", ["luck", "hour"])
def test_a_fact_as_json_is_the_same_in_every_language(bazi, command):
    who = BIRTH if command == "luck" else ("1990-05-15", "--city", "北京", "--gender", "male")
    found = bazi.json(command, *who, "--explain", "p.day.stem", "--lang", "en")
    assert [fact["text_zh"] for fact in found] == ["日干庚"]


def test_a_chart_explains_itself_in_the_language_that_is_asked_for():
    chart = bz.chart(pillars="庚午 辛巳 庚辰 壬午")
    assert chart.explain("tg.hour.stem", lang="zh-Hant").startswith("時干壬為食神")
    assert (
        chart.explain("tg.hour.stem", "en")
        .splitlines()[1]
        .strip()
        .startswith("Day stem: Yang Metal (庚 Geng)")
    )


@pytest.mark.parametrize("lang", ["fr", "", None, 3, "\ud800", ["en"]])
def test_a_language_that_is_not_there_is_refused(lang):
    with pytest.raises(bz.BaziError) as caught:
        bz.chart(pillars="庚午 辛巳 庚辰 壬午").explain("tg.hour.stem", lang=lang)
    assert caught.value.code == "UNKNOWN_OPTION"
