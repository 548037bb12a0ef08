"""Questions that a score alone does not answer are told by what tradition looks at, or left to those who know."""

import pytest

import bazi_core as bz
from bazi_core.pattern.relatives import ABSENT
from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.pattern.walk import meets, walk
from bazi_core.speech.statements.beyond_scores import MOVES, OFFENDS
from bazi_core.structures.classes import PEER, element_of
from tests.core.speech.asking import keys, summary, text
from tests.core.speech.drawn import births

CHART = bz.chart("1988-11-03 07:20", city="成都", gender="female")
OTHERS = [
    bz.chart("1979-06-25 22:45", city="London", gender="male"),
    bz.chart("2001-09-09 04:30", city="New York", gender="male"),
    bz.chart("1967-12-30 18:10", city="广州", gender="male"),
]
TODAY = "2026-11-23"


@pytest.mark.parametrize("chart", [CHART, *OTHERS])
def test_a_shared_business_is_told_by_the_role_of_the_peers(chart):
    result = chart.pattern()
    role = result.useful.role(element_of(result.pillars.day.stem, PEER))
    told = "good" if role in WANTED else "bad" if role in ADVERSE else "mixed"
    assert keys(chart, "和合伙人能长久吗")[0] == f"answer.partnership.{told}"
    assert keys(chart.year(2027), "Will my business partner and I last?")[0] == f"answer.partnership.{told}"


def test_health_names_the_heaviest_and_the_lightest_element_and_diagnoses_nothing():
    shares = CHART.pattern().elements.seasonal
    most, least = "木火土金水"[shares.index(max(shares))], "木火土金水"[shares.index(min(shares))]
    for of in (CHART, CHART.year(2027)):
        told = text(of, "身体要注意什么")
        assert f"{most}最重" in told
        assert f"{least}最轻" in told
        assert "不是诊断" in told


@pytest.mark.parametrize("chart", [CHART, *OTHERS])
def test_a_year_moves_where_it_clashes_year_month_or_luck(chart):
    for number in range(2026, 2032):
        year = chart.year(number)
        stirs = any(event.rule in MOVES for event in year.events)
        first, second, *_ = keys(year, "要不要搬去外地")
        assert first.startswith("answer.whether.may.")
        luck = walk(year.pattern)[year.main.cycle.index] if year.main.cycle else None
        told = "stirred" if stirs else "quiet.luck" if luck and pushes(year.pattern, luck) else "quiet"
        assert second == f"answer.move.{told}"


def pushes(result, luck):
    """Whether the branch of a decade clashes with a branch of the chart or is 驿马 of its year or day branch."""
    own = luck.cycle.pillar.branch
    horse = dict(zip("寅午戌申子辰巳酉丑亥卯未", "申申申寅寅寅亥亥亥巳巳巳", strict=True))
    of_star = {horse[branch.value] for branch in (result.pillars.year.branch, result.pillars.day.branch)}
    return own.value in of_star or any(each.type == "六冲" for each in meets(result, luck).held)


def test_a_decade_that_is_the_travelling_horse_or_clashes_is_told_of_a_move():
    met = set()
    for chart in births(25, 5):
        running, decades = chart.running(TODAY), walk(chart.pattern())
        luck = next((each for each in decades if each.time(running) == "now"), None)
        told = {
            each.statement for each in bz.read(chart, question="适合搬到外地吗", as_of=TODAY).reading.summary
        }
        moves = {each for each in told if each and each.startswith("answer.move.")}
        if not moves & {"answer.move.settled", "answer.move.settled.luck", "answer.move.horse"}:
            continue
        is_told = bool(moves & {"answer.move.settled.luck", "answer.move.luck"})
        assert is_told == (
            luck is not None and luck.cycle.end_year is not None and pushes(chart.pattern(), luck)
        )
        met.add(is_told)
    assert met == {True, False}


