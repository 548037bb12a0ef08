"""The pages as they are heard, by the tree that Chromium hands to a screen reader, and as they stand without `:has`.

A sign that says something to the eye says it in words to the ear, a heading and the head of a row are no longer than their
words, and whatever one can act on has a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.browser import in_a_browser
from tests.hub.pages.tour import BOARD, QUERY

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = in_a_browser

HEARD = {
    "chart": f"/chart?{QUERY}",
    "chart without an hour": "/chart?t=1990-05-15&p=cn:110000&g=m",
    "years": f"/years?{QUERY}",
    "year": f"/year?{QUERY}&year=2027",
    "six lines": "/liuyao",
    "board": f"/liuyao/board?{BOARD}",
    "month": "/almanac?m=2026-10",
    "birth": "/",
}
SIGNS = set("▲▽◆＋－○●◐✓⚠←—")
READ = {
    "heading",
    "link",
    "button",
    "cell",
    "gridcell",
    "rowheader",
    "columnheader",
    "option",
    "radio",
    "listitem",
    "region",
}
NAMED = {"link", "button", "image", "table", "textbox", "combobox", "radio", "checkbox", "option"}


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


def heard(page: Any) -> list[tuple[str, str]]:
    """What the tree of a page holds: roles and names, in order."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]


@pytest.mark.parametrize("name", HEARD)
def test_no_sign_is_read_out_and_nothing_is_without_a_name(page, site, name):
    page.goto(site + HEARD[name])
    found = heard(page)
    assert [(role, told) for role, told in found if role in READ and SIGNS & set(told)] == []
    assert [role for role, told in found if role in NAMED and not told] == []


def test_what_marks_a_number_is_told_in_words(page, site):
    page.goto(site + HEARD["years"])
    found = heard(page)
    assert ("image", "among the highest") in found
    assert ("image", "helping") in found
    page.goto(site + HEARD["chart without an hour"])
    assert ("image", "differs from most") in heard(page)


def test_a_heading_and_the_head_of_a_row_are_no_longer_than_their_words(page, site):
    for name in ("chart", "year"):
        page.goto(site + HEARD[name])
        long = [
            told for role, told in heard(page) if role in ("heading", "region", "rowheader") and ":" in told
        ]
        assert all(len(told) < 40 for told in long), long


def test_the_kinds_of_a_question_are_found_by_their_first_letters(page, site):
    page.goto(site + HEARD["six lines"])
    options = page.locator("main select option").all_inner_texts()
    assert len(options) > 20
    assert [each for each in options if not each[0].isascii()] == []


def test_the_lunar_date_of_a_day_is_not_taken_for_another_day(page, site):
    page.goto(site + HEARD["month"])
    day = next(told for role, told in heard(page) if role == "link" and told.startswith("2 "))
    assert day.startswith("2 lunar 8-22 ")


def without_has(route: Any) -> None:
    """A style as a browser reads it that does not know `:has`: a rule with such a selector is none."""
    style = route.fetch().text()
    route.fulfill(
        body=re.sub(r"(?<=[{}\n])[^{}\n]*:has\([^{}]*\{[^{}]*\}", "", style), content_type="text/css"
    )


def test_without_has_every_decade_stands_open_and_every_field_is_there(page, site):
    page.goto(site + HEARD["chart"])
    assert page.locator(".pan:visible").count() == 1
    page.goto(site + HEARD["birth"])
    assert not page.locator("#leap").is_visible()

    page.route("**/static/style*", without_has)
    page.goto(site + HEARD["chart"])
    assert page.locator(".pan:visible").count() == 10
    page.emulate_media(media="print")
    assert page.locator(".pan:visible").count() == 1
    page.emulate_media(media="screen")
    page.goto(site + HEARD["birth"])
    assert page.locator("#leap").is_visible()
