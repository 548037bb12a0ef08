"""Charts, years and casts at random, and what may be said of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES, PILLARS
from bazi_core.errors import AmbiguousLocalTime, NonexistentLocalTime
from bazi_core.liuyao.yongshen import kinships
from bazi_core.questions.marks import MARKS
from bazi_core.questions.paths import PAIRS
from bazi_core.readings.sight import beside, in_sight
from bazi_core.speech.plan import Plan
from bazi_core.speech.statements.asked import BEYOND, OTHER, SCORES, Asked
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.speech.statements.kin import KIN
from bazi_core.speech.statements.year import year_plan
from bazi_core.speech.statements.years import years_plan

SHARE, ALL = 25, 3000
KINDS = ("whether", "which", "when", "how", "how_much", "describe")
TERMS = (
    ("foes",), ("star:天乙贵人", "star:驿马"), ("ten_god:七杀",), ("ten_god:正财", "star:桃花", "foes"),
    ("pattern:从格", "pattern:正财格"), ("pattern:化格", "pattern:从儿格"), ("dynamic:官杀混杂", "dynamic:伤官佩印"),
    ("dynamic:比劫夺财", "tie:冲卯酉"), ("tie:合甲己", "tie:冲子午", "tie:刑巳申"),
    ("use:水", "root:"), ("climate:", "illness:"),
)  # fmt: skip
TOLD = ((), (), ("pattern:从财格",), ("dynamic:伤官见官", "use:火"))
AS_OF = "2026-11-22"
MATTERS = ("stay_or_go", "places", "colour", "income", "debt", "exam", "move", "journey", "business", "home")
# What is asked of a cast without a kind: one matter, two, of somebody, of nothing in particular.
QUESTIONS = (
    None, "这次面试能成吗", "Will my mother recover?", "工作和感情今年怎么样", "运气如何", "我和女朋友能走到最后吗",
    "官司打得赢吗", "事業與媽媽的健康如何", "他还爱我吗", "該不該答應她", "Should I quit my job?", "要不要跟他分手",
    "该不该跳槽", "该不该卖股票", "該不該借錢給朋友", "该不该投资开店", "Should I buy this flat?", "该不该卖房",
    "要不要搬家", "該不該簽約", "Should I go on this trip?", "该不该去做", "他會聯絡我嗎",
    "Will we get back together?", "他会求婚吗", "我们会分手吗", "能脱单吗", "他什么时候回国", "猫走丢了能找回来吗",
    "Can I find my lost ring?", "失联的弟弟找得到吗", "能中标吗", "這筆生意談得成嗎", "Will my visa be approved?",
    "執照批得下來嗎", "考研能上岸吗", "科目三能过吗", "我會被裁員嗎", "能升职吗", "这场比赛能赢吗",
    "欠我的钱能要回来吗", "房子賣得掉嗎", "房子租得出去吗", "买得到这套房吗", "能怀上吗", "明天会下雨吗",
    "Will it work out this year?", "旅行路上如何", "他那邊的消息怎樣", "家宅风水如何", "老师会帮我吗",
    "和合作方的关系如何", "我和合夥人能長久嗎", "Will my house sell this year?", "她心里有我吗", "对方还喜欢我吗",
    "Will she text me back?", "对方会联系我吗", "我什么时候能结婚", "论文能毕业吗", "狗的情况如何",
    "我和朋友的关系如何", "孩子今年如何", "爸妈最近如何", "这辆车能买吗",
)  # fmt: skip


def drawn_births(count: int, seed: int) -> Iterator[bz.Chart]:
    """Charts of births at any time of 1930 to 2015 that the clocks showed once, some without an hour."""
    draw = Random(seed)
    while count:
        day = f"{draw.randint(1930, 2015)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        hour = f" {draw.randint(0, 23):02}:{draw.randint(0, 59):02}" if draw.random() > 0.1 else ""
        gender = draw.choice(("male", "female"))
        with suppress(AmbiguousLocalTime, NonexistentLocalTime):
            yield bz.chart(day + hour, city="北京", gender=gender, hour_unknown=not hour)
            count -= 1


def drawn_plans(count: int, seed: int) -> Iterator[Plan]:
    """Plans of charts, of years and of a few years side by side, with and without a question."""
    draw = Random(seed)
    for chart in drawn_births(count, seed):
        result, running, number = chart.pattern(), chart.running(AS_OF), draw.randint(2016, 2060)
        asked = drawn_question(draw, number) if draw.random() > 0.3 else None
        yield pattern_plan(result, frozenset(), running, asked, in_sight(result, asked, running))
        yield year_plan(chart.year(number), frozenset(), asked, beside(chart.year(number), asked))
        if draw.random() < 0.2:
            yield years_plan(chart.years(number, number + draw.randint(1, 4)), frozenset(), asked)


def drawn_question(draw: Random, year: int) -> Asked:
    """Any question: of years and months or of none, of oneself or of a relative. When-questions, which look at twenty
    years, are the fewest."""
    years = {year + each for each in draw.sample(range(5), draw.choice((0, 0, 1, 2)))}
    kind = draw.choice(KINDS if draw.random() < 0.3 else [each for each in KINDS if each != "when"])
    return Asked(
        draw.choice((*SCORES, *BEYOND)), kind, tuple(sorted(years)),
        tuple(draw.sample(range(1, 13), draw.choice((0, 0, 1, 2)))),
        draw.choice(("life", "life", "months", "days", "lately", "decade")), draw.choice(("self", "self", OTHER, *KIN)),
        draw.choice(((), (), ("wealth",), ("study", "health"))), draw.choice(((), (0,), (0, 1))),
        matter=draw.choice(("", "", *MATTERS)), form=draw.choice(("", "fit", "will", "feared")),
        until=draw.choice((0, 0, 0, 2031)), asks_when=draw.random() < 0.2,
        beside=draw.choice(("", "father", "mother")), paths=draw.choice(PAIRS), terms=draw.choice(TERMS),
        told=draw.choice(TOLD),
        marks=frozenset(each for each in MARKS if draw.random() < 0.15),
    )  # fmt: skip


def drawn_casts(count: int, seed: int) -> Iterator[ly.Analysis]:
    draw = Random(seed)
    for number in range(count):
        asked = None if draw.random() < 0.4 else draw.choice(ly.QUESTION_TYPES)
        if number % 2:
            chart = ly.derive(
                ly.cast.coins(draw), f"20{draw.randint(10, 60)}-03-{draw.randint(1, 28):02}T20:30:00+08:00"
            )
        else:
            chart = ly.derive(
                ly.cast.coins(draw), month_branch=draw.choice(BRANCHES).value, day=draw.choice(PILLARS).value
            )
        asker, kinship = draw.choice((None, "male", "female")), draw.choice((None, None, *kinships()))
        question = QUESTIONS[number % len(QUESTIONS)] if asked is None else None
        named = kinship if asked is not None or number % 3 == 0 else None
        yield chart.analyze(asked, asker, None if question else named, question=question)


def drawn_of(questions: Sequence[str], count: int, seed: int) -> Iterator[ly.Analysis]:
    """Casts at any time, each asked one of these questions in turn."""
    draw = Random(seed)
    for number in range(count):
        at = f"20{draw.randint(10, 60)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}T20:30:00+08:00"
        yield ly.derive(ly.cast.coins(draw), at).analyze(question=questions[number % len(questions)])


def drawn_planned(count: int, seed: int) -> Iterator[tuple[ly.Analysis, Plan]]:
    """Casts, each with its plan."""
    for found in drawn_casts(count, seed):
        yield found, cast_plan(found)


@cache
def _row(draw: Callable[[int, int], Iterator[Any]], seed: int) -> tuple[Iterator[Any], list[Any]]:
    """All that a seed draws, and what of it is drawn."""
    return draw(sys.maxsize, seed), []


def _first(draw: Callable[[int, int], Iterator[Any]], count: int, seed: int) -> list[Any]:
    """So many from the beginning of a row; what one test has drawn is not drawn again for another one of the process."""
    further, drawn = _row(draw, seed)
    drawn += islice(further, max(0, count - len(drawn)))
    return drawn[:count]


def births(count: int, seed: int = 15) -> list[bz.Chart]:
    return _first(drawn_births, count, seed)


def plans(count: int, seed: int = 15) -> list[Plan]:
    return _first(drawn_plans, count, seed)


def planned_casts(count: int) -> list[tuple[ly.Analysis, Plan]]:
    return _first(drawn_planned, count, 15)


def casts(count: int) -> list[ly.Analysis]:
    return [found for found, _ in planned_casts(count)]


def cast_plans(count: int) -> list[Plan]:
    return [plan for _, plan in planned_casts(count)]
