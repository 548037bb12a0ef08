"""十神成局: charts printed in the books, what undoes them, and the laws of every chart."""

from __future__ import annotations

import random

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS, TEN_GODS, Pillar
from bazi_core.face import Chart
from bazi_core.pattern.conditions import EVIDENCE
from bazi_core.pattern.dynamic_changes import changes
from bazi_core.pattern.dynamic_rules import BAD, GOOD, PLAIN, dynamic_rules
from bazi_core.pattern.dynamics import STANDS, UNDONE, Company
from bazi_core.pattern.result import PatternResult
from bazi_core.school import School
from bazi_core.structures.classes import element_of
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.pattern.drawn import possible
from tests.sizes import both
from tests.tables import holds_for_all

WARN = School(validate="warn")
# Charts printed in 《子平真诠》, 《滴天髓阐微》, 《神峰通考》 and by 徐乐吾, with what the author calls them.
PRINTED = [
    ("食神生财", "己未 壬申 戊子 庚申"),  # 谢阁老
    ("食神生财", "丁未 癸卯 癸亥 癸丑"),  # 梁丞相
    ("伤官生财", "甲子 壬申 己亥 辛未"),  # 罗状元, 化伤为财
    ("伤官生财", "己巳 乙亥 壬子 乙巳"),
    ("伤官生财", "戊子 辛酉 戊午 丁巳"),
    ("伤官佩印", "辛卯 丁酉 戊子 戊午"),
    ("伤官佩印", "己巳 癸酉 戊辰 丙辰"),
    ("官印相生", "丁卯 丙午 庚午 己卯"),
    ("杀印相生", "丙寅 戊戌 壬戌 辛丑"),  # 何参政, 煞用印
    ("杀印相生", "戊午 丙辰 庚寅 丙戌"),
    ("杀印相生", "癸亥 癸亥 丁卯 癸卯"),
    ("杀印相生", "庚戌 戊寅 癸未 癸丑"),
    ("财官相生", "壬申 壬子 戊午 乙卯"),  # 葛参政, 财旺生官
    ("食神制杀", "戊辰 戊午 壬辰 甲辰"),
    ("食神制杀", "壬子 壬子 丙戌 戊戌"),
    ("食神制杀", "丙寅 庚寅 甲申 乙丑"),
    ("食神制杀", "乙亥 乙酉 乙卯 丁丑"),  # 煞旺食强而身健
    ("食神制杀", "壬辰 甲辰 丙戌 戊戌"),  # 脱脱丞相, 印先食后
    ("羊刃驾杀", "丁卯 丙午 丙子 壬辰"),
    ("羊刃驾杀", "丙子 戊戌 壬子 庚子"),
    ("食伤泄秀", "丙子 辛卯 壬子 癸卯"),
    ("食伤泄秀", "壬申 戊申 庚辰 甲申"),
    ("枭神夺食", "庚子 己卯 癸酉 辛酉"),  # 去食存杀
    ("财破印", "乙亥 己丑 庚申 乙酉"),  # 财坏印
    ("财多身弱", "己丑 己巳 丁丑 己酉"),
    ("财多身弱", "甲寅 丁卯 庚午 乙酉"),
    ("伤官见官", "癸酉 己未 丙午 癸巳"),
    ("伤官见官", "丁卯 丙午 庚午 癸未"),  # metal, but not of winter
]
RESCUED = [
    ("官杀混杂", "甲辰 己巳 戊辰 乙卯", "year"),  # 合杀留官
    ("官杀混杂", "丙戌 丁酉 庚申 壬午", "month"),  # 合官留煞
    ("官杀混杂", "辛亥 庚寅 甲申 丙寅", "hour"),  # 制煞留官
    ("伤官见官", "壬戌 己酉 戊戌 乙卯", "year"),  # 财通关
    ("杀重身轻", "癸未 辛酉 乙酉 丁亥", "year"),  # 印化杀
    ("财破印", "戊戌 甲子 丁未 庚戌", "year"),  # 周丞相, 去印存食
]


def result(pillars: str) -> PatternResult:
    return bz.chart(pillars=pillars, school=WARN).pattern()


