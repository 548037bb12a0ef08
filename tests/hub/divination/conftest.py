"""The databases that these tests are given."""

import pytest

from tests.hub.databases import empty_file, new_file, new_url, postgres

pytest.register_assert_rewrite("tests.hub.divination.grammar", "tests.hub.divination.runworld")

__all__ = ["empty_file", "new_file", "new_url", "postgres"]
