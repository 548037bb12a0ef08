"""Whether a line that acts reaches what it acts on, and what lines that act together do."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.board import Line
from bazi_core.liuyao.force import change_hindrance, hindrance, undone
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables import rows
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import analysis, time_of, values
from tests.core.speech.drawn import casts

SUPPORT = {"临", "扶", "生"}


def boards(step: int = 7) -> list[ly.Analysis]:
    found = []
    for number in range(0, 4096, step):
        month, day = time_of(number)
        found.append(ly.derive(values(number), month_branch=month, day=day).analyze("财运"))
    return found


def expected(line: dict) -> set[str]:
    """The rules that keep a moving or stirred line from acting, from its written state."""
    changes, day = line.get("target", {}).get("changes", []), {*line["day"]}
    prosperous, held = line["monthState"] in ("旺", "相"), bool(day & SUPPORT)
    broken = line["yuePo"] and "临" not in day
    found = {"月破"} if broken else set()
    if line["xunKong"] and not line["riChong"] and not (prosperous and line["moving"]):
        found.add("旬空")
    if "合" in day or (line["moving"] and "合" in line["month"]) or "化合" in changes:
        found.add("合住")
    target = line.get("target")
    whole = target and not (
        ("化破" in changes and "临" not in target["day"])
        or ("化空" in changes and target["monthState"] not in ("旺", "相"))
        or "合" in target["day"]
    )
    if "伏吟" in changes:
        changes = [change for change in changes if change != "化墓"]
    saved = whole and {"回头生", "进神"} & {*changes}
    spoilt = {"化破", "化墓", "化绝"} | ({"回头克"} if whole else set())
    spoilt |= set() if prosperous or held else {"退神", "化空"}
    found |= {"变坏"} if not saved and spoilt & {*changes} else set()
    found |= {"入墓"} if line["dayStage"] == "墓" and not held and not prosperous else set()
    if not prosperous and not held and ("克" in day or line["monthState"] == "死"):
        found.add("受制")
    return found


def test_a_line_is_kept_from_acting_by_the_first_rule_of_the_table_that_holds():
    order, seen = [row["rule"] for row in rows("liuyao/forces")], Counter()
    for found in boards():
        written = found.to_dict(facts=False)["lines"]
        for line in found.lines:
            if line.active:
                held = expected(written[line.position - 1])
                told = hindrance(line)
                assert (told.rule if told else None) == next((name for name in order if name in held), None)
                seen[told.rule if told else ""] += 1
    assert {*seen} == {*order, ""}


def test_every_fact_of_a_hindrance_is_a_fact_of_its_line():
    for found in boards(61):
        for line in found.lines:
            told = hindrance(line)
            assert not told or all(f"ly.line.{line.position}.{tail}" in found.facts for tail in told.tails)


def test_a_change_works_back_only_while_the_changed_branch_is_whole():
    # 戊辰 of 蒙 turns into 乙巳, which feeds it; 亥 as the month breaks 巳, and 申 as the day holds it.
    second = [
        analysis("蒙", 2, month=month, day=day, ask="事业").lines[1]
        for month, day in (("午", "乙卯"), ("亥", "乙卯"), ("午", "戊申"))
    ]
    assert all("回头生" in line.changes for line in second)
    assert [change_hindrance(line) for line in second] == ["", "化破", "日合"]
    assert [undone(line) for line in second][:2] == ["", "化破"]


def test_a_line_that_stays_as_it_was_is_told_as_that_and_enters_no_store():
    # 甲辰 of 乾 turns into 庚辰 of 震.
    found = analysis("乾", 2, 3, month="卯", day="丁卯", ask="房产")
    third = found.lines[2]
    assert {"伏吟", "化墓"} <= {*third.changes}
    assert undone(third) == ""
    assert found.subject.position == 3
    keys = [each.key for each in cast_plan(found).statements]
    assert "cast.change.plain.伏吟" in keys
    assert "cast.change.bad.化墓" not in keys


def joined(found: ly.Analysis, own: bool = False) -> set[int]:
    """The lines that act as a 三合局, one that lacks nothing and waits for nothing, of their own element or of another."""
    whole = [each for each in found.trines if not each.waits and (not each.missing or each.filled_by)]
    return {
        line.position for line in found.lines for each in whole
        if line.position in ({"内": (1, 3), "外": (4, 6)}.get(each.kind[0]) or range(1, 7))
        and line.state.branch.value in each.branches and (line.state.element.value == each.element) is own
    }  # fmt: skip


def is_free(line: Line, found: ly.Analysis) -> bool:
    """Whether nothing hinders a line; what its change or month and day undo a 三合局 of its own carries."""
    told = hindrance(line)
    return told is None or (told.rule in ("变坏", "受制") and line.position in joined(found, own=True))


def test_what_a_change_undoes_acts_all_the_same_in_a_trine_of_its_own_element():
    # 酉 of 巽 turns into 午, which controls it; 巳酉丑 is whole with 巳 moving too.
    found = analysis("巽", 3, 4, 5, month="戌", day="己酉", ask="房产")
    third = found.lines[2]
    assert (third.state.branch.value, undone(third), hindrance(third).rule) == ("酉", "回头克", "变坏")
    assert found.standings[2].cause is None
    alone = analysis("巽", 3, month="戌", day="己酉", ask="房产")
    assert alone.standings[2].cause.rule == "变坏"


def test_what_moves_out_of_season_and_is_clashed_by_the_day_is_faint_and_told_as_not_scattered():
    seen: Counter[str] = Counter()
    for found in boards(3):
        own, subject = found.subject.state, found.subject
        if subject.moving and own.day_clashed and not own.void:
            told = {each.key for each in cast_plan(found).statements} & {
                "cast.day.clash",
                "cast.day.clash.faint",
            }
            weak = not own.is_prosperous and not SUPPORT & {*own.day}
            assert len(told) == 1
            assert weak or told == {"cast.day.clash"}
            stands = found.standings[subject.position - 1]
            assert stands.cause is not None or stands.kind == ("faint" if weak else "acts")
            seen.update(told)
    assert len(seen) == 2


def test_how_a_line_stands_is_settled_by_its_motion_its_hindrance_and_its_strength():
    seen: Counter[str] = Counter()
    for found in boards(11):
        for line, stands in zip(found.lines, found.standings, strict=True):
            strong = line.state.is_prosperous or bool(SUPPORT & {*line.state.day})
            free = is_free(line, found) and line.position not in joined(found)
            if line.active:
                assert stands.kind == ("acts" if strong else "faint") if free else stands.kind == "spent"
            else:
                whole = free and not line.day_broken and (strong or "合" in line.state.day)
                assert stands.kind == ("ready" if whole else "idle")
            assert (stands.cause is None) is (free and not line.day_broken)
            assert all(fact in found.facts for fact in stands.facts)
            seen[stands.kind] += 1
    assert {*seen} == {"acts", "faint", "spent", "ready", "idle"}


def test_a_line_that_is_undone_is_never_told_as_acting_with_force():
    for found in boards(13):
        for statement in cast_plan(found).statements:
            if statement.key.startswith(("cast.role.原神", "cast.role.忌神", "cast.role.more.")):
                for clause in statement.values["groups"].members:
                    kind = clause.key.split(".")[3]
                    assert all(
                        found.standings[place.position - 1].kind == kind for place in clause.values["places"]
                    )


STANDS = ("acts", "faint", "spent", "none")


@pytest.mark.exhaustive
def test_lines_that_act_together_are_judged_by_the_first_row_that_fits():
    seen: Counter[str] = Counter()
    chains = {row["chain"] for row in rows("liuyao/chains")}
    for found in (*boards(5), *casts(200)):
        plan = cast_plan(found)
        told = {
            each.key.removeprefix("cast.chain.")
            for each in plan.statements
            if each.key.startswith("cast.chain.")
        }
        # Where the grounds of the verdict have told it in full, it is not said again.
        told |= {
            part.key.rpartition(".")[2]
            for each in plan.statements
            if each.key.startswith("cast.omens.")
            for part in each.values["omens"].members
        } & chains
        if found.yongshen.undecided:
            assert not told
            continue
        own = found.subject.line if found.subject.source == "line" else None
        stands = {}
        for role, name in (("helper", "原神"), ("harmer", "忌神"), ("rival", "仇神")):
            those = [line for line in found.yongshen.roles[name].lines if line.active and line is not own]
            able = [line for line in those if is_free(line, found) and line.position not in joined(found)]
            strong = [line for line in able if line.state.is_prosperous or SUPPORT & {*line.state.day}]
            stands[role] = "acts" if strong else "faint" if able else "spent" if those else "none"
        fits = [
            row["chain"] for row in rows("liuyao/chains")
            if all(stands[role] in (row[role].split() or STANDS) for role in ("rival", "harmer", "helper"))
        ]  # fmt: skip
        assert told == {*fits[:1]}, (found, stands)
        seen.update(fits[:1])
    assert {*seen} == {row["chain"] for row in rows("liuyao/chains")}


@pytest.mark.exhaustive
def test_harmer_that_feeds_the_helper_is_not_told_as_pressing():
    met = 0
    for found in boards(3):
        plan = cast_plan(found)
        keys = {each.key for each in plan.statements}
        if "cast.chain.连续相生" in keys:
            assert not {"cast.move.harmer", "cast.move.secret.harmer", "cast.role.忌神"} & keys
            verdict = next(each for each in plan.statements if each.key.startswith("cast.verdict."))
            marks = Counter(
                each.side for each in plan.statements if each.topic == "answer" and each.key.startswith("cast.omens.")
                for _ in each.values["omens"].members
            )  # fmt: skip
            outweighed = found.sign.side == "against" or marks["against"] >= marks["for"]
            assert not verdict.key.endswith((".no", ".hardly")) or outweighed, found
            met += 1
    assert met > 20


def test_a_change_that_presses_back_is_never_beside_the_word_that_nothing_stands_in_the_way():
    met = 0
    for found in boards(3):
        role = found.yongshen.roles.get("忌神")
        if role and not role.lines and "回头克" in found.subject.changes:
            keys = {each.key for each in cast_plan(found).statements}
            assert "cast.role.none.忌神" not in keys
            met += 1
    assert met


def test_elements_of_roles_are_those_of_the_cycle():
    for found in boards(97):
        for name, held in (("原神", ref.GENERATES), ("忌神", ref.CONTROLS)):
            role = found.yongshen.roles[name]
            assert held[role.element.value] == found.subject.state.element.value


def test_what_is_void_and_broken_at_once_is_nothing_only_while_nothing_keeps_it_alive():
    # 壬申 of 乾, the one 兄弟, is broken by 寅 and void in the ten days of 甲戌; 戌 feeds it, 寅 clashes with it.
    for moving, day, is_nothing in (
        ((), "乙亥", True),
        ((), "甲戌", False),
        ((), "戊寅", False),
        ((5,), "乙亥", False),
    ):
        found = analysis("乾", *moving, month="寅", day=day, ask="朋友")
        expected = ("壬申", True, True)
        assert (found.subject.text, found.subject.state.void, found.subject.state.month_broken) == expected
        keys = {each.key for each in cast_plan(found).statements}
        assert ("cast.void.broken" in keys) is is_nothing, (moving, day)
