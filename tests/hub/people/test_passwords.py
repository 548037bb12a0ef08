"""Passwords: their length, their hashes, that time tells nothing, and who has to come back."""

import asyncio
import os
import sys
import threading

import pytest
from argon2 import PasswordHasher

from bazi_hub.people.guessable import LEAST_LENGTH, Weak
from bazi_hub.people.passwords import (
    MOST_OF_A_PERSON,
    MOST_WAITING_OF_A_LANE,
    NICE,
    RESERVED,
    THREADS,
    HashQueueFull,
    Lane,
    Passwords,
)
from tests.hub.stories import in_loop
from tests.waiting import eventually

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse"


@in_loop
async def test_a_password_matches_its_hash_and_no_other_does():
    passwords = Passwords(QUICK)
    stored = await passwords.hash(PASSWORD)
    assert stored.startswith("$argon2id$")
    assert await passwords.matches(stored, PASSWORD)
    assert not await passwords.matches(stored, "correct house")
    passwords.close()


@in_loop
async def test_the_usual_parameters_are_those_of_argon2_cffi():
    passwords = Passwords()
    stored = await passwords.hash(PASSWORD)
    assert not PasswordHasher().check_needs_rehash(stored)
    assert passwords.outdated(QUICK.hash(PASSWORD))
    passwords.close()


@pytest.mark.parametrize("password", ["", "x" * (LEAST_LENGTH - 1), "x" * 1025])
def test_a_password_of_less_than_ten_characters_or_of_absurdly_many_is_refused(password):
    with pytest.raises(Weak):
        asyncio.run(Passwords(QUICK).hash(password))


@in_loop
async def test_the_same_password_typed_on_another_keyboard_is_the_same():
    passwords = Passwords(QUICK)
    stored = await passwords.hash("cafe\u0301 ｎｏｉｒ 8")
    assert await passwords.matches(stored, "caf\u00e9 noir 8")
    passwords.close()


def test_an_account_without_a_password_costs_a_hash_and_matches_nothing():
    class Counting(PasswordHasher):
        checked = 0

        def verify(self, hash, password):
            Counting.checked += 1
            return super().verify(hash, password)

    async def story():
        passwords = Passwords(Counting(time_cost=1, memory_cost=8, parallelism=1))
        assert not await passwords.matches(None, "nobody's password")
        assert Counting.checked == 1
        passwords.close()

    asyncio.run(story())


def test_a_stored_text_that_is_no_hash_matches_nothing():
    assert not asyncio.run(Passwords(QUICK).matches("not a hash", PASSWORD))


@pytest.mark.parametrize(
    ("password", "words"), [("Password2024", ()), ("li.bai-2024", ("li.bai@example.org",)), (" " * 12, ())]
)
def test_a_password_that_others_would_guess_is_never_hashed(password, words):
    with pytest.raises(Weak):
        asyncio.run(Passwords(QUICK).hash(password, words))


@in_loop
async def test_a_password_in_use_is_hashed_anew_however_weak_it_is():
    passwords = Passwords(QUICK)
    assert await passwords.matches(await passwords.rehash("password"), "password")
    passwords.close()


class Gated(PasswordHasher):
    """Hashes when it is let, and tells in which order."""

    def __init__(self):
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.gate, self.begun, self.order = threading.Event(), [], []

    def hash(self, password, **more):
        self.begun.append(password)
        self.gate.wait(20)
        self.order.append(password)
        return super().hash(password, **more)


async def waiting(passwords, *asked):
    """So many passwords that wait, each with its lane; all have their place when this returns."""
    made = [asyncio.ensure_future(passwords.rehash(password, lane)) for password, lane in asked]
    await asyncio.sleep(0)
    return made


@in_loop
async def test_two_hashes_at_a_time_are_made_and_a_lane_that_is_full_is_the_only_one_refused():
    hasher = Gated()
    passwords = Passwords(hasher)
    flood = await waiting(passwords, *(("flood", "a") for _ in range(MOST_WAITING_OF_A_LANE)))
    with pytest.raises(HashQueueFull) as refused:
        await passwords.rehash("flood", "a")
    assert refused.value.own
    passwords.require_room("b")
    hasher.gate.set()
    await asyncio.gather(*flood)
    assert await passwords.rehash("flood", "a")
    passwords.close()


@in_loop
async def test_lanes_take_turns_so_that_whoever_comes_last_waits_for_one_of_each():
    hasher = Gated()
    passwords = Passwords(hasher)
    lanes = [f"address {number}" for number in range(20)]
    flood = await waiting(passwords, *((lane, lane) for _ in range(3) for lane in lanes))
    [owner] = await waiting(passwords, ("owner", "elsewhere"))
    hasher.gate.set()
    await asyncio.gather(*flood, owner)
    # Two of each may have run before it came to wait; the threads finish in either order.
    assert hasher.order.index("owner") <= THREADS + len(lanes) + 1
    passwords.close()


