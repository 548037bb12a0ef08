"""Questions of time and of a relative: years are compared, months named, a relative's matter left to that chart."""

import pytest

import bazi_core as bz
from bazi_core.questions.question import question
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.span_answer import APART
from bazi_core.speech.statements.years import years_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.asking import keys, summary, text

CHART = bz.chart("1985-03-02 08:00", city="上海", gender="female")
OPEN = bz.chart("1990-05-15 13:30", city="北京", gender="male")
CHILD = bz.chart("2014-05-15 13:30", city="北京", gender="male")
TODAY = "2026-11-23"
SPAN = CHART.years(2026, 2035)


def first(of, question, **options):
    return summary(of, question, **options)[0].text


@pytest.mark.parametrize("question", ["2026 or 2028?", "明年还是后年结婚好", "2027定2028轉工好"])
def test_two_years_are_compared_by_the_chart_the_years_and_the_year_alike(question):
    told = keys(CHART, question, as_of=TODAY)
    assert told[0].startswith("answer.years.")
    # A chart tells with its doubts how sure the answer is.
    alike = [*told[:-1], "answer.sure.leaning", "answer.years.months"]
    assert told[-1] == "answer.years.months"
    assert keys(SPAN, question, as_of=TODAY) == alike
    if "2026" in question:
        assert keys(CHART.year(2026), question) == alike


def test_the_order_of_an_answer_is_that_of_the_scores():
    for domain, score in (("career", "career"), ("marriage", "relationship"), ("children", "family")):
        [best, *_] = SPAN.ranking(score).highest.years
        plan = years_plan(SPAN, asked=Asked(domain, "which"))
        assert plan.statements[0].values["best"][0] == str(best)


def test_years_whose_scores_hardly_differ_are_not_put_one_before_the_other():
    met = set()
    for one in range(2026, 2035):
        scores = [SPAN.year(each).scores.overall for each in (one, one + 1)]
        key = years_plan(SPAN, asked=Asked("general", "compare", (one, one + 1))).statements[0].key
        apart = abs(scores[0] - scores[1])
        assert key.startswith("answer.years.pair") is (apart >= APART)
        assert (key == "answer.years.tie") is (apart == 0)
        met.add(key)
    assert len(met) > 1


def test_a_reason_that_the_years_share_is_no_reason():
    found = SPAN.compare("career", (2027, 2028))
    shared = {name for each in found.shared for name in each.evidence}
    plan = years_plan(SPAN, asked=Asked("career", "compare", (2027, 2028)))
    grounds = [each for each in plan.statements if each.key in ("answer.years.ground", "answer.years.drag")]
    assert shared
    assert grounds
    assert not shared & {name for each in grounds for name in each.evidence}


def test_where_strength_is_open_the_answer_says_what_the_other_reading_puts_first():
    assert "answer.years.differs" in keys(OPEN.years(2026, 2035), "哪年财运好")


def test_when_is_answered_by_the_years_of_the_running_decade_and_the_next_and_promises_nothing():
    told = first(CHART, "哪年结婚", as_of=TODAY)
    cycle = CHART.running(TODAY).cycle
    # Little is left of the year that runs.
    assert f"2027–{CHART.luck.cycles[cycle.index + 1].end_year}年各年" in told
    assert "命盘说不准" in told


def test_without_a_date_nobody_knows_which_years_are_in_sight():
    assert keys(CHART, "哪年结婚")[0].startswith("answer.chart.")


def test_love_is_told_of_no_year_before_coming_of_age():
    assert keys(CHILD, "哪年结婚", as_of=TODAY) == ["answer.of_age"]
    assert keys(CHILD.year(2027), "2027年感情怎么样")[0] == "answer.of_age"
    assert keys(CHILD.years(2026, 2040), "哪年结婚")[0].startswith("answer.years.")
    assert "2033–2040年各年" in first(CHILD.years(2026, 2040), "哪年结婚")


