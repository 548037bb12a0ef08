"""Readings of random charts, made from facts by plain templates in three languages, to try the checker on.

Sentences name one fact, or two or three in running prose; none says more than the facts that it cites.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

import bazi_core as bz
from bazi_core.facts import Fact, collect
from bazi_core.readings.grounding import ReadingLike
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES, glossed, term
from tests.core.readings.drawn_facts import DOMAINS, drawn_facts

BASE_LAYERS = ("p", "hs", "sl", "tg", "void", "stage", "nayin", "palace", "dy", "xy")
CITIES = ("北京", "上海", "广州", "Tokyo", "London", "New York")


class Sentence(NamedTuple):
    text: str
    evidence: tuple[str, ...]
    kind: str
    hedge: bool = False


class Section(NamedTuple):
    key: str
    sentences: tuple[Sentence, ...]


class Reading(NamedTuple):
    title: str
    summary: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    keywords: tuple[str, ...]


class Sample(NamedTuple):
    """A reading with its facts, in a language."""

    reading: ReadingLike
    facts: dict[str, Fact]
    language: str


# Simplified signs of the templates and how they are written in Taiwan; terms have their own forms.
_HANT = str.maketrans(
    "为时运财这两属与开从来见发气则后种样们会个门张历关当应动对称级态强处实进长岁虚满龙宫术讲间坏还较东问题给经过压丰适预阴阳临带荡维护习惯节顾养坚论说舍现余于规稳体细条没综",
    "為時運財這兩屬與開從來見發氣則後種樣們會個門張歷關當應動對稱級態強處實進長歲虛滿龍宮術講間壞還較東問題給經過壓豐適預陰陽臨帶蕩維護習慣節顧養堅論說捨現餘於規穩體細條沒綜",
)
_PLACES = {
    ("year", "stem"): ("年干", "year stem"), ("year", "branch"): ("年支", "year branch"),
    ("year", ""): ("年柱", "year pillar"),
    ("month", "stem"): ("月干", "month stem"), ("month", "branch"): ("月支", "month branch"),
    ("month", ""): ("月柱", "month pillar"),
    ("day", "stem"): ("日干", "day stem"), ("day", "branch"): ("日支", "day branch"), ("day", ""): ("日柱", "day pillar"),
    ("hour", "stem"): ("时干", "hour stem"), ("hour", "branch"): ("时支", "hour branch"),
    ("hour", ""): ("时柱", "hour pillar"),
    ("liunian", "stem"): ("流年天干", "flow year stem"), ("liunian", "branch"): ("流年地支", "flow year branch"),
    ("luck", "stem"): ("大运天干", "luck pillar stem"), ("luck", "branch"): ("大运地支", "luck pillar branch"),
}  # fmt: skip
_DOMAIN_EN = {row["zh-Hans"]: row["en"] for row in rows("terms") if row["kind"] == "domain"} | {
    "总评": "overall"
}
_ADVICE = {
    "zh-Hans": (
        "宜量力而为，按部就班，遇事多与家人商量。",
        "作息规律，饮食有度，自然身心安稳。",
        "时间用在刀刃上，现金流也要留有余地。",
    ),
    "en": (
        "Keep a steady pace and talk things over with people you trust.",
        "Regular sleep and simple food will serve you well.",
        "Leave some room in your budget; time spent on planning is never wasted.",
    ),
}
_TRANSITION = {
    "zh-Hans": ("下面看这一年的情形。", "再说平日的取舍。", "先看整体，再看细节。"),
    "en": (
        "Now to the year itself.",
        "A few words on daily life follow.",
        "First the whole, then the parts.",
    ),
}


def hant(text: str) -> str:
    """A simplified sentence in traditional signs, by the catalogue for terms and by hand for the rest."""
    pairs = {row["zh-Hans"]: row["zh-Hant"] for row in rows("terms") if len(row["zh-Hans"]) > 1}
    for hans, other in sorted(pairs.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(hans, other)
    return text.translate(_HANT)


def samples(count: int, seed: int = 1) -> Iterator[Sample]:
    """Readings of random charts; each chart is read in one language after the other."""
    rng = random.Random(seed)
    for number in range(count):
        facts = random_facts(rng)
        language = LANGUAGES[number % 3]
        yield Sample(random_reading(facts, language, rng), facts, language)


def random_facts(rng: random.Random) -> dict[str, Fact]:
    """The facts of a chart of a random birth and drawn facts of the other layers."""
    born = datetime(1930, 1, 1) + timedelta(minutes=rng.randrange(90 * 365 * 1440))
    chart = bz.chart(
        born, utc_offset=8, longitude=rng.uniform(90, 130), gender=rng.choice(["male", "female"])
    )
    own = [fact for fact in chart.facts.values() if fact.id.partition(".")[0] in BASE_LAYERS]
    return collect([*own, *drawn_facts(chart.pillars, rng.randrange(2020, 2040), rng)])


def random_reading(facts: dict[str, Fact], language: str, rng: random.Random) -> Reading:
    """A title, a summary of three sentences, and sections of facts, prose, transition and advice."""
    said = [one for fact in facts.values() for one in said_of(fact, facts, language, rng)]
    rng.shuffle(said)
    both = [together(rng.sample(said, rng.choice((2, 3))), language, rng) for _ in range(8)]
    free = "zh-Hans" if language != "en" else "en"
    advice, transition = rng.choice(_ADVICE[free]), rng.choice(_TRANSITION[free])
    if language == "zh-Hant":
        advice, transition = hant(advice), hant(transition)
    body = (Sentence(transition, (), "transition"), *said[3:23], *both)
    sections = (Section("overview", body), Section("advice", (Sentence(advice, (), "advice"),)))
    title = {"zh-Hans": "命盘解读", "zh-Hant": "命盤解讀", "en": "A reading"}[language]
    return Reading(title, tuple(said[:3]), sections, (glossed(facts["pat.main"].value, language),))


def together(parts: list[Sentence], language: str, rng: random.Random) -> Sentence:
    """Two or three sentences as one."""
    stop, join = (
        (". ", rng.choice(["; ", ", and ", ", while "])) if language == "en" else ("。", rng.choice("，；"))
    )
    texts = [part.text.rstrip(stop.strip()) for part in parts]
    if language == "en":
        texts = [
            texts[0],
            *(text if text[:4] == "From" else text[0].lower() + text[1:] for text in texts[1:]),
        ]
    evidence = tuple(dict.fromkeys(name for part in parts for name in part.evidence))
    return Sentence(join.join(texts) + stop.strip(), evidence, "inference", True)


def said_of(fact: Fact, facts: dict[str, Fact], language: str, rng: random.Random) -> Iterator[Sentence]:
    """A sentence that says what a fact says, if there is a template."""
    made = [each for each in _templates(fact, facts) if each]
    if not made:
        return
    han, english, more = rng.choice(made)
    if language == "en":
        text = english[:1].upper() + english[1:] + "."
    else:
        text = (hant(han) if language == "zh-Hant" else han) + "。"
    yield Sentence(text, (fact.id, *more), "fact")


def g(word: str, kind: str | None = None) -> str:
    """A term as English text prints it."""
    return glossed(word, "en", kind)


def at(place: str, part: str) -> tuple[str, str]:
    return _PLACES[place, part]


_Said = tuple[str, str, tuple[str, ...]]


def _templates(fact: Fact, facts: dict[str, Fact]) -> Iterator[_Said]:
    layer, *rest = fact.id.split(".")
    value = str(fact.value)
    match layer:
        case "p" if fact.kind == "pillar":
            han, english = at(rest[0], rest[1])
            yield f"{han}{value}", f"the {english} is {g(value)}", ()
            yield f"{han}是{value}", f"{g(value)} stands at the {english}", ()
        case "hs":
            han, english = at(rest[0], "branch")
            sign = facts[f"p.{rest[0]}.branch"].value
            yield f"{han}{sign}之中藏有{value}", f"the {english} {g(sign)} hides {g(value)}", ()
        case "tg":
            yield from _ten_god(rest, value, facts)
        case "stage" if rest[0] == "day":
            han, english = at(rest[1], "branch")
            day, sign = facts["p.day.stem"].value, facts[f"p.{rest[1]}.branch"].value
            stage = g(value, "stage")
            yield (f"日主{day}在{han}{sign}为{value}",
                   f"the day master {g(day)} is at the stage {stage} on the {english} {g(sign)}", ())  # fmt: skip
        case "stage":
            han, english = at(rest[1], "stem")
            own, sign = facts[f"p.{rest[1]}.stem"].value, facts[f"p.{rest[1]}.branch"].value
            stage = g(value, "stage")
            yield (f"{han}{own}自坐{sign}为{value}",
                   f"on its own branch {g(sign)} the {english} {g(own)} is at the stage {stage}", ())  # fmt: skip
        case "nayin":
            han, english = at(rest[0], "")
            yield f"{han}的纳音为{value}", f"the nayin of the {english} is {g(value)}", ()
        case "void":
            han, english = at(rest[0], "")
            one, two = tuple(value)
            yield (
                f"以{han}论，旬空{one}、{two}",
                f"by the {english} the void branches are {g(one)} and {g(two)}",
                (),
            )
            yield f"以{han}论，{one}{two}为空亡", f"by the {english}, {g(one)} and {g(two)} are void", ()
        case "palace":
            english = term(rest[0], "en")
            yield f"{rest[0]}为{value}", f"the {english} is {value}", ()
        case "dy" if fact.predicate == "pillar":
            yield from _luck(rest[0], value, fact.text_zh)
        case "xy":
            yield f"虚岁{rest[0]}岁行小运{value}", f"at nominal age {rest[0]} the minor luck is {value}", ()
        case "sl":
            yield f"月令由{value}司令", f"{g(value)} commands the month", ()
        case "root":
            yield from _root(fact, facts)
        case "wx":
            yield from _element(rest, value)
        case "rel" | "hua":
            yield from _relation(fact)
        case "star":
            han, english = at(rest[1], "")
            yield f"{han}带{rest[0]}", f"{g(rest[0], 'star')} stands in the {english}", ()
            yield f"{rest[0]}落在{han}", f"the {english} carries {g(rest[0], 'star')}", ()
        case "str":
            yield from _strength(rest[0], value, facts["p.day.stem"].value)
        case "pat" | "sp":
            yield from _pattern(layer, rest, fact)
        case "clim":
            one, two = tuple(value)
            yield f"调候以{one}、{two}为用", f"climate regulation calls for {g(one)} and {g(two)}", ()
        case "yong":
            yield from _role(fact)
        case "ln" | "lm" | "yr":
            yield from _flow(layer, rest, fact)


def _ten_god(rest: list[str], value: str, facts: dict[str, Fact]) -> Iterator[_Said]:
    if rest[1] == "stem":
        han, english = at(rest[0], "stem")
        sign = facts[f"p.{rest[0]}.stem"].value
        yield f"{han}{sign}为{value}", f"the {english} {g(sign)} is {g(value)}", ()
        yield f"{han}透出{value}", f"{g(value)} stands on the {english}", ()
        yield f"{value}见于{han}", f"{g(sign)} on the {english} acts as {g(value)}", ()
    else:
        han, english = at(rest[0], "branch")
        yield f"{han}所藏的{rest[1]}是{value}", f"{g(rest[1])}, hidden in the {english}, is {g(value)}", ()
        yield f"{rest[1]}藏于{han}，为{value}", f"{g(rest[1])} is hidden in the {english} as {g(value)}", ()


def _luck(number: str, value: str, text: str) -> Iterator[_Said]:
    if "–" not in text:
        return
    first, last = text[-10:-6], text[-5:-1]
    ordinal = number + {"1": "st", "2": "nd", "3": "rd"}.get(number, "th")
    yield (
        f"第{number}步大运为{value}，自{first}年至{last}年",
        f"luck pillar {number} is {value} ({first}–{last})",
        (),
    )
    yield (
        f"{first}–{last}年走{value}大运",
        f"from {first} to {last} {value} governs, the {ordinal} luck pillar",
        (),
    )
    signs = "零一二三四五六七八九十"
    yield f"第{signs[int(number)]}步大运行{value}", f"the {ordinal} luck pillar is {value}", ()


def _root(fact: Fact, facts: dict[str, Fact]) -> Iterator[_Said]:
    own = fact.text_zh[2]
    where = "day" if fact.subject == "day_master" else fact.subject
    han, english = ("日主", "day master") if where == "day" else at(where, "stem")
    if fact.predicate == "rootless":
        yield f"{han}{own}无根", f"the {english} {g(own)} has no root", ()
        yield f"{han}{own}没有根气", f"the {english} {g(own)} is rootless", ()
    else:
        branch, english_branch = at(fact.position or "", "branch")
        sign = facts[f"p.{fact.position}.branch"].value
        yield (f"{han}{own}通根于{branch}{sign}",
               f"the {english} {g(own)} is rooted in the {english_branch} {g(sign)}", ())  # fmt: skip


def _element(rest: list[str], value: str) -> Iterator[_Said]:
    topic, element = rest
    name = g(element)
    match topic:
        case "seasonal":
            yield f"{element}占{value}%", f"{name} makes up {value} percent", ()
            yield f"五行之中，{element}的比重是百分之{value}", f"{name} has a share of {value}%", ()
        case "state":
            yield f"{element}为{value}", f"{name} is {g(value, 'season_state')}", ()
            if value == "旺":
                yield f"{element}旺", f"{name} is prosperous", ()
        case "missing":
            yield f"命中缺{element}", f"the chart lacks {term(element, 'en').lower()}", ()
            yield f"八字没有{element}", f"there is no {name} in the chart", ()
        case "dominant":
            yield f"五行以{element}为最多", f"{name} is dominant", ()


def _relation(fact: Fact) -> Iterator[_Said]:
    here, there = fact.id.rpartition(".")[2].split("-")
    part = "stem" if fact.predicate == "干合" else "branch"
    one, two = tuple(fact.subject)
    (han, english), (han2, english2) = at(here, part), at(there, part)
    yield (f"{han}{one}与{han2}{two}{fact.predicate}",
           f"the {english} {g(one)} and the {english2} {g(two)} form a {g(fact.predicate)}", ())  # fmt: skip
    yield (f"{one}{two}{fact.predicate}，{fact.value}",
           f"{g(one)} in the {english} meets {g(two)} in the {english2}: a {g(fact.predicate)}", ())  # fmt: skip
    if fact.predicate == "六冲":
        yield f"{han}与{han2}相冲", f"the {english} and the {english2} clash", ()
        yield f"{han2}{two}冲{han}{one}", f"the {english2} {g(two)} clashes with the {english} {g(one)}", ()


def _strength(topic: str, value: str, day: str) -> Iterator[_Said]:
    match topic:
        case "verdict":
            yield f"日主{day}{value}", f"the day master {g(day)} is {value} ({term(value, 'en')})", ()
            yield (
                f"综合来看，日主{value[1]}",
                f"the day master is {'strong' if value == '身强' else 'weak'}",
                (),
            )
        case "level":
            yield f"日主强弱为{value}", f"the strength of the day master is {g(value, 'strength')}", ()
        case "deling":
            yield f"得令{value}分", f"得令 (in command of the season) scores {value} points", ()


def _pattern(layer: str, rest: list[str], fact: Fact) -> Iterator[_Said]:
    value = str(fact.value)
    if layer == "sp":
        yield f"{rest[0]}的条件未全", f"{g(rest[0])} is not claimed", ()
    elif rest[0] == "main":
        yield f"格局为{value}", f"the pattern is {g(value)}", ()
        yield f"此命取{value}", f"this chart belongs to the {g(value)}", ()
    elif rest[0] == "status":
        yield f"格局{value}", f"the status of the pattern is {g(value)}", ()


def _role(fact: Fact) -> Iterator[_Said]:
    role, element = fact.predicate, fact.subject
    name, word = g(element), term(role, "en")
    yield f"{role}为{element}", f"the {word} is {name}", ()
    yield f"{element}为{role}", f"{name} is the {g(role)}", ()
    yield f"命局以{element}为{role}", f"the {role} ({word}) of this chart is {name}", ()
    if role in ("用神", "喜神"):
        yield f"此命喜{element}", f"this chart favours {term(element, 'en').lower()}", ()
    if role in ("忌神", "仇神"):
        yield f"此命忌{element}", f"{name} is unfavourable", ()


def _flow(layer: str, rest: list[str], fact: Fact) -> Iterator[_Said]:
    year, value = rest[0], str(fact.value)
    match layer, rest[1:]:
        case "ln", []:
            element, animal = bz.Pillar(value).stem.element.value, bz.Pillar(value).branch.zodiac.value
            yield f"{year}年流年{value}", f"the flow year {year} is {value}", ()
            yield (
                f"{year}年岁次{value}，是{element}年，也是{animal}年",
                f"{year} is {value}, a {term(animal, 'en')} year",
                (),
            )
            yield f"{year}年（{value}）为{animal}年", f"{year} is the year of the {term(animal, 'en')}", ()
        case "ln", ["age"]:
            yield f"{year}年虚岁{value}", f"in {year} the nominal age is {value}", ()
            yield f"{year}年{value}岁", f"in {year} the native is aged {value}", ()
        case "lm", [number]:
            month = str(int(number))
            jie = fact.text_zh[-3:-1]
            yield (
                f"第{month}个流月{value}，自{jie}起",
                f"flow month {month} is {value} and begins at {g(jie)}",
                (),
            )
        case "yr", ["score", domain]:
            word = DOMAINS[domain]
            yield f"{year}年{word}{value}分", f"in {year} {_DOMAIN_EN[word]} stands at {value} points", ()
        case "yr", ["level"]:
            yield f"{year}年等级为{value}", f"the level of {year} is {g(value)}", ()
        case "yr", _:
            event = fact.predicate
            yield f"{year}年{event}", f"in {year} there is {g(event, 'event')}", ()
        case "ln", ["tg", part]:
            han, english = at("liunian", part)
            sign = fact.text_zh[4]
            yield f"{han}{sign}为{value}", f"the {english} {g(sign)} is {g(value)}", ()
        case "ln", ["role", part]:
            han, english = at("liunian", part)
            sign, role = fact.text_zh[4], fact.predicate
            yield (f"{han}{sign}属{value}，为{role}",
                   f"the {english} {g(sign)} belongs to {g(value)}, the {g(role)}", ())  # fmt: skip
        case "ln", ["rel", *_]:
            where = fact.id.rpartition("-")[2]
            one, two = tuple(fact.subject)
            (han, english), (han2, english2) = at("liunian", "branch"), at(where, "branch")
            yield (
                f"{han}{one}冲{han2}{two}",
                f"the {english} {g(one)} clashes with the {english2} {g(two)}",
                (),
            )
