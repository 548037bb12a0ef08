"""Checks of Host and Origin against rebinding, CORS, and the proxies that are believed.

A browser that a foreign name was rebound to sends that name as Host; a foreign page sends its Origin. Both are refused
before anything is read (Fetch standard; RFC 6454). A proxy is believed about client and scheme, never about the host.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from bazi_hub.http.exchange import Exchange, Scope, headers_of, plain
from bazi_hub.http.wire.answer import Answer
from bazi_hub.words.settings import Settings

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
EXEMPT = frozenset({"/healthz", "/readyz"})
PUBLIC = frozenset({"/.well-known/mcp.json", "/.well-known/agent-card.json", "/openapi.json", "/llms.txt"})

ALLOWED_METHODS = "GET, POST, DELETE"
ALLOWED_HEADERS = (
    "Content-Type, Accept, X-Api-Key, Authorization, Idempotency-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    "Mcp-Session-Id, Last-Event-ID"
)
EXPOSED_HEADERS = (
    "X-Request-Id, X-Call-Id, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"
)
PREFLIGHT_S = 600
DEFAULT_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port, also where the scheme implies it.

    >>> str(Origin("https", "example.org", 443)), str(Origin("http", "::1", 8000))
    ('https://example.org', 'http://[::1]:8000')
    """

    scheme: str
    host: str
    port: int | None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port is None or self.port == DEFAULT_PORTS.get(self.scheme) else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


# Few are asked for, again and again; of those that an attacker makes up no more than this is kept.
MOST_KNOWN = 1024
# Proxies in a row; who is told of before them is not looked for.
MOST_HOPS = 32
# No name in the DNS is longer (RFC 1035, 2.3.4); an origin has a scheme and a port beside it.
LONGEST_NAME = 255
LONGEST_ORIGIN = LONGEST_NAME + len("https://:65535")


def origin(url: str) -> Origin | None:
    """The origin of a URL; None for `null`, for a text without one, and for one that is too long.

    >>> origin("https://Example.org/x") == origin("https://example.org:443")
    True
    """
    return _origin(url) if len(url) <= LONGEST_ORIGIN else None


@lru_cache(MOST_KNOWN)
def _origin(url: str) -> Origin | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return Origin(parts.scheme, parts.hostname, port or DEFAULT_PORTS.get(parts.scheme))


def host_name(authority: str) -> str | None:
    """The name in a Host header, without its port.

    >>> host_name("Localhost:8000"), host_name("[::1]:8000"), host_name("a b")
    ('localhost', '::1', None)
    """
    return _host_name(authority) if len(authority) <= LONGEST_NAME else None


@lru_cache(MOST_KNOWN)
def _host_name(authority: str) -> str | None:
    if any(letter in authority for letter in " @/\\?#,"):
        return None
    found = origin(f"//{authority}")
    return found.host if found else None


