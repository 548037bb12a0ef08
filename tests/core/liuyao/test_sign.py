"""sign_v1: every row of its table, the four levels, and how often they come."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.liuyao.force import works_back
from bazi_core.liuyao.sign import LEVELS, NOTE, points
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import analysis, time_of, values
from tests.core.liuyao.test_timing import KINDS, state_of
from tests.tables import holds_for_all

POINTS = {
    "月令旺": 2, "月令相": 1, "月令休": 0, "月令囚": -1, "月令死": -2, "日辰临或生": 2, "日辰扶或合": 1, "日辰克": -1,
    "月破": -2, "日破": -2,
    "暗动": 1, "真空": -2, "旬空": -1, "回头生或进神": 2, "回头克": -2, "退神": -1, "化空": -1, "化破": -1, "化墓": -1,
    "化绝": -1, "原神动": 2,
    "忌神动": -2, "伏藏": -1,
}  # fmt: skip


def _changes(line: dict[str, Any] | None) -> list[str]:
    return line.get("target", {}).get("changes", []) if line else []


def expected(found: ly.Analysis) -> list[str]:
    """The rules that apply to the subject of a written analysis."""
    board = found.to_dict(facts=False)
    subject = found.subject
    line: dict[str, Any] | None = board["lines"][subject.position - 1] if subject.source == "line" else None
    own = line or state_of(board, found)
    changes = [each for each in _changes(line) if works_back(subject.line, each)]
    day = own["day"]
    filled = bool(line) and own["xunKong"] and "冲" in day
    held = bool(line) and line["moving"] and "合" in day
    made = [f"月令{own['monthState']}"]
    if "临" in day or "生" in day:
        made.append("日辰临或生")
    elif "扶" in day or "合" in day:
        made += [] if held else ["日辰扶或合"]
    elif "克" in day:
        made.append("日辰克")
    made += ["月破"] if own["yuePo"] and "临" not in day else []
    made += ["日破"] if line and line["riPo"] and not filled else []
    made += ["暗动"] if line and line["anDong"] else []
    if own["xunKong"] and not filled:
        made.append("真空" if line and line["voidKind"] == "真" else "旬空")
    made += ["回头生或进神"] if {"回头生", "进神"} & {*changes} else []
    made += [name for name in ("回头克", "退神") if name in changes]
    made += [name for name in ("化空", "化破", "化墓", "化绝") if name in changes][:2]
    others = [
        each for each in board["lines"]
        if found.standings[each["position"] - 1].is_able
        and not (subject.source == "line" and each["position"] == subject.position)
    ]  # fmt: skip
    if any(ref.GENERATES[each["element"]] == own["element"] for each in others):
        made.append("原神动")
    elif any(ref.CONTROLS[each["element"]] == own["element"] for each in others):
        made.append("忌神动")
    return made + ["伏藏"] * (subject.source == "hidden")


def level(score: int) -> str:
    return "上上签" if score >= 4 else "中上签" if score >= 1 else "中下签" if score >= -2 else "下下签"


@pytest.mark.parametrize("kind", KINDS)
def test_every_contribution_of_many_boards_is_that_of_the_table(kind):
    for number in range(KINDS.index(kind), 4096, 7):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(kind)
        told = found.sign
        assert sorted(each.rule for each in told.contributions) == sorted(expected(found)), (
            number,
            month,
            day,
        )
        assert told.score == sum(POINTS[each.rule] for each in told.contributions)
        assert told.level == level(told.score)


def test_the_points_are_those_of_the_table():
    assert points() == POINTS


def test_every_rule_occurs_and_none_twice():
    seen: Counter[str] = Counter()
    for number in range(0, 4096, 3):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(KINDS[number % 7])
        rules = [each.rule for each in found.sign.contributions]
        assert len({*rules}) == len(rules)
        seen.update(rules)
    assert {*seen} == {*POINTS}


@holds_for_all(
    "score, name",
    [
        (9, "上上签"), (4, "上上签"), (3, "中上签"), (1, "中上签"), (0, "中下签"), (-2, "中下签"),
        (-3, "下下签"), (-16, "下下签"),
    ],
)  # fmt: skip
def test_scores_have_four_levels(score, name):
    assert next(word for least, word in LEVELS if score >= least) == name == level(score)


@pytest.mark.exhaustive
def test_the_bad_ends_of_a_change_count_two_at_most():
    counted = set()
    for number in range(4096):
        # 戌 is void on 甲子, broken by 辰 and the store of fire.
        found = ly.derive(values(number), month_branch="辰", day="甲子").analyze("官司")
        bad = {"化空", "化破", "化墓", "化绝"} & {*found.subject.changes}
        if len(bad) > 2:
            counted.add(sum(each.rule in bad for each in found.sign.contributions))
    assert counted == {2}


def test_the_policies_of_void_and_secret_motion_reach_the_sign():
    # 午 of 姤 in 亥 on 甲子 is broken by the day, unless any clash is secret motion.
    strict, loose = (
        analysis("姤", month="亥", day="甲子", ask="事业", an_dong=policy).sign
        for policy in ("zs_strict", "hjc_any")
    )
    assert "日破" in {each.rule for each in strict.contributions}
    assert "暗动" in {each.rule for each in loose.contributions}
    assert loose.score == strict.score + 3


def test_the_sign_says_that_it_is_a_convention():
    told = analysis("既济", ask="事业").sign.to_dict()
    assert [*told] == ["level", "score", "side", "contributions", "note"]
    assert told["note"] == NOTE
    assert "不是古法" in NOTE
    assert [*told["contributions"][0]] == ["rule", "points", "side", "relation", "evidence"]


def test_the_evidence_of_every_contribution_is_a_fact():
    for number in range(0, 4096, 13):
        month, day = time_of(number)
        found = ly.derive(values(number), month_branch=month, day=day).analyze(KINDS[number % 7])
        for each in found.sign.contributions:
            assert each.evidence[0] == found.subject_id
            assert all(name in found.facts for name in each.evidence), each


@pytest.mark.exhaustive
def test_fair_casts_at_any_time_for_any_relative_come_out_in_the_stated_shares():
    draw, levels = Random(20_260_403), Counter()
    for _ in range(6000):
        chart = ly.derive(
            ly.cast.coins(draw), month_branch=draw.choice(BRANCHES).value, day=draw.choice(PILLARS).value
        )
        levels[ly.sign(chart, draw.choice(KINDS[:5])).level] += 1
    shares = [round(100 * levels[name] / 6000) for name in ("上上签", "中上签", "中下签", "下下签")]
    assert all(abs(share - stated) <= 2 for share, stated in zip(shares, (9, 38, 38, 15), strict=True)), (
        shares
    )


def test_what_comes_to_nothing_counts_nothing():
    # 原神 丑 at line 1 of 恒 is held by its change, and 进神 of 申 by the day that combines with what it turns into.
    found = ly.derive("677768", "2026-11-26T15:30:00+08:00").analyze("感情", "female")
    assert not {"原神动", "回头生或进神"} & {each.rule for each in found.sign.contributions}
    assert "进神" in found.subject.changes
