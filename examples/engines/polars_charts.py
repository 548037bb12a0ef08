"""Charts inside Polars: a lazy frame whose batches are mapped, so that a file larger than memory streams through.

python examples/engines/polars_charts.py births.parquet charts.parquet
"""

from __future__ import annotations

import sys

import polars as pl

import bazi_core as bz

GROUPS = ("pillars", "luck")


def with_charts(births: pl.DataFrame) -> pl.DataFrame:
    """The births with the columns of their charts."""
    return births.hstack(pl.DataFrame(bz.charts(births, GROUPS)))


def lazily(births: pl.LazyFrame) -> pl.LazyFrame:
    """The same for a lazy frame, batch by batch: a row asks nothing of its neighbours."""
    none = births.head(0).collect()
    return births.map_batches(with_charts, schema=with_charts(none).schema, streamable=True)


if __name__ == "__main__":
    lazily(pl.scan_parquet(sys.argv[1])).sink_parquet(sys.argv[2])
