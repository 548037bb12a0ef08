"""Sign-in by Supabase: a cookie that carries a JSON Web Token, verified here, and the account that its subject has.

The cookie is the token itself, or the session as JSON with `access_token`, plain or after `base64-` (base64url), whole or
in pieces `.0 .1 …` (supabase-js). Which algorithms count is fixed by the configuration and never taken from a token
(RFC 8725 §3.1). An account is known by issuer and subject; e-mails do not link it to another, since whoever runs the sign-in
over there may not have checked them.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import jwt

from bazi_hub.people.identity import Secrets, Visitor
from bazi_hub.ports import Account, Clock, Conflict, Storage, StoreError
from bazi_hub.words.errors import ConfigurationError, unauthorized

ACTOR = "supabase"
ENCODED = "base64-"
BY_SECRET, BY_KEY_SET = ("HS256",), ("ES256", "RS256")
# Two clocks may differ by this much.
LEEWAY_S = 30
KEPT_S, TIMEOUT_S = 600.0, 3.0
# An unknown key id makes the keys be read again, and a failed reading be tried again, at most so often.
AGAIN_S = 5.0
MOST_BYTES = 262_144
MOST_PIECES = 16
LONGEST_SUBJECT = 255


class Supabase:
    """The verifier, as `identity.Foreign`. `keys` gives the key for the header of a token."""

    def __init__(
        self,
        cookie: str,
        issuer: str,
        audience: str,
        keys: Secret | KeySet,
        *,
        starter: int,
        closed: bool = False,
        storage: Storage,
        secrets: Secrets,
        clock: Clock,
    ) -> None:
        self._cookie, self._issuer, self._audience, self._keys = cookie, issuer, audience, keys
        self._starter, self._closed = starter, closed
        self._storage, self._secrets, self._clock = storage, secrets, clock

    async def visitor(self, cookies: Mapping[str, str]) -> Visitor | None:
        """Whose cookie it is; None where there is none, `UNAUTHORIZED` for one that does not hold."""
        text = joined(self._cookie, cookies)
        if text is None:
            return None
        token = token_in(text)
        if token is None:
            raise unauthorized("session")
        subject = await self._subject(token)
        account = await self._account(subject)
        if account.status != "active":
            raise unauthorized("session")
        return Visitor(account, self.csrf(subject))

    def csrf(self, subject: str) -> str:
        """The token that forms and calls of this person carry."""
        return self._secrets.seal("csrf", subject)

    def account_id(self, subject: str) -> str:
        """The id of the account of a subject."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self._issuer}#{subject}"))

    async def _subject(self, token: str) -> str:
        """The subject of a token that holds."""
        try:
            key = await self._keys.of(jwt.get_unverified_header(token))
            # Times are checked below, by the hub's own clock.
            claims = jwt.decode(
                token,
                key,
                algorithms=list(self._keys.algorithms),
                audience=self._audience,
                issuer=self._issuer,
                options={
                    "require": ["exp", "sub", "aud", "iss"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
            # Half a pair of surrogates is no text.
            str(claims["sub"]).encode()
        except (jwt.PyJWTError, TypeError, ValueError):
            raise unauthorized("session") from None
        if not self._in_time(claims) or not 0 < len(claims["sub"]) <= LONGEST_SUBJECT:
            raise unauthorized("session")
        subject: str = claims["sub"]
        return subject

    def _in_time(self, claims: Mapping[str, Any]) -> bool:
        now_s = self._clock.now_ms() / 1000
        expires, starts = claims["exp"], claims.get("nbf", 0)
        if not all(isinstance(at, (int, float)) and not isinstance(at, bool) for at in (expires, starts)):
            return False
        return bool(starts - LEEWAY_S <= now_s < expires)

    async def _account(self, subject: str) -> Account:
        """The account of a subject, made when it comes for the first time, where sign-up is not closed."""
        account_id, accounts = self.account_id(subject), self._storage.accounts
        found = await accounts.get(account_id)
        if found is not None:
            return found
        if self._closed:
            raise unauthorized("session")
        made = Account(account_id, None, None, "active", None, self._clock.now_ms())
        # Of two first requests at once, the other one may have made it.
        with suppress(Conflict):
            await accounts.create(made, self._starter, ACTOR)
        return await accounts.get(account_id) or made


class Secret:
    """One secret that both sides know."""

    algorithms = BY_SECRET

    def __init__(self, secret: str) -> None:
        self._secret = secret

    async def of(self, header: Mapping[str, Any]) -> str:
        return self._secret


class KeySet:
    """The public keys that the issuer publishes (RFC 7517), read when they are needed and kept for ten minutes."""

    algorithms = BY_KEY_SET

    def __init__(self, fetch: Callable[[], bytes], clock: Clock) -> None:
        self._fetch, self._clock = fetch, clock
        self._keys: list[jwt.PyJWK] = []
        self._read_at = self._failed_at = float("-inf")
        self._reading = asyncio.Lock()

    @classmethod
    def at(cls, url: str, clock: Clock) -> KeySet:
        """The keys at an address."""
        if urlsplit(url).scheme not in ("http", "https"):
            raise ConfigurationError("BAZI_HUB_SUPABASE_JWKS_URL is not an address of http or https")
        return cls(lambda: fetched(url), clock)

    async def of(self, header: Mapping[str, Any]) -> jwt.PyJWK:
        """The key that a token names; `StoreError` when keys cannot be read, `jwt.InvalidKeyError` for an unknown one."""
        async with self._reading:
            age_s = self._clock.monotonic() - self._read_at
            found = None if age_s >= KEPT_S else self._named(header.get("kid"))
            if found is None and age_s >= AGAIN_S:
                await self._read()
                found = self._named(header.get("kid"))
        if found is None or found.algorithm_name not in self.algorithms:
            raise jwt.InvalidKeyError("no such key")
        return found

    def _named(self, kid: Any) -> jwt.PyJWK | None:
        """The key of an id; a token without one means the only key there is."""
        if kid is None:
            return self._keys[0] if len(self._keys) == 1 else None
        return next((key for key in self._keys if key.key_id == kid), None)

    async def _read(self) -> None:
        if self._clock.monotonic() - self._failed_at < AGAIN_S:
            raise StoreError("the keys of the sign-in could not be read")
        try:
            self._keys = jwt.PyJWKSet.from_json((await asyncio.to_thread(self._fetch)).decode()).keys
        except (OSError, ValueError, AttributeError, RecursionError, jwt.PyJWTError) as error:
            self._failed_at = self._clock.monotonic()
            raise StoreError("the keys of the sign-in could not be read") from error
        self._read_at = self._clock.monotonic()


def fetched(url: str) -> bytes:
    """The body at an address."""
    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
        body: bytes = answer.read(MOST_BYTES)
    return body


def joined(name: str, cookies: Mapping[str, str]) -> str | None:
    """The value of a cookie that may have been cut into pieces.

    >>> joined("sb", {"sb.0": "base64-ey", "sb.1": "Jh"}), joined("sb", {})
    ('base64-eyJh', None)
    """
    if name in cookies:
        return cookies[name]
    return "".join(_pieces(name, cookies)) or None


def _pieces(name: str, cookies: Mapping[str, str]) -> Iterable[str]:
    for number in range(MOST_PIECES):
        piece = cookies.get(f"{name}.{number}")
        if piece is None:
            return
        yield piece


def token_in(text: str) -> str | None:
    """The token of a cookie's value in any of its forms; None where there is none.

    >>> token_in("a.b.c"), token_in('%7B%22access_token%22%3A%22a.b.c%22%7D')
    ('a.b.c', 'a.b.c')
    >>> token_in("base64-eyJhY2Nlc3NfdG9rZW4iOiJhLmIuYyJ9")
    'a.b.c'
    """
    plain = _decoded(text.removeprefix(ENCODED)) if text.startswith(ENCODED) else unquote(text)
    if plain is None or not plain.startswith("{"):
        return plain
    try:
        session = json.loads(plain)
    except (ValueError, RecursionError):
        return None
    token = session.get("access_token") if isinstance(session, dict) else None
    return token if isinstance(token, str) else None


def _decoded(text: str) -> str | None:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return None
