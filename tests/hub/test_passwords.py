"""Passwords: their length, their hashes, that time tells nothing, and who has to come back."""

from __future__ import annotations

import asyncio
import threading

import pytest
from argon2 import PasswordHasher

from bazi_hub.passwords import LEAST_LENGTH, MOST_WAITING, THREADS, Busy, Passwords, TooShort

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse"


def test_a_password_matches_its_hash_and_no_other_does():
    async def story():
        passwords = Passwords(QUICK)
        stored = await passwords.hash(PASSWORD)
        assert stored.startswith("$argon2id$")
        assert await passwords.matches(stored, PASSWORD)
        assert not await passwords.matches(stored, "correct house")
        passwords.close()

    asyncio.run(story())


def test_the_usual_parameters_are_those_of_argon2_cffi():
    async def story():
        passwords = Passwords()
        stored = await passwords.hash(PASSWORD)
        assert not PasswordHasher().check_needs_rehash(stored)
        assert passwords.outdated(QUICK.hash(PASSWORD))
        passwords.close()

    asyncio.run(story())


@pytest.mark.parametrize("password", ["", "x" * (LEAST_LENGTH - 1), "x" * 1025])
def test_a_password_of_less_than_ten_characters_or_of_absurdly_many_is_refused(password):
    with pytest.raises(TooShort):
        asyncio.run(Passwords(QUICK).hash(password))


def test_the_same_password_typed_on_another_keyboard_is_the_same():
    async def story():
        passwords = Passwords(QUICK)
        stored = await passwords.hash("cafe\u0301 ｂａｚｉ 8")
        assert await passwords.matches(stored, "caf\u00e9 bazi 8")
        passwords.close()

    asyncio.run(story())


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


def test_two_hashes_at_a_time_are_made_and_the_one_after_32_waiting_is_refused():
    gate, running = threading.Event(), []

    class Slow(PasswordHasher):
        def hash(self, password, **more):
            running.append(password)
            gate.wait(10)
            return super().hash(password, **more)

    async def story():
        passwords = Passwords(Slow(time_cost=1, memory_cost=8, parallelism=1))
        waiting = [asyncio.ensure_future(passwords.hash(PASSWORD)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await passwords.hash(PASSWORD)
        assert len(running) <= THREADS
        gate.set()
        assert len(await asyncio.gather(*waiting)) == MOST_WAITING
        assert await passwords.hash(PASSWORD)
        passwords.close()

    asyncio.run(story())
