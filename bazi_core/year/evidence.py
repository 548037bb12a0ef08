"""The year as facts: its pillar and what it is to the chart, its relations and events, every row of the scores.

The leaves are those of the chart and one instant, the start of the year; everything rests on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.luck.decades import marks_of
from bazi_core.luck.meeting import meeting_facts
from bazi_core.pattern.useful import ROLE_FACTS
from bazi_core.pattern.walk import god_facts, role_fact
from bazi_core.views.cycles import is_void, nayin
from bazi_core.views.relation_evidence import member_phrase, relation_facts
from bazi_core.views.relations import FLOWS
from bazi_core.views.star_evidence import star_facts
from bazi_core.views.stars import flow_stars
from bazi_core.wording import FactPhrase
from bazi_core.year.rules import DOMAINS, OVERALL, Points, event_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bazi_core.alphabet import Pillar
    from bazi_core.year.events import YearEvent
    from bazi_core.year.points import Carrier
    from bazi_core.year.value import YearValue


def year_facts(year: YearValue, alternatives: Iterable[YearValue]) -> Iterator[Fact]:
    """The facts of a year and of its score under the other verdict, each after those on which it rests."""
    yield from _pillar(year)
    yield from _luck(year)
    if year.pattern.useful.order:
        yield from _roles(year.carriers)
    yield from _relations(year)
    yield from _events(year)
    yield from _themes(year)
    yield from _rows(year)
    yield from _scores(year)
    yield from otherwise(year, alternatives, (OVERALL,))
    yield from _months(year)


def start_id(year: YearValue) -> str:
    """The leaf of the instant at which the year begins."""
    return f"p.time.{year.target_year}-{_boundary(year)}"


def _boundary(year: YearValue) -> str:
    return "立春" if year.chart.school.liunian_boundary == "lichun" else "正月初一"


def _pillar(year: YearValue) -> Iterator[Fact]:
    number, own, pillar = year.target_year, f"ln.{year.target_year}", year.pillar
    start = year.flow.start.isoformat(timespec="milliseconds") + "Z"
    boundary = _boundary(year)
    yield Fact(
        start_id(year), "time", boundary, "start", start, "time.year_start", (number, boundary, start), rule="R-TERM",
        source="GB/T 33661-2017",
    )  # fmt: skip
    yield Fact(
        own, "flow", str(number), "pillar", pillar.value, "year.pillar", (number, pillar.value), "liunian",
        (start_id(year),), "R-YR-1", "SMTH.论太岁",
    )  # fmt: skip
    age = year.age
    yield Fact(
        f"{own}.age", "flow", str(number), "age", age.nominal, "year.age", (number, age.nominal, age.full),
        "liunian", (own, *(["p.time.civil"] if "p.time.civil" in year.chart.facts else [])), "R-YR-1", "SMTH.论太岁",
    )  # fmt: skip
    yield from god_facts(own, "liunian", "liunian", pillar, year.flow.marks)
    yield from _marks(year, own, pillar)
    yield from star_facts(
        flow_stars(year.chart.pillars, pillar.branch, year.chart.school), f"{own}.star", True, (own,)
    )
    yield from meeting_facts(year.stars_met, own, "liunian", pillar.value)
    if year.main.fact_id and year.main.pillar:
        place = "minor" if year.main.minor else "luck"
        yield from meeting_facts(year.luck_stars_met, year.main.fact_id, place, year.main.pillar.value)


def _roles(carriers: Iterable[Carrier]) -> Iterator[Fact]:
    for carrier in carriers:
        position = "liunian" if carrier.seat == "year" else carrier.seat
        yield role_fact(carrier.ground, carrier.part, carrier.place, position, carrier.sign, carrier.role)


def _marks(year: YearValue, own: str, pillar: Pillar) -> Iterator[Fact]:
    """纳音, stage of the day stem, void and root of the year's pillar."""
    natal, day = year.chart.pillars, year.chart.day_master
    sound, stage = nayin(pillar), year.flow.marks.stage
    yield Fact(
        f"{own}.nayin", "nayin", "liunian", "nayin", sound, "nayin.year", (pillar.value, sound), "liunian", (own,),
        "R-NAYIN", "SMTH.论纳音取象",
    )  # fmt: skip
    yield Fact(
        f"{own}.stage", "stage", "liunian", "stage_day", stage.value, "stage.year",
        (day.value, pillar.branch.value, stage.value), "liunian", ("p.day.stem", own), "R-STAGE",
        year.chart.school.twelve_stages,
    )  # fmt: skip
    for anchor in year.natal.void_anchors if year.flow.marks.void else ():
        if is_void(pillar.branch, natal.day, natal.year, anchor):
            yield Fact(
                f"{own}.void" + (f".{anchor}" if len(year.natal.void_anchors) > 1 else ""), "void", "liunian", "void",
                pillar.branch.value, "void.year", (pillar.branch.value, anchor), "liunian",
                (own, f"void.{anchor}"), "R-VOID", "YHZP",
            )  # fmt: skip
    roots, at = year.roots, dict(year.natal.places)
    stem, places = pillar.stem.value, tuple(member_phrase(where, at[where].branch.value) for where in roots)
    yield Fact(
        f"{own}.root", "flow", "liunian", "root", list(roots),
        "year.root" if roots else "year.rootless", (stem, places) if roots else (stem,), "liunian",
        (own, *(f"p.{where}.branch" for where in roots or at)), "R-YR-3", "DTS.岁运",
    )  # fmt: skip


