"""The caller of a request: by an API key, else by the cookie of a browser session, else none.

A key that is present and bad never falls through to the cookie. Verified keys, and only these, are remembered for a few
seconds, so that revocation, expiry and suspension bind within them on every worker.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, NamedTuple, Protocol

from bazi_hub.people import keys
from bazi_hub.ports import SESSION_MS, Account, Clock, Ids, Key, Session, Storage, StoreError, Telemetry
from bazi_hub.words.call import Caller
from bazi_hub.words.errors import HubError, unauthorized
from bazi_hub.words.fault_log import log_fault
from bazi_hub.words.settings import KEY_CACHE_S

COOKIE = "bazi_session"
# Browsers take a cookie of this name from the host itself alone, by https and for all of it: no other host of the domain
# can plant one (RFC 6265bis, 4.1.3.2).
HOST_ONLY = "__Host-"
CSRF_HEADER = "x-csrf-token"
MOST_CACHED = 10_000
USED_EVERY_MS = 60_000
NOTED_AFTER_S = 0.1
SEEN_EVERY_MS = 60_000
MOST_KEYS = 20


class Secrets(NamedTuple):
    """The secrets of a hub: the pepper of its keys, the one before it while it changes, and that of the sessions."""

    pepper: bytes
    session: bytes
    pepper_old: bytes | None = None

    def __repr__(self) -> str:
        return "<Secrets>"

    def seal(self, purpose: str, text: str) -> str:
        """An HMAC under the secret of the sessions, which holds for one purpose: what is made for one proves nothing for
        another.

        >>> secrets = Secrets(b"p" * 32, b"s" * 32)
        >>> secrets.seal("csrf", "x") == secrets.seal("session", "x")
        False
        """
        return hmac.digest(self.session, f"bazi {purpose}\0{text}".encode(), "sha256").hex()

    @property
    def peppers(self) -> dict[str, bytes]:
        both = (self.pepper, *((self.pepper_old,) if self.pepper_old else ()))
        return {keys.pepper_id(pepper): pepper for pepper in both}


class Visitor(NamedTuple):
    """The account of a browser's cookie, the CSRF token that belongs to it, and the session if it is the hub's own."""

    account: Account
    csrf: str
    session: Session | None = None


class Foreign(Protocol):
    """Verifies the cookies of another sign-in, such as Supabase's."""

    async def visitor(self, cookies: Mapping[str, str]) -> Visitor | None:
        """Whose cookie it is; None where there is none, `UNAUTHORIZED` for one that does not hold."""


