"""The errors of stores."""

from __future__ import annotations


class StoreError(Exception):
    """A store that cannot do its work. `read_only`: it can answer but not write, which is a matter of configuration."""

    def __init__(self, message: str, read_only: bool = False) -> None:
        super().__init__(message)
        self.read_only = read_only


class StoreClosed(StoreError):
    """A store that is not open: the hub around it is on its way out."""


class Conflict(Exception):
    """A row that was to be added is there already, or one that was to be changed is not in the state for it."""


class NewerSchema(StoreError):
    """Tables, or an export of them, of a version that this release does not know: a newer one made them."""

    def __init__(self, message: str, schema: str, known: str) -> None:
        super().__init__(message)
        self.schema, self.known = schema, known
