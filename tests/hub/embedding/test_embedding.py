"""The hub inside other programs: mounted without life cycle events, in FastAPI, in Django, and as a function."""

from __future__ import annotations

import asyncio
import json
import warnings
from contextlib import asynccontextmanager

import httpx
import pytest

import bazi_hub
from bazi_hub.calls.hub import Hub
from bazi_hub.calls.local import LOCAL
from bazi_hub.http.app import create_app
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.ports import Account
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.tools import as_mcp, as_openai
from bazi_hub.tools.catalog import TOOLS
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import NoTelemetry, SystemClock, SystemIds

PREFIX = "/bazi"
CREDITS = "/api/universal/meta/get_user_credits"


async def hub_with_key():
    """An application and a key that it takes."""
    clock, ids = SystemClock(), SystemIds()
    storage = MemoryStorage(clock, ids)
    hub = Hub(Settings(), storage=storage, limits=MemoryLimits(clock), clock=clock, ids=ids)
    identity = Identity(storage, Secrets(bytes(32), bytes(32)), clock=clock, ids=ids, telemetry=NoTelemetry())
    await storage.accounts.create(Account("a", None, None, "active", None, 0), 25, "test")
    key, _ = await identity.issue("a", "personal", "test")
    return create_app(hub, identity), key


async def balance(app, key, path):
    """What a client of the whole program is told; no life cycle event is ever sent."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answer = await client.post(path + CREDITS, json={}, headers={"x-api-key": key})
        found = await client.get(path + "/.well-known/mcp.json")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]["balance"], found.json()["endpoints"]["mcp"]


def test_mounted_in_starlette_without_life_cycle_events():
    from starlette.applications import Starlette
    from starlette.routing import Mount

    async def story():
        app, key = await hub_with_key()
        return await balance(Starlette(routes=[Mount(PREFIX, app)]), key, PREFIX)

    assert asyncio.run(story()) == (25, "http://localhost/bazi/api/mcp")


def test_mounted_in_fastapi():
    from fastapi import FastAPI

    async def story():
        app, key = await hub_with_key()
        outer = FastAPI()
        outer.mount(PREFIX, app)

        @outer.get("/own")
        def own() -> dict[str, int]:
            return {"own": 1}

        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(outer), base_url="http://localhost"
        ) as client:
            assert (await client.get("/own")).json() == {"own": 1}
        return await balance(outer, key, PREFIX)

    assert asyncio.run(story()) == (25, "http://localhost/bazi/api/mcp")


def test_chained_to_the_life_cycle_of_the_application_around_it():
    from starlette.applications import Starlette
    from starlette.routing import Mount

    async def story():
        app, key = await hub_with_key()

        @asynccontextmanager
        async def lifespan(outer):
            async with bazi_hub.lifespan(app):
                yield

        outer = Starlette(routes=[Mount(PREFIX, app)], lifespan=lifespan)
        async with outer.router.lifespan_context(outer):
            found = await balance(outer, key, PREFIX)
        assert app.hub.draining
        return found

    assert asyncio.run(story())[0] == 25


@pytest.fixture(scope="module")
def django_application():
    """A Django project of one page, as its asgi.py makes it."""
    import django
    from django.conf import settings
    from django.core.asgi import get_asgi_application
    from django.http import JsonResponse
    from django.test import override_settings
    from django.urls import path

    tools = as_openai()

    def pillars(request):
        found = json.loads(tools.call("bazi_basic_analysis", BIRTH))
        return JsonResponse(found["base_context"]["four_pillars"])

    urls = type("urls", (), {"urlpatterns": [path("pillars", pillars)]})
    # Another test may have made a project of its own in this process.
    if not settings.configured:
        settings.configure(SECRET_KEY="x")
    with override_settings(ROOT_URLCONF=urls, ALLOWED_HOSTS=["*"], SECRET_KEY="x", DEBUG=False):
        django.setup()
        yield get_asgi_application()


BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30, "gender": "male",
    "location": {"city_name": "Beijing"},
}  # fmt: skip


def test_beside_django_by_its_prefix(django_application):
    async def story():
        app, key = await hub_with_key()

        async def application(scope, receive, send):
            if scope["path"].startswith(f"{PREFIX}/"):
                await app({**scope, "root_path": PREFIX}, receive, send)
            else:
                await django_application(scope, receive, send)

        return await balance(application, key, PREFIX)

    assert asyncio.run(story()) == (25, "http://localhost/bazi/api/mcp")


def test_inside_a_django_view_as_a_function(django_application):
    async def story():
        transport = httpx.ASGITransport(django_application)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return (await client.get("/pillars")).json()

    with warnings.catch_warnings():
        # Django warns of synchronous iterators of its own under ASGI.
        warnings.simplefilter("ignore")
        assert asyncio.run(story()) == {"year": "庚午", "month": "辛巳", "day": "庚辰", "hour": "壬午"}


def test_two_hubs_in_one_process_share_nothing():
    async def story():
        (one, key), (other, _) = await hub_with_key(), await hub_with_key()
        assert (await balance(one, key, ""))[0] == 25
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(other), base_url="http://localhost"
        ) as client:
            return (await client.post(CREDITS, json={}, headers={"x-api-key": key})).status_code

    assert asyncio.run(story()) == 401


def test_the_tools_are_given_to_a_model_as_functions():
    tools = as_openai()
    assert [each["function"]["name"] for each in tools.schemas] == [tool.name for tool in TOOLS]
    assert json.loads(tools.call("bazi_basic_analysis", json.dumps(BIRTH)))["base_context"]["zodiac"]
    wrong = json.loads(tools.call("bazi_basic_analysis", {}))
    assert wrong["error"]["code"] == "INVALID_INPUT"
    assert as_mcp().schemas[0].keys() == {"name", "title", "description", "inputSchema"}


def test_a_hub_of_ones_own_is_called_as_a_function():
    clock, ids = SystemClock(), SystemIds()
    hub = bazi_hub.Hub(bazi_hub.Settings(), storage=MemoryStorage(clock, ids), limits=MemoryLimits(clock))
    outcome = hub.dispatch_sync("forum_list_posts", {}, LOCAL)
    hub.close_sync()
    assert outcome.result == '{"posts":[]}'


def test_importing_the_hub_loads_no_server():
    import subprocess
    import sys

    code = (
        "import sys, bazi_hub, bazi_hub.calls.local, bazi_hub.stdio; "
        "print([name for name in ('starlette', 'uvicorn', 'sqlalchemy', 'httpx', 'jinja2', 'argon2', 'psycopg') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
