"""The sixty-four hexagrams: palaces from the rule, names, 纳甲, relatives, hidden lines, marks, look-up."""

import pickle
from collections import Counter

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, ELEMENTS, Branch
from bazi_core.errors import UnknownHexagram
from bazi_core.liuyao import hexagrams as hx
from tests.core.liuyao import reference as ref
from tests.tables import holds_for_all

KING_WEN = [
    "乾", "坤", "屯", "蒙", "需", "讼", "师", "比", "小畜", "履", "泰", "否", "同人", "大有", "谦", "豫",
    "随", "蛊", "临", "观", "噬嗑", "贲", "剥", "复", "无妄", "大畜", "颐", "大过", "坎", "离", "咸", "恒",
    "遁", "大壮", "晋", "明夷", "家人", "睽", "蹇", "解", "损", "益", "夬", "姤", "萃", "升", "困", "井",
    "革", "鼎", "震", "艮", "渐", "归妹", "丰", "旅", "巽", "兑", "涣", "节", "中孚", "小过", "既济",
    "未济",
]  # fmt: skip
IMAGES = dict(zip("乾兑离震巽坎艮坤", "天泽火雷风水山地", strict=True))
# 消息卦 and their months.
MONTHS = dict(
    zip(
        ["复", "临", "泰", "大壮", "夬", "乾", "姤", "遁", "否", "观", "剥", "坤"],
        "子丑寅卯辰巳午未申酉戌亥",
        strict=True,
    )
)


def test_there_are_sixty_four_in_king_wens_order():
    assert [each.name for each in ly.HEXAGRAMS] == KING_WEN
    assert [each.number for each in ly.HEXAGRAMS] == [*range(1, 65)]
    assert {each.code for each in ly.HEXAGRAMS} == {*range(64)}


def test_a_full_name_is_upper_image_lower_image_and_short_name():
    for each in ly.HEXAGRAMS:
        upper, lower = IMAGES[each.upper.name], IMAGES[each.lower.name]
        assert each.full_name == (f"{each.name}为{upper}" if upper == lower else f"{upper}{lower}{each.name}")


def test_trigrams_are_read_from_the_bottom():
    for each in ly.HEXAGRAMS:
        assert ref.OF_BITS[each.binary[:3]] == each.lower.name
        assert ref.OF_BITS[each.binary[3:]] == each.upper.name
    assert {name: each.element.value for name, each in hx.trigrams().items()} == {
        name: row[1] for name, row in ref.TRIGRAMS.items()
    }


def test_trigrams_have_the_numbers_of_meihua_and_opposites_of_the_later_heaven():
    found = hx.trigrams().values()
    assert [(each.name, each.number) for each in found] == list(
        zip("乾兑离震巽坎艮坤", range(1, 9), strict=True)
    )
    pairs = {frozenset((each.name, each.opposite)) for each in found}
    assert pairs == {frozenset(pair) for pair in ("乾巽", "坎离", "艮坤", "震兑")}


def test_palace_and_generation_follow_from_turning_lines():
    assert {each.binary: (each.palace, each.generation) for each in ly.HEXAGRAMS} == ref.palaces()


def test_shi_follows_the_generation_and_ying_is_three_lines_away():
    for each in ly.HEXAGRAMS:
        assert each.shi == ref.SELF[each.generation]
        assert each.ying == (each.shi + 2) % 6 + 1
        assert each.marks == tuple(hx.mark(each, n) for n in hx.POSITIONS)
        assert sorted(each.marks) == ["", "", "", "", "世", "应"]


def test_stems_and_branches_run_forward_in_yang_and_backward_in_yin_trigrams():
    for each in ly.HEXAGRAMS:
        assert [pillar.value for pillar in each.pillars] == ref.pillars_of(each.binary)
        assert [branch.value for branch in each.branches] == [
            pillar[1] for pillar in ref.pillars_of(each.binary)
        ]


def test_relatives_are_judged_from_the_element_of_the_palace():
    for each in ly.HEXAGRAMS:
        element = ref.TRIGRAMS[each.palace][1]
        assert each.element.value == element
        assert [*each.relations] == [
            ref.relative(element, ref.ELEMENT[branch.value]) for branch in each.branches
        ]


@pytest.mark.parametrize("palace", ELEMENTS, ids=str)
def test_relatives_in_another_palace_change_with_it(palace):
    for each in ly.HEXAGRAMS:
        found = hx.relations_in(each.code, palace)
        assert [*found] == [ref.relative(palace.value, branch.element.value) for branch in each.branches]


def test_a_missing_relative_is_hidden_where_the_head_of_the_palace_has_it():
    for each in ly.HEXAGRAMS:
        head = ly.hexagram(ref.TRIGRAMS[each.palace][0] * 2)
        assert (
            {hidden.relation for hidden in each.hidden}
            == {*each.missing}
            == {*hx.relatives()} - {*each.relations}
        )
        assert [hidden.position for hidden in each.hidden] == sorted(
            hidden.position for hidden in each.hidden
        )
        for hidden in each.hidden:
            assert head.relations.count(hidden.relation) == 1
            assert head.relations[hidden.position - 1] == hidden.relation
            assert head.pillars[hidden.position - 1] is hidden.pillar
            assert each.pillars[hidden.position - 1] is hidden.flying


