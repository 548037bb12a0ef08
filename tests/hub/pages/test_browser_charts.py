"""The chart in a real browser: its form with and without a script, the keyboard, every width, every language, paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.hub.browser import in_a_browser
from tests.hub.pages.browsing import CHART

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = in_a_browser
UNKNOWN, OPEN = "/chart?t=1990-05-15&p=cn:110000&g=f", "/p/庚午-辛巳-庚辰-壬午/m/1997-08"
WRONG = "/chart?cal=solar&y=1990&m=2&d=30&place=Springfield"
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
FOCUSED = "document.activeElement.id || document.activeElement.className || document.activeElement.name"


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A page with a script; nothing is said to its console."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    opened = context.new_page()
    opened.said, opened.asked = [], []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.on("request", lambda request: opened.asked.append(request.url))
    yield opened
    assert [each for each in opened.said if "400 (Bad Request)" not in each] == []
    context.close()


@pytest.fixture
def plain(chromium: Any) -> Iterator[Any]:
    """A page without a script."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, locale="zh-CN", java_script_enabled=False
    )
    yield context.new_page()
    context.close()


def born(page: Any, place: str) -> None:
    for name, value in (("y", "1990"), ("m", "5"), ("d", "15"), ("h", "13"), ("i", "30")):
        page.fill(f"#{name}", value)
    page.check("[name=g][value=male]", force=True)
    page.locator("#place").press_sequentially(place, delay=15)


def test_places_are_offered_while_one_types_and_one_is_picked_by_the_keyboard(page, site):
    page.goto(f"{site}/")
    born(page, "chaoyang")
    page.wait_for_selector("#hits .sug")
    assert "120.451°E · Asia/Shanghai" in page.inner_text("#hits")
    page.press("#place", "Tab")
    page.keyboard.press("ArrowDown")
    page.click("main form button.btn")
    assert page.url == f"{site}/chart?t=1990-05-15T13:30&p=cn:110105&g=m"


def test_a_name_that_is_typed_again_takes_the_picked_place_away(page, site):
    page.goto(f"{site}/")
    born(page, "chaoyang")
    page.wait_for_selector("#hits .sug")
    page.check("[name=ref][value='cn:110105']", force=True)
    page.fill("#place", "")
    page.locator("#place").press_sequentially("beijing", delay=15)
    page.wait_for_selector("#hits [value='cn:110000']")
    page.click("main form button.btn")
    assert page.url == f"{site}{CHART}"


def test_without_a_script_the_next_page_asks_which_place_with_everything_kept(plain, site):
    plain.goto(f"{site}/")
    assert plain.locator("#leap").is_hidden()
    plain.check("[name=cal][value=lunar]", force=True)
    assert plain.locator("#leap").is_visible()
    plain.check("[name=cal][value=solar]", force=True)
    born(plain, "Springfield")
    plain.click("main form button.btn")
    assert plain.title().startswith("有误：")
    assert plain.input_value("#y") == "1990"
    plain.check("[name=ref] >> nth=2", force=True)
    plain.click("main form button.btn")
    assert plain.inner_text("h1") == "庚午 辛巳 庚辰 壬午"
    assert "p=gn:" in plain.url


def test_the_summary_of_what_is_wrong_has_the_focus_and_leads_to_the_fields(page, site):
    page.goto(f"{site}{WRONG}")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    page.click("[role=alert] a >> nth=0")
    assert page.evaluate(FOCUSED) == "d"


def test_the_arrows_move_from_decade_to_decade_and_its_years_unfold(page, site):
    page.goto(f"{site}{CHART}")
    assert page.locator(".pan:visible").count() == 1
    page.focus("#l2")
    page.keyboard.press("ArrowRight")
    assert (page.locator(".p3").is_visible(), page.locator(".p2").is_visible()) == (True, False)
    assert page.locator(".p3 .yrs a").first.get_attribute("href").endswith("&year=2027")


def test_evidence_opens_takes_the_focus_and_gives_it_back(page, site):
    page.goto(f"{site}{CHART}")
    page.click("a.ev >> nth=0")
    assert page.locator(".proofs > li:target ol").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Escape")
    expect(page.locator("a.ev >> nth=0")).to_be_focused()
    assert page.locator(".proofs > li:target").count() == 0


def test_evidence_opens_and_closes_without_a_script(plain, site):
    plain.goto(f"{site}{CHART}")
    plain.click("a.ev >> nth=0")
    assert plain.locator(".proofs > li:target ol").is_visible()
    plain.click(".proofs > li:target .x")
    assert plain.locator(".proofs > li:target").count() == 0


def test_a_first_visit_asks_three_times(page, site):
    page.goto(f"{site}{CHART}")
    page.wait_for_load_state("networkidle")
    assert len(page.asked) == 3


@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1440])
@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW", "en-GB"])
def test_no_page_is_wider_than_its_window(chromium, site, locale, width):
    context = chromium.new_context(viewport={"width": width, "height": 800}, locale=locale)
    page = context.new_page()
    for path in ("/", CHART, UNKNOWN, OPEN, WRONG):
        page.goto(f"{site}{path}")
        assert page.evaluate(OVERFLOW) <= 0, path
    context.close()


@pytest.mark.parametrize("locale", ["zh-CN", "en-GB"])
def test_text_of_twice_the_size_stays_inside(chromium, site, locale):
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale=locale)
    page = context.new_page()
    for path in ("/", CHART, UNKNOWN):
        page.goto(f"{site}{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(OVERFLOW) <= 0, path
    context.close()


def test_words_of_the_picture_do_not_lie_on_each_other(chromium, site):
    overlaps = """() => {
        const boxes = [...document.querySelectorAll("figure.chart svg text")]
            .map((each) => [each.textContent, each.getBoundingClientRect()]);
        const found = [];
        boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 3 && high > 6) found.push([one, other, wide, high]);
        }));
        return found;
    }"""
    for locale in ("zh-CN", "en-GB"):
        context = chromium.new_context(viewport={"width": 404, "height": 800}, locale=locale)
        page = context.new_page()
        for path in (CHART, "/chart?t=1995-05-15T00:10&p=cn:653101&g=f"):
            page.goto(f"{site}{path}")
            assert page.evaluate(overlaps) == [], (locale, path)
        context.close()


def test_on_paper_stands_the_open_decade_and_nothing_to_press(page, site):
    page.goto(f"{site}{CHART}")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".here-pan").is_visible()
    for left_out in ("nav", "form", "button", "a.btn", "a.skip", "a.ev"):
        assert not any(each.is_visible() for each in page.locator(left_out).all()), left_out
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    # At most three pages of A4.
    assert page.pdf(format="A4").count(b"/Type /Page\n") <= 3
