"""The page of a chart: one file, doubts first, pictures with their tables, evidence folded, hostile names as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from bazi_core.errors import UnknownOption
from bazi_core.tables.words import LANGUAGES
from tests.core.pictures.drawn import HOSTILE, KINDS, chart

VOID = {"meta", "br", "path", "rect", "circle"}


class Page(HTMLParser):
    """The elements of a page; an end without its beginning is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def tags(self, name: str) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.found if tag == name]


EACH = [(kind, lang) for kind in KINDS for lang in LANGUAGES]


@pytest.mark.parametrize(
    ("kind", "lang"),
    [
        pytest.param(*each, marks=[] if at % 5 == 0 else [pytest.mark.exhaustive])
        for at, each in enumerate(EACH)
    ],
)
def test_every_chart_has_a_page_in_every_language(kind, lang):
    text = chart(kind).html(lang)
    page = Page(text)
    assert page.tags("html") == [{"lang": lang}]
    assert len(page.tags("h1")) == 1
    ids = [attrs["id"] for _, attrs in page.found if "id" in attrs]
    assert len(ids) == len({*ids}) > 50
    for link in page.tags("a"):
        assert link["href"][0] == "#"
        assert link["href"][1:] in ids
    assert all(attrs["role"] == "img" for attrs in page.tags("svg"))
    assert not page.tags("script") + page.tags("link") + page.tags("img") + page.tags("iframe")
    assert not [
        attrs for _, attrs in page.found for name in attrs if name.startswith("on") or name == "style"
    ]
    assert {*re.findall(r"https?://[^\"<\s]+", text)} <= {"http://www.w3.org/2000/svg"}
    assert "None" not in "".join(page.words)


def test_doubts_stand_before_the_chart():
    words = "".join(Page(chart().html()).words)
    assert words.index("按钟表时柱为癸未") < words.index("命盘", words.index("先说拿不准的"))


def test_a_chart_without_doubts_says_so():
    assert "没有存疑之处" in chart("fold").html()
    assert "没有存疑之处" not in chart().html()


def test_a_picture_has_its_table():
    page = Page(chart().html("en"))
    tables = len(page.tags("table"))
    assert tables == 3
    assert all(
        attrs.get("tabindex") == "0" and attrs["aria-label"]
        for attrs in page.tags("div")
        if attrs.get("class") == "scroll"
    )
    assert {attrs["scope"] for attrs in page.tags("th")} == {"col", "row"}


def test_every_fact_is_there_folded():
    own = chart().pattern()
    page = Page(chart().html())
    items = [attrs["id"] for attrs in page.tags("li") if "id" in attrs]
    assert items == sorted(own.all_facts)
    assert not any("open" in attrs for attrs in page.tags("details"))


def test_a_hostile_name_stays_text():
    page = Page(chart().html(name=HOSTILE))
    assert not page.tags("script")
    assert any('"><script>alert(1)</script>&' in each for each in page.words)


def test_what_runs_is_marked_when_it_is_asked_for():
    assert "此刻" not in chart().html()
    assert "2026-11-23：大运甲申" in chart().html(as_of="2026-11-23")


def test_a_fixed_theme_does_not_ask_the_system():
    assert "prefers-color-scheme" in chart().html()
    dark = chart().html(theme="dark")
    assert "prefers-color-scheme" not in dark
    assert '<meta name="color-scheme" content="dark">' in dark
    with pytest.raises(UnknownOption):
        chart().html(theme="page")


def test_print_is_black_on_white_in_every_theme():
    for theme in ("auto", "dark"):
        assert chart().html(theme=theme).count("--paper:#fff}") == 1
