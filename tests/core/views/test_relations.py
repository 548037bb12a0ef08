"""合冲刑害破会: which there are, how strong, what becomes of them beside one another."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bazi_core.alphabet import BRANCHES, PILLARS, STEMS
from bazi_core.facts import collect
from bazi_core.pillars import POSITIONS, FourPillars
from bazi_core.school import School
from bazi_core.tables import rows
from bazi_core.views import relations as rel
from bazi_core.views.relation_evidence import relation_facts
from bazi_core.views.relations import relations, relations_with
from tests.census.stars import all_pillars
from tests.tables import holds_for_all

ANY = st.tuples(*[st.sampled_from(PILLARS)] * 4).map(lambda four: FourPillars(*four))
JOINING, BREAKING = {"三会", "三合", "六合", "半合"}, {"六冲", "刑", "三刑", "六害", "六破"}


def of(text, **options):
    return relations(FourPillars.parse(text, strict=False), School(**options))


def found(text, **options):
    return {each.id.removeprefix("rel."): each for each in of(text, **options)}


def kinds(text, **options):
    return {(each.type, tuple(where for where, _ in each.members)) for each in of(text, **options)}


# Which there are.


def test_every_row_of_the_table_is_found_when_its_members_stand_side_by_side():
    for row in rows("relations"):
        members = row["members"]
        school = School(**({row["option"]: row["value"]} if row["option"] else {}))
        pillars = [next(p for p in PILLARS if char in (p.stem.value, p.branch.value)) for char in members]
        four = FourPillars(*(pillars + [PILLARS[0]] * 4)[:3], None)
        made = [each for each in relations(four, school) if each.type == row["type"]]
        wanted = [
            each
            for each in made
            if [where for where, _ in each.members] == list(POSITIONS[: len(members)])
            and (each.element.value if each.element else "") == row["element"]
        ]
        assert wanted, row


def test_a_pair_is_found_whichever_of_the_two_stands_first():
    def between(one, other):
        made = relations(FourPillars(one, other, PILLARS[0], None), School())
        return {each.type for each in made if [where for where, _ in each.members] == ["year", "month"]}

    for one, other in combinations(PILLARS, 2):
        assert between(one, other) == between(other, one)


def test_every_pair_of_stems_is_equal_combines_clashes_controls_or_generates():
    table = rel.stem_table()
    for one, other in product(STEMS, repeat=2):
        controls = one.element.controls is other.element or other.element.controls is one.element
        assert table(one.index, other.index).bit_count() == int(controls), (one, other)


@pytest.mark.parametrize("chars", ["辰辰", "午午", "酉酉", "亥亥"])
def test_four_branches_punish_themselves(chars):
    [branch] = {*chars}
    assert rel.branch_table()(*[BRANCHES.index(each) for each in BRANCHES if each.value == branch] * 2)


def test_other_branches_do_not_punish_themselves():
    bit = 1 << rel.BRANCH_TYPES.index("刑")
    own = {each.value for each in BRANCHES if rel.branch_table()(each.index, each.index) & bit}
    assert own == {*"辰午酉亥"}


def test_two_of_a_trine_without_its_middle_one_only_lean_on_each_other():
    assert ("拱合", ("year", "month")) in kinds("甲申 戊辰 甲子 甲子")
    assert ("半合", ("year", "month")) in kinds("甲申 丙子 甲子 甲子")
    assert ("半合", ("year", "month")) not in kinds("甲申 戊辰 甲子 甲子")


def test_a_complete_triple_is_found_once_for_every_choice_of_three_pillars():
    three = [key for key in found("甲申 丙子 戊辰 丙子") if key.startswith("三合")]
    assert three == ["三合.申子辰.year-month-day", "三合.申辰子.year-day-hour"]


def test_equal_pillars_are_one_relation_and_not_a_clash():
    assert ("伏吟", ("day", "hour")) in kinds("甲子 丙寅 庚午 庚午")


def test_stem_and_branch_against_each_other_make_a_clash_of_whole_pillars():
    assert ("天克地冲", ("month", "day")) in kinds("甲子 丙子 庚午 丙子")
    # 丙 and 壬 clash, the branches do not.
    assert ("天克地冲", ("month", "day")) not in kinds("甲子 丙子 壬子 丙子")


def test_a_pillar_is_covered_or_cut_off_by_its_own_half():
    assert {("盖头", ("hour",)), ("截脚", ("year",)), ("截脚", ("month",))} <= kinds("庚午 辛巳 庚辰 壬午")


def test_options_change_the_element_of_wuwei_and_the_pairs_of_hidden_combination():
    assert found("甲午 辛未 甲子 甲子")["六合.午未.year-month"].element.value == "土"
    assert found("甲午 辛未 甲子 甲子", wuwei_element="火")["六合.午未.year-month"].element.value == "火"
    assert ("暗合", ("year", "month")) not in kinds("丙寅 甲午 甲子 甲子")
    assert ("暗合", ("year", "month")) in kinds("丙寅 甲午 甲子 甲子", anhe="six_pairs")


def test_without_an_hour_only_three_pillars_meet():
    assert all("hour" not in dict(each.members) for each in of("庚午 辛巳 庚辰"))


def test_arrays_and_ints_read_the_same_cells():
    pillars = [PILLARS[index] for index in (6, 17, 16, 18)]
    stems, branches = [p.stem.index for p in pillars], [p.branch.index for p in pillars]
    as_arrays = rel.pair_masks([np.array([s]) for s in stems], [np.array([b]) for b in branches])
    assert {at: int(mask[0]) for at, mask in as_arrays.items()} == rel.pair_masks(stems, branches)
    assert all(each.shape for each in all_pillars())


# How strong: rank times distance; a triple of neighbours counts whole, any other half.


@holds_for_all(
    "pillars, key, strength",
    [
        ("甲子 丙寅 庚午 丙子", "六冲.子午.year-day", 2.5),
        ("甲子 丙寅 庚午 丙子", "六冲.午子.day-hour", 5),
        ("甲午 丙子 甲子 甲子", "六冲.午子.year-month", 6),
        ("甲午 丙寅 甲寅 甲子", "六冲.午子.year-hour", 1.25),
        ("甲子 丁丑 乙未 丙寅", "六冲.丑未.month-day", 6),
        ("甲申 丙子 戊辰 甲寅", "三合.申子辰.year-month-day", 7),
        ("甲申 丙子 甲寅 戊辰", "三合.申子辰.year-month-hour", 3.5),
    ],
)
def test_strength_is_the_rank_times_the_distance(pillars, key, strength):
    assert found(pillars)[key].strength == strength


# What becomes of them.


@holds_for_all(
    "pillars, key, status, by",
    [
        # 丑 between 子 and 戌: 子丑 combine (5), 丑戌 punish each other (3).
        ("甲子 丁丑 甲戌 丙寅", "六合.子丑.year-month", "成立", ""),
        ("甲子 丁丑 甲戌 丙寅", "刑.丑戌.month-day", "化解", "六合.子丑.year-month"),
        # A clash with the month gives way to a combination as near,
        ("甲子 丁丑 乙未 丙寅", "六冲.丑未.month-day", "化解", "六合.子丑.year-month"),
        ("甲子 丁丑 乙未 丙寅", "六合.子丑.year-month", "成立", ""),
        # and one that is nearer too: 子年午月，日坐丑位，丑与子合，可以解冲 (《子平真诠·论刑冲会合解法》).
        ("甲子 庚午 己丑 丁卯", "六冲.子午.year-month", "化解", "六合.子丑.year-day"),
        ("甲子 庚午 己丑 丁卯", "六合.子丑.year-day", "成立", ""),
        # 亥 and 卯 lean on each other one apart; 申 between them harms 亥.
        ("乙亥 甲申 丁卯 癸丑", "半合.亥卯.year-day", "减力", "六害.亥申.year-month"),
        ("乙亥 甲申 丁卯 癸丑", "六害.亥申.year-month", "减力", "半合.亥卯.year-day"),
        # Two pillars apart nothing acts or is resolved.
        ("甲子 丙寅 乙丑 庚午", "六冲.子午.year-hour", "遥隔", ""),
    ],
)
def test_what_becomes_of_a_relation_beside_another(pillars, key, status, by):
    relation = found(pillars)[key]
    assert (relation.status, relation.resolved_by) == (status, (f"rel.{by}",) if by else ())


def at_of(relation):
    return tuple(where for where, _ in relation.members)


@given(ANY)
@example(FourPillars.parse("癸亥 丁巳 壬申 辛丑"))
def test_a_joining_and_a_break_undo_each_other_and_only_where_they_meet(pillars):
    made = {each.id: each for each in relations(pillars, School())}
    for each in made.values():
        by = [made[name] for name in each.resolved_by]
        assert bool(by) == (each.status in ("化解", "减力"))
        shared = {where for where, _ in each.members}
        for other in by:
            assert shared & {where for where, _ in other.members}
            assert other.status != "遥隔"
            types = {each.type, other.type}
            if each.type == "天克地冲":  # it goes with what it consists of
                parts = [one for one in made.values() if at_of(one) == at_of(each) and one is not each]
                assert any(other.id in one.resolved_by for one in parts)
                continue
            elsewhere = "month" not in dict(other.members)  # 以刑冲而解刑冲
            assert (
                (types & JOINING and types & BREAKING)
                or (
                    types <= {*JOINING, "拱合"} and each.status == "化解"
                )  # what another combination draws off
                or "干合" in types
                or (types == {"六冲", "刑"} and elsewhere)
            )


@given(ANY)
def test_ids_are_unique_and_members_stand_in_the_order_of_the_pillars(pillars):
    made = relations(pillars, School())
    assert len({each.id for each in made}) == len(made)
    for each in made:
        places = [POSITIONS.index(where) for where, _ in each.members]
        assert places == sorted(places)
        by_place = dict(pillars.items())
        assert all(
            char in (by_place[w].value, by_place[w].stem.value, by_place[w].branch.value)
            for w, char in each.members
        )


# Whether a combination transforms.


@holds_for_all(
    "pillars, key, status",
    [
        ("甲子 己巳 戊辰 丙辰", "干合.甲己.year-month", "合绊"),  # month of fire
        ("甲子 己未 戊辰 丙辰", "干合.甲己.year-month", "合化"),  # month of earth, nothing against it
        ("甲寅 丁卯 壬戌 戊申", "干合.丁壬.month-day", "合绊"),  # the day stem is bound, not turned
        ("甲子 甲戌 己巳 甲子", "干合.甲己.month-day", "争合"),  # two 甲 for one 己
        ("己巳 甲戌 己巳 丙寅", "干合.甲己.month-day", "妒合"),  # two 己 for one 甲
        ("甲子 丙寅 己巳 甲子", "干合.甲己.year-day", "遥合"),  # not neighbours
        ("丙子 辛丑 甲辰 丙寅", "干合.丙辛.year-month", "合绊"),  # month of earth
        ("甲申 丙子 壬辰 甲辰", "三合.申子辰.year-month-day", "合化"),
    ],
)
def test_a_combination_transforms_in_its_month_only_when_nothing_stands_against_it(pillars, key, status):
    assert found(pillars)[key].hua_status == status


@given(ANY)
def test_only_combinations_are_asked_whether_they_transform(pillars):
    for each in relations(pillars, School()):
        assert (each.hua_status is not None) == (each.type in ("干合", "六合", "三合"))


# With luck and flow pillars.


def test_a_flow_pillar_is_a_neighbour_of_every_pillar():
    flows = (("luck", PILLARS[19]), ("liunian", PILLARS[42]))
    made = relations_with(FourPillars.parse("庚午 辛巳 庚辰 壬午"), flows, School())
    assert all({"luck", "liunian"} & {where for where, _ in each.members} for each in made)
    assert all(each.adjacent for each in made if len(each.members) == 2)
    assert {each.status for each in made} <= {"成立", "减力", "化解"}


def test_a_flow_pillar_against_a_pillar_of_birth_is_called_fanyin():
    made = relations_with(FourPillars.parse("甲子 丙寅 戊辰 庚申"), (("liunian", PILLARS[6]),), School())
    assert [each.id for each in made if each.type == "反吟"] == ["rel.反吟.甲子庚午.year-liunian"]


@given(ANY, st.sampled_from(PILLARS), st.sampled_from(PILLARS))
def test_the_year_does_not_depend_on_which_of_sixty_years_it_is_called(pillars, luck, year):
    one = relations_with(pillars, (("luck", luck), ("liunian", year)), School())
    natal = {each.id for each in relations(pillars, School())}
    assert not natal & {each.id for each in one}


# As facts.


@given(ANY)
def test_every_relation_is_a_fact_that_rests_on_the_halves_of_its_pillars(pillars):
    made = relations(pillars, School(validate="warn"))
    facts = collect(relation_facts(made))
    assert {each.id for each in made} <= facts.keys()
    for each in made:
        assert facts[each.id].value == each.status
        assert {leaf.split(".")[1] for leaf in facts[each.id].derives_from} == {
            where for where, _ in each.members
        }


@given(ANY, st.sampled_from(PILLARS))
def test_the_relations_of_a_pillar_are_remembered_as_they_are_found(pillars, luck):
    flows = (("luck", luck),)
    found = relations_with(pillars, flows, School())
    assert (
        found
        == relations_with(pillars, flows, School())
        == relations_with.__wrapped__(pillars, flows, School())
    )
    most = relations_with.cache_info().maxsize
    assert most is not None
    assert relations_with.cache_info().currsize <= most <= 1000
