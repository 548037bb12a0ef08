"""Chains of persons: 女朋友的妈妈 is no girlfriend but her mother, "my boss's wife" no boss.

The words for persons are those of the subjects in `intents.csv`; to whom a chain leads stands in `kin_chains.csv`. A chain
is put into one word for its last person before a question is read for what it asks; its classes (death, what others keep
to themselves) are read from the text as it was given.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from bazi_core.questions.heard import in_simplified_signs
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known

_PARTNERS, _PARENTS = ("spouse", "partner", "former_partner"), ("parents", "father", "mother")
PERSONS = (
    "parents_in_law", *reversed(_PARTNERS), "grandparent", *_PARENTS, "sibling", "child", "relative", "boss", "colleague",
    "friend", "teacher", "acquaintance",
)  # fmt: skip
# What joins two persons: a particle, or a pronoun taken up (女朋友她妈); in English the second may stand first.
_LINK = re.compile(
    "(?:那边|家里?)?(?:的|之|嘅|她|他|佢|家|个|阿)(?:那个|亲|阿)?"
    "|(?:'s?|s') (?:own |new |old(?:er)? |elder |young(?:er)? |best |step ?)?"
)
_LINK_BACK = re.compile(" of (?:my|our|the|a|an) ")
# Two persons side by side are a list (爸爸妈妈), but for these: 女友妈妈, 孩子爸, 老公前女友.
_BARE = (
    (frozenset((*_PARTNERS, "friend", "child")), frozenset(_PARENTS)),
    (frozenset(_PARTNERS), frozenset(("former_partner",))),
)


# Whom a pronoun means that follows.
_NAMED_AGAIN = ("spouse", "parents_in_law", "grandparent", "father", "mother", "sibling", "child")
_PRONOUN = re.compile("(?<![其吉])[他她佢](?![们哋妈爸的])|(?<![a-z'])(?:he|she|him)(?![a-z'])")

# What is a matter of one's own.
_POSSESSIVE = re.compile(
    "(?<![a-z'])(?:his|her)"
    "(?= (?:marriage|wedding|job|work|career|business|stud(?:y|ies)|exams?|love life|divorce)(?![a-z]))"
)


class _Person(NamedTuple):
    """A person who is named, and where."""

    value: str
    start: int
    end: int


class _Chain(NamedTuple):
    of: frozenset[str]
    then: frozenset[str]
    is_: str
    words: dict[str, str]


def resolved(text: str) -> str:
    """A question as it is folded, with one word for the last person of every chain.

    >>> resolved("我女朋友的妈妈身体好吗"), resolved("how is my boss's wife"), resolved("爸爸妈妈好吗")
    ('我岳母身体好吗', 'how is my outsider', '爸爸妈妈好吗')
    """
    # Signs are simplified one for one, so a person stands at the same place in both.
    plain = in_simplified_signs(text)
    made, end, last = list[str](), 0, None
    for person in _persons(plain):
        told = _joined(last, person, plain) if last is not None else None
        if last is not None and told is not None:
            person = _Person(told.is_, last.start, person.end)
            made[-1] = told.words["zh" if plain[person.end - 1] >= "一" else "en"]
        else:
            made += [text[end : person.start], text[person.start : person.end]]
        end, last = person.end, person
    return "".join((*made, text[end:]))


def named_again(text: str) -> str:
    """A question as it is folded, with the relative it tells of in the place of every he or she that follows, where nobody
    else is named.

    >>> named_again("儿子高二，我跟他八字不合吗"), named_again("found texts on my husband's phone. is he cheating?")
    ('儿子高二，我跟儿子八字不合吗', "found texts on my husband's phone. is my husband cheating?")
    >>> named_again("老公和他妈吵架，他会听我的吗")
    '老公和他妈吵架，他会听我的吗'
    """
    plain = in_simplified_signs(text)
    persons = _persons(plain)
    words = {plain[each.start : each.end] for each in persons}
    if len(words) != 1 or persons[0].value not in _NAMED_AGAIN:
        return text
    who, end = words.pop(), persons[0].end
    rest = _PRONOUN.sub(lambda match: who if match[0] >= "一" else f"my {who}", text[end:])
    return text[:end] + _POSSESSIVE.sub(f"my {who}'s", rest)


def _persons(plain: str) -> list[_Person]:
    """The persons whom a text names, in their order; 妈妈 is one."""
    found: list[_Person] = []
    for match in _pattern().finditer(plain):
        start, end = match.span()
        # What is said of one may hold the mark of what is his: ex's.
        person = _Person(str(match.lastgroup), start, end - 2 * match[0].endswith("'s"))
        if found and found[-1].end == person.start and found[-1].value == person.value:
            person = person._replace(start=found.pop().start)
        found.append(person)
    return found


def _joined(one: _Person, two: _Person, plain: str) -> _Chain | None:
    """To whom two persons lead who are named one after the other; None where they are two."""
    between = plain[one.end : two.start]
    of, then = one.value, two.value
    if _LINK_BACK.fullmatch(between):
        of, then = then, of
    elif between:
        if not _LINK.fullmatch(between):
            return None
    elif not any(of in first and then in second for first, second in _BARE):
        return None
    return next(chain for chain in _chains() if {of, "*"} & chain.of and {then, "*"} & chain.then)


@cache
def _chains() -> tuple[_Chain, ...]:
    given = rows("kin_chains")
    named = (name for row in given for cell in ("of", "then", "is") for name in row[cell].split())
    names_known("kin_chains", "person", named, ("*", *PERSONS))
    return tuple(
        _Chain(
            frozenset(row["of"].split()),
            frozenset(row["then"].split()),
            row["is"],
            {"zh": row["zh"], "en": row["en"]},
        )
        for row in given
    )


@cache
def _pattern() -> re.Pattern[str]:
    """Every person, by the name of its subject."""
    words = {row["value"]: row for row in rows("intents") if row["slot"] == "subject"}
    return re.compile(
        "|".join(
            rf"(?P<{name}>{words[name]['zh']}|(?<![a-z0-9])(?:{words[name]['en']})(?![a-z0-9]))"
            for name in PERSONS
        )
    )
