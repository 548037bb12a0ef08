"""The databases that these tests are given."""

from tests.hub.databases import new_url, server

__all__ = ["new_url", "server"]