class Identity:
    """Finds the caller of a request."""

    def __init__(
        self,
        storage: Storage,
        secrets: Secrets,
        *,
        clock: Clock,
        ids: Ids,
        telemetry: Telemetry,
        cache_s: float = KEY_CACHE_S,
        foreign: Foreign | None = None,
    ) -> None:
        self.storage, self.secrets = storage, secrets
        self.clock, self.ids, self.telemetry = clock, ids, telemetry
        self.cache_s, self._foreign = cache_s, foreign
        self._cache: OrderedDict[bytes, tuple[float, int | None, Caller]] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        # Keys whose use is still to be noted.
        self._in_use: set[str] = set()

    async def identify(
        self, headers: Mapping[str, str], *, site: str | None = None, writes: bool = False
    ) -> Caller:
        """The caller, or `UNAUTHORIZED`, or `AUTH_BACKEND_ERROR` when that cannot be found out.

        Header names are in lower case; `site` is the hub's own origin; `writes` says that the call changes something, for
        which a cookie needs the session's CSRF token.
        """
        try:
            return await self._identified(headers, site, writes)
        except HubError as error:
            self.telemetry.count("auth_failures_total", reason=str(error.members.get("reason", "credential")))
            raise
        except StoreError:
            raise HubError("AUTH_BACKEND_ERROR", "The credential could not be verified") from None

    async def _identified(self, headers: Mapping[str, str], site: str | None, writes: bool) -> Caller:
        text = key_of(headers)
        if text is not None:
            return await self.by_key(text)
        account, csrf, _ = await self.visitor(headers, site)
        origin = headers.get("origin")
        if origin is not None and origin != site:
            raise unauthorized("csrf")
        token = headers.get(CSRF_HEADER, "")
        if writes and (origin is None or not hmac.compare_digest(token.encode(), csrf.encode())):
            raise unauthorized("csrf")
        return Caller(account.id, "session", language=account.language)

    # --- keys ---

    async def by_key(self, text: str) -> Caller:
        """The caller who holds a key."""
        mark = hashlib.sha256(text.encode()).digest()
        cached = self._cached(mark)
        if cached is not None:
            return cached
        parsed = keys.parse(text)
        if parsed is None:
            raise unauthorized()
        key, caller = self._verified(text, await self.storage.keys.find(parsed.id))
        self._cache[mark] = (self.clock.monotonic() + self.cache_s, key.expires_ms, caller)
        while len(self._cache) > MOST_CACHED:
            self._cache.popitem(last=False)
        self._used(key)
        return caller

    def _cached(self, mark: bytes) -> Caller | None:
        until, expires_ms, caller = self._cache.get(mark, (0.0, None, None))
        if caller is None or self.clock.monotonic() >= until or _past(expires_ms, self.clock.now_ms()):
            self._cache.pop(mark, None)
            return None
        return caller

    def _verified(self, text: str, found: tuple[Key, Account] | None) -> tuple[Key, Caller]:
        """A key with its caller; as much work for an unknown key as for a wrong secret."""
        pepper = self.secrets.peppers.get(found[0].pepper_id) if found else None
        stated = keys.digest(pepper or self.secrets.pepper, text)
        if not hmac.compare_digest(stated, found[0].digest if found else bytes(len(stated))) or found is None:
            raise unauthorized()
        key, account = found
        if key.revoked_ms is not None:
            raise unauthorized("revoked")
        if _past(key.expires_ms, self.clock.now_ms()):
            raise unauthorized("expired")
        if account.status != "active":
            raise unauthorized()
        return key, Caller(account.id, key.flavor, key.id, key.agent_name, account.language)

    def _used(self, key: Key) -> None:
        """Notes the use of a key, at most once a minute, in the background."""
        now_ms = self.clock.now_ms()
        if key.last_used_ms is None or now_ms - key.last_used_ms >= USED_EVERY_MS:
            self._in_use.add(key.id)
            if len(self._in_use) == 1:
                self._spawn(self._noted())

    async def _noted(self) -> None:
        """Notes the keys of the last moment together."""
        await asyncio.sleep(NOTED_AFTER_S)
        used, self._in_use = self._in_use, set()
        await self.storage.keys.used(used, self.clock.now_ms())

    # --- sessions ---

    async def visitor(self, headers: Mapping[str, str], site: str | None = None) -> Visitor:
        """The visitor whose cookies these are at a site; `UNAUTHORIZED` for none."""
        cookies, name = cookies_of(headers), cookie_name(COOKIE, site)
        found = await self.session(cookies.get(name))
        if found is not None:
            session, account = found
            return Visitor(account, session.csrf, session)
        foreign = await self._foreign.visitor(cookies) if self._foreign else None
        if foreign is not None:
            return foreign
        raise unauthorized("session" if name in cookies else None)

    async def session(self, cookie: str | None) -> tuple[Session, Account] | None:
        """The session of a cookie and whose it is, while both last."""
        session_id = self._signed(cookie)
        found = await self.storage.sessions.find(session_id) if session_id else None
        if found is None:
            return None
        session, account = found
        now_ms = self.clock.now_ms()
        if account.status != "active" or now_ms >= session.lapses_ms:
            return None
        if now_ms - session.seen_ms >= SEEN_EVERY_MS:
            self._spawn(self.storage.sessions.seen(session.id, now_ms))
        return found

    async def begin(self, account_id: str) -> tuple[Session, str]:
        """A new session and its cookie."""
        now_ms = self.clock.now_ms()
        session_id, csrf = self.ids.secret(24).hex(), self.ids.secret(24).hex()
        session = Session(session_id, account_id, csrf, now_ms, now_ms, now_ms + SESSION_MS)
        await self.storage.sessions.add(session)
        return session, f"{session_id}.{self._signature(session_id)}"

    def _signed(self, cookie: str | None) -> str | None:
        session_id, _, signature = (cookie or "").partition(".")
        right = hmac.compare_digest(signature.encode(), self._signature(session_id).encode())
        return session_id if session_id and right else None

    def _signature(self, session_id: str) -> str:
        return self.secrets.seal("session", session_id)

    # --- keys of an account ---

    async def issue(
        self,
        account_id: str,
        flavor: keys.Flavor,
        actor: str,
        agent_name: str | None = None,
        expires_ms: int | None = None,
    ) -> tuple[str, Key]:
        """A new key, whose text is shown this once; `Conflict` when the account has enough."""
        text = keys.make(flavor, self.ids)
        pepper = self.secrets.pepper
        key = Key(
            id=keys.id_of(text),
            account_id=account_id,
            flavor=flavor,
            digest=keys.digest(pepper, text),
            pepper_id=keys.pepper_id(pepper),
            agent_name=agent_name,
            created_ms=self.clock.now_ms(),
            expires_ms=expires_ms,
        )
        await self.storage.keys.add(key, MOST_KEYS, actor)
        return text, key

    async def revoke(self, key_id: str, actor: str, account_id: str | None = None) -> bool:
        """Ends a key, here at once and elsewhere within the time that verified keys are remembered."""
        self._forget(lambda caller: caller.key_id == key_id)
        return await self.storage.keys.revoke(key_id, self.clock.now_ms(), actor, account_id)

    def forget(self, account_id: str) -> None:
        """The keys of an account are verified anew, since it may have been suspended."""
        self._forget(lambda caller: caller.account_id == account_id)

    def _forget(self, whose: Callable[[Caller], bool]) -> None:
        for mark, (_, _, caller) in list(self._cache.items()):
            if whose(caller):
                del self._cache[mark]

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.ensure_future(_quietly(work, self.telemetry))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def key_of(headers: Mapping[str, str]) -> str | None:
    """The API key of a request: `x-api-key` before `Authorization: Bearer`.

    >>> key_of({"authorization": "Bearer bzp_x"}), key_of({"x-api-key": ""}), key_of({"cookie": "a=b"})
    ('bzp_x', '', None)
    """
    if "x-api-key" in headers:
        return headers["x-api-key"].strip()
    scheme, _, text = headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else None


