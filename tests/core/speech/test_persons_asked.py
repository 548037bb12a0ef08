"""Questions about oneself and one's own: a business or a post, a character, the present, relatives and their health."""

import pytest

import bazi_core as bz
from bazi_core.questions.paths import PAIRS
from bazi_core.questions.question import question
from bazi_core.speech.statements.asked import verdict
from bazi_core.speech.statements.vocation import vocation, vocation_rows
from tests.core.speech.asking import keys, text
from tests.core.speech.drawn import births

CHART = bz.chart("1981-05-25 10:30", city="北京", gender="male")
WOMAN = bz.chart("1992-04-04 04:44", city="Sydney", gender="female")
TODAY = "2026-11-23"


@pytest.mark.parametrize(
    ("way", "asked"),
    [
        ("own", "我适合做生意还是打工？"),
        ("own", "我適合當老闆還是上班？"),
        ("own", "Am I better off self-employed or in a job?"),
        ("own", "适合创业吗"),
        ("craft", "我适合做技术还是做管理？"),
        ("craft", "我適合走專業還是當主管？"),
        ("craft", "Am I better at technical work or managing people?"),
        ("craft", "Am I cut out for leadership?"),
        ("craft", "engineer or team lead, which suits me?"),
        ("study", "我在考研和考公之间纠结，哪个更适合我？"),
        ("study", "裸辞讀研靠譜嗎"),
        ("study", "grad school or get a job?"),
    ],
)
def test_business_or_post_and_skilled_work_or_managing_are_decided_with_grounds(way, asked):
    told, found = keys(CHART, asked), question(asked).intent.paths
    assert found == next(pair for pair in PAIRS if pair[0] == way)
    lead = vocation(CHART.pattern(), found).lead
    assert told[0] == f"answer.path.{('even', 'slight', 'one')[min(lead, 2)]}"
    assert way == "craft" or "answer.vocation.why" in told
    assert "answer.other_mind" not in told


@pytest.mark.parametrize("paths", PAIRS)
def test_the_way_with_more_points_is_the_answer_and_only_equal_ways_are_open(paths):
    found = [vocation(chart.pattern(), paths) for chart in births(25)]
    for each in found:
        first, second = (sum(one.points for one in each.of(path)) for path in paths)
        assert each.better == ("" if first == second else paths[second > first])
        assert each.lead == abs(first - second)
    assert {*paths} <= {each.better for each in found}


@pytest.mark.parametrize(
    "asked",
    [
        "我的工作和学习今年如何",
        "老公要我辞职带娃，我想上班，怎么办",
        "Is 2028 a good year to start a business?",
        "我适合考公吗",
    ],
)
def test_ways_of_working_that_are_only_named_are_not_weighed(asked):
    assert question(asked).intent.paths == ()


def test_every_row_of_a_vocation_names_its_source():
    assert all("·" in row.source for row in vocation_rows())


@pytest.mark.parametrize("asked", ["我的性格有什么短板", "我的個性有什麼缺點", "What are my weaknesses?"])
def test_who_asks_for_weak_sides_is_told_of_them_and_not_of_strong_ones(asked):
    told = keys(CHART, asked)
    assert told[0].startswith("answer.faults")
    assert not {"answer.strong", "answer.gifts", "answer.decade", "answer.decade.now"} & {*told}


@pytest.mark.parametrize("asked", ["我的优点和缺点是什么", "我有什么优点和短板"])
def test_both_sides_of_a_character_are_told_where_both_are_asked_about(asked):
    told = keys(CHART, asked)
    assert told[0] == "answer.gifts"
    assert any(each.startswith("answer.faults") and ".too" in each for each in told)