def test_months_are_those_ahead_of_the_day_on_which_it_is_asked():
    text = first(CHART, "which month is best to move house", as_of=TODAY, language="en")
    assert "2026" not in text.replace("December 2026", "")


def test_months_that_are_named_are_compared():
    assert keys(CHART.year(2026), "6月还是9月签合同好")[0].startswith("answer.months.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("question", ["我女儿明年考试怎么样", "my husband's career this year"])
def test_a_relatives_own_matter_is_left_to_the_relatives_chart(question, language):
    for of in (CHART, CHART.year(2026), SPAN):
        told = bz.read(of, question=question, language=language, as_of=TODAY).reading
        assert told.summary[0].statement in ("answer.kin.both", "answer.kin.absent")
        assert not any("study" in name or "career" in name for each in told.summary for name in each.evidence)


@pytest.mark.parametrize("question", ["婆婆今年身体怎么样", "is my aunt going to find a job"])
def test_a_relative_without_a_place_in_the_chart_gets_no_verdict(question):
    assert all(
        not each.startswith(("answer.year", "answer.kin.chart"))
        for each in keys(CHART, question, as_of=TODAY)
    )


def test_a_spouse_beside_oneself_is_ones_own_matter():
    assert not any(each.startswith("answer.kin") for each in keys(CHART, "跟老公今年感情怎么样", as_of=TODAY))


@pytest.mark.parametrize("of", [CHART, SPAN, CHART.year(2026)])
def test_death_is_not_answered_by_years_either(of):
    told = bz.read(of, question="我妈2027年还是2028年会走", as_of=TODAY)
    assert not any(each.statement for each in told.reading.sentences)
    assert getattr(told, "score", None) is None


@pytest.mark.parametrize("question", ["我妈2027年走什么运", "2027年爸爸走不走运", "我2028年会走红吗"])
def test_who_walks_into_luck_is_not_taken_for_dying(question):
    assert keys(SPAN, question, as_of=TODAY)


def test_years_are_read_without_a_question_too_and_one_alone_as_that_year():
    assert bz.read(SPAN).reading.summary[0].statement == "years.opening"
    assert bz.read(CHART.years(2026, 2026)).narrative == bz.read(CHART.year(2026)).narrative


def test_what_raises_every_side_of_life_alike_is_told_once():
    statements = years_plan(OPEN.years(2026, 2035)).statements
    told = [str(row) for each in statements if each.key == "years.raises" for row in each.values["rows"]]
    carriers = [each for each in told if "span.stem" in each or "span.branch" in each]
    assert len(carriers) == len({*carriers})


def test_all_that_years_say_needs_no_pattern_beside_it():
    with pytest.raises(bz.InvalidInput):
        bz.read(SPAN, CHART.pattern())


@pytest.mark.parametrize("of", [CHART, SPAN, CHART.year(2026)])
def test_what_no_chart_holds_is_said(of):
    assert "answer.uncounted" in keys(of, "命里有几个孩子", as_of=TODAY)
    assert "answer.other_mind" in keys(of, "他还会回头找我吗", as_of=TODAY)
    assert (
        keys(of, "does my neighbour's salary beat mine, find out his salary", as_of=TODAY)[0]
        == "answer.private"
    )


def test_a_decade_in_its_last_year_is_not_waited_for():
    chart = bz.chart("1971-11-23 22:40", city="香港", gender="male")
    said = text(chart, "我适合做生意吗", as_of=TODAY)
    assert chart.running(TODAY).cycle.end_year == 2026
    assert "2017–2026" not in said


def test_a_daughters_wedding_is_hers_and_how_many_children_is_ones_own():
    assert question("我女儿的婚事什么时候有着落").intent.whose == "child"
    assert question("命里有几个孩子，什么时候来").intent.whose == "self"


def test_now_or_next_year_are_two_years():
    assert question("shud i quit now or wait til next yr").intent.years_from(2026) == (2026, 2027)
