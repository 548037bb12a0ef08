"""One live hub for all clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.live import Live, live

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[Live]:
    with live() as found:
        # Wrong requests are drawn by the hundred in the name of one account: each is to reach what it asks for.
        found.hub.refused.most = 1_000_000
        yield found
