"""Every page in a real browser: each language, each theme, each width, with a script and without; the keyboard, axe, paper.

One load is looked at in every width, so that the whole is some hundred loads. What is wrong is collected and shown at once.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bazi_core.questions.safety import disclaimer
from bazi_hub.pages import PAGES
from bazi_hub.pages.texts import LANGUAGES
from tests.hub.browser import in_a_browser, launched
from tests.hub.pages.serving import served
from tests.hub.pages.tour import FILES, PARTS, Stop, Tour, pattern_of, quoted, tour
from tests.sizes import both

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hub.pages.serving import Served

pytestmark = in_a_browser

AXE = os.path.join(os.path.dirname(__file__), "node", "node_modules", "axe-core", "axe.min.js")
LOCALES = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "en": "en-GB"}
THEMES = ("light", "dark")
WIDTHS, NARROW = (360, 768, 1280), 320
# For whoever waits: the pages that hold everything others are made of.
SOME = ("birth", "chart", "reading", "years", "board", "almanac day", "offers", "billing", "post of a member")


class World(NamedTuple):
    """A town full of things behind a real server, and the browser that looks at it."""

    town: Served
    tour: Tour
    chromium: Any

    @contextmanager
    def visitor(
        self, language: str = "en", theme: str = "light", script: bool = True, **options: Any
    ) -> Iterator[Visitor]:
        """Somebody who is signed in, with a language and a theme, and a stranger beside him."""
        contexts = [
            self.chromium.new_context(locale=LOCALES[language], java_script_enabled=script, **options)
            for _ in range(2)
        ]
        for context in contexts:
            context.add_cookies([{"name": "bazi_theme", "value": theme, "url": self.town.url}])
        session = {"name": "bazi_session", "value": self.tour.member.cookie, "url": self.town.url}
        contexts[1].add_cookies([session])
        yield Visitor(self.town, [Tab(context.new_page()) for context in contexts])
        for context in contexts:
            context.close()


class Tab:
    """A page of a browser, and what it complained about or asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))


class Visitor(NamedTuple):
    town: Served
    tabs: list[Tab]

    def open(self, stop: Stop) -> Tab:
        """The tab in which a stop is shown."""
        tab = self.tabs[stop.member]
        tab.said.clear()
        tab.asked.clear()
        # What one may do in a minute may be done again.
        self.town.town.clock.advance(61)
        tab.page.goto(self.town.url + quoted(stop.path))
        return tab


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with served() as town, launched() as chromium:
        yield World(town, town.do(tour(town.town)), chromium)


def stops(world: World, count: int) -> list[Stop]:
    """Some pages, or all of them."""
    return [each for each in world.tour.stops if not count or each.name in SOME]


sampled = pytest.mark.parametrize("count", both(len(SOME), 0))


def test_the_tour_leads_past_every_page(world):
    shown = {pattern_of(each.path) for each in world.tour.stops} | {pattern_of(path) for path in FILES}
    assert {path for path, get, _ in PAGES if get is not None} - {*PARTS} == shown - {None}


# --- every page as it is shown

