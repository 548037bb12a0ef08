"""What facts entail: their own sentence, its consequences, and no more."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

import bazi_core as bz
from bazi_core.facts import Fact
from bazi_core.readings.claims import Claim, mentions
from bazi_core.readings.entailment import closure, entailed
from bazi_core.readings.grounding import Cited, supported
from bazi_core.year.result import analyse
from tests.core.readings.corpus import random_facts
from tests.core.readings.narrated import births

CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")
FACTS = CHART.pattern().all_facts


def holds(name: str, text: str, facts: Mapping[str, Fact] = FACTS) -> bool:
    """Whether the fact of an id supports all that a text claims."""
    known = Cited((entailed(facts[name]),))
    made = mentions(text)
    assert made, f"{text} claims nothing"
    return all(supported(each.claim, known) for each in made)


def all_facts(seed: int, count: int) -> list[Fact]:
    rng = random.Random(seed)
    found: list[Fact] = []
    for when, offset, gender in rng.sample(births(), count):
        pattern = bz.chart(when, utc_offset=offset, longitude=rng.uniform(90, 130), gender=gender).pattern()
        year = max(int(when[:4]) + 30, 1950)
        found += (analyse(pattern, year) if year < 2090 else pattern).all_facts.values()
    return found


def test_the_text_of_every_fact_of_random_charts_entails_itself() -> None:
    found = all_facts(1, 40)
    assert len(found) > 8000
    for fact in found:
        known = Cited((entailed(fact),))
        wrong = [each for each in mentions(fact.text_zh) if not supported(each.claim, known)]
        assert not wrong, (fact.id, fact.text_zh, wrong)


def test_the_text_of_every_drawn_fact_entails_itself() -> None:
    rng = random.Random(2)
    for _ in range(30):
        for fact in random_facts(rng).values():
            known = Cited((entailed(fact),))
            assert all(supported(each.claim, known) for each in mentions(fact.text_zh)), fact.text_zh


def test_nearly_every_kind_of_fact_states_something_that_can_be_checked() -> None:
    silent = {fact.id.partition(".")[0] for fact in all_facts(3, 12) if not mentions(fact.text_zh)}
    assert silent <= {"pat", "sp", "clim"}


@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        ("p.day.stem", "日主为庚金", "日主为辛金"), ("p.day.stem", "日干庚", "时干庚"),
        ("p.year.branch", "你属马", "你属羊"),
        ("p.year.branch", "the native was born in the year of the Horse", "the native was born in the year of the Goat"),
        ("tg.month.stem", "月干透出劫财", "年干透出劫财"), ("tg.month.stem", "月柱有比劫", "月柱有印星"),
        ("hs.month.丙", "月支巳里藏着本气丙火", "月支巳里藏着余气丙火"), ("tg.month.丙", "月支藏七杀", "月干为七杀"),
        ("root.day_master.month.2", "日主有根", "日主无根"), ("root.hour.day.3", "时干通根", "日主通根"),
        ("root.hour.day.3", "壬水通根于日支", "壬水通根于月支"), ("wx.missing.木", "命中缺木", "命中不缺木"),
        ("wx.missing.木", "没有木", "没有水"),
        ("p.year.stem", "命中不缺金", "命中缺金"), ("wx.state.火", "火旺", "金旺"), ("wx.dominant.火", "火旺", "水旺"),
        ("wx.seasonal.火", "火占37%", "火占36%"), ("str.verdict", "身旺", "身轻"),
        ("str.verdict", "日主并非身弱", "日主并非身强"),
        ("str.level", "日主不弱", "日主不强"), ("str.method.plain_count_month2", "计数法判为身弱", "日主身弱"),
        ("str.deling", "得令10分", "得势10分"), ("pat.main", "七杀格", "正官格"), ("pat.main", "用的是七杀", "用的是正官"),
        ("pat.status", "格局成立", "格局破败，属败格"), ("pat.status", "不是败格", "不是成格"),
        ("pat.rank", "列第1等", "列第2等"),
        ("yong.primary", "此命喜水", "此命忌水"), ("yong.primary", "水不是忌神", "水不是用神"),
        ("yong.harmful", "不宜金", "宜金"),
        ("yong.method.fu_yi", "扶抑取水", "调候取水"), ("yong.method.presence", "现与根取火", "用神为火"),
        ("void.day", "旬空申酉", "旬空戌亥"), ("star.魁罡.day", "日柱带魁罡", "时柱带魁罡"),
        ("kin.father", "偏财在局中不见", "偏财在年干"),
        ("kin.father", "父星为偏财", "母星为偏财"), ("kin.mother", "正印藏于年支", "正印藏于月支"),
        ("palace.命宫", "命宫壬午", "身宫壬午"),
        ("dy.3", "第三步大运甲申", "第四步大运甲申"), ("dy.3", "2017–2026年走甲申大运", "2018–2027年走甲申大运"),
        ("dy.direction", "大运顺行", "大运逆行"),
        ("rel.刑.午午.year-hour", "年支午与时支午相刑", "年支午与时支午相冲"),
        ("rel.刑.午午.year-hour", "年支与时支刑，遥隔", "年支与时支刑，成立"),
        ("clim.table", "调候用壬、丙", "调候用甲"), ("p.input.gender", "乾造", "坤造"),
        ("nayin.day", "日柱白蜡金", "时柱白蜡金"),
        ("stage.day.month", "庚在巳为长生", "庚在巳为帝旺"), ("xy.3", "虚岁3岁小运乙酉", "虚岁4岁小运乙酉"),
    ],
)  # fmt: skip
def test_a_fact_supports_what_follows_from_it_and_not_its_neighbour(name: str, true: str, false: str) -> None:
    assert holds(name, true)
    assert not holds(name, false)


YEAR = analyse(CHART.pattern(), 2026).all_facts


@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        ("ln.2026", "2026年是马年", "2026年是羊年"), ("ln.2026", "a Fire year", "a Metal year"),
        ("ln.2026", "流年丙午", "流年丁未"),
        ("ln.2026.tg.stem", "流年天干丙为七杀", "流年地支为七杀"),
        ("ln.2026.role.stem", "丙火为喜神", "丙火为忌神"), ("ln.2026.age", "虚岁37", "虚岁36"),
        ("ln.2026.age", "37岁", "38岁"), ("ln.2026.age", "周岁36", "周岁37"),
        ("yr.2026.E-04", "2026年犯太岁", "2026年冲太岁"),
        ("yr.2026.E-04", "2026年值太岁", "2027年值太岁"), ("yr.2026.score.career", "事业58分", "财运58分"),
        ("yr.2026.level", "等级为中平", "等级为上上"),
        ("lm.2026.05", "第5个流月甲午自芒种起", "第6个流月甲午自芒种起"),
        ("lm.2026.07.E-16.month", "第7个流月天合地合", "第8个流月天合地合"),
        ("yr.2026.luck-branch", "总评减7分", "总评7分"), ("yr.2026.luck-branch", "申为忌神", "申为喜神"),
    ],
)  # fmt: skip
def test_a_fact_of_a_year_supports_what_follows_from_it_and_not_its_neighbour(
    name: str, true: str, false: str
) -> None:
    assert holds(name, true, YEAR)
    assert not holds(name, false, YEAR)


def test_a_pillar_brings_its_stem_its_branch_and_its_elements() -> None:
    found = closure([Claim("pillar", "丙午", "liunian")])
    assert {
        Claim("stem", "丙", "liunian.stem"),
        Claim("branch", "午", "liunian"),
        Claim("element", "火"),
    } <= found
    assert {Claim("zodiac_year", "马"), Claim("element_year", "火")} <= found


def test_a_claim_at_a_place_is_also_one_of_the_chart_but_not_the_other_way_round() -> None:
    assert Claim("ten_god", "劫财") in closure([Claim("ten_god", "劫财", "month.stem")])
    assert Claim("ten_god", "劫财", "month") not in closure([Claim("ten_god", "劫财")])


def test_a_denied_claim_has_no_consequences() -> None:
    assert closure([Claim("pattern", "正官格", None, True)]) == {Claim("pattern", "正官格", None, True)}


def test_a_structure_that_is_not_claimed_supports_only_its_denial() -> None:
    fact = Fact("sp.从财格", "special", "从财格", "claimed", False, "从财格的条件未全，只作参考")
    assert Claim("pattern", "从财格", None, True) in entailed(fact)
    assert Claim("pattern", "从财格") not in entailed(fact)


def test_the_vote_of_a_method_does_not_make_an_element_useful() -> None:
    fact = Fact("yong.method.tiao_hou", "role_vote", "火", "tiao_hou", "火", "调候取火：生于冬月，宜火暖局")
    assert not any(each.category == "role" for each in entailed(fact))
