"""For those who test what they plug into a hub: four contracts, and the fakes that go with them.

A contract is a class of tests: subclass it, and say how its world is opened or its object made (`contract` shows it). The
built-in parts pass the same classes, and further ones in the tests of this package.

| part | contract | fake |
|---|---|---|
| reader | `ReadingPortContract` | `bazi_core.model.fakes` |
| limiter | `RateLimiterContract` | `bazi_hub.memory.MemoryLimits` |
| moderation | `ModerationContract` | `bazi_hub.memory.AllowAll` |
| storage | `StorageContract` | `bazi_hub.memory.MemoryStorage` |

`FakeClock` and `FakeIds` are time and chance for all of them.
"""

from bazi_hub.testing.contract import Contract, LimiterWorld, World, promise, raises
from bazi_hub.testing.fakes import START_MS, FakeClock, FakeIds
from bazi_hub.testing.limits import RateLimiterContract
from bazi_hub.testing.moderation import ModerationContract
from bazi_hub.testing.readers import ReadingPortContract
from bazi_hub.testing.storage import StorageContract

__all__ = [
    "START_MS",
    "Contract",
    "FakeClock",
    "FakeIds",
    "LimiterWorld",
    "ModerationContract",
    "RateLimiterContract",
    "ReadingPortContract",
    "StorageContract",
    "World",
    "promise",
    "raises",
]
