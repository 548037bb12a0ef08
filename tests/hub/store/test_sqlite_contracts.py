"""SQLite keeps every promise of the ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hub.databases import on_sqlite
from tests.hub.promises.store import StoreContract

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from bazi_hub.testing import World


class TestStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _files(self, new_file: Callable[[], Path]) -> None:
        self.new_file = new_file

    def opened(self) -> AbstractAsyncContextManager[World]:
        return on_sqlite(self.new_file())
