"""Requests that stand in a page, answered by a hub of its own, and the answers written under them.

A page holds pairs of `http` fences: a request, then what came back. The hub starts empty, its clock and ids are counted, so
the same page gets the same bytes every time. In a body, `"<base_context>"` stands for the whole object of that name in an
earlier answer, and `<your-key>` for a key. Answers are shortened here and nowhere else: `…` marks what was left out.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_hub.calls.hub import Hub
from bazi_hub.http.app import create_app
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.ports import Account
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import NoTelemetry
from tests.hub.client import Connection, Response

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
PAIR = re.compile(
    r"^(```http\n(?:POST|GET) .*?^```\n)(.*?)^```http\nHTTP .*?^```\n", re.MULTILINE | re.DOTALL
)
HOST = "https://hub.example"
BETWEEN_S = 3
# Headers that a caller goes by.
SHOWN = ("X-Call-Id", "Idempotent-Replayed", "RateLimit", "Retry-After", "WWW-Authenticate", "Allow", "Link")

LINE, LONGEST_TEXT, LONGEST_INNER, MOST_ITEMS, MOST_MEMBERS = 100, 160, 480, 6, 16
# Of large objects, the members that every hub promises.
MEMBERS = {
    "base_context": (
        "schema_version", "engine_version", "four_pillars", "bazi_structure", "five_elements", "human_readable_summary",
        "major_luck", "warnings", "digest",
    ),
    "pattern_result": ("schema_version", "pattern_type", "useful_gods", "five_elements", "narrative", "warnings", "digest"),
    "year_analysis_result": ("schema_version", "target_year", "scores", "events", "warnings", "digest"),
    "final_result": ("schema_version", "score", "level", "narrative", "warnings", "digest"),
    "engine_version": ("release",),
    "bazi_structure": ("day_master",),
    "five_elements": ("seasonal", "missing"),
    "major_luck": ("direction", "cycles"),
    "cycles": ("ganzhi", "start_year"),
    "scores": ("base", "overall"),
    "input_schema": ("type", "required"),
    "inputSchema": ("type", "required"),
    "warnings": ("code", "message"),
    "events": ("name", "relation", "polarity", "domains"),
}  # fmt: skip
# What an operator sets and a caller has to look up.
AMOUNTS = frozenset(
    {"cost", "credit_cost", "min_balance", "balance", "held", "available", "credits_deducted"}
)
LIVE = "…"


class Ids(FakeIds):
    """Counted ids that look like those of a hub."""

    def uuid(self) -> str:
        return str(uuid.UUID(bytes=hashlib.shake_256(super().uuid().encode()).digest(16), version=4))


class Exchange(NamedTuple):
    """A request of a page, what stands between it and its answer, and where both are."""

    request: str
    between: str
    start: int
    end: int


def exchanges(text: str) -> Iterator[Exchange]:
    for found in PAIR.finditer(text):
        yield Exchange(found[1].removeprefix("```http\n").removesuffix("```\n"), found[2], *found.span())


class Counter:
    """A hub, its keys, and what it has said so far."""

    def __init__(self, live: bool) -> None:
        self.live = live
        self.clock, self.ids, self.said = FakeClock(), Ids(), dict[str, Any]()
        self.storage = MemoryStorage(self.clock, self.ids)
        parts: dict[str, Any] = {"clock": self.clock, "ids": self.ids, "telemetry": NoTelemetry()}
        self.hub = Hub(
            Settings(public_url=HOST), storage=self.storage, limits=MemoryLimits(self.clock), **parts
        )
        self.identity = Identity(self.storage, Secrets(bytes(32), bytes(32)), **parts)
        self.app = create_app(self.hub, self.identity)
        self.keys: dict[str, str] = {}

    async def open(self) -> None:
        await self.hub.start()
        account = Account(self.ids.uuid(), None, None, "active", None, self.clock.now_ms())
        await self.storage.accounts.create(account, self.hub.settings.starter_credits, "page")
        self.keys["<your-key>"], _ = await self.identity.issue(account.id, "personal", "page")
        self.keys["<agent-key>"], _ = await self.identity.issue(account.id, "agent", "page", "Oracle")

    async def answer(self, request: str) -> str:
        """The answer to a request as a page shows it."""
        head, _, body = request.partition("\n\n")
        first, *lines = head.splitlines()
        method, path = first.split()
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        for shown, key in self.keys.items():
            headers = {name: value.replace(shown, key) for name, value in headers.items()}
        self.clock.advance(BETWEEN_S)
        sent = self._filled(body) if body.strip() else b""
        response = await Connection(self.app, path, sent, method, {"host": "hub.example", **headers}).run()
        self._remember(response)
        return self._shown(response)

    def _filled(self, body: str) -> bytes:
        """The body with earlier objects in their places; one that is not JSON goes as it is."""
        try:
            value = json.loads(body)
        except ValueError:
            return body.strip().encode()
        return json.dumps(self._put_in(value), ensure_ascii=False).encode()

    def _put_in(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._put_in(member) for name, member in value.items()}
        if isinstance(value, str) and re.fullmatch(r"<\w+>", value):
            return self.said[value[1:-1]]
        return value

    def _remember(self, response: Response) -> None:
        try:
            told = response.json
        except ValueError:
            return
        data = told.get("data") if isinstance(told, dict) else None
        if isinstance(told, dict) and "content" in told.get("result", {}):
            data = json.loads(told["result"]["content"][0]["text"])
        if isinstance(data, dict):
            self.said.update(data)

    def _shown(self, response: Response) -> str:
        named = {name.lower(): value for name, value in response.headers.items()}
        headers = [f"{name}: {named[name.lower()]}" for name in SHOWN if name.lower() in named]
        head = "\n".join([f"HTTP {response.status}", *headers])
        if not response.body:
            return f"{head}\n"
        return f"{head}\n\n{pretty(shortened(response.json, self.live))}\n"


def shortened(value: Any, live: bool = False, name: str = "") -> Any:
    """The same with what is long left out; amounts too, where they are live."""
    if isinstance(value, str):
        if name == "text":
            return _inner(value, live)
        return value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + "…"
    if isinstance(value, list):
        items = [shortened(item, live, name) for item in value]
        most = MOST_ITEMS if len(items) <= MOST_ITEMS and all(map(_in_a_line, items)) else 1
        kept = items[: MOST_ITEMS if _plain(items) else most]
        return kept if len(kept) == len(items) else [*kept, f"… {len(items) - len(kept)} more"]
    if isinstance(value, dict):
        chosen = [each for each in MEMBERS.get(name, tuple(value)[:MOST_MEMBERS]) if each in value]
        shown = {each: shortened(value[each], live, each) for each in chosen}
        left = len(value) - len(shown)
        return {**shown, "…": f"{left} more"} if left else shown
    return LIVE if live and name in AMOUNTS and value != 0 else value


def _in_a_line(item: Any) -> bool:
    return len(json.dumps(item, ensure_ascii=False)) <= LINE


def _plain(items: list[Any]) -> bool:
    return not any(isinstance(item, dict | list) for item in items)


def _inner(text: str, live: bool) -> str:
    """The same of the JSON that an MCP result carries as a string."""
    told = json.dumps(shortened(json.loads(text), live), ensure_ascii=False, separators=(",", ":"))
    return told if len(told) <= LONGEST_INNER else told[:LONGEST_INNER] + "…"


def pretty(value: Any, indent: str = "") -> str:
    """JSON for people: whatever fits on a line stands on one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= LINE or not isinstance(value, dict | list):
        return line
    inner = indent + "  "
    if isinstance(value, list):
        rows = [inner + pretty(item, inner) for item in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    rows = [
        f"{inner}{json.dumps(name, ensure_ascii=False)}: {pretty(item, inner)}"
        for name, item in value.items()
    ]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


async def answered(text: str, live: bool = False) -> str:
    """A page with every answer as a hub gives it now. `live`: amounts are left open."""
    counter = Counter(live)
    await counter.open()
    made, at = [], 0
    try:
        for each in exchanges(text):
            answer = await counter.answer(each.request)
            made += [
                text[at : each.start],
                f"```http\n{each.request}```\n{each.between}```http\n{answer}```\n",
            ]
            at = each.end
    finally:
        await counter.hub.close(0)
    return "".join([*made, text[at:]])