def named(pillars: str):
    return {each.name: each for each in result(pillars).dynamics}


def any_results(count: int, seed: int = 14) -> list[PatternResult]:
    rng = random.Random(seed)
    return [Chart(possible(rng), School()).pattern() for _ in range(count)]


@pytest.fixture(scope="module", params=both(200, 1500))
def drawn(request: pytest.FixtureRequest) -> list[PatternResult]:
    return any_results(request.param)


@holds_for_all("name, pillars", PRINTED)
def test_a_printed_chart_has_the_dynamic_that_its_author_names(name, pillars):
    assert named(pillars)[name].state == STANDS


@pytest.mark.parametrize(("name", "pillars", "where"), RESCUED)
def test_a_printed_chart_that_is_rescued_has_the_dynamic_undone_by_its_rescue(name, pillars, where):
    found = named(pillars)[name]
    assert found.state == UNDONE
    assert where in {each.position for each in found.answers}


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        # 戊 day with 辛 and 乙: a water stem stands between, a fire stem with a root restrains the one.
        ("辛未 丁酉 戊戌 乙卯", "壬申 己酉 戊戌 乙卯", "伤官见官"),
        # 癸 day, 乙 food and 辛 owl: a fire stem keeps the owl off.
        ("辛未 辛卯 癸酉 乙卯", "丁未 癸卯 癸酉 辛酉", "枭神夺食"),
        # 甲 day with 辛 and 庚: 丙 restrains, or combines the one.
        ("庚午 辛巳 甲子 甲子", "庚午 辛巳 甲子 丙寅", "官杀混杂"),
    ],
)
def test_adding_the_god_that_undoes_it_leaves_nothing_that_stands(before, after, name):
    assert named(after).get(name) is None or named(after)[name].state == UNDONE


def test_every_rule_has_a_source_words_of_the_book_a_domain_and_something_that_undoes_it():
    verbs = set(EVIDENCE) | {"活", "支", "令", "刃", "变格", "先"}
    for row, rule in zip(rows("dynamics"), dynamic_rules(), strict=True):
        assert row["phrase"]
        assert rule.source.partition(".")[0] in ("YHZP", "SMTH", "ZPZQ", "DTYZ")
        assert all(source.partition(".")[0] in ("ZPZQ", "DTCW") for _, source in rule.excepted)
        assert rule.domains
        assert rule.undone_by
        assert rule.direction in (GOOD, BAD)
        for alternative in (*rule.conditions, *rule.undone_by, *(each for each, _ in rule.excepted)):
            for term in alternative:
                assert term.verb in verbs
                assert 0 not in term.bits, term


@pytest.mark.exhaustive
def test_every_rule_stands_somewhere_and_is_undone_somewhere(drawn):
    found = {(each.name, each.state) for one in drawn for each in one.dynamics}
    assert found >= {(rule.name, UNDONE) for rule in dynamic_rules()}
    assert found >= {(rule.name, STANDS) for rule in dynamic_rules()}


def test_no_dynamic_is_there_without_its_conditions_and_none_is_left_out(drawn):
    for one in drawn:
        assert one.company is not None
        told = {each.name: each for each in one.dynamics}
        if one.company.special == "化格":
            assert not told
            continue
        for rule in dynamic_rules():
            held = any(all(map(one.company.holds, each)) for each in rule.conditions)
            undoing = (*rule.undone_by, *(each for each, _ in rule.excepted))
            undone = any(all(map(one.company.holds, each)) for each in undoing)
            assert (rule.name in told) == held
            if held:
                assert told[rule.name].state == (UNDONE if undone else STANDS)


