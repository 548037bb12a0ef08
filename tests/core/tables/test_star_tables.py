"""The tables of the stars, held against the verses and formulas behind them, and against their own checksums.

Many stars are arithmetic in disguise: twelve that follow each other round the cycle, a branch that combines with
another star's, the place of an element's growth. What has such a law is proved by it here; the checksums keep the
rest as it was read from the books.
"""

import hashlib

import pytest

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, Branch, Element, Stem
from bazi_core.tables import rows
from bazi_core.views.cycles import void_branches
from tests.tables import holds_for_all

STEM_NAMES = [stem.value for stem in STEMS]
BRANCH_NAMES = [branch.value for branch in BRANCHES]
TRINES = {"申子辰": 0, "巳酉丑": 9, "寅午戌": 6, "亥卯未": 3}
CHECKSUMS = {
    "star_stems": "f69865a6070da391",
    "star_branches": "a6c7b4c3f0c072ae",
    "star_rules": "d4264639fb9c219a",
}


def branches_of(star, variant="default", table="star_branches"):
    """Index of the branch (or stem) in every cell of a matrix row."""
    [row] = [each for each in rows(table) if each["star"] == star and variant in each["variants"].split()]
    names = STEM_NAMES if table == "star_stems" else BRANCH_NAMES
    return [row[name] for name in names]


def numbers(star, *where):
    return [BRANCH_NAMES.index(cell) for cell in branches_of(star, *where)]


def rule(star, variant="default", which=0):
    found = [row for row in rows("star_rules") if row["star"] == star and variant in row["variants"].split()]
    return dict(word.split(":") for word in found[which]["rule"].split())


@pytest.mark.parametrize("name", CHECKSUMS)
def test_a_table_is_as_it_was_read(name):
    text = "\n".join(",".join(row.values()) for row in rows(name))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == CHECKSUMS[name]


# Cycles of twelve.


@holds_for_all(
    "star, number",
    [
        (row["name"], int(row["cycle"].split()[1]))
        for row in rows("stars")
        if row["cycle"].startswith("十二神煞")
    ],
)
def test_the_twelve_from_robbery_follow_each_other_round_the_branches(star, number):
    # 劫煞 stands on the first branch after the trine's store, where its element ends.
    for at, found in enumerate(numbers(star)):
        middle = next(middle for trine, middle in TRINES.items() if BRANCH_NAMES[at] in trine)
        assert found == (middle + 4 + number) % 12


def test_both_cycles_are_whole():
    for cycle in ("十二神煞", "岁前十二神"):
        places = [int(row["cycle"].split()[1]) for row in rows("stars") if row["cycle"].startswith(cycle)]
        assert sorted(places) == list(range(1, 13))


@holds_for_all(
    "star, number",
    [(row["name"], int(row["cycle"].split()[1])) for row in rows("stars") if row["cycle"].startswith("岁前")],
)
def test_the_twelve_before_the_year_count_on_from_it(star, number):
    assert numbers(star) == [(at + number - 1) % 12 for at in range(12)]


# Stars that follow from others.

