"""Every letter of every alphabet parses, prints and counts; what no calendar has cannot be written."""

import copy
import json
import pickle
from itertools import product

import pytest

from bazi_core.alphabet import (
    BRANCHES,
    ELEMENTS,
    PILLARS,
    POLARITIES,
    SOLAR_TERMS,
    STAGES,
    STEMS,
    TEN_GODS,
    ZODIACS,
    Branch,
    Element,
    HourBranch,
    Pillar,
    Polarity,
    SolarTerm,
    Stage,
    Stem,
    TenGod,
    Zodiac,
)
from bazi_core.errors import InvalidPillars
from tests.tables import holds_for_all

# As printed in any almanac.
ALPHABETS = {
    Polarity: "阳 阴",
    Element: "木 火 土 金 水",
    Stem: "甲 乙 丙 丁 戊 己 庚 辛 壬 癸",
    Branch: "子 丑 寅 卯 辰 巳 午 未 申 酉 戌 亥",
    Zodiac: "鼠 牛 虎 兔 龙 蛇 马 羊 猴 鸡 狗 猪",
    HourBranch: "子 丑 寅 卯 辰 巳 午 未 申 酉 戌 亥 早子 晚子",
    TenGod: "比肩 劫财 食神 伤官 偏财 正财 七杀 正官 偏印 正印",
    Stage: "长生 沐浴 冠带 临官 帝旺 衰 病 死 墓 绝 胎 养",
    SolarTerm: "立春 雨水 惊蛰 春分 清明 谷雨 立夏 小满 芒种 夏至 小暑 大暑 "
    "立秋 处暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒",
}
TUPLES = {
    Polarity: POLARITIES,
    Element: ELEMENTS,
    Stem: STEMS,
    Branch: BRANCHES,
    Zodiac: ZODIACS,
    TenGod: TEN_GODS,
    Stage: STAGES,
    SolarTerm: SOLAR_TERMS,
    Pillar: PILLARS,
}
LETTERS = [letter for alphabet in (*ALPHABETS, Pillar) for letter in alphabet]
PAIRS = list(product(STEMS, BRANCHES))


@holds_for_all("alphabet", ALPHABETS, lambda alphabet: alphabet.__name__)
def test_an_alphabet_has_these_letters_in_this_order(alphabet):
    assert [letter.value for letter in alphabet] == ALPHABETS[alphabet].split()
    assert [letter.index for letter in alphabet] == list(range(len(alphabet)))


@holds_for_all("alphabet", TUPLES, lambda alphabet: alphabet.__name__)
def test_the_tuple_of_an_alphabet_is_indexed_by_index(alphabet):
    assert all(TUPLES[alphabet][letter.index] is letter for letter in alphabet)


def test_every_letter_is_found_again_from_its_text_its_repr_and_its_copies():
    for letter in LETTERS:
        kind = type(letter)
        assert kind(str(letter)) is kind(letter.value) is kind[letter.name] is letter
        assert eval(repr(letter), {kind.__name__: kind}) is letter
        assert pickle.loads(pickle.dumps(letter)) is letter
        assert copy.copy(letter) is copy.deepcopy(letter) is letter
        assert json.loads(json.dumps(letter.value)) == letter.value


def test_letters_of_different_alphabets_are_different_even_where_index_or_text_agree():
    assert len(set(LETTERS)) == len(LETTERS)
    assert Stem("甲") != Branch("子") != HourBranch("子")
    assert Stem("甲") != 0


@holds_for_all("alphabet, text", product([*ALPHABETS, Pillar], ["", "甲乙", "X", "0", None, 0, "醜"]))
def test_what_is_not_a_letter_is_refused(alphabet, text):
    with pytest.raises(ValueError):
        alphabet(text)


def test_sixty_of_the_pairs_are_pillars_and_sixty_are_not():
    possible = [stem.value + branch.value for stem, branch in PAIRS if (stem.index + branch.index) % 2 == 0]
    assert {pillar.value for pillar in Pillar} == set(possible)
    assert len(possible) == 60


@holds_for_all("stem, branch", [pair for pair in PAIRS if sum(each.index for each in pair) % 2])
def test_an_impossible_pair_cannot_be_built(stem, branch):
    for build in (lambda: Pillar(stem.value + branch.value), lambda: Pillar.of(stem, branch)):
        with pytest.raises(InvalidPillars) as caught:
            build()
        assert caught.value.data == {
            "given": stem.value + branch.value,
            "reason": "stem and branch differ in polarity",
            "rule": "polarity",
        }
        assert caught.value.hint