def test_what_the_books_except_is_undone_by_the_sentence_that_excepts_it():
    # 脱脱丞相: 食太旺而印制; metal of winter; wood of summer; 周丞相; 印来夺食，透财以解; 曾参政: 财格透印，两不相克.
    for name, pillars, source in (
        ("枭神夺食", "壬辰 甲辰 丙戌 戊戌", "ZPZQ.论偏官"),
        ("枭神夺食", "壬午 乙巳 甲子 丙寅", "ZPZQ.论食神"),
        ("伤官见官", "癸亥 癸亥 庚午 丁亥", "ZPZQ.论用神配气候得失"),
        ("财破印", "戊戌 甲子 丁未 庚戌", "ZPZQ.论偏官"),
        ("财破印", "甲寅 丙寅 壬午 庚戌", "ZPZQ.论食神"),
        ("财破印", "乙未 甲申 丙申 庚寅", "ZPZQ.论用神成败救应"),
    ):
        found = named(pillars)[name]
        assert (found.state, found.source) == (UNDONE, source), name


def test_wealth_beside_resource_breaks_it_in_a_month_of_wealth_too():
    # 乙未 己卯 庚寅 辛巳: 乙与己两不相能. What undoes it is no distance but the 劫财 of the hour.
    found = named("乙未 己卯 庚寅 辛巳")["财破印"]
    assert (found.state, found.source) == (UNDONE, "SMTH.继善篇")
    assert [(each.position, each.sign.value) for each in found.answers] == [("hour", "辛")]


def test_a_year_of_wealth_stands_beside_every_stem_of_resource():
    one = result("乙未 甲申 丙申 庚寅")
    assert one.company is not None
    found = {
        each.rule.name: each for each in changes(one.company, one.company.joined(("liunian", Pillar("庚子"))))
    }
    assert found["财破印"].made


def test_hurting_officer_with_resource_asks_for_a_day_master_that_is_not_strong(drawn):
    # 反要伤官旺，身稍弱，始为秀气
    told = 0
    for one in drawn:
        here = any(each.name == "伤官佩印" for each in one.dynamics)
        told += here
        assert not (here and one.strength.is_strong), one.pillars
    assert told


def test_officer_and_killings_are_not_mixed_where_resource_joins_them(drawn):
    mixed = 0
    for one in drawn:
        standing = {each.name for each in one.dynamics if each.state == STANDS}
        mixed += "官杀混杂" in standing
        assert not ("官杀混杂" in standing and standing & {"官印相生", "杀印相生"}), one.pillars
    assert mixed


def test_every_seat_is_a_ten_god_of_the_chart(drawn):
    for one in drawn:
        at = dict(one.pillars.items())
        for each in one.dynamics:
            for seat in (*each.members, *each.answers):
                assert seat.sign in (at[seat.position].stem, at[seat.position].branch)
                assert one.all_facts[seat.fact_id].value == TEN_GODS[seat.god].value


def test_a_direction_counts_only_where_the_chart_wants_what_it_bears_on_and_commends(drawn):
    adverse, seen = ("仇神", "忌神"), set()
    for one in drawn:
        role = {k: one.useful.role(element_of(one.pillars.day.stem, k)) for k in range(5)}
        for each in one.dynamics:
            rule = next(rule for rule in dynamic_rules() if rule.name == each.name)
            praised = [role[k] for k in (rule.bears_on, rule.commends) if k is not None]
            curbed = None if rule.curbs is None else role[rule.curbs]
            assert {element_of(one.pillars.day.stem, k) for k in each.barred} <= set(one.useful.order)
            if any(each in adverse for each in praised):
                assert each.polarity == PLAIN
            elif curbed == "用神":
                assert each.polarity == BAD
            elif curbed == "喜神" and role[rule.bears_on] != "用神":
                assert each.polarity == PLAIN
            else:
                assert each.polarity == rule.direction
            assert (each.polarity == rule.direction) == (not each.barred)
            seen.add((each.direction, each.polarity))
    assert seen >= {(GOOD, GOOD), (GOOD, PLAIN), (BAD, BAD), (BAD, PLAIN)}


def test_food_that_restrains_killings_breaks_a_chart_that_follows_them():
    found = named("辛未 丁酉 乙酉 乙酉")["食神制杀"]
    assert (found.state, found.polarity, found.barred) == (STANDS, BAD, (3,))


def test_output_feeds_wealth_in_a_chart_that_follows_its_output_though_killings_show():
    found = named("庚辰 甲申 戊申 癸亥")
    assert (found["食神生财"].state, found["食神生财"].polarity) == (STANDS, GOOD)


