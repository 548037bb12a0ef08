"""Results as files: the rows of a piece as bytes, and the bytes of all pieces as one file.

Columns of the input come first, as they were; then the columns of the charts, as codes or (`words`) in hanzi.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.batch.sources import DELIMITERS, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import BinaryIO

    from bazi_core.batch.columns import ColumnType
    from bazi_core.batch.result import Charts

_JSON = {list, dict, bool}


def encoded(form: str, rows: Rows, charts: Charts, keep: Sequence[str], words: bool, chosen: Any) -> bytes:
    """The chosen rows of a piece in a form; of Parquet and Arrow as an Arrow stream."""
    if form in DELIMITERS:
        return _delimited(form, rows, charts, keep, words, chosen)
    if form == "jsonl":
        return _json_lines(rows, charts, keep, words, chosen)
    return _arrow(rows, charts, keep, words, chosen)


def header(form: str, charts: Charts, keep: Sequence[str]) -> bytes:
    """The header line of a form; empty for forms without one."""
    if form not in DELIMITERS:
        return b""
    text = io.StringIO()
    _writer(text, form).writerow([*keep, *charts])
    return text.getvalue().encode()


def joined(form: str, head: bytes, parts: Iterable[str], file: BinaryIO) -> None:
    """Write the bytes of all pieces, each from its file, as one file."""
    if form not in ("parquet", "arrow"):
        file.write(head)
        for path in parts:
            with open(path, "rb") as part:
                shutil.copyfileobj(part, file, 1 << 20)
        return
    import pyarrow as arrow

    writer: Any = None
    for path in parts:
        with arrow.OSFile(path) as source, arrow.ipc.open_stream(source) as reader:
            table = reader.read_all()
        if writer is None:
            writer = _opened(form, file, table.schema)
        if form == "parquet":
            if len(table):
                writer.write_table(table, row_group_size=len(table))
        else:
            writer.write_table(table)
    if writer is not None:
        writer.close()


def _opened(form: str, file: BinaryIO, schema: Any) -> Any:
    import pyarrow as arrow

    if form == "arrow":
        return arrow.ipc.new_file(file, schema)
    import pyarrow.parquet as parquet

    return parquet.ParquetWriter(file, schema, compression="zstd")


def _writer(text: io.StringIO, form: str, quoting: Any = csv.QUOTE_MINIMAL) -> Any:
    return csv.writer(text, delimiter=DELIMITERS[form], lineterminator="\n", quoting=quoting)


def _delimited(form: str, rows: Rows, charts: Charts, keep: Sequence[str], words: bool, chosen: Any) -> bytes:
    kept = [_taken(_as_texts(_plain(rows.columns[name])), chosen) for name in keep]
    columns = [*kept, *(_taken(_cells(charts, column, words), chosen) for column in charts.described)]
    if len(columns) > 1 and all(_is_plain(column, form) for column in kept):
        found = map(DELIMITERS[form].join, zip(*map(_texts, columns), strict=True))
        return "".join([f"{line}\n" for line in found]).encode()
    text, writer = io.StringIO(), _writer
    if any("\r" in str(cell) for column in kept for cell in column):
        # Until Python 3.13 a carriage return alone is no reason to quote, but readers take it for the end of a line.
        writer = partial(_writer, quoting=csv.QUOTE_NONNUMERIC)
    writer(text, form).writerows(zip(*columns, strict=True))
    return text.getvalue().encode()


def _as_texts(column: Sequence[Any]) -> Sequence[Any]:
    """A column whose lists, objects and truth values are written as JSON."""
    if not _JSON & set(map(type, column)):
        return column
    return [
        json.dumps(each, ensure_ascii=False, default=str) if type(each) in _JSON else each for each in column
    ]


def _is_plain(column: Sequence[Any], form: str) -> bool:
    """Whether a column holds only texts that need no quotes."""
    try:
        whole = "".join(filter(None, column))
    except TypeError:
        return False
    return not any(mark in whole for mark in ('"', "\n", "\r", DELIMITERS[form]))


def _texts(column: Sequence[Any]) -> Sequence[str]:
    """The texts of cells; each distinct number is formatted once."""
    kinds = set(map(type, column))
    if kinds == {str}:
        return column
    if kinds <= {str, type(None)}:
        return [each or "" for each in column]
    known = {each: str(each) for each in set(column)}
    return [known[each] for each in column]


def _json_lines(rows: Rows, charts: Charts, keep: Sequence[str], words: bool, chosen: Any) -> bytes:
    names = [column.name for column in charts.described]
    columns = [_taken(_members(charts, column, words), chosen) for column in charts.described]
    kept = [_taken(_plain(rows.columns[name]), chosen) for name in keep]
    before: Iterable[dict[str, Any]]
    if rows.objects is not None:
        wanted = set(keep)
        objects = _taken(rows.objects, chosen)
        before = ({name: value for name, value in each.items() if name in wanted} for each in objects)
    elif keep:
        before = (dict(zip(keep, row, strict=True)) for row in zip(*kept, strict=True))
    else:
        before = ({} for _ in _taken(range(rows.size), chosen))
    write = json.JSONEncoder(ensure_ascii=False, default=str).encode
    lines = io.BytesIO()
    for given, row in zip(before, zip(*columns, strict=True), strict=True):
        line = write(given | dict(zip(names, row, strict=True)))
        lines.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    return lines.getvalue()


def _arrow(rows: Rows, charts: Charts, keep: Sequence[str], words: bool, chosen: Any) -> bytes:
    import pyarrow as arrow

    columns = {name: _as_arrow(arrow, rows.columns[name]) for name in keep}
    table = charts.to_arrow()
    for column in charts.described:
        told = words and bool(column.words)
        kind = arrow.list_(arrow.string()) if column.is_bits else arrow.string()
        columns[column.name] = arrow.array(charts.decode(column.name), kind) if told else table[column.name]
    found = arrow.table(columns)
    if chosen is not None:
        found = found.take(arrow.array(chosen))
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, found.schema) as writer:
        writer.write_table(found)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _as_arrow(arrow: Any, values: Any) -> Any:
    """A column of the input; of texts and JSON as texts, so that every piece has the same type."""
    if not isinstance(values, list):
        return values
    texts = [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in values
    ]
    return arrow.array(texts, arrow.string())


def _plain(values: Any) -> Any:
    """A column as a list; as texts where Python has no such value (a year of six digits, nanoseconds)."""
    if isinstance(values, list):
        return values
    try:
        return values.to_pylist()
    except (OverflowError, ValueError):
        return values.cast("string").to_pylist()


def _taken(values: Any, chosen: Any) -> Any:
    return values if chosen is None else [values[row] for row in chosen.tolist()]


def _members(charts: Charts, column: ColumnType, words: bool) -> list[Any]:
    """The values of a column for JSON."""
    if column.is_time:
        return [cell or None for cell in _cells(charts, column, words)]
    if words and column.words:
        return charts.decode(column.name)
    return [None if cell == "" else cell for cell in _cells(charts, column, words)]


def _cells(charts: Charts, column: ColumnType, words: bool) -> list[Any]:
    """The values of a column for a cell of text; empty where there is none."""
    values = charts[column.name]
    if column.is_time:
        texts = np.datetime_as_string(values, timezone="naive" if column.name == "local" else "UTC").tolist()
        return ["" if text == "NaT" else text for text in texts]
    if not (words and column.words):
        numbers = values.tolist()
        none = (charts.status != 0) if column.name == "utc_offset_s" else values < 0
        for row in np.flatnonzero(none).tolist():
            numbers[row] = ""
        return numbers  # type: ignore[no-any-return]
    if column.is_bits:
        known = {bits: " ".join(_word(column, bits)) for bits in np.unique(values).tolist()}
        return [known[bits] for bits in values.tolist()]
    return np.array((*column.words, ""), object).take(np.where(values < 0, -1, values), mode="wrap").tolist()  # type: ignore[no-any-return]


def _word(column: ColumnType, bits: int) -> list[str]:
    return [] if bits < 0 else [word for at, word in enumerate(column.words) if bits >> at & 1]
