"""One address: so much a minute without a credential, so many requests open at once, through a proxy too."""

import asyncio

import pytest

from bazi_hub.http import addresses
from bazi_hub.http.addresses import HELD_S, Addresses
from bazi_hub.http.app import create_app
from bazi_hub.testing import FakeClock
from bazi_hub.words.errors import HubError, unauthorized
from bazi_hub.words.settings import Settings
from tests.hub.client import KEY, Connection
from tests.hub.fake_hub import FakeHub, FakeIdentity
from tests.hub.stories import in_loop

MOST = 3
TOOL = "/api/universal/meta/get_skill_info"
PATHS = ("/.well-known/mcp.json", "/llms.txt", "/", "/api/mcp")


def made(**settings):
    """A hub and its application."""
    hub = FakeHub()
    hub.settings = Settings(**settings)
    return hub, create_app(hub, FakeIdentity())


def statuses(app, count, path="/llms.txt", client="192.0.2.7", headers=None, method="GET"):
    async def ask():
        found = []
        for _ in range(count):
            asked = Connection(app, path, b"{}", method, headers, client=(client, 5000))
            found.append(await asked.run())
        return found

    return asyncio.run(ask())


@pytest.mark.parametrize("path", PATHS)
def test_an_address_without_a_credential_has_a_budget_of_a_minute(path):
    hub, app = made(anonymous_per_minute=MOST)
    *first, beyond = statuses(app, MOST + 1, path)
    assert all(each.status != 429 for each in first)
    assert (beyond.status, beyond.headers["retry-after"]) == (429, "50")
    assert statuses(app, 1, path, "192.0.2.8")[0].status != 429
    hub.clock.advance(50)
    assert statuses(app, 1, path)[0].status != 429


def test_a_household_has_one_budget_however_many_addresses_it_has():
    _, app = made(anonymous_per_minute=MOST)
    found = [statuses(app, 1, client=f"2001:db8:1:2::{number}")[0].status for number in range(1, MOST + 2)]
    assert found == [200] * MOST + [429]
    assert statuses(app, 1, client="2001:db8:1:3::1")[0].status == 200


def test_whoever_has_a_key_and_the_signs_of_life_are_not_counted():
    _, app = made(anonymous_per_minute=MOST)
    assert {each.status for each in statuses(app, MOST + 5, "/healthz")} == {200}
    assert {each.status for each in statuses(app, MOST + 5, TOOL, headers=KEY, method="POST")} == {200}
    assert statuses(app, 1)[0].status == 200


INVENTED = [
    {"x-api-key": "bzp_invented"}, {"authorization": "Bearer x"}, {"cookie": "bazi_session=x"}, {"cookie": "a=b"}
]  # fmt: skip


@pytest.mark.parametrize("invented", INVENTED)
def test_a_credential_that_nobody_has_counts_like_none_and_beyond_the_budget_is_not_looked_for(invented):
    hub, identity = FakeHub(), FakeIdentity()
    hub.settings = Settings(anonymous_per_minute=MOST)
    app = create_app(hub, identity)
    found = statuses(app, MOST + 2, TOOL, headers=invented, method="POST")
    assert [each.status for each in found] == [401] * MOST + [429] * 2
    assert len(identity.asked) == MOST
    # Another one each time makes no difference, nor does a path that looks for none; whoever has none is counted apart.
    assert statuses(app, 1, "/llms.txt", headers={"x-api-key": "another"})[0].status == 429
    assert statuses(app, 1)[0].status == 200


def test_a_key_that_held_passes_where_strangers_have_used_everything_up_and_a_new_one_when_there_is_room():
    hub, app = made(anonymous_per_minute=MOST)
    assert statuses(app, 1, TOOL, headers=KEY, method="POST")[0].status == 200
    assert statuses(app, MOST + 1, headers={"x-api-key": "invented"})[-1].status == 429
    assert {each.status for each in statuses(app, 9, TOOL, headers=KEY, method="POST")} == {200}
    other = {"x-api-key": "agent"}
    assert statuses(app, 1, TOOL, headers=other, method="POST")[0].status == 429
    hub.clock.advance(60)
    assert statuses(app, 1, TOOL, headers=other, method="POST")[0].status == 200


