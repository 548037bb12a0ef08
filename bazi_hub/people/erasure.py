"""Erasing an account: it is suspended, its running calls end, then all that is personal goes in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bazi_hub.people.identity import Identity
from bazi_hub.ports import Clock, Conflict, Storage

# How often it is looked whether what runs of an account has ended.
LOOK_EVERY_S = 0.5


async def suspend(storage: Storage, identity: Identity, account_id: str, status: str, actor: str) -> None:
    """Sets the status of an account; its keys are verified anew."""
    await storage.accounts.change(account_id, actor, status=status)
    identity.forget(account_id)


async def erase(
    storage: Storage, identity: Identity, clock: Clock, account_id: str, actor: str, longest_s: float,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> bool:  # fmt: skip
    """Deletes all that is personal of an account; its bare id keeps the books in order.

    False: something of it still runs after `longest_s` seconds, and the account is suspended as before.
    """
    await suspend(storage, identity, account_id, "suspended", actor)
    # Whoever was let in before has begun by then; another worker may remember a key for so long.
    await sleep(identity.cache_s if storage.shared else LOOK_EVERY_S)
    until_s = clock.monotonic() + longest_s
    while True:
        try:
            await storage.accounts.erase(account_id, actor)
            return True
        except Conflict:
            if clock.monotonic() >= until_s:
                return False
        await sleep(LOOK_EVERY_S)
        await storage.ledger.reap()
