"""The validator of the tests and `jsonschema` say the same of objects of the shipped schemas, right and broken."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core import objects
from bazi_core.liuyao import cast
from bazi_core.render.schemas import schema
from tests.golden.liuyao import golden
from tests.schemas import problems, validator
from tests.sizes import sizes

AT = "2026-04-05T02:40:30+08:00"
BIRTH = {"when": "1990-05-15 13:30", "city": "北京", "gender": "male"}


def chart() -> bz.Chart:
    return bz.chart(**BIRTH)


def board() -> ly.LiuyaoChart:
    return ly.derive(cast.commit(bytes(32)).reveal("a"), AT)


MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "base_context": lambda: chart().to_dict(),
    "pattern_result": lambda: chart().pattern().to_dict(),
    "year_analysis_result": lambda: chart().year(2026).to_dict(),
    "sensitivity": lambda: chart().sensitivity().to_dict(),
    "final_result": lambda: objects.read(chart().year(2026).to_dict(), chart().pattern().to_dict()).to_dict(),
    "cast_record": lambda: cast.commit(bytes(32)).reveal("a").to_dict(),
    "divination_request": lambda: golden("liuyao_cases")["cases"][0]["input"],
    "divination": lambda: golden("liuyao_cases")["cases"][0]["expected"],
    "almanac_day": lambda: bz.almanac("2026-02-03", city="纽约", charts=[chart()]).to_dict(),
    "liuyao_analysis": lambda: board().analyze("失物").to_dict(),
}


@cache
def made(name: str) -> dict[str, Any]:
    """An object with one fact of each kind: enough to break, quick to judge."""
    whole: dict[str, Any] = json.loads(json.dumps(MAKERS[name]()))
    if "facts" in whole:
        by_kind = {fact["kind"]: key for key, fact in whole["facts"].items()}
        whole["facts"] = {key: whole["facts"][key] for key in by_kind.values()}
    return whole


def containers(value: Any) -> Iterator[Any]:
    """Every object and list inside a value that has something in it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inside:
        yield value
    for each in inside:
        yield from containers(each)


def broken(name: str, count: int) -> Iterator[dict[str, Any]]:
    """The object with one thing dropped, added or replaced."""
    draw = random.Random(name)
    for _ in range(count):
        other = copy.deepcopy(made(name))
        place = draw.choice([*containers(other)])
        key = draw.choice([*place] if isinstance(place, dict) else range(len(place)))
        match draw.randrange(6):
            case 0:
                del place[key]
            case 1 if isinstance(place, dict):
                place["unexpected"] = None
            case 2:
                place[key] = copy.deepcopy(place)
            case _:
                place[key] = draw.choice([None, 0, -1, 1.0, 1.5, 10**30, True, "", "甲", "甲子\n", [], {}])
        yield other


@pytest.mark.parametrize("name", MAKERS)
@sizes(8, 500)
def test_both_validators_say_the_same(name: str, count: int) -> None:
    slow = Draft202012Validator(schema(name))
    assert (problems(validator(name), made(name)), [*slow.iter_errors(made(name))]) == ([], [])
    fast = [validator(name).is_valid(each) for each in broken(name, count)]
    assert fast == [slow.is_valid(each) for each in broken(name, count)]
    assert False in fast
