"""Ledgers with a bug each, for those who claim that they would find it.

`RULES` are the money rules that a bug replaces; a bug of the store overrides a method.
"""

from bazi_hub.money import rules
from bazi_hub.ports import Captured, Running
from bazi_hub.store.memory.ledger import MemoryLedger

# As they are before anybody breaks them.
TRUE_CAPTURE, TRUE_ADMISSION = rules.capture, rules.admission


class DoubleCapture(MemoryLedger):
    """A call that was captured is paid again."""

    async def capture(self, call_id, result, free=False, day=None):
        row = self._tables.calls.get(call_id)
        if row is not None and row.state == "captured" and row.charged:
            self._tables.move(row, rules.CHARGE)
            return None
        return await super().capture(call_id, result, free, day)


def covers_whatever_is_held(posted, held, price):
    return posted >= price.least


class HoldIgnoresHeld(MemoryLedger):
    """What running calls hold is offered to the next one."""

    RULES = (("covers", covers_whatever_is_held),)


class ReleaseOfCaptured(MemoryLedger):
    """A call that was paid can be released."""

    async def release(self, call_id, error, day=None):
        row = self._tables.calls.get(call_id)
        if row is not None and row.state == "captured":
            row.state, row.error = "released", error
            return True
        return await super().release(call_id, error, day)


class KeyIgnored(MemoryLedger):
    """An idempotency key is stored and never looked at."""

    def _prior(self, call):
        return super()._prior(call._replace(key=None))


def the_result_whatever_is_asked(call, prior, since_ms):
    if prior is None:
        return None
    if prior.state == "running":
        return Running(prior.call_id)
    return Captured(prior.call_id, prior.result, prior.from_quota)


class FingerprintIgnored(MemoryLedger):
    """A key leads to its result, whatever is asked with it."""

    RULES = (("prior_call", the_result_whatever_is_asked),)


class ReaperForgetsHeld(MemoryLedger):
    """Calls that lapse keep their hold."""

    async def reap(self, everything=False, dead=()):
        lapsed = [row for row in self._tables.running.values() if everything or self._lapsed(row)]
        for row in lapsed:
            self._tables.end(row, "expired")
        return len(lapsed)


BUGS = (DoubleCapture, HoldIgnoresHeld, ReleaseOfCaptured, KeyIgnored, FingerprintIgnored, ReaperForgetsHeld)


def ledger_with(name, **broken):
    """A ledger whose rules are broken in one place."""
    return type(name, (MemoryLedger,), {"RULES": tuple(broken.items())})


def without_an_age(state, completed_ms, since_ms):
    return (state == "running") | (state == "captured")


def by_reference(kind, ref, call_id):
    return "ref", ref


def by_the_lease_alone(now_ms, lease_ms, admitted_ms, heartbeat_ms, has_worker, is_dead):
    return lease_ms < now_ms


def never(*values):
    return None


RULE_BUGS = (
    ledger_with("LeastForgotten", covers=lambda posted, held, price: posted - held >= price.credit_cost),
    ledger_with("LastUnitWithheld", unit_left=lambda free_left: free_left > 1),
    ledger_with(
        "UnitTwice", HOLD=rules.HOLD._replace(reserved=0), CAPTURE=rules.CAPTURE._replace(reserved=0)
    ),
    ledger_with("HoldOfNothing", HOLD=rules.HOLD._replace(held=0), CAPTURE=rules.CAPTURE._replace(held=0)),
    ledger_with("CaptureKeepsTheHold", CAPTURE=rules.CAPTURE._replace(held=0)),
    ledger_with("CaptureUsesNoUnit", CAPTURE=rules.CAPTURE._replace(used=0)),
    ledger_with("ChargeUsesNoUnit", CHARGE=rules.CHARGE._replace(used=0)),
    ledger_with("ReleaseKeepsTheUnit", RELEASE=rules.RELEASE._replace(reserved=0)),
    ledger_with(
        "GratisIsCharged", capture=lambda cost, from_quota, gratis: TRUE_CAPTURE(cost, from_quota, False)
    ),
    ledger_with("GratisIsRefused", admission=lambda fresh, gratis=False: TRUE_ADMISSION(fresh)),
    ledger_with("ResultsForEver", is_current=without_an_age),
    ledger_with("HoldsSpentByPostings", remains_covered=lambda posted, held, amount: posted + amount >= 0),
    ledger_with("RefundsByReference", posted_once_by=by_reference),
    ledger_with("RefundsOfAnything", require_refundable=never),
    ledger_with("SilenceIgnored", has_lapsed=by_the_lease_alone),
)
