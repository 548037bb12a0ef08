"""How the hub is doing, for its operator: checks, money that is held, what was counted, the newest acts of operators.

It is for whom the metrics are for: a browser on the same machine (from elsewhere by a tunnel), or a client with the token.
"""

from __future__ import annotations

from starlette.responses import Response

from bazi_core.version import __version__
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.words.times import iso

NEWEST_ACTS = 20


async def overview(request: PageRequest) -> Response:
    """The state of the hub; 404 for everybody else, since to them there is nothing here."""
    site, hub = request.site, request.site.hub
    operations = site.operations
    if not operations.is_operator(request.exchange):
        raise Trouble(404)
    figures = operations.monitor.figures
    journal = await hub.storage.journal()
    return request.page(
        "status.html",
        version=__version__,
        draining=hub.draining,
        failing=await operations.failing(),
        held=await hub.storage.ledger.held(),
        running=len(hub.in_progress),
        listed=[
            (each.tool, each.tool.phrases(request.language)[0], each.enabled) for each in await hub.listed()
        ],
        figures=sorted(figures()) if figures else [],
        acts=[
            (iso(act.ts_ms), act.actor, act.action, act.target) for act in journal[: -NEWEST_ACTS - 1 : -1]
        ],
    )
