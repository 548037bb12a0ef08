"""Every id that an object cites, anywhere in it, is that of a fact which the object holds."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core import liuyao as ly
from bazi_core.school import OPTIONS
from tests.core.liuyao.casts import time_of
from tests.sizes import examples

# A seat such as day.stem has the form of an id too.
ID = re.compile(r"(?!(?:year|month|day|hour)\.(?:stem|branch)$)[a-z]+(\.[0-9A-Za-z_一-鿿-]+)+")
# What the caller gave is no citation, nor are the names of the data that an engine uses.
GIVEN = {"input", "school", "engine_version", "provenance", "cast"}
# What names statements, whose ids are keys of the catalogue.
STATEMENTS = {"statement", "statements"}
KINDS = ("事业", "财运", "婚姻", "失物", None, "占什么", "官司")


def texts(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    if isinstance(node, dict):
        node = [each for name, each in node.items() if name not in STATEMENTS]
    for each in node if isinstance(node, list) else ():
        yield from texts(each)


def cited(made: dict[str, Any]) -> set[str]:
    told = (each for name, member in made.items() if name not in GIVEN for each in texts(member))
    return {each for each in told if ID.fullmatch(each)}


def unresolved(made: dict[str, Any]) -> set[str]:
    found = cited(made)
    assert found, "the object cites something"
    return found - set(made["facts"])


@st.composite
def births(draw: Any) -> bz.Chart:
    year, month = draw(st.integers(1850, 2090)), draw(st.integers(1, 12))
    day, hour = draw(st.integers(1, monthrange(year, month)[1])), draw(st.integers(0, 23))
    option = draw(st.sampled_from(OPTIONS["strength_method"]))
    return bz.chart(
        f"{year}-{month:02}-{day:02} {hour:02}:30", longitude=draw(st.integers(-180, 180)), tz="+08:00",
        gender=draw(st.sampled_from(["male", "female"])), school=bz.School(strength_method=option),
    )  # fmt: skip


@given(births())
def test_a_chart_and_its_pattern_hold_every_fact_that_they_cite(chart):
    assert unresolved(chart.to_dict()) == set()
    assert unresolved(chart.pattern().to_dict()) == set()


@given(births(), st.integers(1, 90))
@examples(40)
def test_a_year_holds_every_fact_that_it_cites(chart, age):
    assert unresolved(chart.year(chart.birth.civil.year + age).to_dict()) == set()


@given(st.integers(0, 4095), st.sampled_from(KINDS))
@examples(60)
def test_a_cast_holds_every_fact_that_its_analysis_cites(number, kind):
    month, day = time_of(number)
    values = "".join(str(6 + (number >> 2 * line) % 4) for line in range(6))
    made = ly.derive(values, month_branch=month, day=day).analyze(kind).to_dict()
    assert unresolved(made) == set()
