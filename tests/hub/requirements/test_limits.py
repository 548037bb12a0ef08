"""Windows and leases where the other tests do not look."""

import pytest

from bazi_hub.ports import Admitted, NewCall
from bazi_hub.words.call import Caller
from tests.hub.worlds import AGENT, BROWSER, ME, T2, in_world


async def a_post(world):
    return {"post_id": (await world.told("forum_create_post", {"title": "t", "content": "c"}))["post_id"]}


@pytest.mark.parametrize("caller", [ME, AGENT, BROWSER], ids=lambda caller: caller.kind)
@in_world
async def test_a_sixth_comment_of_a_minute_is_limited_whoever_writes_it(world, caller):
    post = await a_post(world)
    for _ in range(5):
        await world.told("forum_create_comment", {**post, "content": "c"}, caller)
    error = await world.refused("forum_create_comment", {**post, "content": "c"}, caller)
    assert (error.data["limit_type"], error.data["limit"]) == ("comment", 5)


@in_world
async def test_more_keys_give_no_more_posts_but_more_fortune_calls(world):
    second = Caller(ME.account_id, "agent", "key-9")
    await a_post(world)
    assert (
        await world.refused("forum_create_post", {"title": "t", "content": "c"}, second)
    ).name == "RATE_LIMITED"
    for caller in (AGENT, second):
        names = [(await world.refused(T2, {}, caller)).name for _ in range(10)]
        assert set(names) == {"INVALID_INPUT"}


@in_world
async def test_the_last_second_of_a_minute_and_the_first_of_the_next_are_two_windows(world):
    world.clock.advance(49.999)
    outcome = await world.ask(T2, {}, AGENT)
    assert (outcome.window.remaining, outcome.window.reset_s) == (9, 1)
    world.clock.advance(0.001)
    outcome = await world.ask(T2, {}, AGENT)
    assert (outcome.window.remaining, outcome.window.reset_s) == (9, 60)


@in_world
async def test_a_clock_that_jumps_moves_windows_and_no_lease(world):
    ledger = world.storage.ledger
    call = NewCall("c", ME.account_id, T2, "f" * 64, lease_s=90, worker=world.hub.worker)
    assert isinstance(await ledger.hold(call), Admitted)
    for hour in (3600, -7200):
        world.clock.set_wall(hour)
        await ledger.heartbeat(world.hub.worker)
        assert await ledger.reap() == 0
        assert (await world.ask("get_user_credits", {}, AGENT)).error is None
    await ledger.release("c", "INTERNAL_ERROR")
