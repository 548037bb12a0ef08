"""All that a ledger promises, and all that a store does, whichever it is."""

from tests.hub.promises.accounts import AccountsContract, KeyStoreContract, SessionStoreContract
from tests.hub.promises.calls import ChargeContract, HoldContract, LookContract, QuotaContract
from tests.hub.promises.charts import ChartStoreContract
from tests.hub.promises.forum import ForumStoreContract
from tests.hub.promises.lapse import LeaseContract, PurgeContract, UnchargedContract
from tests.hub.promises.operators import EraseContract, JournalContract, PricingContract
from tests.hub.promises.postings import CallHistoryContract, EntriesContract, PostContract
from tests.hub.promises.repeats import KeyedContract, KeylessContract
from tests.hub.promises.run_log import RunLogContract
from tests.hub.promises.small import StorageLifeContract


class LedgerContract(
    LookContract,
    HoldContract,
    QuotaContract,
    ChargeContract,
    KeyedContract,
    KeylessContract,
    EntriesContract,
    PostContract,
    CallHistoryContract,
    LeaseContract,
    PurgeContract,
    UnchargedContract,
):
    """Every promise of `bazi_hub.ports.Ledger`; after each, `verify` finds nothing."""


class StoreContract(
    AccountsContract,
    KeyStoreContract,
    SessionStoreContract,
    PricingContract,
    LedgerContract,
    RunLogContract,
    ForumStoreContract,
    ChartStoreContract,
    JournalContract,
    EraseContract,
    StorageLifeContract,
):
    """Every promise of `bazi_hub.ports.Storage` and of what it holds."""
