"""The promises of the ports as test classes, and the fakes that go with them.

Whoever writes an adapter subclasses the contracts of its ports and says how a world is opened (`contract` shows it); the
built-in stores pass the same classes.
"""

from bazi_hub.testing.accounts import AccountsContract, KeyStoreContract, SessionStoreContract
from bazi_hub.testing.charts import ChartStoreContract
from bazi_hub.testing.contract import Contract, StorageContract, World, promise, raises
from bazi_hub.testing.fakes import START_MS, FakeClock, FakeIds
from bazi_hub.testing.forum import ForumStoreContract
from bazi_hub.testing.ledger import LedgerContract
from bazi_hub.testing.limits import LimiterWorld, RateLimiterContract
from bazi_hub.testing.operators import EraseContract, JournalContract, PricingContract
from bazi_hub.testing.readers import ReadingPortContract
from bazi_hub.testing.run_log import RunLogContract
from bazi_hub.testing.small import (
    ClockContract,
    IdsContract,
    ModerationContract,
    StorageLifeContract,
    TelemetryContract,
)

__all__ = [
    "START_MS",
    "AccountsContract",
    "ChartStoreContract",
    "ClockContract",
    "Contract",
    "EraseContract",
    "FakeClock",
    "FakeIds",
    "ForumStoreContract",
    "IdsContract",
    "JournalContract",
    "KeyStoreContract",
    "LedgerContract",
    "LimiterWorld",
    "ModerationContract",
    "PricingContract",
    "RateLimiterContract",
    "ReadingPortContract",
    "RunLogContract",
    "SessionStoreContract",
    "StorageContract",
    "StorageLifeContract",
    "TelemetryContract",
    "World",
    "promise",
    "raises",
]
