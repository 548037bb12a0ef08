"""Years and decades as they are told: yes or no first, one sign for one tie, ages, groups, and the decades themselves."""

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS
from bazi_core.pattern.useful import ADVERSE, WANTED
from bazi_core.pattern.walk import COMING, NOW, walk
from bazi_core.speech.statements.happenings import heaviest
from bazi_core.speech.statements.walk import LONG_LIFE
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.topic_filter import life_ages, sides_told
from tests.core.speech.asking import keys, summary
from tests.core.speech.drawn import births
from tests.sizes import both

CHART = bz.chart("1990-05-15 13:30", city="北京", gender="male")


@pytest.fixture(scope="module", params=both(20, 300))
def charts(request):
    return [*births(request.param)]


def first(target, question, **more):
    return summary(target, question, **more)[0]


def test_a_decade_is_judged_by_what_its_branch_gathers(charts):
    gathered = 0
    for chart in charts:
        result = chart.pattern()
        for decade in walk(result):
            if decade.gathers is None or not decade.roles:
                continue
            gathered += 1
            judged = (decade.roles[0], result.useful.role(decade.gathers.element))
            assert decade.gathered == judged[1]
            good, bad = any(each in WANTED for each in judged), any(each in ADVERSE for each in judged)
            assert (
                decade.tone == {(1, 1): "mixed", (1, 0): "good", (0, 1): "hard", (0, 0): "plain"}[good, bad]
            )
    assert gathered > len(charts) // 4


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("今年换工作合适吗", ("换工作", "合适", "两可")),
        ("今年要不要创业", ("创业", "可以", "正反两边的分量差不多", "缓一缓", "不宜")),
        ("今年能升职吗", ("升职", "机会", "难")),
    ],
)
def test_a_year_begins_with_yes_or_no_in_the_words_of_the_question(question, words):
    matter, *answers = words
    for number in range(2020, 2032):
        said = first(CHART.year(number), question)
        assert said.statement.startswith("answer.whether.")
        assert matter in said.text
        assert any(each in said.text for each in answers)


def test_yes_and_no_follow_the_score_and_contrary_readings_leave_it_open():
    for number in range(2015, 2040):
        year = CHART.year(number)
        degree = first(year, "今年换工作合适吗").statement.rpartition(".")[2]
        scores = [year.scores.of("career"), *(each.scores.of("career") for each in year.alternatives)]
        if max(scores) >= 56 and min(scores) < 45:
            assert degree == "open"
        else:
            assert degree in ("yes", "rather_yes") if scores[0] >= 56 else ("open", "rather_no", "no")


@pytest.mark.parametrize("question", ["今年身体好吗", "今年适合要孩子吗"])
def test_of_the_body_and_of_having_children_no_year_says_yes_or_no(question):
    assert not any((each or "").startswith("answer.whether") for each in keys(CHART.year(2026), question))


def test_an_answer_is_introduced_once(charts):
    for chart in charts[:8]:
        told = bz.read(chart.year(2030), question="2030年身体要注意什么").narrative
        assert told.count("就你所问") + told.count("简单说") <= 1


def test_what_a_side_of_life_can_mean_at_an_age_is_said():
    child = bz.chart("2012-06-01 08:00", city="北京", gender="male").year(2026)
    old = bz.chart("1951-06-01 08:00", city="北京", gender="male").year(2026)
    assert first(child, "今年适合结婚吗").statement == "answer.of_age"
    assert first(child, "我什么时候会有儿子").statement == "answer.of_age.children"
    assert "answer.age.career.late" in keys(old, "今年能升职吗")
    assert "career" not in sides_told(old.age.nominal)
    assert all(ages.first <= 20 for ages in life_ages().values())


def test_no_month_is_recommended_and_warned_of(charts):
    for chart in charts:
        year = chart.year(2026 + chart.year(2030).age.nominal % 5)
        plan = year_plan(year)
        named = {
            key: {name for each in plan.statements if each.key in keys for name in each.evidence}
            for key, keys in (("best", ("month.best", "month.least")), ("hard", ("month.care", "month.calm")))
        }
        assert not {name for name in named["best"] & named["hard"] if name.endswith(".score")}


def test_months_all_on_one_side_of_the_year_are_explained(charts):
    for chart in charts:
        year = chart.year(2031)
        scores = [month.score for month in year.months]
        apart = min(scores) > year.scores.overall or max(scores) < year.scores.overall
        said = any(each.key.startswith("month.scale") for each in year_plan(year).statements)
        assert said is apart


def test_a_cost_outside_the_overall_score_is_not_told_as_one_within_it(charts):
    told = 0
    for chart in charts:
        year = chart.year(2029)
        points = {event.id: dict(event.points) for event in year.events}
        for each in year_plan(year).statements:
            if each.key.startswith("event."):
                total = sum(points[name].get("overall", 0) for name in each.evidence if name in points)
                key = each.values["effect"].key
                assert key.endswith(".of") is False or total == 0
                told += key.endswith(".of")
    assert told


