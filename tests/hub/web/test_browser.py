"""The pages in a real browser: Chromium signs up, casts a chart, buys a reading, issues a key. Skipped where there is none.

What only a browser knows is looked at here: that it applies the style, that the policy for content is never broken, that its
cookie and its origin are those the hub expects, and that a page does not outgrow a telephone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.browser import launched, needs_chromium
from tests.hub.web.browsing import EMAIL, PASSWORD
from tests.hub.web.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, locale="en-GB", java_script_enabled=False
    )
    opened = context.new_page()
    opened.said = []
    opened.on("console", lambda message: opened.said.append(message.text))
    yield opened
    assert [text for text in opened.said if "Content Security Policy" in text] == []
    context.close()


def cast(page: Any, site: str) -> None:
    page.goto(f"{site}/")
    page.fill("[name=date]", "1990-05-15")
    page.fill("[name=time]", "13:30")
    page.check("[name=gender][value=male]")
    page.fill("[name=city]", "Beijing")
    page.click("main form button")


def test_a_person_signs_up_keeps_a_chart_buys_a_reading_and_gets_a_key_without_any_script(page, site):
    page.goto(f"{site}/signup")
    page.fill("[name=email]", EMAIL)
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    assert page.url == f"{site}/"
    [cookie] = page.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("bazi_session", True, "Lax")

    cast(page, site)
    assert "庚" in page.inner_text("table.pillars")
    page.click("main form[action='/c'] button")
    page.click("text=Buy a reading")
    page.click("#offer-pattern ~ p button")
    assert "Seven Killings" in page.inner_text("main")

    page.goto(f"{site}/billing")
    assert "21" in page.inner_text("dl.figures")
    page.click("text=Issue the key")
    assert page.input_value("input.secret").startswith("bzp_")


def test_no_page_is_wider_than_a_telephone(page, site):
    cast(page, site)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == 390
    for path in ("/", "/forum", "/login", "/signup", "/docs/api", "/nothing"):
        page.goto(f"{site}{path}")
        assert page.evaluate(wide) == 390, path


def test_the_style_is_applied_and_its_dark_theme_is_light_on_dark(chromium, site):
    context = chromium.new_context(color_scheme="dark", locale="zh-CN")
    page = context.new_page()
    page.goto(f"{site}/")
    ground, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert _light(ground) < 60 < 200 < _light(ink)
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    context.close()


def _light(colour: str) -> float:
    """The mean of `rgb(25, 24, 21)`."""
    parts = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    return sum(parts) / len(parts)
