"""The text of a cast is one account: what must change, on which branch and when, and one word on each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.force import is_nothing
from bazi_core.liuyao.matters import matter_of
from bazi_core.speech.plan import Plan, Statement
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan
from tests.core.liuyao.casts import AT, analysis, board
from tests.core.speech.drawn import planned_casts
from tests.sizes import sizes

# A condition that has no day of its own, after which 应期 says that it is read from the line alone.
APART = ("cast.times.apart", "cast.times.apart.stir")
IDLE, STILL = (".idle.", ".spent."), (".idle.", ".ready.", ".spent.")


def told(plan: Plan) -> list[Statement]:
    """What the running text says."""
    return [each for each in plan.statements if each.topic.partition(".")[0] == "answer"]


def named(said: list[Statement], key: str) -> list[Statement]:
    return [each for each in said if each.key.startswith(key)]


def waits(said: list[Statement]) -> Iterator[tuple[str, str]]:
    """The kind of the one condition with the branch that it waits for."""
    for each in named(said, "cast.condition."):
        what = each.values["what"]
        if "wait" in what.values:
            yield what.key, what.values["wait"].values["branch"].hanzi


def branches_of(times: list[Statement]) -> set[str]:
    parts = [part for each in times for part in each.values["how"].values.values()]
    return {branch.hanzi for part in parts for branch in part.values["branch"]}


def places_in(said: list[Statement], role: str, *kinds: str) -> set[int]:
    """The lines of a role that are told as standing in one of these ways."""
    those = [*named(said, f"cast.role.{role}"), *named(said, f"cast.role.more.{role}")]
    groups = [group for each in those for group in each.values["groups"].members]
    return {
        place.position
        for group in groups
        if any(kind in group.key for kind in kinds)
        for place in group.values["places"]
    }


def omens(said: list[Statement]) -> set[str]:
    return {part.key for each in named(said, "cast.omens.") for part in each.values["omens"].members}


@sizes(150, 2000)
def test_the_branch_of_a_condition_is_one_by_which_the_time_is_told(count):
    seen: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        said = told(plan)
        times = [each for each in named(said, "cast.times.") if "how" in each.values]
        for key, branch in waits(said):
            assert branch in branches_of(times), found
            assert branch != found.chart.day.branch.value, found
            # What is void and of the month waits for its day once the ten days are over.
            assert branch != found.chart.month_branch.value or key == "cast.if.void.by", found
            if key == "cast.if.own.by":
                assert found.subject is not None
                assert branch == found.subject.state.branch.value, found
            seen[key] += 1
        is_bare = named(said, "cast.condition.") and not [*waits(said)]
        assert not (is_bare and times) or times[0].key in APART or _of_this_time(found, times), found
    assert len(seen) >= 7


def test_a_line_that_waits_for_its_own_branch_names_that_branch_though_another_is_likelier():
    # 亥 completes a 三合 that drains the line, so that 应期 tells 巳 first.
    found = board("豫", 1, 3, month="丑", day="己酉").analyze(question="老师会同意吗？")
    said = told(cast_plan(found))
    assert [*waits(said)] == [("cast.if.own.by", "亥")]
    times = [each for each in named(said, "cast.times.") if "how" in each.values]
    assert branches_of(times) == {"巳", "亥"}


def _of_this_time(found: ly.Analysis, times: list[Statement]) -> bool:
    """Whether nothing is told to be waited for but the branch of this day or month."""
    return bool(branches_of(times) & {found.chart.day.branch.value, found.chart.month_branch.value})


@sizes(150, 2000)
def test_one_line_is_not_told_two_ways(count):
    seen: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        said, shi = told(plan), found.chart.primary.shi
        keys, marks = {each.key for each in said}, omens(said)
        if "cast.omen.忌神持世" in marks:
            assert shi not in places_in(said, "忌神", *STILL), found
            seen["presses"] += 1
        full = {each.values["place"].position for each in named(said, "cast.shaken.void")}
        if "cast.self.void" in keys:
            assert shi not in full, found
            seen["void"] += 1
        triggers = {
            term.hanzi
            for each in said
            if each.key.startswith("cast.times.")
            for term in each.values.get("triggers", ())
        }
        if "cast.held" in keys:
            assert "月破填合" not in triggers, found
            assert not {"cast.broken", "cast.season.broken"} & keys, found
            seen["held"] += 1
        if is_nothing(found.subject.state, found.subject.moving):
            assert not named(said, "cast.condition."), found
            assert not triggers, found
            seen["nothing"] += 1
        for each in named(said, "cast.hidden"):
            over = found.subject.position
            role = {"飞生伏": "原神", "飞克伏": "忌神"}.get(each.values["flying"].hanzi)
            if role and each.key == "cast.hidden":
                assert over not in places_in(said, role, *IDLE), found
                seen["flying"] += 1
    assert {*seen} >= {"presses", "void", "flying"}
    assert count < 2000 or {*seen} >= {"held", "nothing"}


@sizes(150, 2000)
def test_what_to_do_and_what_is_over_in_these_days_have_no_date(count):
    met = 0
    for found, plan in planned_casts(count):
        if matter_of(found.question, found.question_type).is_advised:
            assert not named([*plan.statements], "cast.when."), found
            assert not named([*plan.statements], "cast.times."), found
            met += 1
    assert met
    for asked in ("明天出差顺利吗", "Will my trip tomorrow go well?"):
        found = ly.derive("897888", AT).analyze(question=asked)
        assert not named([*cast_plan(found).statements], "cast.when.")
        assert not named([*cast_plan(found).statements], "cast.condition.")


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("我妈的手术顺利吗", "cast.topic.health.kin"), ("猫丢了找得到吗", "cast.todo.pet_found"),
        ("今年能怀孕吗", "cast.todo.conceived"), ("他喜欢我吗", "cast.todo.heart"),
        ("我的钥匙丢在哪里了", "cast.topic.lost"),
        ("前男友借了我三万块钱，会还吗", "cast.todo.debt"), ("Will I pass my driving test?", "cast.topic.study"),
        ("Will the landlord give us our deposit back?", "cast.todo.deposit"),
    ],
)  # fmt: skip
def test_where_nothing_is_decided_advice_is_that_of_the_matter_alone(asked, key):
    for lines in ("789876", "878977", "999666"):
        found = ly.derive(lines, AT).analyze(question=asked)
        advice = [each.key for each in cast_plan(found).statements if each.topic == "advice"]
        assert advice[0] == key
        assert not any(each.startswith("cast.advice.") and each[12:] in LEVELS for each in advice)


LEVELS = ("上上签", "中上签", "中下签", "下下签", "void")


@pytest.mark.parametrize(
    ("name", "moving", "month", "day", "kind"),
    [
        ("大过", (6,), "巳", "庚午", "疾病"), ("大壮", (1, 5, 6), "子", "乙酉", "疾病"),
        ("归妹", (4, 6), "巳", "丁卯", "怀孕"),
        ("小畜", (1,), "亥", "丁酉", "怀孕"),
    ],
)  # fmt: skip
def test_of_an_illness_nothing_is_said_that_sounds_like_the_end(name, moving, month, day, kind):
    found = analysis(name, *moving, month=month, day=day, ask=kind)
    assert is_nothing(found.subject.state, found.subject.moving)
    plan = cast_plan(found)
    said = " ".join(each.text for each in Speaker("zh-Hans", plan.digest).reading(plan).sentences)
    assert "以医生的话为准" in said
    assert not any(word in said for word in ("没有着落", "到底", "来得快去得也快"))
