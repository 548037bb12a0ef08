"""Well-known cities by their plain English names: which are taken, and which are put back as a question.

`ref` is the city that most people mean. A name is `ambiguous` where another bearer is large enough to be meant.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from bazi_core.errors import PlaceAmbiguous
from bazi_core.place.gazetteer import look_up
from tests.tables import holds_for_all

FILE = Path(__file__).with_name("world_cities.csv")
CITIES = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))


def cities(answer: str):
    chosen = [city for city in CITIES if city["answer"] == answer]
    return holds_for_all("city", chosen, lambda city: city["name"])


def test_most_of_the_cities_are_taken_by_name_alone() -> None:
    assert Counter(city["answer"] for city in CITIES) == {"taken": 354, "ambiguous": 36}
    assert len({city["name"] for city in CITIES}) == len(CITIES)


@cities("taken")
def test_the_name_alone_leads_to_the_city(city: dict[str, str]) -> None:
    place = look_up(city["name"])
    assert (place.ref, place.country) == (city["ref"], city["country"])


@cities("ambiguous")
def test_the_name_is_put_back_and_the_city_is_one_of_the_choices(city: dict[str, str]) -> None:
    with pytest.raises(PlaceAmbiguous) as caught:
        look_up(city["name"])
    choices = caught.value.data["candidates"]
    assert (city["ref"], city["country"]) in [(choice["ref"], choice["country"]) for choice in choices]
