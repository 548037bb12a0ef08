"""Names, regions and refs to places; ambiguity; misses; hostile input."""

import math
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from bazi_core.errors import PlaceAmbiguous, PlaceError, PlaceNotFound
from bazi_core.place import gazetteer, store
from bazi_core.place.gazetteer import Place, attribution, look_up, near_xinjiang_clock, verify
from tests.tables import holds_for_all, rows_of


def refused(query: str) -> PlaceError:
    with pytest.raises(PlaceError) as caught:
        look_up(query)
    return caught.value


# What a place is


def test_a_place_prints_what_was_used() -> None:
    assert str(look_up("北京")) == "北京市 116.407E 39.904N Asia/Shanghai (cn:110000)"
    assert str(look_up("São Paulo")) == "São Paulo 46.636W 23.547S America/Sao_Paulo (gn:3448439)"


def test_a_place_given_by_coordinates_prints_only_what_is_known() -> None:
    assert str(Place("home", 12.5)) == "home 12.500E"
    assert str(Place(None, -0.5, -0.25, "Etc/UTC")) == "0.500W 0.250S Etc/UTC"
    assert str(Place(None, None)) == ""


def test_the_json_form_has_nine_keys_and_no_others() -> None:
    assert look_up("Ürümqi").to_dict() == {
        "name": "乌鲁木齐市", "ref": "cn:650100", "country": "CN", "admin": "新疆维吾尔自治区",
        "longitude": 87.617, "latitude": 43.826, "timezone_id": "Asia/Shanghai",
        "alt_timezone_id": "Asia/Urumqi", "source": "adcode",
    }  # fmt: skip
    assert look_up("New York").to_dict()["source"] == "geonames"
    assert Place("home", 1.0).to_dict()["source"] == "user"


# What a name leads to


@holds_for_all("query, outcome, refs, why", rows_of("core/place/queries.csv"))
def test_a_name_leads_to_its_place_to_a_question_or_to_none(
    query: str, outcome: str, refs: str, why: str
) -> None:
    if outcome == "place":
        place = look_up(query)
        assert place.ref == refs
        assert why != "form of a query" or place.passed_over == ()
        return
    error = refused(query)
    assert isinstance(error, PlaceAmbiguous if outcome == "asks" else PlaceNotFound)
    assert {*refs.split()} <= {candidate["ref"] for candidate in error.data.get("candidates", ())}


@pytest.mark.exhaustive
def test_the_address_of_every_division_leads_to_it_or_to_its_own_town() -> None:
    rows = store.rows("SELECT id, name, admin, lat, lon FROM entry WHERE id < 0 AND name IS NOT admin")
    assert len(rows) > 3000
    for number, name, admin, latitude, longitude in rows:
        found = look_up(f"{admin or ''}{name}")
        if found.ref != f"cn:{-number}":
            assert found.latitude == pytest.approx(latitude, abs=0.25), (admin, name)
            assert found.longitude == pytest.approx(longitude, abs=0.25), (admin, name)


def test_the_code_between_a_municipality_and_its_districts_is_the_municipality() -> None:
    assert look_up("310100").name == "上海市"


# One, assumed, or ambiguous


def test_a_far_heavier_place_is_assumed_and_says_what_it_passed_over() -> None:
    place = look_up("Paris")
    assert place.ref == "gn:2988507"
    assert [other.ref for other in place.passed_over] == ["gn:4717560"]
    assert place.population is not None
    assert place.passed_over[0].population is not None
    assert place.population >= 8 * place.passed_over[0].population


def test_a_place_that_is_not_heavy_enough_is_ambiguous() -> None:
    error = refused("Birmingham")
    assert isinstance(error, PlaceAmbiguous)
    first, second = (candidate["population"] for candidate in error.data["candidates"][:2])
    assert second < first < 8 * second


def test_two_prefectures_of_one_name_are_never_decided_by_population() -> None:
    candidates = refused("朝阳").data["candidates"]
    assert [candidate["ref"] for candidate in candidates[:2]] == ["cn:211300", "cn:110105"]


def test_districts_and_their_city_are_one_answer() -> None:
    assert look_up("平遥").passed_over == ()
    assert look_up("大理").ref == "cn:532900"


def test_candidates_have_these_keys_and_each_ref_is_accepted_back() -> None:
    for query in ("朝阳", "Springfield", "温哥华", "鼓楼区", "San José"):
        error = refused(query)
        assert error.code == "PLACE_AMBIGUOUS"
        assert error.exit_status == 3
        assert error.data["query"] == query
        for candidate in error.data["candidates"]:
            assert " ".join(candidate) == "ref name admin country longitude latitude timezone_id population"
            place = look_up(candidate["ref"])
            assert place.ref == candidate["ref"]
            assert (place.longitude, place.timezone_id) == (candidate["longitude"], candidate["timezone_id"])


def test_the_hint_of_an_ambiguous_name_names_a_ref() -> None:
    assert "cn:211300" in refused("朝阳").hint


