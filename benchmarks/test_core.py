"""One benchmark an operation, for pytest-benchmark; the operations and their budgets are in `operations`.

Collected only when asked for, since benchmarks are no tests:
    python -m pytest benchmarks/test_core.py --benchmark-enable --benchmark-only -p no:cacheprovider
Each call takes the next birth, which costs some 0.1 µs in every figure, the yardstick's included.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from benchmarks import operations

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from benchmarks.operations import Operation


def measure(benchmark: BenchmarkFixture, operation: Operation) -> None:
    """Call an operation on its inputs in turn, after one pass over all of them."""
    call = operation.call
    for each in operation.inputs:
        call(*each)
    following = cycle(operation.inputs).__next__
    benchmark.extra_info["budget_us"] = operation.budget_us
    benchmark.extra_info["budget_bisects"] = operation.budget_bisects
    benchmark(lambda: call(*following()))


def test_bisect(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.bisect())


def test_equation_of_time(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.equation_of_time())


def test_civil_clock(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.civil_clock())


def test_place_asked_before(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.place_asked_before())


def test_place_not_asked_before(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.place_not_asked_before())


def test_four_pillars_of_instant(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.four_pillars_of_instant())


def test_moment_and_pillars(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.moment_and_pillars())


def test_full_chart(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.full_chart())


def test_full_chart_of_text(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.full_chart_of_text())


def test_warnings(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.warnings())


def test_luck(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.luck())


def test_facts(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.facts())


def test_to_dict(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.to_dict())


def test_to_json(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.to_json())


def test_lunar_date(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.lunar_date())


def test_solar_terms(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.solar_terms())


def test_parse_text(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.parse_text())


def test_parse_birth(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, operations.parse_birth())
