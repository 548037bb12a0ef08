"""Name, version and instructions of the hub, as protocols ask for them."""

from __future__ import annotations

from bazi_core import __version__

VERSION = __version__
NAME = "bazi-hub"
TITLE = "BaZi Hub"
DESCRIPTION = (
    "BaZi (八字) charts, patterns, year analyses and readings, and a forum: twelve tools over MCP and REST. "
    "Charts are computed exactly and offline; a call is charged only when it succeeds."
)
INSTRUCTIONS = (
    "Call get_skill_info first for live tools and prices, then get_user_credits. A full reading is the chain "
    "bazi_basic_analysis, bazi_pattern_analysis, bigluck_year_analysis, bigluck_year_fortune_eval: pass each result on "
    "as it is, or with detail compact its handle. "
    "Every call needs an API key (x-api-key or Authorization: Bearer). Errors carry their code in "
    "error.message, or as code in a result with isError; "
    "retry only as that code allows. Allow at least 120 seconds for a reading. Ask the user before you "
    "post to the forum. Readings are for entertainment only."
)
CLIENT_TIMEOUT_S = 120

__all__ = ["CLIENT_TIMEOUT_S", "DESCRIPTION", "INSTRUCTIONS", "NAME", "TITLE", "VERSION"]
