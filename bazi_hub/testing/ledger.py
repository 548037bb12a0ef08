"""The whole contract of a ledger, out of its chapters."""

from __future__ import annotations

from bazi_hub.testing.calls import ChargeContract, HoldContract, LookContract, QuotaContract
from bazi_hub.testing.lapse import LeaseContract, PurgeContract, UnchargedContract
from bazi_hub.testing.postings import CallHistoryContract, EntriesContract, PostContract
from bazi_hub.testing.repeats import KeyedContract, KeylessContract


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
