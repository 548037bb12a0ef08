"""Files of births for tests, and the files that come of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet

import bazi_core as bz
from bazi_core.batch import sources
from bazi_core.batch.job import Job

ROWS = [
    {
        "id": "1",
        "datetime": "1990-05-15 13:30",
        "city": "北京",
        "gender": "male",
        "note": 'a "quoted" note\nof two lines',
    },
    {"id": "2", "datetime": "1990-04-15 02:30", "city": "上海", "gender": "female", "note": ""},
    {"id": "3", "datetime": "", "city": "北京", "gender": "", "note": "no time"},
    {"id": "4", "datetime": "农历1990年闰五月初一 午时", "city": "上海", "gender": "男", "note": "in words"},
]
HEADER = "id,datetime,city,gender,note"


def job(source: Path, output: Path, **options: Any) -> Job:
    columns = options.pop("columns", ("pillars",))
    constants = options.pop("constants", {})
    return Job(str(source), str(output), columns, bz.School(), constants, **options)


def written(path: Path) -> Path:
    """The rows as a file of the form that its name says."""
    form = sources.form_of(str(path))
    if form in sources.DELIMITERS:
        with open(path, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, HEADER.split(","), delimiter=sources.DELIMITERS[form])
            table.writeheader()
            table.writerows(ROWS)
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), encoding="utf-8")
    else:
        table = pyarrow.Table.from_pylist(
            [{name: value or None for name, value in row.items()} for row in ROWS]
        )
        if form == "parquet":
            pyarrow.parquet.write_table(table, path)
        else:
            with pyarrow.OSFile(str(path), "wb") as sink, pyarrow.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, everything as JSON would have it."""
    form = sources.form_of(str(path))
    if form in sources.DELIMITERS:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter=sources.DELIMITERS[form]))
    if form == "jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if form == "parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    with pyarrow.OSFile(str(path)) as source, pyarrow.ipc.open_file(source) as reader:
        return reader.read_all().to_pylist()


def many(path: Path, count: int = 20) -> Path:
    lines = [f"{row},19{50 + row % 50}-05-15 1{row % 10}:30,北京" for row in range(count)]
    path.write_text("id,datetime,city\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path
