"""Why a year has its scores: every point once, the same thing under the same key, and what an event is about."""

from hypothesis import given

from bazi_core.views.relations import FLOWS
from bazi_core.year.reasons import KINDS, about, ranks, reasons
from bazi_core.year.rules import DOMAINS, OVERALL
from tests.core.year.drawing import BIRTHS, YEARS, chart
from tests.sizes import examples


@examples(60)
@given(BIRTHS, YEARS)
def test_fifty_and_the_reasons_are_every_score(birth, number):
    year = chart(*birth).year(number)
    found = reasons(year)
    assert {each.kind for each in found} <= {*KINDS}
    assert len({each.key for each in found}) == len(found)
    for domain in (OVERALL, *DOMAINS):
        total = 50 + sum(each.of(domain) for each in found)
        assert year.scores.of(domain) == max(0, min(100, total))


@examples(30)
@given(BIRTHS, YEARS)
def test_sixty_years_later_what_the_year_itself_brings_has_the_same_key_and_points(birth, number):
    now, later = (chart(*birth).year(each) for each in (number, number + 60))
    own = [
        {(each.key, each.points) for each in reasons(year) if each.place == "liunian" or each.kind == "theme"}
        for year in (now, later)
    ]
    assert own[0] == own[1]


@examples(60)
@given(BIRTHS, YEARS)
def test_what_an_event_is_about_is_among_those_that_take_part_in_it(birth, number):
    year = chart(*birth).year(number)
    for event in year.events:
        found = about(year, event)
        natal = {where for where, _ in event.members if where not in FLOWS}
        assert {*found.pillars} <= natal
        assert len(found.palaces) <= len(found.pillars)
        assert OVERALL not in found.domains
        for star in found.stars:
            assert year.all_facts[star.fact_id], star
            if star.fact_id != event.id:
                assert year.all_facts[star.fact_id].value == star.ten_god


def test_a_clash_with_the_day_branch_is_about_the_spouse_palace():
    year = chart().year(2030)
    [clash] = [event for event in year.events if event.name == "冲夫妻宫"]
    found = about(year, clash)
    assert (found.domains, found.pillars, found.palaces) == (("relationship",), ("day",), ("夫妻宫",))
    assert found.evidence == ("tg.day.戊", "ln.2030.tg.branch")


def test_the_branches_in_which_a_restraining_stem_is_rooted_take_no_part():
    year = chart("1984-02-10 08:30", "male", False).year(2028)
    [restrained] = [event for event in year.events if event.name == "忌神受制"]
    found = about(year, restrained)
    assert len(restrained.members) == 4
    assert (found.pillars, found.palaces, found.ten_gods) == ((), (), ("偏财",))


def test_a_hidden_stem_counts_by_its_own_ten_god_not_by_the_main_qi():
    year = chart().year(2028)
    [rooted] = [event for event in year.events if event.name == "用神得根"]
    assert year.flow.marks.ten_god_branch.value == "比肩"
    assert about(year, rooted).ten_gods == ("食神",)


def test_a_ten_god_of_stem_and_branch_is_one_reason():
    year = chart().year(2026 + 8)  # 甲寅: stem and branch are both 偏财
    gods = year.flow.marks
    assert gods.ten_god_stem is gods.ten_god_branch
    keys = [each.key for each in reasons(year) if each.kind == "theme"]
    assert len(keys) == len({*keys})


def test_equal_values_share_a_rank_and_the_next_is_left_out():
    rank = ranks([3, 9, 9, 1, 3])
    assert [rank(each) for each in (9, 3, 1)] == [1, 3, 5]
