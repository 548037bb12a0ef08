"""The tools: what each takes, checks and does. Rows and functions; no transport, no database.

`bazi_hub.tools.as_openai()` and `as_mcp()` give them to programs that call models themselves.
"""

from typing import Any

_OFFERED = ("as_mcp", "as_openai")


def __getattr__(name: str) -> Any:
    # The tools know nothing of a hub; what offers them to others stands above both.
    from importlib import import_module

    if name in _OFFERED:
        return getattr(import_module("bazi_hub.calls.functions"), name)
    raise AttributeError(f"module 'bazi_hub.tools' has no attribute {name!r}")
