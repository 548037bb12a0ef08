"""A file that cannot be read as births is refused with its line and a reason, and leaves nothing."""

import gzip
import json

import pyarrow
import pytest
from pyarrow import parquet

import bazi_core as bz
from bazi_core.batch import sources
from bazi_core.batch.job import run
from tests.core.batch.files import job, many, read, written

CORRUPT = {
    "empty": (b"", 1, "empty"),
    "a_column_twice": (b"id,datetime,id\n1,1990-05-15 13:30,2\n", 1, "twice"),
    "ragged": (b"datetime,city\n1990-05-15 13:30,a\n1990-05-15 13:30\n", 3, "ragged_line"),
    "too_many_fields": (b'datetime,city\n"1990-05-15\n13:30",a\n1990-05-15 13:30,a,b\n', 4, "ragged_line"),
    "mixed_encodings": ("datetime,city\n,北京\n".encode() + ",北京\n".encode("gb18030"), 3, "encoding"),
    "utf16": ("datetime,city\n".encode("utf-16"), 1, "utf16"),
    "open_quote": (b'datetime,city\n1990-05-15 13:30,a\n"1990-05-15 13:30,a\n', 3, "quoting"),
    "text_behind_a_quote": (b'datetime,city\n"1990-05-15" 13:30,a\n', 2, "quoting"),
    "open_quote_in_the_header": (b'"datetime,city\n1990-05-15 13:30,a\n', 1, "quoting"),
    "utf16_without_a_mark": ("datetime,city\n".encode("utf-16-le"), 1, "nul"),
    "nul": (b"datetime,city\n1990-05-15 13:30,a\n1990-05-15 13:30,\0\n", 3, "nul"),
    "gzip": (gzip.compress(b"datetime,city\n"), 1, "other_form"),
    "spreadsheet": (b"PK\x03\x04\x14\0", 1, "other_form"),
    "parquet": (b"PAR1\x15\x04", 1, "other_form"),
    "carriage_returns": (b"datetime,city\r1990-05-15 13:30,a\r", 1, "line_ends"),
    "huge_field": (b"datetime,city\n1990-05-15 13:30," + b"x" * 200_000 + b"\n", 2, "cell"),
    "huge_line": (b"datetime\n1990-05-15 13:30\n" + b"x" * (1 << 24), 3, "line_long"),
    "huge_header": (b"x" * (1 << 24), 1, "line_long"),
}  # fmt: skip
CORRUPT_LINES = {
    "no_json": (b'{"datetime": "1990-05-15 13:30"}\n\n{"datetime": \n', 3, "json"),
    "no_object": (b'{"datetime": "1990-05-15 13:30"}\n["1990-05-15 13:30"]\n', 2, "no_object"),
    "mixed_encodings": (b'{"datetime": "1990-05-15 13:30"}\n{"city": "\xb1\xb1"}\n', 2, "encoding"),
    "utf16": ('{"datetime": "1990-05-15 13:30"}\n'.encode("utf-16"), 1, "utf16"),
    "gzip": (gzip.compress(b"{}\n"), 1, "other_form"),
    "nested_deep": (b'\n{"datetime": ' + b"[" * 100_000, 2, "json"),
    "huge_line": (b'{"datetime": "1990-05-15 13:30"}\n' + b" " * (1 << 24), 2, "line_long"),
}
CASES = [
    *((f"{name}.csv", *case) for name, case in CORRUPT.items()),
    *((f"{name}.jsonl", *case) for name, case in CORRUPT_LINES.items()),
]


@pytest.mark.parametrize(("name", "data", "line", "reason"), CASES, ids=[case[0] for case in CASES])
def test_a_corrupt_input_is_refused_with_its_line_and_leaves_nothing(tmp_path, name, data, line, reason):
    source = tmp_path / name
    source.write_bytes(data)
    with pytest.raises(bz.BaziError) as caught:
        run(job(source, tmp_path / "charts.jsonl"))
    error = caught.value
    assert (error.code, error.data["line"], error.data["reason"]) == ("TABLE_CORRUPT", line, reason)
    assert error.data["file"] == name
    assert all(str(line) in error.text(lang) for lang in ("zh-Hans", "zh-Hant", "en")) or reason == "empty"
    assert sorted(each.name for each in tmp_path.iterdir()) == [name]


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
def test_a_binary_file_that_was_cut_is_refused_and_leaves_nothing(tmp_path, form, share):
    source = written(tmp_path / f"births.{form}")
    data = source.read_bytes()
    source.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(bz.BaziError) as caught:
        run(job(source, tmp_path / "charts.csv"))
    assert (caught.value.code, caught.value.data["reason"]) == ("TABLE_CORRUPT", "binary")
    assert sorted(each.name for each in tmp_path.iterdir()) == [source.name]


