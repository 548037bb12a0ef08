"""The parts that all pages share: hub, templates, style, and the headers of every response."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from bazi_core.pictures.kit import colors
from bazi_core.questions.safety import disclaimer
from bazi_hub.calls.hub import Hub
from bazi_hub.divination.service import RunService
from bazi_hub.http.exchange import Exchange, Pace
from bazi_hub.http.guards import Guards
from bazi_hub.http.operations import Monitor, Operations
from bazi_hub.pages.guesses import Guesses
from bazi_hub.pages.purchase import Failed
from bazi_hub.pages.refusal import Refusal
from bazi_hub.pages.texts import speaking
from bazi_hub.people.identity import Identity
from bazi_hub.people.passwords import Passwords
from bazi_hub.ports import RateLimiter

_HERE = os.path.dirname(__file__)
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HSTS = "max-age=31536000"
# Few differ: by the language, the theme, and by how long there is to wait.
MOST_REFUSALS = 256
A_YEAR = "public, max-age=31536000, immutable"
# What HTML escapes.
_MARKS = re.compile("[&<>'\"]")


class Asset(NamedTuple):
    """A file that pages load, plain and packed. New content has a new name, so that it may be kept for good."""

    path: str
    body: bytes
    packed: bytes
    media_type: str

    async def response(self, request: Request) -> Response:
        """The response with the file, packed for browsers that say they unpack it (RFC 9110 §12.5.3)."""
        headers = {"Cache-Control": A_YEAR, "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.body, headers=headers, media_type=self.media_type)
        return Response(
            self.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=self.media_type
        )


def below(root: str, path: str) -> str:
    """A path of the site, as links and cookies need it where the hub is mounted at a root.

    >>> below("/hub/", "/login"), below("", "/login")
    ('/hub/login', '/login')
    """
    return root.rstrip("/") + path


def _asset(name: str, media_type: str, *parts: bytes) -> Asset:
    body = b"".join(parts)
    stem, ending = os.path.splitext(name)
    path = f"/static/{stem}.{hashlib.sha256(body).hexdigest()[:12]}{ending}"
    return Asset(path, body, gzip.compress(body, mtime=0), media_type)


def _static(name: str) -> bytes:
    with open(os.path.join(_HERE, "static", name), "rb") as file:
        return file.read()


def _colors() -> bytes:
    """The colours of the pages, which are those of the pictures, as one variable each for both themes."""
    pairs = zip(colors("light").items(), colors("dark").values(), strict=True)
    return f":root{{{';'.join(f'--{name}:light-dark({light},{dark})' for (name, light), dark in pairs)}}}\n".encode()


# One file each, so that a first visit asks three times.
STYLE = _asset("style.css", "text/css", _colors(), _static("style.css"))
SCRIPT = _asset("page.js", "text/javascript", _static("htmx.min.js"), b"\n", _static("page.js"))


class _Writer(CodeGenerator):
    """Writes what a template says as plain text: it is joined right away, so that none needs to be marked as safe before."""

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        assert frame.eval_ctx.autoescape
        assert finalize.src is None
        self.write("environment.escaped(")


class Templates(Environment):
    """The templates of a folder, all of them HTML or XML."""

    code_generator_class = _Writer

    def __init__(self, folder: str) -> None:
        super().__init__(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def load(self) -> None:
        """Compiles every template: a page that is asked for the first time would take ten times as long."""
        for name in self.list_templates():
            self.get_template(name)

    @staticmethod
    def escaped(value: Any) -> str:
        """A value as text of a page; most have nothing to escape.

        >>> Templates.escaped("a < b"), Templates.escaped(Markup("<br>")), Templates.escaped(2027)
        ('a &lt; b', Markup('<br>'), '2027')
        """
        kind = type(value)
        if kind is int:
            return str(value)
        if kind is Markup or (kind is str and not _MARKS.search(value)):
            return value  # type: ignore[no-any-return]
        return str(escape(value))


# A template is compiled once in a process, however many hubs there are in it.
TEMPLATES = Templates(os.path.join(_HERE, "templates"))


class Parts(Protocol):
    """The parts of a hub that pages need."""

    @property
    def hub(self) -> Hub: ...

    @property
    def identity(self) -> Identity: ...

    @property
    def passwords(self) -> Passwords: ...

    @property
    def limits(self) -> RateLimiter: ...


class Site:
    """One hub as its pages use it."""

    def __init__(self, parts: Parts, pace: Pace, monitor: Monitor) -> None:
        self.pace = pace
        self.hub, self.identity = parts.hub, parts.identity
        self.passwords, self.limits = parts.passwords, parts.limits
        self.settings = parts.hub.settings
        self.guards = Guards(self.settings)
        self.operations = Operations(self.hub, monitor)
        hub = self.hub
        self.runs = RunService(hub)
        self.guesses = Guesses(
            self.limits, self.settings, self.identity.secrets, hub.clock, hub.ids, hub.telemetry
        )
        self.failed = Failed()
        self.refused = lru_cache(MOST_REFUSALS)(self._refusal_page)

    def rendered(self, template: str, language: str, **values: Any) -> str:
        """A template in a language."""
        return TEMPLATES.get_template(template).render(
            t=speaking(language),
            lang=language,
            style=STYLE.path,
            script=SCRIPT.path,
            disclaimer=disclaimer(language),
            **values,
        )

    def _refusal_page(self, refusal: Refusal, language: str, root: str, theme: str) -> bytes:
        """The page of a refusal as strangers see it."""
        page = self.rendered(
            "error.html",
            language,
            at=partial(below, root),
            account=None,
            csrf="",
            here="",
            theme=theme,
            languages=[],
            themes=[],
            refusal=refusal,
        )
        return page.encode()

    def headers(self, exchange: Exchange) -> dict[str, str]:
        """The security headers of every page."""
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
