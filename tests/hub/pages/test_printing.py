"""A reading as pages of A4: every sentence of it, its owner's alone, and none where there is nothing to print."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from bazi_core.errors import FontMissing, LibraryMissing
from bazi_core.pictures.press import Press
from bazi_hub.pages import printing, reading_page
from bazi_hub.pages.printing import MOST_PDFS, reading_pdf, reading_words
from bazi_hub.pages.reading_view import held_in, reading_view
from bazi_hub.pages.texts import LANGUAGES
from tests.hub.pages.browsing import visits
from tests.hub.pages.test_reading_page import CHARTS, NOW_MS, life, sentences, year
from tests.hub.pages.test_readings import QUESTION, bought


def installed() -> bool:
    """Whether typst and a font with hanzi are there."""
    try:
        return bool(Press(b"", "en").sans)
    except (FontMissing, LibraryMissing):
        return False


needs_fonts = pytest.mark.skipif(not installed(), reason="no typst, or no font with hanzi, is installed")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("made", [life, year])
def test_the_pages_say_every_sentence_once_and_in_order(made, language):
    view = reading_view(
        held_in(made(CHARTS[0], language, question=QUESTION, length="long")), language, NOW_MS
    )
    words = reading_words(view, language)
    told = [words["answer"], *(each for section in words["sections"] for each in section["told"])]
    gap = " " if language == "en" else ""
    assert gap.join(told) == gap.join(each.text for each in sentences(view))
    assert words["last"][0] == view.last[0].text
    walks = [section["walk"] for section in words["sections"] if section["walk"]]
    assert [len(walk["rows"]) for walk in walks] == ([10] if made is life else [])
    assert all(len(row) == len(walk["heads"]) for walk in walks for row in walk["rows"])


@needs_fonts
@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_file_holds_the_words_as_text_and_is_the_same_for_the_same_reading(language):
    view = reading_view(
        held_in(life(CHARTS[0], language, question="# *Is* it \\ #let x = 1 ?")), language, NOW_MS
    )
    made = reading_pdf(view, language)
    assert made == reading_pdf(view, language)
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run(["pdftotext", "-", "-"], input=made, capture_output=True, check=True)
    shown, wanted = (re.sub(r"\s", "", each) for each in (done.stdout.decode(), view.answer.text))
    assert wanted in shown
    assert "#*Is*it\\#letx=1?" in shown


def test_a_reading_is_offered_as_a_pdf_to_its_owner_where_the_hub_can_set_one(monkeypatch):
    monkeypatch.setattr(reading_page, "reading_pdf", lambda view, lang: f"%PDF {lang}".encode())

    def able(can):
        for module in (printing, reading_page):
            monkeypatch.setattr(module, "has_pdf", lambda: can)

    async def story(town):
        browser = await town.member()
        saved = await browser.saved_chart()
        kept = (await bought(browser, saved)).to
        able(True)
        assert f"{kept}/pdf" in (await browser.get(kept)).shown.links
        stranger = await town.member("somebody@example.org")
        assert (await stranger.get(f"{kept}/pdf")).status == 404
        assert (await browser.get(f"{saved}/pdf")).status == 404
        made = [await browser.asking("GET", f"{kept}/pdf").run() for _ in range(MOST_PDFS + 1)]
        assert [each.status for each in made] == [200] * MOST_PDFS + [429]
        assert made[0].body == b"%PDF en"
        assert made[0].headers["cache-control"] == "no-store"

        shown = await browser.submit(kept, f"{kept}/share")
        link = re.search(r"http://localhost(/s/\w+)", shown.text)
        assert "/pdf" not in (await town.browser().get(link[1])).text
        able(False)
        assert f"{kept}/pdf" not in (await browser.get(kept)).shown.links
        town.clock.advance(60)
        assert (await browser.get(f"{kept}/pdf")).status == 404

    visits(story)


def test_an_answer_to_distress_is_no_file(monkeypatch):
    for module in (printing, reading_page):
        monkeypatch.setattr(module, "has_pdf", lambda: True)

    async def story(town):
        browser = await town.member()
        kept = (await bought(browser, await browser.saved_chart(), question="我不想活了")).to
        assert "/pdf" not in (await browser.get(kept)).text
        assert (await browser.get(f"{kept}/pdf")).status == 404

    visits(story)
