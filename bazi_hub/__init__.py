"""The hub: tools over MCP, REST and plain function calls, behind one dispatch.

    hub = bazi_hub.Hub(bazi_hub.Settings(), storage=…, limits=…)    as a function, without HTTP
    app = bazi_hub.asgi()                                           as an ASGI application, configured by the environment
    bazi_hub.tools.as_openai()                                      as tools of a model that you call yourself

Names are resolved when first used, so that a hub over standard input needs no web server.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bazi_hub.calls.hub import Hub
    from bazi_hub.operate.app import asgi, lifespan
    from bazi_hub.words.call import Call, Caller, Outcome
    from bazi_hub.words.errors import HubError
    from bazi_hub.words.settings import Settings

__all__ = ["Call", "Caller", "Hub", "HubError", "Outcome", "Settings", "asgi", "lifespan"]

_HOMES = {
    "Call": "words.call",
    "Caller": "words.call",
    "Hub": "calls.hub",
    "HubError": "words.errors",
    "Outcome": "words.call",
    "Settings": "words.settings",
    "asgi": "operate.app",
    "lifespan": "operate.app",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bazi_hub' has no attribute {name!r}")
    found = getattr(import_module(f"bazi_hub.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
