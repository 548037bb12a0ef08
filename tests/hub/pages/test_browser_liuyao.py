"""六爻 in a real browser: throw, board, buy, reading; with and without a script, by the keyboard, and nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.hub.browser import in_a_browser
from tests.hub.divination.runworld import Model
from tests.hub.pages.browsing import PASSWORD
from tests.hub.pages.serving import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = in_a_browser

QUESTION = "Should I take this new job?"
LINES = "798977"


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def town(model: Model) -> Iterator[Served]:
    with served(reader=model, signup="open") as made:
        yield made


def opened(chromium: Any, *, script: bool = True, width: int = 390) -> Any:
    context = chromium.new_context(
        viewport={"width": width, "height": 844}, locale="en-GB", java_script_enabled=script, timezone_id="Asia/Tokyo"
    )  # fmt: skip
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("console", lambda message: _look(message.text))
    return page


def _look(text: str) -> None:
    assert "Content Security Policy" not in text


def sign_up(page: Any, town: Served) -> None:
    page.goto(f"{town.url}/signup")
    page.fill("[name=email]", "reader@example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url(f"{town.url}/")


def throw(page: Any, town: Served) -> None:
    page.goto(f"{town.url}/liuyao")
    page.fill("#question", QUESTION)
    page.fill("#words", "paper and ink")
    page.fill("#place", "London")
    page.click("button[value=coins]")


def money(town: Served) -> tuple[int, int]:
    [account] = town.do(town.town.storage.accounts.listed())
    found = town.do(town.town.storage.ledger.account(account.id))
    return found.posted, found.held


def opens(town: Served, model: Model) -> None:
    async def gate() -> None:
        model.gate.set()

    town.do(gate())


def shuts(town: Served, model: Model) -> None:
    async def gate() -> None:
        model.gate.clear()

    town.do(gate())


def is_no_wider(page: Any) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.parametrize("script", [True, False])
def test_somebody_throws_sees_the_board_buys_the_reading_and_finds_it_again(chromium, town, script):
    page = opened(chromium, script=script)
    sign_up(page, town)
    page.goto(f"{town.url}/liuyao")
    fingerprint = page.inner_text("code.key")
    page.fill("#question", QUESTION)
    page.fill("#words", "paper and ink")
    page.fill("#place", "London")
    is_no_wider(page)
    page.click("button[value=coins]")
    page.wait_for_url("**/c/*")
    assert fingerprint in page.inner_text("#proof")
    assert page.locator("figure.board svg").is_visible()
    is_no_wider(page)
    page.click("#read form[method=post] button")
    if not script:
        while page.locator("#progress").count():
            page.reload()
    page.wait_for_selector("#answer")
    is_no_wider(page)
    assert money(town)[1] == 0
    here = page.url
    page.goto(f"{town.url}/liuyao")
    page.click(f"text={QUESTION}")
    assert page.url == here
    page.context.close()


def test_whoever_waits_is_told_every_step_and_sees_the_answer_come(chromium, town, model):
    page = opened(chromium)
    sign_up(page, town)
    throw(page, town)
    page.wait_for_url("**/c/*")
    shuts(town, model)
    page.click("#read form[method=post] button")
    steps = page.locator(".phases li")
    expect(steps).to_have_count(3)
    assert [text[:11] for text in steps.all_inner_texts()] == ["The six lin", "The board i", "Being writt"]
    assert page.locator("#status").inner_text().startswith("Being written")
    assert page.locator("#read form[method=post] button").is_disabled()
    assert money(town)[1] == 4
    opens(town, model)
    page.wait_for_selector("#answer")
    assert money(town)[1] == 0
    page.context.close()


def test_whoever_leaves_and_comes_back_or_loses_the_line_finds_the_rest(chromium, town, model):
    page = opened(chromium)
    sign_up(page, town)
    throw(page, town)
    page.wait_for_url("**/c/*")
    here = page.url
    shuts(town, model)
    page.click("#read form[method=post] button")
    page.wait_for_selector(".phases li >> nth=2")
    page.goto(f"{town.url}/billing")
    page.goto(here)
    page.wait_for_selector("#progress ~ form .phases li >> nth=2")
    with page.expect_request("**/divination"):
        town.cut()
    opens(town, model)
    page.wait_for_selector("#answer")
    assert len(model.asked) == 1
    page.context.close()


def test_without_a_script_the_page_reloads_itself_until_the_answer_is_there(chromium, town, model):
    page = opened(chromium, script=False)
    sign_up(page, town)
    throw(page, town)
    shuts(town, model)
    page.click("#read form[method=post] button")
    page.wait_for_selector("#progress")
    opens(town, model)
    page.wait_for_selector("#answer", timeout=15_000)
    page.context.close()


def test_the_keyboard_alone_asks_taps_and_buys(chromium, town):
    page = opened(chromium, width=1280)
    sign_up(page, town)
    page.goto(f"{town.url}/liuyao")
    page.focus("#question")
    page.keyboard.type(QUESTION)
    for n in range(6, 0, -1):
        page.keyboard.press("Tab")
        while not page.evaluate(f"document.activeElement.name === 'y{n}'"):
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
        for _ in range("7896".index(LINES[n - 1])):
            page.keyboard.press("ArrowRight")
        shown = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle"
        assert page.evaluate(shown) != "none"
    while not page.evaluate("document.activeElement.value === 'lines'"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/*")
    assert "天泽履" in page.inner_text("#board")
    while not page.evaluate("document.activeElement.matches('#read form[method=post] button')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer")
    while not page.evaluate("document.activeElement.matches('a.ev')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".proofs > li:target ol").is_visible()
    page.context.close()


def test_a_missing_line_has_the_focus_and_a_stranger_leaves_nothing(chromium, town):
    page = opened(chromium)
    page.goto(f"{town.url}/liuyao")
    # The clock of the browser, where no other is usual.
    assert page.input_value("#place") == "Asia/Tokyo"
    page.fill("#question", QUESTION)
    for n, value in enumerate(LINES, 1):
        if n != 4:
            page.check(f"[name=y{n}][value='{value}']", force=True)
    page.click("button[value=lines]")
    page.wait_for_selector("[role=alert]")
    assert page.evaluate("document.activeElement.name") == "y4"
    assert page.title().startswith("Error")
    page.check("[name=y4][value='9']", force=True)
    page.click("button[value=lines]")
    page.wait_for_url("**/liuyao/board?*")
    assert "job" not in page.url
    assert page.inner_text("h1") == QUESTION
    page.reload()
    assert page.inner_text("h1") == QUESTION
    page.click("text=Dark")
    assert page.inner_text("h1") == QUESTION
    page.click("#read-in, .acts >> text=Sign in")
    page.goto(f"{town.url}/signup?next=%2Fliuyao%2Fboard%3F{page.url.partition('%3F')[2]}")
    page.fill("[name=email]", "late@example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url("**/liuyao/board?*")
    assert page.inner_text("h1") == QUESTION
    page.click("button[name=keep]")
    page.wait_for_url("**/c/*")
    assert page.inner_text("h1") == QUESTION
    page.context.close()


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW", "en-GB"])
def test_no_page_is_wider_than_its_window(chromium, town, width, locale):
    context = chromium.new_context(viewport={"width": width, "height": 844}, locale=locale)
    page = context.new_page()
    for path in (
        "/liuyao",
        "/liuyao/board?lines=798977&at=2026-11-22T16:20:00%2B08:00&q=" + 30 * "nobreaks",
        f"/liuyao/board?seed={64 * '0'}&words={40 * 'w'}&at=2026-11-22T16:20:00%2B08:00",
    ):
        page.goto(f"{town.url}{path}")
        is_no_wider(page)
    context.close()
