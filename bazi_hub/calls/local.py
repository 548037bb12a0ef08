"""A hub for one person on one machine: in memory, nothing to pay, the rule narrator as its reader."""

from __future__ import annotations

from bazi_hub.calls.hub import Hub
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.money.prices import DEFAULT_PRICES, FURTHER_PRICES
from bazi_hub.ports import Account, Storage
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.tools.toolsets import Toolset
from bazi_hub.words.call import Caller
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import SystemClock, SystemIds

LOCAL = Caller("local", "personal")


FREE_PRICES = tuple(
    price._replace(credit_cost=0, min_balance=0, free_quota=0) for price in (*DEFAULT_PRICES, *FURTHER_PRICES)
)


async def local_hub(storage: Storage | None = None, toolset: Toolset = "core") -> Hub:
    """A hub whose one account is `LOCAL`; with a storage it keeps what is done."""
    clock, ids = SystemClock(), SystemIds()
    kept = storage or MemoryStorage(clock, ids, FREE_PRICES)
    settings = Settings(starter_credits=0, toolset=toolset)
    hub = Hub(settings, storage=kept, limits=MemoryLimits(clock), clock=clock, ids=ids)
    await hub.start()
    if await kept.accounts.get(LOCAL.account_id) is None:
        await kept.accounts.create(
            Account(LOCAL.account_id, None, "local", "active", None, clock.now_ms()), 0, "local"
        )
    return hub
