"""Which entries are one place, and which place outweighs another."""

import pytest

from bazi_core.place.clusters import MAJOR_CITY, Cluster, gather
from tests.tables import holds_for_all


def row(
    number: int, level=0, at=(40.0, 116.0), zone="Asia/Shanghai", people: int | None = None, times=None
) -> tuple:
    """A row of the view `entry`."""
    return (number, f"place {number}", "CN", "22", None, level, *at, zone, None, people, times)


def refs(*rows: tuple) -> list[str]:
    return [cluster.ref for cluster in gather(list(rows))]


@pytest.mark.parametrize(
    ("at", "together"),
    [
        ((40.25, 116.25), True),
        ((39.75, 115.75), True),
        ((40.251, 116.0), False),
        ((40.0, 116.251), False),
        ((40.0, 115.749), False),
    ],
)
def test_a_quarter_of_a_degree_both_ways_is_one_place(at: tuple[float, float], together: bool) -> None:
    assert refs(row(1, people=2), row(2, at=at, people=1)) == (["gn:1"] if together else ["gn:1", "gn:2"])


def test_places_that_meet_across_a_zone_border_stay_two() -> None:
    assert refs(row(1, people=2), row(2, zone="Asia/Urumqi", people=1)) == ["gn:1", "gn:2"]


def test_distance_is_from_the_head_and_does_not_chain() -> None:
    chain = [row(number, at=(40.0 + number / 5, 116.0), people=10 - number) for number in (1, 2, 3)]
    assert refs(*chain) == ["gn:1", "gn:3"]


def test_the_head_is_the_highest_entry_and_counts_the_people_of_all() -> None:
    (cluster,) = gather([row(9, people=900), row(-110105, level=3, people=5), row(-110227, level=2)])
    place = cluster.place()
    assert (place.ref, place.source, place.population) == ("cn:110105", "adcode", 900)


def test_of_equal_levels_the_larger_is_the_head_and_of_equal_sizes_the_first_ref() -> None:
    assert refs(row(1, people=5), row(2, people=6)) == ["gn:2"]
    assert refs(row(3), row(20), row(-659001)) == ["cn:659001"]
    assert refs(row(3), row(20)) == ["gn:20"]


def test_prefectures_come_first_then_the_larger() -> None:
    entries = [
        row(1, at=(10.0, 10.0), people=9_000),
        row(-110105, level=3, at=(20.0, 20.0), people=5),
        row(-110227, level=2, at=(30.0, 30.0), people=8_000),
        row(-220100, level=3, at=(40.0, 40.0), people=6),
    ]
    assert refs(*entries) == ["cn:220100", "cn:110105", "gn:1", "cn:110227"]


@holds_for_all(
    "level, people, rival_level, rival_people, outweighs",
    [
        (3, 200, 0, 100, True), (3, 199, 0, 100, False), (3, 1, 2, None, True), (3, None, 0, None, True),
        (3, 1000, 3, 1, False), (3, 1000, 3, None, False), (2, 800, 0, 100, True), (2, 799, 0, 100, False),
        (2, None, 0, None, True), (0, 800, 1, 100, True), (0, 1, 0, None, True), (0, None, 0, None, False),
        (0, 10_000, 3, None, False),
    ],
)  # fmt: skip
def test_a_prefecture_needs_twice_the_people_and_others_eight_times(
    level: int, people: int | None, rival_level: int, rival_people: int | None, outweighs: bool
) -> None:
    first = Cluster(row(1, level=level, people=people))
    assert first.outweighs(Cluster(row(2, level=rival_level, people=rival_people))) is outweighs


@holds_for_all(
    "level, people, rival_level, rival_people, outweighs",
    [
        (3, None, 0, 400_000, True), (3, 9, 0, 400_001, False), (2, None, 0, 50_000, True), (2, 9, 0, 50_001, False),
        (1, None, 0, 25_000, True), (1, None, 0, 25_001, False), (2, None, 1, 9, False), (0, None, 0, 9, False),
    ],
)  # fmt: skip
def test_in_chinese_characters_a_division_weighs_what_its_like_weigh_beside_a_place_that_is_none(
    level: int, people: int | None, rival_level: int, rival_people: int, outweighs: bool
) -> None:
    first, rival = row(1, level=level, people=people), row(2, level=rival_level, people=rival_people)
    assert Cluster(first, loose=True).outweighs(Cluster(rival, loose=True)) is outweighs
    assert not Cluster(first).outweighs(Cluster(rival))


def test_a_division_comes_first_where_it_outweighs_a_town_of_known_people() -> None:
    town, county = row(1, people=30_000), row(-110227, level=2, at=(20.0, 20.0))
    assert [cluster.ref for cluster in gather([town, county], loose=True)] == ["cn:110227", "gn:1"]
    assert refs(town, county) == ["gn:1", "cn:110227"]


# Places that are called otherwise


def weights(*rows: tuple, otherwise_named: set[int]) -> list[tuple[str, float]]:
    return [(cluster.ref, cluster.weight) for cluster in gather(list(rows), otherwise_named)]


