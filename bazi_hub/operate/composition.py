"""A hub with all that it stands on, as the pages and the bundled server hold it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bazi_hub.calls.hub import Hub
from bazi_hub.operate.admin import AdminContext
from bazi_hub.operate.config import Config
from bazi_hub.people.identity import Identity
from bazi_hub.people.passwords import Passwords
from bazi_hub.ports import RateLimiter


@dataclass(frozen=True)
class Composition:
    """A hub with all that it stands on."""

    config: Config
    hub: Hub
    identity: Identity
    passwords: Passwords
    limits: RateLimiter
    telemetry: Any

    def admin_context(self, actor: str) -> AdminContext:
        """The context of an operator's acts."""
        hub = self.hub
        return AdminContext(
            hub.storage, self.identity, self.passwords, hub.settings, hub.clock, hub.ids, actor
        )

    async def reader_is_configured(self) -> None:
        """Nothing, if readings can be asked for."""
        self.hub.reader_for("")

    async def close(self, drain_s: float | None = None) -> None:
        await self.hub.close(drain_s)
        self.passwords.close()
