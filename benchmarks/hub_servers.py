"""The servers that `hub_http` loads, one process each: `python hub_servers.py NAME PORT [DATABASE]`.

`hub` is ours as it is served, with its keys, limits and ledger on SQLite, `pages` the same with pages and without limits.
`ledger` is `hub` with the computation of t1 taken out, so that what remains is the way of a paid call through the hub;
`hostile` is `hub` with many accounts, `poor` is `ledger` with accounts that own little, `worker` one more process on the
PostgreSQL database of a `ledger`. `echo` is the web framework alone, `sdk` the official Python SDK of MCP with one tool, on
its stateless path.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from dataclasses import replace
from typing import Any

ACCOUNTS = 1000
# What accounts own: enough for hours, or so little that each call looks first whether it can be paid.
RICH, POOR = 10**9, 99
KEYS = {
    "hub": (1, RICH),
    "hostile": (ACCOUNTS, RICH),
    "ledger": (ACCOUNTS, RICH),
    "poor": (ACCOUNTS, POOR),
    "pages": (0, RICH),
    "worker": (0, RICH),
}
# All the load comes from one address.
NO_LIMIT = {"BAZI_HUB_ANONYMOUS_PER_MINUTE": "1000000"}


def echo() -> Any:
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def answer(request: Any) -> Any:
        return JSONResponse(await request.json())

    return Starlette(routes=[Route("/api/mcp", answer, methods=["POST"])])


def sdk() -> Any:
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("peer", log_level="ERROR")

    @server.tool()
    def get_user_credits() -> str:
        """Balance."""
        return '{"balance":25}'

    return server.streamable_http_app(
        streamable_http_path="/api/mcp", json_response=True, stateless_http=True, host="127.0.0.1"
    )


def hub(database: str, cheap: bool, pages: bool = False) -> tuple[Any, Any]:
    """Our application and its composition; the keys that load it are printed."""
    from bazi_hub.http.app import create_app
    from bazi_hub.http.runs import run_routes
    from bazi_hub.operate.app import application, compose, with_database
    from bazi_hub.operate.config import configured
    from bazi_hub.people.identity import Secrets
    from bazi_hub.tools.catalog import CATALOG

    config = with_database(
        configured({"BAZI_HUB_LOG_LEVEL": "error", **(NO_LIMIT if pages else {})}), database
    )
    composed = compose(config, secrets=Secrets(bytes(32), bytes(32)))
    if cheap:
        tool = CATALOG["bazi_basic_analysis"]
        composed.hub.catalog = {**CATALOG, tool.name: replace(tool, check=_job, run=_nothing)}
    if pages:
        return application(replace(composed, limits=_Unlimited())), composed
    return create_app(
        composed.hub, composed.identity, routes=run_routes(composed.hub, composed.identity)
    ), composed


class _Unlimited:
    """Room for everybody, whatever is counted."""

    async def take(self, bucket: str, limit: int, window_s: int = 60) -> Any:
        from bazi_hub.ports import LimitHit

        return LimitHit(True, limit, window_s, 0)

    async def acquire(self, bucket: str, place: str, most: int, lease_s: float) -> int:
        return 0


def _job(given: Any) -> Any:
    from bazi_hub.tools.fortune import MeteredJob

    return MeteredJob(given.settled(), None)


async def _nothing(job: Any, context: Any) -> Any:
    from bazi_hub.tools.context import MeteredResult

    return MeteredResult('{"base_context":{}}')


async def keys(composed: Any, count: int, credits: int) -> list[str]:
    """Keys of so many accounts."""
    from bazi_hub.operate.admin import act

    await composed.hub.start()
    context, made = composed.admin_context("bench"), []
    for _ in range(count):
        account = await act(context, "account_create", {"credits": credits})
        issued = await act(context, "keys_issue", {"account": account["id"]})
        made.append(issued["key"])
    return made


class Turns:
    """The longest turn of the event loop, in processor time: what other programs do meanwhile counts for nothing. For every
    SIGUSR1 its milliseconds are a line, and the next is looked for."""

    EVERY_S = 0.001

    def __init__(self) -> None:
        self._loop, self._longest_s, self._last_s = asyncio.get_running_loop(), 0.0, time.thread_time()
        self._loop.add_signal_handler(signal.SIGUSR1, self._tell)
        self._look()

    def _look(self) -> None:
        now_s = time.thread_time()
        self._longest_s, self._last_s = max(self._longest_s, now_s - self._last_s), now_s
        self._loop.call_later(self.EVERY_S, self._look)

    def _tell(self) -> None:
        print(f"{self._longest_s * 1000:.0f}", flush=True)
        self._longest_s = 0.0


async def serve(name: str, port: int, database: str) -> None:
    import uvicorn

    served: dict[str, Any] = {}
    if name in KEYS:
        from bazi_hub.http.connections import Connection
        from bazi_hub.operate.serving import warm

        application, composed = hub(database, name not in ("hub", "hostile", "pages"), name == "pages")
        print(json.dumps(await keys(composed, *KEYS[name])), flush=True)
        warm()
        if name == "hostile":
            Turns()
        served = {"http": Connection, "server_header": False}
    else:
        application = {"echo": echo, "sdk": sdk}[name]()
        print("[]", flush=True)
    config = uvicorn.Config(
        application,
        port=port,
        log_level="error",
        access_log=False,
        lifespan="on",
        proxy_headers=False,
        **served,
    )
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    try:
        import uvloop

        run = uvloop.run
    except ImportError:
        run = asyncio.run
    run(serve(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""))