@holds_for_all("text", ["子甲", "甲", "甲子甲", "jiazi", " 甲子", "甲 子", "\x00", "x" * 1_000_000])
def test_text_that_is_not_a_stem_and_a_branch_is_refused_with_its_reason(text):
    with pytest.raises(InvalidPillars) as caught:
        Pillar(text)
    assert caught.value.data["reason"] == "not a stem followed by a branch"
    assert len(json.dumps(caught.value.to_dict(), ensure_ascii=False)) < 1000


def test_the_sixty_pillars_advance_stem_and_branch_together():
    for pillar in Pillar:
        assert pillar.stem is STEMS[pillar.index % 10]
        assert pillar.branch is BRANCHES[pillar.index % 12]
        assert pillar.value == pillar.stem.value + pillar.branch.value
        assert Pillar.of(pillar.stem, pillar.branch) is pillar
        assert pillar.stem.polarity is pillar.branch.polarity


def test_elements_generate_the_next_and_control_the_one_after():
    assert "".join(element.generates.value for element in Element) == "火土金水木"
    assert "".join(element.controls.value for element in Element) == "土金水木火"


def test_stems_and_branches_have_their_elements_and_polarities():
    assert "".join(stem.element.value for stem in Stem) == "木木火火土土金金水水"
    assert "".join(stem.polarity.value for stem in Stem) == "阳阴" * 5
    assert "".join(branch.element.value for branch in Branch) == "水土木木土火火土金金土水"
    assert "".join(branch.polarity.value for branch in Branch) == "阳阴" * 6
    assert "".join(branch.zodiac.value for branch in Branch) == "鼠牛虎兔龙蛇马羊猴鸡狗猪"


def test_double_hours_cover_the_day_once_and_zi_alone_is_its_hour_after_midnight():
    hours = [HourBranch(name) for name in ("早子", *"丑寅卯辰巳午未申酉戌亥", "晚子")]
    ends = [hour.start_hour + hour.length_hours for hour in hours]
    assert [0, *ends] == [*(hour.start_hour for hour in hours), 24]
    assert (HourBranch("子").start_hour, HourBranch("子").length_hours) == (0, 1)
    assert [hour.branch.value for hour in hours] == list("子丑寅卯辰巳午未申酉戌亥子")
    assert HourBranch("子").branch is Branch("子")


def test_terms_stand_fifteen_degrees_apart_from_lichun_at_315():
    degrees = [term.longitude_deg for term in SolarTerm]
    assert degrees == [(315 + 15 * place) % 360 for place in range(24)]
    assert SolarTerm("春分").longitude_deg == 0
    assert SolarTerm("冬至").longitude_deg == 270


def test_every_other_term_is_a_jie_and_opens_the_month_of_its_branch():
    jie = [term for term in SolarTerm if term.is_jie]
    assert (
        " ".join(term.value for term in jie) == "立春 惊蛰 清明 立夏 芒种 小暑 立秋 白露 寒露 立冬 大雪 小寒"
    )
    assert "".join(term.month_branch.value for term in jie) == "寅卯辰巳午未申酉戌亥子丑"
    assert all(term.month_branch is SOLAR_TERMS[term.index & ~1].month_branch for term in SolarTerm)


@pytest.mark.parametrize(
    ("written", "term"), [("驚蟄", "惊蛰"), ("穀雨", "谷雨"), ("小滿", "小满"), ("芒種", "芒种"), ("處暑", "处暑"),
                          ("lichun", "立春"), ("dongzhi", "冬至")]
)  # fmt: skip
def test_terms_are_also_read_in_traditional_characters_and_pinyin(written, term):
    assert SolarTerm(written) is SolarTerm(term)


@pytest.mark.parametrize("member", [Pillar("庚辰"), Stem("庚"), Branch("辰"), Element("金")], ids=str)
def test_a_member_beside_a_text_is_an_error_that_says_how_to_compare(member):
    for compare in (lambda: member == str(member), lambda: str(member) != member, lambda: member in ["甲子"]):
        with pytest.raises(TypeError, match=rf"compare with {type(member).__name__}\('"):
            compare()
    assert member == type(member)(str(member))
    assert str(member) == member.value
    assert member not in (None, 0, 1.5, object(), Polarity("阳"))
    assert {member: 1}.get(str(member)) is None