def _luck(year: YearValue) -> Iterator[Fact]:
    """Ten gods of every luck that runs in the year."""
    chart = year.chart
    for part in year.segments:
        if part.pillar is not None and part.fact_id is not None:
            marks = marks_of(part.pillar, chart.pillars, chart.school)
            yield from god_facts(part.fact_id, "luck", part.place, part.pillar, marks)


def _relations(year: YearValue) -> Iterator[Fact]:
    own = f"ln.{year.target_year}"
    leaves = {"liunian": own, "luck": year.main.fact_id or own}
    yield from relation_facts(year.relations, f"{own}.rel", leaves, year.main.place)


def _events(year: YearValue) -> Iterator[Fact]:
    number, place, twice = year.target_year, year.main.place, _twice(year)
    for event in year.events:
        yield event_fact(event, str(number), "event.year", (number,), place, (_added(dict(event.points)),))
    for event in year.luck_events:
        if event.is_dynamic or event.id in twice:
            yield event_fact(event, "luck", "event.luck", (), place)
    if year.pattern.useful.order:
        state, evidence = year.useful_state
        yield Fact(
            f"yr.{number}.useful", "event", str(number), "useful_god", state, "year.useful", (number, state), None,
            (f"ln.{number}", "yong.primary", *evidence), "R-YR-2", "ZPZQ.论行运",
        )  # fmt: skip


def _twice(year: YearValue) -> set[str]:
    """Ids of the events that the timing names."""
    return {name for each in year.timing for name in each.evidence}


def _themes(year: YearValue) -> Iterator[Fact]:
    number = year.target_year
    added: dict[str, int] = {}
    for contribution in year.scores.contributions:
        added[contribution.evidence[0]] = added.get(contribution.evidence[0], 0) + contribution.points
    for theme in year.themes:
        own = theme.fact_id(f"yr.{number}")
        parts = [part for part, god in year.flow.marks.ten_gods.items() if god == theme.ten_god]
        places = tuple(FactPhrase(f"year.{part}") for part in parts)
        values = (number, places, theme.ten_god, _added({theme.domain: added.get(own, 0)}))
        yield Fact(
            own, "theme", theme.ten_god, theme.domain, theme.key, "year.theme", values, None,
            tuple(f"ln.{number}.{kind}.{part}" for part in parts for kind in ("tg", "role")), "R-YR-5", "ZPZQ.论行运",
        )  # fmt: skip


def _rows(year: YearValue) -> Iterator[Fact]:
    """The points of the roles of the carriers; what events and ten gods add is said in their own facts."""
    number = year.target_year
    by_name = {row.name: row for row in year.rows}
    for carrier in year.carriers:
        row = by_name.get(carrier.name)
        if row is not None:
            domain, points = row.points[0]
            values = (number, carrier.place, carrier.sign.value, carrier.role, _added(dict(row.points)))
            yield Fact(
                row.fact_id(0), "contribution", str(number), domain, points, f"year.carrier_{carrier.part}", values, None,
                (carrier.role_id,), "R-YR-4", "DTS.岁运",
            )  # fmt: skip


def _added(points: dict[str, int]) -> Points:
    """The points added to each score; `each` stands for all of them but the overall one, where they get the same."""
    of_domains = {points.get(domain, 0) for domain in DOMAINS}
    if len(of_domains) == 1 and of_domains != {0}:
        points = {OVERALL: points.get(OVERALL, 0), "each": of_domains.pop()}
    return tuple((domain, each) for domain, each in points.items() if each)


def _scores(year: YearValue) -> Iterator[Fact]:
    own = f"yr.{year.target_year}"
    for domain in (OVERALL, *DOMAINS):
        score = year.scores.of(domain)
        added = (
            contribution.evidence[0]
            for contribution in year.scores.contributions
            if contribution.domain == domain
        )
        rests_on = tuple(dict.fromkeys(added))
        yield Fact(
            f"{own}.score.{domain}", "score", str(year.target_year), domain, score,
            "year.score", (year.target_year, domain, score), None, rests_on or (f"ln.{year.target_year}",), "R-YR-4",
            "DTS.岁运",
        )  # fmt: skip
    yield Fact(
        f"{own}.level", "level", str(year.target_year), "level", year.level, "year.level",
        (year.target_year, year.level), None, (f"{own}.score.overall",), "R-YR-4", "DTS.岁运",
    )  # fmt: skip


