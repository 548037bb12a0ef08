"""What the hub needs of the world, one small protocol each, and the values that pass through them.

An adapter keeps the promises written here; test classes hold them (`bazi_hub.testing`, the whole in `tests/hub/promises`).
Times are integer milliseconds since 1970 UTC, amounts integer credits, ids UUID strings. A method that changes something is
one transaction: when it returns, the change is durable; when it raises, nothing happened. Faults of a store are
`StoreError`, whatever the driver.
"""

from bazi_hub.ports.calls import (
    Admitted,
    CallRecord,
    Captured,
    Decision,
    Found,
    Fresh,
    NewCall,
    PriorCall,
    Refused,
    Reused,
    Running,
    State,
)
from bazi_hub.ports.charts import ChartStore, Saved, SavedItem
from bazi_hub.ports.errors import Conflict, NewerSchema, StoreClosed, StoreError
from bazi_hub.ports.forum import Comment, ForumStore, Moderation, Post, Stored
from bazi_hub.ports.ledger import COUNTER_ACCOUNT, Entry, Finding, Ledger
from bazi_hub.ports.limits import LimitHit, RateLimiter
from bazi_hub.ports.people import (
    PURGED_AT_ONCE,
    SESSION_IDLE_MS,
    SESSION_MS,
    Account,
    Accounts,
    AccountStanding,
    Key,
    KeyStore,
    Session,
    SessionStore,
)
from bazi_hub.ports.pricing import Price, Pricing
from bazi_hub.ports.storage import AdminAct, Storage
from bazi_hub.ports.world import UUID_FORM, Clock, Ids, Telemetry, days

__all__ = [
    "COUNTER_ACCOUNT",
    "PURGED_AT_ONCE",
    "SESSION_IDLE_MS",
    "SESSION_MS",
    "UUID_FORM",
    "Account",
    "AccountStanding",
    "Accounts",
    "AdminAct",
    "Admitted",
    "CallRecord",
    "Captured",
    "ChartStore",
    "Clock",
    "Comment",
    "Conflict",
    "Decision",
    "Entry",
    "Finding",
    "ForumStore",
    "Found",
    "Fresh",
    "Ids",
    "Key",
    "KeyStore",
    "Ledger",
    "LimitHit",
    "Moderation",
    "NewCall",
    "NewerSchema",
    "Post",
    "Price",
    "Pricing",
    "PriorCall",
    "RateLimiter",
    "Refused",
    "Reused",
    "Running",
    "Saved",
    "SavedItem",
    "Session",
    "SessionStore",
    "State",
    "Storage",
    "StoreClosed",
    "StoreError",
    "Stored",
    "Telemetry",
    "days",
]
