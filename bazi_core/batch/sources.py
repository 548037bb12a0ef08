"""Files of births, read piece by piece: CSV and TSV, JSON lines, Parquet, Arrow.

A piece is unparsed bytes: the process that computes it parses it too, so that parsing runs in parallel. It holds at most
`ROWS` rows and about `SIZE` bytes, whatever the file. A row that cannot be parsed is refused with the file, the line
(for Parquet and Arrow the row) and a reason.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any, BinaryIO, NamedTuple

from bazi_core.errors import InvalidInput, TableCorrupt, library_missing, shown
from bazi_core.tables.sentences import Said

FORMS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
ROWS, SIZE = 1 << 16, 1 << 24
_LONGEST_LINE = 1 << 24
DELIMITERS = {"csv": ",", "tsv": "\t"}
ALIASES = {"lon": "longitude", "lat": "latitude"}
# As far as a quoted field may reach behind the piece in which it begins.
_LONGEST_TAIL = 1000
# What a file of another form begins with.
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "ZIP, XLSX",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
}
_BOMS = (b"\xff\xfe", b"\xfe\xff")
# Bytes that need the CSV parser.
_MARKED, _LINE_END = (b'"', b"\r"), 10


class Piece(NamedTuple):
    """Some rows of a file: their number among the pieces, the line of the first, how far the file is read, the rows."""

    number: int
    line: int
    read: float
    data: Any


class Rows(NamedTuple):
    """The rows of a piece: columns by name (lists, or arrays of Arrow), their number, and the line of each."""

    columns: dict[str, Any]
    size: int
    lines: Any
    objects: list[dict[str, Any]] | None = None


class Source:
    """A file of births: its form, its columns, and its pieces."""

    def __init__(self, path: str, form: str | None = None, encoding: str = "utf-8") -> None:
        self.path, self.encoding = path, encoding
        self.form = form or form_of(path)
        if not _ends_lines(encoding):
            raise InvalidInput(Said("table_encoding_unknown", encoding=shown(encoding)), path="encoding")
        self.names = self._names()
        if not self.names and self.form != "jsonl":
            raise self.corrupt(1, "empty")
        twice = next((name for at, name in enumerate(self.names) if name in self.names[:at]), None)
        if twice is not None:
            raise self.corrupt(1, "twice", name=shown(twice))

    def corrupt(self, line: int, reason: str, **values: Any) -> TableCorrupt:
        """The error for a defective line."""
        name = os.path.basename(self.path)
        return TableCorrupt(
            Said(f"corrupt.{reason}", file=name, line=line, **values), file=name, line=line, reason=reason
        )

    def _names(self) -> tuple[str, ...]:
        if self.form not in (*DELIMITERS, "jsonl"):
            return tuple(self._schema().names)
        with open(self.path, "rb") as file:
            lines = self._lines(file, 1)
            raw = next(lines, b"")
            other = next((form for mark, form in _MAGIC.items() if raw.startswith(mark)), None)
            if other is not None:
                raise self.corrupt(1, "other_form", form=other)
            if raw.startswith(_BOMS):
                raise self.corrupt(1, "utf16")
            if self.form in DELIMITERS:
                return self._header(raw)
            at = 1
            while raw and not raw.strip():
                raw, at = next(lines, b""), at + 1
            return tuple(self._object(raw, at)) if raw else ()

    def _header(self, raw: bytes) -> tuple[str, ...]:
        text = self._text(raw, 1).removeprefix("\ufeff")
        if "\r" in text.removesuffix("\n").removesuffix("\r"):
            raise self.corrupt(1, "line_ends")
        try:
            return tuple(next(self._reader(text), ()))
        except csv.Error as error:
            raise self._no_record(1, error) from None

    def _no_record(self, line: int, error: csv.Error) -> TableCorrupt:
        """The error of a line that the reader of CSV refuses."""
        if "field limit" in str(error):
            return self.corrupt(line, "cell", limit=csv.field_size_limit())
        return self.corrupt(line, "quoting", why=shown(error))

    def _schema(self) -> Any:
        from bazi_core.batch.table import pyarrow

        arrow = pyarrow()
        if arrow is None:
            raise library_missing("pyarrow")
        try:
            if self.form == "parquet":
                import pyarrow.parquet as parquet

                return parquet.read_schema(self.path)
            with _arrow_reader(self.path) as reader:
                return reader.schema
        except (arrow.ArrowInvalid, OSError) as error:
            raise self.corrupt(1, "binary", why=shown(error, 200)) from None

    def pieces(self) -> Iterator[Piece]:
        """The pieces in order; one without rows where the file has none."""
        cut = self._of_lines if self.form in (*DELIMITERS, "jsonl") else self._of_batches
        number = -1
        for piece in cut():
            number = piece.number
            yield piece
        if number < 0:
            yield Piece(0, 1, 1.0, b"" if self.form in (*DELIMITERS, "jsonl") else None)

    def _of_lines(self) -> Iterator[Piece]:
        size = max(1, os.path.getsize(self.path))
        number, line, position = 0, 1, 0
        with open(self.path, "rb") as file:
            if self.form in DELIMITERS:
                position += len(file.readline())
                line += 1
            while lines := self._block(file, line):
                data = b"".join(lines)
                rows = len(lines)
                if self.form in DELIMITERS and data.count(b'"') % 2:
                    tail = self._tail(file, line + rows)
                    data += b"".join(tail)
                    rows += len(tail)
                position += len(data)
                yield Piece(number, line, position / size, data)
                number, line = number + 1, line + rows

    def _lines(self, file: BinaryIO, line: int) -> Iterator[bytes]:
        """The further lines of a file, of which the next is `line`; one that is too long is refused."""
        for at in count(line):
            raw = file.readline(_LONGEST_LINE)
            if not raw:
                return
            if len(raw) == _LONGEST_LINE:
                raise self.corrupt(at, "line_long", limit=_LONGEST_LINE)
            yield raw

    def _block(self, file: BinaryIO, line: int) -> list[bytes]:
        """The lines of the next piece."""
        lines, size = [], 0
        for raw in islice(self._lines(file, line), ROWS):
            lines.append(raw)
            size += len(raw)
            if size >= SIZE:
                break
        return lines

    def _tail(self, file: BinaryIO, line: int) -> list[bytes]:
        """The lines to the end of a quoted field that is open."""
        tail: list[bytes] = []
        for raw in islice(self._lines(file, line), _LONGEST_TAIL):
            tail.append(raw)
            if raw.count(b'"') % 2:
                break
        return tail

    def _of_batches(self) -> Iterator[Piece]:
        import pyarrow as arrow

        row = 1
        try:
            for number, (batch, read) in enumerate(self._batches()):
                yield Piece(number, row, read, batch)
                row += len(batch)
        except (arrow.ArrowInvalid, OSError) as error:
            raise self.corrupt(row, "binary", why=shown(error, 200)) from None

    def _batches(self) -> Iterator[tuple[Any, float]]:
        if self.form == "parquet":
            import pyarrow.parquet as parquet

            with parquet.ParquetFile(self.path) as file:
                whole, done = max(1, file.metadata.num_rows), 0
                groups = range(file.metadata.num_row_groups)
                size = sum(file.metadata.row_group(at).total_byte_size for at in groups)
                for batch in file.iter_batches(max(1, min(ROWS, SIZE * whole // max(1, size)))):
                    done += len(batch)
                    yield batch, done / whole
            return
        with _arrow_reader(self.path) as reader:
            count = getattr(reader, "num_record_batches", None)
            batches = iter(reader) if count is None else (reader.get_batch(at) for at in range(count))
            for at, batch in enumerate(batches, 1):
                for first in range(0, len(batch), ROWS):
                    yield batch.slice(first, ROWS), at / count if count else 0.0

    def rows(self, piece: Piece) -> Rows:
        """The parsed rows of a piece."""
        if self.form in DELIMITERS:
            return self._delimited(piece)
        if self.form == "jsonl":
            return self._objects(piece)
        if piece.data is None:
            columns = {field.name: field_array(field) for field in self._schema()}
            return Rows(columns, 0, range(0))
        columns = dict(zip(piece.data.schema.names, piece.data.columns, strict=True))
        return Rows(columns, len(piece.data), range(piece.line, piece.line + len(piece.data)))

    def _text(self, data: bytes, line: int) -> str:
        nul = data.find(0) if self.form in DELIMITERS else -1
        if nul >= 0:
            raise self.corrupt(line + data.count(b"\n", 0, nul), "nul")
        try:
            return data.decode(self.encoding)
        except UnicodeDecodeError as error:
            line += data[: error.start].count(b"\n")
            raise self.corrupt(line, "encoding", encoding=self.encoding) from None

    def _delimited(self, piece: Piece) -> Rows:
        text, width = self._text(piece.data, piece.line), len(self.names)
        if self.encoding == "utf-8" and _is_plain(piece.data, DELIMITERS[self.form], width):
            fields = text.replace("\n", DELIMITERS[self.form]).split(DELIMITERS[self.form])
            size = len(fields) // width
            columns = {
                name: _without_blanks(fields[at : size * width : width]) for at, name in enumerate(self.names)
            }
            return Rows(columns, size, range(piece.line, piece.line + size))
        try:
            records = list(self._reader(text))
        except csv.Error:
            records = []
        lines: Any = range(piece.line, piece.line + len(records))
        if (
            not records
            or len(records) != piece.data.count(b"\n") + (piece.data[-1:] != b"\n")
            or set(map(len, records)) != {width}
        ):
            records, lines = self._by_record(text, piece.line)
        every = zip(*records, strict=True) if records else ((),) * width
        named = zip(self.names, every, strict=True)
        return Rows({name: _without_blanks(column) for name, column in named}, len(records), lines)

    def _reader(self, text: str) -> Any:
        return csv.reader(io.StringIO(text, newline=""), delimiter=DELIMITERS[self.form], strict=True)

    def _by_record(self, text: str, line: int) -> tuple[list[list[str]], list[int]]:
        """The records of a text and the line of each, without blank lines."""
        reader, found, lines, at = self._reader(text), [], [], line
        try:
            for row in reader:
                if row and len(row) != len(self.names):
                    raise self.corrupt(at, "ragged_line", given=len(row), expected=len(self.names))
                if row:
                    found.append(row)
                    lines.append(at)
                at = line + reader.line_num
        except csv.Error as error:
            raise self._no_record(at, error) from None
        return found, lines

    def _objects(self, piece: Piece) -> Rows:
        found, lines = [], []
        for at, raw in enumerate(piece.data.split(b"\n"), piece.line):
            if raw.strip():
                found.append(self._object(raw, at))
                lines.append(at)
        names = dict.fromkeys(name for each in found for name in each)
        return Rows({name: [each.get(name) for each in found] for name in names}, len(found), lines, found)

    def _object(self, raw: bytes, line: int) -> dict[str, Any]:
        text = self._text(raw, line).removeprefix("\ufeff")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.corrupt(line, "json", why=shown(error)) from None
        if not isinstance(value, dict):
            raise self.corrupt(line, "no_object")
        return value


def _is_plain(data: bytes, delimiter: str, width: int) -> bool:
    """Whether lines of a table can be split at every delimiter: no quotes, no blank line, equal numbers of fields, and
    none is longer than the reader of CSV takes."""
    import numpy as np

    if any(mark in data for mark in _MARKED) or not data.endswith(b"\n"):
        return False
    chars = np.frombuffer(data, np.uint8)
    at = np.flatnonzero((chars == ord(delimiter)) | (chars == _LINE_END))
    ends = chars[at] == _LINE_END
    if len(at) % width or not ends[width - 1 :: width].all() or int(ends.sum()) * width != len(at):
        return False
    fields = np.diff(at, prepend=-1) - 1
    return bool(fields.max() < csv.field_size_limit() and (width > 1 or fields.min() > 0))


def _without_blanks(column: Sequence[str]) -> list[str | None]:
    return [each or None for each in column] if "" in column else list(column)


def form_of(path: str) -> str:
    """The form of a file by the ending of its name."""
    ending = os.path.splitext(path)[1].lower()
    if ending in FORMS:
        return FORMS[ending]
    name = os.path.basename(path)
    raise TableCorrupt(
        Said("table_form", file=name, known=", ".join(FORMS)), file=name, line=None, reason="form"
    )


def field_array(field: Any) -> Any:
    """An empty Arrow array of a field."""
    import pyarrow as arrow

    return arrow.array([], field.type)


def _ends_lines(encoding: str) -> bool:
    """Whether texts of an encoding can be cut at the bytes of line ends."""
    try:
        return "\n".encode(encoding) == b"\n" and '"'.encode(encoding) == b'"'
    except LookupError:
        return False


def _arrow_reader(path: str) -> Any:
    """A reader of an Arrow file, or of a stream in a file."""
    import pyarrow as arrow

    with open(path, "rb") as file:
        is_file = file.read(6) == b"ARROW1"
    source = arrow.OSFile(path)
    return arrow.ipc.open_file(source) if is_file else arrow.ipc.open_stream(source)