# What can be wrong with a page as it stands, but for its width.
WRONG = """([lang, theme]) => {
    const root = document.documentElement, found = [];
    if (root.lang !== lang) found.push(["lang", root.lang]);
    if (root.dataset.theme !== theme) found.push(["theme", root.dataset.theme]);
    const ink = getComputedStyle(document.body).color.match(/[0-9]+/g).map(Number);
    if ((theme === "dark") !== (ink[0] > 128)) found.push(["ink", ink]);
    const heads = document.querySelectorAll("h1").length;
    if (heads !== 1) found.push(["h1", heads]);
    if (document.querySelectorAll("main").length !== 1) found.push(["main"]);
    return found;
}"""
# Whatever is wider than the window, innermost first.
TOO_WIDE = """() => {
    const most = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll("*")]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > most + 1);
    return wide.slice(-4).map((each) => [each.localName, each.className.baseVal ?? each.className,
        Math.round(each.getBoundingClientRect().right)]);
}"""
# What is pressed or tapped and is smaller than 24 pixels either way: links within a text are let be (WCAG 2.2, 2.5.8).
TOO_SMALL = """() => [...document.querySelectorAll("button, summary, select, textarea, input, a.btn, nav a")]
    .filter((each) => each.checkVisibility() && !each.matches(".unseen, .skip, [type=hidden]"))
    .map((each) => [each, (each.matches("[type=radio], [type=checkbox]") && each.closest("label")) || each])
    .map(([each, pressed]) => [each.localName, each.name || each.textContent, pressed.getBoundingClientRect()])
    .filter(([, , box]) => box.width < 24 || box.height < 24)
    .map(([tag, name, box]) => [tag, name.trim().slice(0, 20), Math.round(box.width), Math.round(box.height)])"""


def faults(world: World, language: str, theme: str, script: bool, count: int = 0) -> dict[str, Any]:
    """All that is wrong with pages in one language and theme, by page."""
    found: dict[str, Any] = {}
    with world.visitor(language, theme, script) as visitor:
        for stop in stops(world, count):
            tab = visitor.open(stop)
            told = [each for each in tab.said if f"status of {stop.status}" not in each]
            wrong = [*told, *tab.page.evaluate(WRONG, [language, theme])]
            for width in WIDTHS:
                tab.page.set_viewport_size({"width": width, "height": 900})
                for look in (TOO_WIDE, TOO_SMALL):
                    wrong += [(width, *each) for each in tab.page.evaluate(look)]
            if script and len(tab.asked) > 3:
                wrong.append(tab.asked)
            if wrong:
                found[stop.name] = wrong
    return found


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("zh-Hant", "light")])
def test_some_pages_are_in_order_in_a_language_and_a_theme(world, language, theme):
    assert faults(world, language, theme, script=True, count=len(SOME)) == {}


@pytest.mark.exhaustive
@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_order_in_every_language_theme_and_width_with_a_script_and_without(
    world, language, theme, script
):
    assert faults(world, language, theme, script) == {}


@sampled
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_leaves_the_smallest_telephone_nor_text_of_twice_the_size_its_window(world, language, count):
    found = {}
    with world.visitor(language) as visitor:
        for stop in stops(world, count):
            page = visitor.open(stop).page
            page.set_viewport_size({"width": NARROW, "height": 700})
            wide = page.evaluate(TOO_WIDE)
            page.set_viewport_size({"width": 1280, "height": 900})
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            if told := [*wide, *page.evaluate(TOO_WIDE)]:
                found[stop.name] = told
    assert found == {}


# --- for whom a mouse or colours are of no use