def otherwise(
    year: YearValue, alternatives: Iterable[YearValue], domains: Iterable[str] = DOMAINS
) -> Iterator[Fact]:
    """`alt.yr.<year>.<domain>`: the scores if strength, which is open, is read the other way."""
    for other in alternatives:
        for domain in domains:
            score = other.scores.of(domain)
            yield Fact(
                f"alt.yr.{year.target_year}.{domain}", "score", str(year.target_year), domain, score,
                "year.score_other", (year.target_year, domain, score), None,
                ("alt.str.verdict", f"ln.{year.target_year}"), "R-YR-4", "DTS.岁运",
            )  # fmt: skip


def _months(year: YearValue) -> Iterator[Fact]:
    number, twice = year.target_year, _twice(year)
    for month in year.months:
        own, subject = month.fact_id, f"{number}-{month.number:02}"
        when, pillar = (number, month.number), month.pillar.value
        yield Fact(
            own, "flow", subject, "pillar", pillar, "month.pillar", (*when, pillar, month.jie.value), None,
            (f"ln.{number}",), "R-YR-6", "SMTH.论遁月时",
        )  # fmt: skip
        listed = [event for event in month.events if event in month.shown or event.id in twice]
        for event in listed:
            yield event_fact(event, subject, "event.month", when)
        rests_on = (f"yr.{number}.score.overall", own, *_month_roles(year, month.pillar))
        yield Fact(
            f"{own}.score", "score", subject, OVERALL, month.score, "month.score", (*when, month.score), None,
            tuple(dict.fromkeys((*rests_on, *(event.id for event in listed)))), "R-YR-6", "DTS.岁运",
        )  # fmt: skip


def month_facts(year: YearValue) -> Iterator[Fact]:
    """The ten gods of the months; the object itself holds them only with `liuyue_detail="full"`."""
    for month in year.months:
        yield from god_facts(month.fact_id, "liuyue", "liuyue", month.pillar, month.marks)


def _month_roles(year: YearValue, pillar: Pillar) -> Iterator[str]:
    if year.pattern.useful.order:
        for sign in (pillar.stem, pillar.branch):
            yield ROLE_FACTS[year.natal.role(sign.element)]


_OF_PILLARS = ("luck", "same", "clash", "union")


def event_fact(
    event: YearEvent,
    subject: str,
    key: str,
    when: tuple[int, ...],
    luck: str = "luck",
    added: tuple[Any, ...] = (),
) -> Fact:
    """The fact of an event.

    `key` and `when` say when it is, `luck` what sits in the place of the 大运, `added` what it adds.
    """
    rule = event_rule(event.rule)
    if event.is_dynamic:
        said = tuple(_in_place(each, luck) for each in event.said)
        values: tuple[Any, ...] = (*when, said, event.name, event.ties[0], *added)
        return Fact(
            event.id, "event", subject, event.name, event.polarity, f"{key}_dynamic", values, None, event.evidence,
            "R-YR-2", rule.source,
        )  # fmt: skip
    name = () if event.ties == (event.name,) else (event.name,)
    values = (*when, _tie(event, rule.form, luck), name, *added)
    return Fact(
        event.id, "event", subject, event.name, event.polarity, key, values, None, event.evidence, "R-YR-2", rule.source
    )  # fmt: skip


def _in_place(said: FactPhrase, luck: str) -> FactPhrase:
    """The phrase with what sits in the place of the 大运."""
    return said._replace(values=tuple(luck if value == "luck" else value for value in said.values))


def _tie(event: YearEvent, form: str, luck: str) -> FactPhrase:
    """Who meets whom, and what they are to each other."""
    if form in _OF_PILLARS:
        *others, own = (_met(*member, luck) for member in event.members)
        return FactPhrase("event.meets", (own, tuple(others), event.ties))
    *others, own = (member_phrase(*member, luck) for member in event.members)
    if form == "group":
        assert event.element is not None
        return FactPhrase("event.forms", ((*others, own), event.ties[0], event.element.value))
    if form == "restrains":
        return FactPhrase("event.restrains", (own, event.sign, tuple(others)))
    if event.sign:
        return FactPhrase(f"event.{form}", (own, event.sign))
    return FactPhrase("event.meets", (own, tuple(others), event.ties))


def _met(position: str, pillar: str, luck: str) -> FactPhrase:
    if position in FLOWS:
        return FactPhrase("member.flow", (luck if position == "luck" else position, pillar))
    return member_phrase(position, pillar)