@pytest.mark.parametrize(
    "asked", ["最近为什么这么不顺", "Why is everything going wrong lately?", "今年为什么这么倒霉"]
)
def test_the_present_is_told_by_the_year_the_month_and_the_decade_that_run(asked):
    told = keys(WOMAN, asked, as_of=TODAY)
    score = WOMAN.year(2026).scores.overall
    assert told[0] == f"answer.lately.{verdict(score)}"
    of_month = next(at for at, key in enumerate(told) if key.startswith("answer.lately.month."))
    assert 0 < of_month < told.index("answer.lately.decade")
    assert f"{score}分" in text(WOMAN, asked, as_of=TODAY)
    assert not any(each.startswith(("answer.whole", "diagnosis")) for each in told)


def test_without_a_day_the_present_is_not_known_and_that_is_said():
    assert keys(WOMAN, "最近为什么这么不顺")[-1] == "answer.undated"


@pytest.mark.parametrize("asked", ["妈妈身体怎么样", "媽媽身體如何", "How is my mother's health?"])
def test_the_health_of_a_relative_is_wished_well_left_to_a_doctor_and_seen_in_palace_and_star(asked):
    told = keys(CHART, asked)
    assert told[0] == "answer.left_out.medical.kin"
    assert told[1].startswith("answer.kin.")
    assert told[-1] == "answer.kin.rest"
    assert " their " not in text(CHART, asked, language="en")


def test_having_a_child_is_for_a_doctor_and_the_side_of_children_is_told():
    told = keys(CHART, "二胎什么时候来", as_of=TODAY)
    assert told[0] == "answer.left_out.begetting"
    assert any(each.startswith("answer.years.") for each in told)
    assert keys(CHART, "试管能成功吗") == ["answer.left_out.medical.birth"]


def test_a_doctor_who_is_a_friend_makes_no_question_medical():
    for asked in ("My doctor friend wants me to join his firm, should I?", "我老公是医生，我该不该辞职"):
        assert question(asked).classes == ("normal",)
    assert "medical" in question("Should I see a doctor about this?").classes
    assert "medical" in question("要不要去看医生").classes


def test_a_partner_of_the_other_word_is_told_by_which_star_he_or_she_was_read():
    assert keys(CHART, "我跟老公能和好吗")[-1] == "answer.star_taken"
    assert "answer.star_taken" not in keys(CHART, "我跟老婆能和好吗")
    assert "answer.star_taken" not in keys(WOMAN, "Can my husband and I make up?")


def test_luck_that_has_not_begun_is_told_of_a_birth_without_an_hour():
    chart = bz.chart("2024-03-13", city="北京", gender="male", hour_unknown=True)
    assert "等时辰查清" in bz.read(chart, as_of="2025-06-01").reading.narrative()


def test_how_sure_an_answer_is_stands_with_the_doubts_unless_it_is_open():
    met = set()
    for chart in births(25):
        certainty = chart.pattern().strength.certainty
        reading = bz.read(chart, question="事业如何", as_of=TODAY).reading
        assert not any(each.statement.startswith("answer.sure.") for each in reading.summary)
        doubts = [each.sentences[0].statement for each in reading.sections if each.key == "doubts"]
        # What all methods agree on is told with the strength alone.
        if certainty == "settled":
            assert "answer.chart.leaning" not in doubts
        met |= {each for each in doubts if each.startswith("answer.chart.")}
    assert met == {"answer.chart.leaning"}


def test_the_decade_that_an_answer_names_is_described_and_lies_within_a_life():
    named = 0
    for chart in births(25):
        reading = bz.read(chart, question="事业怎么样", as_of=TODAY).reading
        said = {each.statement: each for each in reading.sentences}
        answer = said.get("answer.decade") or said.get("answer.decade.mixed")
        if answer is None:
            continue
        named += 1
        [own] = [each for each in answer.evidence if each.startswith("dy.") and each[3:].isdigit()]
        described = [
            each
            for each in reading.sentences
            if each.statement in ("walk.next.told", "walk.first", "walk.named")
        ]
        assert any(own in each.evidence for each in described)
        age = chart.pattern().chart.luck.cycles[int(own[3:]) - 1].start_age_full
        assert age is None or age < 85
    assert named > 3


