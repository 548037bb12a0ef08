"""The hub over HTTP, as embedders import it."""

from bazi_hub.http.app import create_app

__all__ = ["create_app"]
