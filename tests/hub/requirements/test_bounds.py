"""Arguments at the edges of what is promised: the last that is taken, the first that is not."""

import pytest

from bazi_core.errors import DataCorrupt, EphemerisMissing
from bazi_hub.tools.arguments import problems
from bazi_hub.tools.births import YEARS, chart_of
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.refusals import refusal
from tests.hub.worlds import BIRTH, T1, T3, T4, in_world
from tests.tables import holds_for_all

METADATA = {"agent_name": "a", "agent_version": "1", "platform": "other"}
POST = {"title": "t", "content": "c"}
COMMENT = {"post_id": "00000000-0000-4000-8000-00000000ffff", "content": "c"}
READ = {"year_analysis_result": {}, "pattern_result": {}}
ASK = {"base_context": {}, "pattern_result": {}, "target_year": 2026}
SIGNED = {**POST, "agent_metadata": METADATA}
# tool, the arguments around it, where; the first and last that are taken, and what lies just beyond
EDGES = [
    (T1, BIRTH, "birth_month", (1, 12), (0, 13)),
    (T1, BIRTH, "birth_day", (1, 31), (0, 32)),
    (T1, BIRTH, "birth_hour", (0, 23), (-1, 24)),
    (T1, BIRTH, "birth_minute", (0, 59), (-1, 60)),
    (T1, BIRTH, "gender", ("male", "female"), ("Male", "")),
    (T1, BIRTH, "location.city_name", ("x", "x" * 100), ("", "x" * 101)),
    (T1, BIRTH, "location.longitude", (-180, 180), (-180.001, 180.001)),
    (T1, BIRTH, "location.latitude", (-90, 90), (-90.001, 90.001)),
    (T1, BIRTH, "location.timezone_offset", (-16, 16, 5.75), (-16.25, 16.25)),
    (T1, BIRTH, "options.fold", (0, 1), (-1, 2, "0")),
    (T3, ASK, "target_year", YEARS, (YEARS[0] - 1, YEARS[1] + 1)),
    (T4, READ, "question", ("", "问" * 500), ("问" * 501, 7)),
    (T4, READ, "language", ("zh-Hans", "zh-Hant", "en"), ("fr", "zh")),
    (T4, READ, "tone", ("neutral", "warm", "direct"), ("cold",)),
    (T4, READ, "length", ("short", "standard", "long"), ("tiny",)),
    ("forum_create_post", POST, "title", ("x", "字" * 120), ("", "字" * 121)),
    ("forum_create_post", POST, "content", ("x", "字" * 20_000), ("", "字" * 20_001)),
    ("forum_create_post", POST, "tags", ([], ["字" * 32] * 10), (["x"] * 11, ["字" * 33], [""])),
    ("forum_create_post", POST, "bazi_year", (1, 9999), (0, 10_000)),
    ("forum_create_post", POST, "author_display_name", ("x", "字" * 64), ("", "字" * 65)),
    ("forum_create_post", SIGNED, "agent_metadata.agent_name", ("x", "x" * 64), ("", "x" * 65)),
    ("forum_create_post", SIGNED, "agent_metadata.agent_version", ("x", "x" * 32), ("", "x" * 33)),
    (
        "forum_create_post", SIGNED, "agent_metadata.platform",
        ("cursor", "cline", "coze", "langchain", "other"), ("Cursor", ""),
    ),
    ("forum_create_comment", COMMENT, "content", ("x", "字" * 5000), ("", "字" * 5001)),
    ("forum_like_post", {"post_id": COMMENT["post_id"]}, "action", ("like", "unlike"), ("Like", "")),
]  # fmt: skip


def put(arguments, where, value):
    """The arguments with a value at a dotted path."""
    first, _, rest = where.partition(".")
    return {**arguments, first: put(arguments.get(first, {}), rest, value) if rest else value}


@holds_for_all("tool, around, where, taken, beyond", EDGES)
def test_an_argument_is_taken_up_to_its_edge_and_not_beyond(tool, around, where, taken, beyond):
    for value in taken:
        assert problems(CATALOG[tool], put(around, where, value)) == []
    for value in beyond:
        wrong = problems(CATALOG[tool], put(around, where, value))
        assert wrong
        assert all(f"{issue.path}.".startswith(f"{where}.") for issue in wrong)


@pytest.mark.parametrize(
    ("tool", "around", "where", "most"),
    [(T4, READ, "question", 500), (T1, BIRTH, "location.city_name", 100), (T1, BIRTH, "location.timezone_id", 64)],
)  # fmt: skip
def test_a_letter_and_its_accent_are_one_character(tool, around, where, most):
    letter = "e\u0301"
    assert problems(CATALOG[tool], put(around, where, letter * most)) == []
    [wrong] = problems(CATALOG[tool], put(around, where, letter * (most + 1)))
    assert wrong == (where, f"Must have at most {most} characters, got {most + 1}")


def test_births_of_1900_to_2100_can_be_computed_and_the_schema_says_so():
    assert YEARS[0] <= 1900
    assert YEARS[1] >= 2100
    for tool, name in ((T1, "birth_year"), (T3, "target_year")):
        published = CATALOG[tool].schema["properties"][name]
        assert (published["minimum"], published["maximum"]) == YEARS


@pytest.mark.parametrize(
    ("city", "zone", "longitude"),
    [("Beijing", "Asia/Shanghai", 116), ("New York", "America/New_York", -74), ("Tokyo", "Asia/Tokyo", 140)],
)
def test_the_cities_that_are_named_as_examples_are_found(city, zone, longitude):
    place = chart_of({**BIRTH, "location": {"city_name": city}}).birth.place
    assert (place.timezone_id, round(place.longitude)) == (zone, longitude)


@pytest.mark.parametrize("fault", [EphemerisMissing("gone"), DataCorrupt("torn")])
def test_an_installation_that_lacks_its_tables_is_not_the_callers_doing(fault):
    assert refusal(CATALOG[T1], fault).name == "CONFIG_ERROR"


@in_world
async def test_a_list_of_posts_has_twenty_of_them_and_a_page_at_most_fifty(world):
    for _ in range(52):
        world.clock.advance(60)
        await world.told("forum_create_post", POST)
    for limit, count in ((None, 20), (50, 50), (51, 50)):
        arguments = {} if limit is None else {"limit": limit}
        assert len((await world.told("forum_list_posts", arguments))["posts"]) == count
