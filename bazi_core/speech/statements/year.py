"""The reading of a year: its verdict, what the year and the luck bring, the strongest events, every side of life that the
scores know, the months, and what to make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import Fact
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.walk import walk, walk_facts
from bazi_core.speech.catalogue import At, Clauses, Nth, Phrase, Sign, Term, catalogue, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING, NEITHER, SUMMARY, Draft
from bazi_core.speech.reading import TOPICS
from bazi_core.speech.statements.accounts import (
    ROWS,
    beside_star,
    binding,
    gathered,
    is_spared,
    made,
    moves,
    told_events,
)
from bazi_core.speech.statements.answer import year_answer
from bazi_core.speech.statements.asked import LEFT_OUT, SCORES
from bazi_core.speech.statements.edges import EDGES, edge_of_year
from bazi_core.speech.statements.happenings import a_event, chosen, happenings, heaviest, place
from bazi_core.speech.statements.hours import UNSETTLED, hour_unknown
from bazi_core.speech.statements.months import has_ended, of_months
from bazi_core.speech.statements.nouns import element, roles, share, share_ids
from bazi_core.speech.statements.side_of_life import of_oneself
from bazi_core.speech.statements.span_answer import learn
from bazi_core.speech.statements.timing import count, day
from bazi_core.speech.statements.views import sense_of
from bazi_core.speech.statements.why_and_how import decides
from bazi_core.speech.statements.year_ties import ties_of_year
from bazi_core.speech.topic_filter import OF_AGE, PARTNERS, life_ages, sides_told, spares_partners
from bazi_core.views.cycles import nayin
from bazi_core.year.dates import reading_facts
from bazi_core.year.events import MADE
from bazi_core.year.rules import DOMAIN_ZH, DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bazi_core.luck.decades import LuckCycle
    from bazi_core.speech.plan import Plan
    from bazi_core.speech.statements.asked import Asked, FurtherQuestion
    from bazi_core.year.context import Completed
    from bazi_core.year.events import YearEvent
    from bazi_core.year.result import YearResult
    from bazi_core.year.rules import Theme
    from bazi_core.year.span import YearsResult

# Section → the domains that it tells, the main one first.
_AREAS = {
    "career": ("career", "study"),
    "wealth": ("wealth",),
    "relationship": ("relationship", "family"),
    "health_balance": ("health_balance",),
}
_HIGH, _LOW, _EVEN = 56, 45, 50
# Who asks about a court, an illness or a loan is told nothing of love that nobody asked for.
_WITHOUT_LOVE = (LEFT_OUT, "lawsuit", "health")


def year_plan(
    year: YearResult,
    left_out: frozenset[str] = frozenset(),
    asked: Asked | None = None,
    span: YearsResult | None = None,
    after: datetime | None = None,
    further: Sequence[FurtherQuestion] = (),
) -> Plan:
    """All that can be said of a year, without the topics `left_out`; what is `asked` is answered first, compared with the
    other years of the `span` where they are asked about, and then the `further` parts of the question. Months that are
    over `after` an instant are not recommended."""
    draft = Draft(year.all_facts, year.digest, left_out)
    draft.learn(reading_facts(year))
    for years in (span, *(years for _, years in further)):
        if years is not None:
            learn(draft, years)
    if asked is not None:
        if asked.domain == "self":
            of_oneself(draft, year.pattern)
        year_answer(draft, year, asked, span)
        for part, years in further:
            answer = draft.another()
            year_answer(answer, year, part, years)
            draft.answer_too(answer)
        edge_of_year(draft, year.pattern)
        for key in EDGES:
            draft.move_up(key, 1)
        hour_unknown(draft, year.pattern, is_answer=True)
    draft.topic(SUMMARY if asked is None else "overview")
    if asked is None:
        edge_of_year(draft, year.pattern)
    past = has_ended(year, after)
    if past:
        draft.add(
            "year.past",
            f"ln.{year.target_year}",
            weight=1,
            kind="transition",
            required=True,
            year=year.target_year,
        )
    _opening(draft, year)
    hour_unknown(draft, year.pattern)
    draft.topic("overview")
    met = chosen(year, spares_partners(year, draft.left_out))
    happenings(draft, year, met)
    ties_of_year(draft, year, met)
    made(draft, year)
    _background(draft, year)
    parts = [asked, *(part for part, _ in further)] if asked else []
    named = [SCORES.get(each) for part in parts for each in (part.domain, *part.also)]
    sides = [each for each in sides_told(year.age.nominal) + tuple(named) if each in DOMAINS]
    if asked is not None and asked.domain in _WITHOUT_LOVE and PARTNERS not in named:
        sides = [each for each in sides if each != PARTNERS]
    _areas(draft, year, sides, named)
    _dynamics(draft, year, sides)
    draft.topic("months")
    of_partner = not named or not {OVERALL, PARTNERS, "family", None}.isdisjoint(named)
    # Where a treatment or a birth is asked about, no month is told that could be taken for its time.
    if not any(part.domain == LEFT_OUT and part.matter for part in parts):
        of_months(draft, year, after, of_partner)
    if not past:
        draft.topic("advice")
        _advice(draft, year)
    told = draft.plan(Phrase("title.year", _verdict(year)), _keywords(year, left_out), (SUMMARY, *TOPICS))
    return told._replace(is_over=past)


def _areas(draft: Draft, year: YearResult, sides: Sequence[str], named: Sequence[str | None]) -> None:
    """The sides of life that are told of; what is asked about stands under its own name."""
    how: set[str] = set()
    for section, domains in _AREAS.items():
        told = [
            each for each in domains if each in sides and not (each == PARTNERS and year.age.nominal < OF_AGE)
        ]
        for domain in told:
            draft.topic(domain if domain in named else section)
            _area(draft, year, domain, 1 if domain in named else 2 if domain == told[0] else 3, how)


def _keywords(year: YearResult, left_out: frozenset[str]) -> tuple[Any, ...]:
    """The pillar of the year, the useful god, the strongest event."""
    named: list[Any] = [Sign(year.pillar.value), *map(element, year.pattern.useful_gods[:1])]
    named += [Term(group[0].name, "event") for group in chosen(year, spares_partners(year, left_out))[:1]]
    return tuple(named)


def _verdict(year: YearResult) -> dict[str, Any]:
    return {
        "year": year.target_year, "pillar": sign(year.pillar), "score": count("points", year.scores.overall),
        "level": Term(year.level, "level"), "sense": Phrase(f"level.{year.level}", {}),
    }  # fmt: skip


def _opening(draft: Draft, year: YearResult) -> None:
    number = year.target_year
    ids: tuple[str, ...] = (f"ln.{number}", f"yr.{number}.score.overall", f"yr.{number}.level")
    draft.add("year.opening", *ids, weight=1, **_verdict(year))
    _other_reading(draft, year)
    _luck(draft, year)
    if year.pattern.useful.order:
        state, evidence = year.useful_state
        use = year.pattern.useful.order[0]
        ids = (
            f"yr.{number}.useful",
            *([f"yr.{number}.score.overall"] * (state == "得力")),
            "yong.primary",
            *evidence[:3],
        )
        # Support that other things outweigh does not carry the year; help and harm together are not nothing.
        tail = (
            ".low"
            if state == "得力" and year.scores.overall < _EVEN
            else ".both"
            if state == "平" and evidence
            else ""
        )
        draft.add(
            f"useful.{state}{tail}", *ids, f"ln.{number}", *share_ids(use), weight=1, certainty=LEANING,
            pillar=sign(year.pillar), share=share(year.pattern, use), **roles(year.pattern, "use"),
        )  # fmt: skip


def _other_reading(draft: Draft, year: YearResult) -> None:
    """Where strength is open, the score under the other verdict, and how to tell which of the two is one's own."""
    for other in year.alternatives:
        ours, theirs = year.pattern.strength, other.pattern.strength
        assert ours is not None
        assert theirs is not None
        is_told = draft.says("answer.sure.open", "answer.sure.open.same")
        draft.add(
            "year.other", "str.level", "str.verdict", "alt.str.verdict", f"alt.yr.{year.target_year}.overall",
            weight=3 if is_told else 1, certainty=LEANING, required=not is_told, either=Term(ours.level, "strength"),
            taken=Term(ours.verdict, "strength"), verdict=Term(theirs.verdict, "strength"),
            score=count("points", other.scores.overall),
        )  # fmt: skip
    if year.alternatives and not draft.says("answer.decides"):
        decides(draft, year.pattern, is_required=False)


