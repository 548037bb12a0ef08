"""A page as a server meets it: the checks in front of it, and what becomes of everything that goes wrong behind it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable

from starlette.responses import Response

from bazi_hub.http.exchange import ClientGone, Exchange, TooSlow
from bazi_hub.pages import events
from bazi_hub.pages.refusal import of_trouble
from bazi_hub.pages.request import PageRequest, SignInFirst, Trouble
from bazi_hub.pages.site import Site
from bazi_hub.people.passwords import HashQueueFull
from bazi_hub.ports import StoreError
from bazi_hub.words.errors import HubError
from bazi_hub.words.fault_log import log_fault

Handler = Callable[[PageRequest], Awaitable[Response]]

BUSY_RETRY_S = 5
# So many things that a page leaves behind are worth a look of the collector; a page without a chart leaves a hundred.
LEFT_BEHIND = 500
# After so many looks one goes a generation further; to go through all of them takes as long as two charts.
LOOKS, LONGER_LOOKS = 10, 100


class Page:
    """The endpoint of a page: one handler to show it, one for what a form of it does."""

    def __init__(self, site: Site, get: Handler | None = None, post: Handler | None = None) -> None:
        self._site = site
        self._handlers = {"GET": get, "HEAD": get, "POST": post}

    async def __call__(self, exchange: Exchange) -> None:
        request, headers = PageRequest(self._site, exchange), self._site.headers(exchange)
        response: Response | None
        if events.wanted(exchange):
            told = events.Events(exchange, headers, self._site.pace.sign_s)
            request.tell = told.tell
            response = await told.carry(self._answer(request))
        else:
            response = await self._answer(request)
        if response is not None:
            for name, value in headers.items():
                response.headers.setdefault(name, value)
            await exchange.leave_to(response)
        asyncio.get_running_loop().call_soon(tidy)

    async def _answer(self, request: PageRequest) -> Response:
        try:
            return await self._handled(request)
        except SignInFirst:
            return request.go(f"/login?next={request.wanted()}")
        except Trouble as trouble:
            return _trouble_page(request, trouble)
        except HubError as error:
            return request.page("error.html", refusal=request.refusal(error))
        except TooSlow:
            return _trouble_page(request, Trouble(408))
        except HashQueueFull as busy:
            status, why = (429, "busy_address") if busy.own else (503, "busy")
            return _trouble_page(request, Trouble(status, why, BUSY_RETRY_S))
        except StoreError:
            return _trouble_page(request, Trouble(503, retry_after=BUSY_RETRY_S))
        except ClientGone:
            raise
        except Exception as error:
            log_fault(self._site.hub.telemetry, error, request_id=request.exchange.id)
            return _trouble_page(request, Trouble(500), request.exchange.id)

    async def _handled(self, request: PageRequest) -> Response:
        method = request.exchange.method
        handler = self._handlers.get(method)
        if handler is None:
            response = _trouble_page(request, Trouble(405))
            response.headers["Allow"] = ", ".join(name for name, each in self._handlers.items() if each)
            return response
        await self._site.hub.start()
        await request.recognise()
        if method == "POST":
            await request.accept_form()
        return await handler(request)


def _trouble_page(request: PageRequest, trouble: Trouble, number: str | None = None) -> Response:
    """The page of a trouble."""
    refused = of_trouble(trouble.status, trouble.why, trouble.retry_after, request.language, number)
    return request.refused(refused)


def tidy() -> None:
    """Frees what a page left behind, once it is sent.

    A chart and its pattern know each other, so that they live until the collector comes. By itself it comes once in a dozen
    pages, in the middle of one, and whoever waits for that one waits twice as long.
    """
    new, looks, longer_looks = gc.get_count()
    if new > LEFT_BEHIND:
        gc.collect(2 if longer_looks > LONGER_LOOKS else 1 if looks > LOOKS else 0)
