"""Calls and runs come through one gate: the same checks, in one order."""

import pytest

from bazi_hub.calls.gate import Gate
from bazi_hub.ports import Price, Refused
from bazi_hub.ports.runs import TOOL
from bazi_hub.tools.tool import LIMITS
from bazi_hub.words.errors import HubError
from tests.hub.worlds import AGENT, T2, in_world

LIMIT = LIMITS["fortune_call"]


class Trouble:
    """A hub with all that can stop a request at the gate; a test takes it away step by step."""

    def __init__(self, world, tool):
        self.hub, self.tool = world.hub, tool
        self.prices = {tool: Price(tool, 4, 4, 0, enabled=False)}
        world.storage.pricing.all = self.all_prices
        self.hub.draining = True

    async def all_prices(self):
        return self.prices

    async def fill(self):
        for _ in range(LIMIT.per_minute):
            await self.hub.limits.take(f"{LIMIT.type}:{AGENT.key_id}", LIMIT.per_minute)

    async def refusal(self):
        """The gate and the code with which it refuses; None where it does not."""
        gate = Gate(self.hub, self.tool, AGENT)
        try:
            await gate.enter(LIMIT, metered=True)
        except HubError as error:
            return gate, error.data.get("reason", error.name)
        return gate, None


@pytest.mark.parametrize("tool", [T2, TOOL])
@in_world
async def test_the_first_check_that_fails_decides_for_calls_and_runs_alike(world, tool):
    trouble = Trouble(world, tool)
    await trouble.fill()
    assert (await trouble.refusal())[1] == "DRAINING"
    world.hub.draining = False
    gate, code = await trouble.refusal()
    assert (code, gate.window) == ("TOOL_DISABLED", None), "what is switched off takes no hit"
    trouble.prices = {}
    gate, code = await trouble.refusal()
    assert (code, gate.window.remaining) == ("RATE_LIMITED", 0)
    world.clock.advance(60)
    assert (await trouble.refusal())[1] == "CONFIG_ERROR"
    trouble.prices = {tool: Price(tool, 4, 4, 0, enabled=True)}
    gate, code = await trouble.refusal()
    assert (code, gate.window.remaining) == (None, LIMIT.per_minute - 2)


@in_world
async def test_a_hit_that_is_given_back_is_there_for_the_next_request(world):
    gate = Gate(world.hub, T2, AGENT)
    await gate.enter(LIMIT, metered=True)
    taken = gate.window.remaining
    await gate.give_back()
    assert gate.window.remaining == taken + 1


@in_world
async def test_a_person_has_no_window_where_only_agents_are_limited(world):
    gate = Gate(world.hub, T2, AGENT._replace(kind="personal"))
    await gate.enter(LIMIT, metered=True)
    await gate.give_back()
    assert gate.window is None


@pytest.mark.parametrize(("posted", "held", "reason"), [(3, 0, "BALANCE"), (4, 1, "RESERVED")])
@in_world
async def test_a_refusal_of_the_ledger_tells_whether_credits_are_missing_or_reserved(
    world, posted, held, reason
):
    error = Gate(world.hub, T2, AGENT).insufficient(Refused(Price(T2, 4, 4, 0, True), posted, held))
    assert (error.name, error.data["reason"]) == ("INSUFFICIENT_CREDITS", reason)
    assert error.data["available"] == posted - held


@in_world
async def test_a_new_call_has_a_lease_beyond_its_deadline(world):
    call = Gate(world.hub, T2, AGENT).new_call("fingerprint", 60.0, replay=True, key="k")
    assert (call.account_id, call.account_key, call.tool, call.key) == ("account-1", "key-2", T2, "k")
    assert (call.lease_s > 60, call.worker) == (True, world.hub.worker)
