"""The catalogue as data: every schema is one that clients can use, every example is right, every error is in the table."""

import pytest
from jsonschema import Draft202012Validator

from bazi_hub.tools.arguments import problems
from bazi_hub.tools.catalog import CATALOG, TOOLS, errors_of
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.tool import checked
from bazi_hub.words.errors import CODES, Issue
from tests.hub.worlds import in_world
from tests.tables import holds_for_all

COMBINATORS = {"oneOf", "anyOf", "allOf", "not", "if"}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.id)
def test_a_schema_is_valid_and_has_no_combinators_at_the_top(tool):
    Draft202012Validator.check_schema(tool.schema)
    assert not COMBINATORS & set(tool.schema)
    assert tool.schema["type"] == "object"


@holds_for_all("tool", TOOLS, lambda tool: tool.id)
def test_an_example_fits_its_schema(tool):
    assert problems(tool, tool.example) == []


@holds_for_all("tool", TOOLS, lambda tool: tool.id)
def test_no_tool_goes_on_with_a_call_of_which_something_is_wrong(tool):
    assert problems(tool, tool.example) == []
    with pytest.raises(BadArguments) as raised:
        checked(tool, tool.example, [Issue("idempotency_key", "Not like that")])
    assert "idempotency_key" in {issue.path for issue in raised.value.issues}


def test_the_order_is_meta_fortune_forum():
    assert [*dict.fromkeys(tool.category for tool in TOOLS)] == ["meta", "fortune", "forum"]
    assert list(CATALOG) == [tool.name for tool in TOOLS]


def test_fortune_tools_refuse_unknown_arguments_and_the_others_ignore_them():
    for tool in TOOLS:
        found = problems(tool, {**tool.example, "zodiac": "马"})
        assert bool(found) == (tool.category == "fortune")


def test_every_error_of_a_tool_is_in_the_table():
    for tool in TOOLS:
        assert set(errors_of(tool)) <= set(CODES)


@in_world
async def test_whatever_a_hub_on_its_way_out_is_asked_its_answer_is_among_the_errors_of_the_tool(world):
    world.hub.draining = True
    for tool in TOOLS:
        error = await world.refused(tool.name, tool.example)
        assert error.data["reason"] == "DRAINING"
        assert error.name in errors_of(tool)
    world.hub.draining = False


def test_an_error_is_listed_once():
    for tool in TOOLS:
        assert len(errors_of(tool)) == len({*errors_of(tool)})


def test_the_codes_have_the_statuses_that_were_published():
    published = {
        "INVALID_INPUT": 400, "UNAUTHORIZED": 401, "INSUFFICIENT_CREDITS": 402, "TOOL_DISABLED": 403, "JOB_NOT_FOUND": 404,
        "UNKNOWN_TOOL": 404, "RATE_LIMITED": 429, "GONE_DEPRECATED": 410, "PARSE_ERROR": 400, "REST_ERROR": 502,
        "UPSTREAM_ERROR": 502, "UPSTREAM_TIMEOUT": 504, "CONFIG_ERROR": 500, "META_ERROR": 500, "FORUM_ERROR": 500,
        "INTERNAL_ERROR": 500, "METHOD_NOT_ALLOWED": 405, "NOT_FOUND": 404, "INVALID_BODY": 400, "AUTH_BACKEND_ERROR": 500,
    }  # fmt: skip
    assert {name: code.status for name, code in CODES.items()} == published
