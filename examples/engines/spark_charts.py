"""Charts inside Spark: `mapInArrow` hands every task an iterator of record batches; Java and pyspark are needed.

python examples/engines/spark_charts.py births.parquet charts.parquet
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

SCHEMA = "id long, year byte, month byte, day byte, hour byte, status byte"


def charts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The charts of batches of births; the import stands here, since it happens in the worker."""
    import bazi_core as bz

    for batch in batches:
        table = bz.charts(batch).to_arrow()
        yield from table.add_column(0, "id", batch["id"]).to_batches()


def with_charts(births: DataFrame) -> DataFrame:
    """The charts of a frame of births, by id."""
    return births.mapInArrow(charts, SCHEMA)


def session(workers: int = 2) -> SparkSession:
    """A session on this machine with so many workers, which run this Python and so find what is installed beside it."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false").getOrCreate()


if __name__ == "__main__":
    spark = session()
    with_charts(spark.read.parquet(sys.argv[1])).write.parquet(sys.argv[2])
