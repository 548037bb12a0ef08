"""The year as facts: its pillar and what it is to the chart, its relations and events, every row of the scores.

The leaves are those of the chart and one instant, the start of the year; everything rests on them. Sentences name
the place right before what stands there, as those of the chart do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.luck.decades import marks_of
from bazi_core.pattern.evidence import ROLE_IDS
from bazi_core.pattern.useful import ROLES
from bazi_core.views.cycles import is_void, nayin
from bazi_core.views.relation_evidence import relation_facts
from bazi_core.views.star_evidence import star_facts
from bazi_core.views.stars import flow_stars
from bazi_core.year.event_evidence import event_fact
from bazi_core.year.rules import DOMAIN_ZH, DOMAINS, OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.alphabet import Pillar
    from bazi_core.luck.decades import FlowMarks
    from bazi_core.year.points import Carrier
    from bazi_core.year.result import YearResult

PART_ZH = {"stem": "天干", "branch": "地支"}
WHERE_ZH = {"year": "年", "month": "月", "day": "日", "hour": "时"}


def year_facts(year: YearResult) -> Iterator[Fact]:
    """The facts of a year, each after those on which it rests."""
    yield from _pillar(year)
    yield from _luck(year)
    if year.pattern.useful.order:
        yield from _roles(year.carriers)
    yield from _relations(year)
    yield from _events(year)
    yield from _themes(year)
    yield from _rows(year)
    yield from _scores(year)
    yield from _months(year)


def start_id(year: YearResult) -> str:
    """The leaf of the instant at which the year begins."""
    return f"p.time.{year.target_year}-{_boundary(year)}"


def _boundary(year: YearResult) -> str:
    return "立春" if year.chart.school.liunian_boundary == "lichun" else "正月初一"


def _pillar(year: YearResult) -> Iterator[Fact]:
    number, own, pillar = year.target_year, f"ln.{year.target_year}", year.pillar
    start = year.flow.start.isoformat(timespec="milliseconds") + "Z"
    boundary = _boundary(year)
    yield Fact(
        start_id(year), "time", boundary, "start", start, f"{number}年{boundary}：{start}", rule="R-TERM",
        source="GB/T 33661-2017",
    )  # fmt: skip
    yield Fact(
        own, "flow", str(number), "pillar", pillar.value, f"{number}年流年{pillar}", "liunian", (start_id(year),),
        "R-YR-1", "SMTH.论太岁",
    )  # fmt: skip
    age = year.age
    yield Fact(
        f"{own}.age", "flow", str(number), "age", age.nominal, f"{number}年虚岁{age.nominal}、周岁{age.full}",
        "liunian", (own, *_birth(year)), "R-YR-1", "SMTH.论太岁",
    )  # fmt: skip
    yield from _gods(own, "liunian", "流年", pillar, year.flow.marks)
    yield from _marks(year, own, pillar)
    yield from star_facts(
        flow_stars(year.chart.pillars, pillar.branch, year.chart.school), f"{own}.star", "流年", (own,)
    )


def _birth(year: YearResult) -> tuple[str, ...]:
    return ("p.time.civil",) if "p.time.civil" in year.chart.facts else ()


def _gods(own: str, place: str, word: str, pillar: Pillar, marks: FlowMarks) -> Iterator[Fact]:
    """Ten gods of a flow pillar, of its branch by the main qi."""
    for part, sign, god in (
        ("stem", pillar.stem.value, marks.ten_god_stem.value),
        ("branch", pillar.branch.value, marks.ten_god_branch.value),
    ):
        yield Fact(
            f"{own}.tg.{part}", "ten_god", place, "ten_god", god, f"{word}{PART_ZH[part]}{sign}为{god}", None,
            ("p.day.stem", own), "R-TG", "YHZP.论十神",
        )  # fmt: skip


def _roles(carriers: Iterable[Carrier]) -> Iterator[Fact]:
    for each in carriers:
        element = each.sign.element
        yield Fact(
            each.role_id, "role", element.value, each.role, element.value,
            f"{each.word}{PART_ZH[each.part]}{each.sign}属{element}，为{each.role}",
            "liunian" if each.seat == "year" else each.seat, (each.ground, _role_id(each.role)), "R-YR-3", "DTS.岁运",
        )  # fmt: skip


def _role_id(role: str) -> str:
    return f"yong.{ROLE_IDS[ROLES.index(role)]}"


def _marks(year: YearResult, own: str, pillar: Pillar) -> Iterator[Fact]:
    """纳音, stage of the day stem, void and root of the year's pillar."""
    natal, day = year.chart.pillars, year.chart.day_master
    sound, stage = nayin(pillar), year.flow.marks.stage
    yield Fact(
        f"{own}.nayin", "nayin", "liunian", "nayin", sound, f"流年{pillar}纳音{sound}", "liunian", (own,), "R-NAYIN",
        "SMTH.论纳音取象",
    )  # fmt: skip
    yield Fact(
        f"{own}.stage", "stage", "liunian", "stage_day", stage.value, f"日主{day}于流年支{pillar.branch}为{stage}",
        "liunian", ("p.day.stem", own), "R-STAGE", year.chart.school.twelve_stages,
    )  # fmt: skip
    for anchor in year.natal.void_anchors if year.flow.marks.void else ():
        if is_void(pillar.branch, natal.day, natal.year, anchor):
            yield Fact(
                f"{own}.void" + (f".{anchor}" if len(year.natal.void_anchors) > 1 else ""), "void", "liunian", "void",
                pillar.branch.value, f"流年支{pillar.branch}落{WHERE_ZH[anchor]}柱旬空", "liunian",
                (own, f"void.{anchor}"), "R-VOID", "YHZP",
            )  # fmt: skip
    roots, at = year.roots, dict(year.natal.places)
    places = "、".join(f"{WHERE_ZH[where]}支{at[where].branch}" for where in roots)
    yield Fact(
        f"{own}.root", "flow", "liunian", "root", list(roots),
        f"流年干{pillar.stem}通根{places}" if roots else f"流年干{pillar.stem}无根", "liunian",
        (own, *(f"p.{where}.branch" for where in roots or at)), "R-YR-3", "DTS.岁运",
    )  # fmt: skip


