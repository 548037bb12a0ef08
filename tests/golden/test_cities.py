"""Major cities of the world by their names in English and Chinese: each is taken, or asked about, as it should be.

`ask` stands where another place of the name is well known in its own country; `ref` is then one of the choices.
"""

import csv
from collections import Counter
from pathlib import Path

from bazi_core.errors import PlaceAmbiguous
from bazi_core.place.gazetteer import look_up

FILE = Path(__file__).parents[2] / "data/golden/places/major_cities.csv"
CITIES = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))


def answer(query: str) -> tuple[str, list[str]]:
    """Whether a name is taken or asked about, and the refs that come with it."""
    try:
        return "taken", [look_up(query).ref or ""]
    except PlaceAmbiguous as error:
        return "ask", [candidate["ref"] for candidate in error.data["candidates"]]


def test_the_list_holds_more_than_four_hundred_cities_in_two_languages() -> None:
    assert Counter((city["language"], city["answer"]) for city in CITIES) == {
        ("en", "taken"): 466, ("en", "ask"): 23, ("zh", "taken"): 781, ("zh", "ask"): 27,
    }  # fmt: skip
    assert len({city["query"] for city in CITIES}) == len(CITIES)


def test_each_city_is_taken_or_asked_about_as_it_should_be() -> None:
    wrong = []
    for city in CITIES:
        how, refs = answer(city["query"])
        if how != city["answer"] or city["ref"] not in refs:
            wrong.append((city["query"], city["answer"], how, refs[:3]))
    assert wrong == []


def test_the_country_makes_the_question_go_away() -> None:
    asked = [city for city in CITIES if city["answer"] == "ask" and city["language"] == "en"]
    still = {city["query"] for city in asked if answer(f"{city['query']}, {city['country']}")[0] == "ask"}
    assert still == {"Suzhou", "Fuzhou", "Columbus"}
