"""The hub over HTTP: guards, the two protocols, public documents. An ASGI application, for any server."""

from bazi_hub.server.application import create_app
from bazi_hub.server.exchange import Pace
from bazi_hub.server.operations import Monitor
from bazi_hub.server.telemetry import Metrics

__all__ = ["Metrics", "Monitor", "Pace", "create_app"]
