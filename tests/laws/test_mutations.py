"""Proof that the tests would notice: break the library on purpose, one thing at a time.

Every mutation runs in an interpreter of its own, where it is applied before any table is read; there the
golden questions, the worked moments or the checks of a table must find something wrong. The same run without
a mutation finds nothing.
"""

from __future__ import annotations

import importlib
import json
import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tzdata

from tests.laws.breaking import (
    NONE,
    Found,
    Mutations,
    count,
    failing_tests,
    function,
    module,
    run_all,
    swap_cells,
    swap_rows,
    wrap,
)


def frozen_before_1972(utc_ms: int) -> int:
    """TT − UTC as skyfield's `utc` has it: 42.184 s for ever before 1972."""
    return 42_184 if utc_ms < -883_656_000_000 else 0


def ut1_frozen() -> None:
    wrap(
        "astro.scales",
        "tt_minus_utc_ms",
        lambda right: lambda utc_ms, policy="utc_frozen": frozen_before_1972(utc_ms) or right(utc_ms, policy),
    )


def fold_ignored() -> None:
    wrap(
        "astro.civil",
        "clock_of_wall",
        lambda right: lambda wall, key, fold=None, source="zone": right(wall, key, 0, source),
    )


def gaps_ignored() -> None:
    from datetime import datetime, timedelta

    def lenient(right: Any) -> Any:
        def clock(wall: datetime, key: str, fold: int | None = None, source: str = "zone") -> Any:
            try:
                return right(wall, key, fold, source)
            except ValueError:
                return right(wall + timedelta(hours=3), key, fold, source)

        return clock

    wrap("astro.civil", "clock_of_wall", lenient)


def system_zones() -> None:
    from zoneinfo import ZoneInfo

    wrap("place.zones", "zone", lambda right: ZoneInfo)


def terms_late(by_ms: int) -> Callable[[], None]:
    def apply() -> None:
        late = array("q", (at + by_ms for at in module("astro.terms").table()))
        wrap("astro.terms", "table", lambda right: lambda: late)

    return apply


def hour_from_yin(right: Any) -> Any:
    """身宫 with the hour counted from 寅, as 命宫 has it."""
    from bazi_core.alphabet import BRANCHES

    return lambda year, month, hour: right(year, month, BRANCHES[(hour.index - 2) % 12])


def overflow_for_clamp() -> None:
    rules = module("luck.onset").RULES
    rules["minutes_hours_clamp"] = (rules["minutes_hours_clamp"][0], rules["minutes_hours"][1])


def always_forward(right: Any) -> Any:
    """大运 that always run forward."""
    return lambda pillars, gender, rule="classic": True


def month_weight_dropped() -> None:
    elements = module("views.elements")
    elements.BRANCH_WEIGHTS = (0.8, 1.0, 1.5, 1.2)


def threshold_moved() -> None:
    strength = module("views.strength")
    strength.THRESHOLD = 0.6


def structures_loosened() -> None:
    """A 从格 that a root does not prevent."""
    special = module("structures.special")
    special.FOLLOWED = special.FOLLOWED[:1]


