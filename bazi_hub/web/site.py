"""What all pages share: the hub they show, their templates and style, and the headers of every response."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from bazi_core.readings.safety import disclaimer
from bazi_hub.server.guards import Guards
from bazi_hub.web.texts import speaking

if TYPE_CHECKING:
    from bazi_hub.app import Composition
    from bazi_hub.server.exchange import Exchange, Pace

_HERE = os.path.dirname(__file__)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HSTS = "max-age=31536000"
A_YEAR = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file that pages load. New content has a new name, so that it may be kept for good."""

    path: str
    body: bytes
    media_type: str

    def response(self) -> Response:
        """It as it is sent, to anybody and without a look at who it is."""
        headers = {"Cache-Control": A_YEAR, "X-Content-Type-Options": "nosniff"}
        return Response(self.body, headers=headers, media_type=self.media_type)


def _asset(name: str, media_type: str) -> Asset:
    with open(os.path.join(_HERE, "static", name), "rb") as file:
        body = file.read()
    stem, ending = os.path.splitext(name)
    return Asset(f"/static/{stem}.{hashlib.sha256(body).hexdigest()[:12]}{ending}", body, media_type)


STYLE, SCRIPT = _asset("style.css", "text/css"), _asset("page.js", "text/javascript")


class Site:
    """The parts of a composition that pages use."""

    def __init__(self, composition: Composition, pace: Pace) -> None:
        self.pace = pace
        self.hub, self.identity = composition.hub, composition.identity
        self.passwords, self.limits = composition.passwords, composition.limits
        self.settings = composition.hub.settings
        self.guards = Guards(self.settings)
        self._templates = Environment(
            loader=FileSystemLoader(os.path.join(_HERE, "templates")),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def rendered(self, template: str, language: str, **values: Any) -> str:
        """A template in a language."""
        return self._templates.get_template(template).render(
            t=speaking(language),
            lang=language,
            style=STYLE.path,
            script=SCRIPT.path,
            disclaimer=disclaimer(language),
            **values,
        )

    def headers(self, exchange: Exchange) -> dict[str, str]:
        """What every page says to the browser about itself."""
        said = {
            "Content-Security-Policy": CSP,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
        return {**said, "Strict-Transport-Security": HSTS} if self.secure(exchange) else said

    def secure(self, exchange: Exchange) -> bool:
        """Whether browsers reach the hub by https: as the operator says, else as the request came."""
        origin = self.guards.own(exchange)
        return origin is not None and origin.scheme == "https"
