"""The routes of divination runs, as embedders import them."""

from bazi_hub.http.runs import run_routes

__all__ = ["run_routes"]