def _luck(draft: Draft, year: YearResult) -> None:
    """The luck that runs, and whether it changes within the year."""
    main, age = year.main, f"ln.{year.target_year}.age"
    ids = (age, *((main.fact_id,) if main.fact_id else ()))
    values: dict[str, Any] = {"age": Phrase("age.nominal", {"n": year.age.nominal})}
    if _is_of_year_before(year):
        more = year.age.nominal + 1
        own = Fact(
            f"{age}.by_pillar", "flow", str(year.target_year), "age", more, "year.age_by_pillar", (year.target_year, more),
            "liunian", (age, "p.year.stem", "p.year.branch"), "R-YR-1", "SMTH.论太岁",
        )  # fmt: skip
        draft.learn((own,))
        ids = (*ids, own.id)
        values["age"] = Phrase("age.nominal.before", {"n": year.age.nominal, "more": more})
    if main.pillar is not None:
        values["luck"] = sign(main.pillar)
    if main.cycle is not None:
        values |= {"n": main.cycle.index + 1, "nth": Nth(main.cycle.index + 1)}
    key = "cycle" if main.cycle else "minor" if main.minor else "open"
    draft.add(f"now.{key}", *ids, weight=1, kind="fact", **values)
    cycles = [part.cycle for part in year.segments if part.cycle is not None]
    if len(year.segments) > 1 and cycles:
        key = "change" if len(cycles) > 1 else "change.begins"
        named = tuple(f"dy.{cycle.index + 1}" for cycle in cycles)
        if key == "change" or year.segments[-1].cycle is not None:
            _change(draft, year, key, cycles[0], cycles[-1], named)