def _luck(year: YearResult) -> Iterator[Fact]:
    """Ten gods of every luck that runs in the year."""
    chart = year.chart
    for part in year.segments:
        if part.pillar is not None and part.fact_id is not None:
            marks = marks_of(part.pillar, chart.pillars, chart.school)
            yield from _gods(part.fact_id, "luck", part.word, part.pillar, marks)


def _relations(year: YearResult) -> Iterator[Fact]:
    own = f"ln.{year.target_year}"
    leaves = {"liunian": own, "luck": year.main.fact_id or own}
    for fact in relation_facts(year.relations, f"{own}.rel", leaves):
        # A 小运 sits in the place of the 大运.
        yield fact if year.main.minor is None else fact._replace(text_zh=fact.text_zh.replace("大运", "小运"))


def _events(year: YearResult) -> Iterator[Fact]:
    number, word = year.target_year, year.main.word
    for event in year.events:
        yield event_fact(event, str(number), f"{number}年", word, _added(dict(event.points)))
    for event in year.luck_events:
        if event.id in _twice(year):
            yield event_fact(event, "luck", "", word)
    if year.pattern.useful.order:
        state, evidence = year.useful_state
        yield Fact(
            f"yr.{number}.useful", "event", str(number), "useful_god", state, f"{number}年用神{_STATES[state]}", None,
            (f"ln.{number}", "yong.primary", *evidence), "R-YR-2", "ZPZQ.论行运",
        )  # fmt: skip


def _twice(year: YearResult) -> set[str]:
    """Ids of the events that the timing names."""
    return {name for each in year.timing for name in each.evidence}


_STATES = {"得力": "得力", "受制": "受制", "平": "平平"}


def _themes(year: YearResult) -> Iterator[Fact]:
    number = year.target_year
    added: dict[str, int] = {}
    for each in year.scores.contributions:
        added[each.evidence[0]] = added.get(each.evidence[0], 0) + each.points
    for theme in year.themes:
        own = theme.fact_id(f"yr.{number}")
        parts = [part for part, god in _year_gods(year).items() if god == theme.ten_god]
        words = "、".join(f"流年{PART_ZH[part]}" for part in parts)
        said = (f"{number}年{words}为{theme.ten_god}", _added({theme.domain: added.get(own, 0)}))
        yield Fact(
            own, "theme", theme.ten_god, theme.domain, theme.key, "，".join(filter(None, said)), None,
            tuple(f"ln.{number}.{kind}.{part}" for part in parts for kind in ("tg", "role")), "R-YR-5", "ZPZQ.论行运",
        )  # fmt: skip


