"""What a served hub has ready before the first call, and what it still answers when it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from bazi_core.errors import PlaceNotFound
from bazi_core.place import store, suggestions
from bazi_core.place.gazetteer import look_up
from bazi_hub.operate import app, serving
from bazi_hub.operate.admin import account_create, keys_issue
from bazi_hub.operate.app import with_database
from bazi_hub.operate.config import configured
from bazi_hub.operate.serving import warm
from bazi_hub.people.identity import Secrets
from tests.hub.databases import empty_file
from tests.hub.worlds import BIRTH, T2, Reader
from tests.waiting import eventually

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["empty_file"]


@pytest.mark.exhaustive
def test_the_first_caller_who_misspells_a_place_does_not_wait_for_the_names_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suggestions._every_key.cache_clear()
    suggestions.suggest.cache_clear()
    for module, name in ((gc, "freeze"), (sys, "setswitchinterval")):
        monkeypatch.setattr(module, name, lambda *_: None)
    warm()
    found, rows = list[int](), store.rows

    def counted(*asked: str) -> list[tuple[object, ...]]:
        answer = rows(*asked)
        found.append(len(answer))
        return answer

    monkeypatch.setattr(store, "rows", counted)
    with pytest.raises(PlaceNotFound) as refused:
        look_up("Guangzou")
    assert refused.value.data["suggestions"][0] == "Guangzhou"
    assert max(found) < 100


async def _asked(port: int, key: str) -> tuple[int, Any]:
    """Status and body of a reading over a connection of its own."""
    url = f"http://127.0.0.1:{port}/api/universal/fortune/{T2}"
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(url, json=BIRTH, headers={"x-api-key": key}, timeout=30)
        return answer.status_code, answer.json()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_signal_to_stop_waits_for_the_readings_that_have_begun(
    empty_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, with a model that answers when it may; the same of a process in `faults`."""
    monkeypatch.setattr(serving, "warm", lambda: None)
    database = tmp_path / "hub.sqlite3"
    database.write_bytes(empty_file.read_bytes())

    async def story() -> None:
        config = with_database(configured({}), str(database))
        reader = Reader(15)
        reader.gate.clear()
        monkeypatch.setattr(app, "reader_of", lambda _: reader)
        composed = app.compose(config, secrets=Secrets(bytes(32), bytes(32)))
        await composed.hub.start()
        account = await account_create(composed.admin_context("test"), credits=9)
        issued = await keys_issue(composed.admin_context("test"), account["id"])
        bound = serving._listening("127.0.0.1", 0)
        port = bound.getsockname()[1]
        served = asyncio.create_task(serving.serve(composed, "127.0.0.1", port, [bound]))
        await eventually(lambda: bool(composed.hub.on_watch))
        running = asyncio.create_task(_asked(port, issued["key"]))
        await eventually(lambda: reader.asked)
        os.kill(os.getpid(), signal.SIGTERM)
        await eventually(lambda: composed.hub.draining)
        assert not served.done()
        reader.gate.set()
        status, body = await running
        assert (status, body["credits_deducted"]) == (200, 4)
        await asyncio.wait_for(served, 30)

    asyncio.run(story())