def _is_of_year_before(year: YearResult) -> bool:
    """Whether the year pillar is that of the year before the one that the ages are counted from: a birth in January, say,
    which comes to a year of its own sign at a nominal age of 12 n instead of 12 n + 1."""
    born = year.target_year - year.age.nominal + 1
    return year.pattern.pillars.year.index == (born - 5) % 60


def _change(
    draft: Draft, year: YearResult, key: str, before: LuckCycle, after: LuckCycle, named: tuple[str, ...]
) -> None:
    """The day on which a luck pillar begins; without an hour that is not known."""
    if after.start_at is None:
        draft.add(
            f"{key}.likely", *named, certainty=LEANING, before=sign(before.pillar), after=sign(after.pillar)
        )
        return
    own = f"dy.{after.index + 1}.age"
    draft.learn(fact for fact in walk_facts(walk(year.pattern)) if fact.id == own and own not in draft.facts)
    draft.add(
        key, *named, own, "dy.start", kind="fact", before=sign(before.pillar), after=sign(after.pillar),
        day=day(after.start_at),
    )  # fmt: skip


def _signs(year: YearResult) -> tuple[At, At]:
    """Stem and branch of the year at their places."""
    return At("liunian.stem", sign(year.pillar.stem)), At("liunian.branch", sign(year.pillar.branch))


def _background(draft: Draft, year: YearResult) -> None:
    """What completes a group, and what tradition adds by way of image."""
    number = year.target_year
    for each in year.completed:
        if each.type == "三刑":
            members = [At(f"{place(year, where)}.branch", sign(char)) for where, char in _one_of_each(each)]
            draft.add(
                "completed.三刑", *each.evidence, weight=2.5, certainty=LEANING, members=members,
                bond=Term(each.type, "relation"),
            )  # fmt: skip
    own, pillar = sign(year.pattern.pillars.day.stem), year.pillar
    stage = Term(draft.value(f"ln.{number}.stage"), "stage")
    values: dict[str, Any] = {"day": own, "branch": sign(pillar.branch), "stage": stage}
    draft.add("year.stage", f"ln.{number}.stage", weight=3, kind="fact", **values)
    sound = Term(nayin(pillar), "nayin")
    draft.add("year.sound", f"ln.{number}.nayin", weight=3, kind="fact", pillar=sign(pillar), sound=sound)