def _year_gods(year: YearResult) -> dict[str, str]:
    marks = year.flow.marks
    return {"stem": marks.ten_god_stem.value, "branch": marks.ten_god_branch.value}


def _rows(year: YearResult) -> Iterator[Fact]:
    """What the roles of the carriers add; what events and ten gods add is said in their own facts."""
    number = year.target_year
    by_name = {row.name: row for row in year.rows}
    for each in year.carriers:
        row = by_name.get(each.name)
        if row is not None:
            domain, points = row.points[0]
            who = f"{each.word}{PART_ZH[each.part]}{each.sign}为{each.role}"
            yield Fact(
                row.fact_id(0), "contribution", str(number), domain, points,
                f"{number}年{who}：{_added(dict(row.points))}", None, (each.role_id,), "R-YR-4", "DTS.岁运",
            )  # fmt: skip


def _added(points: dict[str, int]) -> str:
    """`总评减7分，各项减4分`."""
    of_domains = {points.get(domain, 0) for domain in DOMAINS}
    if len(of_domains) == 1 and of_domains != {0}:
        named = {DOMAIN_ZH[OVERALL]: points.get(OVERALL, 0), "各项": of_domains.pop()}
    else:
        named = {DOMAIN_ZH[domain]: each for domain, each in points.items()}
    return "，".join(
        f"{name}{'加' if each > 0 else '减'}{abs(each)}分" for name, each in named.items() if each
    )


def _scores(year: YearResult) -> Iterator[Fact]:
    own = f"yr.{year.target_year}"
    for domain in (OVERALL, *DOMAINS):
        score = year.scores.of(domain)
        added = (each.evidence[0] for each in year.scores.contributions if each.domain == domain)
        rests_on = tuple(dict.fromkeys(added))
        yield Fact(
            f"{own}.score.{domain}", "score", str(year.target_year), domain, score,
            f"{year.target_year}年{DOMAIN_ZH[domain]}{score}分", None, rests_on or (f"ln.{year.target_year}",), "R-YR-4",
            "DTS.岁运",
        )  # fmt: skip
    yield Fact(
        f"{own}.level", "level", str(year.target_year), "level", year.level, f"{year.target_year}年等级为{year.level}",
        None, (f"{own}.score.overall",), "R-YR-4", "DTS.岁运",
    )  # fmt: skip


def _months(year: YearResult) -> Iterator[Fact]:
    number, twice = year.target_year, _twice(year)
    for month in year.months:
        own, subject = month.fact_id, f"{number}-{month.number:02}"
        word = f"{number}年第{month.number}个流月"
        yield Fact(
            own, "flow", subject, "pillar", month.pillar.value, f"{word}{month.pillar}，自{month.jie}起", None,
            (f"ln.{number}",), "R-YR-6", "SMTH.论遁月时",
        )  # fmt: skip
        listed = [event for event in month.events if event in month.shown or event.id in twice]
        for event in listed:
            yield event_fact(event, subject, f"{word}，")
        rests_on = (f"yr.{number}.score.overall", own, *_month_roles(year, month.pillar))
        yield Fact(
            f"{own}.score", "score", subject, OVERALL, month.score, f"{word}{month.score}分", None,
            tuple(dict.fromkeys((*rests_on, *(event.id for event in listed)))), "R-YR-6", "DTS.岁运",
        )  # fmt: skip


def month_facts(year: YearResult) -> Iterator[Fact]:
    """The ten gods of the months; the object itself holds them only with `liuyue_detail="full"`."""
    for month in year.months:
        yield from _gods(month.fact_id, "liuyue", "流月", month.pillar, month.marks)


def _month_roles(year: YearResult, pillar: Pillar) -> Iterator[str]:
    if year.pattern.useful.order:
        for sign in (pillar.stem, pillar.branch):
            yield _role_id(year.natal.role(sign.element))
