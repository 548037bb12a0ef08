"""Facts of strength, pattern, useful gods and of a year, drawn at random in the form in which the layers make them.

They need not follow from the chart: the checker compares text with facts, whatever the facts say.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, STEMS, Branch, Pillar, Stem
from bazi_core.facts import Fact
from bazi_core.pillars import FourPillars
from bazi_core.tables import rows
from bazi_core.views.ten_gods import ten_god

ZH = {"year": "年", "month": "月", "day": "日", "hour": "时"}
ROLES = ("用神", "喜神", "闲神", "仇神", "忌神")
ROLE_IDS = ("primary", "secondary", "neutral", "adverse", "harmful")
DOMAINS = {"overall": "总评", "career": "事业", "wealth": "财运", "relationship": "感情", "family": "家庭",
           "study": "学业"}  # fmt: skip
STATES = "旺相休囚死"
CLASH = {branch: BRANCHES[(branch.index + 6) % 12] for branch in BRANCHES}
COMBINE = {branch: BRANCHES[(13 - branch.index) % 12] for branch in BRANCHES}


def of_kind(kind: str) -> list[str]:
    """The canonical terms of a kind."""
    return [row["zh-Hans"] for row in rows("terms") if row["kind"] == kind]


def drawn_facts(pillars: FourPillars, year: int, rng: random.Random) -> Iterator[Fact]:
    """One consistent set of facts beyond those of the pillars."""
    yield from _natal(pillars, rng)
    yield from _strength(pillars.day.stem, rng)
    roles = dict(zip(rng.sample(ELEMENTS, 5), ROLES, strict=True))
    yield from _pattern(rng)
    for element, role in roles.items():
        text = f"{role}为{element}"
        yield Fact(f"yong.{ROLE_IDS[ROLES.index(role)]}", "role", element.value, role, element.value, text)
    yield from _year(pillars, year, {element.value: role for element, role in roles.items()}, rng)
    yield from _events(pillars, year, rng)
    yield from _scores(year, rng)


def _natal(pillars: FourPillars, rng: random.Random) -> Iterator[Fact]:
    columns = list(pillars.items())
    for one, (here, own) in enumerate(columns):
        for there, other in columns[one + 1 :]:
            for kind, partner in (("六冲", CLASH), ("六合", COMBINE)):
                if partner[own.branch] is not other.branch:
                    continue
                pair, status = f"{own.branch}{other.branch}", rng.choice(["成立", "减力", "化解", "遥隔"])
                text = f"{ZH[here]}支{own.branch}与{ZH[there]}支{other.branch}{kind}，{status}"
                yield Fact(
                    f"rel.{kind}.{pair}.{here}-{there}",
                    "relation",
                    pair,
                    kind,
                    status,
                    text,
                    f"{here}-{there}",
                )
            if (own.stem.index - other.stem.index) % 10 == 5:
                pair = f"{own.stem}{other.stem}"
                text = f"{ZH[here]}干{own.stem}与{ZH[there]}干{other.stem}干合，合绊"
                name = f"hua.干合.{pair}.{here}-{there}"
                yield Fact(name, "transformation", pair, "干合", "合绊", text, f"{here}-{there}")
    for star in rng.sample(of_kind("star"), 4):
        where = rng.choice(columns)[0]
        text = f"{star}在{ZH[where]}柱"
        yield Fact(f"star.{star}.{where}", "star", star, "stands", where, text, where)
    where, pillar = rng.choice(columns)
    who = "day_master" if where == "day" else where
    said = f"日主{pillar.stem}" if where == "day" else f"{ZH[where]}干{pillar.stem}"
    if rng.random() < 0.5:
        yield Fact(f"root.{who}.none", "root", who, "rootless", True, f"{said}无根", where)
    else:
        at, other = rng.choice(columns)
        text = f"{said}通根{ZH[at]}支{other.branch}"
        yield Fact(f"root.{who}.{at}.1", "root", who, "root", pillar.stem.value, text, at)


def _strength(day: Stem, rng: random.Random) -> Iterator[Fact]:
    month = rng.choice(BRANCHES)
    shift = rng.randrange(5)
    for element in ELEMENTS:
        share, state = rng.randrange(5, 45), STATES[(element.index + shift) % 5]
        yield Fact(
            f"wx.seasonal.{element}", "element", element.value, "seasonal", share, f"{element}占{share}%"
        )
        text = f"{element}在{month}月为{state}"
        yield Fact(f"wx.state.{element}", "element", element.value, "state", state, text, "month")
    missing, most = rng.sample(ELEMENTS, 2)
    yield Fact(f"wx.missing.{missing}", "element", missing.value, "missing", True, f"八字缺{missing}")
    yield Fact(f"wx.dominant.{most}", "element", most.value, "dominant", True, f"五行以{most}为最多")
    strong = rng.random() < 0.5
    verdict = "身强" if strong else "身弱"
    level = rng.choice(["偏强", "强", "极强"] if strong else ["偏弱", "弱", "极弱"])
    yield Fact("str.verdict", "strength", "day_master", "verdict", verdict, f"日主{day}{verdict}")
    yield Fact("str.level", "strength", "day_master", "level", level, f"日主强弱为{level}")
    score = rng.randrange(0, 101)
    yield Fact("str.deling", "strength", "day_master", "deling", score, f"得令{score}分")


def _pattern(rng: random.Random) -> Iterator[Fact]:
    pattern, other = rng.sample([each for each in of_kind("pattern") if each[0] not in "正偏"], 2)
    yield Fact("pat.main", "pattern", "chart", "pattern", pattern, f"格局为{pattern}")
    status = rng.choice(of_kind("pattern_status"))
    yield Fact("pat.status", "pattern", "chart", "status", status, f"格局{status}")
    yield Fact(f"sp.{other}", "special", other, "claimed", False, f"{other}的条件未全，只作参考")
    one, two = rng.sample(STEMS, 2)
    yield Fact("clim.table", "climate", "chart", "required", f"{one}{two}", f"调候用{one}、{two}")


def _year(pillars: FourPillars, year: int, roles: dict[str, str], rng: random.Random) -> Iterator[Fact]:
    flow = PILLARS[(year - 4) % 60]
    yield Fact(f"ln.{year}", "flow", str(year), "pillar", flow.value, f"{year}年流年{flow}", "liunian")
    yield from _sides("ln", year, "liunian", "流年", flow, pillars.day.stem, roles)
    age = rng.randrange(18, 70)
    text = f"{year}年虚岁{age}、周岁{age - 1}"
    yield Fact(f"ln.{year}.age", "age", str(year), "nominal", age, text, "liunian")
    luck = rng.choice(PILLARS)
    yield from _sides("dy", 3, "luck", "大运", luck, pillars.day.stem, roles)
    month = rng.randrange(1, 13)
    of_month, jie = rng.choice(PILLARS), rng.choice(of_kind("solar_term")[::2])
    text = f"{year}年第{month}个流月{of_month}，自{jie}起"
    yield Fact(
        f"lm.{year}.{month:02}", "flow", f"{year}-{month:02}", "pillar", of_month.value, text, "liuyue"
    )


def _sides(
    layer: str, number: int, place: str, word: str, pillar: Pillar, day: Stem, roles: dict[str, str]
) -> Iterator[Fact]:
    for part, name, stem, sign in (
        ("stem", "天干", pillar.stem, pillar.stem.value),
        ("branch", "地支", _main(pillar.branch), pillar.branch.value),
    ):
        god, element = ten_god(day, stem), stem.element.value
        text = f"{word}{name}{sign}为{god}"
        yield Fact(f"{layer}.{number}.tg.{part}", "ten_god", place, "ten_god", god.value, text, place)
        text = f"{word}{name}{sign}属{element}，为{roles[element]}"
        yield Fact(f"{layer}.{number}.role.{part}", "role", element, roles[element], element, text, place)


def _main(branch: Branch) -> Stem:
    from bazi_core.views.hidden import hidden_stems

    return hidden_stems(branch)[0].stem


def _events(pillars: FourPillars, year: int, rng: random.Random) -> Iterator[Fact]:
    flow = PILLARS[(year - 4) % 60]
    for number, event in enumerate(rng.sample([each for each in of_kind("event") if "吟" not in each], 4), 1):
        where, pillar = rng.choice(list(pillars.items()))
        text = rng.choice([
            f"{year}年流年支{flow.branch}与{ZH[where]}支{pillar.branch}相遇，{event}",
            f"{year}年{event}",
        ])  # fmt: skip
        yield Fact(f"yr.{year}.E-{number:02}", "event", str(year), event, rng.choice("吉凶平"), text)
    for where, pillar in pillars.items():
        if CLASH[pillar.branch] is flow.branch:
            pair = f"{flow.branch}{pillar.branch}"
            text = f"流年支{flow.branch}与{ZH[where]}支{pillar.branch}六冲"
            name = f"ln.{year}.rel.六冲.{pair}.liunian-{where}"
            yield Fact(name, "relation", pair, "六冲", "成立", text, f"liunian-{where}")


def _scores(year: int, rng: random.Random) -> Iterator[Fact]:
    for domain, word in DOMAINS.items():
        points = rng.randrange(20, 90)
        name = f"yr.{year}.score.{domain}"
        yield Fact(name, "score", str(year), domain, points, f"{year}年{word}{points}分")
    level = rng.choice(of_kind("level"))
    yield Fact(f"yr.{year}.level", "level", str(year), "level", level, f"{year}年等级为{level}")
