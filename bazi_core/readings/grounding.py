"""The grounding checker: every claim of a reading must follow from the facts that its own sentence cites.

Ids first; then, sentence by sentence, the closed vocabulary, negation and polarity, place, and numbers; then the
share of the expected script, and what the reading has to name. Free sentences (advice, transition) may use no
term that the facts as a whole do not support. Nothing here calls anything: text and facts in, a report out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from bazi_core.alphabet import PILLARS
from bazi_core.readings.claims import NUMBERS, Claim, Mention, mentions, without_terms
from bazi_core.readings.entailment import NATAL, FactLike, closure, entailed
from bazi_core.readings.scripts import hidden_letter, letters, share
from bazi_core.readings.weighing import Known, weighed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

# At least this share of the letters outside terms belongs to the script of the language, and of the hanzi that the
# two Chinese scripts write differently.
SCRIPT_SHARE = 0.8
CITING = ("fact", "inference")


class SentenceLike(Protocol):
    """A sentence with the ids that it cites."""

    @property
    def text(self) -> str: ...
    @property
    def evidence(self) -> Sequence[str]: ...
    @property
    def kind(self) -> str: ...


class SectionLike(Protocol):
    """A named run of sentences."""

    @property
    def sentences(self) -> Sequence[SentenceLike]: ...


class ReadingLike(Protocol):
    """A reading as the checker sees it."""

    @property
    def title(self) -> str: ...
    @property
    def summary(self) -> Sequence[SentenceLike]: ...
    @property
    def sections(self) -> Sequence[SectionLike]: ...
    @property
    def keywords(self) -> Sequence[str]: ...


class Problem(NamedTuple):
    """A claim that the cited facts do not support: `reason` is opposite, elsewhere, unsupported, number or hidden."""

    sentence: str
    term: str
    category: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        return self._asdict()


class Requirement(NamedTuple):
    """What a reading has to name: at least `at_least` of these claims, whatever their place."""

    name: str
    claims: tuple[Claim, ...]
    at_least: int = 1


class Coverage(NamedTuple):
    """The requirements that are met and those that are not."""

    named: tuple[str, ...]
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"named": list(self.named), "missing": list(self.missing)}


class GroundingReport(NamedTuple):
    """What was checked and what was found; `verdict` is pass, repaired or fallback."""

    checked_terms: int
    cited_ids: tuple[str, ...]
    unknown_ids: tuple[str, ...]
    contradicted: tuple[Problem, ...]
    uncited: tuple[str, ...]
    coverage: Coverage
    verdict: str

    @property
    def passed(self) -> bool:
        return self.verdict != "fallback"

    def repaired(self) -> GroundingReport:
        """The same report for text that passed after a repair."""
        return self._replace(verdict="repaired") if self.verdict == "pass" else self

    def to_dict(self) -> dict[str, Any]:
        return {
            "checked_terms": self.checked_terms,
            "cited_ids": list(self.cited_ids),
            "unknown_ids": list(self.unknown_ids),
            "contradicted": [problem.to_dict() for problem in self.contradicted],
            "uncited": list(self.uncited),
            "coverage": self.coverage.to_dict(),
            "verdict": self.verdict,
        }


def check(
    reading: ReadingLike,
    facts: Mapping[str, FactLike],
    *,
    language: str,
    required: Iterable[Requirement] = (),
    disclaimers: Collection[str] = (),
) -> GroundingReport:
    """Check a reading against the facts that it was given.

    A sentence of the kind disclaimer must be one of `disclaimers`. Unknown ids end the check at once.
    """
    sentences = [*reading.summary, *(each for section in reading.sections for each in section.sentences)]
    cited = tuple(dict.fromkeys(name for each in sentences for name in each.evidence))
    unknown = tuple(name for name in cited if name not in facts)
    if unknown:
        return GroundingReport(0, cited, unknown, (), (), Coverage((), ()), "fallback")
    whole = _Whole(facts)
    problems: list[Problem] = []
    claimed: list[Claim] = []
    for each in sentences:
        if each.kind == "disclaimer":
            problems += [] if each.text in disclaimers else [Problem(each.text, "", "disclaimer", "unknown")]
            continue
        made = mentions(each.text)
        known: Known = whole.of(each.evidence) if each.kind in CITING else whole
        problems += _problems(each.text, made, known)
        claimed += [mention.claim for mention in made]
    for text in (reading.title, *reading.keywords):
        made = mentions(text)
        problems += _problems(text, made, whole)
        claimed += [mention.claim for mention in made]
    problems += script_problems(sentences, language)
    uncited = tuple(each.text for each in sentences if each.kind in CITING and not each.evidence)
    coverage = _covered(claimed, required)
    verdict = "fallback" if problems or uncited or coverage.missing else "pass"
    return GroundingReport(len(claimed), cited, (), tuple(problems), uncited, coverage, verdict)


class Cited(NamedTuple):
    """The facts that one sentence cites; of the whole reading its years, its season, whether an element is missing."""

    sets: tuple[frozenset[Claim], ...]
    years: tuple[int, ...] = ()
    lacks: bool = False
    season: str = ""

    def holds(self, claim: Claim) -> bool:
        return any(claim in each for each in self.sets)


class _Whole:
    """All facts of a reading; most claims are found among the facts that were read already."""

    def __init__(self, facts: Mapping[str, FactLike]) -> None:
        self._facts = facts
        self._read: dict[str, frozenset[Claim]] = {}
        self.years = tuple(int(name[3:]) for name in facts if name.startswith("ln.") and name[3:].isdigit())
        self.lacks = any(name.startswith("wx.missing.") for name in facts)
        born = self._claims("p.month.branch") if "p.month.branch" in facts else ()
        self.season = next((claim.term for claim in born if claim.category == "season"), "")

    def of(self, evidence: Iterable[str]) -> Cited:
        return Cited(tuple(self._claims(name) for name in evidence), self.years, self.lacks, self.season)

    def _claims(self, name: str) -> frozenset[Claim]:
        if name not in self._read:
            self._read[name] = entailed(self._facts[name])
        return self._read[name]

    def holds(self, claim: Claim) -> bool:
        return any(claim in each for each in self._read.values()) or self._found(claim)

    def _found(self, claim: Claim) -> bool:
        """Whether a fact that was not read yet has the claim; those that contain its words are read first."""
        words = claim.term.split(":")
        likely = [
            name for name, fact in self._facts.items()
            if name not in self._read and all(word in fact.text_zh for word in words)
        ]  # fmt: skip
        rest = (name for name in self._facts if name not in self._read)
        return any(claim in self._claims(name) for names in (likely, rest) for name in names)


def _problems(text: str, made: Iterable[Mention], known: Known) -> Iterator[Problem]:
    for mention in made:
        claim = mention.claim
        if not supported(claim, known):
            yield Problem(text, mention.surface, claim.category, _reason(claim, known))
    if hidden := hidden_letter(text):
        yield Problem(text, hidden, "character", "hidden")
    yield from (Problem(text, pair, "year_pillar", "number") for pair in _wrong_years(text))


def supported(claim: Claim, known: Known) -> bool:
    """Whether facts support a claim; of several places one will do (|) or each is meant (&).

    A pillar also follows from its stem and its branch.
    """
    if known.holds(claim) or weighed(claim, known):
        return True
    if claim.position and "&" in claim.position:
        return all(supported(claim._replace(position=place), known) for place in claim.position.split("&"))
    if claim.position and "|" in claim.position:
        return any(supported(claim._replace(position=place), known) for place in claim.position.split("|"))
    if claim.category == "order":
        one, _, other = claim.term.partition(">")
        return _follows(one, other, known)
    if claim.category != "pillar" or claim.negated:
        return False
    return any(
        known.holds(Claim("stem", claim.term[0], f"{place}.stem"))
        and known.holds(Claim("branch", claim.term[1], place))
        for place in ((claim.position,) if claim.position else NATAL)
    )


def _follows(one: str, other: str, known: Known) -> bool:
    """Whether a luck pillar comes right after another."""
    return any(
        known.holds(Claim("luck_index_of", f"{one}:{number}"))
        and known.holds(Claim("luck_index_of", f"{other}:{number + 1}"))
        for number in range(1, 10)
    )


_OPPOSITES = (
    ("喜:", "忌:"),
    ("用神:", "忌神:"),
    ("强方", "弱方"),
    ("身强", "身弱"),
    ("通根", "无根"),
    ("成立", "化解"),
)


def _reason(claim: Claim, known: Known) -> str:
    plain = claim._replace(position=None)
    if claim.category in NUMBERS:
        return "number"
    if known.holds(plain._replace(negated=not claim.negated)):
        return "opposite"
    if claim.position is not None and known.holds(plain):
        return "elsewhere"
    for one, other in (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)):
        if claim.term.startswith(one) and known.holds(plain._replace(term=other + claim.term[len(one) :])):
            return "opposite"
    return "unsupported"


_YEAR = re.compile(r"[12]\d{3}")
_YEAR_PILLAR = re.compile(
    r"(?<![\d–—~至到-])(?<!to )([12]\d{3})"
    r"(?:\s?年(?:的?流年|岁次|歲次)?(?:为|為|是)?| is (?:a |the )?|,? the flow year )?\s?[（(「]?\s?"
    rf"({'|'.join(each.value for each in PILLARS)})(?!大?[运運]| luck| governs)"
)


def _wrong_years(text: str) -> Iterator[str]:
    """A year next to a pillar that is not its own: 2026年丁未."""
    if _YEAR.search(text) is None:
        return
    for found in _YEAR_PILLAR.finditer(text):
        if PILLARS[(int(found[1]) - 4) % 60].value != found[2]:
            yield found[0]


def _covered(claimed: Iterable[Claim], required: Iterable[Requirement]) -> Coverage:
    required = tuple(required)
    if not required:
        return Coverage((), ())
    named = {each[:2] for each in closure(claim for claim in claimed if not claim.negated)}
    met = {one.name: sum(claim[:2] in named for claim in one.claims) >= one.at_least for one in required}
    return Coverage(
        tuple(name for name, found in met.items() if found),
        tuple(name for name, found in met.items() if not found),
    )


def script_problems(sentences: Iterable[SentenceLike], language: str) -> list[Problem]:
    """A reading in another script than that of its language, terms aside."""
    text = " ".join(without_terms(each.text) for each in sentences)
    if (part := share(letters(text), language)) < SCRIPT_SHARE:
        return [Problem("", language, "language", f"{part:.0%} of the letters are of its script")]
    return []
