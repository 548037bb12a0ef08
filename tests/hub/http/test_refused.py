"""A refusal is small however much was wrong, and nobody is refused for ever."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from bazi_hub.divination.fields import held
from bazi_hub.divination.problems import RunProblem
from bazi_hub.divination.request import DivinationPayload
from bazi_hub.http.wire.mcp import PLAIN, read
from bazi_hub.http.wire.rest import failure
from bazi_hub.money.refused import MOST_A_MINUTE
from bazi_hub.tools.arguments import problems
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.refusals import BadArguments, refusal
from bazi_hub.tools.tool import checked
from bazi_hub.words.errors import MOST_TOLD
from tests.hub.client import KEY, ask, rpc, tool_call
from tests.hub.divination.runworld import DERIVE, RUNS, Web, body, in_web
from tests.hub.fake_hub import FakeHub
from tests.tables import holds_for_all

SMALLEST_FLOOD = 20_000
MOST_BYTES = 32_000

FLOODS: dict[str, Any] = {
    "names": {f"n{number}": 0 for number in range(SMALLEST_FLOOD)},
    "a long name": {"x" * 250_000: 0},
    "tags": {"tags": [0] * SMALLEST_FLOOD},
    "text tags": {"tags": [str(number) for number in range(SMALLEST_FLOOD)]},
    "a long text": {"title": "x" * 250_000, "gender": "x" * 250_000, "birth_hour": "x" * 250_000},
    "lists": {"birth_year": [[[0]]] * SMALLEST_FLOOD, "options": [0] * SMALLEST_FLOOD},
    "options": {"options": {f"n{number}": 0 for number in range(SMALLEST_FLOOD)}},
    "a long option": {"options": {"x" * 250_000: "y"}},
    "metadata": {"agent_metadata": {f"n{number}": 0 for number in range(400)}},
}


@holds_for_all("tool, flood", product(CATALOG.values(), FLOODS), lambda row: f"{row[0].name}: {row[1]}")
def test_a_refusal_is_small_whatever_is_sent_to_a_tool(tool: Any, flood: str) -> None:
    try:
        checked(tool, FLOODS[flood])
    except BadArguments as wrong:
        error = refusal(tool, wrong)
        assert len(error.members["issues"]) <= MOST_TOLD + 1
        assert len(failure(error).body) <= MOST_BYTES


def test_of_unknown_arguments_a_hundred_are_named_and_the_others_counted() -> None:
    tool = CATALOG["bazi_basic_analysis"]
    with pytest.raises(BadArguments) as wrong:
        checked(tool, FLOODS["names"])
    issues = refusal(tool, wrong.value).members["issues"]
    told = [issue["message"] for issue in issues]
    assert len(issues) == MOST_TOLD + 1
    assert "more are not listed" in told[-1] or f"{SMALLEST_FLOOD - MOST_TOLD} more are unknown" in told


def test_a_list_that_is_too_long_is_looked_at_no_further() -> None:
    tool = CATALOG["forum_create_post"]
    told = [issue.message for issue in problems(tool, {"title": "x", "content": "x", "tags": [0] * 11})]
    assert told == ["Must have at most 10 items, got 11"]


LINES = ["少阳", "少阴", "老阳", "老阴", "少阳", "少阴"]


@pytest.mark.parametrize(
    ("change", "some"),
    [
        ({"yaoLines": [0] * 110_000}, "expected 6 items, got 110000"),
        ({f"n{number}": 0 for number in range(SMALLEST_FLOOD)}, "is not known here"),
        ({"x" * 250_000: 0}, "is not known here"),
        ({"question": "x" * 250_000, "questionType": "y" * 250_000}, "must have at most 500 characters"),
    ],
)
def test_a_problem_of_a_run_is_small_whatever_is_sent(change: dict[str, Any], some: str) -> None:
    payload = {
        "divinationMethod": "手动起卦", "questionType": "事业", "question": "如何?",
        "divinationTimeIso": "2026-04-03T20:30:00+08:00", "yaoLines": LINES, **change,
    }  # fmt: skip
    with pytest.raises(RunProblem) as wrong:
        held(DivinationPayload, payload)
    errors = wrong.value.params["errors"]
    assert some in [error["message"] for error in errors]
    assert len(errors) <= MOST_TOLD + 1
    assert len(str(errors)) <= MOST_BYTES


def test_names_that_answers_repeat_are_cut(app: Any) -> None:
    for sent in (rpc("x" * 250_000), tool_call("x" * 250_000)):
        assert len(ask(app, body=sent, headers=KEY).body) <= 1000
    path = "/api/universal/meta/" + "x" * 60_000 + "/"
    assert len(ask(app, path, headers=KEY).body) <= 1000


@pytest.mark.parametrize("mark", ["x" * 1025, True, None, 1.5])
def test_a_mark_that_no_answer_can_repeat_is_none(hub: FakeHub, mark: Any) -> None:
    import json

    answer = read(json.dumps(rpc("ping", None, mark)).encode(), PLAIN, hub.settings)
    assert b'"id":null' in getattr(answer, "body", b"")
    long = read(json.dumps(rpc("ping", {"_meta": {"progressToken": mark}})).encode(), PLAIN, hub.settings)
    assert getattr(long, "progress_token", "") is None


# --- an end to it ---


def test_an_account_is_refused_so_often_and_then_told_to_wait(app: Any, hub: FakeHub) -> None:
    tool = "/api/universal/meta/get_skill_info"
    for _ in range(MOST_A_MINUTE):
        assert ask(app, tool, b"{", headers=KEY).status == 400
    full = ask(app, tool, b"{}", headers=KEY)
    assert (full.status, full.json["error"]["details"]["limit_type"]) == (429, "refused_call")
    hub.clock.advance(60)
    assert ask(app, tool, b"{}", headers=KEY).status == 200


def test_strangers_of_one_address_do_not_use_up_what_others_have(app: Any) -> None:
    for _ in range(MOST_A_MINUTE):
        assert ask(app, body=b"{").status == 400
    assert ask(app, body=rpc("ping")).status == 429
    assert ask(app, body=rpc("ping"), client=("192.0.2.7", 1)).status == 200
    assert ask(app, body=rpc("ping"), headers=KEY).status == 200


@in_web
async def test_wrong_arguments_count_whichever_door_they_came_through(web: Web) -> None:
    for path, sent in ((RUNS, body() | {"state": 7}), (DERIVE, {}), (RUNS, b"{")):
        before = sum(web.hub.refused._counts.values())
        assert (await web.ask("POST", path, sent)).status in (400, 422)
        assert sum(web.hub.refused._counts.values()) == before + 1