def test_a_stem_that_another_combines_away_is_no_member_of_what_stands(drawn):
    for one in drawn:
        for each in one.dynamics:
            if each.state == STANDS and each.name != "比劫夺财":
                assert not any(seat.is_bound for seat in each.members), (one, each.name)


def test_every_fact_rests_on_facts_that_are_there_and_says_its_members(drawn):
    for one in drawn[:300]:
        for each in one.dynamics:
            fact = one.facts[each.fact_id]
            assert fact.value == each.state
            assert fact.derives_from
            assert set(fact.derives_from) <= one.facts.keys()
            for seat in each.members:
                for lang in LANGUAGES:
                    assert {seat.stem.value, seat.sign.value} & set(fact.text(lang))


def test_the_shares_of_a_chart_without_an_hour_are_asked_in_the_same_way():
    assert {each.name for each in result("壬戌 己酉 戊戌").dynamics} >= {"比劫夺财"}


def test_where_nothing_is_judged_there_are_none():
    found = bz.chart(pillars="庚午 辛巳 庚辰 壬午", school=School(judgement="facts")).pattern()
    assert (found.dynamics, found.company) == ((), None)


# Flow pillars beside the chart.


def company(pillars: str) -> Company:
    found = result(pillars).company
    assert found is not None
    return found


def after(pillars: str, *flows: tuple[str, str]) -> dict[str, bool]:
    own = company(pillars)
    joined = own.joined(*((where, Pillar(pillar)) for where, pillar in flows))
    return {each.rule.name: each.made for each in changes(own, joined)}


def test_a_chart_without_flow_pillars_is_what_its_scene_says(drawn):
    for one in drawn[:300]:
        assert one.company is not None
        scene = one.company.scene
        for verb in ("露", "透", "合", "根", "有"):
            assert one.company.state[verb] == scene.state[verb], (verb, one.pillars)


def test_a_year_brings_the_officer_before_the_hurting_officer():
    # 戊 day with 辛: 乙 is Direct Officer, 甲 Seven Killings.
    assert after("辛酉 辛丑 戊戌 己未", ("liunian", "乙巳"))["伤官见官"] is True
    assert "伤官见官" not in after("辛酉 辛丑 戊戌 己未", ("liunian", "甲辰"))


def test_wealth_comes_between_them_in_another_year():
    # 辛 and 乙 stand in the chart; 癸 is wealth.
    assert after("辛酉 辛丑 戊戌 乙卯", ("liunian", "癸亥"))["伤官见官"] is False


def test_what_a_flow_stem_combines_acts_no_more():
    # 甲 in the hour restrains 戊; 己 combines it away.
    assert after("戊辰 戊午 壬辰 甲辰", ("liunian", "己巳"))["食神制杀"] is False


def test_a_flow_stem_that_combines_with_the_day_stem_binds_nothing():
    own = company("戊辰 戊午 壬辰 甲辰")
    assert own.joined(("liunian", Pillar("丁未"))).state["合"] == own.state["合"] == 0
    assert own.joined(("liunian", Pillar("己巳"))).state["合"] != 0


def test_the_same_flows_in_one_step_or_two_leave_the_same_company():
    own = company("庚午 辛巳 庚辰 壬午")
    luck, year = ("luck", Pillar("甲申")), ("liunian", Pillar("丙午"))
    assert own.joined(luck, year).state == own.joined(luck).joined(year).state


def test_no_change_without_a_flow_pillar_and_every_change_names_who_brings_it(drawn):
    rng = random.Random(7)
    for one in drawn[:400]:
        own = one.company
        assert own is not None
        assert not list(changes(own, own))
        joined = own.joined(("liunian", rng.choice(PILLARS)))
        for each in changes(own, joined):
            assert "liunian" in {seat.position for seat in each.seats}, (each.rule.name, one.pillars)
            assert each.said
            old, new = own.judge(each.rule).state, joined.judge(each.rule).state
            assert (new == STANDS) is each.made
            assert (old == STANDS) is not each.made
