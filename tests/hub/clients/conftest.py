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
        yield found
