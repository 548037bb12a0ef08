"""All that a store promises, whichever it is."""

from __future__ import annotations

from bazi_hub.testing import (
    AccountsContract,
    ChartStoreContract,
    EraseContract,
    ForumStoreContract,
    JournalContract,
    KeyStoreContract,
    LedgerContract,
    PricingContract,
    RunLogContract,
    SessionStoreContract,
    StorageLifeContract,
)


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
