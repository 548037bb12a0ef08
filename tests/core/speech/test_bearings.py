"""What bears on a question in a chart: star, palace and ties of the person asked about."""

from __future__ import annotations

from collections import Counter

from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.useful import WANTED
from bazi_core.speech.catalogue import Phrase
from bazi_core.speech.statements.asked import Asked
from bazi_core.speech.statements.bearings import PERSONS, AskedBearing, bearings
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.kin import CLASSES_OF, KIN
from bazi_core.structures.classes import element_of
from tests.core.pattern.test_dynamics import any_results, result
from tests.core.speech.drawn import births

OF = "answer.bearing."


def keys(found: tuple[AskedBearing, ...]) -> list[str]:
    return [each.key.removeprefix(OF) for each in found]


def of_regular(count: int) -> list[PatternResult]:
    return [one for one in any_results(count, 79) if one.useful.order]


def test_a_clash_of_the_hour_branch_is_told_of_children():
    # 申寅冲 of day and hour: the palace of children.
    found = bearings(result("辛丑 壬辰 甲申 丙寅"), "children", "child")
    assert "palace.break" in keys(found)
    told = next(each for each in found if each.key == f"{OF}palace.break")
    assert told.points < 0
    assert told.evidence[0].startswith("rel.六冲.")


def test_every_person_with_a_star_has_its_strength_among_the_grounds():
    for one in of_regular(40):
        stars = {each.relative for each in one.relatives}
        for person, place in KIN.items():
            if place.star in stars:
                found = bearings(one, place.domain, person)
                told = [each for each in found if each.key.startswith(f"{OF}person")]
                assert len(told) == (2 if person == "parents" else 1)
                assert all(any(name.startswith("kin.") for name in each.evidence) for each in told)


def test_what_bears_on_a_question_about_oneself_is_that_of_the_person_it_is_about():
    for one in of_regular(20):
        for domain, person in PERSONS.items():
            assert bearings(one, domain, "self") == bearings(one, domain, person)


def test_every_fact_that_is_cited_is_one_of_the_chart():
    for one in of_regular(40):
        for domain, subject in (
            ("marriage", "self"),
            ("wealth", "self"),
            ("parents", "father"),
            ("children", "child"),
        ):
            for each in bearings(one, domain, subject):
                assert {*each.evidence} <= {*one.all_facts}, (one.pillars, each.key)


def test_ties_that_bear_on_a_question_hold():
    for one in of_regular(60):
        by_id = {each.id: each for each in one.chart.relations}
        for each in bearings(one, "marriage", "self"):
            assert all(by_id[name].status == "成立" for name in each.evidence if name in by_id)


def test_what_is_no_person_and_no_side_of_life_with_a_star_has_none():
    assert bearings(of_regular(3)[0], "general", "self") == ()


def test_of_no_relative_it_is_told_that_their_star_is_dead():
    met = 0
    for one in of_regular(80):
        for subject in ("father", "mother", "child", "spouse"):
            found = [each for each in bearings(one, KIN[subject].domain, subject) if "state" in each.values]
            met += sum(each.values["state"] == Phrase("bearing.dead", {}) for each in found)
            assert all(getattr(each.values["state"], "hanzi", "") != "死" for each in found)
    assert met


def test_a_tie_of_the_palace_of_a_partner_leaves_open_whether_there_is_one():
    found = [each for one in of_regular(80) for each in bearings(one, "marriage", "self")]
    keys_ = {each.key for each in found}
    assert f"{OF}palace.join.mate" in keys_
    assert f"{OF}palace.join" not in keys_


def test_a_star_that_is_wanted_and_has_no_strength_or_is_held_speaks_against_the_question():
    met = set()
    for one in of_regular(80):
        for domain, k in CLASSES_OF.items():
            own = element_of(one.pillars.day.stem, k)
            star = bearings(one, domain, "self")[0] if domain not in PERSONS else None
            if star is None:
                continue
            power = star.values["power"].key.removeprefix("bearing.power.")
            stems = [each for each in one.company.stems if each.stem.element is own]
            assert power != "strong" or not stems or not all(each.is_bound for each in stems)
            is_wanted = one.useful.role(own) in WANTED
            assert star.points == (-1 if is_wanted and power in ("weak", "bound", "pressed") else 0)
            met.add(power)
    assert met == {"strong", "fair", "weak", "bound", "pressed"}


def test_a_useful_god_that_is_shaken_or_held_speaks_against_the_question():
    found = [each for one in of_regular(80) for each in bearings(one, "career", "self")]
    of_use = {
        each.key.removeprefix(f"{OF}use."): each.points for each in found if each.key.startswith(f"{OF}use.")
    }
    assert of_use["break"] == of_use["join"] == -1
    assert of_use.get("chafe", 0) == 0


def test_no_side_of_life_is_told_to_go_well_whose_star_is_weak_held_or_pressed():
    told = Counter()
    for birth in births(25, 18):
        for domain in ("career", "wealth", "study"):
            result = birth.pattern()
            if not result.useful.order:
                continue
            plan = pattern_plan(result, asked=Asked(domain, "describe"))
            verdict = next(each.key for each in plan.statements if each.key.startswith("answer.chart."))
            helpless = any(each.is_helpless for each in bearings(result, domain, "self"))
            told[helpless, verdict] += 1
            assert not helpless or verdict != "answer.chart.good"
    assert told[False, "answer.chart.good"]
    assert told[True, "answer.chart.mixed"]