# Names that are a place's own, and names that it only also goes by


def test_who_bears_a_name_is_asked_no_question_about_who_only_also_goes_by_it() -> None:
    place = look_up("Philadelphia")
    assert (place.ref, [other.name for other in place.passed_over]) == ("gn:4560349", ["Amman"])
    assert look_up("Philadelphia, Jordan").name == "Amman"


@pytest.mark.parametrize(
    ("query", "name"), [("Nara", "Nara-shi"), ("Leon", "León de los Aldama"), ("Lipa", "Lipa City")]
)
def test_a_longer_name_that_begins_with_the_words_asked_for_is_a_name_of_its_own(
    query: str, name: str
) -> None:
    assert look_up(query).name == name


@pytest.mark.parametrize(("query", "name"), [("Chi", "Chicago"), ("Hull", "Kingston upon Hull")])
def test_a_name_that_begins_with_the_letters_or_ends_with_the_words_is_another_name(
    query: str, name: str
) -> None:
    assert name in [candidate["name"] for candidate in refused(query).data["candidates"]]


def test_an_old_name_still_leads_to_a_place_that_is_far_larger_than_those_who_bear_it() -> None:
    assert look_up("Canton").ref == "cn:440100"
    assert {other.country for other in look_up("Canton").passed_over} == {"US"}


def test_a_name_that_nobody_bears_is_weighed_by_people_and_level_alone() -> None:
    place = look_up("Ichang")
    assert place.ref == "cn:420500"
    assert place.population < 8 * place.passed_over[0].population


@pytest.mark.parametrize(
    ("name", "own", "bears"),
    [
        ("新野", ("Xinye", "新野县", "CN", 0), True),
        ("汉城", ("Xinye", "新野县", "CN", 0), False),
        ("xinye", ("Xinye", "新野县", "CN", 0), True),
        ("雅典", ("Athens", None, "US", 0), False),
        ("雅典", ("Athens", None, "GR", 1), True),
        ("大阪", ("Osaka", None, "JP", 0), True),
        ("stpetersburg", ("Saint Petersburg", None, "RU", 1), True),
    ],
)
def test_a_name_is_a_places_own_as_it_begins_is_written_in_its_country_or_is_listed(
    name: str, own: tuple, bears: bool
) -> None:
    assert gazetteer._bears(name, *own) is bears


def test_two_towns_of_one_chinese_name_stay_a_question() -> None:
    assert len(refused("盘锦市").data["candidates"]) == 2


@pytest.mark.exhaustive
def test_every_place_with_a_latin_name_bears_it() -> None:
    names = [
        (number, name)
        for number, name in store.rows("SELECT id, name FROM place")
        if gazetteer._fold(name).isascii()
    ]
    assert len(names) > 30_000
    assert [name for _, name in names if gazetteer._fold(name) not in gazetteer._beginnings(name)] == []


def test_candidates_are_told_in_the_order_of_their_people() -> None:
    for query in ("奥克兰", "圣地亚哥", "Salisbury", "西贡"):
        people = [candidate["population"] for candidate in refused(query).data["candidates"]]
        assert people == sorted(people, reverse=True)


@holds_for_all("query", [None, 123, 1.5, float("nan"), [], {}, b"Beijing", object()])
def test_what_is_no_text_is_refused_with_advice(query: object) -> None:
    with pytest.raises(PlaceNotFound) as caught:
        look_up(query)  # type: ignore[arg-type]
    assert "text" in caught.value.hint


# Misses


@pytest.mark.parametrize(
    ("query", "suggestion"),
    [
        ("Beijng", "Beijing"), ("Guangzou", "Guangzhou"), ("san franzisko", "San Francisco"),
        ("Calcuttta, IN", "Kolkata"), ("呼和浩待", "呼和浩特"), ("内蒙古/呼和浩待", "呼和浩特"),
    ],
)  # fmt: skip
def test_a_misspelt_name_gets_suggestions_that_are_places(query: str, suggestion: str) -> None:
    error = refused(query)
    assert error.code == "PLACE_NOT_FOUND"
    assert error.data["suggestions"][0] == suggestion
    assert len(error.data["suggestions"]) <= 5
    assert look_up(suggestion).name


def test_a_province_gets_the_hint_to_name_a_city_of_it() -> None:
    assert "of that area" in refused("吉林省").hint
    assert "of that area" not in refused("Beijng").hint


@pytest.mark.parametrize("query", ["China", "中国", "United States", "Illinois", "日本"])
def test_whoever_names_an_area_has_misspelt_no_town(query: str) -> None:
    error = refused(query)
    assert (error.data["suggestions"], str(error)) == ([], f"'{query}' is an area, not one place")


def test_nothing_close_means_no_suggestions() -> None:
    assert refused("qqqqzzzzxxxx").data["suggestions"] == []


