"""What the hub sets on pages of A4: whether it can, how often it does, and a reading as its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bazi_core.errors import FontMissing
from bazi_core.pictures.press import Press
from bazi_core.render.phrases import printable
from bazi_hub.pages.reading_view import ReadingView, Said, Section, Walk
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.texts import text

# A PDF takes a second of a processor.
MOST_PDFS, MINUTE_S = 10, 60


def has_pdf() -> bool:
    """Whether what sets pages is installed."""
    return find_spec("typst") is not None


async def printed(request: PageRequest, work: Callable[[], bytes]) -> bytes:
    """What is set, in another thread; `Trouble` where the hub cannot, or the visitor did so too often."""
    if not has_pdf():
        raise Trouble(404)
    taken = await request.site.limits.take(f"pdfs:{request.owner}", MOST_PDFS, MINUTE_S)
    if not taken.allowed:
        raise Trouble(429, "often", taken.reset_s)
    try:
        # A second of another thread, not of everybody's.
        return await asyncio.to_thread(work)
    except FontMissing:
        raise Trouble(503) from None


def reading_pdf(view: ReadingView, lang: str) -> bytes:
    """A reading as a PDF; what stands between its sentences is in the language of the page."""
    return Press(_source(), view.language).pdf(reading_words(view, lang))


@cache
def _source() -> bytes:
    return (Path(__file__).parent / "reading.typ").read_bytes()


def reading_words(view: ReadingView, lang: str) -> dict[str, Any]:
    """What the pages of a reading say, in order."""
    opening = [_section("", view.grounds, view.language), _section("", [], view.language, view.paragraphs)]
    sections = [part for each in view.sections for part in _of_section(each, view, lang)]
    return {
        "title": printable(view.question or view.title),
        "sub": printable(" · ".join(filter(None, (view.question and view.title, view.pillars, view.gender)))),
        "answer": _told([view.answer], view.language) if view.answer else "",
        "sure": [each for each in (view.sure, view.score) if each],
        "sections": [each for each in (*opening, *sections) if each["told"] or each["title"]],
        "last": [each for each in (*(one.text for one in view.last), view.written) if each],
        "footer": text("site.name", lang),
    }


def _of_section(section: Section, view: ReadingView, lang: str) -> list[dict[str, Any]]:
    """A section and the parts of life under it."""
    title = text("part.year", lang) if section.key == "overview" and view.kind == "year" else section.title
    own = _section("" if view.declined else title, section.sentences, view.language)
    if section.key == "luck" and view.walk:
        own["walk"] = _walk(view.walk, lang)
    parts = [_section(each.title, each.sentences, view.language, level=2) for each in section.parts]
    return [own, *parts]


def _section(
    title: str, sentences: list[Said], language: str, paragraphs: list[str] | None = None, level: int = 1
) -> dict[str, Any]:
    told = [*([_told(sentences, language)] if sentences else []), *map(printable, paragraphs or [])]
    return {"title": title, "level": level, "told": told, "walk": None}


def _told(sentences: list[Said], language: str) -> str:
    return printable((" " if language == "en" else "").join(each.text for each in sentences))


def _walk(walk: Walk, lang: str) -> dict[str, Any]:
    """The decades as a table: heads, and a row of cells for each."""
    heads = [text("walk.decade", lang), text("walk.when", lang)]
    rows = [
        [
            " ".join(filter(None, (step.pillar, step.name))),
            " · ".join(filter(None, (step.years, step.ages, text("walk.here", lang) if step.here else ""))),
            *(", ".join(f"{role.element.word} {role.role}" for role in roles) for roles in step.roles),
        ]
        for step in walk.steps
    ]
    return {"heads": [*heads, *(each or text("walk.roles", lang) for each in walk.readings)], "rows": rows}


__all__ = ["MOST_PDFS", "has_pdf", "printed", "reading_pdf", "reading_words"]
