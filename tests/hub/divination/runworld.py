"""Runs in a whole hub: an application without a network, two accounts with keys, and readers that do as they are told."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bazi_core.facts import canonical_json
from bazi_core.model.fakes import ChoosingPort
from bazi_core.model.port import ReadingReply, Usage
from bazi_hub.calls.hub import Hub
from bazi_hub.http.app import create_app
from bazi_hub.http.exchange import Pace
from bazi_hub.http.runs import run_routes
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.ports import Account
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.settings import Settings
from tests.hub.client import Connection, Response
from tests.hub.divination.grammar import check_log, check_stream
from tests.hub.stories import story_in
from tests.hub.worlds import Voices
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

GOLDEN = json.loads(
    (Path(__file__).parents[3] / "data/golden/liuyao/seed002_example.json").read_text(encoding="utf-8")
)
RUNS, AGUI, HISTORY = "/api/v1/agent/runs", "/api/v1/agent/agui", "/api/v1/agent/history"
DERIVE, PRICE = "/api/v1/divination/derive", "/api/v1/divination/price"
THREAD = "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f11"
OTHER_THREAD = "7b0c9a52-2f0b-4d52-9a65-0c4f0a6f7f12"
RUN = "run_20260403_xxx"

PAYLOAD = {
    "divinationMethod": "手动起卦",
    "questionType": "事业",
    "question": "我最近换工作是否合适?",
    "divinationTimeIso": "2026-04-03T20:30:00+08:00",
    "yaoLines": ["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"],
}


def body(thread: str = THREAD, run: str = RUN, said: str | None = None, **props: Any) -> dict[str, Any]:
    """A request as the protocol shows it. A `payload` of None is left out; other members go to forwardedProps."""
    payload = props.pop("payload", PAYLOAD)
    forwarded = {
        "runtime_mode": "chat",
        "client_time": {
            "device_timezone": "Asia/Shanghai",
            "client_now_iso": "2026-04-03T20:30:00+08:00",
            "client_epoch_ms": 1775219400000,
        },
        "divinationPayload": payload,
        **props,
    }
    if payload is None:
        del forwarded["divinationPayload"]
    content = said if said is not None else PAYLOAD["question"]
    return {
        "threadId": thread,
        "runId": run,
        "state": {},
        "messages": [{"id": f"msg_{run}_user_0", "role": "user", "content": content}],
        "tools": [],
        "context": [],
        "forwardedProps": forwarded,
    }


class Model:
    """A reader from afar that writes what the rules would, when its gate opens, unless it has an error or junk to say."""

    name, model = "afar", "model-1"

    def __init__(self, usage: Usage | None = None) -> None:
        self.asked: list[Any] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None
        self.says: str | None = None
        self.usage = usage or Usage(900, 400)
        self.latency_s = 0.0

    async def generate(self, request: Any) -> ReadingReply:
        self.asked.append(request)
        await self.gate.wait()
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        if self.error is not None:
            raise self.error
        said = self.says if self.says is not None else self._said(request)
        return ReadingReply(said, model=self.model, usage=self.usage)

    def _said(self, request: Any) -> str:
        return canonical_json(ChoosingPort().generate(request).parsed)


class Web:
    """The application, and what a test looks at."""

    def __init__(
        self, storage: Any = None, reader: Any = None, clock: Any = None, ids: Any = None,
        pace: Pace | None = None, credits: int = 1000, limits: Any = None, **settings: Any,
    ) -> None:  # fmt: skip
        self.clock, self.ids, self.voices = clock or FakeClock(), ids or FakeIds(), Voices()
        self.storage = storage or MemoryStorage(self.clock, self.ids)
        self.limits = limits or MemoryLimits(self.clock)
        self.credits, self.reader = credits, reader
        self.hub = Hub(
            Settings(**settings), storage=self.storage, limits=self.limits, reader=reader, clock=self.clock,
            ids=self.ids, telemetry=self.voices,
        )  # fmt: skip
        self.identity = Identity(
            self.storage, Secrets(bytes(32), bytes(32)), clock=self.clock, ids=self.ids, telemetry=self.voices
        )
        self.routes = run_routes(self.hub, self.identity, pace=pace)
        self.app = create_app(self.hub, self.identity, routes=self.routes, pace=pace)
        self.keys: dict[str, str] = {}
        self.accounts: dict[str, str] = {}

    @property
    def service(self) -> Any:
        return self.routes[0].app._endpoint._runs.service  # type: ignore[attr-defined]

    async def open(self) -> None:
        await self.hub.start()
        for name in ("me", "you"):
            account = Account(self.ids.uuid(), None, name, "active", None, self.clock.now_ms())
            await self.storage.accounts.create(account, self.credits, "test")
            self.accounts[name] = account.id
            self.keys[name], _ = await self.identity.issue(account.id, "personal", "test")
        self.keys["agent"], _ = await self.identity.issue(self.accounts["me"], "agent", "test", "Oracle")

    # --- requests ---

    def connection(
        self, method: str, path: str, value: Any = None, who: str | None = "me", **headers: str
    ) -> Connection:
        raw = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
        path, _, query = path.partition("?")
        sent = {} if who is None else {"x-api-key": self.keys[who]}
        sent |= {name.replace("_", "-"): text for name, text in headers.items()}
        return Connection(self.app, path, raw, method, sent, query_string=query.encode())

    async def ask(
        self, method: str, path: str, value: Any = None, who: str | None = "me", **headers: str
    ) -> Response:
        return await self.connection(method, path, value, who, **headers).run()

    async def submit(self, value: Any = None, who: str = "me", **headers: str) -> Response:
        return await self.ask("POST", RUNS, body() if value is None else value, who, **headers)

    async def stream(
        self, thread: str = THREAD, run: str = RUN, who: str = "me", query: str = "", **headers: str
    ) -> Response:
        found = await self.ask("GET", f"{RUNS}/{thread}/events?runId={run}{query}", None, who, **headers)
        if found.status == 200 and not (query and "after" in query) and "last_event_id" not in headers:
            check_stream(found.events, "agui" if "profile=agui" in query else "seed")
        return found

    async def settled(self, thread: str = THREAD, run: str = RUN, who: str = "me") -> dict[str, Any]:
        """The status of a run after it has ended."""

        async def ended() -> bool:
            met = await self.storage.runs.meet(self.accounts[who], thread, run)
            return met.run is None or met.run.status != "running"

        await eventually(ended)
        found = await self.ask("GET", f"{RUNS}/{thread}?runId={run}", None, who)
        return found.json  # type: ignore[no-any-return]

    async def history(self, query: str = "", who: str = "me") -> dict[str, Any]:
        found = await self.ask("GET", HISTORY + query, None, who)
        assert found.status == 200, found.body
        return found.json  # type: ignore[no-any-return]

    async def money(self, who: str = "me") -> tuple[int, int]:
        account = await self.storage.ledger.account(self.accounts[who])
        assert account is not None
        return account.posted, account.held

    async def log(self, thread: str = THREAD, run: str = RUN, who: str = "me") -> list[Any]:
        met = await self.storage.runs.meet(self.accounts[who], thread, run)
        assert met.run is not None
        return await self.storage.runs.events(met.run.id, 0)  # type: ignore[no-any-return]

    async def begun(self, count: int = 1) -> None:
        """Waits until the model was asked so often."""
        await eventually(lambda: len(self.reader.asked) >= count)

    async def turns(self, count: int) -> None:
        """Lets the loop turn so often."""
        for _ in range(count):
            await asyncio.sleep(0)

    async def idle(self) -> None:
        """Waits until nothing runs."""
        await eventually(lambda: not self.hub.in_progress)

    async def held_up(self, value: Any = None, count: int = 1) -> None:
        """Submits a run for which the model is asked and does not answer before its gate is opened."""
        self.reader.gate.clear()
        await self.submit(value)
        await self.begun(count)

    async def checked(self) -> None:
        """Nothing of what a test leaves behind may be out of order."""
        assert await self.storage.ledger.verify() == []
        for who in ("me", "you"):
            await self._history_and_logs(who)

    async def _history_and_logs(self, who: str) -> None:
        page = await self.storage.runs.messages(self.accounts[who], None, None, None, None, 100_000)
        numbers = [message.seq for message in page.messages]
        assert numbers == sorted(set(numbers), reverse=True)
        for thread, run in {(message.thread_id, message.run_id) for message in page.messages}:
            met = await self.storage.runs.meet(self.accounts[who], thread, run)
            assert met.run is not None
            events = await self.storage.runs.events(met.run.id, 0)
            if not met.run.purged:
                check_log(events, met.run)
            state = await self.storage.ledger.state(met.run.call_id)
            assert state is not None
            assert (state[0] == "running") == (met.run.status == "running")
            assert (state[0] == "captured") == (met.run.status == "succeeded")


@asynccontextmanager
async def web(**parts: Any) -> AsyncIterator[Web]:
    """A hub with two accounts; its books and logs have to be right behind the test."""
    made = Web(**parts)
    await made.open()
    try:
        yield made
        await made.checked()
    finally:
        await made.hub.close(0)


# A test in a new hub.
in_web = story_in(web)


def plays(story: Callable[[Web], Awaitable[None]], **parts: Any) -> None:
    """Runs a story in a new hub."""
    in_web(story, **parts)()
