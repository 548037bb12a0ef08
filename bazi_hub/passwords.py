"""Passwords, hashed with argon2 in a small pool of threads; whoever finds too many waiting is asked to come back."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from bazi_core.facts import composed

if TYPE_CHECKING:
    from collections.abc import Callable

    from argon2 import PasswordHasher

T = TypeVar("T")

LEAST_LENGTH, MOST_LENGTH = 10, 1024
THREADS, MOST_WAITING = 2, 32


class Busy(Exception):
    """Too many hashes are waiting."""


class TooShort(ValueError):
    """A password of fewer characters than are asked for, or of absurdly many."""


class Passwords:
    """Makes and checks hashes. An unknown account costs the same hash, so that time tells nothing.

    A `hasher` with other parameters than argon2's own is for tests.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="bazi-password")
        self._waiting = 0
        self._hasher = hasher
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        """The hash of a password of acceptable length; `TooShort` otherwise."""
        if not LEAST_LENGTH <= len(_plain(password)) <= MOST_LENGTH:
            raise TooShort(f"a password has at least {LEAST_LENGTH} characters")
        return await self._run(self._made, password)

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether this is the password; False for an account without one, after as long."""
        return await self._run(self._checked, stored, password[: 2 * MOST_LENGTH])

    def outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._argon().check_needs_rehash(stored)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        finally:
            self._waiting -= 1

    def _made(self, password: str) -> str:
        return self._argon().hash(_plain(password))

    def _checked(self, stored: str | None, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        if self._nobody is None:
            self._nobody = self._made("nobody's password")
        try:
            right = self._argon().verify(stored or self._nobody, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return right and stored is not None

    def _argon(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        if self._hasher is None:
            self._hasher = PasswordHasher()
        return self._hasher


def _plain(password: str) -> str:
    return composed(password, "NFKC")
