"""A test in two sizes: a sample for whoever waits for the verdict, the whole for who asks for everything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings


def sizes(sample: int, whole: int) -> pytest.MarkDecorator:
    """Gives a test its `count`: the default set takes the sample, the whole suite the whole."""
    return pytest.mark.parametrize("count", both(sample, whole))


def both(sample: int, whole: int) -> list[Any]:
    """The same as the parameters of a fixture."""
    return [pytest.param(sample, marks=pytest.mark.sample), pytest.param(whole, marks=pytest.mark.exhaustive)]


def examples(whole: int) -> settings:
    """How many examples a law is tried with that needs another number than most: in the default set the same part of
    them as of theirs."""
    return settings(max_examples=max(5, whole * settings.default.max_examples // 100))
