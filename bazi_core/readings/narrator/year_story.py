"""The reading of a year: its verdict, what the year and the luck bring, the strongest events, every side of life that the
scores know, the months, and what to make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.readings.narrator.accounts import ROWS, because, is_spared, moves, seat, told_rows
from bazi_core.readings.narrator.catalogue import At, Clauses, Nth, Phrase, Sign, Term, sign
from bazi_core.readings.narrator.happenings import chosen, happenings, place
from bazi_core.readings.narrator.months import of_months
from bazi_core.readings.narrator.nouns import element, roles
from bazi_core.readings.narrator.story import Story
from bazi_core.readings.narrator.ties import bond, grounds
from bazi_core.readings.narrator.timing import count
from bazi_core.readings.spared import OF_AGE, spares_partners
from bazi_core.views.cycles import nayin
from bazi_core.year.rules import DOMAIN_ZH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.views.relations import Relation
    from bazi_core.year.points import Carrier
    from bazi_core.year.result import YearResult

# Section → the domains that it tells, the main one first.
_AREAS = {
    "career": ("career", "study"),
    "wealth": ("wealth",),
    "relationship": ("relationship", "family"),
    "health_balance": ("health_balance",),
}
_AREAS_OF_A_CHILD = {"career": ("study",), "relationship": ("family",), "health_balance": ("health_balance",)}
_HIGH, _LOW = 56, 45


def year_story(year: YearResult, lang: str, tone: str, length: str, leave_out: frozenset[str]) -> Story:
    """The story of a year result."""
    story = Story(year.all_facts, year.digest, lang, tone, length, leave_out)
    _opening(story, year)
    story.section("overview")
    happenings(story, year, chosen(year, spares_partners(year, story.leave_out)))
    _carriers(story, year)
    because(story, year)
    _background(story, year)
    for section, domains in (_AREAS if year.age.nominal >= OF_AGE else _AREAS_OF_A_CHILD).items():
        story.section(section)
        for domain in domains:
            _area(story, year, domain, main=domain == domains[0])
    story.section("months")
    of_months(story, year)
    story.section("advice")
    _advice(story, year)
    return story


def title(story: Story, year: YearResult) -> str:
    """The title: year, pillar, score."""
    return story.words("title.year", **_verdict(year))


def keywords(story: Story, year: YearResult) -> tuple[str, ...]:
    """The pillar of the year, the useful god, the strongest event."""
    named: list[Any] = [Sign(year.pillar.value), *map(element, year.pattern.useful_gods[:1])]
    named += [
        Term(group[0].name, "event") for group in chosen(year, spares_partners(year, story.leave_out))[:1]
    ]
    return tuple(story.word(each) for each in named)


def _verdict(year: YearResult) -> dict[str, Any]:
    return {
        "year": year.target_year, "pillar": sign(year.pillar), "score": count("points", year.scores.overall),
        "level": Term(year.level, "level"), "sense": Phrase(f"level.{year.level}", {}),
    }  # fmt: skip


def _opening(story: Story, year: YearResult) -> None:
    number = year.target_year
    ids: tuple[str, ...] = (f"ln.{number}", f"yr.{number}.score.overall", f"yr.{number}.level")
    story.add("year.opening", *ids, weight=1, **_verdict(year))
    _luck(story, year)
    if year.pattern.useful.order:
        state, evidence = year.useful_state
        ids = (f"yr.{number}.useful", "yong.primary", *evidence[:3])
        story.add(f"useful.{state}", *ids, weight=1, hedge=True, **roles(year.pattern, "use"))


def _luck(story: Story, year: YearResult) -> None:
    """The luck that runs, and whether it changes within the year."""
    main, age = year.main, f"ln.{year.target_year}.age"
    ids = (age, *((main.fact_id,) if main.fact_id else ()))
    values: dict[str, Any] = {"age": year.age.nominal}
    if main.pillar is not None:
        values["luck"] = sign(main.pillar)
    if main.cycle is not None:
        values |= {"n": main.cycle.index + 1, "nth": Nth(main.cycle.index + 1)}
    key = "cycle" if main.cycle else "minor" if main.minor else "open"
    story.add(f"now.{key}", *ids, weight=1, kind="fact", **values)
    cycles = [part.cycle for part in year.segments if part.cycle is not None]
    if len(year.segments) > 1 and cycles:
        key = "change" if len(cycles) > 1 else "change.begins"
        named = tuple(f"dy.{cycle.index + 1}" for cycle in cycles)
        if key == "change" or year.segments[-1].cycle is not None:
            story.add(key, *named, before=sign(cycles[0].pillar), after=sign(cycles[-1].pillar))


def _carriers(story: Story, year: YearResult) -> None:
    """Ten gods of the year's pillar, and the roles of year and luck."""
    own, marks = f"ln.{year.target_year}", year.flow.marks
    stem, branch = (
        At("liunian.stem", sign(year.pillar.stem)),
        At("liunian.branch", sign(year.pillar.branch)),
    )
    told = _grouped("carrier.god", [
        (stem, {"god": Term(marks.ten_god_stem.value, "ten_god")}),
        (branch, {"god": Term(marks.ten_god_branch.value, "ten_god")}),
    ])  # fmt: skip
    story.add("carriers.gods", f"{own}.tg.stem", f"{own}.tg.branch", kind="fact", gods=told)
    if year.pattern.useful.order:
        of_year = [each for each in year.carriers if each.seat == "year"]
        of_luck = [each for each in year.carriers if each.ground == year.main.fact_id]
        _roles(story, year, "carriers.roles.year", of_year)
        if of_luck:
            _roles(story, year, f"carriers.roles.{'minor' if year.main.minor else 'luck'}", of_luck)


