"""Long bodies are worked on in pieces, one at a time, and small requests are answered between two of them."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest

from bazi_hub.http import calls
from bazi_hub.http.app import create_app
from bazi_hub.http.callers import MOST_AT_ONCE
from bazi_hub.http.wire import mcp, rest
from tests.hub.client import KEY, Connection, tool_call
from tests.hub.fake_hub import FakeHub, FakeIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

# To read a request, to answer it, and to send the answer.
TURNS_OF_A_REQUEST = 3
REST = ("/api/universal/meta/get_skill_info", b'{"x":"' + b"x" * MOST_AT_ONCE + b'"}')
MCP = ("/api/mcp", json.dumps(tool_call("get_skill_info", {"x": "x" * MOST_AT_ONCE})).encode())


class Turns(FakeHub):
    """A hub that notes in which turn of the event loop it works, and when a parsed body begins and ends to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self.turn, self.pieces, self.waiting = 0, list[int](), list[int]()

    async def run(self, path: str, bodies: list[bytes]) -> list[int]:
        """The turns in which pieces of work were done for bodies that came at once."""
        app = create_app(self, FakeIdentity())  # type: ignore[arg-type]
        counting = asyncio.ensure_future(self._count())
        await asyncio.gather(*(Connection(app, path, body, headers=KEY).run() for body in bodies))
        counting.cancel()
        return self.pieces

    async def _count(self) -> None:
        while True:
            await asyncio.sleep(0)
            self.turn += 1

    def noting(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def done(*given: Any) -> Any:
            self.pieces.append(self.turn)
            self.waiting.append(1)
            return work(*given)

        return done

    async def call(self, call: Any) -> Any:
        self.pieces.append(self.turn)
        self.waiting.append(-1)
        return await super().call(call)


@pytest.mark.parametrize(("path", "body"), [REST, MCP])
def test_between_two_pieces_of_work_on_long_bodies_a_small_request_is_read_answered_and_sent(
    path: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Turns()
    monkeypatch.setattr(calls.rest, "read", hub.noting(rest.read))
    monkeypatch.setattr(calls.mcp, "read", hub.noting(mcp.read))
    turns = asyncio.run(hub.run(path, [body] * 4))
    assert len(turns) == 8
    assert min(then - turn for turn, then in itertools.pairwise(turns)) >= TURNS_OF_A_REQUEST
    assert max(itertools.accumulate(hub.waiting)) == 1, (
        "a body was parsed while another waited to be looked at"
    )


def test_a_short_body_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Turns()
    monkeypatch.setattr(calls.rest, "read", hub.noting(rest.read))
    assert len(set(asyncio.run(hub.run(REST[0], [b"{}"] * 4)))) == 1
