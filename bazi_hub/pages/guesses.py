"""Guessing of passwords is stopped by counting, before anything is hashed.

Counted are wrong passwords of a quarter of an hour, from whichever moment: of one e-mail from one address, of one address,
of one e-mail from anywhere, and the e-mails that one address fails at, since whoever tries one password at many accounts
never fails often at any. A place in each count is taken before the password is looked at and left when it was right, so
that guesses at the same time are counted too. An e-mail that has no account meets the same counts.

Nobody can lock the owner out. A browser that signed in before has a cookie that says so, and is counted by itself. An
e-mail that is guessed at from everywhere is not closed either: each address that is new to it has one guess instead of five.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from bazi_hub.people.identity import Secrets
from bazi_hub.ports import Clock, Ids, RateLimiter, Telemetry
from bazi_hub.words.settings import Settings

FAILURE_S = 900
MOST_WHEN_BESIEGED = 1
TOLD_EVERY_S = 60.0


class Locked(Exception):
    """Too many wrong passwords; the seconds until there is room for another."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Device(NamedTuple):
    """A browser in which the owner of an account signed in."""

    account_id: str
    nonce: str


def device_of(secrets: Secrets, cookie: str | None) -> Device | None:
    """The browser that a cookie speaks for; None for a cookie that this hub did not make."""
    account_id, _, rest = (cookie or "").partition(".")
    nonce, _, signature = rest.partition(".")
    made = secrets.seal("device", f"{account_id}.{nonce}")
    return Device(account_id, nonce) if hmac.compare_digest(signature.encode(), made.encode()) else None


def device_cookie(secrets: Secrets, device: Device) -> str:
    """The cookie of a browser."""
    told = f"{device.account_id}.{device.nonce}"
    return f"{told}.{secrets.seal('device', told)}"


class SignInRequest(NamedTuple):
    """A sign-in: the e-mail, the address, the network of one customer, and whether the browser is known to the account."""

    email: str
    address: str
    network: str
    device: Device | None


class Guesses:
    """The counts of a site."""

    def __init__(
        self,
        limits: RateLimiter,
        settings: Settings,
        secrets: Secrets,
        clock: Clock,
        ids: Ids,
        telemetry: Telemetry,
    ) -> None:
        self._limits, self._settings, self._secrets = limits, settings, secrets
        self._clock, self._ids, self._telemetry = clock, ids, telemetry
        self._told: dict[str, float] = {}

    async def admit(self, asked: SignInRequest) -> SignInAttempt:
        """A place in every count; `Locked` where one is full."""
        attempt = SignInAttempt(self, asked)
        try:
            await self._enter_all(attempt, asked)
        except Locked:
            await attempt.right()
            self._telemetry.count("auth_failures_total", reason="locked")
            raise
        return attempt

    async def _enter_all(self, attempt: SignInAttempt, asked: SignInRequest) -> None:
        most, email = self._settings, asked.email.lower()
        if asked.device is not None:
            bucket = self.bucket("device", email, asked.device.nonce)
            await self._enter(attempt, "device", bucket, most.signin_failures)
            return
        by_address = self.bucket("address", asked.network)
        await self._enter(attempt, "address", by_address, most.signin_failures_address)
        await self._enter(attempt, "accounts", self.sprayed(asked), most.signin_accounts_address)
        besieged = False
        try:
            by_email = self.bucket("account", email)
            await self._enter(attempt, "account", by_email, most.signin_failures_account)
        except Locked:
            besieged = True
        pair = self.bucket("pair", email, asked.address)
        most_of_pair = MOST_WHEN_BESIEGED if besieged else most.signin_failures
        await self._enter(attempt, "pair", pair, most_of_pair)

    async def _enter(self, attempt: SignInAttempt, kind: str, bucket: str, most: int) -> None:
        place = self._ids.uuid()
        locked_s = await self._limits.acquire(bucket, place, most, FAILURE_S)
        if locked_s:
            self._tell(kind)
            raise Locked(locked_s)
        attempt.places[place] = bucket

    def _tell(self, kind: str) -> None:
        """Tells the operator which count is full, at most once a minute, and neither e-mail nor address."""
        now_s = self._clock.monotonic()
        if now_s - self._told.get(kind, float("-inf")) >= TOLD_EVERY_S:
            self._told[kind] = now_s
            self._telemetry.log("sign_in_guessing", "warning", count=kind)

    async def left(self, attempt: SignInAttempt) -> None:
        """Gives the places of an attempt up."""
        for place, bucket in attempt.places.items():
            await self._limits.release(bucket, place)
        attempt.places.clear()

    async def failed(self, attempt: SignInAttempt, asked: SignInRequest) -> None:
        """Keeps them, but of the e-mails that one address failed at each once."""
        self._telemetry.count("auth_failures_total", reason="password")
        sprayed = self.sprayed(asked)
        passing = [place for place, bucket in attempt.places.items() if bucket == sprayed]
        for place in passing:
            await self._limits.renew({self.bucket("email", asked.email.lower()): sprayed}, FAILURE_S)
            await self._limits.release(sprayed, place)

    def sprayed(self, asked: SignInRequest) -> str:
        """The count of the e-mails that an address failed at."""
        return self.bucket("accounts", asked.network)

    def bucket(self, what: str, *parts: str) -> str:
        """The name of a count; it tells neither e-mail nor address."""
        return f"sign-in:{self._secrets.seal('sign-in', chr(10).join((what, *parts)))}"


class SignInAttempt:
    """A password that is being looked at, and its places in the counts."""

    def __init__(self, guesses: Guesses, asked: SignInRequest) -> None:
        self._guesses, self._asked = guesses, asked
        self.places: dict[str, str] = {}

    async def right(self) -> None:
        """Takes the attempt out of every count: the password was right, or was not looked at."""
        await self._guesses.left(self)

    async def wrong(self) -> None:
        """It stays in the counts until it lapses."""
        await self._guesses.failed(self, self._asked)