def test_lines_of_half_a_hexagram_clash_or_combine_all_or_not_at_all():
    for pairs, mark, count in ((ref.CLASHES, "六冲", 10), (ref.COMBINES, "六合", 8)):
        marked = []
        for each in ly.HEXAGRAMS:
            own = [branch.value for branch in each.branches]
            held = {ref.other(pairs, own[k]) == own[k + 3] for k in range(3)}
            assert len(held) == 1
            marked += [each] if held == {True} else []
        assert len(marked) == count
        assert marked == [each for each in ly.HEXAGRAMS if mark in each.tags]


def test_tags_stand_in_their_order_and_name_the_souls():
    assert {each.tags for each in ly.HEXAGRAMS} == {(), ("六冲",), ("六合",), ("游魂",), ("归魂",)}
    assert [each for each in ly.HEXAGRAMS if "游魂" in each.tags] == [
        each for each in ly.HEXAGRAMS if each.generation == "游魂"
    ]
    assert Counter(tag for each in ly.HEXAGRAMS for tag in each.tags) == {
        "六冲": 10,
        "六合": 8,
        "游魂": 8,
        "归魂": 8,
    }


def test_gua_shen_of_the_twelve_waxing_and_waning_hexagrams_is_their_month():
    assert {name: ly.hexagram(name).gua_shen.value for name in MONTHS} == MONTHS


def test_shi_shen_follows_the_branch_of_shi():
    rule = {char: n for n, pair in enumerate(ref.CLASHES, 1) for char in pair}
    for each in ly.HEXAGRAMS:
        assert each.shi_shen == rule[each.branches[each.shi - 1].value]


@holds_for_all("each", ly.HEXAGRAMS)
def test_a_hexagram_is_found_by_every_name_it_has(each):
    for key in (each.name, each.full_name, each.binary, each.number, str(each.number)):
        assert ly.hexagram(key) is each
    assert hx.hexagram_of(each.code) is each
    assert hx.code_of(each.binary) == each.code
    assert hx.binary_of(each.code) == each.binary


@holds_for_all(
    "key, name",
    [
        ("遯", "天山遁"), ("天山遯", "天山遁"), ("無妄", "天雷无妄"), ("天雷無妄", "天雷无妄"), ("離", "离为火"),
        ("離為火", "离为火"),
        ("乾為天", "乾为天"), ("水火既濟", "水火既济"), ("歸妹", "雷泽归妹"), ("觀", "风地观"), ("兌", "兑为泽"),
    ],
)  # fmt: skip
def test_traditional_forms_and_variants_lead_to_the_name_that_is_printed(key, name):
    assert ly.hexagram(key).full_name == name


@holds_for_all(
    "key",
    [
        "",
        "乾天",
        "10101",
        "1010101",
        "222222",
        "0",
        "65",
        0,
        65,
        -1,
        True,
        None,
        6.0,
        ["乾"],
        "\ud800",
        "乾" * 10**6,
    ],
)
def test_what_is_no_hexagram_is_refused(key):
    with pytest.raises(UnknownHexagram) as caught:
        ly.hexagram(key)
    assert set(caught.value.data) == {"given", "suggestions"}
    assert len(caught.value.data["given"]) <= 20
    assert (caught.value.code, caught.value.exit_status) == ("UNKNOWN_HEXAGRAM", 4)
    caught.value.data["given"].encode()


def test_a_near_miss_gets_suggestions_by_full_name():
    with pytest.raises(UnknownHexagram, match="既济水") as caught:
        ly.hexagram("既济水")
    assert caught.value.data["suggestions"][0] in ("水火既济", "火水未济")
    assert all(ly.hexagram(each).full_name == each for each in caught.value.data["suggestions"])
    assert caught.value.hint.startswith("close: ")


def test_clash_is_six_places_and_combinations_are_the_six_pairs():
    assert {branch: hx.clash(branch).value for branch in BRANCHES} == {
        branch: ref.other(ref.CLASHES, branch.value) for branch in BRANCHES
    }
    assert {branch: hx.combination(branch).value for branch in BRANCHES} == {
        branch: ref.other(ref.COMBINES, branch.value) for branch in BRANCHES
    }


def test_every_relative_by_elements():
    for palace in ELEMENTS:
        for element in ELEMENTS:
            assert hx.relation(palace, element) == ref.relative(palace.value, element.value)


def test_a_hexagram_is_a_value():
    one = ly.hexagram("既济")
    assert pickle.loads(pickle.dumps(one)) == one
    assert len({*ly.HEXAGRAMS}) == 64
    with pytest.raises(AttributeError):
        one.number = 1  # type: ignore[misc]


def test_a_branch_is_taken_by_name_only():
    assert hx.branch_of("辰", "hour") is Branch("辰")
    for bad in ("辰时", "", None, 4, ["辰"], "\ud800"):
        with pytest.raises(ValueError, match="is none of 子 … 亥"):
            hx.branch_of(bad, "hour")
