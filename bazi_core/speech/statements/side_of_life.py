"""The verdict of a chart on a side of life: what stands for it, what bears on that, and the decade that helps."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.pattern.walk import BOTH, COMING, ILLNESS, NOW
from bazi_core.questions.marks import COMPLAINS, OF_STAR
from bazi_core.speech.catalogue import Clauses, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, CLAIM, DOUBT, FOR, GROUND, LEANING, OPEN, SETTLED
from bazi_core.speech.statements.asked import (
    BAD,
    GOOD,
    HOW,
    MIXED,
    PARTNERSHIP,
    PLACES,
    SCORES,
    SIDE_OF,
    SIDES,
    TAI_SUI,
    TRADE,
    UNWEIGHED,
    WHY,
    domain_of,
    named,
)
from bazi_core.speech.statements.bearings import bearings, tell
from bazi_core.speech.statements.beyond_scores import (
    body,
    of_useful,
    oneself,
)
from bazi_core.speech.statements.kin import KIN, RELATIVES_OF, star_for, who
from bazi_core.speech.statements.nouns import element, seats
from bazi_core.speech.statements.verdicts import GROUNDS
from bazi_core.speech.statements.walk import LONG_LIFE, entry
from bazi_core.speech.statements.why_and_how import how, why
from bazi_core.year.rules import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.luck.running import Running
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.walk import Decade
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.speech.statements.bearings import AskedBearing

# As many decades, the present one among them, are near enough to wait for.
NEAR = 3
# Within how many years a decade has to begin, and of study, parents and children.
LATER, SOON, _SOON_OVER = 10, 5, ("study", "family")
# How sure an answer is that names years.
SURE = ("answer.years.agrees", "answer.years.differs", "answer.sure.leaning")

# So much of what is asked for by its star or palace is told in every length.
MOST_ASKED = 3

WHOLE = ("self", "general", "health", "timing", TAI_SUI)


class _Ground(NamedTuple):
    """One reason: +1 or -1, its words, the facts it rests on."""

    points: int
    said: Phrase
    evidence: tuple[str, ...]


class _Side(NamedTuple):
    """A side of life that is asked about, with what is for and against it; it `is_second` where months or years answer
    first."""

    draft: Draft
    result: PatternResult
    asked: Asked
    is_second: bool
    person: str
    grounds: list[_Ground]
    borne: tuple[AskedBearing, ...]

    @property
    def is_whole(self) -> bool:
        return self.asked.domain in WHOLE

    @property
    def is_of_kin(self) -> bool:
        return self.asked.subject in KIN

    @property
    def star(self) -> str | None:
        """The relative whose star stands for it."""
        return KIN[self.person].star if self.person else RELATIVES_OF.get(self.asked.domain)

    def seconds(self) -> None:
        """Adds the verdicts on further sides of life."""
        _seconds_of_chart(self.draft, self.result, () if self.is_second else self.asked.also)


def of_side(draft: Draft, result: PatternResult, asked: Asked, is_second: bool) -> None:
    """The verdict of the chart on what is asked, with its grounds; it `is_second` where months or years answer first."""
    # Of father and mother each has a star of its own.
    person = asked.subject if asked.subject in KIN else asked.beside if asked.domain == "parents" else ""
    side = _Side(draft, result, asked, is_second, person, [], ())
    grounds = _chart_grounds(result, asked.domain, side.star, asked.subject)
    borne = _borne(result, asked.domain, asked.subject)
    side = side._replace(grounds=grounds, borne=borne)
    next(way for way in _WAYS if way(side))


def _unweighed(side: _Side) -> bool:
    """What has no verdict: the body, and what is told in a way of its own."""
    draft, result, asked = side.draft, side.result, side.asked
    if asked.domain not in (*UNWEIGHED, "health"):
        return False
    if asked.domain == "health":
        body(draft, result)
    elif asked.domain == PARTNERSHIP:
        _told_grounds(draft, [each for each in side.grounds if each.said.key == "ground.dynamic"], MIXED)
    if asked.kind == HOW and asked.domain != "health":
        how(draft, result, asked.domain)
    side.seconds()
    return True


def _self(side: _Side) -> bool:
    """Oneself, or what one can do with oneself."""
    if side.asked.domain != "self" or side.is_second:
        return False
    if side.asked.kind == HOW:
        how(side.draft, side.result, side.asked.domain)
    else:
        of_oneself(side.draft, side.result)
    return True


def _reasons(side: _Side) -> bool:
    """Why a side of life goes as it goes, and what mends it."""
    draft, result, asked = side.draft, side.result, side.asked
    if asked.kind != WHY or side.is_whole or side.is_of_kin:
        return False
    against = tuple(each for each in side.borne if each.points < 0)
    of_person = who(side.person) if side.person else None
    star = star_for(result, asked.domain, side.star)
    why(draft, result, asked.domain, star, told="answer.why.other" if against else "", of=of_person)
    if draft.says("answer.why.other"):
        tell(draft, against, needed=1)
    else:
        against = ()
    how(draft, result, asked.domain, is_short=True)
    tell(draft, tuple(each for each in side.borne if each not in against))
    side.seconds()
    return True


def _of_what_to_do(side: _Side) -> bool:
    """What one can do about life as a whole."""
    if side.asked.kind != HOW or side.is_of_kin or not side.is_whole:
        return False
    how(side.draft, side.result, side.asked.domain)
    return True


def _verdict(side: _Side) -> bool:
    """The verdict with what is for and against it; where it is asked what to do, that first."""
    draft, result, asked, grounds = side.draft, side.result, side.asked, side.grounds
    is_how = asked.kind == HOW
    if is_how and not side.is_of_kin:
        how(draft, result, asked.domain)
    told = _said(side)
    # A verdict is never followed first by what speaks against it alone: what bears it out in palace and ties leads then.
    sign_ = _SIGNS[told]
    is_led = not sign_ or any(ground.points * sign_ > 0 for ground in grounds)
    leading = () if is_led else tuple(each for each in side.borne if each.points * sign_ > 0)
    # Whoever asks about the star or the palace is told of these.
    leading = side.borne if OF_STAR in asked.marks else leading
    tell(draft, leading, needed=MOST_ASKED if OF_STAR in asked.marks else 0)
    if not draft.says("answer.years.ground"):
        _told_grounds(draft, grounds, told)
    tell(draft, tuple(each for each in side.borne if each not in leading))
    if is_how and side.is_of_kin:
        how(draft, result, asked.domain)
    side.seconds()
    is_choice = asked.kind in ("compare", "which") and len(asked.also) == 1 and not side.is_of_kin
    if is_choice and not side.is_second:
        _choice(draft, result, asked.domain, asked.also[0])
    if asked.matter == PLACES:
        of_useful(draft, result, PLACES)
    return True


def _said(side: _Side) -> str:
    """Adds the verdict by itself, and returns it: good, mixed or bad."""
    asked = side.asked
    reasons: list[_Ground | AskedBearing] = [*side.grounds, *side.borne]
    told = _total(side.grounds, side.borne)
    named_: dict[str, Any] = {"domain": domain_of(asked.domain)}
    if side.is_of_kin:
        of, named_ = "kin.chart", {"domain": who(asked.subject)}
    elif side.is_second or asked.kind == HOW or asked.domain == TRADE:
        of, named_ = "natal", {"domain": named(OVERALL)} if side.is_whole else named_
    elif side.is_whole:
        of, named_ = "whole", {}
    else:
        of = "chart"
    # Whoever asks why all goes badly is not told coldly that it does not.
    turned = (
        ".contrary"
        if of == "whole" and told == GOOD and (asked.kind == WHY or COMPLAINS in asked.marks)
        else ""
    )
    side.draft.add(
        f"answer.{of}.{told}{turned}", "yong.primary", *(name for reason in reasons for name in reason.evidence), weight=1,
        required=True, certainty=LEANING, side=SIDES[told], **named_,
    )  # fmt: skip
    return told


# The ways to tell of a side of life, in their order; the first that fits does.
_WAYS = (_unweighed, _self, _reasons, _of_what_to_do, _verdict)

# Sides of life that are a relative: what is against them is told of the tie and not of the person.
_OF_KIN = ("parents", "children")
_SIGNS = {GOOD: 1, MIXED: 0, BAD: -1}


def of_oneself(draft: Draft, result: PatternResult) -> None:
    """What the chart says of oneself, with what is strong and what is weak in it."""
    if result.useful.order:
        oneself(draft, result)
        _told_grounds(draft, _chart_grounds(result, "self", None), MIXED, ("answer.strong", "answer.weak"))


def _seconds_of_chart(draft: Draft, result: PatternResult, domains: Sequence[str]) -> None:
    """The verdict of the chart on further sides of life that the question names."""
    for domain in domains:
        if domain == "health":
            body(draft, result)
            continue
        grounds, borne = _chart_grounds(result, domain, RELATIVES_OF.get(domain)), _borne(result, domain)
        told = _total(grounds, borne)
        reasons: list[_Ground | AskedBearing] = [*grounds, *borne]
        draft.add(
            f"answer.second.chart.{told}", "yong.primary", *(name for each in reasons for name in each.evidence),
            weight=1, required=True, certainty=LEANING, domain=domain_of(domain),
        )  # fmt: skip


def _choice(draft: Draft, result: PatternResult, one: str, two: str) -> None:
    """Which of two sides of life that are held against each other has more behind it."""
    points = {}
    for each in (one, two):
        grounds, borne = _chart_grounds(result, each, RELATIVES_OF.get(each)), _borne(result, each)
        points[each] = sum(ground.points for ground in grounds) + sum(bearing.points for bearing in borne)
    better = max(points, key=lambda each: points[each])
    key = "even" if points[one] == points[two] else "one"
    draft.add(
        f"answer.choice.{key}",
        "yong.primary",
        weight=1,
        required=True,
        certainty=LEANING,
        better=domain_of(better),
    )


def _borne(result: PatternResult, domain: str, subject: str = "self") -> tuple[AskedBearing, ...]:
    """What bears on the star and the palace of a side of life; a field of work is judged as work."""
    return () if domain in (*UNWEIGHED, "health") else bearings(result, SIDE_OF.get(domain, domain), subject)


def _total(grounds: Sequence[_Ground], borne: Sequence[AskedBearing]) -> str:
    """The verdict of all reasons. No side of life goes well of itself whose star can do little."""
    total = sum(ground.points for ground in grounds) + sum(bearing.points for bearing in borne)
    is_good = total > 0 and not any(each.is_helpless for each in borne)
    return GOOD if is_good else BAD if total < 0 else MIXED


def _told_grounds(
    draft: Draft,
    grounds: Sequence[_Ground],
    told: str,
    keys: tuple[str, str] = ("answer.ground", "answer.drag"),
) -> None:
    """The reasons for and against; those on the side of the verdict are its grounds."""
    for key, sign_ in zip(keys, (1, -1), strict=True):
        found = [ground for ground in grounds if ground.points * sign_ > 0][:GROUNDS]
        if found:
            names = (name for each in found for name in each.evidence)
            draft.add(
                key, *names, weight=1, kind="fact", relation=GROUND if (sign_ > 0) is (told != BAD) else CLAIM,
                side=FOR if sign_ > 0 else AGAINST, rows=Clauses(tuple(each.said for each in found)),
            )  # fmt: skip


def _chart_grounds(
    result: PatternResult, domain: str, relative: str | None, subject: str = "self"
) -> list[_Ground]:
    """The role of what stands for a domain, and the dynamics that bear on it."""
    found = []
    star, day = star_for(result, domain, relative), result.pillars.day.stem.element
    if star is not None:
        role = result.useful.role(star)
        points = (role in WANTED) - (role in ADVERSE)
        ids = (ROLE_FACTS[role], "p.day.stem")
        if points:
            of = who(subject) if subject in KIN else domain_of(domain)
            is_person = points < 0 and (subject in KIN or domain in _OF_KIN)
            is_absent = points < 0 and star is not day and seats(result.pillars, star).key == "absent"
            key = f"ground.role{'.person' if is_person else '.absent' if is_absent else ''}"
            said = Phrase(key, {"element": element(star), "role": Term(role, "role"), "of": of})
            found.append(_Ground(points, said, (*ids, *((f"wx.missing.{star}",) if is_absent else ()))))
    score = SCORES.get(domain, OVERALL)
    for dynamic in result.dynamics:
        if (
            dynamic.state == STANDS
            and dynamic.polarity in _POINTS
            and (score in dynamic.domains or score == OVERALL)
        ):
            said = Phrase("ground.dynamic", {"name": Term(dynamic.name, "dynamic")})
            found.append(_Ground(_POINTS[dynamic.polarity], said, (dynamic.fact_id,)))
    if domain in WHOLE and result.diagnosis is not None:
        sound = result.diagnosis.key == "sound" or bool(result.diagnosis.rescue)
        said = Phrase("ground.remedy" if sound else "ground.no_remedy", {})
        found.append(_Ground(1 if sound else -1, said, ("pat.diagnosis",)))
    return found


_POINTS = {"吉": 1, "凶": -1}


def decade_ahead(draft: Draft, decades: Sequence[Decade], running: Running | None, score: str) -> None:
    """The running decade or the next one, where it helps or half of it is of use, and begins soon enough for what is asked;
    else how the running one goes."""
    year = running.year if running else 0
    horizon = year + (SOON if score in _SOON_OVER else LATER) if running else 9999
    # A decade in its last year is behind already.
    ahead = [
        decade
        for decade in decades
        if decade.time(running) in (NOW, COMING) and (decade.cycle.end_year or year + 1) > year
    ][:NEAR]
    ahead = [each for each in ahead if (each.cycle.start_year or 0) <= horizon]
    ahead = [
        each for each in ahead if each.time(running) == NOW or (each.cycle.start_age_full or 0) < LONG_LIFE
    ]
    good = (each for each in ahead if each.tone == "good" and each.brings not in (ILLNESS, BOTH))
    # Nobody is told to wait for a decade that is half of use while such a one runs.
    is_mixed = any(each.tone == "mixed" and each.time(running) == NOW for each in ahead)
    mixed = (each for each in ahead if each.tone == "mixed" and not is_mixed)
    best = next(chain(good, mixed), None)
    if best is None or best.cycle.start_year is None:
        now = next((each for each in decades if each.time(running) == NOW), None)
        if now is not None and now.cycle.start_at is not None and now.roles:
            draft.add(
                "answer.decade.running", now.fact_id, f"{now.fact_id}.age", *now.role_ids, "dy.start", "dy.now", weight=1,
                certainty=LEANING, pillar=sign(now.cycle.pillar), tone=Phrase(f"tone.{now.tone}", {}), **entry(now.cycle),
            )  # fmt: skip
        return
    own = best.fact_id
    key = "mixed" if best.tone == "mixed" else "now" if best.time(running) == NOW else ""
    draft.add(
        f"answer.decade.{key}".rstrip("."), own, f"{own}.age", *best.role_ids, "dy.start",
        weight=1, certainty=LEANING, pillar=sign(best.cycle.pillar), **entry(best.cycle),
    )  # fmt: skip


def sure_of_chart(draft: Draft, result: PatternResult, is_said: bool = False) -> None:
    """How sure the answer is; what the years in sight said of it already `is_said`."""
    if draft.says("answer.decides") or (is_said and any(draft.says(key) for key in SURE)):
        return
    strength = result.strength
    if strength is None or result.special is not None:
        return
    certainty = strength.certainty
    if certainty == SETTLED or (result.pillars.hour is None and certainty != OPEN):
        return
    key = "answer.chart.open" if certainty == OPEN else f"answer.sure.{certainty}"
    draft.add(key, "str.certainty", weight=1, relation=DOUBT, certainty=certainty, required=certainty == OPEN)
