"""Places while a name is typed: what it names first, then what begins with it, never too many."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bazi_core.errors import PlaceError
from bazi_core.place import completion, suggestions
from bazi_core.place.completion import AT_MOST, complete
from bazi_core.place.gazetteer import LONGEST_QUERY, look_up


def refs(typed):
    return [place.ref for place in complete(typed)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("beij", "cn:110000"), ("Beij", "cn:110000"), (" beijing ", "cn:110000"), ("北京", "cn:110000"),
        ("guangz", "cn:440100"),
        ("new y", "gn:5128581"), ("纽约", "gn:5128581"), ("東京", "gn:1850147"), ("mosc", "gn:524901"), ("朝", "cn:211300"),
        ("são pa", "gn:3448439"), ("长春/朝阳", "cn:220104"), ("cn:110105", "cn:110105"),
    ],
)  # fmt: skip
def test_the_place_that_is_meant_comes_first(typed, first):
    assert refs(typed)[0] == first


def test_names_of_its_own_go_before_what_a_place_also_goes_by():
    # Jakarta was written so once, and Kitakyushu sounds so in Chinese.
    assert "gn:1642911" not in refs("new y")
    assert refs("beij") == ["cn:110000"]


def test_what_the_name_is_comes_before_what_begins_with_it():
    found = refs("朝阳")
    assert found[:3] == ["cn:211300", "cn:110105", "cn:220104"]
    assert "cn:211321" in found


@pytest.mark.parametrize(
    "typed", ["", " ", "x", "'", "-", "qwxyzz", "a\x00b", "北\u202e", "a" * (LONGEST_QUERY + 1)]
)
def test_what_begins_no_name_has_no_places(typed):
    assert complete(typed) == ()


@given(st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_every_suggestion_is_a_place_that_its_number_gives(typed):
    found = complete(typed)
    assert len(found) <= AT_MOST
    assert len({place.ref for place in found}) == len(found)
    for place in found:
        assert look_up(place.ref) == place
        assert place.passed_over == ()


@pytest.mark.parametrize(
    "name", ["北京", "Beijing", "Springfield", "São Paulo", "長春", "纽约", "Reykjavík", "Kyoto"]
)
def test_a_place_is_there_when_its_whole_name_is_typed(name):
    try:
        meant = {look_up(name).ref}
    except PlaceError as several:
        meant = {each["ref"] for each in several.data["candidates"]}
    assert meant & {*refs(name)}


def test_nothing_is_asked_for_misspellings_of_a_name_that_is_not_typed_to_its_end(monkeypatch):
    monkeypatch.setattr(suggestions, "suggest", None)
    completion._complete.cache_clear()
    assert refs("guangzh")
