"""Language of the locale, colour, columns, help."""

import io

import pytest

from bazi_cli import output
from bazi_cli.app import COMMANDS, readable
from bazi_cli.language import language
from tests.tables import holds_for_all

# Tags of languages are tried in tests/core/tables/test_sentences.py; a locale is one, or none that is spoken here.
LOCALES = [("zh_TW.UTF-8", "zh-Hant"), ("zh_CN.UTF-8", "zh-Hans"), ("en_US.UTF-8", "en"), ("C", "en"), ("POSIX", "en"),
           ("", "en"), ("fr_FR", "en"), ("enm", "en")]  # fmt: skip


@holds_for_all("locale, expected", LOCALES)
def test_the_language_of_a_locale(locale, expected):
    assert language(None, {"LANG": locale}) == expected


def test_what_was_asked_for_wins():
    assert language("en", {"LC_ALL": "zh_TW"}) == "en"


def test_lc_all_beats_lc_messages_beats_lang():
    assert language(None, {"LC_ALL": "en_US", "LC_MESSAGES": "zh_TW", "LANG": "zh_CN"}) == "en"
    assert language(None, {"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "en_US"}) == "zh-Hant"


def test_the_locale_decides_the_text(bazi):
    born = ("chart", "1990-05-15 13:30", "--city", "北京")
    assert bazi.text(*born, LANG="zh_TW.UTF-8").startswith("八字命盤")
    assert bazi.text(*born, LC_ALL="en_GB.UTF-8").startswith("BaZi chart")
    assert bazi.text(*born, LC_ALL="en_GB.UTF-8", BAZI_LANG="zh-Hans").startswith("八字命盘")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colour_is_only_for_terminals(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert output.has_colour(Terminal())
    assert not output.has_colour(Terminal(), "chart.txt")
    assert output.has_colour(Terminal(), "-")
    assert not output.has_colour(io.StringIO())


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_is_left_out_when_it_is_not_wanted(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert not output.has_colour(Terminal())


def test_an_empty_no_color_says_nothing(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "xterm")
    assert output.has_colour(Terminal())


def test_a_terminal_gets_the_elements_in_colour(bazi, monkeypatch):
    monkeypatch.setattr(output, "has_colour", lambda *_: True)
    born = ("1990-05-15 13:30", "--city", "北京", "--gender", "male")
    assert "\x1b[31m午火\x1b[0m" in bazi.text("chart", *born)
    assert "\x1b[31m午\x1b[0m" in bazi.text("luck", *born)


@pytest.mark.parametrize(("stated", "expected"), [("40", 40), ("0", 80), ("-5", 80), ("wide", 80), ("", 80)])
def test_columns_are_those_stated(monkeypatch, stated, expected):
    monkeypatch.setenv("COLUMNS", stated)
    monkeypatch.setattr(output.sys, "stdout", io.StringIO())
    assert output.columns() == expected


def test_help_lists_every_command(bazi):
    told = bazi.text("--help", "--lang", "en")
    listed = told.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed if line[2:3].strip()] == list(COMMANDS)
    assert bazi.text("--lang", "en") == told


def test_arguments_are_utf8_whatever_the_locale_took_them_for():
    assert readable("北京".encode().decode("ascii", "surrogateescape")) == "北京"
    assert readable("\ud800") == "?"
