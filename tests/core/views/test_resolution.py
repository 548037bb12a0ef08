"""会合解冲刑 and 本身之合: what joinings and breaks make of each other, and two chapters of 《子平真诠》 case by case."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations, product

import pytest

import bazi_core as bz
from bazi_core.alphabet import BRANCHES, PILLARS, STEMS, Pillar
from bazi_core.pattern.conditions import Scene
from bazi_core.pattern.order import Regular
from bazi_core.pillars import FourPillars
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.views.relations import RANKS, relations, relations_with
from bazi_core.views.resolution import Relation, meetings
from tests.sizes import both
from tests.tables import holds_for_all, rows_of

SCHOOL = School(validate="warn")
FULL = ("三会", "三合", "六合")
OF_BRANCH = {branch.value: next(p for p in PILLARS if p.branch is branch) for branch in BRANCHES}
OF_STEM = {stem.value: next(p for p in PILLARS if p.stem is stem) for stem in STEMS}


def of_branches(chars: str) -> tuple[Relation, ...]:
    """The relations of a chart with these branches, year to hour; the stems are any that fit."""
    return relations(FourPillars(*(OF_BRANCH[char] for char in chars)), SCHOOL)


def of_stems(chars: str) -> tuple[Relation, ...]:
    """The relations of a chart with these stems."""
    return relations(FourPillars(*(OF_STEM[char] for char in chars)), SCHOOL)


def between(made: tuple[Relation, ...], name: str, *where: str) -> Relation:
    """The relation of this type at these positions."""
    return next(each for each in made if each.type == name and [at for at, _ in each.members] == [*where])


def meets(one: Relation, other: Relation) -> bool:
    """Whether two relations share a position and neither is two pillars apart."""
    shared = {at for at, _ in one.members} & {at for at, _ in other.members}
    return bool(shared) and "遥隔" not in (one.status, other.status)


# The table.


def test_every_type_of_the_table_is_a_relation_and_every_outcome_a_status():
    for (joining, breaking), outcomes in meetings().items():
        plain = {re.sub("^(别位|化解|减力)", "", joining), breaking.removeprefix("月令")}
        assert plain <= {*RANKS, "本身之合", "子卯刑", "二卯"}
        for each in outcomes:
            assert {each.joining, each.breaking} <= {"成立", "化解", "减力"}
            assert not each.joining == each.breaking == "化解"
            assert set(each.bound.split()) <= {"once", "drawn"}


def test_a_joining_loses_nothing_by_standing_nearer():
    worth = {"化解": 0, "减力": 1, "成立": 2}
    for outcomes in meetings().values():
        of_joining = [worth[each.joining] for each in outcomes]
        of_breaking = [worth[each.breaking] for each in outcomes]
        assert of_joining == sorted(of_joining, reverse=True)
        assert of_breaking == sorted(of_breaking)


def test_every_row_names_its_chapter():
    assert {row["source"].split("·")[0] for row in rows("resolutions")} == {"子平真诠"}


# 论刑冲会合解法. 会合解冲: 甲生酉月，逢卯则冲; 有戌，有辰，有亥与未，有巳与丑.
# 会合解刑: 丙生子月，逢卯则刑; 有戌，有丑，有亥与未，有申与辰.


@holds_for_all(
    "month, broken, others, name, joined",
    [
        ("酉", "六冲", "卯戌巳", "六合", "卯戌"),
        ("酉", "六冲", "卯辰午", "六合", "辰酉"),
        ("酉", "六冲", "卯亥未", "三合", "亥卯未"),
        ("酉", "六冲", "卯巳丑", "三合", "丑巳酉"),
        ("子", "刑", "卯戌巳", "六合", "卯戌"),
        ("子", "刑", "卯丑寅", "六合", "丑子"),
        ("子", "刑", "卯亥未", "三合", "亥卯未"),
        ("子", "刑", "卯申辰", "三合", "子申辰"),
    ],
)
def test_a_joining_resolves_the_break_of_the_month_wherever_it_stands_in_the_chart(
    month, broken, others, name, joined
):
    resolved = 0
    for one, *rest in permutations(others):
        chars = "".join((one, month, *rest))
        made = of_branches(chars)
        breaking = next(
            each for each in made if each.type == broken and {"卯", month} == {c for _, c in each.members}
        )
        joining = next(
            each
            for each in made
            if each.type == name and sorted(dict(each.members).values()) == sorted(joined)
        )
        if meets(breaking, joining):
            assert (breaking.status, joining.status) == ("化解", "成立"), chars
            assert joining.id in breaking.resolved_by
            resolved += 1
    assert resolved


# 因解而反得刑冲: 二卯 and one 子, 戌 takes one of the two away.


def test_one_of_two_punishments_remains_when_a_combination_takes_the_other_away():
    made = of_branches("卯子戌卯")
    states = [each.status for each in made if each.type == "刑"]
    assert sorted(states) == ["化解", "成立"]
    assert between(made, "六合", "day", "hour").status == "成立"
    # 戌 takes the nearer 卯 only.
    assert between(made, "六合", "year", "day").resolved_by == ("rel.六合.戌卯.day-hour",)


@pytest.mark.parametrize("chars", ["卯子卯寅", "卯子寅卯", "寅卯子卯"])
def test_two_hares_do_not_punish_one_rat_while_nothing_takes_one_of_them_away(chars):
    punished = [each for each in of_branches(chars) if each.type == "刑" and each.status != "遥隔"]
    assert [each.status for each in punished] == ["化解", "化解"]
    assert punished[0].resolved_by == (punished[1].id,)
    assert punished[1].resolved_by == (punished[0].id,)


@holds_for_all("chars, kind, where, status, by, why", rows_of("core/views/resolved.csv"))
def test_what_becomes_of_a_relation_beside_others(chars, kind, where, status, by, why):
    made = of_branches(chars) if chars[0] in OF_BRANCH else of_stems(chars)
    relation = between(made, kind, *where.split("-"))
    assert relation.status == status, why
    assert not by or relation.resolved_by == (by,), why


@pytest.mark.parametrize("hour", "子丑寅辰申亥戌")
def test_the_same_combination_resolves_the_clash_where_nothing_draws_it_off(hour):
    # 子年午月，日坐丑位，丑与子合，可以解冲; a second 子 brings a second clash.
    made = of_branches(f"子午丑{hour}")
    clashes = [each.status for each in made if each.type == "六冲" and "month" in dict(each.members)]
    assert clashes.count("化解") == 1
    assert (
        between(made, "六合", "year" if hour != "子" else "day", "day" if hour != "子" else "hour").status
        == "成立"
    )


# Every chart. Relations between branches depend on branches alone, and all 20,736 sets of four occur.


def clash_against_joinings(chars: str) -> int:
    """How many clashes a chart has that meet a full joining; each is told as the rule says."""
    made = of_branches(chars)
    by_id = {each.id: each for each in made}
    clashes = [each for each in made if each.type == "六冲"]
    told = 0
    for joining in made:
        if joining.type not in (*FULL, "半合") or joining.status == "遥隔":
            continue
        undone = [by_id[name] for name in joining.resolved_by if by_id[name].type == "六冲"]
        if joining.type == "半合":
            assert all(
                each.adjacent and not joining.adjacent for each in undone if joining.status == "化解"
            ), chars
            assert all(joining.id not in each.resolved_by for each in clashes), chars
            continue
        assert not undone, chars
        met = [each for each in clashes if meets(joining, each)]
        told += len(met)
        # A combination that is drawn off resolves none.
        wanted = 1 if met and joining.status == "成立" else 0
        assert sum(joining.id in each.resolved_by for each in met) == wanted, chars
    return told


# The whole pillars.


@pytest.mark.parametrize(
    ("pillars", "where", "by"),
    [
        # 子年午月, 日坐丑位: the book's own clash, under stems that control.
        ("甲子 庚午 己丑 乙亥", ("year", "month"), "rel.六合.子丑.year-day"),
        # 酉月, 日冲卯位, with 戌 beside the 卯.
        ("壬戌 己酉 乙卯 丙戌", ("month", "day"), "rel.六合.卯戌.day-hour"),
    ],
)
def test_two_pillars_clash_no_more_where_the_clash_of_their_branches_is_resolved(pillars, where, by):
    made = relations(FourPillars.parse(pillars), SCHOOL)
    clash, whole = (between(made, name, *where) for name in ("六冲", "天克地冲"))
    assert clash.status == whole.status == "化解"
    assert by in whole.resolved_by
    assert whole.resolved_by == clash.resolved_by


def test_two_pillars_clash_where_nothing_resolves_what_they_consist_of():
    made = relations(FourPillars.parse("甲子 庚午 庚辰 戊寅"), SCHOOL)
    assert between(made, "天克地冲", "year", "month").status == "成立"


def test_a_year_and_a_pillar_clash_no_more_where_the_branch_of_the_year_joins_another():
    natal = FourPillars.parse("乙亥 甲申 庚子 癸未")
    flows = relations_with(natal, (("liunian", Pillar("丙午")),), SCHOOL)
    clash, whole = (between(flows, name, "day", "liunian") for name in ("六冲", "反吟"))
    assert clash.status == whole.status == "化解"
    assert whole.resolved_by == ("rel.六合.未午.hour-liunian",)


def test_whole_pillars_stand_exactly_as_long_as_both_their_parts_do():
    rng, seen = random.Random(14), Counter[str]()
    for _ in range(1500):
        made = relations(FourPillars(*rng.choices(PILLARS, k=4)), SCHOOL)
        for whole in (each for each in made if each.type == "天克地冲"):
            where = tuple(at for at, _ in whole.members)
            parts = [each for each in made if each.type in ("六冲", "干冲", "干克") and at_of(each) == where]
            assert len(parts) == 2
            worst = next(each for each in ("化解", "减力", whole.status) if each in {p.status for p in parts})
            assert whole.status == worst, (made, whole)
            assert set(whole.resolved_by) <= {by for part in parts for by in part.resolved_by}
            seen[whole.status] += 1
    assert set(seen) == {"成立", "化解", "减力", "遥隔"}


def at_of(relation: Relation) -> tuple[str, ...]:
    return tuple(at for at, _ in relation.members)


@pytest.mark.parametrize("signs", both(("子丑午未酉亥", 100), (BRANCHES, 2500)))
def test_no_clash_resolves_a_joining_that_stands_as_near(signs):
    branches, least = signs
    assert (
        sum(clash_against_joinings("".join(map(str, four))) for four in product(branches, repeat=4)) > least
    )


def test_a_joining_resolves_one_clash_of_a_flow_year_too():
    # The year 子 meets 午 of year and hour; 丑 of the day joins it.
    four = FourPillars.parse("甲午 丙寅 乙丑 壬午")
    made = relations_with(four, (("liunian", OF_BRANCH["子"]),), SCHOOL)
    assert [each.status for each in made if each.type == "六冲"] == ["化解", "成立"]


# 论十干合而不合.


def seen(stems: str) -> Scene:
    """A chart with these stems as the rows of 成败 see it."""
    four = FourPillars(*(OF_STEM[char] for char in stems))
    made = relations(four, SCHOOL)
    chart = bz.chart(pillars=str(four), school=SCHOOL)
    return Scene(four, Regular("正官格", None, ""), made, chart.roots, (0.2,) * 5, True)


@holds_for_all(
    "stems, bound",
    [
        # 合而不敢合: 庚 between 甲 and 己.
        ("甲庚丙己", set()),
        # 隔位太远: 甲 of the year and 己 of the hour.
        ("甲丙丁己", set()),
        # 合而无伤: 甲 of a month of 寅 or 卯 with 辛 at month and hour; 丙 of the year takes one, one stays.
        ("丙辛甲辛", {"year", "month"}),
        # 甲 with its blade, 庚 and 辛 both there, 丙 takes 辛: 合官留杀.
        ("丙辛甲庚", {"year", "month"}),
        # 本身之合: 乙 of the day with 庚 as its officer.
        ("丙庚乙丁", set()),
        ("丙丁乙庚", set()),
        # 庚 of the year and 乙 of the month: the month takes it first.
        ("庚乙乙丁", {"year", "month"}),
        # 丁 of the day meets 壬; 壬 of the month with 丁 of the year is taken by the sister.
        ("丙壬丁甲", set()),
        ("丁壬丁甲", {"year", "month"}),
        # 争合妒合: two 辛 want one 丙.
        ("辛丙甲辛", {"year", "month", "hour"}),
        # 高太尉: 两乙合庚，甲日隔之.
        ("庚乙甲乙", {"year", "month"}),
    ],
)
def test_the_cases_of_combinations_that_do_and_do_not_take_a_stem_away(stems, bound):
    assert set(seen(stems).bound) == bound


def test_the_officer_of_marshal_gao_stays_beside_the_killing_that_is_combined_away():
    # 庚午 乙酉 甲子 乙亥: 合杀留官.
    found = bz.chart(pillars="庚午 乙酉 甲子 乙亥").pattern()
    assert found.name == "正官格"
    assert found.standing is not None
    assert "合杀清官" in {each.id for each in found.standing.answers() if each.holds}
    assert seen("庚乙甲乙").bound["year"] == "rel.干合.庚乙.year-month"


def own_combinations(stems: str) -> int:
    """How many combinations of the day stem a chart has; none of them takes anything away."""
    made = of_stems(stems)
    own = {each.id for each in made if each.type == "干合" and "day" in dict(each.members)}
    assert not own & {name for each in made for name in each.resolved_by}, stems
    return len(own)


def bound_by_the_day(stems: str) -> int:
    """How many stems a chart has bound; none of them by the day stem."""
    bound = seen(stems).bound
    assert all("day" not in tie.rpartition(".")[2].split("-") for tie in bound.values()), stems
    return len(bound)


# All sets of four stems occur: the month gives every stem of a year, the hour every stem of a day.
@pytest.mark.parametrize("signs", both(("甲己丁壬", 100, 100), (STEMS, 2000, 1000)))
def test_no_combination_of_the_day_stem_takes_a_stem_away(signs):
    stems, own, bound = signs
    every = ["".join(map(str, four)) for four in product(stems, repeat=4)]
    assert sum(map(own_combinations, every)) > own
    assert sum(map(bound_by_the_day, every)) > bound


@pytest.mark.parametrize("pair", ["寅申", "丑未"])
def test_a_punishment_stands_while_nothing_resolves_the_clash_of_its_own_branches(pair):
    resolved = 0
    for other, last in product(BRANCHES, repeat=2):
        made = of_branches(f"{pair}{other.value}{last.value}")
        clash, punished = (between(made, name, "year", "month") for name in ("六冲", "刑"))
        resolved += punished.status == "化解"
        if clash.status != "化解":
            assert punished.status != "化解", (pair, other, last)
    assert resolved
