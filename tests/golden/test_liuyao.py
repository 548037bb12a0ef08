"""六爻 against golden casts: the sixty-four hexagrams, casts at known times, the casts of 增删卜易, 梅花易数 and odds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from bazi_core import liuyao as ly
from tests.golden.liuyao import cast_as_printed, contained, golden, questions, wrong
from tests.golden.questions import run, run_lines
from tests.tables import holds_for_all

KINDS = {"liuyao_cases": ("liuyao", 240), "classics_zengshan": ("liuyao-classics", 330)}
AT = "2026-04-03T20:30:00+08:00"
QUESTION = ("我最近换工作是否合适?", "事业", "手动起卦")


@pytest.fixture(scope="module")
def answers() -> dict[str, dict[str, Any]]:
    return {name: run(kind, questions(name)) for name, (kind, _) in KINDS.items()}


@pytest.mark.parametrize("name", KINDS)
def test_every_answer_is_the_golden_one(name, answers):
    assert len(golden(name)["cases"]) == KINDS[name][1]
    assert wrong(name, answers[name]) == []


@pytest.mark.parametrize("name", KINDS)
def test_the_comparator_finds_everything_wrong_where_there_is_no_answer(name):
    failed = {each.split()[0] for each in wrong(name, {})}
    assert failed == {case["id"] for case in golden(name)["cases"]}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.exhaustive
def test_the_comparator_notices_one_changed_leaf_in_every_case(name, answers):
    unnoticed = []
    for ident, line in answers[name].items():
        changed = json.loads(json.dumps(line))
        part = changed["answer"]["analysis"]["lines"][2] if name == "liuyao_cases" else changed["answer"]
        key = "dayStage" if name == "liuyao_cases" else "shi"
        part[key] = "?"
        unnoticed += [] if any(each.startswith(ident) for each in wrong(name, {ident: changed})) else [ident]
    assert unnoticed == []


@holds_for_all("row", golden("liuyao_64")["hexagrams"], lambda row: row["shortName"])
def test_a_hexagram_has_every_field_of_the_golden_table(row):
    assert ly.hexagram(row["kingWen"]).to_dict() == row


def test_the_golden_table_has_all_sixty_four():
    assert [row["kingWen"] for row in golden("liuyao_64")["hexagrams"]] == [*range(1, 65)]


def test_the_worked_example_is_reproduced_with_its_analysis():
    chart = ly.derive(["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"], AT)
    found = golden("seed002_example")
    assert chart.to_divination(*QUESTION) == found["seedRequest"]
    assert contained(found["seedRequestAnalysis"], chart.analyze("事业").to_dict())


def test_the_lines_of_the_printed_hexagrams_have_two_hidden_lines():
    chart = ly.derive(["少阳", "少阴", "老阳", "少阴", "少阴", "少阳"], AT)
    strict = chart.to_divination(*QUESTION)
    assert strict == golden("seed002_example")["linesForPrintedHexagram"]
    assert strict["fushenPositions"] == [2, 3]


def any_of(part: str, *keys: str) -> Callable[[dict[str, Any]], bool]:
    """Whether some line has a mark among these members."""
    return lambda board: any(each[key] for each in board[part] for key in keys)


def changes(*words: str) -> Callable[[dict[str, Any]], bool]:
    return lambda board: any(
        word in line["target"]["changes"] for line in board["lines"] if "target" in line for word in words
    )


def turning(kind: str) -> Callable[[dict[str, Any]], bool]:
    """反吟 or 伏吟, of a trigram, of the whole, or of one line, all of which the commentary calls so."""
    line = {"反吟": "回头冲", "伏吟": "伏吟"}[kind]
    return lambda board: (
        kind in board["fanYinFuYin"].values()
        or (kind == "反吟" and board["guaFanYin"])
        or changes(line)(board)
    )


def void(board: dict[str, Any]) -> bool:
    turned = [line["target"]["xunKong"] for line in board["lines"] if "target" in line]
    return any(turned) or any_of("lines", "xunKong")(board) or any_of("hidden", "xunKong")(board)


def broken(board: dict[str, Any]) -> bool:
    turned = [line["target"]["yuePo"] for line in board["lines"] if "target" in line]
    return any(turned) or any_of("lines", "yuePo")(board) or any_of("hidden", "yuePo")(board)


MARKS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "旬空": void,
    "月破": broken,
    "进神": changes("进神"),
    "退神": changes("退神"),
    "回头生": changes("回头生"),
    "回头克": changes("回头克"),
    "暗动": any_of("lines", "anDong"),
    "日破": any_of("lines", "riPo"),
    "反吟": turning("反吟"),
    "伏吟": turning("伏吟"),
    "三合": lambda board: bool(board["sanHe"]),
    "六冲变六合": lambda board: board["transition"] == "六冲变六合",
    "六合变六冲": lambda board: board["transition"] == "六合变六冲",
}
CITED = {
    "旬空": 75, "月破": 36, "进神": 28, "退神": 17, "回头生": 14, "回头克": 20, "暗动": 13, "日破": 2, "反吟": 11, "伏吟": 3,
    "三合": 10, "六冲变六合": 3, "六合变六冲": 2,
}  # fmt: skip


def board_of(case: dict[str, Any]) -> dict[str, Any]:
    values = {("1", False): 7, ("0", False): 8, ("1", True): 9, ("0", True): 6}
    lines = [values[bit, n in case["moving"]] for n, bit in enumerate(case["binary"], 1)]
    chart = ly.derive(lines, month_branch=case["monthBranch"], day=case["dayGanZhi"])
    return chart.analyze().to_dict(facts=False)


def test_marks_that_the_commentary_names_are_reported():
    cases = [(case, mark) for case in golden("classics_zengshan")["cases"] for mark in case["marks"]]
    assert Counter(mark for _, mark in cases) == CITED
    assert [(case["id"], mark) for case, mark in cases if not MARKS[mark](board_of(case))] == []


def test_void_branches_differ_from_the_print_in_four_misprints_only():
    printed = [case for case in golden("classics_zengshan")["cases"] if "dayKongPrinted" in case]
    assert [case["id"] for case in printed] == ["ZSBY-043", "ZSBY-156", "ZSBY-224", "ZSBY-300"]
    for case in printed:
        inputs = {key: case[key] for key in ("monthBranch", "dayGanZhi", "binary", "moving")}
        assert cast_as_printed(inputs, {})["dayKongComputed"] != case["dayKongPrinted"]


@pytest.mark.parametrize("row", golden("casting")["meihua"], ids=lambda row: row["name"])
def test_the_examples_of_meihua_give_hexagram_line_and_target(row):
    given = row["input"]
    if "lunarDay" in given:
        record = ly.CastRecord.from_dict(
            {"method": "time", "algorithmVersion": 1, "inputs": given, **by_the_rule(given)}
        )
    else:
        record = ly.cast.numbers(given["upper"], given["lower"], hour=given.get("hourBranch"))
    chart = ly.derive(record, month_branch="子", day="甲子")
    assert [chart.primary.full_name, *chart.moving, chart.target.full_name] == row["expected"]


def by_the_rule(given: dict[str, Any]) -> dict[str, Any]:
    """Lines by the numbers of 梅花易数, worked out here: bits of 乾兑离震巽坎艮坤, upper after lower."""
    branches = "子丑寅卯辰巳午未申酉戌亥"
    bits = ("111", "110", "101", "100", "011", "010", "001", "000")
    upper = branches.index(given["yearBranch"]) + 1 + given["lunarMonth"] + given["lunarDay"]
    whole = upper + branches.index(given["hourBranch"]) + 1
    drawn = bits[whole % 8 - 1] + bits[upper % 8 - 1]
    values = [7 if bit == "1" else 8 for bit in drawn]
    values[whole % 6 - 1] = {7: 9, 8: 6}[values[whole % 6 - 1]]
    return {
        "lines": [{6: "老阴", 7: "少阳", 8: "少阴", 9: "老阳"}[value] for value in values],
        "values": values,
    }


def test_three_coins_have_the_golden_odds():
    drawn = Counter(ly.cast.from_faces([faces] * 6).lines[0] for faces in product((0, 1), repeat=3))
    assert {name: str(Fraction(count, 8)) for name, count in drawn.items()} == golden("casting")["odds"][
        "threeCoins"
    ]


def test_a_question_that_makes_no_sense_gets_an_error_and_the_next_is_answered():
    good = questions("liuyao_cases")[0]
    asked: list[tuple[Any, str]] = [
        ({**good["inputs"], "yaoLines": ["少阳"] * 5}, "YAO_LINES_LENGTH"),
        ({**good["inputs"], "yaoLines": ["少阳"] * 5 + ["少"]}, "YAO_LINE_VALUE"),
        ({**good["inputs"], "divinationTimeIso": "2026-04-03T20:30:00"}, "TIME_NEEDS_OFFSET"),
        ({**good["inputs"], "divinationMethod": "起卦"}, "UNKNOWN_OPTION"),
        ({}, "MALFORMED_QUESTION"),
    ]
    lines = [json.dumps({"id": at, "inputs": inputs}) for at, (inputs, _) in enumerate(asked)] + [
        json.dumps(good)
    ]
    *failed, last = run_lines("liuyao", "\n".join(lines).encode())
    assert [line["error"]["code"] for line in failed] == [code for _, code in asked]
    assert last["answer"]["divination"] == golden("liuyao_cases")["cases"][0]["expected"]
