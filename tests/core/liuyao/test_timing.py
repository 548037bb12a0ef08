"""应期: every trigger of the table, when it holds and which branches answer it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bazi_core import liuyao as ly
from bazi_core.tables import rows
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import analysis, time_of, values
from tests.tables import holds_for_all

SUPPORT, WEAK = {"临", "扶", "生"}, ("休", "囚", "死")
TOMB = dict(zip("金木火水土", "丑未戌辰辰", strict=True))
KINDS = ("事业", "财运", "家宅", "子女", "朋友", "其他", "合作")
TRIGGERS = [row["trigger"] for row in rows("liuyao/timing")]


def clash(branch: str) -> str:
    return ref.other(ref.CLASHES, branch)


def combine(branch: str) -> str:
    return ref.other(ref.COMBINES, branch)


def of_element(element: str) -> list[str]:
    return [branch for branch in ref.BRANCHES if ref.ELEMENT[branch] == element]


def generator(element: str) -> str:
    return next(each for each, born in ref.GENERATES.items() if born == element)


def controller(element: str) -> str:
    return next(each for each, held in ref.CONTROLS.items() if held == element)


def expected(found: ly.Analysis) -> list[tuple[str, list[str]]]:
    """The triggers of a written analysis by the words of the table (ch. 32)."""
    board = found.to_dict(facts=False)
    lines, subject = board["lines"], found.subject
    month, day = found.chart.month_branch.value, found.chart.day.branch.value
    line = lines[subject.position - 1] if subject.source == "line" else None
    own = line or state_of(board, found)
    branch, element = own["branch"], own["element"]
    changes = line.get("target", {}).get("changes", []) if line else []
    moving = bool(line and line["moving"])
    active = [each for each in lines if each["moving"] or each["anDong"]]
    apart = [
        each
        for each in active
        if subject.position is None or subject.source == "hidden" or each["position"] != subject.position
    ]
    by_day, by_month = bool(SUPPORT & {*own["day"]}), bool(SUPPORT & {*own["month"]})
    made: list[tuple[str, list[str]]] = []
    if moving:
        made += [("动值", [branch]), ("动合", [combine(branch)])]
    else:
        made += [("静值", [branch]), ("静冲", [clash(branch)])]
    if own["monthState"] == "旺" and by_day:
        made.append(("太旺逢墓冲", [*dict.fromkeys((TOMB[element], clash(branch)))]))
    if own["monthState"] in WEAK and not by_day:
        made.append(("衰绝逢生旺", of_element(generator(element)) + of_element(element)))
    if own["dayStage"] == "墓" or "化墓" in changes or TOMB[element] in [each["branch"] for each in apart]:
        made.append(("入墓冲开", [clash(TOMB[element])]))
    bound = [day] if "合" in own["day"] else []
    bound += [month] if moving and "合" in own["month"] else []
    bound += [line["target"]["branch"]] if line and moving and "化合" in changes else []
    if bound:
        made.append(("合住冲开", [*dict.fromkeys(clash(each) for each in (branch, *bound))]))
    if own["yuePo"]:
        made.append(("月破填合", [branch, combine(branch)]))
    if own["xunKong"]:
        made.append(("旬空填冲", [branch, clash(branch)]))
    harmful = [each["branch"] for each in active if ref.CONTROLS[each["element"]] == element]
    if harmful and (by_day or by_month):
        checking = of_element(controller(ref.ELEMENT[harmful[0]]))
        made.append(("受克待制", [*dict.fromkeys([clash(each) for each in harmful] + checking)]))
    made += [("进神", [branch, combine(branch)])] if "进神" in changes else []
    made += [("退神", [branch, clash(branch)])] if "退神" in changes else []
    still = [each for each in lines if not each["moving"]]
    made += [("独发", [each["branch"]]) for each in lines if each["moving"] and len(still) == 5]
    made += [("独静", [each["branch"]]) for each in still if len(still) == 1]
    return made + of_self(board, found)


def of_self(board: dict[str, Any], found: ly.Analysis) -> list[tuple[str, list[str]]]:
    lines = board["lines"]
    shi = lines[found.chart.primary.shi - 1]
    helpers = [each for each in lines if ref.GENERATES[each["element"]] == shi["element"]]
    moving = [each for each in helpers if each["moving"]]
    if shi["xunKong"] and moving:
        return [("世空元动", [each["branch"]]) for each in moving]
    if shi["monthState"] in WEAK and not moving:
        return [("世衰元静", [clash(each["branch"])]) for each in helpers]
    return []


def state_of(board: dict[str, Any], found: ly.Analysis) -> dict[str, Any]:
    """The state of a subject that is no line of the primary."""
    subject = found.subject
    if subject.source == "hidden":
        return next(each for each in board["hidden"] if each["position"] == subject.position)
    if subject.source == "changed":
        target: dict[str, Any] = board["lines"][subject.position - 1]["target"]
        return target
    return subject.state.to_dict()


@pytest.mark.parametrize("kind", KINDS)
def test_every_trigger_of_many_boards_is_that_of_the_table(kind):
    for number in range(KINDS.index(kind), 4096, 7):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(kind)
        told = [(each.trigger, [branch.value for branch in each.branches]) for each in found.timing]
        assert told == expected(found), (number, month, day)


def test_all_seventeen_triggers_occur_in_the_order_of_the_table():
    seen: Counter[str] = Counter()
    for number in range(0, 4096, 5):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(KINDS[number % 7])
        triggers = [each.trigger for each in found.timing]
        assert triggers == sorted(triggers, key=TRIGGERS.index)
        seen.update({*triggers})
    assert {*seen} == {*TRIGGERS}
    assert len(TRIGGERS) == 17


@holds_for_all(
    "trigger, name, moving, month, day, kind, branches",
    [
        ("静值", "既济", (), "卯", "丁未", "事业", "戌"),
        ("静冲", "既济", (), "卯", "丁未", "事业", "辰"),
        ("动值", "既济", (2,), "卯", "丁未", "事业", "丑"),
        ("动合", "既济", (2,), "卯", "丁未", "事业", "子"),
        ("太旺逢墓冲", "既济", (), "丑", "丁丑", "事业", "辰未"),
        ("衰绝逢生旺", "既济", (3,), "卯", "丁未", "其他", "申酉子亥"),
        ("入墓冲开", "既济", (3,), "卯", "丁未", "其他", "戌"),
        ("合住冲开", "既济", (), "卯", "甲子", "事业", "未午"),
        ("月破填合", "既济", (2,), "未", "甲子", "事业", "丑子"),
        ("旬空填冲", "既济", (2,), "午", "甲寅", "事业", "丑未"),
        ("进神", "屯", (2,), "卯", "丁未", "子女", "寅亥"),
        ("独发", "既济", (6,), "卯", "丁未", "事业", "子"),
        # What answers twice is told once: 戌 is clashed by its own tomb; 丑 is combined with month and day, both 子.
        ("太旺逢墓冲", "屯", (), "戌", "甲辰", "事业", "辰"),
        ("合住冲开", "既济", (2,), "子", "甲子", "事业", "未午"),
    ],
)  # fmt: skip
def test_a_trigger_is_answered_by_its_branches(trigger, name, moving, month, day, kind, branches):
    found = {each.trigger: each for each in analysis(name, *moving, month=month, day=day, ask=kind).timing}
    assert "".join(branch.value for branch in found[trigger].branches) == branches


def test_both_units_are_always_given_and_never_a_date():
    for each in analysis("既济", 3, 6, ask="财运").timing:
        told = each.to_dict()
        assert [*told] == ["trigger", "branches", "units", "reason", "source", "subject"]
        assert told["units"] == [["日", "时"], ["月", "年"]]
        assert told["reason"]
        assert told["source"] == each.source
        assert told["source"] in ("ZS.029", "ZS.032", "ZS.034", "ZS.036", "ZS.037")
        assert not any(char.isdigit() for char in told["reason"])


def test_what_is_broken_is_answered_after_the_month():
    told = [each.to_dict() for each in analysis("既济", 2, month="未", day="甲子", ask="事业").timing]
    assert "出月之后" in next(each["reason"] for each in told if each["trigger"] == "月破填合")


def test_the_subject_is_the_first_candidate_unless_stated():
    found = analysis("既济", 6, ask="事业")
    assert {each.subject for each in found.timing if each.trigger not in TRIGGERS[13:]} == {"戊戌"}
    assert [each.subject for each in found.timing if each.trigger == "独发"] == ["戊子"]
    month = analysis("姤", month="寅", day="甲辰", ask="财运")
    assert month.timing[0].subject == "寅"


def test_while_undecided_the_times_are_those_of_self():
    for kind in (None, "占什么", "婚姻"):
        found = analysis("既济", 2, ask=kind)
        assert found.timing[0].subject == "己亥"


def test_a_timing_rests_on_what_it_looks_at():
    found = analysis("既济", 6, day="丁未", ask="事业")
    for each in found.timing:
        assert all(name in found.facts for name in each.rests_on)
    alone = next(each for each in found.timing if each.trigger == "独发")
    assert alone.rests_on == ("ly.line.6",)
