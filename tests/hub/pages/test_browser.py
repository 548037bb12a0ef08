"""The pages in a real browser: Chromium signs up, casts a chart, buys a reading, issues a key. Skipped where there is none.

What only a browser knows is looked at here: that it applies the style, that the policy for content is never broken, that its
cookie and its origin are those the hub expects, that a page does not outgrow a telephone, what the script adds, what the
keyboard reaches, what can be read in either theme, and what is printed.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from tests.hub.browser import in_a_browser
from tests.hub.pages.browsing import EMAIL, PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = in_a_browser


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


@pytest.fixture(scope="module")
def member(chromium: Any, site: str) -> Any:
    """What a browser knows of somebody who is signed in and keeps a chart; where the chart is."""
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{site}/signup")
    page.fill("[name=email]", "member@example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url(f"{site}/")
    cast(page, site)
    page.click("#save button")
    page.wait_for_url(f"{site}/c/*")
    state, saved = context.storage_state(), page.url.removeprefix(site)
    context.close()
    return state, saved


@pytest.fixture
def signed_in(chromium: Any, member: Any) -> Iterator[Any]:
    """A page with a script, of somebody who is signed in."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        locale="en-GB",
        timezone_id="Asia/Shanghai",
        storage_state=member[0],
        permissions=["clipboard-read", "clipboard-write"],
    )
    opened = context.new_page()
    opened.said = []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    yield opened
    assert opened.said == []
    context.close()


def cast(page: Any, site: str) -> None:
    page.goto(f"{site}/")
    for name, value in (
        ("y", "1990"), ("m", "5"), ("d", "15"), ("h", "13"), ("i", "30"), ("place", "Beijing"),
    ):  # fmt: skip
        page.fill(f"[name={name}]", value)
    page.check("[name=g][value=male]", force=True)
    page.click("main form button.btn")
    page.wait_for_url(f"{site}/chart?t=*")


def test_a_person_signs_up_keeps_a_chart_buys_a_reading_and_gets_a_key_without_any_script(page, site):
    page.goto(f"{site}/signup")
    page.fill("[name=email]", EMAIL)
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    assert page.url == f"{site}/"
    cookies = page.context.cookies()
    assert "bazi_session" in {cookie["name"] for cookie in cookies}
    assert {(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies} == {(True, "Lax")}

    cast(page, site)
    assert page.inner_text("h1") == "庚午 辛巳 庚辰 壬午"
    page.click(".head form button")
    page.wait_for_url(f"{site}/c/*/reading")
    page.click("button[name=buy][value=life]")
    assert "Seven Killings" in page.inner_text("main")

    page.goto(f"{site}/billing")
    assert "21" in page.inner_text("dl.cost")
    page.click("text=Issue the key")
    assert page.input_value("input.secret").startswith("bzp_")


def test_no_page_is_wider_than_a_telephone(page, site):
    cast(page, site)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) == 390
    for path in ("/", "/forum", "/login", "/signup", "/docs/api", "/nothing"):
        page.goto(f"{site}{path}")
        assert page.evaluate(wide) == 390, path


@pytest.mark.parametrize("locale", ["en-GB", "zh-TW"])
@pytest.mark.parametrize("width", [768, 1024, 1280])
def test_no_table_runs_out_of_a_page_on_a_tablet_or_wider(chromium, site, locale, width):
    context = chromium.new_context(viewport={"width": width, "height": 900}, locale=locale)
    page = context.new_page()
    birth = "t=1990-05-15T13:30&p=cn:110000&g=m"
    for path in (
        f"/years?{birth}",
        f"/year?{birth}&year=2027",
        f"/chart?{birth}",
        "/chart?t=1990-05-15&p=cn:110000&g=m",
        "/almanac",
        "/almanac/day?d=2026-03-02",
        "/almanac/days?p=嫁娶&a=2026-03-01&b=2026-05-01",
        "/liuyao/board?lines=798977&at=2026-04-03T20:30:00%2B08:00",
        "/docs/api",
    ):
        page.goto(f"{site}{path}")
        wide = "[...document.querySelectorAll('.scroll, .walk')].map(each => each.scrollWidth - each.clientWidth)"
        assert {over for over in page.evaluate(wide) if over > 0} == set(), path
    context.close()


