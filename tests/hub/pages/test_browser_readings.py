"""How far a reading is, in a real browser: whatever breaks or is left in between, its page is reached and paid once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bazi_hub.pages.texts import text
from tests.hub.browser import in_a_browser
from tests.hub.pages.browsing import CHART, EMAIL, PASSWORD
from tests.hub.pages.serving import Served, served
from tests.hub.worlds import Reader, taught
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = in_a_browser

COMPUTED, READING, KEPT = (text(f"phase.{phase}", "zh-Hans") for phase in ("computed", "reading", "kept"))
AGAIN, LOST = (text(f"offers.{said}", "zh-Hans") for said in ("again", "lost"))
BUTTON, WAY = "button[name=buy][value=life]", ".way"
PHASES = ".steps li"


class Desk:
    """A hub whose reader waits for the test, and somebody who has its offers open."""

    def __init__(self, town: Served, reader: Reader, context: Any) -> None:
        self.town, self.reader, self.context = town, reader, context
        self.offers = self._signed_up(self.tab())

    def tab(self) -> Any:
        page = self.context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("console", self._look)
        return page

    def _look(self, message: Any) -> None:
        assert "Content Security Policy" not in message.text

    def _signed_up(self, page: Any) -> str:
        """Where the readings of a kept chart are offered."""
        page.goto(f"{self.town.url}/signup")
        page.fill("[name=email]", EMAIL)
        page.fill("[name=password]", PASSWORD)
        page.click("main form button")
        page.wait_for_url(f"{self.town.url}/")
        page.goto(f"{self.town.url}{CHART}")
        page.click("main form:has([name=then]) button")
        page.wait_for_url(f"{self.town.url}/c/*/reading")
        self.page = page
        return str(page.url)

    def open(self, page: Any = None) -> Any:
        page = page or self.page
        page.goto(self.offers)
        return page

    def press(self) -> Any:
        """The button, and what the page then says until the reader is at work."""
        page = self.open()
        page.click(BUTTON)
        self.sees_it_running(page)
        return page

    def sees_it_running(self, page: Any) -> None:
        expect(page.locator(PHASES)).to_have_text([COMPUTED, READING])

    def answer(self) -> None:
        async def answer() -> None:
            self.reader.gate.set()

        self.town.do(answer())

    def ends(self, *pages: Any) -> None:
        """They are at the one reading that was bought, which was made and paid once, and nothing is remembered of it."""
        for page in pages or [self.page]:
            page.wait_for_url(lambda address: not address.endswith("/reading"))
            assert [page.url] == [f"{self.town.url}/c/{kept.id}" for kept in self.bought]
            assert "大运" in page.inner_text("main")
            assert page.evaluate("localStorage.length") == 0
        assert (self.reader.asked, self.credits) == (1, 21)

    @property
    def bought(self) -> list[Any]:
        return [kept for kept in self.town.town.rows.charts.values() if kept.kind == "reading"]

    @property
    def credits(self) -> int:
        return self.account.posted

    @property
    def account(self) -> Any:
        [account] = self.town.do(self.town.town.storage.accounts.listed())
        return self.town.do(self.town.town.storage.ledger.account(account.id))

    def post(self, amount: int) -> None:
        ledger = self.town.town.storage.ledger
        self.town.do(ledger.post("adjust", self.account.id, amount, str(amount), "operator"))


@pytest.fixture
def desk(chromium: Any) -> Iterator[Desk]:
    reader = taught(is_slow=True)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="zh-CN")
    with served(reader=reader, signup="open") as town:
        yield Desk(town, reader, context)
        context.close()


# --- phases


def test_phases_are_shown_in_order_and_read_out_and_the_button_waits(desk):
    page = desk.press()
    assert page.locator("#status").inner_text() == READING
    assert (page.locator(BUTTON).is_visible(), page.locator(WAY).is_visible()) == (False, True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.wait_for_selector(".elapsed:has-text('已过')")
    desk.answer()
    desk.ends()


# --- what breaks


def test_a_connection_that_is_cut_in_the_middle_is_taken_up_again(desk):
    page = desk.press()
    with page.expect_request("**/reading"):
        desk.town.cut()
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


def test_what_was_cut_and_ended_meanwhile_is_found(desk):
    page = desk.press()
    page.context.set_offline(True)
    desk.town.cut()
    page.wait_for_selector(f"{PHASES}:has-text('{AGAIN}')")
    desk.answer()
    desk.town.do(eventually(lambda: desk.bought))
    page.context.set_offline(False)
    desk.ends()


def test_a_form_that_did_not_get_through_is_sent_again(desk):
    page, failed = desk.open(), []

    def fail_once(route):
        if route.request.method == "POST" and not failed:
            failed.append(route)
            route.abort()
        else:
            route.fallback()

    page.route("**/reading", fail_once)
    page.click(BUTTON)
    desk.sees_it_running(page)
    assert len(failed) == 1
    desk.answer()
    desk.ends()


def test_a_proxy_that_finds_no_hub_for_a_while_is_asked_again(desk):
    page, refused = desk.open(), []

    def refuse_once(route):
        if route.request.method == "POST" and not refused:
            refused.append(route)
            route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")
        else:
            route.fallback()

    page.route("**/reading", refuse_once)
    page.click(BUTTON)
    desk.sees_it_running(page)
    assert len(refused) == 1
    desk.answer()
    desk.ends()


def test_a_connection_that_has_died_unnoticed_is_given_up_after_a_silence(desk):
    page = desk.open()
    page.clock.install()
    page.click(BUTTON)
    desk.sees_it_running(page)
    with page.expect_request("**/reading"):
        page.clock.run_for(47_000)
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


def test_a_hub_that_stays_away_leaves_a_button_that_buys_once(desk):
    page = desk.open()
    page.clock.install()
    page.route("**/reading", lambda route: route.abort())
    page.click(BUTTON)
    page.wait_for_selector(f"{PHASES}:has-text('{AGAIN}')")
    while not page.locator(f"{PHASES}:has-text('{LOST}')").count():
        page.clock.run_for(15_000)
    button = page.locator(BUTTON)
    assert (button.is_enabled(), button.inner_text()) == (True, "用 4 点解读一生")
    page.unroute("**/reading")
    button.click()
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


# --- leaving and coming back


def test_a_page_that_is_loaded_again_while_it_runs_tells_the_rest(desk):
    page = desk.press()
    page.reload()
    desk.sees_it_running(page)
    assert not page.locator(BUTTON).is_visible()
    desk.answer()
    desk.ends()


def test_who_left_and_comes_back_while_it_runs_is_told_the_rest(desk):
    page = desk.press()
    page.goto(f"{desk.town.url}/billing")
    desk.open()
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


def test_who_comes_back_after_it_ended_unseen_is_led_to_it_once(desk):
    page = desk.press()
    page.goto(f"{desk.town.url}/c")
    desk.answer()
    desk.town.do(eventually(lambda: desk.bought))
    page.goto(desk.offers)
    desk.ends()
    desk.open()
    page.wait_for_load_state("networkidle")
    assert page.url == desk.offers
    assert page.locator(BUTTON).is_enabled()


def test_a_reading_that_was_found_in_the_list_is_not_led_to_again(desk):
    page = desk.press()
    page.goto(f"{desk.town.url}/c")
    desk.answer()
    desk.town.do(eventually(lambda: desk.bought))
    page.reload()
    page.click("a:has-text('一生解读')")
    desk.ends()
    desk.open()
    page.wait_for_load_state("networkidle")
    assert page.url == desk.offers


def test_with_the_last_credits_reserved_the_page_still_tells_how_far_it_is(desk):
    desk.post(-21)
    page = desk.press()
    page.reload()
    desk.sees_it_running(page)
    assert page.locator(BUTTON).count() == 0
    desk.answer()
    page.wait_for_url(lambda address: not address.endswith("/reading"))
    assert (desk.reader.asked, desk.credits) == (1, 0)


def test_what_is_typed_in_one_tab_is_still_there_after_what_was_bought_in_another(desk):
    other = desk.open(desk.tab())
    other.fill("[name=question]", "换工作？")
    desk.press()
    desk.sees_it_running(other)
    desk.answer()
    other.wait_for_selector(f"{BUTTON}:enabled")
    assert other.input_value("[name=question]") == "换工作？"


def test_two_tabs_are_told_the_same_and_only_who_bought_there_or_came_since_is_led_to_the_reading(desk):
    before = desk.open(desk.tab())
    page = desk.press()
    after = desk.open(desk.tab())
    for each in (before, page, after):
        desk.sees_it_running(each)
        assert not each.locator(BUTTON).is_visible()
    desk.answer()
    desk.ends(page, after)
    before.wait_for_selector(f"{BUTTON}:enabled")
    assert before.locator(PHASES).all_inner_texts() == [COMPUTED, READING, KEPT]
    assert before.url == desk.offers


# --- refusals


def test_who_cannot_pay_is_told_so_in_the_form_and_buys_when_there_is_enough(desk):
    page = desk.open()
    desk.post(-22)
    page.click(BUTTON)
    alert = page.locator("form [role=alert]")
    alert.wait_for()
    assert "INSUFFICIENT_CREDITS" in alert.inner_text().replace("​", "")
    assert page.title().startswith("有误")
    assert page.url == desk.offers
    assert (desk.credits, desk.bought, desk.reader.asked) == (3, [], 0)
    desk.post(22)
    desk.press()
    desk.answer()
    desk.ends()


def test_what_the_page_itself_refuses_is_shown_as_without_a_script(desk):
    page = desk.open()
    page.check("[name=kind][value=year]", force=True)
    page.evaluate("document.querySelector('[name=target_year]').min = 0")
    page.fill("[name=target_year]", "1950")
    page.fill("[name=question]", "换工作？")
    page.click("button[name=buy][value=year]")
    alert = page.locator("form [role=alert]")
    alert.wait_for()
    assert "1950" in alert.inner_text()
    assert page.input_value("[name=question]") == "换工作？"
    assert (desk.credits, desk.reader.asked) == (25, 0)


def test_a_question_is_understood_while_one_types_and_one_that_is_not_is_told_so_and_bought_by_one_press(
    desk,
):
    page = desk.open()
    page.fill("[name=question]", "2027年适合换工作吗？")
    page.wait_for_selector("#heard:has-text('事业 · 合不合适 · 2027 年')")
    page.fill("[name=question]", "asdf qwer")
    page.wait_for_selector("#heard:has-text('没看懂所问')")
    assert desk.credits == 25
    page.click(BUTTON)
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


def test_who_presses_before_it_is_told_that_a_question_is_not_understood_is_told_first(desk):
    page = desk.open()
    page.route("**/question", lambda route: route.abort())
    page.fill("[name=question]", "asdf qwer")
    page.click(BUTTON)
    page.wait_for_selector("#heard:has-text('没看懂所问')")
    assert (desk.credits, desk.reader.asked) == (25, 0)
    page.click(BUTTON)
    desk.sees_it_running(page)
    desk.answer()
    desk.ends()


def test_the_page_of_the_way_is_followed_by_the_script_too(desk):
    page = desk.press()
    [number] = page.evaluate("Object.keys(localStorage)")
    other = desk.tab()
    other.goto(f"{desk.offers}?kind=life&of={number}")
    desk.sees_it_running(other)
    desk.answer()
    desk.ends(page, other)


def test_who_was_signed_out_meanwhile_signs_in_first(desk):
    page = desk.open()
    page.context.clear_cookies()
    page.click(BUTTON)
    page.wait_for_url(f"{desk.town.url}/login*")
    assert desk.credits == 25


def test_a_hub_that_is_about_to_stop_ends_what_runs_and_the_next_one_does_what_is_new(desk):
    # Another browser of the same person, which hears nothing of what this one buys.
    elsewhere = {"storage_state": desk.context.storage_state(), "locale": "zh-CN"}
    late = desk.open(desk.context.browser.new_context(**elsewhere).new_page())
    late.fill("[name=question]", "换工作？")
    page = desk.press()
    hub = desk.town.town.hub
    desk.town.do(_draining(hub))
    late.click(BUTTON)
    late.wait_for_selector(f"{PHASES}:has-text('{AGAIN}')")
    assert (late.input_value("[name=question]"), desk.credits) == ("换工作？", 25)
    desk.answer()
    page.wait_for_url(lambda address: not address.endswith("/reading"))
    assert desk.credits == 21
    hub.draining = False
    late.wait_for_selector(".lede")
    assert desk.credits == 17


async def _draining(hub):
    """Lets a hub begin to drain."""
    hub.leaving = asyncio.create_task(hub.drain())
    await eventually(lambda: hub.draining)
