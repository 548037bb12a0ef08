"""A process dies while it runs something. Twenty rounds and more: `python -m tests.hub.divination.kill9 --rounds 20`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.divination.kill9 import POINTS, rounds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.process


def test_a_process_that_is_killed_at_any_point_leaves_nothing_half_done(new_file: Callable[[], Path]) -> None:
    assert rounds(str(new_file()), 1) == len(POINTS)


def test_another_worker_ends_what_a_killed_one_left(new_url: Callable[[], str]) -> None:
    points = ("in_admit", "interpreting", "in_final", "after_final")
    assert rounds(new_url(), 1, points) == 4
