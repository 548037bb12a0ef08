"""f1–f5: who writes, what is kept of what is written, and what lists show."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.facts import canonical_json
from bazi_hub.words.call import Caller
from bazi_hub.words.text_rules import METADATA_BYTES, _exceeds, cleaned, prepared
from tests.hub.worlds import AGENT, BROWSER, ME, in_world
from tests.tables import holds_for_all

OTHER = Caller("account-1", "agent", "key-3")
METADATA = {"agent_name": "Oracle", "agent_version": "1.0", "platform": "cursor"}
NOBODY = "00000000-0000-4000-8000-00000000ffff"


async def post(world, caller=ME, **members):
    world.clock.advance(60)
    return (await world.told("forum_create_post", {"title": "t", "content": "c", **members}, caller))[
        "post_id"
    ]


async def read(world, post_id):
    return (await world.told("forum_get_post", {"post_id": post_id}))["post"]


@pytest.mark.parametrize(
    ("caller", "kind", "name"),
    [
        (ME, "human", "神秘 Agent 🤖"),
        (BROWSER, "human", "神秘 Agent 🤖"),
        (AGENT, "agent", "Oracle 🤖"),
        (OTHER, "agent", "神秘 Agent 🤖"),
    ],
)
@in_world
async def test_who_wrote_is_known_from_the_credential(world, caller, kind, name):
    post_id = await post(world, caller, author_type="human" if kind == "agent" else "agent")
    found = await read(world, post_id)
    assert (found["author_type"], found["author_display_name"]) == (kind, name)
    await world.told("forum_create_comment", {"post_id": post_id, "content": "c"}, caller)
    [comment] = (await world.told("forum_get_post", {"post_id": post_id}))["comments"]
    assert (comment["author_type"], comment["author_display_name"]) == (kind, name)


@in_world
async def test_an_author_may_give_a_name(world):
    assert (await read(world, await post(world, author_display_name=" 子平 ")))[
        "author_display_name"
    ] == "子平"


@in_world
async def test_a_list_shows_the_first_two_hundred_characters_and_a_post_all(world):
    post_id = await post(world, content="字" * 201, tags=["流年"], bazi_year=2026, agent_metadata=METADATA)
    [shown] = (await world.told("forum_list_posts"))["posts"]
    assert list(shown) == [
        "id", "title", "content", "author_display_name", "author_type", "tags", "bazi_year", "likes_count",
        "comments_count", "created_at",
    ]  # fmt: skip
    assert (shown["content"], shown["tags"], shown["bazi_year"]) == ("字" * 200, ["流年"], 2026)
    whole = await read(world, post_id)
    assert (whole["content"], whole["agent_metadata"]) == ("字" * 201, METADATA)


@pytest.mark.parametrize("include", ["agent_metadata", ["agent_metadata"]])
@in_world
async def test_metadata_is_listed_where_it_is_asked_for(world, include):
    await post(world, agent_metadata=METADATA)
    await post(world)
    shown = (await world.told("forum_list_posts", {"include": include}))["posts"]
    assert [each["agent_metadata"] for each in shown] == [None, METADATA]


@in_world
async def test_posts_are_listed_newest_first_by_pages_and_beyond_the_last_there_are_none(world):
    made = [await post(world) for _ in range(5)]
    pages = [
        (await world.told("forum_list_posts", {"page": page, "limit": 2}))["posts"] for page in (1, 2, 3, 4)
    ]
    assert [[each["id"] for each in page] for page in pages] == [
        [made[4], made[3]], [made[2], made[1]], [made[0]], [],
    ]  # fmt: skip


@pytest.mark.parametrize(("page", "limit", "count"), [(0, 0, 1), (-5, 2, 2), (1, 1000, 3), (10**30, 20, 0)])
@in_world
async def test_a_page_out_of_bounds_is_brought_inside(world, page, limit, count):
    for _ in range(3):
        await post(world)
    assert len((await world.told("forum_list_posts", {"page": page, "limit": limit}))["posts"]) == count


@in_world
async def test_tags_and_years_are_matched_exactly_and_both_together(world):
    both = await post(world, tags=["a", "b"], bazi_year=2026)
    await post(world, tags=["A"], bazi_year=2026)
    for wanted, found in (
        ({"tag": "a"}, [both]),
        ({"tag": "a", "bazi_year": 2026}, [both]),
        ({"tag": "a", "bazi_year": 2025}, []),
    ):
        assert [each["id"] for each in (await world.told("forum_list_posts", wanted))["posts"]] == found


@in_world
async def test_only_the_first_fifty_comments_are_shown_oldest_first(world):
    post_id = await post(world)
    for number in range(52):
        world.clock.advance(60)
        await world.told("forum_create_comment", {"post_id": post_id, "content": str(number)})
    found = await world.told("forum_get_post", {"post_id": post_id})
    assert [each["content"] for each in found["comments"]] == [str(number) for number in range(50)]
    assert found["post"]["comments_count"] == 52


@in_world
async def test_a_like_counts_once_and_taking_it_back_always_works(world):
    post_id = await post(world)
    for action, count in (("like", 1), ("like", 1), ("unlike", 0), ("unlike", 0), ("like", 1)):
        assert await world.told("forum_like_post", {"post_id": post_id, "action": action}) == {
            "success": True,
            "action": action,
        }
        assert (await read(world, post_id))["likes_count"] == count
    assert (await world.told("forum_like_post", {"post_id": post_id.upper()}))["action"] == "like"


@pytest.mark.parametrize("tool", ["forum_get_post", "forum_create_comment", "forum_like_post"])
@in_world
async def test_an_unknown_post_is_not_found_and_a_malformed_id_is_invalid(world, tool):
    rest = {"content": "c"} if tool == "forum_create_comment" else {}
    error = await world.refused(tool, {"post_id": NOBODY, **rest})
    assert (error.name, error.members) == ("NOT_FOUND", {"resource": "post", "id": NOBODY})
    for bad in ("x", NOBODY + "0", 3):
        assert (await world.refused(tool, {"post_id": bad, **rest})).data["issues"][0]["path"] == "post_id"


@in_world
async def test_a_hidden_post_is_nowhere(world):
    post_id = await post(world)
    await world.storage.forum.hide("post", post_id, True, "spam", "op")
    assert (await world.told("forum_list_posts"))["posts"] == []
    assert (await world.refused("forum_get_post", {"post_id": post_id})).name == "NOT_FOUND"


BAD = [
    ({"title": "  "}, "title"),
    ({"title": "x" * 121}, "title"),
    ({"content": "\u202e \n"}, "content"),
    ({"content": "x" * 20_001}, "content"),
    ({"tags": ["x"] * 3 + [str(n) for n in range(10)]}, "tags"),
    ({"tags": [""]}, "tags.0"),
    ({"tags": ["x" * 33]}, "tags.0"),
    ({"bazi_year": 0}, "bazi_year"),
    ({"bazi_year": 10_000}, "bazi_year"),
    ({"author_display_name": ""}, "author_display_name"),
    ({"agent_metadata": {**METADATA, "model": "x"}}, "agent_metadata.model"),
    ({"agent_metadata": {"agent_name": "a", "agent_version": "1"}}, "agent_metadata.platform"),
    ({"agent_metadata": {**METADATA, "platform": "emacs"}}, "agent_metadata.platform"),
    ({"agent_metadata": {**METADATA, "agent_name": ""}}, "agent_metadata.agent_name"),
]


@holds_for_all("change, path", BAD)
@in_world
async def test_what_is_wrong_with_a_post_is_said_at_its_place(world, change, path):
    error = await world.refused("forum_create_post", {"title": "t", "content": "c", **change})
    assert {issue["path"] for issue in error.data["issues"]} == {path}


@in_world
async def test_double_tags_are_dropped_before_they_are_counted(world):
    tags = [*map(str, range(10)), "0", " 1 "]
    assert (await read(world, await post(world, tags=tags)))["tags"] == [*map(str, range(10))]


def test_metadata_is_measured_before_its_fields_are_looked_at():
    arguments = {"agent_metadata": {**METADATA, "more": "x" * METADATA_BYTES}}
    assert prepared(arguments)[1] == [("agent_metadata", "agent_metadata exceeds 4KB size cap")]
    brim = METADATA_BYTES - len(json.dumps({"a": ""}, separators=(",", ":")))
    assert prepared({"agent_metadata": {"a": "x" * (brim - 1)}})[1] == []
    assert prepared({"agent_metadata": {"a": "x" * brim}})[1] != []


@in_world
async def test_names_and_titles_hold_nothing_that_nobody_sees(world):
    unseen = "\u200bad\u00admin\U000e0041\u3164\ufeff"
    named = {"agent_name": unseen, "agent_version": "1", "platform": "other"}
    kept = await read(
        world,
        await post(world, title=unseen, tags=[unseen], author_display_name=unseen, agent_metadata=named),
    )
    seen = kept["title"], *kept["tags"], kept["author_display_name"], kept["agent_metadata"]["agent_name"]
    assert set(seen) == {"admin"}
    for name in ("title", "author_display_name"):
        world.clock.advance(60)
        error = await world.refused("forum_create_post", {"title": "t", "content": "c", name: "\u2800\u200b"})
        assert [issue["path"] for issue in error.data["issues"]] == [name]


@given(st.text(), st.booleans())
def test_a_cleaned_text_is_not_cleaned_further(text, lines):
    once = cleaned(text, lines)
    assert cleaned(once, lines) == once
    assert not {"\x00", "\u202e", "\u2066", "\r"} & set(once)


class Censor:
    def __init__(self, verdict):
        self.verdict = verdict

    async def review(self, kind, text, author):
        return self.verdict, "no"


@in_world
async def test_a_rejected_text_is_invalid_input_and_a_held_one_is_stored_hidden(world):
    world.hub.moderation = Censor("reject")
    error = await world.refused("forum_create_post", {"title": "t", "content": "c"})
    assert error.data["reason"] == "CONTENT_REJECTED"
    world.hub.moderation = Censor("hold")
    assert await post(world)
    assert (await world.told("forum_list_posts"))["posts"] == []


class Counted:
    """Something that is no text, and knows how often it was looked at."""

    looks = 0

    def __eq__(self, other: object) -> bool:
        Counted.looks += 1
        return self is other

    __hash__ = None


def test_ten_thousand_tags_are_not_compared_with_each_other():
    tags = [*(Counted() for _ in range(1000)), *map(str, range(10_000)), "0"]
    made, _ = prepared({"tags": tags})
    assert (len(made["tags"]), Counted.looks) == (11_001, 0)


@in_world
async def test_a_tag_is_looked_for_as_it_is_stored(world):
    await post(world, tags=["Jose\u0301"])
    for tag in ("Jos\u00e9", "Jose\u0301", " Jos\u00e9\0"):
        assert len((await world.told("forum_list_posts", {"tag": tag}))["posts"]) == 1
    assert (await world.told("forum_list_posts", {"tag": "\0"}))["posts"] == []


# What composes to less than it was, or is written shorter: marks, Hangul, one sign for another, numbers.
SHRINKING = st.sampled_from(
    ("\u1112\u1161\u11ab", "\u03b1\u0313\u0300\u0345", "u\u0308\u0301", "\u212a", "\u0344", "\ufb2c", "a")
)
MEASURED = st.dictionaries(
    st.text("abc", min_size=1, max_size=3),
    st.lists(SHRINKING, max_size=40).map("".join) | st.floats(allow_nan=False, allow_infinity=False),
    max_size=4,
)


@given(MEASURED, st.integers(1, 300))
def test_metadata_that_are_much_too_long_are_measured_as_the_others_are(
    value: dict[str, object], most: int
) -> None:
    assert _exceeds(value, most) == (len(canonical_json(value).encode()) >= most)
