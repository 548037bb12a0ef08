"""The speaker: statements and plans as sentences of a language.

`statements.csv` holds every sentence in three languages, with variants for what is said often. Among the variants of a key
the digest of the object decides, and a key that is said again takes the next one; so the same object always reads the
same, two objects seldom do, and one reading does not repeat itself. A connective follows from what a statement does for
the claim before it; nobody types one into a sentence.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from bazi_core.alphabet import Branch, Stem
from bazi_core.speech.catalogue import At, Clauses, LinePlace, Najia, Nth, Phrase, Sign, Term, catalogue
from bazi_core.speech.plain import ALMANAC, CAST, PLACE, SCALE, Explainer, mark, marked, marked_text
from bazi_core.speech.plan import AGAINST, COUNTER, FOR, FURTHER, NEITHER, SUMMARY
from bazi_core.speech.reading import Reading, Section, Sentence
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import gloss
from bazi_core.tables.words import term
from bazi_core.wording import LINES, FactPhrase, branch_name, pillar_name, sign_name, stem_name, written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.speech.plan import Plan, Statement

TONES = ("neutral", "warm", "direct")
MOST_KEYWORDS = 8
_SLOT = re.compile(r"\{([Aa] )?(\w+)\}")
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_STEMS = "甲乙丙丁戊己庚辛壬癸"
# A gloss of running text: the hanzi behind an English word, with its pinyin.
_GLOSS = re.compile(r" \(([\u4e00-\u9fff]+)(?: [^()]*)?\)")
# What the name of a place names: the flow, and the part of a pillar.
_FLOWS = {"luck": "大运", "liunian": "流年", "xiaoyun": "小运"}
_WORDS = {"stem": "天干", "branch": "地支", "pillar": "四柱"}
# What a sentence says itself where it tells the sense of what it names.
_SENSED = ("event", "dynamic")
# Names that may frighten whoever does not know them: they are explained all the same.
_STARTLING = ("太岁", "夫妻宫")
# What a row advises, which is left out of what is told of a time that is over.
_ADVICE = re.compile("⟨([^⟩]*)⟩")
_VOWELS = ("a", "e", "i", "o", "un")


class Part(NamedTuple):
    """What is said under a topic: a statement, in a variant that was chosen or not, or a sentence as it stands."""

    topic: str
    said: Statement | Sentence
    variant: int | None = None


class Speaker:
    """Says statements one after the other in a language; a term is glossed where it is named first, and in a `plain`
    reading explained there in a clause.

    >>> from bazi_core.speech.catalogue import At, Term
    >>> speaker = Speaker("en")
    >>> speaker.say("star.at", {"star": Term("桃花"), "where": At("hour.pillar")})
    'Peach Blossom (桃花) in the hour pillar'
    >>> speaker.word(Term("桃花"))
    'Peach Blossom'
    """

    def __init__(
        self, language: str = "zh-Hans", digest: str = "", tone: str = "neutral", plain: bool = False
    ) -> None:
        self.language = language
        self._tone = tone
        self._seed = int(digest[:8] or "0", 16)
        self._uses: dict[str, int] = {}
        self._named: set[Any] = set()
        self._explainer = Explainer(language) if plain else None
        self._glossed: set[str] = set()
        # The elements of which the share was told.
        self._shares: set[str] = set()
        # Whether an answer was introduced, which is done once.
        self._is_led = False
        # Whether what is told of is over.
        self._is_over = False
        # The statement that was said last, in the same topic.
        self._last: Statement | None = None

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the catalogue that were said."""
        return frozenset(self._uses)

    def reading(self, plan: Plan) -> Reading:
        """The plan as a reading; a topic without a statement has no section."""
        return self.assembled(plan, (Part(statement.topic, statement) for statement in plan.statements))

    def assembled(self, plan: Plan, parts: Iterable[Part], keywords: Iterable[Any] = ()) -> Reading:
        """Parts as a reading under the title of the plan, its keywords after those given; topics come together already."""
        told: dict[str, list[Sentence]] = {SUMMARY: []}
        self._is_over = plan.is_over
        if self._explainer:
            self._explainer.about = plan.about
        # The summary stands first, so it is worded first: what it names is explained there.
        order = sorted(parts, key=lambda each: each.topic != SUMMARY)
        part_of = ""
        for topic, same in groupby(order, key=lambda each: each.topic):
            self._last = None
            if plan.separate and topic.partition(".")[0] != part_of:
                part_of = topic.partition(".")[0]
                self._named.clear()
                if self._explainer:
                    self._explainer.known.clear()
                self._glossed.clear()
            told.setdefault(topic, []).extend(map(self._part, same))
        summary = tuple(told.pop(SUMMARY))
        sections = tuple(Section(topic, tuple(each)) for topic, each in told.items())
        # Title and keywords stand apart: what they name is glossed anew.
        apart = Speaker(self.language, f"{self._seed:08x}", self._tone)
        words = tuple(dict.fromkeys(apart.word(each) for each in (*keywords, *plan.keywords)))
        return Reading(_capital(apart.word(plan.title)), summary, sections, words[:MOST_KEYWORDS])

    def _part(self, part: Part) -> Sentence:
        return part.said if isinstance(part.said, Sentence) else self.sentence(part.said, part.variant)

    def sentence(self, statement: Statement, variant: int | None = None) -> Sentence:
        """The sentence of a statement; `variant` chooses its wording."""
        connective = self._connective(statement)
        # What is introduced as the answer to a further question needs no other introduction.
        self._is_led = self._is_led or connective == FURTHER
        text = self.say(statement.key, statement.values, variant, is_clause=bool(connective))
        if connective:
            text = self.say(connective, {"said": text})
        self._last = statement
        if self._explainer:
            text = self._explainer.explained(text)
        return Sentence(_capital(text), statement.evidence, statement.kind, statement.hedge, statement.id)

    def _connective(self, statement: Statement) -> str:
        """What ties a statement to the one before it: it answers a further question, turns against that one, or stands
        against the verdict, first or again; nothing where it does none of that."""
        if statement.relation == FURTHER:
            return FURTHER
        before = self._last
        is_counter = statement.relation == COUNTER
        if before is not None and {before.side, statement.side} == {FOR, AGAINST}:
            return "counter" if is_counter or before.relation == COUNTER else ""
        if not is_counter or statement.side == NEITHER:
            return "counter" if is_counter else ""
        again = ".again" if before is not None and before.side == statement.side else ""
        return f"counter.{statement.side}{again}"

    def say(
        self, key: str, values: dict[str, Any], variant: int | None = None, is_clause: bool = False
    ) -> str:
        """The wording of a key with its values; a clause begins small, but for a name that a value puts there."""
        made = []
        template = self._template(key, variant)
        if self._explainer and "{sense}" in template:
            told = (
                each for value in values.values() for each in (value if isinstance(value, list) else [value])
            )
            named = (each for each in told if isinstance(each, Term) and _is_sensed(each))
            self._explainer.known.update(each.hanzi for each in named)
        # What the almanac calls 喜神 is a direction: its rows hand their terms over as values.
        if self._explainer and not key.startswith("almanac."):
            template = marked(template, self.language, CAST if key.startswith("cast.") else None)
        if is_clause:
            template = _small(template)
        for text, name, article in _parts(template):
            word = self._lead() if name == "lead" else self.word(values[name]) if name else ""
            made.append(f"{text}{article}{_n(word)} {word}" if article else text + word)
        return "".join(made) + (
            mark("分", SCALE) if self._explainer and key.startswith("count.points") else ""
        )

    def _lead(self) -> str:
        """How the first sentence of an answer is introduced; nothing before any other."""
        if self._is_led:
            return ""
        self._is_led = True
        return self._template("lead")

    def word(self, value: Any) -> str:
        """A value in words."""
        match value:
            case str():
                return value
            case Term():
                return self._term(value)
            case Sign():
                return self._sign(value)
            case At():
                return self._place(value)
            case Najia():
                return self._najia(value.hanzi)
            case LinePlace():
                return f"line {value.position}" if self.language == "en" else LINES[value.position - 1]
            case FactPhrase():
                return self._fact(value.text(self.language))
            case Phrase():
                return self._share(value) if "percent" in value.values else self.say(value.key, value.values)
            case Nth():
                return f"{value.number}{_ending(value.number)}"
            case Clauses():
                return self._joined([self.word(member) for member in value.members])
            case list() | tuple():
                return self._listed([self.word(each) for each in value])
        return str(value)

    def _share(self, value: Phrase) -> str:
        """The share of an element in percent; where it was told already, whether it is large, if that has to be said."""
        of = value.values["of"]
        if of not in self._shares:
            self._shares.add(of)
            return self.say(value.key, value.values)
        return self.say(f"share.again.{value.values['weight']}", {}) if value.key == "share" else ""

    def _template(self, key: str, variant: int | None = None) -> str:
        toned = f"{key}.{self._tone}"
        used = toned if toned in catalogue() else key
        variants = catalogue()[used]
        turn = self._seed + crc32(used.encode()) + self._uses.get(used, 0) if variant is None else variant
        self._uses[used] = self._uses.get(used, 0) + 1
        text = variants[turn % len(variants)][self.language]
        return _ADVICE.sub("" if self._is_over else r"\1", text) if "⟨" in text else text

    def _listed(self, words: list[str]) -> str:
        if self.language != "en":
            return "、".join(words)
        return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)

    def _joined(self, words: list[str]) -> str:
        """Clauses; those that hold a comma or a list themselves are kept apart by a semicolon."""
        if self.language != "en":
            return ("；" if any("，" in word for word in words) else "，").join(words)
        return (
            "; ".join(words) if any("," in word or " and " in word for word in words) else self._listed(words)
        )

    def _first(self, value: Any) -> bool:
        """Whether a value is named for the first time."""
        if value in self._named:
            return False
        self._named.add(value)
        self._glossed.add(getattr(value, "hanzi", value))
        return True

    def _fact(self, text: str) -> str:
        """The text of a fact, its terms glossed where they are named first."""
        once = _GLOSS.sub(lambda found: "" if self._is_glossed(found[1]) else self._kept(found), text)
        return marked_text(once, self.language) if self._explainer else once

    def _kept(self, found: re.Match[str]) -> str:
        self._glossed.add(found[1])
        return found[0]

    def _is_glossed(self, hanzi: str) -> bool:
        return hanzi in self._glossed or (self._explainer is not None and hanzi in self._explainer.known)

    def _term(self, value: Term) -> str:
        if value.kind == CAST:
            return self._cast_term(value)
        of_almanac = value.kind == ALMANAC
        word = (
            gloss(value.hanzi, self.language) if of_almanac else term(value.hanzi, self.language, value.kind)
        )
        behind = self._mark(value)
        is_known = self._explainer is not None and value.hanzi in self._explainer.known
        if self.language == "en" and word != value.hanzi and self._first(value) and not is_known:
            word = f"{word} ({value.hanzi})"
        return word + behind

    def _mark(self, value: Term) -> str:
        return mark(value.hanzi, value.kind) if self._explainer else ""

    def _cast_term(self, value: Term) -> str:
        """A word of 六爻; in English the gloss, behind it the hanzi, with the pinyin of a hexagram."""
        kind = "hexagram" if value.hanzi in _hexagrams() else "cast"
        whole = written(kind, value.hanzi, self.language)
        word = whole if self.language != "en" or self._first(value) else whole.partition(" (")[0]
        return word + self._mark(value)

    def _najia(self, hanzi: str) -> str:
        branch = Branch(hanzi[-1])
        if self.language != "en":
            return f"{hanzi}{branch.element.value}"
        word = f"{sign_name(branch)}-{term(branch.element.value, 'en', 'element')}"
        return f"{word} ({hanzi})" if self._first(hanzi) else word

    def _sign(self, sign: Sign) -> str:
        hanzi = sign.hanzi
        if self.language == "en":
            return _english(hanzi) if self._first(hanzi) else _english(hanzi).partition(" (")[0]
        is_stem = hanzi in _STEMS and not sign.plain
        return hanzi + term(_element(hanzi), self.language) if is_stem else hanzi

    def _place(self, at: At) -> str:
        place = self._template(f"at.{at.place}")
        sign = "" if at.sign is None else self._sign(at.sign)
        whose, _, part = at.place.partition(".")
        named = (_FLOWS.get(whose), _WORDS[part] if part != "pillar" or whose not in _FLOWS else None)
        marks = "".join(mark(each, PLACE) for each in named if each) if self._explainer else ""
        # In English the explanation stands behind the place, in Chinese behind what stands there.
        return f"the {place}{marks} {sign}".strip() if self.language == "en" else place + sign + marks


