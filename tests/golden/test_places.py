"""Gate P1: 87 names with known answers, and every ref of the table."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bazi_core.errors import PlaceAmbiguous, PlaceNotFound
from bazi_core.place import store
from bazi_core.place.gazetteer import look_up
from bazi_core.place.refs import ref_of
from tests.sizes import sizes

FILE = Path(__file__).parents[2] / "data/golden/astro/place_names.json"
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
STATUSES = {"unique": 62, "assumed": 14, "ambiguous": 8, "not_found": 3}


def cases(*statuses: str):
    chosen = [case for case in GOLDEN["cases"] if case["status"] in statuses]
    return pytest.mark.parametrize("case", chosen, ids=[case["query"] or "empty" for case in chosen])


def test_the_file_holds_eighty_seven_cases_of_four_kinds() -> None:
    assert Counter(case["status"] for case in GOLDEN["cases"]) == STATUSES
    assert len(GOLDEN["cases"]) == 87


@cases("unique", "assumed")
def test_the_name_leads_to_the_known_place(case) -> None:
    place = look_up(case["query"])
    assert place.ref == case["ref"]
    assert place.name == case["name"]
    assert place.country == case["country"]
    assert place.timezone_id == case["timezone_id"]
    assert place.alt_timezone_id == case["alt_timezone_id"]
    assert place.longitude == pytest.approx(case["longitude"], abs=GOLDEN["tolerance_deg"])
    assert place.latitude == pytest.approx(case["latitude"], abs=GOLDEN["tolerance_deg"])
    assert [other.ref for other in place.passed_over] == case.get("passed_over", [])


@cases("ambiguous")
def test_the_name_is_put_back_with_the_known_candidates(case) -> None:
    with pytest.raises(PlaceAmbiguous) as caught:
        look_up(case["query"])
    assert [candidate["ref"] for candidate in caught.value.data["candidates"]] == case["candidates"]


@cases("not_found")
def test_the_name_is_not_found(case) -> None:
    with pytest.raises(PlaceNotFound) as caught:
        look_up(case["query"])
    assert caught.value.data["query"] == case["query"]


@sizes(3_000, 36_932)
def test_each_ref_of_the_table_leads_to_itself(count: int) -> None:
    numbers = [number for (number,) in store.rows("SELECT id FROM place")]
    assert len(numbers) == 36_932
    refs = [ref_of(number) for number in numbers[:: len(numbers) // count]]
    assert [ref for ref in refs if look_up(ref).ref != ref] == []


def test_each_merged_id_leads_to_its_place() -> None:
    merged = store.rows("SELECT gn, i FROM alias")
    assert len(merged) == 731
    assert [number for number, place in merged if look_up(ref_of(number)).ref != ref_of(place)] == []
