"""Facts and digests: each derived statement with its rule and the facts on which it rests.

A `Fact` can be asserted by a test, cited by a reading and questioned by a user. Facts form a graph without
cycles that ends in leaves: the pillars themselves, the instants of the terms, what the caller stated.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from itertools import groupby
from math import isfinite
from typing import Any, Literal, NamedTuple

from bazi_core.errors import InvalidInput, shown
from bazi_core.tables.sentences import Listed, Said
from bazi_core.wording import phrased, slots

SCHEMA_VERSION = "1.0.0"

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]


class Fact(NamedTuple):
    """One derived statement.

    `id` is `<layer>.<topic>[.<position>][.<value>]` and stable across runs and releases; `rule` names the
    rule that made it and `source` is a short citation key. Leaves have an empty `derives_from`.

    `key` names the row of `fact_texts.csv` that words it, `values` are what stands in its slots; the text is made when it is
    asked for.

    >>> fact = Fact("p.day.stem", "pillar", "day", "stem", "庚", "pillar.stem", ("day", "庚"))
    >>> fact.text(), fact.text("en")
    ('日干庚', 'Day stem: Yang Metal (庚 Geng)')
    """

    id: str
    kind: str
    subject: str
    predicate: str
    value: Any
    key: str
    values: tuple[Any, ...] = ()
    position: str | None = None
    derives_from: tuple[str, ...] = ()
    rule: str = ""
    source: str = ""

    def text(self, lang: str = "zh-Hans") -> str:
        """The sentence of the fact, in zh-Hans, zh-Hant or en."""
        said = phrased(self.key, self.values, lang)
        return said[:1].upper() + said[1:] if lang == "en" else said

    @property
    def text_zh(self) -> str:
        """The sentence of the fact in simplified Chinese, a member of its JSON."""
        return phrased(self.key, self.values)

    @property
    def slots(self) -> dict[str, Any]:
        """The values by the names of their slots.

        >>> Fact("p.day.stem", "pillar", "day", "stem", "庚", "pillar.stem", ("day", "庚")).slots
        {'where': 'day', 'stem': '庚'}
        """
        return dict(zip(slots(self.key), self.values, strict=True))

    def to_dict(self) -> dict[str, Any]:
        members: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "subject": self.subject,
            "predicate": self.predicate,
            "value": self.value,
            "derives_from": list(self.derives_from),
            "rule": self.rule,
            "source": self.source,
            "text_zh": self.text_zh,
        }
        if self.position is not None:
            members["position"] = self.position
        return members


def collect(facts: Iterable[Fact]) -> dict[str, Fact]:
    """Facts by id; `ValueError` for a duplicate id."""
    by_id: dict[str, Fact] = {}
    for fact in facts:
        if fact.id in by_id:
            raise ValueError(f"two facts with the id {fact.id}")
        by_id[fact.id] = fact
    return by_id


def basis_of(fact_id: str, facts: Mapping[str, Fact]) -> list[Fact]:
    """A fact and its basis, nearest first; `INVALID_INPUT` with similar ids for an unknown one."""
    if fact_id not in facts:
        raise _no_such_fact(fact_id, facts)
    basis: dict[str, Fact] = {}
    waiting = [fact_id]
    while waiting:
        fact = facts[waiting.pop(0)]
        basis.setdefault(fact.id, fact)
        waiting.extend(each for each in fact.derives_from if each not in basis)
    return list(basis.values())


def _no_such_fact(fact_id: str, facts: Mapping[str, Fact]) -> InvalidInput:
    from difflib import get_close_matches

    given = shown(fact_id)[:100]
    close = get_close_matches(given, facts, 5, 0.5)
    hint = Said("close", names=Listed(close)) if close else ""
    return InvalidInput(Said("fact_unknown", id=given), hint=hint, given=given)


def closure(ids: Iterable[str], facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """The facts of these ids and their bases, by id."""
    closed: dict[str, Fact] = {}
    waiting = list(ids)
    while waiting:
        name = waiting.pop()
        if name not in closed:
            closed[name] = facts[name]
            waiting.extend(facts[name].derives_from)
    return dict(sorted(closed.items()))


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: NFC, keys sorted by code point, no white space.

    >>> canonical_json({"b": 1.0, "a": "é"})
    '{"a":"é","b":1.0}'
    """
    return composed(_encode()(value))


