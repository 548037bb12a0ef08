"""Mutants of readings of casts: true text made false in one place, for the check to find.

Terms are found by plain search in the tables, not by the scanner that is tried; a new term is one that no fact holds
which the sentence cites. `python -m tests.core.liuyao.reading_mutants 400` prints what is caught.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS, Branch
from bazi_core.liuyao.board import Line
from bazi_core.liuyao.outline import narrated
from bazi_core.liuyao.words import word
from bazi_core.readings.divination.answer import PARTS, DivinationReading, Item
from bazi_core.readings.divination.check import check
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES

# Share of each class that must be caught.
GATES = {
    "line": 1.0, "relative": 1.0, "hexagram": 1.0, "pillar": 1.0, "state": 1.0, "mark": 1.0, "role": 1.0, "sign": 1.0,
    "time": 1.0, "element": 1.0, "evidence": 1.0, "number": 1.0, "exchange": 0.99, "negation": 0.98, "addition": 0.95,
}  # fmt: skip
LINES = ("初爻", "二爻", "三爻", "四爻", "五爻", "上爻")
STATES = ("旺", "相", "休", "囚", "死")
POLICIES = tuple(
    ly.LiuyaoPolicy(**options)
    for options in ({}, {}, {"an_dong": "zs_practice", "void_kind": "raw"}, {"an_dong": "hjc_any"},
                    {"yong_shen_absent": "month_day_hidden"}, {"yong_shen_absent": "changed_hidden"})
)  # fmt: skip


class Sample(NamedTuple):
    """A reading of the narrator with its analysis."""

    found: ly.Analysis
    reading: DivinationReading


class Mutant(NamedTuple):
    """A reading with one false item, what it was and what it became."""

    reading: DivinationReading
    before: str
    after: str
    evidence: tuple[str, ...]


Where = tuple[str, int, Item]
Generator = Callable[[Sample, random.Random], Iterator[Mutant]]


def random_analysis(rng: random.Random) -> ly.Analysis:
    """A random cast in a random month and on a random day, asked about anything, sometimes about nothing."""
    lines = [rng.choice((6, 7, 7, 8, 8, 9)) for _ in range(6)]
    month, day = rng.choice(BRANCHES).value, rng.choice(PILLARS).value
    chart = ly.derive(lines, month_branch=month, day=day, policy=rng.choice(POLICIES))
    about = rng.choice((*ly.QUESTION_TYPES, None, "别的事"))
    return chart.analyze(about, rng.choice((None, "male", "female")))


def samples(count: int, seed: int = 1) -> Iterator[Sample]:
    """Readings of random casts, the languages in turn."""
    rng = random.Random(seed)
    for number in range(count):
        found = random_analysis(rng)
        yield Sample(found, narrated(found, LANGUAGES[number % 3]))


def rejected(sample: Sample) -> list[str]:
    """What the check finds in a reading."""
    report = check(sample.reading, sample.found.facts)
    found = [f"{each.category} {each.term} {each.reason}: {each.sentence}" for each in report.contradicted]
    return (
        found
        + [f"unknown {name}" for name in report.unknown_ids]
        + [f"uncited {text}" for text in report.uncited]
    )


def _items(reading: DivinationReading) -> list[Where]:
    return [
        (part, number, item)
        for part in PARTS
        for number, item in enumerate(getattr(reading, part))
        if item.evidence
    ]


def _changed(reading: DivinationReading, where: Where, item: Item) -> Mutant:
    part, number, old = where
    items = list(getattr(reading, part))
    items[number] = item
    return Mutant(reading._replace(**{part: tuple(items)}), old.text, item.text, item.evidence)


def _known(sample: Sample, item: Item) -> str:
    """The words of the facts that an item cites, with what follows from a branch."""
    text = " ".join(f"{name} {sample.found.facts[name].text_zh}" for name in item.evidence)
    return text + "".join(branch.element.value for branch in BRANCHES if branch.value in text)


def _forms(name: str, language: str) -> str:
    return name if language != "zh-Hant" else word(name, "zh-Hant") if len(name) > 1 else name


@cache
def _names(kind: str) -> tuple[str, ...]:
    match kind:
        case "relative":
            return tuple(row["name"] for row in rows("liuyao/relatives"))
        case "hexagram":
            return tuple(row["full"] for row in rows("liuyao/hexagrams"))
        case "pillar":
            return tuple(each.value for each in PILLARS)
        case "spirit":
            return tuple(row["name"] for row in rows("liuyao/spirits"))
    return tuple(row["name"] for row in rows("liuyao/words") if row["kind"] == kind)


def _swaps(
    sample: Sample, kind: str, rng: random.Random, each_in: tuple[str, ...] | None = None
) -> Iterator[Mutant]:
    """A name for another of its kind that no cited fact holds."""
    language = sample.reading.language
    names = each_in or _names(kind)
    forms = {_forms(name, language): name for name in names}
    pattern = re.compile("|".join(sorted(map(re.escape, forms), key=lambda each: -len(each))))
    for where in _items(sample.reading):
        text, known = where[2].text, _known(sample, where[2])
        for match in pattern.finditer(text):
            others = [form for form, name in forms.items() if name not in known and form != match[0]]
            if others:
                new = rng.choice(others)
                tail = _without_gloss(text[match.end() :], forms[match[0]])
                yield _changed(
                    sample.reading, where, where[2]._replace(text=text[: match.start()] + new + tail)
                )


def _without_gloss(tail: str, name: str) -> str:
    """What follows a term, without the gloss of the old one."""
    return re.sub(r"^ \([^()]*\)", "", tail) if name else tail


def line(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """The right statement on the wrong line."""
    language = sample.reading.language
    names = (
        {f"line {n}": str(n) for n in range(1, 7)}
        if language == "en"
        else {name: str(n) for n, name in enumerate(LINES, 1)}
    )
    for where in _items(sample.reading):
        text, spoken = where[2].text, _lines_of(sample, where[2])
        for match in re.finditer("|".join(names), text, re.IGNORECASE):
            others = [name for name, n in names.items() if n not in spoken]
            if others:
                made = text[: match.start()] + rng.choice(others) + text[match.end() :]
                yield _changed(sample.reading, where, where[2]._replace(text=made))


def _lines_of(sample: Sample, item: Item) -> set[str]:
    known = " ".join(sample.found.facts[name].text_zh for name in item.evidence)
    ids = {
        part for name in item.evidence for part in name.split(".") if part.isdigit() and "timing" not in name
    }
    return {str(n) for n, name in enumerate(LINES, 1) if name in known} | ids


def relative(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    yield from _swaps(sample, "relative", rng)


def hexagram(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    yield from _swaps(sample, "hexagram", rng)
    yield from _swaps(sample, "tag", rng, ("六冲", "六合"))
    yield from _swaps(sample, "transition", rng)
    yield from _swaps(sample, "turning", rng, ("反吟", "伏吟"))


def pillar(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    yield from _swaps(sample, "pillar", rng)
    yield from _swaps(sample, "spirit", rng)


def state(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """旺 for 囚, 发动 for 安静."""
    patterns = {
        "en": rf"(?<= )([{''.join(STATES)}])(?= in the month|\)? \([a-z]+\) in the month)",
        "zh-Hans": rf"(?<=月为)([{''.join(STATES)}])",
        "zh-Hant": rf"(?<=月為)([{''.join(STATES)}])",
    }
    for where in _items(sample.reading):
        for match in re.finditer(patterns[sample.reading.language], where[2].text):
            new = rng.choice([each for each in STATES if each != match[1]])
            tail = _without_gloss(where[2].text[match.end() :], "x")
            yield _changed(
                sample.reading, where, where[2]._replace(text=where[2].text[: match.start()] + new + tail)
            )
    pairs = (("发动", "安静"), ("發動", "安靜"))
    for where in _items(sample.reading):
        if any(name.startswith("ly.role") for name in where[2].evidence):
            continue
        for one, other in (*pairs, *((b, a) for a, b in pairs)):
            at = where[2].text.find(one)
            if at >= 0 and one != "安静" and one != "安靜":
                text = where[2].text[:at] + other + _without_gloss(where[2].text[at + 2 :], "x")
                yield _changed(sample.reading, where, where[2]._replace(text=text))


def mark(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """A change mark, 旬空, 月破, 日破 or 暗动 for another."""
    yield from _swaps(sample, "change", rng)
    yield from _swaps(sample, "marks", rng, ("旬空", "月破", "日破", "暗动", "真空", "假空"))


def role(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """原神 for 忌神, 世爻 for 应爻."""
    yield from _swaps(sample, "role", rng)
    for one, other, short in (("世爻", "应爻", "应"), ("應爻", "世爻", "世"), ("应爻", "世爻", "世")):
        for where in _items(sample.reading):
            at = where[2].text.find(one)
            if at >= 0 and short not in _known(sample, where[2]):
                text = where[2].text[:at] + other + _without_gloss(where[2].text[at + 2 :], "x")
                yield _changed(sample.reading, where, where[2]._replace(text=text))


def sign(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """Another level of the sign, in the field or in a sentence."""
    levels = _names("sign")
    other = rng.choice([each for each in levels if each != sample.reading.sign_level])
    assert sample.reading.sign_level is not None
    yield Mutant(sample.reading._replace(sign_level=other), sample.reading.sign_level, other, ())
    yield from _swaps(sample, "sign", rng)
    fifth = "上中籤" if sample.reading.language == "zh-Hant" else "上中签"
    for where in _items(sample.reading):
        for level in levels:
            form = _forms(level, sample.reading.language)
            if form in where[2].text:
                yield _changed(
                    sample.reading, where, where[2]._replace(text=where[2].text.replace(form, fifth))
                )


def time(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """Another branch of a time, or another trigger."""
    yield from _swaps(
        sample, "timing", rng, tuple(name for name in _names("timing") if name not in ("进神", "退神"))
    )
    for where in _items(sample.reading):
        item = where[2]
        if not re.search("应期|應期", item.text):
            continue
        stated = {value for name in item.evidence for value in sample.found.facts[name].value}
        head = next(
            (
                at
                for at in map(item.text.find, ("看", "索", "为", "為", "look to", "clue is", "of ", "take "))
                if at > 0
            ),
            0,
        )
        for at in range(head, len(item.text)):
            if item.text[at] in stated and item.text[at] in "".join(each.value for each in BRANCHES):
                others = [each.value for each in BRANCHES if each.value not in stated]
                text = item.text[:at] + rng.choice(others) + _without_gloss(item.text[at + 1 :], "x")
                yield _changed(sample.reading, where, item._replace(text=text))


def element(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """水 for 木, after a pillar or said of a role."""
    signs = "".join(each.value for each in BRANCHES)
    elements = "木火土金水"
    for where in _items(sample.reading):
        text, known = where[2].text, _known(sample, where[2])
        for match in re.finditer(f"(?<=[{signs}属屬])[{elements}]|(?<=of )[{elements}]", text):
            before = text[match.start() - 1]
            right = Branch(before).element.value if before in signs else ""
            others = [
                each
                for each in elements
                if each != match[0] and each != right and (right or each not in known)
            ]
            if others:
                tail = _without_gloss(text[match.end() :], "x")
                yield _changed(
                    sample.reading,
                    where,
                    where[2]._replace(text=text[: match.start()] + rng.choice(others) + tail),
                )


def evidence(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """An id that does not exist, or the evidence of another item that does not speak of the same things."""
    found = _items(sample.reading)
    pattern = re.compile("|".join((*_names("relative"), *_names("hexagram"), *_names("pillar"))))
    for where in found:
        item, facts = where[2], sample.found.facts
        at = rng.randrange(len(item.evidence))
        wrong = item.evidence[at] + rng.choice(("x", ".9"))
        if rng.random() < 0.4 and wrong not in facts:
            names = (*item.evidence[:at], wrong, *item.evidence[at + 1 :])
            yield _changed(sample.reading, where, item._replace(evidence=names))
            continue
        donor = rng.choice(found)[2]
        named = pattern.findall(item.text)
        known = " ".join(facts[name].text_zh for name in donor.evidence)
        if any(each not in known for each in named):
            yield _changed(sample.reading, where, item._replace(evidence=donor.evidence))


def number(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """A date or an amount of time that no fact states."""
    said = {
        "zh-Hans": ("三天之内有结果", "应在2026年", "五月初三见分晓", "两个月后转好"),
        "zh-Hant": ("三天之內有結果", "應在2026年", "五月初三見分曉", "兩個月後轉好"),
        "en": ("it comes within three days", "expect it in 2026", "look to 5 May", "it turns in two months"),
    }[sample.reading.language]
    yield from _added(sample, [rng.choice(said) for _ in range(3)], rng)


def _added(sample: Sample, phrases: list[str], rng: random.Random) -> Iterator[Mutant]:
    found = _items(sample.reading)
    english = sample.reading.language == "en"
    for phrase in phrases:
        where = rng.choice(found)
        text = where[2].text.rstrip("。.")
        made = f"{text}, and {phrase}." if english else f"{text}，{phrase}。"
        yield _changed(sample.reading, where, where[2]._replace(text=made))


def exchange(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """Two names of a kind at each other's place: relatives, pillars or lines of one sentence."""
    language = sample.reading.language
    kinds = [_names("relative"), _names("pillar"), _names("hexagram")]
    for where in _items(sample.reading):
        for names in kinds:
            pattern = re.compile("|".join(re.escape(_forms(name, language)) for name in names))
            for one, two in pairwise(pattern.finditer(where[2].text)):
                text = where[2].text
                # Only what is not told of the same thing by the other name: the two of a change.
                if one[0] == two[0] or not any(
                    name.startswith(("ly.target", "ly.gua.target")) for name in where[2].evidence
                ):
                    continue
                made = (
                    text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]
                )
                yield _changed(
                    sample.reading, where, where[2]._replace(text=re.sub(r" \([A-Z][^()]*\)", "", made))
                )


