"""Turns of phrase that no fact of a reading supports, in the language of the reading, by the values of its facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bazi_core.alphabet import Branch, Stem
from bazi_core.facts import Fact
from bazi_core.tables import rows

# What is said of an element or an animal that it does not apply to, by language.
_SAID = {
    "this year": {"zh-Hans": "今年是{}年", "zh-Hant": "今年是{}年", "en": "this is a {} year"},
    "year of": {"zh-Hans": "逢{}年", "zh-Hant": "逢{}年", "en": "it is the year of the {}"},
    "born": {"zh-Hans": "命主属{}", "zh-Hant": "命主屬{}", "en": "the native was born in the year of the {}"},
    "element year": {"zh-Hans": "可谓{}年", "zh-Hant": "可謂{}年", "en": "this is a {} year"},
    "lacks": {"zh-Hans": "命中缺{}", "zh-Hant": "命中缺{}", "en": "the chart lacks {}"},
    "without": {"zh-Hans": "五行无{}", "zh-Hant": "五行無{}", "en": "there is no {} in the chart"},
    "prosperous": {"zh-Hans": "{}旺", "zh-Hant": "{}旺", "en": "{} is prosperous"},
    "favours": {"zh-Hans": "喜{}", "zh-Hant": "喜{}", "en": "it favours {}"},
    "of use": {"zh-Hans": "{}为喜用", "zh-Hant": "{}為喜用", "en": "{} is favourable"},
    "avoids": {"zh-Hans": "忌{}", "zh-Hant": "忌{}", "en": "{} is unfavourable"},
    "weak": {"zh-Hans": "身轻", "zh-Hant": "身輕", "en": "the day master is weak"},
    "strong": {"zh-Hans": "身旺", "zh-Hant": "身旺", "en": "the day master is strong"},
    "tai sui": {"zh-Hans": "犯太岁", "zh-Hant": "犯太歲", "en": "this offends the Grand Duke"},
}


def false_phrases(facts: Mapping[str, Fact], language: str) -> Iterator[str]:
    """Phrases about animals, elements, strength and the year that are false of these facts."""
    for key, word in (*_animals(facts), *_elements(facts), *_whole(facts)):
        said = _SAID[key][language]
        yield said.format(_word(word, language)) if word else said


def _word(word: str, language: str) -> str:
    kind = "element" if word in "木火土金水" else "zodiac"
    row = next(row for row in rows("terms") if row["kind"] == kind and row["zh-Hans"] == word)
    return row[language].lower() if language == "en" and kind == "element" else row[language]


def _flow(facts: Mapping[str, Fact]) -> str | None:
    return next((fact.value for name, fact in facts.items() if re.fullmatch(r"ln\.\d{4}", name)), None)


def _animals(facts: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    flow, natal = _flow(facts), Branch(facts["p.year.branch"].value).zodiac.value
    for word in "鼠牛虎兔龙蛇马羊猴鸡狗猪":
        if flow and word not in (natal, Branch(flow[1]).zodiac.value):
            yield from (("this year", word), ("year of", word))
        if word != natal:
            yield "born", word


def _elements(facts: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    flow = _flow(facts)
    of_year = {Stem(flow[0]).element.value, Branch(flow[1]).element.value} if flow else set()
    missing = {fact.subject for fact in facts.values() if fact.predicate == "missing"}
    high = {fact.subject for fact in facts.values() if fact.predicate == "dominant"}
    high |= {fact.subject for fact in facts.values() if fact.predicate == "state" and fact.value == "旺"}
    roles = {fact.subject: fact.predicate for fact in facts.values() if fact.kind == "role"}
    for word in "木火土金水":
        if flow and word not in of_year:
            yield "element year", word
        if missing and word not in missing:
            yield from (("lacks", word), ("without", word))
        if high and word not in high:
            yield "prosperous", word
        if roles.get(word) in ("忌神", "仇神", "闲神"):
            yield from (("favours", word), ("of use", word))
        if roles.get(word) in ("用神", "喜神", "闲神"):
            yield "avoids", word


def _whole(facts: Mapping[str, Fact]) -> Iterator[tuple[str, str]]:
    verdict = next((fact.value for fact in facts.values() if fact.predicate == "verdict"), None)
    if verdict in ("身强", "身弱"):
        yield ("weak" if verdict == "身强" else "strong"), ""
    events = {fact.predicate for fact in facts.values() if fact.id.startswith("yr.")}
    if _flow(facts) and not any(event.endswith("太岁") for event in events):
        yield "tai sui", ""
