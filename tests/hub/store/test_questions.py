"""What anybody may ask of the forum, asked of both databases: no number and no letter is a fault of theirs."""

import asyncio

import pytest

from bazi_hub.calls.hub import Hub
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.store.postgres.storage import PostgresStorage
from bazi_hub.store.sqlite.storage import SqliteStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.call import Caller
from bazi_hub.words.settings import Settings
from tests.hub.databases import ENGINES


@pytest.mark.parametrize("engine", ENGINES)
def test_a_list_of_posts_may_be_asked_for_anything(engine, request):
    clock, ids = FakeClock(), FakeIds()
    if engine == "sqlite":
        storage = SqliteStorage(request.getfixturevalue("new_file")(), clock, ids)
    else:
        storage = PostgresStorage(request.getfixturevalue("new_url")(), clock, ids)
    numbers = [sign * number for sign in (1, -1) for number in (2**31, 2**63, 10**300, 1e300)]

    async def asked():
        hub = Hub(Settings(), storage=storage, limits=MemoryLimits(clock), clock=clock, ids=ids)
        wanted = [
            *({name: number} for name in ("bazi_year", "page", "limit") for number in numbers),
            *({"tag": tag} for tag in ("\0", "a\0b", "'", '"', "%", "\\", "x" * 100_000)),
        ]
        told = [await hub.dispatch("forum_list_posts", each, Caller("a", "personal")) for each in wanted]
        await hub.close()
        return [outcome.error or outcome.result for outcome in told]

    assert set(asyncio.run(asked())) == {'{"posts":[]}'}
