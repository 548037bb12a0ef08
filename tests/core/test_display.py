"""`bz.options` and notebooks: the language and the theme of what is shown, and nothing else."""

import pytest

import bazi_core as bz
from bazi_core.errors import UnknownOption
from tests.core.pictures.drawn import chart, check, span, texts


@pytest.fixture
def options():
    yield bz.options
    bz.options.lang = bz.options.theme = None


def values():
    own = chart()
    return [
        own,
        own.luck,
        own.pattern(),
        own.year(2026),
        span(2026, 2028),
        bz.liuyao.derive("789876", pillars="丙午 辛卯 丁未 庚戌"),
    ]


def test_every_value_shows_its_text_and_its_picture(options):
    options.lang = "zh-Hans"
    for value in values():
        found = value._repr_mimebundle_()
        assert [*found] == ["text/plain", "image/svg+xml"]
        assert found["text/plain"] == str(value)
        check(found["image/svg+xml"])


def test_the_language_is_that_of_the_options_before_that_of_the_environment(options, monkeypatch):
    monkeypatch.setenv("BAZI_LANG", "zh-Hant")
    assert options.lang == "zh-Hant"
    assert "傷官" in str(chart())
    options.lang = "en-GB"
    assert options.lang == "en"
    assert str(chart()).startswith("BaZi chart")
    assert "Day Master" in texts(check(chart()._repr_mimebundle_()["image/svg+xml"]))
    options.lang = None
    assert options.lang == "zh-Hant"


def test_the_theme_is_that_of_the_system_unless_it_is_set(options):
    assert "prefers-color-scheme" in chart().luck._repr_mimebundle_()["image/svg+xml"]
    options.theme = "dark"
    assert chart().luck._repr_mimebundle_()["image/svg+xml"] == chart().luck.svg(options.lang, "dark")
    assert repr(options) == f"Options(lang={options.lang!r}, theme='dark')"


@pytest.mark.parametrize("bad", ["fr", "", 5, ["en"]])
def test_another_language_or_theme_is_refused_and_changes_nothing(options, bad):
    for name in ("lang", "theme"):
        before = getattr(options, name)
        with pytest.raises(UnknownOption):
            setattr(options, name, bad)
        assert getattr(options, name) == before


def test_what_is_computed_does_not_ask(options):
    before = [chart().to_json(), chart().pattern().to_json(), chart().year(2026).to_json()]
    options.lang, options.theme = "en", "dark"
    fresh = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    assert [fresh.to_json(), fresh.pattern().to_json(), fresh.year(2026).to_json()] == before


def test_a_table_of_charts_shows_its_ends_in_words(options):
    options.lang = "en"
    table = {"datetime": ["1990-05-15 13:30"] * 11 + ["<b>"]}
    found = bz.charts(table, "ten_gods", city="北京", gender="male")._repr_mimebundle_()
    assert (
        found["text/plain"] == "<Charts 12 rows, 10 columns, 1 not computed>"
        or "12 rows" in found["text/plain"]
    )
    page = found["text/html"]
    assert page.count("<tr>") == 12
    assert "Rob Wealth" in page
    assert "12 rows" in page
    assert "<b>" not in page
    assert page.count('<th scope="row">') == 10