@cache
def _encode() -> Callable[[Any], str]:
    """The encoder of canonical JSON (cached; its module is slow to import)."""
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def json_text(value: Any, indent: int | None = None) -> str:
    """The canonical JSON of a value, or with `indent` a readable one: several lines, members in their order."""
    if indent is None:
        return canonical_json(value)
    import json

    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """A text in a normal form of Unicode, in time that grows with its length alone.

    `unicodedata.normalize` sorts the marks above and below a letter by insertion: with ten thousand of them
    that takes seconds. So long runs are sorted before.
    """
    if unicodedata.is_normalized(form, text):
        return text
    apart: Form = "NFD" if form == "NFC" else "NFKD"
    marks = "".join(
        sign for sign in set(text) if unicodedata.combining(unicodedata.normalize(apart, sign)[0])
    )

    def ordered(pile: re.Match[str]) -> str:
        single = "".join(unicodedata.normalize(apart, mark) for mark in pile[0])
        return "".join(sorted(single, key=unicodedata.combining))

    return unicodedata.normalize(form, re.sub(f"[{marks}]{{2,}}", ordered, text) if marks else text)


def signed_json(
    members: Mapping[str, Any], facts: Mapping[str, Fact], beside: Mapping[str, Any], with_facts: bool = True,
    name: str = "digest",
) -> str:  # fmt: skip
    """The canonical JSON of an object with its facts and the digest of both, under a name; `beside` stands outside the
    digest.

    Every member is written once, for the digest and for the object.

    >>> text = signed_json({"b": 1}, {}, {"warnings": []}, with_facts=False)
    >>> text == canonical_json({"b": 1, "digest": digest({"b": 1, "facts": {}}), "warnings": []})
    True
    """
    texts = _texts(members, facts, (name, *beside))
    own = sha256(_joined(texts))
    texts |= {each: _member(each, canonical_json(value)) for each, value in {**beside, name: own}.items()}
    if not with_facts:
        del texts["facts"]
    return _joined(texts)


def signature(members: Mapping[str, Any], facts: Mapping[str, Fact]) -> str:
    """The digest of an object with its facts."""
    return sha256(_joined(_texts(members, facts, ())))


def _texts(members: Mapping[str, Any], facts: Mapping[str, Fact], apart: Iterable[str]) -> dict[str, str]:
    """The written members, under the name of the first of each run; a run ends where the facts or one of `apart` belong,
    since the encoder takes longer to begin than to write a small object."""
    cuts = sorted(("facts", *apart))
    written = [_member(name, _fact_json(facts[name])) for name in sorted(facts)]
    texts = {"facts": _member("facts", "{" + ",".join(written) + "}")}
    for _, names in groupby(sorted(members), partial(bisect, cuts)):
        run = {name: members[name] for name in names}
        texts[next(iter(run))] = canonical_json(run)[1:-1]
    return texts


def _fact_json(fact: Fact) -> str:
    """The JSON text of a fact, its members sorted. Facts of words are cached, since 80 % recur in other charts;
    those of numbers are not, since equal numbers may have two texts."""
    value = fact.value
    if type(value) is str:
        return _of_word(fact)
    # The encoder takes fifty times as long to start as `repr`.
    plain = type(value) is float and isfinite(value)
    return _written(fact, repr(value) if plain else "true" if value is True else canonical_json(value))


@lru_cache(maxsize=1 << 13)
def _of_word(fact: Fact) -> str:
    return _written(fact, _quoted(fact.value))


def _written(fact: Fact, value: str) -> str:
    """The members of a fact, sorted: what `to_dict` and the encoder give, in a third of the time."""
    where = "" if fact.position is None else f'"position":{_quoted(fact.position)},'
    return (
        f'{{"derives_from":[{",".join(map(_quoted, fact.derives_from))}],"id":{_quoted(fact.id)},'
        f'"kind":{_quoted(fact.kind)},{where}"predicate":{_quoted(fact.predicate)},"rule":{_quoted(fact.rule)},'
        f'"source":{_quoted(fact.source)},"subject":{_quoted(fact.subject)},"text_zh":{_quoted(fact.text_zh)},"value":{value}}}'
    )


@lru_cache(maxsize=1 << 14)
def _quoted(text: str) -> str:
    """A text in quotes and NFC, which no quote beside it can change."""
    return canonical_json(text)


def _member(name: str, text: str) -> str:
    return f"{_quoted(name)}:{text}"


def _joined(texts: Mapping[str, str]) -> str:
    return "{" + ",".join([texts[name] for name in sorted(texts)]) + "}"


def sha256(text: str) -> str:
    """sha256 of a text in UTF-8, lower hex."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def digest(value: Any) -> str:
    """sha256 of the canonical JSON, lower hex."""
    return sha256(canonical_json(value))
