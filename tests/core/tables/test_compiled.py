"""Compiled copies of tables: always those of the file beside which they lie."""

import importlib
import marshal
import os
import sys
from pathlib import Path

import pytest

import bazi_core
from bazi_core.tables import _rows, rows
from bazi_core.tables.compiled import compiled

FOLDER = Path(bazi_core.__file__).parent / "tables"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    path = tmp_path / "words.csv"
    path.write_text("key,en\na,one\n", "utf-8")
    return path


def copies(table):
    return sorted((table.parent / "__pycache__").glob("words.csv.*"))


def test_every_table_has_the_rows_of_its_file():
    names = [path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.csv")]
    assert len(names) > 40
    for name in names:
        # The second time it is the copy that is read.
        rows.cache_clear()
        rows(name)
        rows.cache_clear()
        assert rows(name) == _rows((FOLDER / f"{name}.csv").read_bytes()), name


def test_a_file_is_parsed_once_and_then_read_from_its_copy(table):
    parsed = []

    def parse(raw):
        parsed.append(raw)
        return _rows(raw)

    found = [compiled(str(table), parse) for _ in range(3)]
    assert found == [({"key": "a", "en": "one"},)] * 3
    assert len(parsed) == 1
    assert len(copies(table)) == 1


def test_what_a_function_makes_of_a_file_is_kept_beside_its_rows_while_its_module_stands(
    table, tmp_path, monkeypatch
):
    (tmp_path / "made_here.py").write_text("def count(rows):\n    return len(rows)\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    count = importlib.import_module("made_here").count
    made = []

    def parse(raw):
        made.append(raw)
        return count(_rows(raw))

    assert compiled(str(table), _rows) == ({"key": "a", "en": "one"},)
    assert [compiled(str(table), parse, count) for _ in range(3)] == [1, 1, 1]
    assert len(made) == 1
    assert len(copies(table)) == 2
    before = os.stat(tmp_path / "made_here.py")
    os.utime(tmp_path / "made_here.py", ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert compiled(str(table), parse, count) == 1
    assert len(made) == 2


def test_an_edited_file_counts_at_once(table):
    compiled(str(table), _rows)
    before = os.stat(table)
    table.write_text("key,en\na,two\n", "utf-8")
    os.utime(table, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert compiled(str(table), _rows) == ({"key": "a", "en": "two"},)
    assert compiled(str(table), _rows) == ({"key": "a", "en": "two"},)


@pytest.mark.parametrize(
    "content", [b"", b"\x00", b"[", marshal.dumps(7), marshal.dumps((1, 2, 3)), b"\xff" * 1000]
)
def test_a_damaged_copy_is_not_read(table, content):
    compiled(str(table), _rows)
    copies(table)[0].write_bytes(content)
    assert compiled(str(table), _rows) == ({"key": "a", "en": "one"},)


def test_where_nothing_may_be_written_nothing_is(table, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled(str(table), _rows) == ({"key": "a", "en": "one"},)
    assert copies(table) == []


def test_where_nothing_can_be_written_the_file_is_parsed(table):
    (table.parent / "__pycache__").write_text("a file where the folder would be")
    assert compiled(str(table), _rows) == ({"key": "a", "en": "one"},)


def test_a_file_that_is_not_there_is_an_error(table):
    with pytest.raises(FileNotFoundError):
        compiled(str(table.with_name("other.csv")), _rows)
