"""Reading the shipped tables, and noticing when they are not what was shipped."""

import json
import os
import shutil
import sys

import pytest

from bazi_core.astro import data
from bazi_core.errors import DataCorrupt

NAMES = {
    "terms.bin": 211_200, "newmoons.bin": 108_840, "eot.bin": 100_446, "delta_t.json": None,
    "leap.json": None, "lunar_overrides.csv": None, "sun_1600_2200.bsp": 5_717_736,
}  # fmt: skip


@pytest.fixture
def copied(tmp_path):
    """A copy of the shipped tables that a test may spoil."""
    for name in (*NAMES, data.MANIFEST):
        shutil.copyfile(os.path.join(data.DIRECTORY, name), tmp_path / name)
    return tmp_path


def test_the_tables_are_what_the_manifest_promises():
    assert data.verify() == []


def test_the_manifest_names_every_file_and_its_size():
    files = data.manifest()["files"]
    assert set(files) == set(NAMES)
    assert {name: files[name]["bytes"] for name, size in NAMES.items() if size} == {
        name: size for name, size in NAMES.items() if size
    }


def test_the_manifest_describes_every_file():
    wanted = {"sha256", "bytes", "dtype", "count", "unit", "scale", "first", "last", "rounding", "accuracy"}
    for facts in data.manifest()["files"].values():
        assert wanted == set(facts)


def test_the_manifest_says_from_what_the_tables_were_made():
    manifest = data.manifest()
    assert manifest["tables_version"] == data.TABLES_VERSION == "astro-1"
    assert manifest["ephemeris"]["name"] == "DE-0440LE-0440"
    assert set(manifest["generator"]) == {"bazi-core", "python", "skyfield", "jplephem", "numpy", "tzdata"}


def test_the_tables_without_the_ephemeris_take_at_most_450_kb():
    sizes = {name: facts["bytes"] for name, facts in data.manifest()["files"].items()}
    assert sum(sizes.values()) - sizes["sun_1600_2200.bsp"] <= 450_000


def test_the_hash_of_the_tables_is_made_of_the_hashes_of_the_files():
    hashes = {name: data.sha256_of(os.path.join(data.DIRECTORY, name)) for name in NAMES}
    assert data.tables_hash() == data.digest_of(hashes)
    assert len(data.tables_hash()) == 12
    assert data.digest_of(hashes | {"leap.json": "0"}) != data.tables_hash()


@pytest.mark.parametrize("name", NAMES)
def test_one_changed_byte_in_any_table_is_reported(copied, name):
    content = bytearray((copied / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copied / name).write_bytes(content)
    (problem,) = data.verify(str(copied))
    assert problem.startswith(f"{name} has sha256")


def test_missing_and_cut_files_are_reported(copied):
    (copied / "leap.json").unlink()
    (copied / "eot.bin").write_bytes(b"12")
    assert data.verify(str(copied)) == ["eot.bin has 2 bytes, not 100446", "leap.json is missing"]


def test_a_manifest_that_was_edited_is_reported(copied):
    manifest = json.loads((copied / data.MANIFEST).read_text(encoding="utf-8"))
    manifest["tables_hash"] = "0" * 12
    (copied / data.MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    assert data.verify(str(copied)) == ["tables_hash of the manifest is not the digest of its files"]


def test_tables_without_a_manifest_are_reported(tmp_path):
    assert data.verify(str(tmp_path)) == ["MANIFEST.json is missing"]


@pytest.mark.parametrize(("content", "count"), [(b"\1" * 16, 3), (b"\1" * 15, None)])
def test_a_table_of_the_wrong_length_is_corrupt(tmp_path, content, count):
    (tmp_path / "terms.bin").write_bytes(content)
    with pytest.raises(DataCorrupt) as caught:
        data.read_array("terms.bin", "q", count, str(tmp_path))
    assert caught.value.data["file"] == "terms.bin"
    assert caught.value.data["found"] == len(content)
    assert caught.value.exit_status == 1


def test_a_missing_table_is_corrupt(tmp_path):
    with pytest.raises(DataCorrupt) as caught:
        data.read_array("terms.bin", "q", 1, str(tmp_path))
    assert caught.value.data == {"file": "terms.bin", "expected": "a file", "found": None}


def test_a_table_that_is_not_json_is_corrupt(tmp_path):
    (tmp_path / "leap.json").write_text("{", encoding="utf-8")
    with pytest.raises(DataCorrupt):
        data.read_json("leap.json", str(tmp_path))


def test_a_big_endian_host_swaps_the_bytes(tmp_path, monkeypatch):
    (tmp_path / "eot.bin").write_bytes(b"\x01\x02")
    assert list(data.read_array("eot.bin", "h", 1, str(tmp_path))) == [0x0201]
    monkeypatch.setattr(sys, "byteorder", "big" if sys.byteorder == "little" else "little")
    assert list(data.read_array("eot.bin", "h", 1, str(tmp_path))) == [0x0102]
