"""The databases that these tests are given."""

from tests.hub.databases import empty_file, new_file, new_url, postgres

__all__ = ["empty_file", "new_file", "new_url", "postgres"]