OFFSETS = {
    "月破": lambda at: at + 6,
    "天医": lambda at: at - 1,
    "红鸾": lambda at: 3 - at,
    "天喜": lambda at: 9 - at,
    "披麻": lambda at: at + 9,
    "孤辰": lambda at: ((at + 1) // 3 * 3) + 2,
    "寡宿": lambda at: ((at + 1) // 3 * 3) - 2,
    "破碎": lambda at: (5, 1, 9)[at % 3],
}


@holds_for_all("star", OFFSETS)
def test_a_star_by_branch_follows_its_formula(star):
    assert numbers(star) == [OFFSETS[star](at) % 12 for at in range(12)]


def combined_branch(number):
    return (1 - number) % 12


def combined_stem(number):
    return (number + 5) % 10


def test_lu_is_where_a_stem_is_in_office_and_others_are_counted_from_it():
    stages = {row["stem"]: row for row in rows("stages") if row["school"] == "yang_shun_yin_ni"}
    lu = [
        next(n for n, name in enumerate(BRANCH_NAMES) if stages[stem][name] == "临官") for stem in STEM_NAMES
    ]
    assert numbers("禄神", "default", "star_stems") == lu
    assert numbers("词馆", "lin_guan", "star_stems") == lu
    assert numbers("暗禄", "default", "star_stems") == [combined_branch(each) for each in lu]
    assert numbers("金舆", "default", "star_stems") == [(each + 2) % 12 for each in lu]
    assert numbers("国印贵人", "default", "star_stems") == [(each + 8) % 12 for each in lu]
    assert numbers("国印贵人", "wuxing_jingji", "star_stems") == [(each + 7) % 12 for each in lu]
    assert numbers("学堂", "default", "star_stems") == [
        next(n for n, name in enumerate(BRANCH_NAMES) if stages[stem][name] == "长生") for stem in STEM_NAMES
    ]
    blades = branches_of("羊刃", "default", "star_stems")
    assert blades[1::2] == [""] * 5
    assert [BRANCH_NAMES.index(each) for each in blades[::2]] == [(each + 1) % 12 for each in lu[::2]]
    assert numbers("羊刃", "with_yin_forward", "star_stems") == [(each + 1) % 12 for each in lu]
    assert numbers("羊刃", "with_yin_diwang", "star_stems") == [
        next(n for n, name in enumerate(BRANCH_NAMES) if stages[stem][name] == "帝旺") for stem in STEM_NAMES
    ]


@pytest.mark.parametrize("variant", ["default", "with_yin_forward", "with_yin_diwang"])
def test_the_flying_blade_stands_opposite_the_blade(variant):
    blades, flying = (branches_of(star, variant, "star_stems") for star in ("羊刃", "飞刃"))
    for blade, other in zip(blades, flying, strict=True):
        assert (not blade and not other) or abs(BRANCH_NAMES.index(blade) - BRANCH_NAMES.index(other)) == 6


def test_the_kitchen_is_the_office_of_the_food_god():
    lu = branches_of("禄神", "default", "star_stems")
    assert branches_of("天厨贵人", "default", "star_stems") == [lu[(at + 2) % 10] for at in range(10)]


CLASHING = {"甲": "庚", "庚": "甲", "丙": "壬", "壬": "丙"}


def test_virtues_of_the_month_are_the_yang_stem_of_the_trine_its_partner_and_its_opposite():
    yang = {0: "壬", 9: "庚", 6: "丙", 3: "甲"}
    own, partner, opposite = (branches_of(star) for star in ("月德贵人", "月德合", "月空"))
    for at, branch in enumerate(BRANCH_NAMES):
        middle = next(middle for trine, middle in TRINES.items() if branch in trine)
        assert own[at] == yang[middle]
        assert partner[at] == STEM_NAMES[combined_stem(STEM_NAMES.index(own[at]))]
        assert opposite[at] == CLASHING[own[at]]


def test_the_partner_of_the_virtue_of_heaven_combines_with_it():
    for virtue, partner in zip(branches_of("天德贵人"), branches_of("天德合"), strict=True):
        if virtue in STEM_NAMES:
            assert STEM_NAMES.index(partner) == combined_stem(STEM_NAMES.index(virtue))
        else:
            assert BRANCH_NAMES.index(partner) == combined_branch(BRANCH_NAMES.index(virtue))


def test_the_noble_of_heaven_never_stands_in_the_nets():
    cells = branches_of("天乙贵人", "default", "star_stems")
    assert not set("".join(cells)) & set("辰戌")
    assert all(len(cell) == 2 for cell in cells)


def test_literary_and_hall_pillars_of_a_stem():
    literary = branches_of("文昌贵人", "default", "star_stems")
    lu = numbers("禄神", "default", "star_stems")
    # The verse: 甲乙巳午报君知, 丙戊申宫丁己鸡, 庚猪辛鼠壬逢虎, 癸人见卯入云梯.
    assert literary == list("巳午申酉申酉亥子寅卯")
    for stem, cell in zip(STEM_NAMES, branches_of("词馆", "default", "star_stems"), strict=True):
        assert cell in {pillar.value for pillar in PILLARS}
        if stem != "癸":
            assert BRANCH_NAMES.index(cell[1]) == lu[STEM_NAMES.index(stem)]


def test_places_of_the_element_of_the_year():
    for star, variant, stage in (("学堂", "nayin", "长生"), ("词馆", "default", "临官")):
        stages = {row["stem"]: row for row in rows("stages") if row["school"] == "water_earth_same"}
        for elements, branch in rule(star, variant).items():
            for element in elements:
                yang = next(stem for stem in STEMS if stem.element is Element(element))
                assert stages[yang.value][branch] == stage


def test_void_branches_are_those_that_a_xun_leaves_out():
    for which in range(2):
        table = rule("空亡", "both", which)
        assert table == {
            pillar.value: "".join(branch.value for branch in void_branches(pillar))
            for pillar in PILLARS[::10]
        }


def test_four_great_voids_name_the_element_that_a_xun_lacks():
    missing = {}
    for head in PILLARS[::10]:
        ten = {row["nayin"][-1] for row in rows("nayin")[head.index // 2 : head.index // 2 + 5]}
        lacking = [each.value for each in ELEMENTS if each.value not in ten]
        if lacking:
            missing[head.value] = "".join(lacking)
    assert rule("四大空亡") == missing


def nayin_element(pillar):
    return Element(next(row["nayin"] for row in rows("nayin") if pillar in row["pillars"].split())[-1])


@pytest.mark.parametrize(("season", "ruler"), [("春", "木"), ("夏", "火"), ("秋", "金"), ("冬", "水")])
def test_days_of_a_season(season, ruler):
    ruler = Element(ruler)
    for pillar in rule("四废")[season].split("/"):
        stem, branch = Stem(pillar[0]), Branch(pillar[1])
        # Both characters are of the element that fights the season in vain: it is 囚 or 死.
        assert stem.element is branch.element
        assert stem.element.controls is ruler or ruler.controls is stem.element
    heavenly, earthly = rule("天转")[season], rule("地转")[season]
    assert Stem(heavenly[0]).element is Branch(heavenly[1]).element is ruler
    assert earthly[1] == heavenly[1]
    assert nayin_element(earthly) is ruler