def test_a_place_that_is_called_otherwise_weighs_a_tenth_of_its_people() -> None:
    rome, lome = row(1, people=30_000), row(2, at=(6.0, 1.0), people=200_000)
    assert weights(rome, lome, otherwise_named={2}) == [("gn:1", 30_000), ("gn:2", 20_000)]
    assert weights(rome, lome, otherwise_named=set()) == [("gn:2", 200_000), ("gn:1", 30_000)]


@pytest.mark.parametrize(("people", "weight"), [(MAJOR_CITY - 1, 300_000), (MAJOR_CITY, 0)])
def test_beside_a_major_city_of_the_name_it_weighs_nothing(people: int, weight: int) -> None:
    rivals = [row(2, at=(6.0, 1.0), people=3_000_000), row(3, at=(7.0, 9.0), people=9)]
    assert weights(row(1, people=people), *rivals, otherwise_named={2})[:2] == [
        ("gn:1", people),
        ("gn:2", weight),
    ]


def test_it_is_counted_and_shown_with_all_its_people_all_the_same() -> None:
    (cluster,) = gather([row(1, people=900)], otherwise_named={1})
    assert (cluster.weight, cluster.place().population) == (90, 900)


def test_a_prefecture_that_is_called_otherwise_neither_wins_nor_blocks_as_one() -> None:
    prefecture, city = row(-220100, level=3, people=4_000), row(1, at=(21.0, -86.0), people=3_200)
    first, second = gather([prefecture, city], otherwise_named={-220100})
    assert (first.ref, second.ref) == ("gn:1", "cn:220100")
    assert first.outweighs(second)
    prefecture, city = gather([prefecture, city])
    assert (prefecture.ref, city.ref) == ("cn:220100", "gn:1")
    assert not city.outweighs(prefecture)


def test_the_entry_that_bears_the_name_speaks_for_the_place_around_it() -> None:
    whole, quarter = row(1, people=7_000), row(2, people=950)
    (cluster,) = gather([whole, quarter], otherwise_named={1})
    assert (cluster.ref, cluster.weight, cluster.population) == ("gn:2", 950, 7_000)


def test_a_prefecture_that_bears_the_name_makes_the_place_around_it_one() -> None:
    (cluster,) = gather([row(-110105, level=3, people=9), row(-110106, level=3, people=5)], {-110105})
    assert (cluster.ref, cluster.is_prefecture) == ("cn:110106", True)


# Capitals and the largest agglomerations, counties of unknown people, names that are only a sound


def test_an_eminent_place_needs_fewer_times_the_people_of_its_rivals() -> None:
    athens, georgia = row(1, people=664_046, times=2), row(2, at=(33.0, -83.0), people=127_315)
    first, second = gather([athens, georgia])
    assert first.outweighs(second)
    assert not Cluster((*athens[:11], None)).outweighs(second)
    assert not Cluster((*athens[:10], 250_000, 2)).outweighs(second)


def test_characters_that_write_the_sound_of_a_name_make_no_place_eminent() -> None:
    santiago, san_diego = row(1, people=4_837_295, times=2), row(2, at=(32.7, -117.1), people=1_404_452)
    assert gather([santiago, san_diego])[0].outweighs(Cluster(san_diego))
    first, second = gather([santiago, san_diego], loose=True)
    assert not first.outweighs(second)


def test_an_eminent_place_is_never_passed_over_by_one_that_is_not() -> None:
    canada, seychelles = row(1, people=9_000_000), row(2, at=(-4.6, 55.4), people=22_881, times=2)
    first, second = gather([canada, seychelles])
    assert (first.ref, first.outweighs(second)) == ("gn:1", False)


@pytest.mark.parametrize(
    ("people", "level", "loose", "taken"),
    [
        (MAJOR_CITY, 0, False, True),
        (MAJOR_CITY - 1, 0, False, False),
        (MAJOR_CITY, 0, True, False),
        (1_000, 3, True, True),
        (1_000_000, 2, True, False),
    ],
)
def test_a_county_of_unknown_people_is_passed_over_only_for_a_prefecture_or_a_major_city(
    people: int, level: int, loose: bool, taken: bool
) -> None:
    first = Cluster(row(1, level=level, people=people), loose=loose)
    county = Cluster(row(-350425, level=2, at=(25.7, 117.8)), loose=loose)
    assert first.outweighs(county) is taken


def test_a_former_name_in_characters_never_passes_over_who_bears_it() -> None:
    saigon, sai_kung = row(1, people=14_000_000), row(2, at=(22.4, 114.3), people=35_800)
    for loose in (True, False):
        first, second = gather([saigon, sai_kung], {1}, loose)
        assert (first.ref, first.outweighs(second)) == ("gn:1", not loose)


def test_those_passed_over_are_told_in_the_order_of_their_people() -> None:
    rows = [row(1, people=700_000), row(2, at=(1.0, 1.0), people=9), row(3, at=(9.0, 9.0), people=90_000)]
    assert [cluster.ref for cluster in gather(rows, {3})] == ["gn:1", "gn:3", "gn:2"]