def test_no_page_of_a_member_is_wider_than_a_telephone(signed_in, site, member):
    for path in ("/c", "/forum/new", "/billing", "/account", member[1], f"{member[1]}/reading"):
        signed_in.goto(f"{site}{path}")
        assert signed_in.evaluate("document.documentElement.scrollWidth") == 390, path


# --- the script


# Presses a button with the focus in its form, and looks again when the page has done what it does at once.
PRESSED = """async (selector) => {
    const button = document.querySelector(selector);
    button.form.querySelector("[name=title]").focus();
    button.click();
    await new Promise((resolve) => setTimeout(resolve));
    const disabled = [...document.querySelectorAll("main form button")].map((each) => each.disabled);
    return { said: button.textContent, read_out: document.getElementById("status").textContent, disabled };
}"""


def test_a_form_that_was_sent_says_so_and_is_sent_once_until_there_is_an_answer(signed_in, site):
    held = []

    def hold(route):
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    signed_in.goto(f"{site}/chart?t=1990-05-15T13:30&p=cn:110000&g=m")
    signed_in.route("**/*", hold)
    told = signed_in.evaluate(PRESSED, "#save button")
    assert told == {"said": "Saving…", "read_out": "Saving…", "disabled": [False, True]}
    signed_in.keyboard.press("Enter")
    assert len(held) == 1
    held[0].continue_()
    signed_in.wait_for_url(f"{site}/c/*")

    signed_in.go_back()
    button = signed_in.locator("#save button")
    assert button.inner_text() == "Save"
    assert button.is_enabled()


def test_what_a_button_says_goes_with_the_form(signed_in, site):
    signed_in.goto(f"{site}/forum/new")
    signed_in.fill("[name=title]", "丙午")
    signed_in.fill("[name=content]", "火")
    signed_in.click("main form button")
    signed_in.wait_for_selector("text=0 likes")
    signed_in.click("button[value=like]")
    signed_in.wait_for_selector("text=1 like")
    signed_in.click("button[value=unlike]")
    signed_in.wait_for_selector("text=0 likes")


def test_times_stand_on_the_clock_of_the_reader_and_in_utc_without_a_script(signed_in, page, site, member):
    signed_in.goto(f"{site}/c")
    time = signed_in.locator("main time").first
    there = datetime.fromisoformat(time.get_attribute("datetime")).astimezone(ZoneInfo("Asia/Shanghai"))
    assert time.inner_text() == f"{there:%Y-%m-%d %H:%M}"
    assert time.get_attribute("title").endswith(" UTC")
    page.context.add_cookies(member[0]["cookies"])
    page.goto(f"{site}/c")
    assert page.locator("main time").first.inner_text() == time.get_attribute("title")


def test_a_new_key_is_copied_by_a_button_that_only_the_script_shows(signed_in, page, site, member):
    signed_in.goto(f"{site}/billing")
    signed_in.click("text=Issue the key")
    copy = signed_in.locator(".note.done button")
    copy.click()
    signed_in.wait_for_selector("text=Copied")
    key = signed_in.input_value("input.secret")
    assert signed_in.evaluate("navigator.clipboard.readText()") == key
    page.context.add_cookies(member[0]["cookies"])
    page.goto(f"{site}/billing")
    page.click("text=Issue the key")
    assert page.locator("input.secret").is_visible()
    assert page.locator(".note.done button").is_hidden()


def test_where_the_browser_lets_no_page_copy_the_key_is_marked_for_the_keyboard(signed_in, site):
    signed_in.goto(f"{site}/billing")
    signed_in.click("text=Issue the key")
    signed_in.wait_for_selector("input.secret")
    refused = signed_in.evaluate(
        """() => {
            navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
            document.querySelector(".note.done button").click();
            const key = document.querySelector("input.secret");
            return [key.selectionEnd - key.selectionStart, key.value.length];
        }"""
    )
    assert refused[0] == refused[1] == 50
    assert signed_in.locator(".note.done button").inner_text() == "Copy"