@holds_for_all(
    "query",
    ["", " ", ".", ",", "/", ", ,", "//", "，／", "a" * 101, "a" * 1_000_000, "北" * 101, "Beijing\x00", "Bei\njing",
     "Bei\x1b[31mjing", "\x00", "\ud800", "北\udfff京", "'; DROP TABLE place; --", '" OR 1=1', "%", "*", "?????", "[a-z]*",
     "Beijing, *", "a," * 50, "/".join("北京上海" * 12), "中国" * 50, "吉林" * 50, "\U0010ffff", "\ufdfa" * 100, "ﷺ, ﷺ", "🜁",
     "\u202eBeijng\u202c"],
    lambda query: ascii(query)[:20],
)  # fmt: skip
def test_hostile_input_is_not_found_with_small_data_that_fits_json(query: str) -> None:
    error = refused(query)
    assert error.code == "PLACE_NOT_FOUND"
    assert len(error.data["query"]) <= 100
    assert len(error.message) < 1200
    assert all(character.isprintable() for character in error.data["query"])
    assert look_up("cn:110000").name == "北京市"


# China and Xinjiang


def test_every_place_of_china_is_on_beijing_time() -> None:
    assert store.rows("SELECT DISTINCT tz FROM entry WHERE cc = 'CN'") == [("Asia/Shanghai",)]


def test_ürümqi_time_is_kept_in_xinjiang_only() -> None:
    rows = store.rows("SELECT cc, alt_tz, lon, lat FROM entry WHERE alt_tz IS NOT NULL")
    assert len(rows) == 193
    assert {row[:2] for row in rows} == {("CN", "Asia/Urumqi")}
    assert all(73 < longitude < 97 and 34 < latitude < 50 for _, _, longitude, latitude in rows)


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("台北", "Asia/Taipei"),
        ("香港", "Asia/Hong_Kong"),
        ("澳门", "Asia/Macau"),
        ("gn:13527316", "Asia/Macau"),
    ],
)
def test_taiwan_hong_kong_and_macau_keep_their_zones(name: str, zone: str) -> None:
    assert look_up(name).timezone_id == zone
    assert look_up(name).alt_timezone_id is None


def arc_km(longitude: float, latitude: float, other_longitude: float, other_latitude: float) -> float:
    """The spherical law of cosines: not the formula under test."""
    a, b = math.radians(latitude), math.radians(other_latitude)
    turn = math.cos(math.radians(longitude - other_longitude))
    return 6371.0 * math.acos(min(1.0, math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * turn))


@pytest.mark.exhaustive
def test_coordinates_are_near_xinjiang_within_a_hundred_kilometres() -> None:
    places = store.rows("SELECT lon, lat FROM entry WHERE alt_tz IS NOT NULL")
    chance = random.Random(20240204)
    answers = set()
    for _ in range(2000):
        longitude, latitude = chance.uniform(70, 100), chance.uniform(32, 52)
        distance = min(arc_km(longitude, latitude, *place) for place in places)
        assert near_xinjiang_clock(longitude, latitude) == (distance <= 100), (longitude, latitude, distance)
        answers.add(distance <= 100)
    assert answers == {True, False}


def test_coordinates_far_from_xinjiang_do_not_open_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gazetteer, "_xinjiang", lambda: pytest.fail("the table was asked"))
    assert not near_xinjiang_clock(116.4, 39.9)
    assert not near_xinjiang_clock(-87.6, 41.9)
    assert not near_xinjiang_clock(math.nan, 44.0)
    assert not near_xinjiang_clock(math.inf, 44.0)


# The table as a whole


@pytest.mark.exhaustive
def test_threads_that_share_the_table_all_get_the_answers_of_one() -> None:
    names = [n for (n,) in store.rows("SELECT n FROM name WHERE i % 97 = 0 ORDER BY n")][:1500]

    def ask(name: str) -> str:
        try:
            return str(gazetteer._look_up.__wrapped__(name))
        except PlaceAmbiguous as error:
            return str(error.data)

    alone = [ask(name) for name in names]
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: [ask(name) for name in names], range(8)))
    assert all(run == alone for run in runs)


def test_a_second_question_is_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    first = look_up("平遥")
    monkeypatch.setattr(store, "rows", lambda *_: pytest.fail("the table was asked"))
    assert look_up("平遥") is first


def test_every_zone_of_the_table_is_in_the_zone_data() -> None:
    from importlib.resources import files

    known = set(files("tzdata").joinpath("zones").read_text().split())
    assert [key for (key,) in store.rows("SELECT key FROM zone") if key not in known] == []


def test_all_coordinates_are_on_earth() -> None:
    where = "lat NOT BETWEEN -90 AND 90 OR lon NOT BETWEEN -180 AND 180"
    assert store.rows(f"SELECT id FROM entry WHERE {where}") == []


def test_the_credit_names_both_sources_licences_and_changes() -> None:
    for word in ("GeoNames", "CC BY 4.0", "cpca", "MIT", "changed"):
        assert word in attribution()


def test_the_shipped_table_is_what_its_manifest_says() -> None:
    assert verify() == []