# name → (mutation, the checks that must notice it). A check is a golden file, `moments`, `clocks`, or a test
# function of a module, or `classics`, the figures on printed charts.
DOCTRINE = "tests.core.tables.test_doctrine"
ELEMENTS, STRENGTH = "tests.core.views.test_elements", "tests.core.views.test_strength"
STATUS, USEFUL = "tests.core.pattern.test_status", "tests.core.pattern.test_useful"
STARS, RELATIONS = "tests.golden.test_stars", "tests.golden.test_relations"
CLASSICS = "classics"
MUTATIONS: Mutations = {
    "hidden stems: two branches exchanged": (swap_cells("hidden_stems", 0, "寅", "申"), ["c_derived"]),
    "hidden stems: weights exchanged": (
        swap_cells("hidden_stems", 2, "午", "亥"),
        [DOCTRINE],
    ),
    "hidden stems: labels exchanged": (
        swap_cells("hidden_stems", 1, "丑", "寅"),
        [DOCTRINE],
    ),
    "hidden stems: points exchanged": (
        swap_cells("hidden_stems", 3, "丑", "辰"),
        [DOCTRINE],
    ),
    "hidden stems: days exchanged": (
        swap_cells("hidden_stems", 4, "丑", "未"),
        [DOCTRINE],
    ),
    "ten gods: two stems exchanged": (swap_cells("ten_gods", 3, "甲", "乙"), ["c_derived", DOCTRINE]),
    "stages: two branches exchanged": (swap_cells("stages", 0, "子", "丑"), ["c_derived", DOCTRINE]),
    "stages of another school exchanged": (swap_cells("stages", 14, "子", "丑"), [DOCTRINE]),
    "stages of water and earth exchanged": (swap_cells("stages", 24, "子", "丑"), [DOCTRINE]),
    "nayin: two names exchanged": (swap_rows("nayin", "nayin", 3, 4), ["c_derived", DOCTRINE]),
    "commanders: two months exchanged": (swap_cells("siling", 0, "子", "卯"), [DOCTRINE]),
    "commanders: the other list": (swap_cells("siling", 1, "申", "寅"), [DOCTRINE]),
    "months: five tigers shifted": (
        function("pillars", "month_index", lambda right: lambda term: (right(term) + 12) % 60),
        ["a_pillars", "b_boundary", "d_luck"],
    ),
    "months: an instant equal to a term in the old month": (
        function("astro.terms", "position", lambda right: lambda tt_ms: right(tt_ms - 1)),
        ["tests.laws.test_pillars:test_the_month_turns_on_the_millisecond_of_its_jie_at_every_offset"],
    ),
    "years: from new year instead of lichun": (
        function("pillars", "year_index", lambda right: lambda term: right(term + 2)),
        ["a_pillars", "b_boundary"],
    ),
    "days: one off": (
        function("pillars", "day_index", lambda right: lambda ms, late: (right(ms, late) + 1) % 60),
        ["a_pillars", "g_true_solar"],
    ),
    "days: always from midnight": (
        function("pillars", "day_index", lambda right: lambda ms, late: right(ms, False)),
        ["a_pillars", "b_boundary"],
    ),
    "hours: five rats shifted": (
        function("pillars", "hour_index", lambda right: lambda ms, day: (right(ms, day) + 12) % 60),
        ["a_pillars"],
    ),
    "hours: edges on even hours": (
        function("pillars", "hour_index", lambda right: lambda ms, day: right(ms - 3_600_000, day)),
        ["a_pillars", "b_boundary"],
    ),
    "void: the wrong pair": (
        function("views.cycles", "void_branches", lambda right: lambda pillar: right(pillar)[::-1]),
        ["tests.core.views.test_views:test_the_ten_pillars_of_a_xun_leave_out_two_branches"],
    ),
    "tai yuan: one branch short": (
        function("views.palaces", "tai_yuan", lambda right: lambda month: right(type(month)("甲子"))),
        ["c_derived"],
    ),
    "ming gong: from the zhongqi": (
        function("views.palaces", "month_number", lambda right: lambda m, moment, rule: right(m, moment, "zhongqi")),
        ["c_derived"],
    ),
    "shen gong: hour from yin": (function("views.palaces", "shen_gong", hour_from_yin), ["c_derived"]),
    "luck: direction reversed": (
        function("luck.onset", "is_forward", lambda right: lambda *given: not right(*given)),
        ["d_luck"],
    ),
    "luck: always forward": (function("luck.onset", "is_forward", always_forward), ["d_luck"]),
    "luck: overflow for clamp": (overflow_for_clamp, ["tests.core.luck.test_onset"]),
    "ming gong: month from zi": (
        function("views.palaces", "month_number", lambda right: lambda m, *given: m.index + 1), ["c_derived"],
    ),
    "relations: members of two kinds exchanged": (swap_rows("relations", "members", 4, 9), [RELATIONS]),
    "relations: elements exchanged": (swap_rows("relations", "element", 9, 10), [RELATIONS]),
    "seasons: two elements exchanged": (swap_cells("wang_xiang", 0, "木", "火"), [ELEMENTS]),
    "climate: two months exchanged": (swap_cells("tiaohou", 0, "寅", "卯"), [USEFUL]),
    "roots: two branches exchanged": (swap_cells("root_units", 0, "寅", "申"), [STRENGTH]),
    "useful gods of two patterns exchanged": (swap_rows("ge_ju_yong", "classes", 4, 2), [CLASSICS]),
    "formed for broken": (swap_rows("ge_ju_status", "kind", 0, 2), [STATUS]),
    "stars: two stems exchanged": (swap_cells("star_stems", 0, "甲", "乙"), [STARS]),
    "stars: two branches exchanged": (swap_cells("star_branches", 0, "子", "丑"), [STARS]),
    "month weight dropped": (month_weight_dropped, [ELEMENTS, CLASSICS]),
    "threshold of strength moved": (threshold_moved, [CLASSICS]),
    "thresholds of structures loosened": (structures_loosened, [CLASSICS]),
    "equation of time: sign": (
        function("astro.eot", "equation_of_time_s", lambda right: lambda tt_ms: -right(tt_ms)),
        ["moments", "g_true_solar"],
    ),
    "equation of time: left out": (
        function("astro.eot", "equation_of_time_s", lambda right: lambda tt_ms: 0.0),
        ["moments", "g_true_solar"],
    ),
    "longitude: sign": (
        function("civil_clock", "unwrapped", lambda right: lambda longitude, offset: right(-longitude, offset)),
        ["moments", "g_true_solar"],
    ),
    "longitude: no date line": (
        function("civil_clock", "unwrapped", lambda right: lambda longitude, offset: longitude),
        ["moments"],
    ),
    "zones of the machine": (system_zones, ["clocks", "moments", "f_civil_utc"]),
    "fold ignored": (fold_ignored, ["moments", "clocks", "f_civil_utc"]),
    "gaps ignored": (gaps_ignored, ["clocks", "f_civil_utc"]),
    "UT1 frozen before 1972": (ut1_frozen, ["moments", "b_boundary"]),
    "leap seconds: one short": (
        function("astro.scales", "tt_minus_utc_ms", lambda right: lambda ms, policy="utc_frozen": right(ms, policy) - 1000),
        ["moments"],
    ),
    "terms: two minutes late": (terms_late(120_000), ["b_boundary", "d_luck"]),
}  # fmt: skip


