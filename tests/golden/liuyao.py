"""Golden questions of 六爻 answered from the public face, and what makes the answers right.

`liuyao` asks for a cast at a time: the strict object and the analysis beside it, of which every golden member must be
there with an equal value. `liuyao-classics` asks for a cast as 《增删卜易》 prints it, by month branch and day.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import bazi_core as bz
from bazi_core import liuyao as ly

FOLDER = Path(__file__).parents[2] / "data" / "golden" / "liuyao"
ASKED = ("monthBranch", "dayGanZhi", "binary", "moving")
WANTED = ("hexagram", "target", "targetBinary", "dayKongComputed")
# How the questions call the beginnings of a day.
SCHOOLS = {
    "zi_start": bz.School(future_utc="ut1_model"),
    "midnight": bz.School(future_utc="ut1_model", day_boundary="00:00", late_zi_hour_stem="next_day"),
}
Row = dict[str, Any]


@cache
def golden(name: str) -> Row:
    """A golden file."""
    found: Row = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def questions(name: str) -> list[Row]:
    """What the answer program gets to see of the cases of a file."""
    cases = golden(name)["cases"]
    if name == "liuyao_cases":
        return [{"id": case["id"], "inputs": case["input"], "options": case["options"]} for case in cases]
    return [{"id": case["id"], "inputs": {key: case[key] for key in ASKED}, "options": {}} for case in cases]


def cast_at_a_time(inputs: Row, options: Row) -> Row:
    """The strict object and the analysis of a cast."""
    school = SCHOOLS[options.get("dayBoundary", "zi_start")]
    chart = ly.derive(inputs["yaoLines"], inputs["divinationTimeIso"], school=school)
    kind = inputs["questionType"]
    strict = chart.to_divination(inputs["question"], kind, inputs["divinationMethod"])
    return {"divination": strict, "analysis": chart.analyze(kind).to_dict()}


def cast_as_printed(inputs: Row, options: Row) -> Row:
    """What the book prints of a cast, from its month, day, hexagram and moving lines."""
    moving = inputs["moving"]
    lines = [_value(bit, n in moving) for n, bit in enumerate(inputs["binary"], 1)]
    chart = ly.derive(lines, month_branch=inputs["monthBranch"], day=inputs["dayGanZhi"])
    board = chart.analyze().to_dict(facts=False)
    rows, hidden = board["lines"], board["hidden"]
    turned = zip(chart.target.pillars, target_relations(chart), strict=True)
    return {
        "hexagram": chart.primary.full_name,
        "target": chart.target.full_name if moving else None,
        "targetBinary": chart.target.binary,
        "dayKongComputed": "".join(branch.value for branch in chart.void),
        "palace": board["palace"],
        "shi": chart.primary.shi,
        "ying": chart.primary.ying,
        "lines": [f"{row['relation']}{row['ganZhi']}{row['element']}" for row in rows],
        "spirits": [row["spirit"] for row in rows],
        "targetLines": [f"{name}{line.branch}{line.branch.element}" for line, name in turned]
        if moving
        else [],
        "hidden": [f"{row['position']}:{row['relation']}{row['ganZhi']}{row['element']}" for row in hidden],
        "void": [row["position"] for row in rows if row["xunKong"]],
        "monthBroken": [row["position"] for row in rows if row["yuePo"]],
        "dayClashed": [row["position"] for row in rows if row["riChong"]],
    }


def target_relations(chart: ly.LiuyaoChart) -> list[str]:
    """六亲 of the target's lines, as the strict object has them; its pillars do not matter."""
    full = ly.derive(chart.lines, pillars="甲子 丙寅 甲子 甲子")
    strict = full.to_divination("-", divination_time="")
    return [row["relationName"] for row in strict["targetYaoInfoList"] or strict["yaoInfoList"]]


def _value(bit: str, moves: bool) -> int:
    return {("1", False): 7, ("0", False): 8, ("1", True): 9, ("0", True): 6}[bit, moves]


def contained(want: Any, have: Any) -> bool:
    """Every member that is wanted is there with an equal value; lists have one length."""
    if isinstance(want, dict):
        return isinstance(have, dict) and all(
            key in have and contained(each, have[key]) for key, each in want.items()
        )
    if isinstance(want, list):
        return isinstance(have, list) and len(want) == len(have) and all(map(contained, want, have))
    return type(want) is type(have) and bool(want == have)


def wrong(name: str, answers: dict[str, Row]) -> list[str]:
    """`id part` of every part of an answer that is not right."""
    found = []
    for case in golden(name)["cases"]:
        given = answers.get(case["id"], {}).get("answer") or {}
        if name == "liuyao_cases":
            checks = {
                "divination": given.get("divination") == case["expected"],
                "analysis": contained(case["analysis"], given.get("analysis")),
            }
        else:
            wanted = {key: case[key] for key in WANTED} | case["expected"]
            checks = {key: key in given and given[key] == value for key, value in wanted.items()}
        found += [f"{case['id']} {part}" for part, right in checks.items() if not right]
    return found
