"""Asserts in the published contracts are shown as those of a test are."""

import pytest

pytest.register_assert_rewrite("bazi_hub.testing")