def test_the_old_are_told_nothing_of_work_and_study_unless_they_ask():
    old = bz.chart("1941-06-03 06:56", city="香港", gender="female")
    told = {each.key for each in bz.read(old, question="身体怎么样", as_of=TODAY).reading.sections}
    assert not {"career", "study"} & told
    assert "career" in {each.key for each in bz.read(old, question="事业如何", as_of=TODAY).reading.sections}


def test_a_pattern_is_not_praised_for_a_star_that_the_chart_does_not_want():
    for chart in births(25):
        keys_ = {each.statement for each in bz.read(chart).reading.sentences}
        if "pattern.unwanted" in keys_:
            assert not any(each.startswith("work.") and each != "work.unwanted" for each in keys_ if each)


def test_what_the_diagnosis_tells_holds_by_the_shares_that_are_told():
    for chart in births(25):
        result = chart.pattern()
        found, shares = result.diagnosis, result.elements.seasonal
        if found.key == "attacked":
            assert shares[found.illness.index] > shares[found.useful.index]
        if found.key == "hidden" and found.useful in {
            each.element for each in (p.branch for _, p in result.pillars.items())
        }:
            assert shares[found.useful.index] < 25


@pytest.mark.parametrize(
    "asked", ["我跟祖父合得来吗", "我和奶奶亲近吗", "奶奶疼我吗", "Do I get along with my grandfather?"]
)
def test_the_tie_with_a_grandparent_is_seen_in_the_palace_of_ancestors(asked):
    told = keys(WOMAN, asked, as_of=TODAY)
    assert told[0] == "answer.kin.palace"
    assert "祖上宫" in text(WOMAN, asked) or "palace of ancestors" in text(WOMAN, asked, language="en")


def test_how_to_deal_with_a_grandparent_is_answered_first():
    assert keys(WOMAN, "怎么跟爷爷相处", as_of=TODAY)[0] == "answer.how.first"


@pytest.mark.parametrize(
    "asked",
    [
        "怎么不焦虑", "怎样才能不那么紧张", "怎麼緩解焦慮", "How can I be less anxious?",
        "How do I deal with my anxiety?",
    ],
)  # fmt: skip
def test_what_to_do_about_everyday_worry_is_told_as_conduct(asked):
    told = keys(WOMAN, asked, as_of=TODAY)
    assert told[0] == "answer.how.first"
    assert "answer.left_out.medical" not in told


def test_what_to_do_about_worry_with_symptoms_is_told_after_the_word_on_a_doctor():
    assert keys(WOMAN, "怎么缓解焦虑，晚上失眠", as_of=TODAY)[:2] == [
        "answer.left_out.medical",
        "answer.how.first",
    ]
    assert keys(WOMAN, "焦虑症怎么治", as_of=TODAY) == ["answer.left_out.medical"]


@pytest.mark.parametrize(
    "asked",
    [
        "明年买房合适吗",
        "明年買房合適嗎",
        "Is next year right for buying a house?",
        "Should I buy a flat next year?",
    ],
)
def test_whether_to_buy_a_home_is_answered_with_a_word_on_whose_decision_it_is(asked):
    told = keys(WOMAN, asked, as_of=TODAY)
    assert told[0].startswith("answer.whether.")
    assert told[-1] == "answer.caution.financial"
    assert "answer.left_out.financial" not in told


def test_another_reading_of_an_open_strength_is_told_by_what_it_says_and_not_by_a_score():
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    found = [
        each
        for year in range(2024, 2036)
        for each in bz.read(chart.year(year), question="事业如何").reading.summary
        if each.statement.startswith("answer.sure.open")
    ]
    assert {each.statement for each in found} == {"answer.sure.open", "answer.sure.open.same"}
    assert not any("分" in each.text for each in found)
