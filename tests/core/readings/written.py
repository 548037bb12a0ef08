"""A chart, its pattern and a year of it, what a model is offered of them, and what an honest model chooses."""

from __future__ import annotations

from functools import cache
from typing import Any

import bazi_core as bz
from bazi_core.model.port import ReadingRequest
from bazi_core.readings.final import pattern_plan, year_plan
from bazi_core.readings.offer import PATTERN, YEAR, Offer, offer
from bazi_core.readings.wish import Wish
from bazi_core.speech.plan import Plan
from bazi_core.speech.reading import SENTENCES

BIRTH: dict[str, Any] = {"when": "1990-05-15 13:30", "city": "北京"}
LINES = {
    "zh-Hans": ("听得出来，你这阵子走得辛苦。", "慢慢来，不急。"),
    "zh-Hant": ("聽得出來，你這陣子走得辛苦。", "慢慢來，不急。"),
    "en": ("I hear how much this weighs on you.", "Take your time with this."),
}


@cache
def pattern(gender: str = "male") -> Any:
    return bz.chart(**BIRTH, gender=gender).pattern()


@cache
def year(target_year: int = 2026, gender: str = "male") -> Any:
    return bz.chart(**BIRTH, gender=gender).year(target_year)


def is_year(result: Any) -> bool:
    return hasattr(result, "target_year")


def plan_of(result: Any, left_out: frozenset[str] = frozenset()) -> Plan:
    return year_plan(result, left_out) if is_year(result) else pattern_plan(result, left_out)


def offered(result: Any, model: str = "", **wish: Any) -> Offer:
    """What a model is offered of a pattern or a year."""
    wished = Wish(**wish).checked()
    left_out = wished.asked.left_out if wished.asked else frozenset()
    task = YEAR if is_year(result) else PATTERN
    return offer(plan_of(result, left_out), wished, task, SENTENCES[wished.length] - 1, model)


def request_of(result: Any, model: str = "", **wish: Any) -> ReadingRequest:
    return offered(result, model, **wish).request


def written(count: int = 12, lines: tuple[str, ...] = ()) -> dict[str, Any]:
    """A reply that chooses the first statements of the menu, a line of its own behind each of the last ones."""
    parts: list[dict[str, Any]] = []
    for number in range(count):
        parts.append({"say": f"s{number + 1}", "variant": 0})
        own = number - (count - len(lines))
        parts += [{"free": lines[own]}] if own >= 0 else []
    return {"understood": {"domain": "general", "kind": "describe"}, "parts": parts, "keywords": ["s1"]}
