"""The databases that these tests are given."""

from tests.hub.databases import new_url, postgres

__all__ = ["new_url", "postgres"]
