"""What all tests share: the repository's root on the path, and settings that leave nothing to luck or speed."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    # `tests.golden.answer` is run as a program and imported by tests, however pytest was started.
    sys.path.insert(0, ROOT)

settings.register_profile(
    "bazi", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("bazi")

# Asserts in the published contracts are shown as those of a test are.
pytest.register_assert_rewrite("bazi_hub.testing")
