"""A bad argument is an error with a code, whatever it is; and every error can be written out."""

import asyncio
import json
import math
from operator import itemgetter

import pytest

import bazi_core as bz
from bazi_core.errors import BaziError, InvalidInput, OutOfRange
from bazi_core.model.call_loop import describe, price_of
from bazi_core.model.fakes import FixedPort
from bazi_core.model.port import Price, ReadingReply
from bazi_core.readings.final import aread, aread_pattern, read, read_pattern
from tests.core.readings.written import pattern, request_of, year
from tests.tables import holds_for_all

NAN, INF = math.nan, math.inf
WRONG_KIND = [
    ("timeout_s", "5"), ("timeout_s", NAN), ("timeout_s", INF), ("timeout_s", True), ("timeout_s", [5]),
    ("max_output_tokens", "x"), ("max_output_tokens", 1.5), ("max_output_tokens", NAN), ("max_output_tokens", False),
    ("seed", "x"), ("seed", NAN), ("seed", 1.0), ("max_cost_per_call", "x"), ("max_cost_per_call", NAN),
    ("max_cost_per_call", INF), ("price", 5), ("price", (1, 2)), ("price", Price(NAN, 1)), ("price", Price("1", 2)),
    ("price", Price(None, 2)), ("clock", 5), ("clock", lambda: NAN), ("clock", lambda: "x"), ("cache", 5), ("cache", []),
    ("question", 5), ("question", b"x"),
]  # fmt: skip
BEYOND = [
    ("timeout_s", 0), ("timeout_s", -1), ("timeout_s", -0.0), ("timeout_s", 1e-9), ("timeout_s", 10**400),
    ("timeout_s", 1e300), ("timeout_s", 10**5000), ("max_output_tokens", 0), ("max_output_tokens", -1),
    ("max_output_tokens", 10**9), ("seed", 10**400), ("seed", -(2**63) - 1), ("max_cost_per_call", -1),
    ("max_cost_per_call", 10**400), ("price", Price(-1.0, 1.0)),
]  # fmt: skip


def kind_of(value):
    """A name for a parameter that may be too long to be written."""
    return value if isinstance(value, str) and value.isascii() else type(value).__name__


@holds_for_all(
    "kind, name, value",
    [(InvalidInput, *each) for each in WRONG_KIND] + [(OutOfRange, *each) for each in BEYOND],
    itemgetter(1),
)
def test_a_bad_option_is_refused_with_a_code_before_anything_is_asked(kind, name, value):
    asked = []
    port = FixedPort(ReadingReply("{}"))
    port.generate = asked.append
    for call in (
        lambda: read(year(), port=port, **{name: value}),
        lambda: asyncio.run(aread(year(), port=port, **{name: value})),
        lambda: read_pattern(pattern(), port=port, **{name: value}),
        lambda: asyncio.run(aread_pattern(pattern(), port=port, **{name: value})),
    ):
        with pytest.raises(BaziError) as caught:
            call()
        assert type(caught.value) is kind
        json.dumps(caught.value.to_dict(), allow_nan=False).encode()
    assert asked == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("timeout_s", "5"), ("timeout_s", 10**400), ("max_output_tokens", 0), ("seed", NAN)],
    ids=kind_of,
)
def test_a_request_is_built_of_numbers_only(name, value):
    with pytest.raises((InvalidInput, OutOfRange)):
        request_of(year(), **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [("timeout_s", 5), ("timeout_s", 0.5), ("seed", 0), ("seed", -7), ("max_cost_per_call", 0)],
)
def test_what_lies_within_the_bounds_is_taken(name, value):
    assert read(year(), **{name: value}).provenance.narrator == "rule"


class Silent:
    """A port that fails to say who it is."""

    @property
    def name(self):
        raise RuntimeError("boom")

    model = price = name

    def generate(self, request):
        return ReadingReply("nothing")


def test_a_port_that_cannot_say_its_name_is_called_by_its_kind():
    assert describe(Silent()) == ("Silent", "")
    assert price_of(Silent()) is None
    result = read(year(), port=Silent())
    assert (result.provenance.port, result.provenance.failure) == ("Silent", "PORT_INVALID_OUTPUT")


@pytest.mark.parametrize("stated", [5, "x", (1, 2), Price(NAN, 1.0), Price(-1.0, 1.0), Price(None, None)])
def test_a_price_that_is_none_is_not_the_price_of_a_port(stated):
    port = FixedPort(ReadingReply("{}"))
    port.price = stated
    assert price_of(port) is None


@pytest.mark.parametrize("target", [10**5000, -(10**5000), 10**400, 10**9], ids=kind_of)
def test_a_year_beyond_all_tables_is_out_of_range_and_can_be_told(target):
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    with pytest.raises(OutOfRange) as caught:
        chart.year(target)
    assert len(json.dumps(caught.value.to_dict(), allow_nan=False)) < 1000
