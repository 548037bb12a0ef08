"""The databases that these tests are given, a browser, and a hub behind a server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.hub.databases import new_url, postgres

__all__ = ["new_url", "postgres"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    # Whoever asks for no browser need not have one.
    from tests.hub.browser import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    from tests.hub.pages.serving import served

    with served() as town:
        yield town.url