def _one_of_each(found: Completed) -> list[tuple[str, str]]:
    """The members that make a group, each sign once: of equal ones that of the year, else that of the luck."""
    once = {char: where for where, char in sorted(found.members, key=lambda each: _FLOWING.get(each[0], 0))}
    return [member for member in found.members if once[member[1]] == member[0]]


# Of equal signs the one that the year brings completes a group.
_FLOWING = {"luck": 1, "liunian": 2}


def _area(draft: Draft, year: YearResult, domain: str, weight: float, how: set[str]) -> None:
    """The score of a side of life with what moves it: the themes of the year's ten gods, else its largest events; `how` are
    the ways in which a theme was told to be less."""
    number, score = year.target_year, year.scores.of(domain)
    band = "high" if score >= _HIGH else "low" if score < _LOW else "fair"
    # Where the year makes 枭神夺食, what 食神 would bring is what is taken.
    robbed = any(each.name == "枭神夺食" and each.ties[0] == MADE for each in year.events if each.is_dynamic)
    themes = [
        theme for theme in year.themes
        if theme.domain == domain and not (robbed and theme.ten_god == "食神" and theme.favourable)
    ]  # fmt: skip
    ids = [theme.fact_id(f"yr.{number}") for theme in themes]
    # Carriers move every side of life alike; events are what is its own.
    found = [
        move for move in moves(year, domain) if move.is_event and not is_spared(year, move, draft.left_out)
    ]
    # What shakes the palace of the partner is no quiet year for two.
    shaken = _shaken(year, draft.left_out) if domain == PARTNERS and band != "low" else []
    found = [move for move in found if move.fact not in {event.id for event in shaken}]
    # A low score is not explained by what helps, nor a high one by what costs: that is told as standing against it.
    side = {"high": 1, "low": -1}.get(band, 0)
    if side:
        found = [move for move in found if move.points * side > 0]
    aside = [theme for theme in themes if _is_aside(year, theme)]
    own = [theme for theme in themes if theme.points * side > 0 and theme not in aside] if side else themes
    other = [theme for theme in themes if theme not in own]
    why: Any = ()
    if own:
        told_themes, told = _themes(year, own, how)
        why = Phrase("area.why.theme", {"themes": told_themes})
        ids += told
    if not own:
        rows, told = told_events(year, found[:ROWS])
        ids += told
        why = Phrase("area.why.rows", {"rows": rows}) if found else ()
    if other:
        told_themes, told = _themes(year, other, how)
        but = Phrase(f"area.why.{'marred' if side > 0 else 'eased'}", {"themes": told_themes})
        ids += told
        why = Phrase("area.why.on_side", {"own": why, "other": but})
    stirred = ".stirred" if shaken else ""
    draft.add(
        f"area.{domain}.{band}{stirred}", f"yr.{number}.score.{domain}", f"ln.{number}", *ids,
        *(event.id for event in shaken), weight=weight, certainty=LEANING, domain=Term(DOMAIN_ZH[domain], "domain"),
        score=count("points", score), why=why, events=[a_event(event.name) for event in shaken],
    )  # fmt: skip
    if 0 < life_ages()[domain].aside <= year.age.nominal:
        draft.add(f"area.aside.{domain}", f"ln.{number}.age", weight=weight + 0.5, kind="transition")


def _shaken(year: YearResult, left_out: frozenset[str]) -> list[YearEvent]:
    """The events that cost at the seat of the partner."""
    if spares_partners(year, left_out):
        return []
    return [
        event
        for event in year.events
        if not event.is_dynamic
        and any(where == "day" for where, _ in event.members)
        and dict(event.points).get(PARTNERS, 0) < 0
    ]


def _is_aside(year: YearResult, found: Theme) -> bool:
    """Whether what comes near is not the partner: 偏财 where 正财 stands in the chart."""
    return found.key == "closeness" and beside_star(year, found.ten_god)


