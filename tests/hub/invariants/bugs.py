"""Six ledgers with a bug each, for those who claim that they would find it."""

from bazi_hub.ports import Captured, Running
from bazi_hub.store.memory.ledger import MemoryLedger


class DoubleCapture(MemoryLedger):
    """A call that was captured is paid again."""

    async def capture(self, call_id, result, free=False, day=None):
        row = self._tables.calls.get(call_id)
        if row is not None and row.state == "captured" and row.deducted:
            self._post("capture", row.account_id, -row.price, call_id=row.id, actor="hub")
            return None
        return await super().capture(call_id, result, free, day)


class HoldIgnoresHeld(MemoryLedger):
    """What running calls hold is offered to the next one."""

    def _covered(self, fresh):
        return fresh.free or fresh.posted >= fresh.price.least


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

    def _same(self, call):
        return super()._same(call._replace(key=None))


class FingerprintIgnored(MemoryLedger):
    """A key leads to its result, whatever is asked with it."""

    def _met(self, call):
        row = self._same(call)
        if row is None:
            return None
        if row.state == "running":
            return Running(row.id)
        return Captured(row.id, row.result or "", row.from_quota)


class ReaperForgetsHeld(MemoryLedger):
    """Calls that lapse keep their hold."""

    async def reap(self, everything=False, dead=()):
        lapsed = [row for row in self._tables.running.values() if everything or self._lapsed(row)]
        for row in lapsed:
            self._tables.end(row, "expired")
        return len(lapsed)


BUGS = (DoubleCapture, HoldIgnoresHeld, ReleaseOfCaptured, KeyIgnored, FingerprintIgnored, ReaperForgetsHeld)
