"""What every moderation promises: a verdict on every text, and a reason where it is not let pass."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from bazi_hub.ports import Moderation

TEXTS = ("今年如何？", "a" * 20_000, "<script>alert(1)</script>", "🤖\n\t", "x")


class ModerationContract(ABC):
    """`make` gives the moderation; it may ask whom it likes, but answers every text with a verdict."""

    @abstractmethod
    def make(self) -> Moderation:
        """The moderation."""

    def test_every_text_gets_a_verdict_and_a_reason(self) -> None:
        moderation = self.make()
        for kind in ("post", "comment"):
            for text in TEXTS:
                verdict, reason = asyncio.run(moderation.review(kind, text, "author"))
                assert verdict in ("allow", "hold", "reject")
                assert isinstance(reason, str)
                assert verdict == "allow" or reason