def failures(check: str) -> int:
    """How much a check finds wrong, in this interpreter."""
    from tests.golden import answer, questions

    if check in ("moments", "clocks"):
        worked = importlib.import_module("tests.golden.test_moments")
        if check == "moments":
            return sum(_differs(worked.check_moment, case) for case in worked.WORKED.values())
        return sum(_differs(lambda case: not worked.check_clock(case), case) for case in worked.CLOCKS)
    if check == CLASSICS:
        return _other_figures()
    if check.startswith("tests."):
        return failing_tests(*check.partition(":")[::2])
    rows = questions.rows(check)
    rows = rows if len(rows) <= 400 else rows[::10]
    lines = answer.answer_lines("charts", (json.dumps(questions.question(row)) for row in rows))
    answers = {line["id"]: line for line in map(json.loads, lines)}
    return len(questions.wrong(check, rows, answers))


def _differs(check: Callable[[Any], Any], case: Any) -> bool:
    try:
        return bool(check(case))
    except Exception:
        return True


def _other_figures() -> int:
    """How many figures on the printed charts are not those that are published."""
    from tests.golden import answer, classics
    from tests.golden.test_classics import FIGURES

    lines = answer.answer_lines("classics", map(json.dumps, classics.questions()))
    answers = {line["id"]: line["answer"] for line in map(json.loads, lines)}
    return sum(tuple(count) != FIGURES[name] for name, count in classics.measure(answers).items())


pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Mutation → check → what it finds, on a machine whose own database has Shanghai on the clock of Urumqi."""
    folder = tmp_path_factory.mktemp("zones")
    (folder / "Asia").mkdir()
    wheel = Path(tzdata.__file__).parent / "zoneinfo" / "Asia"
    (folder / "Asia" / "Shanghai").write_bytes((wheel / "Urumqi").read_bytes())
    return run_all("tests.laws.test_mutations", MUTATIONS, {"PYTHONTZPATH": str(folder)})


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_turns_every_check_red_that_should_notice_it(name, found):
    assert [check for check, number in found[name].items() if number == 0] == []


def test_without_a_mutation_no_check_finds_anything(found):
    assert {check: number for check, number in found[NONE].items() if number} == {}


if __name__ == "__main__":
    count(sys.argv[1], sys.argv[2:], MUTATIONS, failures)
