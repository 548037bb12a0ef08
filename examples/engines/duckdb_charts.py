"""Charts inside DuckDB: a function of SQL that takes whole vectors as Arrow arrays.

    python examples/engines/duckdb_charts.py

DuckDB hands the function some thousand rows at once; what it gives back is one struct a row. Stars and whatever else is
wanted are further members of the struct.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

import bazi_core as bz

MEMBERS = ("year", "month", "day", "hour", "status")
STRUCT = duckdb.struct_type(dict.fromkeys(MEMBERS, "TINYINT"))


def four_pillars(when: pa.ChunkedArray, city: pa.ChunkedArray) -> pa.StructArray:
    """The codes of the four pillars, null where `status` is not 0."""
    table = bz.charts({"datetime": when, "city": city}).to_arrow()
    return pa.StructArray.from_arrays([table[name].combine_chunks() for name in MEMBERS], MEMBERS)


def connect() -> duckdb.DuckDBPyConnection:
    """A connection that knows `four_pillars(TIMESTAMP, VARCHAR)` and, as a table, the names of the sixty."""
    connection = duckdb.connect()
    # A row without time or city is a row with a status: the function sees nulls itself.
    connection.create_function(
        "four_pillars", four_pillars, ["TIMESTAMP", "VARCHAR"], STRUCT, type="arrow", null_handling="special"
    )
    names = pa.table({"code": range(60), "name": [pillar.value for pillar in bz.Pillar]})
    connection.register("pillar_names", names)
    return connection


QUERY = """
    WITH charts AS (SELECT id, four_pillars(born, city) AS four FROM births)
    SELECT id, name AS day_pillar, four.status
    FROM charts LEFT JOIN pillar_names ON code = four.day
    ORDER BY id
"""

if __name__ == "__main__":
    with connect() as connection:
        connection.execute(
            """CREATE TABLE births AS SELECT * FROM (VALUES
                (1, TIMESTAMP '1990-05-15 13:30:00', '北京'),
                (2, TIMESTAMP '1990-04-15 02:30:00', '上海'),
                (3, NULL, '北京')) AS t (id, born, city)"""
        )
        print(connection.sql(QUERY))
