"""The checker of arguments against the reference implementation of JSON Schema."""

from __future__ import annotations

import copy
import gc
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import bazi_hub
from bazi_core.birth import birth
from bazi_core.face import cast
from bazi_hub.tools.arguments import problems, rule, whole
from bazi_hub.tools.catalog import CATALOG, TOOLS
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.tool import checked
from tests.hub.worlds import BIRTH, T1
from tests.sizes import examples
from tests.tables import holds_for_all

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3000, 3000), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5), st.sampled_from(["male", "23:00", "Beijing", "like", "agent_metadata", "x" * 121]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
ORACLES = {tool.name: Draft202012Validator(tool.schema) for tool in TOOLS}
RIGHT = {
    T1: {**BIRTH, "options": {"clock": "auto", "fold": 0, "yong_weights": {"fu_yi": 1.0}}},
    "forum_create_post": {
        "title": "t", "content": "c", "tags": ["a"], "bazi_year": 2026,
        "agent_metadata": {"agent_name": "a", "agent_version": "1", "platform": "coze"},
    },
}  # fmt: skip


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for name, member in members:
        yield from places(member, (*path, name))


def changed(value, path, new):
    """The value with another one at a place, or with nothing there."""
    if not path:
        return new
    made = copy.deepcopy(value)
    inner = made
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = new
    return made


def agree(name, arguments):
    assert (problems(CATALOG[name], arguments) == []) == ORACLES[name].is_valid(arguments)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.id)
@given(arguments=VALUES)
@examples(40)
def test_any_value_is_judged_as_the_reference_judges_it(tool, arguments):
    agree(tool.name, arguments)


@given(data=st.data())
@examples(300)
def test_right_arguments_with_one_change_are_judged_as_the_reference_judges_them(data):
    name = data.draw(st.sampled_from([tool.name for tool in TOOLS]))
    right = RIGHT.get(name, CATALOG[name].example)
    path = data.draw(st.sampled_from([*places(right)]))
    agree(name, changed(right, path, data.draw(VALUES)))


@holds_for_all("tool", TOOLS, lambda tool: tool.id)
def test_every_missing_and_every_extra_member_is_judged_as_the_reference_judges_it(tool):
    right = RIGHT.get(tool.name, tool.example)
    for path in places(right):
        inner = right
        for part in path:
            inner = inner[part]
        if isinstance(inner, dict):
            agree(tool.name, changed(right, path, {**inner, "more": 1}))
            for name in inner:
                agree(
                    tool.name,
                    changed(right, path, {key: value for key, value in inner.items() if key != name}),
                )


def test_no_module_of_the_hub_puts_letters_together_by_itself():
    """`composed` takes a time that grows with the length of a text; the function of the standard library does not."""
    sources = Path(bazi_hub.__file__).parent.rglob("*.py")
    assert [path.name for path in sources if "normalize(" in path.read_text("utf-8")] == []


def test_a_boolean_is_no_number_among_the_allowed_ones():
    assert [*rule({"type": "integer", "enum": [0, 1]})("fold", True)]
    assert not [*rule({"anyOf": [{"type": "boolean"}, {"type": "integer", "enum": [0, 1]}]})("fold", True)]


def test_a_keyword_that_is_not_known_is_an_error_when_the_rule_is_made():
    with pytest.raises(KeyError):
        rule({"type": "string", "format": "uuid"})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_its_value_when_it_becomes_an_integer(number):
    assert whole([number])[0] == number


@pytest.mark.parametrize("name", ["title", "zzz"])
def test_of_what_is_wrong_as_a_whole_no_copy_is_made(name: str) -> None:
    tool = replace(CATALOG["forum_create_post"], check=lambda given: given)
    wrong, right = [[1.0]], [["a"]]
    found = checked(tool, {name: wrong, "tags": right, "bazi_year": 2026.0}).arguments
    assert found[name] is wrong
    assert type(found["bazi_year"]) is int


class Members(dict[str, object]):
    """An object of somebody who embeds the hub."""


class Items(list[object]):
    """A list of theirs."""


def test_numbers_are_made_whole_within_objects_and_lists_of_other_classes() -> None:
    assert repr(whole(Members(a=Items([1.0, Members(b=2.0)]), c=[]))) == "{'a': [1, {'b': 2}], 'c': []}"


def misspelt() -> tuple[str, str, dict[str, Any]]:
    return T1, "location", {"city_name": "Guangzou"}


def of_another_school() -> tuple[str, str, dict[str, Any]]:
    pattern = cast(birth("1988-08-18 13:30", city="北京", gender="male")).pattern().to_dict()
    return "bigluck_year_fortune_eval", "pattern_result", {**pattern, "school": {"options": {"x": 1}}}


@pytest.mark.parametrize("wrong", [misspelt, of_another_school])
def test_what_was_refused_is_gone_at_once_and_does_not_wait_for_the_collector(wrong: Any) -> None:
    """A hundred thousand lists that hold themselves would stop everybody when it comes by."""
    tool, name, argument = wrong()
    sent = Items()
    seen = weakref.ref(sent)
    gc.disable()
    try:
        with pytest.raises(BadArguments) as refused:
            checked(CATALOG[tool], {name: {**argument, "a": sent}})
        assert refused.value.error is not None
        del sent, refused
        assert seen() is None
    finally:
        gc.enable()