def cookie_name(name: str, site: str | None) -> str:
    """The name that a cookie has at a site.

    >>> cookie_name(COOKIE, "https://hub.example"), cookie_name(COOKIE, "http://localhost:8000")
    ('__Host-bazi_session', 'bazi_session')
    """
    return HOST_ONLY + name if (site or "").startswith("https:") else name


def cookies_of(headers: Mapping[str, str]) -> dict[str, str]:
    """The cookies of a request. Of two with one name the first counts, which browsers send for the longer path; a cookie of
    some other site part that is written oddly hides none (RFC 6265 §5.4).

    >>> cookies_of({"cookie": 'a=1; odd={"x":"y"}; b="2"; a=3'})
    {'a': '1', 'odd': '{"x":"y"}', 'b': '2'}
    """
    found: dict[str, str] = {}
    for pair in headers.get("cookie", "").split(";"):
        name, sign, value = pair.strip().partition("=")
        if sign:
            found.setdefault(name, _unquoted(value))
    return found


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _past(expires_ms: int | None, now_ms: int) -> bool:
    return expires_ms is not None and now_ms >= expires_ms


async def _quietly(work: Coroutine[Any, Any, Any], telemetry: Telemetry) -> None:
    """Awaits work whose failure is logged and not raised."""
    try:
        await work
    except Exception as error:
        log_fault(telemetry, error, "note_failed", "warning")