BINARY = {
    "two_columns_of_a_name": ([["1990-05-15 13:30"], ["北京"]], ["datetime", "datetime"], ("TABLE_CORRUPT", "twice")),
    "no_columns": ([], [], ("TABLE_CORRUPT", "empty")),
    "no_times": ([["1990-05-15 13:30"]], ["when"], ("INVALID_INPUT", None)),
    "numbers_for_times": ([[1990, 1991]], ["datetime"], ("INVALID_INPUT", None)),
    "bytes_for_times": ([[b"1990-05-15 13:30"]], ["datetime"], ("INVALID_INPUT", None)),
    "lists_for_times": ([[["1990-05-15 13:30"]]], ["datetime"], ("INVALID_INPUT", None)),
}  # fmt: skip


@pytest.mark.parametrize(("columns", "names", "expected"), BINARY.values(), ids=BINARY)
def test_a_parquet_of_other_columns_is_refused_and_leaves_nothing(tmp_path, columns, names, expected):
    table = pyarrow.Table.from_arrays([pyarrow.array(column) for column in columns], names=names)
    parquet.write_table(table, tmp_path / "births.parquet")
    with pytest.raises(bz.BaziError) as caught:
        run(job(tmp_path / "births.parquet", tmp_path / "charts.csv"))
    assert (caught.value.code, caught.value.data.get("reason")) == expected
    assert [each.name for each in tmp_path.iterdir()] == ["births.parquet"]


def test_times_that_python_cannot_hold_are_out_of_range_and_stand_in_the_output(tmp_path):
    for unit, far, text, status in (
        ("us", 2**59, "20237-", "OUT_OF_RANGE"),
        ("s", -(2**39), "-15452-", "CALENDAR_REQUIRED"),
        ("ns", 1, "1970-01-01", "OK"),
    ):
        births = {"datetime": pyarrow.array([far, None], pyarrow.timestamp(unit)), "city": ["北京", "北京"]}
        parquet.write_table(pyarrow.table(births), tmp_path / "births.parquet")
        run(job(tmp_path / "births.parquet", tmp_path / "charts.csv", words=True))
        first, second = read(tmp_path / "charts.csv")
        assert first["datetime"].startswith(text)
        assert (first["status"], second["status"]) == (status, "BIRTH_REQUIRED")


def test_values_of_json_that_no_birth_takes_are_errors_of_their_rows(tmp_path):
    birth = {"datetime": "1990-05-15 13:30", "city": "北京", "fold": None, "longitude": None}
    given = (
        {"city": ["北京"]},
        {"city": {"a": 1}},
        {"fold": True},
        {"longitude": [1, 2]},
        {"longitude": 10**400},
        {"city": 5},
    )
    source = tmp_path / "births.jsonl"
    source.write_text("".join(json.dumps(birth | each) + "\n" for each in (*given, {"fold": 1})))
    run(job(source, tmp_path / "charts.csv", words=True))
    rows = read(tmp_path / "charts.csv")
    assert [row["status"] for row in rows] == [
        "UNKNOWN_OPTION", "UNKNOWN_OPTION", "UNKNOWN_OPTION", "INVALID_COORDINATES", "INVALID_COORDINATES",
        "UNKNOWN_OPTION", "OK",
    ]  # fmt: skip
    assert [row["city"] for row in rows[:2]] == ['["北京"]', '{"a": 1}']


def test_half_of_a_surrogate_pair_stays_in_json_and_is_refused_for_a_table(tmp_path):
    source = tmp_path / "births.jsonl"
    source.write_text(
        '{"datetime": "1990-05-15 13:30", "note": ""}\n{"datetime": "1990-05-15 13:30", "note": "\\ud83d"}\n'
    )
    run(job(source, tmp_path / "charts.jsonl", constants={"city": "北京"}))
    assert read(tmp_path / "charts.jsonl")[1]["note"] == "\ud83d"
    for form in ("csv", "parquet"):
        with pytest.raises(bz.BaziError) as caught:
            run(job(source, tmp_path / f"charts.{form}", constants={"city": "北京"}))
        assert (caught.value.data["line"], caught.value.data["reason"]) == (2, "surrogate")
        run(job(source, tmp_path / f"charts.{form}", constants={"city": "北京"}, keep=("datetime",)))


def test_pieces_are_cut_by_bytes_as_by_rows(tmp_path, monkeypatch):
    source = many(tmp_path / "births.csv")
    run(job(source, tmp_path / "whole.csv"))
    monkeypatch.setattr(sources, "SIZE", 100)
    pieces = [piece.data for piece in sources.Source(str(source)).pieces()]
    assert len(pieces) == 5
    assert max(map(len, pieces)) < 150
    run(job(source, tmp_path / "charts.csv"))
    assert (tmp_path / "charts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
