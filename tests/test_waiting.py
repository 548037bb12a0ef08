"""Waiting ends when what is waited for has come, and when it does not come."""

from __future__ import annotations

import asyncio

import pytest

from tests.waiting import eventually, eventually_there


def test_what_came_true_is_given() -> None:
    turns = iter([0, "", None, "there"])
    assert asyncio.run(eventually(lambda: next(turns))) == "there"
    turns = iter([0, "", None, "there"])
    assert eventually_there(lambda: next(turns)) == "there"


def test_a_condition_may_be_awaited() -> None:
    turns = iter([False, True])

    async def condition() -> bool:
        return next(turns)

    assert asyncio.run(eventually(condition)) is True


def test_what_never_comes_fails_the_test_and_says_what_it_was() -> None:
    with pytest.raises(AssertionError, match="never_comes"):
        asyncio.run(eventually(lambda never_comes=False: never_comes, 0))
    with pytest.raises(AssertionError, match="never_comes"):
        eventually_there(lambda never_comes=False: never_comes, 0)
