"""神煞: every kind of rule by hand, what each option changes, what each hit rests on, one formula for all charts."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.alphabet import BRANCHES, PILLARS, Branch
from bazi_core.pillars import POSITIONS, FourPillars
from bazi_core.school import OPTIONS, School
from bazi_core.tables import rows
from bazi_core.views.evidence import view_facts
from bazi_core.views.star_evidence import star_facts
from bazi_core.views.star_rules import KINDS
from bazi_core.views.stars import flow_stars, star_masks, stars
from tests.sizes import sizes
from tests.tables import holds_for_all, rows_of

ROWS = [*rows("star_stems"), *rows("star_branches"), *rows("star_rules")]
VARIANTS = [(row["star"], row["variant"]) for row in rows("star_variants")]
BY_GENDER = {"元辰", "勾煞", "绞煞"}
FULL = School(star_set="full")
KOREAN = School.named("saju_kr")
INDEX = st.integers(0, 59)
CHARTS = st.tuples(INDEX, INDEX, INDEX, INDEX)
GENDERS = ("male", "female")
SCHOOLS = st.builds(
    School,
    star_set=st.sampled_from(OPTIONS["star_set"]),
    star_anchor=st.sampled_from(OPTIONS["star_anchor"]),
    cycle_anchor=st.sampled_from(OPTIONS["cycle_anchor"]),
    void_anchor=st.sampled_from(OPTIONS["void_anchor"]),
    star_variants=st.lists(st.sampled_from(VARIANTS)).map(dict),
)


def four(indices):
    """Pillars by index; rules of stars do not ask whether a moment can have them."""
    return FourPillars(*(None if index is None else PILLARS[index] for index in indices))


def found(pillars, gender="male", **options):
    chart = FourPillars.parse(pillars, strict=False)
    return {hit.name: hit for hit in stars(chart, gender, School(**{"star_set": "full", **options}))}


def at(star, pillars, gender="male", **options):
    hit = found(pillars, gender, **options).get(star)
    return " ".join(hit.positions) if hit else ""


def as_masks(hits, names):
    """Hits as the arithmetic gives them: a mask of positions for every star."""
    by_name = {hit.name: sum(1 << POSITIONS.index(each) for each in hit.positions) for hit in hits}
    return {name: by_name.get(name, 0) for name in names}


# Sets.


@pytest.mark.parametrize(("star_set", "count"), [("core_24", 24), ("full", 83), ("saju_kr", 15), ("none", 0)])
def test_a_set_has_its_number_of_stars(star_set, count):
    assert len(star_masks([0, 0, 0, 0], 0, School(star_set=star_set))) == count


def test_stars_that_no_other_coding_confirms_are_named_and_stay_outside_the_core():
    single = [row for row in rows("stars") if row["needs_second_source"]]
    assert len(single) == 29
    assert all("core_24" not in row["sets"].split() for row in single)
    assert all((row["agreement"] == "0") == bool(row["needs_second_source"]) for row in rows("stars"))


def test_every_star_has_rules_and_every_korean_one_a_korean_name():
    assert [row["name"] for row in rows("stars") if "saju_kr" in row["sets"]] == [
        row["name"] for row in rows("stars") if row["name_ko"]
    ]
    assert {row["star"] for row in ROWS} == {row["name"] for row in rows("stars")}


def test_hits_stand_in_the_order_of_the_table():
    names = [row["name"] for row in rows("stars")]
    hits = list(found("庚午 辛巳 庚辰 壬午"))
    assert hits == sorted(hits, key=names.index)
    assert len(hits) > 10


EXAMPLES = rows_of("core/views/star_examples.csv")


@holds_for_all("kind, star, pillars, gender, where", EXAMPLES)
def test_a_rule_of_each_kind_marks_the_pillars_one_finds_by_hand(kind, star, pillars, gender, where):
    assert kind in {row["kind"] for row in ROWS if row["star"] == star}
    assert at(star, pillars, gender) == where


def test_all_eighteen_kinds_are_used_and_have_an_example():
    assert set(KINDS) == {row["kind"] for row in ROWS} == {kind for kind, *_ in EXAMPLES}
    assert len(KINDS) == 18


def test_the_pillar_that_is_asked_does_not_mark_itself():
    # 子 years and days have 将星 at 子: the year marks the day, the day the year, neither itself.
    assert at("将星", "甲子 丙寅 乙丑 丁丑") == ""
    assert at("将星", "甲子 丙寅 甲子 丙寅") == "year day"
    assert at("将星", "甲子 丙寅 甲子 丙寅", star_anchor="day_only") == "year"
    assert at("太岁", "甲子 丙寅 乙丑 甲子") == "hour"


def test_a_further_row_of_a_star_adds_to_the_first():
    pillars = "甲子 壬申 甲子 庚寅"
    hit = found(pillars)["词馆"]
    assert (hit.positions, hit.anchor) == (("month", "hour"), "day_stem,year_stem,year_nayin")
    assert at("词馆", pillars, star_variants={"词馆": "stem_only"}) == "hour"


# Options.


def anchors(star):
    return {anchor for row in ROWS if row["star"] == star for anchor in row["anchors"].split()}


@given(CHARTS, st.sampled_from(GENDERS))
def test_day_only_drops_year_anchors_where_a_day_anchor_exists(indices, gender):
    chart = four(indices)
    both = {hit.name: hit for hit in stars(chart, gender, FULL)}
    by_day = {hit.name: hit for hit in stars(chart, gender, School(star_set="full", star_anchor="day_only"))}
    for row in rows("stars"):
        name = row["name"]
        asked = anchors(name) - {"year_nayin"}
        if any(each.startswith("day") for each in asked) and any(each.startswith("year") for each in asked):
            left = by_day[name].anchor.split(",") if name in by_day else []
            assert not {"year_stem", "year_branch"} & set(left)
            kept = (
                [each for each in both[name].anchor.split(",") if each not in ("year_stem", "year_branch")]
                if (name in both)
                else []
            )
            assert left == kept
        else:
            assert by_day.get(name) == both.get(name)


@cache
def random_charts(count):
    numbers = np.random.default_rng(3).integers(0, 60, (count, 4)).tolist()
    return [(four(indices), GENDERS[indices[0] % 2]) for indices in numbers]


@cache
def plain_hits(count):
    """The hits of each random chart without a variant."""
    return [{hit.name: hit for hit in stars(*each, FULL)} for each in random_charts(count)]


@sizes(600, 1500)
@pytest.mark.parametrize(("star", "variant"), VARIANTS)
def test_a_variant_changes_its_own_star_and_no_other(star, variant, count):
    school = School(star_set="full", star_variants={star: variant})
    differing = 0
    for number, (chart, gender) in enumerate(random_charts(count)):
        first = dict(plain_hits(count)[number])
        second = {hit.name: hit for hit in stars(chart, gender, school)}
        one, other = first.pop(star, None), second.pop(star, None)
        assert first == second
        assert other is None or other.variant == variant
        differing += (one and one.positions) != (other and other.positions)
    assert differing


@holds_for_all("star, variant, pillars, first, second", rows_of("core/views/star_variants.csv"))
def test_variants_by_hand(star, variant, pillars, first, second):
    assert at(star, pillars) == first
    hit = found(pillars, star_variants={star: variant}).get(star)
    assert " ".join(hit.positions if hit else ()) == second


def test_a_reading_that_no_other_coding_has_is_said_to_need_a_second_source():
    agreements = {(row["star"], row["variant"]): int(row["agreement"]) for row in rows("star_variants")}
    hit = found("甲子 丙寅 壬寅 庚子", star_variants={"孤鸾": "extended"})["孤鸾"]
    assert (hit.agreement, hit.second_source_needed) == (0, True)
    hit = found("甲子 丙寅 乙丑 己巳", star_variants={"金神": "day_or_hour_any_stem"})["金神"]
    assert (hit.agreement, hit.second_source_needed) == (1, False)
    assert agreements == {
        (row["name"], variant): agreements[row["name"], variant]
        for row in rows("stars")
        for variant in row["variants"].split()
    }


@pytest.mark.parametrize(("void_anchor", "where"), [("day", "year"), ("year", "hour"), ("both", "year hour")])
def test_the_star_of_the_void_follows_the_anchor_of_the_void(void_anchor, where):
    # 甲子 to 癸酉 leave out 戌亥; 甲戌 to 癸未 leave out 申酉.
    pillars = "甲戌 丙寅 甲子 壬申"
    assert at("空亡", pillars, void_anchor=void_anchor) == where
    assert at("空亡", pillars, void_anchor=void_anchor, star_anchor="day_only") == where
    others = found(pillars, void_anchor=void_anchor)
    others.pop("空亡")
    assert all(found(pillars)[name] == hit for name, hit in others.items())


def test_a_chosen_variant_goes_before_the_anchor_of_the_void():
    assert at("空亡", "甲戌 丙寅 甲子 壬申", star_variants={"旬空": "year"}) == "hour"


@given(CHARTS)
def test_gender_decides_three_stars_and_no_other(indices):
    by_gender = [
        {hit.name: hit for hit in stars(four(indices), gender, FULL)} for gender in ("male", "female", None)
    ]
    male, female, unknown = by_gender
    assert not BY_GENDER & set(unknown)
    for name in {*male, *female} - BY_GENDER:
        assert male.get(name) == female.get(name) == unknown.get(name)


def test_a_man_and_a_woman_of_one_year_count_to_opposite_sides():
    for year, branch in product(PILLARS[:12], BRANCHES):
        day = next(pillar for pillar in PILLARS if pillar.branch is branch)
        chart = FourPillars(year, year, day, None)
        names = [
            {hit.name for hit in stars(chart, gender, FULL) if "day" in hit.positions} for gender in GENDERS
        ]
        assert ("勾煞" in names[0]) == ("绞煞" in names[1])
        assert ("元辰" in names[0] and "元辰" in names[1]) is False


@given(CHARTS, st.sampled_from(GENDERS))
def test_without_an_hour_all_that_does_not_rest_on_it_stays(indices, gender):
    def marks(chart):
        return {
            (hit.name, position, leaves)
            for hit in stars(chart, gender, FULL)
            for position, leaves in zip(hit.positions, hit.grounds, strict=True)
        }

    whole, three = marks(four(indices)), marks(four((*indices[:3], None)))
    without = {mark[:2] for mark in whole if "hour" not in " ".join(mark[2])}
    assert without <= {mark[:2] for mark in three} <= {mark[:2] for mark in whole}
    assert not any("hour" in " ".join(leaves) for *_, leaves in three)


# Grounds and facts.


@given(CHARTS, CHARTS, st.sampled_from(GENDERS))
def test_a_hit_stands_as_long_as_its_grounds_do(indices, others, gender):
    chart, other = four(indices), four(others)
    for hit in stars(chart, gender, FULL):
        for position, leaves in zip(hit.positions, hit.grounds, strict=True):
            mixed = [
                held(name, one, another, leaves)
                for name, one, another in zip(POSITIONS, chart, other, strict=True)
            ]
            sex = gender if "p.input.gender" in leaves else GENDERS[1 - GENDERS.index(gender)]
            again = {each.name: each.positions for each in stars(FourPillars(*mixed), sex, FULL)}
            assert position in again.get(hit.name, ())


def held(position, pillar, other, leaves):
    """Another pillar that shares with this one what the leaves name."""
    stem, branch = (f"p.{position}.{part}" in leaves for part in ("stem", "branch"))
    alike = [
        each
        for each in PILLARS
        if (not stem or each.stem is pillar.stem) and (not branch or each.branch is pillar.branch)
    ]
    return alike[other.index % len(alike)]


@given(CHARTS, st.sampled_from([*GENDERS, None]), SCHOOLS)
def test_facts_of_stars_rest_on_leaves_that_the_chart_has(indices, gender, school):
    leaves = {fact.id for fact in view_facts(four(indices), school, None, gender) if not fact.derives_from}
    made = list(star_facts(stars(four(indices), gender, school)))
    assert all(fact.derives_from and set(fact.derives_from) <= leaves for fact in made)
    assert len({fact.id for fact in made}) == len(made)


def test_a_fact_names_star_and_pillar_and_its_doubt():
    facts = {fact.id: fact for fact in star_facts(found("庚午 辛巳 庚辰 壬午").values())}
    one = facts["star.魁罡.day"]
    assert one.text_zh == "魁罡在日柱"
    assert (one.kind, one.subject, one.predicate, one.value) == ("star", "魁罡", "stands", "day")
    assert one.derives_from == ("p.day.stem", "p.day.branch")
    assert (one.rule, one.source) == ("R-STAR", "YHZP")
    assert facts["star.太岁.hour"].text_zh == "太岁在时柱（一家之说）"
    assert facts["star.天德贵人.month"].derives_from == ("p.month.branch", "p.month.stem")


def test_a_star_by_gender_rests_on_gender_and_on_the_stem_of_the_year():
    [fact] = star_facts([found("甲子 辛未 丁巳 辛亥")["元辰"]])
    assert fact.derives_from == ("p.input.gender", "p.year.stem", "p.year.branch", "p.month.branch")


def test_a_pair_rests_on_both_branches_and_three_marvels_on_their_stems():
    pair = found("甲寅 丙子 甲午 癸酉")["鬼门关"]
    assert pair.anchor == ""
    assert [set(leaves) for leaves in pair.grounds] == [{"p.month.branch", "p.hour.branch"}] * 2
    three = found("丁丑 庚戌 丙子 乙未")["三奇贵人"]
    assert three.grounds == (("p.year.stem", "p.day.stem", "p.hour.stem"),)


def test_json_of_a_hit_names_the_variant_that_was_chosen():
    plain = found("甲子 丙寅 甲辰 丁卯")["羊刃"].to_dict()
    assert plain == {
        "name": "羊刃",
        "nature": "凶",
        "positions": ["hour"],
        "anchor": "day_stem",
        "variant": None,
        "agreement": 3,
        "second_source_needed": False,
        "evidence_ids": ["star.羊刃.hour"],
    }
    chosen = found("甲子 丙寅 甲辰 丁卯", star_variants={"阳刃": "with_yin_diwang"})["羊刃"].to_dict()
    assert chosen == {**plain, "agreement": 2, "variant": "with_yin_diwang"}


# Flow years.


def test_a_flow_year_puts_one_of_twelve_on_every_pillar():
    twelve = "太岁 太阳 丧门 太阴 官符 死符 岁破 龙德 白虎 福德 吊客 病符"
    cycle = [row["name"] for row in rows("stars") if row["cycle"].startswith("岁前十二神")]
    assert " ".join(cycle) == twelve
    for flow, own in product(BRANCHES, BRANCHES):
        pillar = next(each for each in PILLARS if each.branch is own)
        [hit] = flow_stars(FourPillars(pillar, pillar, pillar, None), flow, School())
        assert hit.name == cycle[(own.index - flow.index) % 12]
        assert hit.positions == ("year", "month", "day")
        assert hit.anchor == "flow_branch"


def test_facts_of_a_flow_year_rest_on_its_pillar_too():
    hits = flow_stars(FourPillars.parse("庚午 辛巳 庚辰 壬午"), Branch("子"), FULL)
    facts = list(star_facts(hits, "ln.2020.star", True, ("ln.2020",)))
    assert [(fact.id, fact.text_zh, fact.derives_from) for fact in facts if fact.subject == "岁破"] == [
        ("ln.2020.star.岁破.year", "流年岁破在年柱（一家之说）", ("ln.2020", "p.year.branch")),
        ("ln.2020.star.岁破.hour", "流年岁破在时柱（一家之说）", ("ln.2020", "p.hour.branch")),
    ]


def test_a_school_without_stars_has_none_in_flow_years_either():
    chart = FourPillars.parse("庚午 辛巳 庚辰 壬午")
    assert flow_stars(chart, Branch("午"), School(star_set="none")) == ()
    assert stars(chart, "male", School(star_set="none")) == ()


# One formula.


@given(CHARTS, st.sampled_from([*GENDERS, None]), st.booleans(), SCHOOLS)
def test_the_look_ups_say_what_the_arithmetic_says(indices, gender, hour_known, school):
    known = indices if hour_known else indices[:3]
    sex = None if gender is None else GENDERS.index(gender)
    masks = star_masks(known, sex, school)
    assert as_masks(stars(four((*known, None)[:4]), gender, school), masks) == masks


@given(st.lists(CHARTS, min_size=1, max_size=40), SCHOOLS)
def test_arrays_of_charts_get_what_single_charts_get(charts, school):
    columns = np.array(charts).T
    sexes = columns[0] % 2
    together = star_masks(list(columns), sexes, school)
    for number, indices in enumerate(charts):
        alone = star_masks(indices, indices[0] % 2, school)
        assert {
            name: int(np.broadcast_to(mask, sexes.shape)[number]) for name, mask in together.items()
        } == alone


# 十二神煞 as one cycle.


CYCLE = {row["name"] for row in rows("stars") if row["cycle"].startswith("十二神煞")}


@given(CHARTS, st.sampled_from(("year", "day")))
def test_as_a_cycle_every_pillar_bears_one_of_the_twelve(indices, anchor):
    school = School(star_set="saju_kr", cycle_anchor=anchor)
    chart = four(indices)
    hits = [hit for hit in stars(chart, None, school) if hit.name in CYCLE]
    borne = sorted(position for hit in hits for position in hit.positions)
    assert borne == sorted(POSITIONS)
    assert {hit.anchor for hit in hits} == {f"{anchor}_branch"}


@given(CHARTS)
def test_the_cycle_runs_forward_from_the_end_of_the_trine(indices):
    """劫煞 stands behind the grave of the trine of the anchor, and the twelve follow branch by branch."""
    numbers = {row["name"]: int(row["cycle"].split()[1]) for row in rows("stars") if row["name"] in CYCLE}
    chart = four(indices)
    grave = {0: 4, 1: 1, 2: 10, 3: 7}[chart.year.branch.index % 4]
    found = {
        position: hit.name
        for hit in stars(chart, None, KOREAN)
        if hit.name in CYCLE
        for position in hit.positions
    }
    for position, pillar in chart.items():
        assert numbers[found[position]] == (pillar.branch.index - grave - 1) % 12 + 1


def test_the_korean_profile_counts_the_twelve_from_the_year_and_others_as_before():
    assert (KOREAN.cycle_anchor, School().cycle_anchor) == ("year", "per_star")
    # 午 in the trine 寅午戌: its own 将星, 巳 is 亡神, 辰 月煞.
    hits = {hit.name: hit.positions for hit in stars(FourPillars.parse("庚午 辛巳 庚辰 壬午"), None, KOREAN)}
    assert (hits["将星"], hits["亡神"], hits["月煞"]) == (("year", "hour"), ("month",), ("day",))
