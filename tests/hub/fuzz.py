"""Bodies that nobody would send, against a whole hub on both transports: `python -m tests.hub.fuzz 10000`.

Each case takes a good request and breaks it: bytes are changed, members are put in, left out or replaced by anything that
JSON can hold. Whatever comes of it is an answer, and none is a fault of the hub.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from bazi_hub.ports import LimitHit
from bazi_hub.tools.catalog import CATALOG
from tests.hub.client import Connection, Response
from tests.hub.live import composed

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTS = {"INTERNAL_ERROR", "META_ERROR", "FORUM_ERROR", "CONFIG_ERROR", "AUTH_BACKEND_ERROR"}
ACCEPTED = ["", "*/*", "application/json, text/event-stream"]
ODD = [
    None, True, False, 0, -1, 1.5, 1985.0, 1e300, -1e-300, 2**63, 10**300, "", " ", "male", "北京", "\x00", "\u202e",
    "é" * 200, "a" * 5000, [], {}, [[]], {"": None}, [None] * 50, "2026-07-28",
    "bzp_", "null", "__proto__", "%s%n", "' OR 1=1 --",
]  # fmt: skip
NAMES = [
    "name", "arguments", "_meta", "params", "base_context", "partial", "input", "school", "options",
    "location", "x", "",
]  # fmt: skip
BROKEN = [
    b"", b"{", b"[]", b"null", b"NaN", b'{"a":1,"a":2}', b"\xff\xfe", b"[" * 10_000, b'{"a":' * 500, b"1e999", b'"\\ud800"',
    b"9" * 5000, b"x" * 300_000,
]  # fmt: skip


class Open:
    """Limits that nobody reaches."""

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> LimitHit:
        return LimitHit(True, limit, window_s, 0)

    peek = take

    async def give_back(self, bucket: str, window: int, window_s: int = 60) -> None: ...


class Fuzzer:
    """A stream of cases, the same for the same seed."""

    def __init__(self, seed: int, results: dict[str, Any]) -> None:
        self.random = random.Random(seed)
        self.results = results

    def case(self) -> tuple[str, bytes, dict[str, str]]:
        """A path, a body and headers."""
        tool = self.random.choice(list(CATALOG.values()))
        arguments = {
            **tool.example,
            **{name: self.results[name] for name in tool.example if name in self.results},
        }
        headers = {"accept": self.random.choice(ACCEPTED)}
        if self.random.random() < 0.1:
            headers["idempotency-key"] = self.random.choice(["", "k", "k" * 200, "é"])
        if self.random.random() < 0.5:
            return tool.path, self._body(arguments), headers
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool.name, "arguments": arguments},
        }
        if self.random.random() < 0.15:
            message["method"] = self.random.choice(
                ["initialize", "ping", "tools/list", "server/discover", "x"]
            )
        if self.random.random() < 0.1:
            headers["mcp-protocol-version"] = self.random.choice(["2025-06-18", "2026-07-28", "x"])
        return "/api/mcp", self._body(message), headers

    def _body(self, value: Any) -> bytes:
        if self.random.random() < 0.02:
            return self.random.choice(BROKEN)
        value = json.loads(json.dumps(value))
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 3])):
            self._broken(value)
        body = json.dumps(value, ensure_ascii=self.random.random() < 0.5).encode()
        return self._flipped(body) if self.random.random() < 0.15 else body

    def _broken(self, value: Any) -> None:
        """Changes one thing somewhere inside."""
        while True:
            inner = [
                each
                for each in (value.values() if isinstance(value, dict) else value)
                if isinstance(each, dict | list)
            ]
            if not inner or self.random.random() < 0.4:
                break
            value = self.random.choice(inner)
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        how: Callable[[Any, list[Any]], None] = self.random.choice(
            [self._replace, self._remove, self._insert]
        )
        how(value, keys)

    def _replace(self, value: Any, keys: list[Any]) -> None:
        if keys:
            value[self.random.choice(keys)] = deepcopy(self.random.choice(ODD))

    def _remove(self, value: Any, keys: list[Any]) -> None:
        if keys:
            del value[self.random.choice(keys)]

    def _insert(self, value: Any, keys: list[Any]) -> None:
        if isinstance(value, dict):
            value[self.random.choice(NAMES)] = deepcopy(self.random.choice(ODD))
        else:
            value.append(deepcopy(self.random.choice(ODD)))

    def _flipped(self, body: bytes) -> bytes:
        changed = bytearray(body)
        for _ in range(self.random.choice([1, 2, 8])):
            if changed:
                changed[self.random.randrange(len(changed))] = self.random.randrange(256)
        return bytes(changed)


def code_of(response: Response) -> str:
    """OK or the code of the error."""
    if not response.body:
        return str(response.status)
    told = (
        response.events[-1] if response.headers.get("content-type") == "text/event-stream" else response.json
    )
    error = told.get("error")
    if error is None:
        return "OK"
    return str(error.get("message") if "jsonrpc" in told else error["code"])


async def chain(app: Any, key: str) -> dict[str, Any]:
    """The results that the later tools of a reading take."""
    results: dict[str, Any] = {}
    for name in ("bazi_basic_analysis", "bazi_pattern_analysis", "bigluck_year_analysis"):
        tool = CATALOG[name]
        arguments = {**tool.example, **{each: results[each] for each in tool.example if each in results}}
        body = json.dumps(arguments).encode()
        response = await Connection(app, tool.path, body, headers={"x-api-key": key}).run()
        results |= response.json["data"]
    return results


async def run(cases: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How often each code was answered, and the cases that ended in a fault."""
    app, keys, hub = await composed(limits=Open())
    fuzzer = Fuzzer(seed, await chain(app, keys.personal))
    codes: Counter[str] = Counter()
    faults: list[str] = []
    for number in range(cases):
        path, body, headers = fuzzer.case()
        sent = {"x-api-key": keys.personal, **headers}
        response = await Connection(app, path, body, headers=sent).run()
        code = code_of(response)
        codes[code] += 1
        if code in FAULTS or response.status >= 500 or response.status == 0:
            faults.append(f"{number} {path} {response.status} {code} {body[:2000]!r}")
    await hub.close(0)
    return codes, faults


def main(arguments: list[str]) -> int:
    cases = int(arguments[0]) if arguments else 10_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    codes, faults = asyncio.run(run(cases, seed))
    for code, count in codes.most_common():
        print(f"{count:7d}  {code}")
    print(f"{cases} cases, seed {seed}: {len(faults)} faults")
    print("\n".join(faults[:20]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
