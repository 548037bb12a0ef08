"""The money rules: laws of their moves, and every small case of what they decide."""

from __future__ import annotations

from itertools import product

import pytest

from bazi_hub.money import rules
from bazi_hub.money.rules import CAPTURE, CHARGE, HOLD, RELEASE, LedgerMove, Prior, Terms
from bazi_hub.ports import Captured, Conflict, Fresh, NewCall, Price, Refused, Reused, Running
from tests.tables import holds_for_all

SMALL = range(5)
CALL = NewCall("new", "account", "tool", "print")


def price(cost: int, least: int) -> Price:
    return Price("tool", cost, least, 0, True)


def added(*moves: LedgerMove) -> LedgerMove:
    return LedgerMove(*(sum(signs) for signs in zip(*moves, strict=True)))


def prior(**members: object) -> Prior:
    return Prior("old", "tool", "print", "captured", 100, False, "{}")._replace(**members)  # type: ignore[arg-type]


def test_a_hold_and_its_capture_are_a_charge_and_a_hold_and_its_release_are_nothing() -> None:
    assert added(HOLD, CAPTURE) == CHARGE
    assert added(HOLD, RELEASE) == LedgerMove()


def test_no_step_takes_more_than_what_is_owned_or_held() -> None:
    for posted, held, cost, least in product(SMALL, repeat=4):
        agreed = rules.admission(Fresh(price(cost, least), False, posted, held))
        if held > posted or isinstance(agreed, Refused):
            continue
        for move, held_before in ((HOLD, 0), (CHARGE, 0), (CAPTURE, agreed.cost), (RELEASE, agreed.cost)):
            after = posted + move.posted * agreed.cost
            still_held = held + held_before + move.held * agreed.cost
            assert 0 <= still_held <= after, (posted, held, cost, least, move)


def test_free_quota_pays_first_then_a_balance_that_has_the_price_and_the_least() -> None:
    for free, (posted, held, cost, least) in product((True, False), product(SMALL, repeat=4)):
        agreed = rules.admission(Fresh(price(cost, least), free, posted, held))
        if free:
            assert agreed == Terms(True, 0, True)
        elif posted - held >= max(cost, least):
            assert agreed == Terms(True, cost, False)
        else:
            assert agreed == Refused(price(cost, least), posted, held)


def test_what_is_gratis_costs_nothing_uses_no_quota_and_is_never_refused() -> None:
    for free, posted in product((True, False), SMALL):
        assert rules.admission(Fresh(price(4, 4), free, posted, 0), gratis=True) == Terms(True, 0, False)


def test_a_refusal_says_whether_running_calls_hold_what_is_missing() -> None:
    for posted, held, cost, least in product(SMALL, repeat=4):
        reason = rules.refusal_reason(Refused(price(cost, least), posted, held))
        assert reason == ("RESERVED" if posted >= max(cost, least) else "BALANCE")


def test_a_capture_charges_what_was_held_and_everything_else_gives_it_back() -> None:
    for cost, from_quota in ((0, True), (0, False), (4, False)):
        assert rules.capture(cost, from_quota, gratis=False) == ("captured", cost, from_quota, CAPTURE)
        assert rules.capture(cost, from_quota, gratis=True) == ("captured", 0, False, RELEASE)
        for state in ("released", "expired"):
            assert rules.release(from_quota, state) == (state, 0, from_quota, RELEASE)


@holds_for_all(
    "before, met",
    [
        (None, None),
        (prior(), Captured("old", "{}", False)),
        (prior(from_quota=True), Captured("old", "{}", True)),
        (prior(completed_ms=99), None),
        (prior(state="running", completed_ms=0, result=None), Running("old")),
        (prior(fingerprint="other"), Reused("old")),
        (prior(tool="other"), Reused("old")),
        (prior(tool="other", state="running", completed_ms=0), Reused("old")),
        (prior(tool="other", completed_ms=99), None),
    ],
)
def test_a_call_meets_the_one_before_it_while_that_runs_or_its_result_is_young(before, met) -> None:  # type: ignore[no-untyped-def]
    assert rules.prior_call(CALL, before, since_ms=100) == met
    receipt = Reused("old") if isinstance(met, Running) else met
    assert rules.prior_receipt(CALL, before, since_ms=100) == receipt


def test_a_call_lapses_with_its_lease_with_its_worker_or_when_that_is_silent() -> None:
    silent = rules.SILENT_MS
    moments = (9 - silent, 10 - silent)
    for lease, admitted, heartbeat in product((9, 10, 11), moments, moments):
        silent_since_before = admitted == heartbeat == 9 - silent
        for has_worker, is_dead in product((True, False), repeat=2):
            lapsed = rules.has_lapsed(10, lease, admitted, heartbeat, has_worker, is_dead)
            assert lapsed == (lease < 10 or is_dead or (has_worker and silent_since_before))


@pytest.mark.parametrize(
    ("kind", "amount"),
    [("starter", 1), ("capture", 1), ("grant", 0), ("adjust", 0), ("grant", -1), ("refund", -1)],
)
def test_what_no_operator_posts(kind: str, amount: int) -> None:
    with pytest.raises(ValueError, match=kind):
        rules.require_posting(kind, amount)


def test_what_an_operator_posts() -> None:
    for kind, amount in (("grant", 1), ("refund", 1), ("adjust", 1), ("adjust", -1)):
        rules.require_posting(kind, amount)
    assert rules.posted_once_by("refund", "case", "call") == ("call_id", "call")
    assert rules.posted_once_by("grant", "case", "call") == ("ref", "case")


def test_a_refund_gives_back_no_more_than_a_captured_call_cost() -> None:
    for amount, charged in product(range(1, 5), (None, *SMALL)):
        if charged is not None and amount <= charged:
            rules.require_refundable(amount, charged)
        else:
            with pytest.raises(Conflict):
                rules.require_refundable(amount, charged)


def test_a_posting_leaves_what_is_held() -> None:
    for posted, held, amount in product(SMALL, SMALL, range(-4, 5)):
        assert rules.remains_covered(posted, held, amount) == (posted + amount - held >= 0)