_NEGATORS = {
    "zh-Hans": ("不是", "并非", "不", "非", "未", "没有"),
    "zh-Hant": ("不是", "並非", "不", "非", "未", "沒有"),
    "en": ("not ", "no ", "never ", "without "),
}


def negation(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """A negator before a term."""
    language = sample.reading.language
    names = [
        *_names("relative"),
        *_names("hexagram"),
        *_names("pillar"),
        *_names("sign"),
        *_names("spirit"),
        "发动",
    ]
    pattern = re.compile(
        "|".join(sorted((re.escape(_forms(name, language)) for name in names), key=lambda each: -len(each)))
    )
    for where in _items(sample.reading):
        for match in pattern.finditer(where[2].text):
            if where[2].text[max(0, match.start() - 2) : match.start()].strip()[-1:] in ("不", "未"):
                continue
            text = (
                where[2].text[: match.start()]
                + rng.choice(_NEGATORS[language])
                + where[2].text[match.start() :]
            )
            yield _changed(sample.reading, where, where[2]._replace(text=text))


def addition(sample: Sample, rng: random.Random) -> Iterator[Mutant]:
    """A false statement on the board after a true one."""
    yield from _added(sample, [rng.choice([*_false(sample, rng)]) for _ in range(3)], rng)


def _false(sample: Sample, rng: random.Random) -> Iterator[str]:
    """Statements that are false of the whole board, said as a writer would."""
    lines, language = sample.found.lines, sample.reading.language
    one = rng.choice(lines)
    wrong = rng.choice(
        [
            name
            for name in _names("relative")
            if name != one.relation and name != (one.turned.relation if one.turned else "")
        ]
    )
    place, rel = LINES[one.position - 1], _forms(wrong, language)
    moving, spirit = "安静" if one.moving else "发动", _wrong_spirit(one)
    hant = _forms(moving, "zh-Hant"), _forms(spirit, "zh-Hant")
    at = f"line {one.position}"
    said = {
        "zh-Hans": (f"{place}{rel}有情", f"{place}{moving}", f"{place}为{rel}", f"{rel}在{place}临{spirit}"),
        "zh-Hant": (
            f"{place}{rel}有情",
            f"{place}{hant[0]}",
            f"{place}為{rel}",
            f"{rel}在{place}臨{hant[1]}",
        ),
        "en": (f"{at} is {wrong}", f"{at} is {moving}", f"{wrong} stands at {at}", f"{at} is with {spirit}"),
    }[language]
    yield from said
    if not one.state.void:
        yield {
            "zh-Hans": f"{place}落旬空",
            "zh-Hant": f"{place}落旬空",
            "en": f"line {one.position} is 旬空",
        }[language]


def _wrong_spirit(one: Line) -> str:
    return next(name for name in _names("spirit") if name != one.spirit)


GENERATORS: dict[str, Generator] = {
    each.__name__: each
    for each in (line, relative, hexagram, pillar, state, mark, role, sign, time, element, evidence, number, exchange,
                 negation, addition)
}  # fmt: skip


class Tally(NamedTuple):
    """How many mutants there were and those that slipped through."""

    made: int
    slipped: tuple[Mutant, ...]

    @property
    def share(self) -> float:
        return 1 - len(self.slipped) / self.made if self.made else 0.0


def tallies(count: int, seed: int = 1, most: int = 4) -> tuple[dict[tuple[str, str], Tally], list[str]]:
    """Mutants of the readings of so many casts by class and language, at most so many of a class for each; what was rejected
    unchanged."""
    rng = random.Random(seed + 1)
    made, slipped, problems = Counter[tuple[str, str]](), dict[tuple[str, str], list[Mutant]](), list[str]()
    for sample in samples(count, seed):
        problems += rejected(sample)
        for name, generator in GENERATORS.items():
            mutants = [*generator(sample, rng)]
            for mutant in rng.sample(mutants, min(most, len(mutants))):
                key = (name, sample.reading.language)
                made[key] += 1
                if not rejected(Sample(sample.found, mutant.reading)):
                    slipped.setdefault(key, []).append(mutant)
    return {key: Tally(made[key], tuple(slipped.get(key, ()))) for key in made}, problems


def of(found: dict[tuple[str, str], Tally], name: str) -> Tally:
    """A class over all languages."""
    own = [each for (each_name, _), each in found.items() if each_name == name]
    return Tally(sum(each.made for each in own), tuple(mutant for each in own for mutant in each.slipped))


def main(count: int, seed: int) -> int:
    found, problems = tallies(count, seed)
    print(f"{count} readings, {len(problems)} rejections")
    for name, gate in GATES.items():
        one = of(found, name)
        shares = "  ".join(
            f"{language} {found[name, language].share:.3f}"
            for language in LANGUAGES
            if (name, language) in found
        )
        print(f"{name:10} {one.made:6} {one.share:.4f} (gate {gate})  {shares}")
        for mutant in one.slipped[:6]:
            print(f"    {mutant.before} => {mutant.after} {mutant.evidence}")
    return 0


if __name__ == "__main__":
    sys.exit(
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    )
