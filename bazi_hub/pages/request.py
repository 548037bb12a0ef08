"""One request for a page: who asks, in which language, with which form, and how the answer is made."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from functools import cached_property
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.responses import HTMLResponse, RedirectResponse, Response

from bazi_hub.http.addresses import proved
from bazi_hub.http.exchange import Exchange
from bazi_hub.pages.guesses import Device, device_cookie, device_of
from bazi_hub.pages.refusal import Refusal, of_error
from bazi_hub.pages.site import Site, below
from bazi_hub.pages.texts import LANGUAGES, known, language_of, text
from bazi_hub.people.identity import COOKIE, HOST_ONLY, cookie_name, cookies_of
from bazi_hub.people.passwords import Lane
from bazi_hub.ports import SESSION_MS, Account, Session
from bazi_hub.words.call import Call, Caller
from bazi_hub.words.errors import HubError

FORM_TYPE = "application/x-www-form-urlencoded"
MOST_FIELDS = 64
CSRF_FIELD = "csrf"
NOBODY = "-"
LANGUAGE_COOKIE, THEME_COOKIE, A_YEAR_S = "bazi_language", "bazi_theme", 31_536_000
# `auto` follows the system of the reader.
THEMES = ("auto", "light", "dark")
# Says of a browser that the owner of an account signed in there.
DEVICE_COOKIE = "bazi_device"
# What a provider gives one customer: a /56 or more for IPv6 (RIPE-690), of which a household sees one /64.
HOUSEHOLD, CUSTOMER = 64, 56


class Trouble(Exception):
    """A page that cannot be shown: the status, and which phrase tells why if that alone does not."""

    def __init__(self, status: int, why: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(status, why)
        self.status, self.why, self.retry_after = status, why, retry_after


class SignInFirst(Exception):
    """The page is for people who are signed in."""


class Switch(NamedTuple):
    """The way to this page in a language or a theme: its value, its name, its address, and whether it is the one shown."""

    value: str
    name: str
    href: str
    here: bool


class PageRequest:
    """One request for a page: site, exchange, session, form and language."""

    def __init__(self, site: Site, exchange: Exchange) -> None:
        self.site, self.exchange = site, exchange
        self.account: Account | None = None
        self.session: Session | None = None
        self.csrf = ""
        self.form: dict[str, str] = {}
        self.language = language_of(exchange.headers.get("accept-language", ""))
        self.chosen: str | None = None
        self.theme, self.theme_asked = THEMES[0], False
        # Hears how far the page is: what kind of news, and the news.
        self.tell: Callable[[str, str], None] = lambda kind, news: None

    # --- in ---

    @property
    def path_params(self) -> dict[str, str]:
        found: dict[str, str] = self.exchange.scope.get("path_params", {})
        return found

    @cached_property
    def query(self) -> dict[str, str]:
        """The fields of the query, the first of each name."""
        return _fields(self.exchange.scope.get("query_string", b""))

    @property
    def address(self) -> str:
        """The address of the client; of IPv6 the network of a household."""
        client = self.exchange.scope.get("client")
        return network(client[0]) if client else NOBODY

    @property
    def customer(self) -> str:
        """The address by which floods are counted: of IPv6 the network of one customer."""
        client = self.exchange.scope.get("client")
        return network(client[0], CUSTOMER) if client else NOBODY

    @property
    def device(self) -> Device | None:
        """The browser, if an account signed in with it before."""
        cookie = cookies_of(self.exchange.headers).get(cookie_name(DEVICE_COOKIE, self._site))
        return device_of(self.site.identity.secrets, cookie)

    def lane(self, device: Device | None) -> Lane:
        """The lane in which a password of this client waits to be hashed."""
        return Lane.of(self.customer) if device is None else Lane.of(f"device {device.nonce}", familiar=True)

    @property
    def _site(self) -> str | None:
        return self.site.guards.site(self.exchange)

    async def recognise(self) -> None:
        """Finds out who it is, the colours, and the language: that of the account, else one chosen on a page, else the
        browser's.
        """
        wanted = (self.query.get("lang"), self._kept(LANGUAGE_COOKIE))
        self.chosen = next((each for each in wanted if each in LANGUAGES), None)
        themes = (self.query.get("theme"), self._kept(THEME_COOKIE))
        self.theme = next((each for each in themes if each in THEMES), THEMES[0])
        self.theme_asked = themes[0] in THEMES
        self.language = self.chosen or self.language
        try:
            self.account, self.csrf, self.session = await self.site.identity.visitor(
                self.exchange.headers, self._site
            )
        except HubError as error:
            if error.name != "UNAUTHORIZED":
                raise
            proved(self.exchange.scope, False)
            return
        proved(self.exchange.scope, True)
        if self.account.language in LANGUAGES:
            self.language = self.account.language

    async def accept_form(self) -> None:
        """Reads the form, if it comes from a page of this site and, of a member, from a page made in this session."""
        site = self.site.guards.site(self.exchange)
        if self.exchange.headers.get("origin") != site:
            raise Trouble(403, "origin")
        declared = self.exchange.headers.get("content-type", "").partition(";")[0].strip().lower()
        if declared != FORM_TYPE:
            raise Trouble(415)
        limit = self.site.settings.body_limit
        body = await self.exchange.body(limit, self.site.pace.body_s)
        if len(body) > limit:
            raise Trouble(413)
        self.form = _fields(body)
        if self.account is not None:
            given = self.form.get(CSRF_FIELD, "")
            if not hmac.compare_digest(given.encode(), self.csrf.encode()):
                raise Trouble(403, "csrf")

    def member(self) -> Account:
        """The account that is signed in; `SignInFirst` if none is."""
        if self.account is None:
            raise SignInFirst
        return self.account

    # --- the hub ---

    @property
    def owner(self) -> str:
        """Whose refused forms are counted together: those of the account, or of an address."""
        return self.account.id if self.account else f"address {self.address}"

    def require_room(self) -> None:
        """Nothing, if one more form of this visitor may be refused this minute; else `RATE_LIMITED`."""
        self.site.hub.refused.require_room(self.owner)

    def count_refused(self) -> None:
        """Counts a form that was refused before it became a call."""
        self.site.hub.refused.count(self.owner)

    @property
    def caller(self) -> Caller:
        account_id = self.account.id if self.account else NOBODY
        return Caller(account_id, "web", language=self.language)

    async def ask(self, tool: str, arguments: dict[str, Any], key: str | None = None) -> Any:
        """The result of a tool that keeps nothing to be paid for."""
        if not self.site.hub.catalog[tool].read_only:
            self.require_room()
        call = Call(tool, arguments, self.caller, self.exchange.id, key, transport="web")
        outcome = await self.site.hub.call(call)
        if outcome.error is not None:
            raise outcome.error
        return json.loads(outcome.result or "null")

    # --- out ---

    def say(self, key: str, **values: object) -> str:
        return text(key, self.language, **values)

    def at(self, path: str) -> str:
        """A path of the site, as links and cookies need it."""
        return below(self.exchange.root, path)

    @property
    def base(self) -> str:
        """The whole address of the site."""
        public = self.site.settings.public_url
        return public.rstrip("/") if public else f"{self.site.guards.site(self.exchange)}{self.at('')}"

    def refusal(self, error: HubError) -> Refusal:
        """The refusal of an error in this visitor's language."""
        return of_error(error.traced(self.exchange.id), self.language)

    def page(
        self, template: str, status: int = 200, refusal: Refusal | None = None, **values: Any
    ) -> Response:
        """A page from a template; of what was refused with its status."""
        body = self.rendered(template, refusal, **values)
        return self._sent(body, refusal.status if refusal else status, refusal)

    def rendered(self, template: str, refusal: Refusal | None = None, **values: Any) -> str:
        """The text of a template for this visitor."""
        languages, themes = ([], []) if refusal else self._switches()
        return self.site.rendered(
            template,
            self.language,
            at=self.at,
            account=self.account,
            csrf=self.csrf,
            here=self.exchange.path,
            theme=self.theme,
            languages=languages,
            themes=themes,
            refusal=refusal,
            **values,
        )

    def refused(self, refusal: Refusal) -> Response:
        """The page of what could not be shown. Strangers share it: a flood of refusals costs a look at what is made."""
        if self.account is not None or refusal.number is not None:
            return self.page("error.html", refusal=refusal)
        body = self.site.refused(refusal, self.language, self.exchange.root, self.theme)
        return self._sent(body, refusal.status, refusal)

    def _sent(self, body: str | bytes, status: int, refusal: Refusal | None) -> Response:
        response = HTMLResponse(body, status)
        if refusal and refusal.retry_after is not None:
            response.headers["Retry-After"] = str(refusal.retry_after)
        if self.chosen and self.chosen != self._kept(LANGUAGE_COOKIE):
            self._set(response, LANGUAGE_COOKIE, self.chosen, A_YEAR_S)
        if self.theme_asked:
            self._set(response, THEME_COOKIE, self.theme, A_YEAR_S)
        return response

    def _kept(self, cookie: str) -> str | None:
        return cookies_of(self.exchange.headers).get(cookie)

    def _switches(self) -> tuple[list[Switch], list[Switch]]:
        """This page in every language and in every theme. A page that a form made has none, and an account that has a
        language keeps it.
        """
        if self.exchange.method == "POST":
            return [], []
        languages = [] if self.account and self.account.language else LANGUAGES
        return (
            [self._switch("lang", each, text("language", each), self.language) for each in languages],
            [self._switch("theme", each, self.say(f"theme.{each}"), self.theme) for each in THEMES],
        )

    def _switch(self, name: str, value: str, title: str, here: str) -> Switch:
        query = urlencode({**self.query, name: value})
        return Switch(value, title, f"{self.at(self.exchange.path)}?{query}", value == here)

    def tell_phase(self, phase: str) -> None:
        """Says which phase of a long call begins, where there are words for it."""
        key = f"phase.{phase}"
        if known(key):
            self.tell("phase", self.say(key))

    def go(self, path: str) -> Response:
        """To another page, which is then asked for by GET."""
        return RedirectResponse(self.at(path), 303)

    def wanted(self) -> str:
        """The path to go on to after signing in: this page, if GET shows it."""
        path = self.exchange.path if self.exchange.method in ("GET", "HEAD") else "/"
        query = self.exchange.scope.get("query_string", b"").decode("latin-1")
        return quote(f"{path}?{query}" if query else path, safe="")

    def sign_in(self, response: Response, cookie: str, account_id: str) -> None:
        """Hands the cookie of a new session over, and one by which this browser is known the next time."""
        self._set(response, cookie_name(COOKIE, self._site), cookie, SESSION_MS // 1000)
        known = self.device
        if known is None or known.account_id != account_id:
            device = Device(account_id, self.site.hub.ids.secret(12).hex())
            kept = device_cookie(self.site.identity.secrets, device)
            self._set(response, cookie_name(DEVICE_COOKIE, self._site), kept, A_YEAR_S)

    def sign_out(self, response: Response) -> None:
        self._set(response, cookie_name(COOKIE, self._site), "", 0)

    def _set(self, response: Response, name: str, value: str, age_s: int) -> None:
        response.set_cookie(
            name,
            value,
            max_age=age_s,
            path="/" if name.startswith(HOST_ONLY) else self.at("") or "/",
            secure=self.site.secure(self.exchange),
            httponly=True,
            samesite="lax",
        )

    async def compute(self, work: Any) -> Any:
        return await self.site.hub.compute(work)


def _fields(body: bytes) -> dict[str, str]:
    """The fields of a form or query; the first of each name counts. `Trouble` for what is none."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise Trouble(400) from None
    if any("\0" in text for pair in pairs for text in pair):
        # No browser sends it, and no database of ours can look for it.
        raise Trouble(400)
    found: dict[str, str] = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def network(address: str, bits: int = HOUSEHOLD) -> str:
    """An address as people are counted: IPv4 as it is, IPv6 by its first bits, those of a household.

    >>> network("192.0.2.7"), network("2001:db8:1:2:3::9"), network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), bits), strict=False))


def local_path(text: str | None) -> str:
    """A path of this site to go on to; the front page for anything that could lead elsewhere.

    >>> local_path("/billing?page=2"), local_path("//evil.example"), local_path("/\\\\evil.example"), local_path(None)
    ('/billing?page=2', '/', '/', '/')
    """
    if not text or not text.isprintable() or not text.isascii() or "\\" in text or " " in text:
        return "/"
    try:
        parts = urlsplit(text)
    except ValueError:
        return "/"
    inside = not parts.scheme and not parts.netloc and text.startswith("/") and not text.startswith("//")
    return text if inside else "/"


__all__ = ["PageRequest", "SignInFirst", "Trouble", "local_path", "network"]