def test_one_union_has_one_sign(charts):
    """天合地合 stands neither beside what binds the 用神 at the same pillar nor beside 合日主 by an unwanted stem."""
    seen = set()
    for chart in charts:
        for where, own in chart.pillars.items():
            # The one year of sixty whose stem and branch both combine with those of the pillar.
            at = next(
                n for n, each in enumerate(PILLARS)
                if (each.stem.index - own.stem.index) % 10 == 5 and (each.branch.index + own.branch.index) % 12 == 1
            )  # fmt: skip
            events = chart.year(2044 + at).events
            is_told, is_bound, is_held = (
                any(each.rule == rule and where in {place for place, _ in each.members} for each in those)
                for rule, those in (
                    ("E-16", events), ("E-22", events),
                    ("E-13", [each for each in events if each.side == "unfavourable"]),
                )
            )  # fmt: skip
            assert is_told is not (is_bound or is_held), (chart, where)
            seen.add((is_told, is_bound, is_held))
    assert len(seen) == 3


def test_a_union_is_told_from_one_end(charts):
    for chart in charts:
        for event in chart.year(2026).events:
            bound = [each for each in heaviest(event.said) if each.key == "dynamic.bound"]
            ends = [frozenset((each.values[:2], each.values[3].values)) for each in bound]
            assert len(ends) == len(set(ends))


def test_a_question_about_decades_is_answered_by_decades_with_their_dates_once():
    now, following, *_ = keys(CHART, "我这步大运什么时候结束", as_of="2026-11-23")
    assert (now, following) == ("answer.decades.now", "answer.decades.next")
    told = bz.read(CHART, question="我这步大运什么时候结束", as_of="2026-11-23").narrative
    assert told.count("2017年8月16日") == 1


def test_the_best_decades_are_those_that_lean_ones_way():
    told = keys(CHART, "哪步大运最好", as_of="2026-11-23")
    assert "answer.decades.best" in told
    assert told[0].startswith("answer.decades.one.best")


@pytest.mark.parametrize(
    ("asked", "extreme", "tone"),
    [
        ("哪步大运最好", "best", "good"),
        ("Which is my best decade?", "best", "good"),
        ("我最差的大運是哪一步", "worst", "hard"),
        ("Which decade will be the hardest?", "worst", "hard"),
    ],
)
def test_who_asks_for_the_one_decade_is_told_the_one_or_that_there_is_none_first(
    charts, asked, extreme, tone
):
    told = 0
    for chart in charts:
        running = chart.running("2026-11-23")
        every = [each for each in walk(chart.pattern()) if each.cycle.start_at is not None and each.roles]
        if not any(each.time(running) in (NOW, COMING) for each in every):
            continue
        result = bz.read(chart, question=asked, as_of="2026-11-23")
        decades = [each for each in every if (each.cycle.start_age_full or 0) < LONG_LIFE]
        leaning = [each for each in decades if each.tone == tone]
        first = result.reading.summary[0]
        if not leaning:
            assert first.statement == f"answer.decades.none.{extreme}"
        elif len(leaning) == 1:
            assert first.statement == f"answer.decades.one.{extreme}"
            assert str(leaning[0].cycle.start_year) in first.text
        else:
            assert first.statement.startswith(f"answer.decades.one.{extreme}")
            assert any(str(each.cycle.start_year) in first.text for each in leaning)
        told += 1
    assert told > len(charts) // 3


def test_next_year_is_counted_from_the_year_before_it():
    told = summary(CHART.years(2026, 2030), "明年换工作合适吗")
    [counted] = [each for each in told if each.statement == "answer.counted.from"]
    assert "按2026年" in counted.text


def test_a_decade_whose_branch_leans_to_the_other_side_by_a_half_group_is_mixed_and_is_told_so():
    # 甲辰 with two 子: wet earth that leans to the water of which the chart has too much.
    chart = bz.chart("1991-12-25 23:20", city="London", gender="female")
    decade = walk(chart.pattern())[3]
    assert (decade.cycle.pillar.value, decade.leaning, decade.tone) == ("甲辰", "忌神", "mixed")
    assert "半合" in bz.read(chart, as_of="2026-11-28").reading.narrative("zh-Hans")
    met = 0
    for birth in births(25, 11):
        result = birth.pattern()
        for each in walk(result):
            if each.leans is not None:
                met += 1
                assert (each.roles[1] in WANTED) == (each.leaning in ADVERSE)
                assert each.tone == "mixed"
    assert met > 5


@pytest.mark.parametrize("length", ["short", "standard", "long"])
def test_whether_the_running_decade_is_good_mixed_or_hard_is_told_in_every_length(length):
    words = {
        "good": "总的说来偏顺",
        "mixed": "总的说来顺逆各半",
        "hard": "总的说来偏费力",
        "plain": "总的说来平稳",
    }
    for birth in births(15, 12):
        running = birth.running("2026-11-28")
        now = next((each for each in walk(birth.pattern()) if each.time(running) == "now"), None)
        told = bz.read(birth, as_of="2026-11-28", length=length).reading.narrative("zh-Hans")
        assert now is None or not now.roles or words[now.tone] in told
