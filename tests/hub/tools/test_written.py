"""Natural but wrong arguments: each ends in success, or in an error that names the argument to use."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_hub.tools.catalog import TOOLS
from bazi_hub.tools.refusals import BadArguments, refusal
from bazi_hub.tools.tool import checked
from tests.hub.tools.test_fortune import parents
from tests.hub.worlds import BIRTH
from tests.tables import holds_for_all

HERE = Path(__file__).parent
ROWS = list(csv.DictReader((HERE / "as_models_write.csv").read_text("utf-8").splitlines()))
BY_ID = {tool.id: tool for tool in TOOLS}
OBJECTS = dict(zip(("<base>", "<pattern>", "<analysis>"), parents(), strict=True))
RIGHT: dict[str, dict[str, Any]] = {
    "t1": BIRTH,
    "t2": BIRTH,
    "t3": {"base_context": "<base>", "pattern_result": "<pattern>", "target_year": 2026},
    "t4": {"year_analysis_result": "<analysis>", "pattern_result": "<pattern>"},
}


def arguments(row: dict[str, str]) -> dict[str, Any]:
    """The right arguments of the tool with those of the row left out and given."""
    right = RIGHT.get(row["tool"], BY_ID[row["tool"]].example)
    given = {**right, **json.loads(row["given"])}
    return {
        name: OBJECTS.get(value, value) if isinstance(value, str) else value
        for name, value in given.items()
        if name not in row["left_out"].split() or name in json.loads(row["given"])
    }


def issues(row: dict[str, str]) -> dict[str, str]:
    """What is said to the call of a row, by the path that it is said at."""
    tool = BY_ID[row["tool"]]
    try:
        checked(tool, arguments(row))
    except (BadArguments, BaziError) as error:
        told = refusal(tool, error).members["issues"]
        return {issue["path"]: issue["message"] for issue in told}
    return {}


@holds_for_all("row", ROWS, lambda row: f"{row['tool']} {row['left_out']} {row['given']}")
def test_what_models_write_succeeds_or_is_answered_with_the_argument_to_use(row: dict[str, str]) -> None:
    found = issues(row)
    if row["ends_in"] == "ok":
        assert found == {}
    else:
        path, _, words = row["ends_in"].partition(":")
        assert path in found
        assert words.strip() in found[path]


def test_the_table_has_sixty_rows_and_every_kind_of_argument() -> None:
    assert len(ROWS) >= 60
    assert len({json.dumps(row, sort_keys=True) for row in ROWS}) == len(ROWS)


def chart(**given: Any) -> Chart:
    found: Chart = checked(BY_ID["t1"], {**BIRTH, **given}).subject
    return found


def test_a_lunar_date_is_the_day_that_it_was() -> None:
    lunar = chart(calendar="lunar", birth_month=4, birth_day=21)
    assert lunar.pillars == chart().pillars
    leap = chart(calendar="lunar", birth_month=5, birth_day=1, leap_month=True)
    assert leap.pillars == chart(birth_month=6, birth_day=23).pillars


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.id)
def test_no_schema_has_a_list_of_types(tool: Any) -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            assert not isinstance(value.get("type"), list), value
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(inner)

    walk(tool.schema)


def test_many_unknown_arguments_are_told_and_few_compared() -> None:
    row = {"tool": "t1", "left_out": "", "given": json.dumps({f"birth_yea{n}": 1 for n in range(90)})}
    told = issues(row)
    assert len(told) == 90
    assert sum("use birth_year" in each for each in told.values()) == 8
