"""The models of `ag-ui-protocol` 1.0.0 as judges of the agui profile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ag_ui.core import Event, RunAgentInput
from pydantic import TypeAdapter, ValidationError

from tests.hub.divination.runworld import RUN, RUNS, THREAD, Model, Web, body, in_web
from tests.hub.divination.test_protocol import EXAMPLE

EVENTS: TypeAdapter[Any] = TypeAdapter(Event)


def test_the_request_of_the_document_is_one_of_theirs() -> None:
    parsed = RunAgentInput.model_validate_json(EXAMPLE)
    assert (parsed.thread_id, parsed.run_id) == (THREAD, RUN)
    assert parsed.forwarded_props["divinationPayload"]["yaoLines"][0] == "少阳"


@in_web(reader=Model)
async def test_every_event_of_the_agui_profile_is_theirs_and_comes_back_as_it_was(web: Web) -> None:
    await web.submit()
    await web.settled()
    web.reader.error = RuntimeError("no")
    await web.submit(body(run="failed", payload=None))
    await web.settled(run="failed")
    web.reader.error = None
    web.reader.gate.clear()
    await web.submit(body(run="cancelled"))
    await web.ask("DELETE", f"{RUNS}/{THREAD}?runId=cancelled")
    seen = set()
    for run in (RUN, "failed", "cancelled"):
        for event in (await web.stream(run=run, query="&profile=agui")).events:
            parsed = EVENTS.validate_python(event)
            again = json.loads(parsed.model_dump_json(by_alias=True, exclude_unset=True))
            assert again == event
            seen.add(event["type"])
    assert len(seen) == 10
    web.reader.gate.set()


@in_web
async def test_the_native_event_is_not_theirs(web: Web) -> None:
    await web.submit()
    await web.settled()
    derived = next(one for one in (await web.stream()).events if one["type"] == "DIVINATION_DERIVED")
    with pytest.raises(ValidationError):
        EVENTS.validate_python(derived)
