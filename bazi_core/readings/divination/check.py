"""The grounding check of an answer: of every statement there is a place of the board of which the cited facts say it all.

Ids first; then, item by item, the statements, ties, signs behind which a word would not be seen; then the script. An item
that cites nothing (advice, a transition) may state only what the facts as a whole support.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.readings.divination.known import acts, places
from bazi_core.readings.divination.statements import ALONE, HEXAGRAM, LINE, TIMING, understood
from bazi_core.readings.grounding import SCRIPT_SHARE, Coverage, GroundingReport, Problem
from bazi_core.readings.scripts import hidden_letter, letters, share

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bazi_core.readings.divination.answer import DivinationReading, Item
    from bazi_core.readings.divination.known import Place
    from bazi_core.readings.divination.statements import Said, Statement, Tie
    from bazi_core.readings.entailment import FactLike

# A time without a trigger is that of the cast itself.
_TIME_PLACES = ("month", "day", "gz.year", "gz.month", "gz.day", "gz.hour")


class Known(NamedTuple):
    """What is known of every place."""

    places: dict[str, Place]

    @classmethod
    def of(cls, facts: Iterable[FactLike]) -> Known:
        return cls(places(facts))


def check(
    reading: DivinationReading,
    facts: Mapping[str, FactLike],
    *,
    fixed: Collection[str] = (),
) -> GroundingReport:
    """Check an answer against the facts that it was given; the texts in `fixed` are taken as they are.

    The level of the sign must be the one that the facts hold. Unknown ids end the check at once.
    """
    items = [(where, item) for where, item in reading.items if item.text not in fixed]
    cited = tuple(dict.fromkeys(name for _, item in items for name in item.evidence))
    unknown = tuple(name for name in cited if name not in facts)
    if unknown:
        return GroundingReport(0, cited, unknown, (), (), Coverage((), ()), "fallback")
    whole = Known.of(facts.values())
    found: list[Problem] = []
    claims = 0
    # The answer cites again what the lists cite.
    of: dict[frozenset[str], Known] = {frozenset(): whole}
    for _, item in items:
        evidence = frozenset(item.evidence)
        if evidence not in of:
            of[evidence] = Known.of(facts[name] for name in item.evidence)
        claims += understood(item.text).claims
        found += item_problems(item.text, of[evidence])
    for word in reading.keywords:
        claims += understood(word).claims
        found += item_problems(word, whole)
    if reading.sign_level is not None and not _sign_holds(reading.sign_level, whole):
        found.append(Problem("", reading.sign_level, "sign", "opposite"))
    found += script_problems([item for _, item in items], reading.language)
    uncited = tuple(item.text for where, item in items if where in CITING and not item.evidence)
    verdict = "fallback" if found or uncited else "pass"
    return GroundingReport(claims, cited, (), tuple(found), uncited, Coverage((), ()), verdict)


# The parts of an answer whose items cite facts; advice and transitions of the answer may do without.
CITING = ("conclusion", "focus_points")


def _sign_holds(level: str, known: Known) -> bool:
    place = known.places.get("sign")
    return place is None or place.has("sign", level)


def item_problems(text: str, known: Known) -> Iterator[Problem]:
    """What of a text the facts do not support.

    >>> from bazi_core.facts import Fact
    >>> one = Fact("ly.line.3", "line", "官鬼", "stands", "己亥", "三爻官鬼己亥水，临青龙，持世，安静", "3")
    >>> list(item_problems("世爻官鬼安静", Known.of([one])))
    []
    >>> [(each.term, each.reason) for each in item_problems("世爻妻财发动", Known.of([one]))]
    [('妻财', 'opposite')]
    """
    yield from _unsupported(text, text, known)
    # 官 鬼 发 动 says what 官鬼发动 says.
    if (joined := _SPACED.sub("", text)) != text:
        yield from _unsupported(text, joined, known)
    if hidden := hidden_letter(text):
        yield Problem(text, hidden, "character", "hidden")


_SPACED = re.compile(r"(?<=[\u4e00-\u9fff])[ \t]+(?=[\u4e00-\u9fff])")


def _unsupported(text: str, read: str, known: Known) -> Iterator[Problem]:
    """The statements and ties of a text, as it is read, that the facts do not support."""
    text_read = understood(read)
    for statement in text_read.statements:
        if not any(_holds(statement, known)):
            yield _problem(text, statement, known)
    for tie in text_read.ties:
        if not _tied(tie, known):
            yield Problem(text, tie.surface, "tie", "unsupported")


def _holds(statement: Statement, known: Known) -> Iterator[Place]:
    """The places of which a statement is true."""
    lines = sorted({line for term in statement.terms("line") for line in term})
    if _all_still(statement):
        yield from _still(known)
        return
    if len(lines) > 1 and statement.kind == LINE:
        yield from _of_several(statement, lines, known)
        return
    if _denied_wrongly(statement, known):
        return
    for place in _candidates(statement, known):
        if statement.kind == TIMING and not _is_time(place, statement):
            continue
        true = all(_says(each, place) for each in statement.said) and _turned(statement, place, known)
        if true:
            yield place


def _candidates(statement: Statement, known: Known) -> Iterable[Place]:
    """The places of which the first word is true, where that is a plain one: most others need not be looked at."""
    places = known.places.values()
    if not statement.said:
        return places
    category, term, sense, _ = statement.said[0]
    if sense or "|" in term or "/" in term:
        return places
    return [place for place in places if term in place.held.get(category, ())]


def _is_time(place: Place, statement: Statement) -> bool:
    """A time is that of a trigger, or the month and day of the cast; a bare branch is that of a trigger."""
    if place.name.startswith("ly.timing."):
        return True
    return place.name in _TIME_PLACES and not statement.terms("branch")


def _all_still(statement: Statement) -> bool:
    return any(each.category == "board_still" and not each.sense for each in statement.said)


def _still(known: Known) -> Iterator[Place]:
    own = [known.places[line] for line in "123456" if line in known.places]
    if len(own) == 6 and all(each.has("moving", "安静") for each in own):
        yield own[0]


def _of_several(statement: Statement, lines: list[str], known: Known) -> Iterator[Place]:
    """二爻、五爻: a role that stands on both, or each of them with all the rest."""
    rest = [each for each in statement.said if each.category != "line" or each.sense]
    for place in known.places.values():
        if all(place.has("line", line) for line in lines) and all(_says(each, place) for each in rest):
            yield place
    own = [
        next((p for p in known.places.values() if p.base == line and p.has("line", line)
              and all(_says(each, p) for each in rest) and _turned(statement, p, known)), None)
        for line in lines
    ]  # fmt: skip
    if all(own) and own[0] is not None:
        yield own[0]


def _says(said: Said, place: Place) -> bool:
    """Whether a word is true of a place, or, where it is denied, untrue."""
    if not said.sense:
        return _is(said, place)
    if said.sense == "absence" and said.category in ("relative", "role"):
        return place.has(said.category, said.term) and place.has("absent", "")
    if said.category == "season":
        return "season" in place.held and not place.has("season", said.term)
    return all(place.denies(said.category, term) for term in said.term.split("/"))


def _is(said: Said, place: Place) -> bool:
    """Whether a place is what a word calls it: all of 生|扶, one of several hexagrams whose names sound alike."""
    if said.term in place.held.get(said.category, ()):
        return True
    if "|" not in said.term and "/" not in said.term:
        return False
    return any(
        all(place.has(said.category, part) for part in term.split("|")) for term in said.term.split("/")
    )


def _denied_wrongly(statement: Statement, known: Known) -> bool:
    """Whether a word is denied of which the rest makes a true statement, wherever that is."""
    denied = [each for each in statement.said if each.sense]
    if not denied:
        return False
    affirmed = [each for each in statement.said if not each.sense]
    return any(
        all(_says(each, place) for each in affirmed)
        and any(
            _is(each, place) and not (each.sense == "absence" and place.has("absent", "")) for each in denied
        )
        for place in known.places.values()
    )


def _turned(statement: Statement, place: Place, known: Known) -> bool:
    """Whether what a statement turned from is true of the place that it came from."""
    before = statement.turned
    if before is None:
        return True
    if not place.has("turned", ""):
        return False
    if not any(each.category not in ("turned",) for each in before.said):
        return True
    own = known.places.get(place.base)
    if own is None:
        # The line itself is not cited: its number may be known from what it turned into.
        return all(each.category == "line" and each.term == place.base for each in before.said)
    known_of = [each for each in before.said if not (each.category == "line" and each.term == place.base)]
    extra = [] if before.kind != LINE else known_of
    needed = before.said if before.kind == HEXAGRAM else extra
    return all(_says(each, own) for each in needed)


def _tied(tie: Tie, known: Known) -> bool:
    """Whether there are places of which a tie is true; none of which it is untrue may stand in for them."""
    found = set[bool]()
    for one in _holds(tie.one, known):
        for other in _holds(tie.other, known):
            told = [acts(verb, one, other) for verb in tie.verb.split("|")]
            back = [acts(verb, other, one) for verb in tie.verb.split("|")] if tie.mutual else []
            if None not in told:
                found.add(any(told) or any(back))
    return (found == {False}) if tie.denied else True in found


def _problem(text: str, statement: Statement, known: Known) -> Problem:
    """What of a statement is wrong: at the place that comes nearest, the first word that is not true of it."""
    if statement.kind == ALONE and statement.said[0].category in ("number", "yao_name"):
        return Problem(text, statement.surface, statement.said[0].category, "number")
    near = max(
        known.places.values(),
        key=lambda place: sum(_says(each, place) for each in statement.said),
        default=None,
    )
    if near is None:
        return Problem(text, statement.surface, statement.said[-1].category, "unsupported")
    wrong = next((each for each in statement.said if not _says(each, near)), statement.said[-1])
    return Problem(text, wrong.surface, wrong.category, _reason(wrong, near, known))


def _reason(said: Said, near: Place, known: Known) -> str:
    if said.sense and near.has(said.category, said.term):
        return "opposite"
    if not said.sense and near.denies(said.category, said.term):
        return "opposite" if not _somewhere(said, known) else "elsewhere"
    return "elsewhere" if _somewhere(said, known) else "unsupported"


def _somewhere(said: Said, known: Known) -> bool:
    return any(place.has(said.category, said.term) for place in known.places.values())


def script_problems(items: Iterable[Item], language: str) -> list[Problem]:
    """An answer in another script than that of its language, terms aside."""
    text = " ".join(without_terms(each.text) for each in items)
    if (part := share(letters(text), language)) < SCRIPT_SHARE:
        return [Problem("", language, "language", f"{part:.0%} of the letters are of its script")]
    return []


def without_terms(text: str) -> str:
    """A text without the words of the vocabulary and their glosses."""
    kept, at = [], 0
    for start, end in understood(text).spans:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))
