"""Sides: every ground of a sign speaks for what is asked, against it or neither; what speaks against the sign is marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.plan import COUNTER, Plan, Statement
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan, leaning
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import analysis
from tests.core.speech.drawn import planned_casts
from tests.sizes import sizes

OTHER = {"for": "against", "against": "for"}
UPPER = ("上上签", "中上签")
# The keys of the words that tie a statement to what stands before it: it turns against that, or stands against the sign,
# for the first time in its paragraph or again.
TURNS = "counter"
TIES = (TURNS, "counter.for", "counter.for.again", "counter.against", "counter.against.again")
BOTH = {
    "zh-Hans": ("；不过", "，只是"),
    "zh-Hant": ("；不過", "，只是"),
    "en": ("; but against", "; yet against"),
}


def casts(count: int, seed: int) -> Iterator[ly.Analysis]:
    """Fair casts at any time for any kind of question."""
    draw = Random(seed)
    for _ in range(count):
        month, day = draw.choice(BRANCHES).value, draw.choice(PILLARS).value
        chart = ly.derive(ly.cast.coins(draw), month_branch=month, day=day)
        yield chart.analyze(draw.choice(ly.QUESTION_TYPES), draw.choice(("male", "female")))


@sizes(100, 5000)
def test_grounds_have_the_side_of_the_sign_and_every_other_one_is_a_counter_ground(count):
    seen: Counter[str] = Counter()
    for found in casts(count, 14):
        sign = found.sign
        assert sign.side == ("for" if sign.level in UPPER else "against")
        for each in sign.contributions:
            assert each.side == ("for" if each.points > 0 else "against" if each.points < 0 else "neither")
            seen[f"{each.relation(sign.side)} {sign.side}"] += 1
        assert {each.side for each in sign.grounds} <= {sign.side}
        assert {each.side for each in sign.counter_grounds} <= {OTHER[sign.side]}
        told = {*sign.grounds, *sign.counter_grounds}
        assert told == {each for each in sign.contributions if each.points}
    assert len(seen) == 6
    assert min(seen.values()) > count * 0.06


@sizes(100, 5000)
def test_the_score_outweighs_on_the_side_of_the_sign(count):
    for found in casts(count, 41):
        sign = found.sign
        mine, theirs = (
            sum(abs(each.points) for each in part) for part in (sign.grounds, sign.counter_grounds)
        )
        assert mine - theirs == abs(sign.score)
        # A sign without any ground has nothing against it either, and says little.
        assert sign.grounds or (sign.counter_grounds, sign.level, sign.score) == ((), "中下签", 0)


def test_the_weightiest_ground_comes_first():
    for found in casts(500, 3):
        for part in (found.sign.grounds, found.sign.counter_grounds):
            weights = [abs(each.points) for each in part]
            assert weights == sorted(weights, reverse=True)


def test_json_says_side_and_relation_of_every_ground():
    made = analysis("既济", 3, 6, ask="事业").sign.to_dict()
    assert (made["level"], made["side"]) == ("中下签", "against")
    assert [(each["rule"], each["side"], each["relation"]) for each in made["contributions"]] == [
        ("月令死", "against", "ground"), ("日辰扶或合", "for", "counter-ground"),
    ]  # fmt: skip
    still = analysis("既济", month="申", day="甲子", ask="其他").sign.to_dict()
    assert ("for", "ground") in {(each["side"], each["relation"]) for each in still["contributions"]}


def told(plan: Plan, beginning: str) -> list[Statement]:
    return [each for each in plan.statements if each.key.startswith(f"cast.{beginning}")]


@sizes(80, 2000)
def test_no_conclusion_gives_as_its_reason_what_speaks_against_it(count):
    keys: Counter[str] = Counter()
    for found in casts(count, 151):
        plan, lean = cast_plan(found), leaning(found)
        for topic in ("conclusion", "answer"):
            those = [each for each in told(plan, "") if each.topic == topic]
            at = next((n for n, each in enumerate(those) if each.key.startswith("cast.why.")), len(those))
            names = [each.key.removeprefix("cast.why.") for each in those if each.key.startswith("cast.why.")]
            assert names in [["both"], ["ground"], ["ground", "counter"], ["even"], ["counter"], []], found
            for name, each in zip(
                names, (each for each in those if each.key.startswith("cast.why.")), strict=True
            ):
                assert each.side == {"ground": lean.side, "counter": OTHER[lean.side]}.get(name, "neither")
            # What the verdict rests on stands before what speaks against it.
            marks = [each.side for each in those[:at] if each.key.startswith("cast.omens.")]
            assert names != ["counter"] or lean.side in marks or lean.name == "open", (found, topic)
            keys[" ".join(names)] += 1
    assert len(keys) >= 5


@pytest.mark.parametrize("language", LANGUAGES)
@sizes(25, 400)
def test_every_sentence_that_speaks_against_the_sign_is_introduced_as_that(language, count):
    marked = 0
    for found, plan in planned_casts(count):
        reading, other = Speaker(language, plan.digest).reading(plan), OTHER[leaning(found).side]
        for each, sentence in zip(plan.statements, reading.sentences, strict=True):
            against = each.side == other
            assert (each.relation == COUNTER) is against
            assert tie(sentence.text, language) or not against, (each.key, sentence.text)
            assert each.key != "cast.why.both" or any(mark in sentence.text for mark in BOTH[language])
            marked += against
    assert marked > count


def tie(text: str, language: str) -> str:
    """The key of the words with which a sentence begins that tie it to what stands before it; nothing for none."""
    return next((key for key in TIES for word in words_of(key, language) if text.startswith(word)), "")


def words_of(key: str, language: str) -> list[str]:
    return [row[language].replace("{said}", "") for row in catalogue()[key]]


@pytest.mark.parametrize("language", LANGUAGES)
@sizes(30, 400)
def test_a_sentence_turns_only_against_what_stands_before_it_and_names_the_side_on_which_it_stands(
    language, count
):
    met: Counter[str] = Counter()
    for found, plan in planned_casts(count):
        sentences = Speaker(language, plan.digest).reading(plan).sentences
        before, paragraph, other = "neither", "", OTHER[leaning(found).side]
        for each, sentence in zip(plan.statements, sentences, strict=True):
            before = before if each.topic == paragraph else "neither"
            key, paragraph = tie(sentence.text, language), each.topic
            if key == TURNS:
                assert {before, each.side} == {"for", "against"}, sentence.text
            elif key:
                assert each.side == key.split(".")[1] == other, sentence.text
                assert (before == each.side) is key.endswith(".again"), sentence.text
            met[key] += 1
            before = each.side
    assert {*met} == {"", *TIES}


@sizes(60, 1500)
def test_what_strengthens_a_line_that_harms_is_told_as_harm_and_what_weakens_it_takes_its_side_away(count):
    sides = {"good": "for", "bad": "against", "worse": "against", "plain": "neither", "weak": "neither"}
    seen: Counter[str] = Counter()
    for _, plan in planned_casts(count):
        for each in told(plan, "change."):
            tone = each.key.removeprefix("cast.change.")
            assert each.side == sides[tone.partition(".")[0]]
            seen[tone.partition(".")[0]] += 1
        for each in told(plan, "move."):
            if each.key.endswith((".spent", ".feeds")):
                assert each.side == "neither"
                seen["spent"] += 1
    assert {*seen} == {*sides, "spent"}


def test_a_change_of_the_line_of_self_is_that_of_whoever_asks():
    # 亥 of line 3 holds 世 and is of 仇神; that its change controls it is no relief.
    changes = {(each.key, each.side) for each in told(cast_plan(analysis("既济", 3, ask="事业")), "change.")}
    assert changes == {("cast.change.bad.回头克", "against")}


def test_every_tie_has_its_words_in_three_languages():
    for key in TIES:
        for row in catalogue()[key]:
            for language in LANGUAGES:
                assert row[language] == row[language].replace("{said}", "") + "{said}"
                assert tie(row[language], language) == key
