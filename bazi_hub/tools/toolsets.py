"""The toolsets: `core`, the twelve tools, and `all`, which has those beside them too, after the last of fortune."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from bazi_hub.tools import methods
from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.catalog import CATALOG, PAID_ERRORS, TOOLS
from bazi_hub.tools.rehydrate import unwrapped
from bazi_hub.tools.tool import KEYS_AND_PAGES, LIMITS, Tool

Toolset = Literal["core", "all"]
_PLACE = {"city_name": "New York"}
_TIME = "2026-04-03T20:30:00+08:00"


def _tool(
    id: str, name: str, title: str, description: str, title_chinese: str, description_chinese: str, *,
    schema: dict[str, Any], check: Callable[[ArgumentReader], Any], example: dict[str, Any],
) -> Tool:  # fmt: skip
    """A row of pure computation."""
    return Tool(
        id, name, "fortune", title, description, title_chinese, description_chinese, schema, check, methods.told,
        LIMITS["fortune_call"], KEYS_AND_PAGES, metered=True, errors=PAID_ERRORS, prepare=unwrapped, example=example,
    )  # fmt: skip


FURTHER = (
    _tool(
        "x1", "liuyao_divine", "Six lines (六爻)",
        "A cast of six lines for a question: hexagrams, 用神, sign, answer by rules. Coins are thrown if no lines come.",
        "六爻占问", "就一件事起六爻卦：卦象、用神、签等与按规则写成的答复。不给爻就在这里摇铜钱。",
        schema=methods.LIUYAO, check=methods.liuyao_divine,
        example={"time": _TIME, "question": "这次面试能通过吗？"},
    ),
    _tool(
        "x2", "liuren_quick", "Six palms (小六壬)",
        "The palm of 小六壬 at a moment, counted by lunar month, day and hour, with its traditional meaning.",
        "小六壬", "某一时刻的小六壬：按农历月、日、时数到的掌位与传统释义。",
        schema=methods.LIUREN, check=methods.liuren_quick, example={"time": _TIME},
    ),
    _tool(
        "x3", "question_divination", "A quick answer (小六壬)",
        "A question answered by the palm of its moment. Distress and questions of death get support instead, for nothing.",
        "小六壬答问", "按提问时刻的掌位作答。遇到危急或生死之问，只给支持与求助信息，不收费。",
        schema=methods.QUESTION_DIVINATION, check=methods.question_divination,
        example={"question": "今天适合谈合作吗？", "time": _TIME},
    ),
    _tool(
        "x4", "daily_fortune", "A day for a person",
        "The pillars of a day against a chart: ten god, clashes and useful gods. Needs base_context or its handle.",
        "每日运势", "以某日的干支看命局：十神、冲合与用神。需要 base_context 或它的句柄。",
        schema=methods.DAILY, check=methods.daily_fortune, example={"base_context": {}, "date": "2026-10-01"},
    ),
    _tool(
        "x5", "calendar_day", "A day in the calendar",
        "Pillars, lunar date, solar term and day facts of a date at a place, by the clock of that place.",
        "历日", "某地某日的干支、农历、节气与历注，以当地钟表为准。",
        schema=methods.DAY, check=methods.calendar_day, example={"date": "2026-02-04", "location": _PLACE},
    ),
    _tool(
        "x6", "place_find", "Find a place",
        "Longitude, zone and ref of a city by its name; the candidates where several bear it.",
        "查地点", "按名称查城市的经度、时区与编号；重名时列出候选。",
        schema=methods.PLACE, check=methods.place_find, example={"city_name": "Springfield, IL"},
    ),
    _tool(
        "x7", "find_dates", "Dates of given pillars",
        "The windows of time in a span of years that have given pillars; ? stands for what is not known.",
        "由四柱查日期", "在若干年内查出具有给定四柱的时段，不知道的字写 ?。",
        schema=methods.PILLARS, check=methods.find_dates,
        example={"pillars": "庚午 辛巳 庚辰 壬午", "first_year": 1900, "last_year": 2000},
    ),
    _tool(
        "x8", "years_compare", "Compare years",
        "Years of a chart ranked in one field of life, with the reasons that set them apart. Needs base_context.",
        "比较流年", "在某一方面给命局的若干流年排序，并说明差在哪里。需要 base_context。",
        schema=methods.YEARS, check=methods.years_compare,
        example={"base_context": {}, "first_year": 2026, "last_year": 2030, "domain": "career"},
    ),
    _tool(
        "x9", "almanac_day", "The almanac of a day (黄历)",
        "宜忌 of a day at a place by 《协纪辨方书》, with gods, hours and grade; for a person if a chart is given.",
        "黄历", "某地某日的黄历：依《协纪辨方书》的宜忌、神煞、时辰与等第；给出命局则论本人。",
        schema=methods.ALMANAC_DAY, check=methods.almanac_day, example={"date": "2026-10-01", "location": _PLACE},
    ),
    _tool(
        "x10", "almanac_find_days", "Choose a day (择日)",
        "The best days for a purpose in a span at a place, and why the others fall out. No day is a valid answer.",
        "择日", "在一段日期里为某事选日，并说明其余各日为何不取；一天也没有也是答案。",
        schema=methods.ALMANAC_DAYS, check=methods.almanac_find_days,
        example={"purpose": "嫁娶", "start": "2026-10-01", "end": "2026-10-31"},
    ),
)  # fmt: skip
_CORE_FIRST = [tool for tool in TOOLS if tool.category != "forum"]
EVERY = {tool.name: tool for tool in (*_CORE_FIRST, *FURTHER, *TOOLS[len(_CORE_FIRST) :])}


def catalog_of(toolset: Toolset) -> Mapping[str, Tool]:
    """The tools of a toolset by their names, in order.

    >>> len(catalog_of("core")), list(catalog_of("all"))[7]
    (12, 'liuyao_divine')
    """
    return CATALOG if toolset == "core" else EVERY