def _is_sensed(value: Term) -> bool:
    """Whether the sentence that tells the sense of a term explains it enough."""
    return value.kind in _SENSED and not any(word in value.hanzi for word in _STARTLING)


@cache
def _parts(template: str) -> tuple[tuple[str, str, str], ...]:
    """(text, slot after it, article before the slot) of a template, the last one without a slot."""
    made, end = [], 0
    for slot in _SLOT.finditer(template):
        made.append((template[end : slot.start()], slot[2], (slot[1] or "").strip()))
        end = slot.end()
    return (*made, (template[end:], "", ""))


def slots(template: str) -> frozenset[str]:
    """The names that a template asks for.

    >>> sorted(slots("{one} and {two} form {a relation}"))
    ['one', 'relation', 'two']
    """
    return frozenset(name for _, name in _SLOT.findall(template))


@cache
def _english(hanzi: str) -> str:
    if len(hanzi) == 2:
        return pillar_name(hanzi)
    if len(hanzi) == 3:
        return f"{'-'.join(sign_name(Branch(each)) for each in hanzi)} ({hanzi})"
    return stem_name(hanzi) if hanzi in _STEMS else branch_name(hanzi)


@cache
def _hexagrams() -> frozenset[str]:
    return frozenset(row["full"] for row in rows("liuyao/hexagrams"))


def _element(hanzi: str) -> str:
    return str(Stem(hanzi).element.value)


def _n(word: str) -> str:
    """What the article becomes before a vowel."""
    return "n" if word.lower().startswith(_VOWELS) else ""


def _ending(number: int) -> str:
    return "th" if 10 < number % 100 < 14 else _ORDINALS.get(number % 10, "th")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """A sentence as it goes on behind a few words; "I" keeps its capital."""
    return text if text.startswith(("I ", "I'")) else text[:1].lower() + text[1:]
