"""States of the lines, what the policies make of them, what moving lines turn into, hidden lines."""

from __future__ import annotations

from itertools import product

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, Branch, Pillar
from bazi_core.liuyao import board as bd
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import analysis, time_of, values
from tests.tables import holds_for_all

PROSPEROUS = ("旺", "相")
RESIDUAL = {"辰": "木", "未": "火", "丑": "水"}
DEAD = {"寅卯辰": "土", "巳午未": "金", "申酉戌": "木", "亥子丑": "火"}


def test_the_state_of_every_branch_in_every_month_on_every_day():
    for branch, month, day in product(BRANCHES, BRANCHES, PILLARS):
        own, b, m, d = bd.state(branch, month, day), branch.value, month.value, day.value
        element = ref.ELEMENT[b]
        assert own.to_dict() == {
            "branch": b,
            "element": element,
            "monthState": ref.season(m, element),
            "month": ref.bearing(m, b, "破"),
            "day": ref.bearing(d[1], b, "冲"),
            "xunKong": b in ref.void(d),
            "yuePo": ref.other(ref.CLASHES, m) == b,
            "riChong": ref.other(ref.CLASHES, d[1]) == b,
            "dayStage": ref.STAGES[element].get(d[1], ""),
        }
        assert own.is_prosperous is (own.month_state in PROSPEROUS)


def test_a_void_line_stays_void_when_month_or_day_stands_on_it():
    own = bd.state(Branch("寅"), Branch("寅"), PILLARS[50])
    assert (own.void, own.month, own.day) == (False, ("临",), ("临",))
    void = bd.state(Branch("子"), Branch("子"), PILLARS[50])
    assert (void.void, void.month_state) == (True, "旺")
    # The day's own branch is never void, since its ten pillars hold it.
    assert not any(bd.state(day.branch, month, day).void for month, day in product(BRANCHES, PILLARS))


def test_every_line_of_every_board_has_pillar_relative_mark_and_state_of_its_place():
    for number in range(0, 4096, 11):
        month, day = (kind(name) for kind, name in zip((Branch, Pillar), time_of(number), strict=True))
        chart = ly.derive(values(number), month_branch=month.value, day=day.value)
        primary = chart.primary
        for n, line in enumerate(chart.analyze().lines, 1):
            expected = (n, primary.pillars[n - 1], primary.relations[n - 1])
            assert (line.position, line.pillar, line.relation) == expected
            assert line.mark == primary.marks[n - 1]
            assert line.state is bd.state(line.pillar.branch, month, day)
            assert line.moving is (n in chart.moving)
            assert (line.turned is not None) is line.moving
            assert line.active is (line.moving or line.an_dong)
            assert line.residual is (RESIDUAL.get(month.value) == line.state.element.value)


def wakes(line: bd.Line, chart: ly.LiuyaoChart, policy: str) -> bool:
    """暗动 of a still line that the day clashes, by the words of the policy."""
    own, day = line.state, chart.day.branch
    if policy == "hjc_any" or own.month_state in PROSPEROUS:
        return True
    if policy == "zs_strict":
        return False
    helping = [chart.primary.branches[n - 1].element for n in chart.moving]
    near = any(each is own.element or ref.GENERATES[each.value] == own.element.value for each in helping)
    return line.residual or day.element is own.element or near


@pytest.mark.parametrize("policy", ["zs_strict", "zs_practice", "hjc_any"])
def test_a_still_line_clashed_by_the_day_is_moved_in_secret_or_broken(policy):
    seen = set()
    for number in range(0, 4096, 3):
        chart = ly.derive(
            values(number), month_branch=time_of(number)[0], day=time_of(number)[1],
            policy=ly.LiuyaoPolicy(an_dong=policy),
        )  # fmt: skip
        for line in chart.analyze().lines:
            verdict = (line.an_dong, line.day_broken)
            if not line.state.day_clashed or line.moving:
                assert verdict == (False, False)
            else:
                assert verdict == ((True, False) if wakes(line, chart, policy) else (False, True))
            seen.add(verdict)
    assert seen == {(False, False), (True, False)} | ({(False, True)} if policy != "hjc_any" else set())


def test_practice_adds_the_leftover_season_the_same_earth_and_a_helping_line():
    # 丑 of 既济 on a 未 day: dead in 卯, but day and line are both earth.
    assert not analysis("既济", day="丁未").lines[1].an_dong
    assert analysis("既济", day="丁未", an_dong="zs_practice").lines[1].an_dong
    # 寅 of 屯 on a 申 day: wood lives on in 辰 after its season; in 未 it needs a moving line of wood or water.
    assert analysis("屯", month="辰", day="甲申", an_dong="zs_practice").lines[1].an_dong
    assert not analysis("屯", month="辰", day="甲申").lines[1].an_dong
    assert not analysis("屯", month="未", day="甲申", an_dong="zs_practice").lines[1].an_dong
    assert analysis("屯", 1, month="未", day="甲申", an_dong="zs_practice").lines[1].an_dong


