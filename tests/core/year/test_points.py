"""Scores: worked by hand, and their laws for any roles and any year."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.useful import ROLES
from bazi_core.year import events as events_module
from bazi_core.year.points import PointsRow, capped, month_score, role_share, scores
from bazi_core.year.result import _analysed
from bazi_core.year.rules import DOMAINS, LEVELS, OVERALL, event_rules
from tests.core.year.drawing import ANY_ROLES, BIRTHS, YEARS, chart
from tests.sizes import examples

# Their direction is set by a role that the row does not weigh: what harms a 忌神 harms nothing.
BY_ROLE = (
    "E-19", "E-20", "E-21", "E-22", "E-23", *(rule.id for rule in event_rules("liunian") if rule.form == "dynamic"),
)  # fmt: skip


def with_roles(result, roles):
    """The same year before the same chart, its elements in other roles."""
    natal = result.natal._replace(roles=tuple(roles))
    return _analysed(result.pattern, result.flow, result.age, result.segments, natal)


def named(*first):
    return [next(role for role in ROLES if role[0] == each) for each in first]


def by_row(result):
    return {(each.rule, each.domain): each.points for each in result.scores.contributions}


def test_a_year_worked_by_hand():
    # 庚午 辛巳 庚辰 壬午 in 2026: luck 甲申, year 丙午. Wood 用神, fire 喜神, earth 闲神, metal 仇神, water 忌神.
    result = with_roles(chart().year(2026), named(*"用喜闲仇忌"))
    of = by_row(result)
    assert of["luck-stem", OVERALL] == 6  # 15 × .4
    assert of["luck-stem", "career"] == 3
    assert of["luck-branch", OVERALL] == -5  # −8 × .6 = −4.8
    assert of["luck-branch", "study"] == -2  # −2.4
    assert of["year-stem", OVERALL] == 5  # 9 × .6 = 5.4
    assert of["year-stem", "wealth"] == 3  # 2.7
    assert of["year-branch", OVERALL] == 4  # 9 × .4 = 3.6
    assert of["year-branch", "family"] == 2  # 1.8
    assert (of["E-04", OVERALL], of["E-06", OVERALL]) == (-1, -1)
    assert of["theme-stem", "career"] == 5  # 七杀
    assert (of["theme-branch", "career"], of["theme-branch", "family"]) == (2, 1)  # 正官, half of 5 and 2
    # 丙 is combined away by the 辛 of the month and makes no 杀印相生 with the earth of the day.
    assert ("E-30", "career") not in of
    assert result.scores.overall == 50 + 6 - 5 + 5 + 4 - 1 - 1
    assert result.scores.domains == {
        "career": 50 + 3 - 2 + 3 + 2 + 5 + 2, "wealth": 56, "relationship": 56, "family": 57, "health_balance": 56,
        "study": 56,
    }  # fmt: skip


def test_a_month_worked_by_hand():
    result = with_roles(chart().year(2026), named(*"用喜闲仇忌"))
    # 戊戌, the ninth: earth is 闲神; its branch clashes with that of the day (−2) and opens a storage (0), its stem is
    # rooted and controls the 忌神 (+3).
    month = result.months[8]
    assert (month.pillar.value, result.scores.overall) == ("戊戌", 58)
    assert [event.name for event in month.events] == ["冲夫妻宫", "冲开墓库", "忌神受制"]
    assert month.score == 54  # (50 + 58 + 1) / 2 = 54.5
    # 庚寅, the first: 仇神 −8 × .6 = −4.8, 用神 15 × .4 = 6, its branch roots the 用神 (+5).
    assert {event.rule for event in result.months[0].events} == {"E-19"}
    assert result.months[0].score == 57  # (50 + 58 − 5 + 6 + 5) / 2 = 57


def test_half_a_role_is_rounded_once_not_twice():
    assert role_share("喜神", "year_branch") == (4, 2)
    assert role_share("用神", "year_stem") == (9, 4)  # 4.5 to the even number
    assert role_share("忌神", "luck_branch") == (-7, -4)


def test_luck_counts_by_the_time_it_runs():
    result = with_roles(chart().year(2017), named(*"用用用用用"))
    one, two = result.segments
    whole = one.seconds + two.seconds
    of = by_row(result)
    assert of["luck-stem", OVERALL] == round(6 * one.seconds / whole)
    assert of["luck-stem-2", OVERALL] == round(6 * two.seconds / whole)
    assert of["luck-branch", OVERALL] + of["luck-branch-2", OVERALL] in (8, 9, 10)


def test_the_spouse_star_is_that_of_the_gender():
    # 庚 in a 丙 year: 七杀, the spouse star of a woman.
    for gender, points in (("male", None), ("female", 4)):
        result = with_roles(chart(gender=gender).year(2026), named(*"闲用闲闲闲"))
        assert by_row(result).get(("theme-stem", "relationship")) == points


def test_a_row_is_capped_and_says_nothing_where_it_adds_nothing():
    row = capped(PointsRow("x", (("overall", 40), ("career", 0), ("study", -16)), ("a", "b", "c")))
    assert row == PointsRow("x", (("overall", 15), ("study", -15)), ("a", "c"))


def test_scores_stay_within_their_bounds():
    rows = [PointsRow(str(number), (("overall", 15), ("study", -15)), ("x",)) for number in range(5)]
    found = scores(rows)
    assert (found.overall, found.domains["study"], found.domains["career"]) == (100, 0, 50)


@pytest.mark.parametrize(
    ("overall", "added", "score"),
    [(50, 0, 50), (60, 0, 55), (60, -5, 52), (61, 0, 56), (100, 60, 100), (0, -70, 0)],
)
def test_a_month_stands_between_the_year_and_its_own_pillar(overall, added, score):
    assert month_score(overall, added) == score


def test_where_nothing_is_judged_only_neutral_events_count():
    result = chart(judgement="facts").year(2026)
    assert result.themes == ()
    assert result.useful_state == ("平", ())
    assert {each.rule for each in result.scores.contributions} <= {event.key for event in result.events}
    assert all(event.side == "neutral" for event in result.events)


@examples(60)
@given(BIRTHS, YEARS, ANY_ROLES)
def test_contributions_explain_every_score(birth, year, roles):
    result = with_roles(chart(*birth).year(year), roles)
    for domain in (OVERALL, *DOMAINS):
        total = 50 + sum(each.points for each in result.scores.contributions if each.domain == domain)
        assert result.scores.of(domain) == max(0, min(100, total))
    assert all(
        each.points and abs(each.points) <= 15 and each.evidence for each in result.scores.contributions
    )


@examples(80)
@given(BIRTHS, YEARS, ANY_ROLES, st.integers(0, 4))
def test_a_better_role_never_lowers_a_row(birth, year, roles, which):
    place = ROLES.index(roles[which])
    assume(place > 0)
    better = [*roles]
    better[which] = ROLES[place - 1]
    before, after = (by_row(with_roles(chart(*birth).year(year), each)) for each in (roles, better))
    for key in before.keys() | after.keys():
        if key[0][:4] not in BY_ROLE:
            assert after.get(key, 0) >= before.get(key, 0), (key, ELEMENTS[which])


@examples(25)
@given(BIRTHS, YEARS, ANY_ROLES, st.sampled_from(event_rules("liunian")))
def test_an_event_more_or_less_changes_no_other_row(birth, year, roles, left_out):
    with pytest.MonkeyPatch.context() as patch:
        whole = with_roles(chart(*birth).year(year), roles)
        kept = {
            level: tuple(rule for rule in event_rules(level) if rule.id != left_out.id) for level in LEVELS
        }
        patch.setattr(events_module, "event_rules", kept.__getitem__)
        fewer = with_roles(chart(*birth).year(year), roles)
    gone = {key: points for key, points in by_row(whole).items() if key[0][:4] == left_out.id}
    assert by_row(fewer) | gone == by_row(whole)
