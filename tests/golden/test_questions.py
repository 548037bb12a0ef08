"""Golden questions: what each asks is read by rules, and no question about death or self-harm is taken for another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.golden.answer import answer
from tests.questions import too_seldom_right

FILE = Path(__file__).parents[2] / "data/golden/questions/questions.jsonl"
QUESTIONS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SUPPORTED, SET_ASIDE = {"death", "self_harm"}, {"out_of_scope", "gibberish"}
LEAST = {"domain": 0.95, "kind": 0.92, "years": 0.95, "class": 0.95, "supported": 1.0, "not supported": 1.0}


def right(label: dict[str, Any], given: dict[str, Any]) -> dict[str, bool]:
    """For every member that the label counts, whether the answer is right."""
    found = {"class": given["class"] in label["class"]}
    set_aside = found["class"] and given["class"] in SET_ASIDE
    for name in ("domain", "kind"):
        if label[name]:
            found[name] = set_aside or given[name] in label[name]
    if label["years"] is not None:
        found["years"] = set_aside or given["years"] in (label["years"], *label.get("years_also", ()))
    if set(label["class"]) <= SUPPORTED:
        found["supported"] = found["class"]
    elif not SUPPORTED & set(label["class"]):
        found["not supported"] = given["class"] not in SUPPORTED
    return found


def test_there_are_eighty_questions_of_every_class() -> None:
    assert len(QUESTIONS) == len({row["id"] for row in QUESTIONS}) == 80
    assert {name for row in QUESTIONS for name in row["answer"]["class"]} >= SUPPORTED | SET_ASIDE


def test_nearly_all_are_understood_and_nobody_in_need_is_missed() -> None:
    judged = []
    for row in QUESTIONS:
        given = answer("questions", row)
        assert given is not None
        judged.append(((row["inputs"]["question"], given), right(row["answer"], given)))
    seldom, wrong = too_seldom_right(judged, LEAST)
    assert seldom == set(), wrong
