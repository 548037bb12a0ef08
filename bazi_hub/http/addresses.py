"""Limits of one address in a process: requests a minute without a credential, and requests at once with any.

A credential spares the count only when it held: before that it may be invented, and to look for it costs the same. Such are
counted apart, so that strangers who present nothing close the door to nobody who does; one that held lately passes always.

It protects the time and the descriptors of the process, so each counts for itself. Of IPv6 a household's network counts.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from bazi_hub.http.exchange import Scope
from bazi_hub.ports import Clock

MINUTE_MS = 60_000
# Of more addresses in a minute than this the count begins anew.
MOST_ADDRESSES = 10_000
# So long a credential that held is known by its mark, and so many of them.
HELD_S, MOST_HELD = 3600.0, 10_000
PRESENTED = "bazi.presented"


class Addresses:
    """The requests of each address in this minute without a credential, and those that are open.

    >>> from bazi_hub.words.system import SystemClock
    >>> addresses = Addresses(SystemClock(), a_minute=300, at_once=1)
    >>> with addresses.one_more("192.0.2.7") as first, addresses.one_more("192.0.2.7") as second:
    ...     first, second
    (True, False)
    """

    def __init__(self, clock: Clock, a_minute: int, at_once: int) -> None:
        self.clock, self._a_minute, self._at_once = clock, a_minute, at_once
        self._minute = 0
        self._asked: Counter[str] = Counter()
        self._open: Counter[str] = Counter()
        # Until when; by marks that tell nothing of what they are the marks of.
        self._held: OrderedDict[bytes, float] = OrderedDict()
        self._salt = os.urandom(32)

    def admit(self, address: str, headers: Mapping[str, str]) -> Presented:
        """The credential of a request, which is counted unless that credential held lately; `wait_s` > 0 without room."""
        mark = self._mark(headers) if says_who(headers) else None
        known = mark is not None and self.clock.monotonic() < self._held.get(mark, 0.0)
        owner = address if mark is None else f"{address} with a credential"
        return Presented(self, owner, mark, 0 if known else self.wait_s(owner), not known)

    def _mark(self, headers: Mapping[str, str]) -> bytes:
        told = "\0".join(headers.get(name, "") for name in CREDENTIALS)
        return hashlib.blake2b(told.encode("latin-1", "replace"), key=self._salt, digest_size=16).digest()

    def hold(self, mark: bytes) -> None:
        """A credential held."""
        self._held.pop(mark, None)
        self._held[mark] = self.clock.monotonic() + HELD_S
        if len(self._held) > MOST_HELD:
            self._held.popitem(last=False)

    def forget(self, mark: bytes) -> None:
        """It does not hold any more."""
        self._held.pop(mark, None)

    def give_back(self, owner: str) -> None:
        """Undoes a count of this minute."""
        if self._asked[owner]:
            self._asked[owner] -= 1

    def wait_s(self, owner: str) -> int:
        """Counts a request of one who is not known: the seconds until there is room for it, 0 where there is some."""
        minute, passed_ms = divmod(self.clock.now_ms(), MINUTE_MS)
        if minute != self._minute or len(self._asked) >= MOST_ADDRESSES:
            self._minute, self._asked = minute, Counter()
        if self._asked[owner] >= self._a_minute:
            return 60 - passed_ms // 1000
        self._asked[owner] += 1
        return 0

    @contextmanager
    def one_more(self, address: str) -> Iterator[bool]:
        """Whether the address may have one more request open; it is counted until the end."""
        room = self._open[address] < self._at_once
        if room:
            self._open[address] += 1
        try:
            yield room
        finally:
            if room:
                self._open[address] -= 1
                if not self._open[address]:
                    del self._open[address]


class Presented:
    """The credential of a request, until it is known whether it holds."""

    __slots__ = ("_addresses", "_counted", "_mark", "_owner", "wait_s")

    def __init__(
        self, addresses: Addresses, owner: str, mark: bytes | None, wait_s: int, counted: bool
    ) -> None:
        self._addresses, self._owner, self._mark = addresses, owner, mark
        self.wait_s, self._counted = wait_s, counted

    def proved(self, holds: bool) -> None:
        """Whoever looked for it knows: one that holds is not counted, now or later."""
        if self._mark is None:
            return
        if not holds:
            self._addresses.forget(self._mark)
            return
        self._addresses.hold(self._mark)
        if self._counted:
            self._counted = False
            self._addresses.give_back(self._owner)


def proved(scope: Scope, holds: bool) -> None:
    """Notes whether the credential of this request holds."""
    presented = scope.get(PRESENTED)
    if presented is not None:
        presented.proved(holds)


def address_of(scope: Scope) -> str:
    """The address of a client: IPv4 as it is, of IPv6 the first 64 bits.

    >>> address_of({"client": ("2001:db8:1:2:3::9", 1)}), address_of({"client": ("::ffff:192.0.2.7", 1)})
    ('2001:db8:1:2::/64', '192.0.2.7')
    """
    client = scope.get("client")
    try:
        found = ip_address(client[0] if client else "")
    except ValueError:
        return ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), 64), strict=False))


# The one cookie that tells nothing of who asks.
LANGUAGE = "bazi_language"
CREDENTIALS = ("x-api-key", "authorization", "cookie")


def says_who(headers: Mapping[str, str]) -> bool:
    """Whether a request presents a key or a session, rightly or not.

    >>> says_who({"cookie": "bazi_language=en"}), says_who({"x-api-key": "bzp_"}), says_who({"cookie": "a=b"})
    (False, True, True)
    """
    if "x-api-key" in headers or "authorization" in headers:
        return True
    names = (part.partition("=")[0].strip() for part in headers.get("cookie", "").split(";"))
    return any(name not in ("", LANGUAGE) for name in names)
