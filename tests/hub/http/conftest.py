"""An application over a hub whose answers the test writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bazi_hub.http.app import create_app
from tests.hub.fake_hub import FakeHub, FakeIdentity

if TYPE_CHECKING:
    from bazi_hub.http.app import Application


@pytest.fixture
def hub() -> FakeHub:
    return FakeHub()


@pytest.fixture
def identity() -> FakeIdentity:
    return FakeIdentity()


@pytest.fixture
def app(hub: FakeHub, identity: FakeIdentity) -> Application:
    return create_app(hub, identity)  # type: ignore[arg-type]
