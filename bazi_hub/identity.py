"""Identification, as embedders import it: the keys of accounts, and the secrets that they are checked with."""

from bazi_hub.people.identity import Identity, Secrets

__all__ = ["Identity", "Secrets"]
