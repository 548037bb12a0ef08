"""The making of a reading: sentences are planned under sections, each with the facts that it states, then written.

A sentence has a weight: 1 belongs to every length, 2 to `standard`, 3 to `long`; 2.5 to `standard` as long as there
is room. Among the variants of a key the digest of the object decides, and a key that is said again takes the next
variant; so the same object always reads the same, two objects seldom do, and one reading does not repeat itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from bazi_core.readings.narrator.catalogue import Speaker, catalogue
from bazi_core.readings.reading import Reading, Section, Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bazi_core.facts import Fact

TONES = ("neutral", "warm", "direct")
# The heaviest sentences that each length tells.
DEPTHS = {"short": 1.0, "standard": 2.5, "long": 3.0}
# As many are told at most; what is left of the allowance is for the disclaimer and a referral.
ROOM = {"short": 8, "standard": 25, "long": 57}
SUMMARY = "summary"


class Planned(NamedTuple):
    """A sentence before it is written."""

    section: str
    key: str
    evidence: tuple[str, ...]
    weight: float
    kind: str
    hedge: bool
    values: dict[str, Any]


class Story:
    """A reading in the making; `keys` are the catalogue keys that were used, in order, `leave_out` sections not told."""

    def __init__(
        self,
        facts: Mapping[str, Fact],
        digest: str,
        lang: str,
        tone: str = "neutral",
        length: str = "standard",
        leave_out: frozenset[str] = frozenset(),
    ) -> None:
        self.facts, self.lang, self.tone, self.leave_out = facts, lang, tone, leave_out
        self.keys: list[str] = []
        self._seed = int(digest[:8], 16)
        self._depth, self._most = DEPTHS[length], ROOM[length]
        self._planned: list[Planned] = []
        self._section = SUMMARY

    def section(self, key: str) -> None:
        """What follows belongs to this section."""
        self._section = key

    def add(
        self,
        key: str,
        *evidence: str,
        weight: float = 2,
        kind: str = "inference",
        hedge: bool = False,
        **values: Any,
    ) -> None:
        """One sentence; `evidence` are ids of facts, of which every one must exist."""
        if weight > self._depth or self._section in self.leave_out:
            return
        for name in evidence:
            self.facts[name]
        cited = tuple(dict.fromkeys(evidence))
        self._planned.append(Planned(self._section, key, cited, weight, kind, hedge, values))

    def value(self, name: str) -> str:
        """The value of a fact as text."""
        return str(self.facts[name].value)

    def words(self, key: str, **values: Any) -> str:
        """A text that is no sentence, such as a title."""
        return _capital(Speaker(self.lang, self._template).say(key, values))

    def word(self, value: Any) -> str:
        """A value alone, such as a keyword."""
        return Speaker(self.lang, self._template).word(value)

    def reading(self, title: str, keywords: tuple[str, ...]) -> Reading:
        """The reading; sections without a sentence are left out."""
        speaker = Speaker(self.lang, self._template)
        told: dict[str, list[Sentence]] = {SUMMARY: []}
        for each in self._kept():
            text = _capital(speaker.say(each.key, each.values))
            told.setdefault(each.section, []).append(Sentence(text, each.evidence, each.kind, each.hedge))
        summary = tuple(told.pop(SUMMARY))
        return Reading(
            title, summary, tuple(Section(key, tuple(each)) for key, each in told.items()), keywords
        )

    def _kept(self) -> list[Planned]:
        """The planned sentences that there is room for: of the heaviest the last give way."""
        order = sorted(range(len(self._planned)), key=lambda at: (self._planned[at].weight, at))
        return [self._planned[at] for at in sorted(order[: self._most])]

    def _template(self, key: str) -> str:
        toned = f"{key}.{self.tone}"
        used = toned if toned in catalogue() else key
        variants = catalogue()[used]
        turn = (self._seed + crc32(used.encode()) + self.keys.count(used)) % len(variants)
        self.keys.append(used)
        return variants[turn][self.lang]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
