"""Passwords, hashed with argon2 in a small pool of threads.

A hash costs a twentieth of a second on purpose, so whoever sends many passwords could keep everybody else waiting. They
wait in lanes, one for each address they come from, and the lanes take turns, those first that asked least often since they
were right, whether they were wrong or turned away: a flood waits behind itself. A lane that is full is told to come back,
and the others notice nothing. One thread is never for lanes that ask and ask, and all threads leave the processor to the
event loop, which has to answer everybody.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from bazi_core.facts import composed
from bazi_hub.people.guessable import MOST_LENGTH, Weak, weakness

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

THREADS = 2
# At twenty hashes a second and more, whoever comes last is served within some seconds.
MOST_WAITING = 128
# One person signs in once; a few may do so at a time from behind one address, until half of the room is taken: what is left
# is for lanes in which nobody waits.
MOST_WAITING_OF_A_LANE = THREADS + 4
# A lane that asked more often than anybody signs in, and was not right yet, is taken for a flood.
MOST_OF_A_PERSON = MOST_WAITING_OF_A_LANE
# Of so many lanes it is remembered how often they asked.
MOST_REMEMBERED = 10_000
# Room that only those have who signed in from the same browser before.
RESERVED = 32
OPERATOR = "operator"
# Of the twenty steps down that a process may take.
NICE = 5


class HashQueueFull(Exception):
    """Too many hashes are waiting; `own` tells that they are those of one's own address."""

    def __init__(self, own: bool = False) -> None:
        super().__init__(own)
        self.own = own


class Lane(str):
    """The origin of a password. `familiar`: an account signed in from there before, so strangers do not crowd it out."""

    familiar = False

    @classmethod
    def of(cls, name: str, familiar: bool = False) -> Lane:
        made = cls(name)
        made.familiar = familiar
        return made


class _Work(NamedTuple):
    """A password to be hashed, and the future of its result."""

    do: Callable[[], Any]
    done: Future[Any]


class Passwords:
    """Makes and checks hashes. An unknown account costs the same hash, so that time tells nothing.

    A `hasher` with other parameters than argon2's own is for tests.
    """

    def __init__(self, hasher: PasswordHasher | None = None, most_waiting: int = MOST_WAITING) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="bazi-password", initializer=_give_way)
        self._most_waiting = most_waiting
        # How many of each lane wait or are hashed; known to the event loop alone.
        self._pending: Counter[str] = Counter()
        # What the threads share: the work of each lane, how often it asked, and how many threads are at work of a flood.
        self._lock = threading.Lock()
        self._lanes: OrderedDict[str, deque[_Work]] = OrderedDict()
        self._asked: OrderedDict[str, int] = OrderedDict()
        self._at_flood = 0
        self._hasher = hasher
        self._nobody: str | None = None

    async def hash(self, password: str, words: Sequence[str] = (), lane: str = OPERATOR) -> str:
        """The hash of a password that somebody chooses; `Weak` for one that others would guess, who may know the words
        of the account."""
        self.require_strong(password, words)
        return await self.rehash(password, lane)

    def require_strong(self, password: str, words: Sequence[str] = ()) -> None:
        """Raises `Weak` for a password that is easily guessed."""
        if len(password) > 2 * MOST_LENGTH:
            raise Weak("short")
        why = weakness(_plain(password), words)
        if why is not None:
            raise Weak(why)

    async def rehash(self, password: str, lane: str = OPERATOR) -> str:
        """The hash of a password that is in use already."""
        return await self._run(lane, self._hash_of, password)

    async def matches(self, stored: str | None, password: str, lane: str = OPERATOR) -> bool:
        """Whether this is the password; False for an account without one, after as long."""
        return await self._run(lane, self._looked_at, lane, stored, password[: 2 * MOST_LENGTH])

    def require_room(self, lane: str) -> None:
        """`HashQueueFull` where a password of this lane could not wait for its turn; that it asked is remembered."""
        own, everybody = self._pending[lane], self._pending.total()
        full = own >= (MOST_WAITING_OF_A_LANE if everybody < self._most_waiting // 2 else 1)
        reserved = RESERVED if isinstance(lane, Lane) and lane.familiar else 0
        if full or everybody >= self._most_waiting + reserved:
            with self._lock:
                self._count(lane)
            raise HashQueueFull(own=full)

    def outdated(self, stored: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._argon().check_needs_rehash(stored)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, lane: str, work: Callable[..., T], *arguments: Any) -> T:
        self.require_room(lane)
        done: Future[T] = Future()
        with self._lock:
            self._count(lane)
            self._lanes.setdefault(lane, deque()).append(_Work(partial(work, *arguments), done))
        self._pending[lane] += 1
        try:
            self._pool.submit(self._serve)
            return await asyncio.wrap_future(done)
        finally:
            self._pending[lane] -= 1
            if not self._pending[lane]:
                del self._pending[lane]

    def _count(self, lane: str) -> None:
        """One more asked in this lane."""
        self._asked[lane] = self._asked.pop(lane, 0) + 1
        if len(self._asked) > MOST_REMEMBERED:
            self._asked.popitem(last=False)

    def _serve(self) -> None:
        """Does what work may be done now, in a thread: a busy event loop keeps no thread waiting."""
        while (found := self._next()) is not None:
            work, of_flood = found
            if work.done.set_running_or_notify_cancel():
                try:
                    work.done.set_result(work.do())
                except BaseException as error:
                    work.done.set_exception(error)
            with self._lock:
                self._at_flood -= of_flood

    def _next(self) -> tuple[_Work, bool] | None:
        """The oldest work of the lane that asked least often, and of such lanes of the one that waits longest; whether it is
        a flood's. None where nobody waits but floods, and all threads that they have are busy."""
        with self._lock:
            lane = min(self._lanes, key=self._times, default=None)
            if lane is None:
                return None
            of_flood = self._times(lane) > MOST_OF_A_PERSON
            if of_flood and self._at_flood >= THREADS - 1:
                return None
            self._at_flood += of_flood
            queue = self._lanes.pop(lane)
            work = queue.popleft()
            if queue:
                self._lanes[lane] = queue
            return work, of_flood

    def _times(self, lane: str) -> int:
        """The number of passwords of a lane since it was right; 0 for an operator's."""
        return 0 if lane == OPERATOR else self._asked.get(lane, 0)

    def _looked_at(self, lane: str, stored: str | None, password: str) -> bool:
        """Whether this is the password; the lane is as good as new if it is."""
        right = self._checked(stored, password)
        if right:
            with self._lock:
                self._asked.pop(lane, None)
        return right

    def _hash_of(self, password: str) -> str:
        return self._argon().hash(_plain(password))

    def _checked(self, stored: str | None, password: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        if self._nobody is None:
            self._nobody = self._hash_of("nobody's password")
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


def _give_way() -> None:
    """A thread that hashes has the processor when the event loop does not want it; argon2's own threads inherit that."""
    if sys.platform == "linux":
        # There each thread has a priority of its own, and one may always take less.
        own = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, own, min(19, os.getpriority(os.PRIO_PROCESS, own) + NICE))


def _plain(password: str) -> str:
    return composed(password, "NFKC")