# --- keyboard, contrast, paper


def test_the_keyboard_skips_to_the_content_and_shows_where_it_is(chromium, site):
    page = chromium.new_page(locale="en-GB")
    page.goto(f"{site}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    outlined: dict[str, bool] = {}
    for _ in range(40):
        page.keyboard.press("Tab")
        name, style = page.evaluate(
            "[document.activeElement.name || document.activeElement.localName,"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        # Parts of a date have an outline of their own, inside.
        outlined[name] = outlined.get(name, False) or style != "none"
        if name == "body":
            break
    assert outlined.pop("body", None) is not None
    assert list(outlined) == [
        "cal", "y", "m", "d", "h", "i", "unknown", "place", "g", "summary", "button", "a",
    ]  # fmt: skip
    assert all(outlined.values()), outlined
    page.close()


# Every text with what it stands on, and every field with its border, as the style computes them.
COLOURS = """() => {
    const see = (colour) => (colour.match(/[0-9.]+/g) ?? []).map(Number);
    const solid = (colour) => see(colour).length === 3 || see(colour)[3] === 1;
    const ground = (node) => {
        while (node && !solid(getComputedStyle(node).backgroundColor)) node = node.parentElement;
        return see(getComputedStyle(node ?? document.documentElement).backgroundColor).slice(0, 3);
    };
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode.textContent.trim(), node = texts.currentNode.parentElement;
        if (!text || !node.checkVisibility() || node.closest(".unseen, .skip, script")) continue;
        const style = getComputedStyle(node), size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        found.push([text, see(style.color).slice(0, 3), ground(node), large ? 3 : 4.5]);
    }
    for (const node of document.querySelectorAll("input, select, textarea")) {
        if (node.checkVisibility() && !["radio", "checkbox"].includes(node.type))
            found.push([node.name, see(getComputedStyle(node).borderTopColor), ground(node.parentElement), 3]);
    }
    return found;
}"""


def luminance(colour: list[float]) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whatever_is_written_can_be_read_and_every_field_be_found(chromium, site, member, scheme):
    context = chromium.new_context(color_scheme=scheme, locale="zh-CN", storage_state=member[0])
    page = context.new_page()
    for path in (
        "/",
        "/c",
        "/forum",
        "/forum/new",
        "/billing",
        "/account",
        "/docs/api",
        "/nothing",
        member[1],
        f"{member[1]}/reading",
    ):
        page.goto(f"{site}{path}")
        seen = page.evaluate(COLOURS)
        assert len(seen) > 5
        pale = [
            (path, text, round(contrast(ink, ground), 2))
            for text, ink, ground, least in seen
            if contrast(ink, ground) < least
        ]
        assert pale == []
    page.goto(f"{site}/")
    page.evaluate("document.querySelectorAll('[required]').forEach((field) => { field.required = false; })")
    page.click("main form p button")
    page.wait_for_selector("[role=alert]")
    assert [
        text for text, ink, ground, least in page.evaluate(COLOURS) if contrast(ink, ground) < least
    ] == []
    context.close()


def test_on_paper_stands_the_chart_with_the_disclaimer_dark_on_white_and_nothing_to_press(
    chromium, site, member
):
    context = chromium.new_context(color_scheme="dark", locale="en-GB", storage_state=member[0])
    page = context.new_page()
    page.goto(f"{site}{member[1]}")
    page.emulate_media(media="print", color_scheme="dark")
    for shown in ("h1", "figure.chart svg", ".luck", ".here-pan", "text=for entertainment only"):
        assert page.locator(shown).first.is_visible(), shown
    for left_out in ("nav", "form", "button", "a.btn", "a.skip", "a.ev"):
        assert not any(each.is_visible() for each in page.locator(left_out).all()), left_out
    ground, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    assert _light(ground) == 255
    assert _light(ink) < 60
    context.close()


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