def _roles(story: Story, year: YearResult, key: str, found: Sequence[Carrier]) -> None:
    told = _grouped("carrier.role", [
        (seat(each), {"element": element(each.sign.element), "role": Term(each.role, "role")}) for each in found
    ])  # fmt: skip
    story.add(key, *(each.role_id for each in found), kind="fact", roles=told)


def _grouped(key: str, found: Sequence[tuple[At, dict[str, Any]]]) -> Clauses:
    """A clause for each place, or one for both where both are the same."""
    (first, values), *others = found
    if others and all(each == values for _, each in others):
        return Clauses(
            (Phrase(f"{key}.both", {"where": [first, *(where for where, _ in others)], **values}),)
        )
    return Clauses(tuple(Phrase(key, {"where": where, **each}) for where, each in found))


def _background(story: Story, year: YearResult) -> None:
    """What completes a group, what else is tied, and what tradition adds by way of image."""
    number = year.target_year
    for each in year.completed:
        if each.type == "三刑":
            members = [At(f"{place(year, where)}.branch", sign(char)) for where, char in each.members]
            story.add(
                "completed.三刑", *each.evidence, weight=2.5, hedge=True, members=members,
                relation=Term(each.type, "relation"),
            )  # fmt: skip
    other = next(
        (each for each in sorted(year.relations, key=lambda each: -each.strength) if _is_plain(each)), None
    )
    if other is not None and year.main.minor is None:
        flows = {"liunian": f"ln.{number}", "luck": year.main.fact_id or ""}
        ids = [
            flows.get(name.split(".")[1], name) if name.startswith("p.") else name for name in grounds(other)
        ]
        ids = [f"ln.{number}.{name}" if name.startswith("rel.") else name for name in ids]
        story.add("tie.year", *ids, weight=3, bond=bond(other), sense=Phrase(f"sense.{other.type}", {}))
    day, pillar = sign(year.pattern.pillars.day.stem), year.pillar
    stage = Term(story.value(f"ln.{number}.stage"), "stage")
    values: dict[str, Any] = {"day": day, "branch": sign(pillar.branch), "stage": stage}
    story.add("year.stage", f"ln.{number}.stage", weight=3, kind="fact", **values)
    sound = Term(nayin(pillar), "nayin")
    story.add("year.sound", f"ln.{number}.nayin", weight=3, kind="fact", pillar=sign(pillar), sound=sound)


def _is_plain(found: Relation) -> bool:
    """A tie of the year itself, or of luck and year, that holds."""
    return found.status == "成立" and any(where == "liunian" for where, _ in found.members)


def _area(story: Story, year: YearResult, domain: str, main: bool) -> None:
    """The score of a side of life, the theme that moves it, and its largest rows."""
    number, score = year.target_year, year.scores.of(domain)
    band = "high" if score >= _HIGH else "low" if score < _LOW else "fair"
    name = Term(DOMAIN_ZH[domain], "domain")
    story.add(
        f"area.{domain}.{band}", f"yr.{number}.score.{domain}", weight=2 if main else 3, hedge=True, domain=name,
        score=count("points", score),
    )  # fmt: skip
    marks = {"stem": year.flow.marks.ten_god_stem.value, "branch": year.flow.marks.ten_god_branch.value}
    for theme in year.themes:
        if theme.domain == domain:
            where = [At(f"liunian.{part}") for part, god in marks.items() if god == theme.ten_god]
            story.add(
                "theme", theme.fact_id(f"yr.{number}"), weight=2.5 if main else 3, hedge=True, where=where,
                god=Term(theme.ten_god, "ten_god"), sense=Phrase(f"theme.{theme.key}", {}),
            )  # fmt: skip
    if main:
        # Carriers move every side of life alike; events and ten gods are what is its own.
        found = (each for each in moves(year, domain) if each.is_own)
        own = [each for each in found if not is_spared(year, each, story.leave_out)][:ROWS]
        if any(each.is_event for each in own):
            told, ids = told_rows(year, own)
            story.add("area.because", *ids, weight=3, kind="fact", domain=name, rows=told)


def _advice(story: Story, year: YearResult) -> None:
    if year.pattern.useful.order:
        story.add(
            f"advice.{year.pattern.useful.order[0]}", weight=1, kind="advice", **roles(year.pattern, "use")
        )
    story.add(f"year.advice.{year.level}", kind="advice", weight=2 if year.pattern.useful.order else 1)
    story.add("closing", weight=2.5, kind="transition")