def test_a_void_line_is_truly_void_only_when_nothing_stirs_or_feeds_it():
    for number in range(0, 4096, 3):
        month, day = (kind(name) for kind, name in zip((Branch, Pillar), time_of(number), strict=True))
        chart = ly.derive(values(number), month_branch=month.value, day=day.value)
        dead = next(element for months, element in DEAD.items() if month.value in months)
        for line in chart.analyze().lines:
            own = line.state
            truly = (
                own.void and not line.moving and not own.day_clashed and own.month_state not in PROSPEROUS
                and own.element.value == dead
            )  # fmt: skip
            assert line.void_kind == ("真" if truly else "假" if own.void else "")


def test_both_kinds_of_void_occur_and_the_raw_policy_keeps_the_fact():
    # On 甲午 辰巳 are void: earth is dead in spring, fire is fed by it.
    kinds = {
        line.void_kind
        for name, day in product(("乾", "既济", "坤"), ("甲午", "丁未", "甲子"))
        for line in analysis(name, month="寅", day=day).lines
        if line.state.void
    }
    assert kinds == {"真", "假"}
    raw = analysis("乾", month="寅", day="甲午", void_kind="raw").lines
    assert [line.void_kind for line in raw] == [""] * 6
    assert any(line.state.void for line in raw)


def test_what_a_moving_line_turns_into_is_judged_in_the_palace_of_the_primary():
    for number in range(0, 4096, 5):
        month, day = time_of(number)
        chart = ly.derive(values(number), month_branch=month, day=day)
        for line in chart.analyze().lines:
            if line.turned is None:
                assert line.changes == ()
                continue
            branch = chart.target.branches[line.position - 1]
            assert line.turned.pillar is chart.target.pillars[line.position - 1]
            assert line.turned.relation == ref.relative(chart.primary.element.value, branch.element.value)
            assert [*line.changes] == ref.changes(line.pillar.branch.value, branch.value, month, day)
            assert line.turned.state is bd.state(branch, Branch(month), chart.day)


@holds_for_all("number", range(64))
def test_hidden_lines_of_every_hexagram_have_state_and_flying_relation(number):
    chart = ly.derive([7 + (1 - (number >> k & 1)) for k in range(6)], month_branch="酉", day="壬辰")
    found = chart.analyze().hidden
    assert [each.position for each in found] == [each.position for each in chart.primary.hidden]
    for each, own in zip(found, chart.primary.hidden, strict=True):
        flying, hidden = own.flying.branch.element.value, own.pillar.branch.element.value
        word = (
            "飞生伏" if ref.GENERATES[flying] == hidden else "飞克伏" if ref.CONTROLS[flying] == hidden
            else "伏生飞" if ref.GENERATES[hidden] == flying else "伏克飞"
        )  # fmt: skip
        assert (each.flying_relation, each.relation, each.pillar) == (word, own.relation, own.pillar)
        assert each.state is bd.state(own.pillar.branch, Branch("酉"), chart.day)


def test_a_hidden_line_is_never_of_the_element_of_the_visible_one_since_no_line_has_its_relative():
    words = {each.flying_relation for name in ly.HEXAGRAMS for each in analysis(name.name).hidden}
    assert words == {"飞生伏", "飞克伏", "伏生飞", "伏克飞"}


def test_changing_the_target_never_changes_a_hidden_line():
    for code in range(64):
        fixed = {bd.hidden_lines(ly.derive(six, month_branch="酉", day="壬辰")) for six in of_code(code)}
        assert len(fixed) == 1


def of_code(code: int) -> list[tuple[int, ...]]:
    """All 64 casts with one primary."""
    return [
        tuple(
            (9 if moves >> k & 1 else 7) if code >> k & 1 else (6 if moves >> k & 1 else 8) for k in range(6)
        )
        for moves in range(64)
    ]


def test_written_out_a_line_has_its_keys_and_a_target_when_it_moves():
    still, moving = (line.to_dict() for line in analysis("既济", 3).lines[1:3])
    assert "target" not in still
    assert [*moving][:9] == [
        "branch", "element", "monthState", "month", "day", "xunKong", "yuePo", "riChong", "dayStage",
    ]  # fmt: skip
    assert [*moving["target"]][9:] == ["ganZhi", "relation", "changes"]
    assert {element.value for element in ELEMENTS} >= {still["element"], moving["element"]}
