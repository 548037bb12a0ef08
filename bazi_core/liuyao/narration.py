"""How a reading of a cast is worded: the catalogue of sentences and the words that are filled into them.

Wording is in `liuyao/narration.csv`; which of several wordings is taken comes from the digest of cast and question, so
that the same cast always reads the same. In English a term is printed with its gloss where a part names it first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from bazi_core.alphabet import Branch, Pillar
from bazi_core.facts import digest
from bazi_core.liuyao.words import word
from bazi_core.liuyao.yongshen import PLACE
from bazi_core.readings.divination.answer import Item
from bazi_core.tables import rows
from bazi_core.tables.words import term

if TYPE_CHECKING:
    from bazi_core.liuyao.analysis import Analysis


class Planned(NamedTuple):
    """A sentence before it is written."""

    key: str
    evidence: tuple[str, ...]
    values: dict[str, Any]


class Term(NamedTuple):
    """A canonical term, printed with its gloss in English where it is named first."""

    name: str


class Bare(NamedTuple):
    """A branch without its element, as a month or a time is named."""

    hanzi: str


class Part(NamedTuple):
    """A clause of the catalogue inside a sentence."""

    key: str
    values: dict[str, Any]


@cache
def catalogue() -> dict[str, tuple[dict[str, str], ...]]:
    """The wordings of every key."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows("liuyao/narration"):
        found.setdefault(row["key"], []).append(row)
    return {key: tuple(each) for key, each in found.items()}


def seed_of(found: Analysis, question: str) -> int:
    """What chooses among wordings: the cast, what it was asked about, and the question."""
    chart = found.chart
    stated = [
        list(chart.lines), chart.month_branch.value, chart.day.value, found.question_type, found.asker, found.kinship,
        question,
    ]  # fmt: skip
    return int(digest(stated)[:8], 16)


class Teller:
    """Writes planned sentences; a part begins with no term named yet."""

    def __init__(self, language: str, seed: int) -> None:
        self._language, self._seed = language, seed
        self._named: set[str] = set()
        self._said: dict[str, int] = {}

    def part(self, planned: list[Planned]) -> tuple[Item, ...]:
        self._named = set()
        return tuple(
            Item(_capital(self._say(each.key, each.values)), tuple(dict.fromkeys(each.evidence)))
            for each in planned
        )

    def _say(self, key: str, values: dict[str, Any]) -> str:
        variants = catalogue()[key]
        turn = (crc32(f"{self._seed} {key}".encode()) + self._said.get(key, 0)) % len(variants)
        self._said[key] = self._said.get(key, 0) + 1
        template, made = variants[turn][self._language], ""
        while "{" in template:
            text, _, rest = template.partition("{")
            name, _, template = rest.partition("}")
            made += text + self._word(values[name])
        return made + template

    def _word(self, value: Any) -> str:
        match value:
            case Part():
                return self._say(value.key, value.values)
            case Term():
                return self._term(value.name)
            case Bare():
                return (
                    value.hanzi
                    if self._language != "en"
                    else self._spelled(value.hanzi, term(value.hanzi, "en"))
                )
            case Pillar() | Branch():
                return self._sign(value)
            case int():
                return word(PLACE[value], self._language)
            case [*members]:
                return self._listed([self._word(each) for each in members])
        return str(value)

    def _listed(self, words: list[str]) -> str:
        if self._language != "en":
            return "、".join(words)
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def _term(self, name: str) -> str:
        said = gloss(name, self._language)
        if self._language != "en" or name in self._named:
            return name if self._language == "en" else said
        self._named.add(name)
        return f"{name} ({said})" if said != name else name

    def _sign(self, sign: Pillar | Branch) -> str:
        branch = sign if isinstance(sign, Branch) else sign.branch
        if self._language != "en":
            return f"{sign}{branch.element}"
        signs = (
            f"{term(sign.stem.value, 'en')} {term(branch.value, 'en')}"
            if isinstance(sign, Pillar)
            else term(branch.value, "en")
        )
        return self._spelled(sign.value, f"{signs}, {term(branch.element.value, 'en')}")

    def _spelled(self, hanzi: str, gloss: str) -> str:
        named = hanzi in self._named
        self._named.add(hanzi)
        return hanzi if named else f"{hanzi} ({gloss})"


@cache
def _concepts() -> dict[str, dict[str, str]]:
    return {
        row["name"]: {"zh-Hans": row["name"], "zh-Hant": row["name_hant"], "en": row["en"]}
        for row in rows("liuyao/concepts")
    }


def gloss(name: str, language: str) -> str:
    """A term in a language: its form in the script, or its English word."""
    found = _concepts().get(name)
    if name.endswith("宫") and len(name) == 2 and language != "zh-Hans":
        said = word(name[0], language)
        return f"{said.partition(',')[0]} palace" if language == "en" else said + word("宫", language)
    return found[language] if found else word(name, language)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
