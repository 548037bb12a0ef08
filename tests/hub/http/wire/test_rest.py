"""REST: paths, bodies, envelopes, headers."""

import json

import pytest

from bazi_hub.http.wire import rest
from bazi_hub.words.call import Caller, Outcome
from bazi_hub.words.errors import HubError
from bazi_hub.words.settings import Settings

CALLER = Caller("account", "personal")


@pytest.mark.parametrize(
    ("path", "category", "name"),
    [
        ("/api/universal/meta/get_skill_info", "meta", "get_skill_info"),
        ("/api/universal/forum/get_skill_info", "forum", "get_skill_info"),
        ("/api/universal/meta/get_skill_info/", None, None),
        ("/api/universal/meta", None, None),
        ("/api/universal//get_skill_info", None, None),
        ("/api/universal/", None, None),
        ("/api/other/meta/get_skill_info", None, None),
    ],
)
def test_a_path_names_a_category_and_a_tool(path: str, category: str | None, name: str | None) -> None:
    assert rest.target(path)[:2] == (category, name)


def test_a_path_of_no_tool_names_what_was_asked_for() -> None:
    with pytest.raises(HubError) as raised:
        rest.call(rest.target("/api/universal/meta/get_skill_info/"), {}, {}, CALLER, "r")
    assert (raised.value.name, raised.value.members) == ("UNKNOWN_TOOL", {"tool_name": "get_skill_info"})


def test_an_empty_body_is_an_empty_object() -> None:
    assert rest.read(b"", Settings()) == {}


@pytest.mark.parametrize("body", [b"[]", b"null", b"3", b'"x"', b"true"])
def test_json_that_is_no_object_is_an_invalid_body(body: bytes) -> None:
    with pytest.raises(HubError) as raised:
        rest.read(body, Settings())
    assert (raised.value.name, raised.value.detail) == ("INVALID_BODY", "Request body must be a JSON object")


def test_a_body_of_blanks_is_no_json() -> None:
    with pytest.raises(HubError, match="PARSE_ERROR"):
        rest.read(b" ", Settings())


def test_the_call_carries_category_and_key() -> None:
    target = rest.target("/api/universal/meta/get_skill_info")
    call = rest.call(target, {"a": 1}, {"idempotency-key": "k"}, CALLER, "r")
    assert (call.tool, call.category, call.idempotency_key, call.transport) == (
        "get_skill_info", "meta", "k", "rest",
    )  # fmt: skip


def test_a_replay_says_so_in_a_header() -> None:
    answer = rest.outcome(Outcome("{}", call_id="c", replayed=True))
    assert dict(answer.headers) == {"X-Call-Id": "c", "Idempotent-Replayed": "true"}
    assert json.loads(answer.body) == {"success": True, "data": {}, "credits_deducted": 0}


def test_the_result_goes_in_byte_for_byte() -> None:
    assert rest.outcome(Outcome('{"b" :  1.0,"a":"七"}')).body == (
        '{"success":true,"data":{"b" :  1.0,"a":"七"},"credits_deducted":0}'.encode()
    )