class Guards:
    """The settings that decide who is let in, read once."""

    def __init__(self, settings: Settings) -> None:
        public = origin(settings.public_url) if settings.public_url else None
        named = {host_name(host) for host in settings.allowed_hosts}
        self.public = public
        self.hosts = LOCAL | {host for host in named if host} | ({public.host} if public else set())
        self.trusted_hosts = LOCAL | ({public.host} if public else set())
        self.cors = _origins(settings.cors_origins)
        self.origins = _origins(settings.allowed_origins) | self.cors
        self.proxies = [ip_network(proxy, strict=False) for proxy in settings.trusted_proxies]

    def refusal(self, exchange: Exchange) -> Answer | None:
        """Why a request goes no further; None for one that does."""
        if exchange.path in EXEMPT:
            return None
        host = exchange.headers.get("host")
        if host is None or host_name(host) not in self.hosts:
            return plain(403, "This host name is not served here.\n")
        if exchange.path in PUBLIC or self.origin_allowed(exchange):
            return None
        return plain(403, "Requests from this origin are not allowed.\n")

    def origin_allowed(self, exchange: Exchange) -> bool:
        """Absent, the hub's own, a local one, or one that the operator lists."""
        if "origin" not in exchange.headers:
            return True
        asking = origin(exchange.headers["origin"])
        if asking is None:
            return False
        return asking in self.origins or asking.host in self.trusted_hosts or asking == self.own(exchange)

    def own(self, exchange: Exchange) -> Origin | None:
        """The origin that the hub's pages have: that of the public URL, else what was asked for."""
        return self.public or origin(f"{exchange.scope['scheme']}://{exchange.headers.get('host', '')}")

    def site(self, exchange: Exchange) -> str | None:
        """That origin as a browser writes it."""
        own = self.own(exchange)
        return None if own is None else _written(own)

    # --- CORS ---

    def cors_headers(self, exchange: Exchange) -> tuple[tuple[str, str], ...]:
        """The headers that let a page of a listed origin read the response; never with credentials."""
        if exchange.path in PUBLIC:
            return (("Access-Control-Allow-Origin", "*"),)
        given = exchange.headers.get("origin")
        if not self.cors or given is None:
            return ()
        vary = ("Vary", "Origin")
        if origin(given) not in self.cors:
            return (vary,)
        return (
            ("Access-Control-Allow-Origin", given),
            ("Access-Control-Expose-Headers", EXPOSED_HEADERS),
            vary,
        )

    def preflight(self, exchange: Exchange) -> Answer | None:
        """The answer to a browser that asks before it sends; None for anything else."""
        if exchange.method != "OPTIONS" or "access-control-request-method" not in exchange.headers:
            return None
        if not (exchange.path in PUBLIC or origin(exchange.headers.get("origin", "")) in self.cors):
            return None
        return Answer(
            204,
            headers=(
                ("Access-Control-Allow-Methods", ALLOWED_METHODS),
                ("Access-Control-Allow-Headers", ALLOWED_HEADERS),
                ("Access-Control-Max-Age", str(PREFLIGHT_S)),
            ),
            body_type=None,
        )

    # --- proxies ---

    def seen_through(self, scope: Scope) -> Scope:
        """The scope with client and scheme as a trusted proxy tells them."""
        client = scope.get("client")
        if not self.proxies or client is None or not self.trusts(client[0]):
            return scope
        changed, headers = dict(scope), headers_of(scope)
        farthest = self._farthest(headers.get("x-forwarded-for", ""))
        if farthest is not None:
            changed["client"] = (farthest, 0)
        scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
        if scheme in ("http", "https"):
            changed["scheme"] = scheme
        return changed

    def _farthest(self, told: str) -> str | None:
        """The farthest address that the proxies vouch for. What is no address ends the way: whoever sent it could name
        himself anew with every request."""
        farthest = None
        for hop in filter(str.strip, reversed(told.rsplit(",", MOST_HOPS)[-MOST_HOPS:])):
            found = hop_address(hop)
            if found is None:
                break
            farthest = found
            if not self.trusts(found):
                break
        return farthest

    def trusts(self, address: str) -> bool:
        """Whether this is the address of a proxy that is believed."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.proxies)


def hop_address(text: str) -> str | None:
    """The address of a hop, without port and zone; None for another text.

    >>> hop_address(" 192.0.2.7:4711"), hop_address("[2001:DB8::1]:80"), hop_address("fe80::1%x"), hop_address("unknown")
    ('192.0.2.7', '2001:db8::1', 'fe80::1', None)
    """
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        return str(ip_address(plain.partition("%")[0]))
    except ValueError:
        return None


_written = lru_cache(MOST_KNOWN)(Origin.__str__)


def _origins(urls: tuple[str, ...]) -> frozenset[Origin]:
    return frozenset(found for found in map(origin, urls) if found)


def missing_setting(host: str, settings: Settings) -> str | None:
    """Which setting a listener on this address lacks to be reached by name; None when nothing is missing."""
    if host in LOCAL or settings.public_url or settings.allowed_hosts:
        return None
    return (
        f"listening on {host}, but neither BAZI_HUB_PUBLIC_URL nor BAZI_HUB_ALLOWED_HOSTS is set: "
        "requests by any name but localhost are refused"
    )
