"""A chart, its pattern and a year of it, and what an honest model writes about them."""

from __future__ import annotations

from functools import cache
from typing import Any

import bazi_core as bz
from bazi_core.readings import narrator
from bazi_core.readings.requests import task_of

BIRTH: dict[str, Any] = {"when": "1990-05-15 13:30", "city": "北京"}


@cache
def pattern(gender: str = "male") -> Any:
    return bz.chart(**BIRTH, gender=gender).pattern()


@cache
def year(target_year: int = 2026, gender: str = "male") -> Any:
    return bz.chart(**BIRTH, gender=gender).year(target_year)


def written(result: Any, language: str = "zh-Hans", length: str = "short") -> dict[str, Any]:
    """A reading without the disclaimer, as a model would send it."""
    told = narrator.pattern_reading if task_of(result) == "pattern" else narrator.year_reading
    return told(result, language, "neutral", length).ended().to_dict()


def sentences(value: dict[str, Any]) -> list[dict[str, Any]]:
    """All sentences of a reading in its JSON form, to be changed in place."""
    return [*value["summary"], *(each for section in value["sections"] for each in section["sentences"])]


def said(text: str, *evidence: str, kind: str = "fact") -> dict[str, Any]:
    return {"text": text, "evidence": list(evidence), "kind": kind, "hedge": False}