@pytest.mark.parametrize("chart", [CHART, *OTHERS])
def test_tai_sui_is_offended_by_its_five_events_and_by_no_other(chart):
    for number in range(2026, 2038):
        year = chart.year(number)
        met = any(event.rule in OFFENDS for event in year.events)
        is_own = year.pillar.branch is chart.pillars.year.branch
        told = "own" if is_own else "met" if met else "clear"
        assert keys(year, "犯太岁吗")[0] == f"answer.tai_sui.{told}"


def test_direction_and_trade_go_by_the_useful_element():
    use = CHART.pattern().useful_gods[0].value
    assert f"是{use}，传统上配" in text(CHART, "哪个方位对我有利")
    assert f"是{use}，传统上配" in text(CHART, "我适合做什么行业")
    assert keys(CHART, "哪个方位对我有利")[0] == "answer.direction"
    assert keys(CHART, "我适合做什么行业")[0] == "answer.trade"


def test_what_is_left_to_an_adviser_says_to_whom_and_of_money_how_the_year_goes():
    year = CHART.year(2027)
    told = keys(year, "今年该不该买股票")
    assert told[0] == "answer.left_out.financial"
    assert told[1].startswith("answer.left_out.whole.")
    assert keys(year, "这场官司能赢吗") == ["answer.left_out.legal"]
    assert keys(year, "我的胃病什么时候好") == ["answer.left_out.medical"]


def test_two_sides_of_life_in_one_question_are_both_answered():
    year = CHART.year(2027)
    told = summary(year, "工作和感情怎么样")
    cited = {name for each in told for name in each.evidence}
    assert {"yr.2027.score.career", "yr.2027.score.relationship"} <= cited
    assert any(
        each.startswith("answer.second.chart.") for each in keys(CHART, "How are my career and my love life?")
    )


def test_another_year_is_answered_by_its_own_facts():
    here = text(CHART.year(2027), "2028年财运怎么样")
    assert f"{CHART.year(2028).scores.domains['wealth']}分" in here
    assert keys(CHART.year(2027), "2028年财运怎么样")[-1] == "answer.other_year"
    assert keys(CHART.year(2027), "2099年财运怎么样") == ["answer.other_years"]


def test_this_year_is_the_year_that_is_read_only_where_no_day_is_given_and_that_is_said():
    assert keys(CHART.year(2027), "今年财运如何")[-1] == "answer.counted.this"
    assert keys(CHART.year(2027), "明年财运如何")[-1] == "answer.other_year.counted"
    assert "2028年" in text(CHART.year(2027), "明年财运如何")
    assert keys(CHART.year(2027), "明年财运如何", as_of=TODAY)[-1] != "answer.other_year.counted"
    assert keys(CHART, "今年财运如何")[-1] == "answer.undated"


def test_when_names_the_nearest_year_that_leans_ones_way_and_best_the_highest():
    span = CHART.years(2026, 2040)
    told = text(CHART, "什么时候财运好转", as_of=TODAY)
    assert keys(span, "哪年财运最好")[0].startswith("answer.years.first.")
    assert "最近" in told
    assert keys(span, "哪年财运最要当心")[0] == "answer.years.worst"
    assert keys(span, "When will things get better for me?")[0].startswith("answer.years.when.")


def test_months_of_a_part_of_the_year_are_of_that_part_and_none_is_over():
    told = next(
        each
        for each in summary(CHART.year(2026), "下半年工作如何")
        if each.statement.startswith("answer.when")
    )
    months = {
        int(name.split(".")[2])
        for name in told.evidence
        if name.startswith("lm.2026.") and name.endswith(".begins")
    }
    assert months <= set(range(6, 13))
    ahead = text(CHART.year(2026), "今年换工作好吗", as_of=TODAY)
    assert "2026年4月" not in ahead


def test_a_relative_without_a_star_is_said_to_have_none():
    for chart in (CHART, *OTHERS):
        for each in chart.pattern().relatives:
            if each.relative == "children":
                told = keys(chart, "儿子考试怎么样")[0]
                assert told == f"answer.kin.{'absent' if each.state == ABSENT else 'both'}"