VIOLATIONS = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const told = await axe.run({ runOnly: tags, resultTypes: ["violations"] });
    return told.violations.filter((each) => ["serious", "critical"].includes(each.impact))
        .map((each) => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 160)]);
}"""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in LANGUAGES[:2])]
)
def test_axe_finds_nothing_serious_on_any_page(world, language, theme):
    if not os.path.exists(AXE):
        pytest.skip("axe-core is not installed")
    with open(AXE, encoding="utf-8") as file:
        axe = file.read()
    found = {}
    with world.visitor(language, theme) as visitor:
        for stop in world.tour.stops:
            page = visitor.open(stop).page
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            # As the page's own tools: the policy for content keeps out what is put into the page.
            page.evaluate(axe)
            for width in (WIDTHS[0], WIDTHS[-1]):
                page.set_viewport_size({"width": width, "height": 900})
                if told := page.evaluate(VIOLATIONS):
                    found[stop.name, width] = told
    assert found == {}


# Whatever the Tab key should stop at: of the radio buttons of a group the checked one, or the first.
STOPS = """() => {
    const every = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const reached = [...document.querySelectorAll(every)].filter((each) => {
        if (!each.checkVisibility({ visibilityProperty: true }) || each.disabled || each.type === "hidden") return false;
        if (each.type !== "radio") return true;
        const group = [...document.getElementsByName(each.name)].filter((other) => other.form === each.form);
        return each === (group.find((other) => other.checked) ?? group[0]);
    });
    window.left = new Set(reached);
    return reached.length;
}"""
# What has the focus; whether it, or the label that stands for it, is marked where it can be seen.
FOCUSED = """() => {
    const here = document.activeElement;
    if (here === document.body) return null;
    window.left.delete(here);
    const unmarked = (each) => {
        const style = each && getComputedStyle(each);
        return !style || (style.outlineStyle === "none" || style.outlineWidth === "0px") && style.boxShadow === "none";
    };
    const shown = [here, here.nextElementSibling, here.closest("label")].some((each) => !unmarked(each));
    return [shown, `${here.localName} ${here.name || here.className || here.textContent.trim()}`.slice(0, 60)];
}"""
LEFT = "() => [...window.left].map((each) => each.outerHTML.slice(0, 100))"


@sampled
def test_the_tab_key_reaches_whatever_can_be_pressed_and_shows_where_it_is(world, count):
    found = {}
    with world.visitor(viewport={"width": 1280, "height": 900}) as visitor:
        for stop in stops(world, count):
            page = visitor.open(stop).page
            unmarked, most = [], page.evaluate(STOPS)
            # A page that puts the focus somewhere is gone through from its beginning.
            page.evaluate("document.activeElement.blur()")
            for _ in range(2 * most + 10):
                page.keyboard.press("Tab")
                here = page.evaluate(FOCUSED)
                if here is not None and not here[0]:
                    unmarked.append(here[1])
                if not page.evaluate("window.left.size"):
                    break
            if told := [*unmarked, *page.evaluate(LEFT)]:
                found[stop.name] = told
    assert found == {}


def test_forced_colours_leave_the_choice_and_the_focus_to_be_seen(world):
    with world.visitor(forced_colors="active") as visitor:
        page = visitor.open(world.tour.stop("birth")).page
        page.check("[name=cal][value=lunar]", force=True)
        look = """(value) => {
            const style = getComputedStyle(document.querySelector(`[name=cal][value=${value}] + span`));
            return [style.backgroundColor, style.color, style.borderColor, style.outlineStyle].join(" ");
        }"""
        page.focus("[name=y]")
        chosen, other = page.evaluate(look, "lunar"), page.evaluate(look, "solar")
        assert chosen != other
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_whoever_wants_no_movement_sees_none(world):
    with world.visitor(reduced_motion="reduce") as visitor:
        for name in ("birth", "chart", "offers"):
            page = visitor.open(world.tour.stop(name)).page
            moving = page.evaluate(
                """() => [document.documentElement, ...document.body.querySelectorAll("*")].filter((each) => {
                    const style = getComputedStyle(each);
                    const lasts = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
                    return lasts(style.transitionDuration) || style.animationName !== "none" &&
                        lasts(style.animationDuration) || style.scrollBehavior === "smooth";
                }).length"""
            )
            assert moving == 0, name


# --- paper


@pytest.mark.parametrize("language", LANGUAGES)
def test_chart_and_reading_are_at_most_three_pages_with_the_disclaimer_and_nothing_to_press(world, language):
    with world.visitor(language, "dark") as visitor:
        for name in ("chart", "reading", "reading of a year", "reading of a cast"):
            page = visitor.open(world.tour.stop(name)).page
            page.emulate_media(media="print")
            assert page.locator(f"footer >> text={disclaimer(language)[:12]}").is_visible(), name
            for left_out in ("nav", "form", "button", "a.btn", "a.skip", "a.ev"):
                assert not any(each.is_visible() for each in page.locator(left_out).all()), (name, left_out)
            assert page.pdf(format="A4").count(b"/Type /Page\n") <= 3, name