def _themes(year: YearResult, found: Sequence[Theme], how: set[str]) -> tuple[Clauses, tuple[str, ...]]:
    """Themes as clauses, with the facts of what takes from them; ten gods of one sense share it. What a stem that is bound
    or a branch that is drawn away brings is told to be less."""
    stem, branch = _signs(year)
    own = year.flow.marks
    marks = {"stem": (stem, own.ten_god_stem.value), "branch": (branch, own.ten_god_branch.value)}
    carriers: dict[str, list[Phrase]] = {}
    held: dict[str, set[_Held]] = {}
    for each in found:
        where = [place for place, god in marks.values() if god == each.ten_god]
        values = {"where": where, "god": Term(each.ten_god, "ten_god")}
        key = "others_near" if _is_aside(year, each) else each.key
        if year.age.nominal < OF_AGE and f"theme.{key}.young" in catalogue():
            key += ".young"
        carriers.setdefault(key, []).append(Phrase("theme.carrier", values))
        held.setdefault(key, set()).update(
            _held(year, part) for part, (_, god) in marks.items() if god == each.ten_god
        )
    ids = tuple(dict.fromkeys(name for parts in held.values() for part in parts for name in part.evidence))
    clauses = []
    for key, told in carriers.items():
        less = _how_held(held[key])
        again = ".again" if less in how else ""
        clauses.append(Phrase(f"theme{less}{again}", {"carriers": told, "sense": Phrase(f"theme.{key}", {})}))
        how.update({less} - {""})
    return Clauses(tuple(clauses)), ids


class _Held(NamedTuple):
    """How stem or branch of the year is held: bound, drawn into a group, or not at all; and the facts of that."""

    how: str
    evidence: tuple[str, ...] = ()


def _held(year: YearResult, part: str) -> _Held:
    carrier = next((each for each in year.carriers if (each.seat, each.part) == ("year", part)), None)
    if carrier is None:
        return _Held("")
    if bond := binding(year, carrier):
        return _Held(".bound", (f"ln.{year.target_year}.{bond.id}",))
    group = gathered(year, carrier)
    return _Held("") if group is None else _Held(".drawn", group.evidence)


def _how_held(parts: set[_Held]) -> str:
    """How what carries a theme is held, where all of it is."""
    return next(iter(parts)).how if len({each.how for each in parts}) == 1 else ""


def _dynamics(draft: Draft, year: YearResult, sides: Sequence[str]) -> None:
    """What year and luck make of what ten gods do to each other, under the first of these sides of life that it speaks of;
    what speaks of others alone is not told."""
    natal = {dynamic.name for dynamic in year.pattern.dynamics if dynamic.state == STANDS}
    met: dict[tuple[Any, ...], list[YearEvent]] = {}
    for event in year.events:
        where = next((domain for domain in event.domains if domain in sides), None)
        if event.is_dynamic and where and not draft.cites(event.id):
            # What the year undoes stands in the chart, or only since the luck joined it.
            tail = "" if event.ties[0] == MADE or event.name in natal else ".luck"
            # What one cause undoes is told at once; what the year makes has a sense of its own.
            cause = event.id if event.ties[0] == MADE else repr(heaviest(event.said))
            met.setdefault((where, event.ties[0] + tail, event.polarity, cause), []).append(event)
    for (where, key, polarity, _), events in met.items():
        draft.topic(where)
        sense, ids = sense_of(year.pattern, events[0].name)
        draft.add(
            f"dyn.year.{key}", *(event.id for event in events), *ids, weight=2, certainty=LEANING,
            side={"吉": FOR, "凶": AGAINST}.get(polarity, NEITHER), said=heaviest(events[0].said),
            name=[Term(event.name, "dynamic") for event in events], sense=sense,
        )  # fmt: skip


def _advice(draft: Draft, year: YearResult) -> None:
    if draft.says(*UNSETTLED):
        draft.add("advice.hour", weight=1, kind="advice")
    elif year.pattern.useful.order:
        use = year.pattern.useful.order[0]
        draft.add(
            f"advice.{use}", "yong.primary", *share_ids(use), weight=1, kind="advice", share=share(year.pattern, use),
            **roles(year.pattern, "use"),
        )  # fmt: skip
    draft.add(f"year.advice.{year.level}", kind="advice", weight=3 if year.pattern.useful.order else 1)
    draft.add("closing", weight=3, kind="transition")
