"""The plain layer: what a term means, in a clause behind its first use.

The speaker marks terms while it words a sentence, each by one character that no text holds; when the sentence stands, a mark
becomes the explanation of a term that was not named before, or nothing. So a term is explained where a reading names it
first, in whatever order its parts are told, and nowhere else: the answer, which is read first, explains what it names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bazi_core.tables import rows
from bazi_core.tables.almanac_words import gloss
from bazi_core.tables.words import term
from bazi_core.wording import written

CAST, PLACE, SCALE, ALMANAC = "cast", "place", "scale", "almanac"
_SENSE = "sense."
_FIRST_MARK = 0xE000  # of the characters for private use, which no row holds
# Kinds of terms that the rows of the catalogue name in their own words.
_IN_ROWS = (
    "pattern", "dynamic", "event", "relation", "ten_god", "ten_god_class", "role", "strength", "luck", "chart", "root", "qi",
)  # fmt: skip
_MARKS = re.compile("([\ue000-\uf8ff]+)")
# A Chinese term and its own sign are one name: the explanation stands behind both.
_NAMED_BY = re.compile(r"([\ue000-\uf8ff])(\{(?:day|use|joy|pillar|element|stem)\})")
# A place in running English with what stands there: the luck stem Yang Wood (甲 Jia).
_ENGLISH_PLACE = (
    r"\b(?:(luck|annual|minor luck) )?(stem|branch)(?:e?s)?\b(?: (?:Yin |Yang )?[A-Z][a-z]+ \([^()]*\))?"
)
_OWNERS = {"luck": "大运", "annual": "流年", "minor luck": "小运"}
_PARTS = {"stem": "天干", "branch": "地支"}
_OPENING, _CLOSING = ("（", "("), ("）", ")")
_SAYS_IT = ("代表", "stands for")


class Explained(NamedTuple):
    """A term with its meaning in each language, and by what words a language names it in running text."""

    kind: str
    hanzi: str
    meanings: dict[str, str]
    said: dict[str, str]

    def words(self, language: str) -> tuple[str, ...]:
        """Words that name it and nothing else; ordinary words, which may mean anything, are none."""
        if self.kind in (CAST, ALMANAC):
            own = gloss(self.hanzi, language) if self.kind == ALMANAC else written(CAST, self.hanzi, language)
        else:
            own = term(self.hanzi, language, self.kind)
        given = tuple(filter(None, self.said[language].split("|")))
        # The place in which a sign stands is named by the words for it alone.
        if self.kind == PLACE:
            return given
        return (own, *given) if _is_distinct(own, language, self.kind == CAST) else given


def _is_distinct(word: str, language: str, of_cast: bool) -> bool:
    if language == "en":
        return word.isascii() and not of_cast and (" " in word or word[0].isupper())
    return len(word) > 1


@cache
def explained_terms() -> dict[tuple[str, str], Explained]:
    """The terms that are explained, by kind and canonical form.

    >>> explained_terms()["ten_god", "七杀"].meanings["en"]
    'pressure from outside'
    """
    languages = ("zh-Hans", "zh-Hant", "en")
    return {
        (row["kind"], row["term"]): Explained(
            row["kind"], row["term"],
            {language: row[language] for language in languages},
            {language: row[f"said.{language}"] for language in languages},
        )
        for row in rows("plain_terms") if row["zh-Hans"] and not row["kind"].startswith(_SENSE)
    }  # fmt: skip


@cache
def senses() -> dict[tuple[str, str], dict[str, str]]:
    """What a term means where the question is about a topic, by topic and canonical form.

    >>> senses()["lost", "官鬼"]["en"]
    "here somebody's hand"
    """
    return {
        (row["kind"].removeprefix(_SENSE), row["term"]): {lang: row[lang] for lang in ("zh-Hans", "zh-Hant", "en")}
        for row in rows("plain_terms") if row["kind"].startswith(_SENSE)
    }  # fmt: skip


def needs_none(kind: str, hanzi: str) -> bool:
    """Whether a term is listed as one that needs no explanation.

    >>> needs_none("element", "木"), needs_none("ten_god", "七杀")
    (True, False)
    """
    return (kind, hanzi) not in explained_terms() and any(
        row["kind"] == kind and row["term"] == "*" for row in rows("plain_terms")
    )


@cache
def mark(hanzi: str, kind: str | None = None) -> str:
    """The mark of a term; nothing for one that is not explained. Without a kind the first term of this form is meant.

    >>> len(mark("七杀", "ten_god")), len(mark("七杀")), mark("木")
    (1, 1, '')
    """
    for at, (own, form) in enumerate(explained_terms()):
        if form == hanzi and (kind == own or (kind is None and own not in (CAST, PLACE, SCALE, ALMANAC))):
            return chr(_FIRST_MARK + at)
    return ""


@cache
def marked(template: str, language: str, kind: str | None = None) -> str:
    """A row of the catalogue with the terms marked that stand in its own words.

    >>> marked("日主{day}无根", "zh-Hans") == "日主{day}" + mark("日主") + "无根" + mark("无根")
    True
    """
    pieces = re.split(r"(\{[^}]*\})", template)
    pieces[::2] = [marked_text(text, language, kind) for text in pieces[::2]]
    made = "".join(pieces)
    return made if language == "en" else _NAMED_BY.sub(r"\2\1", made)


def marked_text(text: str, language: str, kind: str | None = None) -> str:
    """Running text with its terms marked, in English behind the hanzi that gloss them."""
    forms, pattern = _forms(language, kind == CAST), _pattern(language, kind == CAST)
    if not forms:
        return text
    if language != "en":
        return pattern.sub(lambda found: found[0] + mark(*forms[found[1]]), text)
    return pattern.sub(lambda found: found[0] + (_of_place(found) or mark(*forms[found[3]])), text)


def _of_place(found: re.Match[str]) -> str:
    names = (_OWNERS.get(found[1] or ""), _PARTS.get(found[2] or ""))
    return "".join(mark(name, PLACE) for name in names if name)


@cache
def _pattern(language: str, of_cast: bool) -> re.Pattern[str]:
    forms = sorted(_forms(language, of_cast), key=len, reverse=True)
    said = "|".join(map(re.escape, forms))
    if language != "en":
        return re.compile(f"({said})[甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥]?")
    return re.compile(rf"{_ENGLISH_PLACE}|\b({said})s?\b(?: \([\u3400-\u9fff]+\))?")


@cache
def _forms(language: str, of_cast: bool) -> dict[str, tuple[str, str]]:
    """Canonical form and kind of terms by the words that name them."""
    found: dict[str, tuple[str, str]] = {}
    for each in explained_terms().values():
        if each.kind == CAST if of_cast else each.kind in (*_IN_ROWS, PLACE):
            for word in each.words(language):
                found.setdefault(word, (each.hanzi, each.kind))
    return found


class Explainer:
    """Turns the marks of sentences into explanations, of each term once; `known` are the terms that were explained, `about`
    is the topic of the question, by which a term has but one sense.

    >>> explainer = Explainer("en")
    >>> explainer.explained(f"Seven Killings (七杀){mark('七杀')} leads.")
    'Seven Killings (七杀, pressure from outside) leads.'
    >>> explainer.explained(f"Seven Killings{mark('七杀')} again.")
    'Seven Killings again.'
    >>> explainer.explained(f"Your day master{mark('日主')} is strong.")
    'Your day master (日主, the sign that stands for you) is strong.'
    >>> Explainer("zh-Hans").explained(f"七杀{mark('七杀')}（加5分）")
    '七杀（外来的压力与挑战，加5分）'
    >>> Explainer("zh-Hans").explained(f"先取木（子平真诠·论七杀{mark('七杀')}）")
    '先取木（子平真诠·论七杀）'
    >>> Explainer("en").explained(f"best in May (56 points{mark('分', SCALE)}).")
    'best in May (56 points, of 100, where 50 is even).'
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.known: set[str] = set()
        self.about = ""
        # Gods of the almanac that are reckoned alike mean the same, which is told of the first.
        self._alike: set[str] = set()

    def explained(self, text: str) -> str:
        """The sentence without marks, the terms explained that are new."""
        made, *others = _MARKS.split(text)
        for marks, behind in zip(others[::2], others[1::2], strict=True):
            if self._is_in_title(made):
                made += behind
                continue
            new = [each for each in self._named(marks) if each.hanzi not in self.known]
            self.known.update(each.hanzi for each in new)
            told = [each for each in new if each.meanings[self.language] and not self._is_told(each)]
            if not told or behind.lstrip().startswith(_SAYS_IT):
                made += behind
            elif behind.lstrip().startswith(_OPENING) and not made.endswith(")"):
                # What stands in brackets behind it comes after the meaning.
                inner = behind.lstrip()
                made += (
                    f"{behind[: -len(inner)]}{inner[0]}{self._meaning(told, made)}{self._comma}{inner[1:]}"
                )
            else:
                made = self._with(made, self._meaning(told, made)) + behind
        return made

    def _is_in_title(self, made: str) -> bool:
        """Whether a text ends within the name of a chapter in brackets, as 子平真诠·论用神, which nothing parts."""
        opened, closed = (made.rfind(signs[self.language == "en"]) for signs in (_OPENING, _CLOSING))
        return opened > closed and "·" in made[opened:]

    def _is_told(self, each: Explained) -> bool:
        meaning = each.meanings[self.language]
        if each.kind != ALMANAC or meaning not in self._alike:
            self._alike.add(meaning)
            return False
        return True

    @staticmethod
    def _named(marks: str) -> list[Explained]:
        return [_by_number()[ord(each) - _FIRST_MARK] for each in marks]

    @property
    def _comma(self) -> str:
        return ", " if self.language == "en" else "，"

    def _meaning(self, told: list[Explained], made: str) -> str:
        """What terms mean; in English their hanzi go before, unless they stand there."""
        said = [self._sense(each) for each in told]
        if (
            self.language == "en"
            and told[0].kind not in (PLACE, CAST, SCALE)
            and f"({told[0].hanzi}" not in made[-40:]
        ):
            said[0] = f"{told[0].hanzi}, {said[0]}"
        return ("; " if self.language == "en" else "，").join(said)

    def _sense(self, each: Explained) -> str:
        of_topic = senses().get((self.about, each.hanzi)) if each.kind == CAST else None
        return (of_topic or each.meanings)[self.language]

    def _with(self, made: str, meaning: str) -> str:
        if made.rfind(_OPENING[self.language == "en"]) > made.rfind(_CLOSING[self.language == "en"]):
            # Within brackets that stand already.
            return f"{made}{self._comma}{meaning}"
        if self.language != "en":
            return f"{made}（{meaning}）"
        return f"{made[:-1]}, {meaning})" if made.endswith(")") else f"{made} ({meaning})"


@cache
def _by_number() -> tuple[Explained, ...]:
    return tuple(explained_terms().values())
