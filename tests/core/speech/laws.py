"""The laws of all statements over as many charts as one likes: `python -m tests.core.speech.laws COUNT [SEED]`.

Every chart is planned with and without a question, and so is one of its years and one cast for each; a plan in which a slot
says what no cited fact states, or which says two things that exclude each other, is printed with its object. The statements
are the same in every language: a slot is held against the facts if a wording of any language prints it. Every tenth plan is
worded in all of them as well.
"""

from __future__ import annotations

import csv
import re
import sys
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import STEMS, Stem
from bazi_core.speech.catalogue import Sign, Term
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables.words import LANGUAGES
from tests.core.speech.drawn import drawn_casts, drawn_plans
from tests.core.speech.glosses import ill_glossed
from tests.core.speech.slots import Known, unfounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.speech.plan import Plan, Statement

FILE = Path(__file__).with_name("exclusive.csv")
STEM_NAMES = frozenset(stem.value for stem in STEMS)
# Signs that no sentence holds, and pairs of them.
NEVER = ("{", "}", "None", "。。", "，，", "..", ",,", "  ", "()", "（）")
WORDED = 10


@cache
def pairs() -> tuple[dict[str, str], ...]:
    """The rows of statements that exclude each other."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(csv.DictReader(line for line in lines if line and not line.startswith("#")))


def clashes(plan: Plan) -> list[str]:
    """The pairs of the table that a plan holds both of."""
    said: dict[str, list[Statement]] = {}
    for each in plan.statements:
        said.setdefault(each.key, []).append(each)
    found = []
    for row in pairs():
        if row["unless"] in said:
            continue
        first = _those(said, row["one"])
        second = _those(said, row["other"]) if first else []
        one, _, other = row["same"].partition("=")
        if any(not one or _named(a, one) & _named(b, other) for a in first for b in second):
            found.append(f"{row['one']} | {row['other']}")
    return found


def _those(said: dict[str, list[Statement]], key: str) -> list[Statement]:
    """The statements of a key, or of all keys that begin with one that ends in a dot."""
    if not key.endswith("."):
        return said.get(key, [])
    return [each for name, same in said.items() if name.startswith(key) for each in same]


def _named(statement: Statement, slot: str) -> set[str]:
    """What a slot names: a stem by its element, a decade by its fact."""
    if slot == "decade":
        return {each for each in statement.evidence if re.fullmatch(r"dy\.\d+", each)}
    value = statement.values[slot]
    return {_name(each) for each in (value if isinstance(value, list) else [value])}


def _name(value: Any) -> str:
    assert isinstance(value, (Sign, Term))
    return Stem(value.hanzi).element.value if value.hanzi in STEM_NAMES else value.hanzi


def groundless(plan: Plan) -> list[str]:
    """The statements of a plan that say what no cited fact states, or cite nothing though they state something."""
    known = Known(plan)
    found = [f"{each.id}: {' '.join(words)}" for each in plan.statements if (words := unfounded(known, each))]
    return found + [
        each.id for each in plan.statements if not each.evidence and each.kind not in ("advice", "transition")
    ]


# Sentences that place the star of a person, with the slot that names it.
_PLACED = {"answer.bearing.person": "star", "answer.bearing.person.twin": "other"}
_OF_CLASS = {"官杀": ("正官", "七杀"), "食伤": ("食神", "伤官"), "比劫": ("比肩", "劫财")}
# What cannot be said of eight characters of which six are known.
_OF_EIGHT = re.compile(
    r"八字缺|八字里|八字裡|四柱里|四柱裡|in the four pillars|four methods agree|四种方法结论一致"
)


def misplaced(plan: Plan) -> list[str]:
    """The statements that place a ten god where only its twin stands."""
    return [
        each.id
        for each in plan.statements
        if each.key in _PLACED
        and not all(
            _stands(plan, each.values[_PLACED[each.key]].hanzi, at.place)
            for at in each.values["footing"].values["places"]
        )
    ]


def _stands(plan: Plan, god: str, place: str) -> bool:
    """Whether the facts have a ten god, or one of its class, at a place of the chart."""
    where, _, part = place.partition(".")
    head = f"tg.{where}.stem" if part == "stem" else f"tg.{where}."
    gods = {
        str(fact.value) for name, fact in plan.facts.items()
        if name.startswith(head) and (part == "stem" or name != f"tg.{where}.stem")
    }  # fmt: skip
    return bool(gods & {*_OF_CLASS.get(god, (god,))})


def both_ways(plan: Plan) -> list[str]:
    """The events that are told as a cost and, when they come again, as a help."""
    costs = {
        name
        for each in plan.statements
        if each.key.startswith("event.") and each.values["effect"].key.startswith("side.凶")
        for name in each.evidence
        if ".E-" in name
    }
    again = {each.evidence[0] for each in plan.statements if each.key == "again.months.good"}
    return sorted(costs & again)


def beyond_the_hour(plan: Plan, language: str) -> list[str]:
    """The sentences of a plan without an hour that tell of all four pillars."""
    if "p.hour.stem" in plan.facts or "p.day.stem" not in plan.facts:
        return []
    sentences = Speaker(language, plan.digest).reading(plan).sentences
    return [each.text for each in sentences if _OF_EIGHT.search(each.text)]


# So many of the words of the shorter of two sentences make the other one its repeat.
ALIKE = 0.8
# What is said of one side of life after the other, in the same words on purpose.
_PARALLEL = ("years.", "answer.second.", "answer.also.")


def repeated(plan: Plan, language: str) -> list[str]:
    """The sentences of a plan that share most of their words with another one of the same reading; terms are not explained,
    as their explanations do not come again anyway."""
    keys = {each.id: each.key for each in plan.statements}
    found = [
        (each.text, _words(each.text, language))
        for each in Speaker(language, plan.digest).reading(plan.shortened("standard")).sentences
        if not keys.get(str(each.statement), "").startswith(_PARALLEL)
    ]
    return [
        f"{one} / {other}" for (one, own), (other, others) in combinations(found, 2)
        if min(len(own), len(others)) > 3 and len(own & others) >= ALIKE * min(len(own), len(others))
    ]  # fmt: skip


def _words(text: str, language: str) -> set[str]:
    return set(text.lower().split()) if language == "en" else {"".join(each) for each in pairwise(text)}


def ill_worded(plan: Plan, language: str) -> list[str]:
    """The sentences of a plan that have an open slot or a doubled sign, or explain a term late or twice."""
    whole = plan._replace(separate=False)
    sentences = Speaker(language, plan.digest, plain=True).reading(whole).sentences
    found = [each.text for each in sentences if any(sign in each.text for sign in NEVER)]
    return found + ill_glossed(sentences, language, plan.separate)


def all_plans(count: int, seed: int) -> Iterator[Plan]:
    """So many charts, each with one of its years and with one cast."""
    drawn = drawn_plans(count, seed)
    for cast in drawn_casts(count, seed):
        yield next(drawn)
        yield next(drawn)
        yield cast_plan(cast)


def main(count: int, seed: int = 2015) -> int:
    """Holds the laws over so many charts, years and casts; the number of plans that break one."""
    said = broken = 0
    start = process_time()
    for number, plan in enumerate(all_plans(count, seed)):
        said += len(plan.statements)
        faults = groundless(plan) + clashes(plan) + misplaced(plan) + both_ways(plan)
        if number % WORDED == 0:
            faults += [text for language in LANGUAGES for text in ill_worded(plan, language)]
        faults += beyond_the_hour(plan, "zh-Hans")
        if faults:
            broken += 1
            print(plan.digest[:12], "; ".join(faults))
    seconds = process_time() - start
    print(
        f"{count} charts, as many years and casts: {said} statements, {broken} plans break a law, "
        f"{seconds:.0f} s of processor"
    )
    return broken


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
