"""The examples for engines run on small data and give what single charts give."""

from __future__ import annotations

import importlib
import runpy
import shutil
from datetime import datetime
from typing import Any

import polars
import pyarrow
import pytest

import bazi_core as bz
from tests.docs.examples import DOCS

EXAMPLES = DOCS.parent / "examples" / "engines"
BORN = [datetime(1990, 5, 15, 13, 30), datetime(1990, 4, 15, 2, 30), None, datetime(2004, 3, 31, 16, 50, 20)]
CITIES = ["北京", "上海", "北京", "成都"]
STATUS = ["OK", "NONEXISTENT_LOCAL_TIME", "BIRTH_REQUIRED", "OK"]


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"{name}_charts.py"))


def wanted(row: int) -> str:
    when = BORN[row]
    assert when is not None
    return str(bz.chart(when, city=CITIES[row]).pillars)


def four_of(*columns: Any) -> list[str]:
    """The pillars of the rows that have them."""
    known = (row for row in zip(*columns, strict=True) if None not in row)
    return [" ".join(bz.decode("day", row)) for row in known]


@pytest.mark.process
def test_duckdb_has_a_function_of_sql_for_pillars() -> None:
    names = example("duckdb")
    with names["connect"]() as connection:
        connection.register("births", pyarrow.table({"id": [1, 2, 3, 4], "born": BORN, "city": CITIES}))
        rows = connection.sql(names["QUERY"]).fetchall()
    assert [(number, day) for number, day, _ in rows] == [
        (1, wanted(0).split()[2]), (2, None), (3, None), (4, wanted(3).split()[2]),
    ]  # fmt: skip
    assert bz.decode("status", [status for *_, status in rows]) == STATUS


@pytest.mark.process
def test_polars_maps_batches_of_a_lazy_frame() -> None:
    births = polars.DataFrame({"datetime": BORN, "city": CITIES, "gender": ["male"] * 4})
    found = example("polars")["lazily"](births.lazy()).collect()
    assert found.columns[:3] == births.columns
    assert four_of(found["year"], found["month"], found["day"], found["hour"]) == [wanted(0), wanted(3)]
    assert bz.decode("status", found["status"].to_list()) == STATUS
    assert found["luck_start_at"][0].isoformat() == "1997-08-16T13:06:00+00:00"


# What pyspark says of a pandas newer than itself, which is not asked here.
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning")
@pytest.mark.process
def test_spark_maps_batches_on_two_workers(tmp_path) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("Spark runs on Java, which is not here")
    names = example("spark")
    spark = names["session"](2)
    try:
        times = [each and each.isoformat(" ") for each in BORN]
        births = spark.createDataFrame(
            [(number, when, city) for number, (when, city) in enumerate(zip(times, CITIES, strict=True))],
            "id long, datetime string, city string",
        )
        rows = sorted(names["with_charts"](births.repartition(2)).collect())
    finally:
        spark.stop()
    assert bz.decode("status", [row.status for row in rows]) == STATUS
    assert four_of(*zip(*(row[1:5] for row in rows), strict=True)) == [wanted(0), wanted(3)]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames_go_in_and_charts_come_out_as_frames(library: str) -> None:
    made = importlib.import_module(library)
    columns = {"datetime": BORN, "city": CITIES}
    if library == "pyarrow":
        births: Any = made.table(columns)
    elif library == "duckdb":
        table = pyarrow.table(columns)
        births = made.from_arrow(table)
    else:
        births = made.DataFrame(columns)
    charts = bz.charts(births)
    assert charts.decode("status") == STATUS
    found = pyarrow.table(charts)
    four = (found[name].to_pylist() for name in ("year", "month", "day", "hour"))
    assert four_of(*four) == [wanted(0), wanted(3)]