@in_loop
async def test_a_lane_that_was_wrong_waits_behind_those_that_were_not():
    hasher = Gated()
    hasher.gate.set()
    passwords = Passwords(hasher)
    lanes = [f"address {number}" for number in range(20)]
    for lane in lanes:
        assert not await passwords.matches(None, "wrong", lane)
    # Whoever was right in the end is as good as new.
    stored = await passwords.rehash("right")
    assert await passwords.matches(stored, "right", lanes[0])
    hasher.gate.clear()
    hasher.order.clear()
    flood = await waiting(passwords, *((lane, lane) for lane in reversed(lanes)))
    late = await waiting(passwords, ("owner", "elsewhere"))
    hasher.gate.set()
    await asyncio.gather(*flood, *late)
    # Two had begun; of the others these are the first, whichever thread is faster.
    assert {"owner", lanes[0]} <= set(hasher.order[: 2 * THREADS + 2])
    passwords.close()


async def turned_away(passwords, lane, times):
    for _ in range(times):
        with pytest.raises(HashQueueFull):
            await passwords.rehash("x", lane)


@in_loop
async def test_whoever_asks_once_goes_before_lanes_that_were_turned_away_even_before_any_of_them_was_wrong():
    hasher = Gated()
    passwords = Passwords(hasher)
    lanes = [f"address {number}" for number in range(40)]
    flood = await waiting(
        passwords, *((lane, lane) for lane in lanes), *((lane, lane) for lane in lanes[:24])
    )
    for lane in lanes:
        await turned_away(passwords, lane, 10)
    [owner] = await waiting(passwords, ("owner", "elsewhere"))
    hasher.gate.set()
    await asyncio.gather(*flood, owner)
    # What had begun before comes first, on either thread.
    assert hasher.order.index("owner") <= THREADS + 1
    passwords.close()


@in_loop
async def test_floods_never_have_the_last_thread():
    hasher = Gated()
    passwords = Passwords(hasher)
    for lane in ("a", "b", "c"):
        for _ in range(MOST_OF_A_PERSON):
            passwords._count(lane)
    flood = await waiting(passwords, ("a", "a"), ("b", "b"), ("c", "c"))
    # Only one of them is looked at, and nobody else: the rest waits although a thread is idle.
    assert await eventually_begun(hasher, 1)
    [owner] = await waiting(passwords, ("owner", "elsewhere"))
    assert await eventually_begun(hasher, 2)
    assert hasher.begun == ["a", "owner"]
    hasher.gate.set()
    await asyncio.gather(*flood, owner)
    assert sorted(hasher.order) == ["a", "b", "c", "owner"]
    passwords.close()


async def eventually_begun(hasher, count):
    await eventually(lambda: len(hasher.begun) >= count)
    return len(hasher.begun) == count


def test_hashes_leave_the_processor_to_whoever_answers():
    class Telling(PasswordHasher):
        def hash(self, password, **more):
            self.nice = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            return super().hash(password, **more)

    hasher = Telling(time_cost=1, memory_cost=8, parallelism=1)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    asyncio.run(Passwords(hasher).rehash("x"))
    # Elsewhere no thread has a priority of its own.
    assert hasher.nice == (min(19, own + NICE) if sys.platform == "linux" else own)


@in_loop
async def test_half_of_the_queue_is_for_lanes_in_which_nobody_waits():
    hasher = Gated()
    passwords = Passwords(hasher, most_waiting=16)
    flood = await waiting(passwords, *(("x", f"address {number % 4}") for number in range(8)))
    for number in range(4):
        with pytest.raises(HashQueueFull) as refused:
            passwords.require_room(f"address {number}")
        assert refused.value.own
    others = await waiting(passwords, *(("y", f"other {number}") for number in range(8)))
    with pytest.raises(HashQueueFull) as refused:
        passwords.require_room("one more")
    assert not refused.value.own
    hasher.gate.set()
    await asyncio.gather(*flood, *others)
    passwords.close()


@in_loop
async def test_a_queue_that_is_full_has_room_left_for_familiar_browsers():
    hasher = Gated()
    passwords = Passwords(hasher, most_waiting=8)
    flood = await waiting(passwords, *(("x", f"address {number}") for number in range(8)))
    with pytest.raises(HashQueueFull) as refused:
        passwords.require_room("one more")
    assert not refused.value.own
    known = [("y", Lane.of(f"device {number}", familiar=True)) for number in range(RESERVED)]
    owners = await waiting(passwords, *known)
    with pytest.raises(HashQueueFull):
        passwords.require_room(Lane.of("device more", familiar=True))
    hasher.gate.set()
    assert len(await asyncio.gather(*flood, *owners)) == 8 + RESERVED
    passwords.close()