def test_a_key_that_no_longer_holds_is_counted_from_then_on():
    hub, identity = FakeHub(), FakeIdentity()
    hub.settings = Settings(anonymous_per_minute=MOST)
    app = create_app(hub, identity)
    statuses(app, 1, TOOL, headers=KEY, method="POST")
    identity.fault = unauthorized("revoked")
    found = statuses(app, MOST + 2, TOOL, headers=KEY, method="POST")
    assert [each.status for each in found] == [401] * (MOST + 1) + [429]


def test_a_database_that_is_away_is_held_against_nobody():
    hub, identity = FakeHub(), FakeIdentity()
    hub.settings = Settings(anonymous_per_minute=MOST)
    app = create_app(hub, identity)
    statuses(app, 1, TOOL, headers=KEY, method="POST")
    identity.fault = HubError("AUTH_BACKEND_ERROR", "The credential could not be verified")
    assert {each.status for each in statuses(app, 9, TOOL, headers=KEY, method="POST")} == {500}
    identity.fault = None
    assert {each.status for each in statuses(app, 9, TOOL, headers=KEY, method="POST")} == {200}


def test_what_is_remembered_of_credentials_ends_after_an_hour_and_has_an_end(monkeypatch):
    monkeypatch.setattr(addresses, "MOST_HELD", 2)
    clock = FakeClock()
    made = Addresses(clock, a_minute=1, at_once=1)
    keys = [{"x-api-key": name} for name in ("bzp_one", "bzp_two", "bzp_three")]
    for number, key in enumerate(keys):
        made.admit(str(number), key).proved(True)
    # The oldest is forgotten; the others pass, and neither stands there as it is.
    assert [made.admit("x", key).wait_s for key in (*keys, keys[0])] == [0, 0, 0, 50]
    assert b"bzp" not in b"".join(made._held)
    clock.advance(HELD_S)
    assert [made.admit("y", key).wait_s > 0 for key in keys[1:]] == [False, True]


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_behind_a_trusted_proxy_every_client_has_its_own_budget(proxies):
    _, app = made(anonymous_per_minute=1, trusted_proxies=proxies)
    found = [
        statuses(app, 1, client="127.0.0.1", headers={"x-forwarded-for": f"192.0.2.{number}"})[0].status
        for number in (1, 2)
    ]
    assert found == [200, 200 if proxies else 429]


@in_loop
async def test_requests_of_an_address_that_are_open_at_once_are_bounded():
    _, app = made(requests_per_address=MOST)
    slow, bodies = asyncio.Event(), []

    async def receive():
        await slow.wait()
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message):
        return None

    def scope(client):
        return {**Connection(app, "/api/mcp", headers=KEY, client=(client, 1)).scope}

    bodies = [asyncio.create_task(app(scope("192.0.2.7"), receive, send)) for _ in range(MOST)]
    for _ in range(5):
        await asyncio.sleep(0)
    beyond = await Connection(app, "/api/mcp", b"{}", headers=KEY, client=("192.0.2.7", 2)).run()
    assert (beyond.status, beyond.headers["retry-after"]) == (429, "1")
    assert beyond.body == b"RATE_LIMITED: open_requests limit of 3 for this address reached\n"
    other = await Connection(app, "/api/mcp", b"{}", headers=KEY, client=("192.0.2.8", 2)).run()
    assert other.status != 429
    slow.set()
    await asyncio.gather(*bodies)
    again = await Connection(app, "/api/mcp", b"{}", headers=KEY, client=("192.0.2.7", 2)).run()
    assert again.status != 429
