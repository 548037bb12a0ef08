"""Whoever could pay many times over a moment ago is not looked at before each call, and nobody can tell."""

from dataclasses import replace

from bazi_hub.tools.catalog import CATALOG
from tests.hub.worlds import BIRTH, ME, T1, in_world, on_day, plays


def counted(world):
    """Every look of the ledger from now on."""
    looks, look = [], world.storage.ledger.peek

    async def noted(call):
        looks.append(call.tool)
        return await look(call)

    world.storage.ledger.peek = noted
    return looks


@in_world(credits=100_000)
async def test_a_rich_account_is_looked_at_once_in_a_while(world):
    looks = counted(world)
    for day in range(1, 6):
        assert (await world.ask(T1, on_day(day))).error is None
    assert looks == [T1]
    world.clock.advance(6)
    await world.ask(T1, on_day(6))
    assert looks == [T1] * 2


def test_a_poor_account_and_a_key_are_looked_at_each_time():
    async def story(world):
        looks = counted(world)
        for day in range(1, 4):
            await world.ask(T1, on_day(day))
        assert len(looks) == 3

    async def keyed(world):
        looks = counted(world)
        for day in range(1, 4):
            await world.ask(T1, on_day(day), key=f"k{day}")
        assert len(looks) == 3

    plays(story, credits=25)
    plays(keyed, credits=100_000)


@in_world(credits=100_000)
async def test_an_answer_that_nobody_saw_is_given_again_for_nothing(world):
    looks = counted(world)
    first = await world.ask(T1, BIRTH)
    again = await world.ask(T1, BIRTH)
    assert (again.result, again.call_id) == (first.result, first.call_id)
    assert (again.replayed, again.credits_deducted) == (True, 0)
    assert looks == [T1]
    # From now on it is looked for first, and not computed in vain.
    assert (await world.ask(T1, BIRTH)).replayed
    assert looks == [T1] * 2


@in_world(credits=100_000)
async def test_an_answer_that_was_seen_is_computed_and_paid_anew_at_once(world):
    first = await world.ask(T1, BIRTH)
    await world.hub.delivered(first.undelivered)
    again = await world.ask(T1, BIRTH)
    assert (again.replayed, again.call_id != first.call_id) == (False, True)


@in_world(credits=100_000)
async def test_an_empty_account_is_told_so_even_where_the_computation_fails(world):
    async def broken(job, context):
        raise RuntimeError

    assert (await world.ask(T1, on_day(1))).error is None
    balance = (await world.storage.ledger.account(ME.account_id)).posted
    await world.storage.ledger.post("adjust", ME.account_id, -balance, "r", "test")
    world.hub.catalog = {**CATALOG, T1: replace(CATALOG[T1], run=broken)}
    assert (await world.refused(T1, on_day(2))).name == "INSUFFICIENT_CREDITS"
