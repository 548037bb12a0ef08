"""What a misspelt name may have meant."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from bazi_core.place import store
from bazi_core.place.suggestions import suggest

look_anew = suggest.__wrapped__


@pytest.fixture
def without_rapidfuzz(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)


@pytest.mark.usefixtures("without_rapidfuzz")
def test_only_names_with_the_same_first_character_are_compared() -> None:
    assert look_anew("呼和浩待") == ("呼和浩特",)
    assert look_anew("胡和浩特") == ()


@pytest.mark.usefixtures("without_rapidfuzz")
def test_each_place_is_suggested_once_and_at_most_five_are() -> None:
    for key in ("beijng", "springfild", "sntiago", "sanjuam", "呼和浩待"):
        found = look_anew(key)
        assert len(found) == len(set(found)) <= 5


@pytest.mark.usefixtures("without_rapidfuzz")
@pytest.mark.parametrize("key", ["\U0010ffff", "x" * 100, "é", "1"])
def test_keys_that_resemble_nothing_get_nothing_or_little(key: str) -> None:
    assert len(look_anew(key)) <= 5


def test_rapidfuzz_compares_with_all_names_when_it_is_installed(monkeypatch) -> None:
    asked = []

    def extract(key, keys, *, scorer, limit, score_cutoff):
        asked.append((len(keys), scorer, limit, score_cutoff))
        return [(name, 90.0, 0) for name in keys if name == "呼和浩特"]

    fake = ModuleType("rapidfuzz")
    fake.fuzz = SimpleNamespace(ratio="ratio")
    fake.process = SimpleNamespace(extract=extract)
    monkeypatch.setitem(sys.modules, "rapidfuzz", fake)
    assert look_anew("胡和浩特") == ("呼和浩特",)
    ((compared, scorer, _, cutoff),) = asked
    assert (scorer, cutoff) == ("ratio", 70)
    assert compared == store.rows("SELECT count(DISTINCT n) FROM name")[0][0]


def test_the_real_rapidfuzz_finds_a_wrong_first_character() -> None:
    assert "呼和浩特" in look_anew("胡和浩特")
