"""What the small ports promise: clock, ids, telemetry, and the life of a storage."""

from __future__ import annotations

import threading
import uuid
from typing import TYPE_CHECKING

from bazi_hub.testing.contract import World, promise
from bazi_hub.testing.storage import StorageContract

if TYPE_CHECKING:
    from bazi_hub.ports import Clock, Ids, Telemetry


class StorageLifeContract(StorageContract):
    @promise
    async def test_a_probe_passes_and_leaves_nothing_behind(self, world: World) -> None:
        for _ in range(2):
            await world.storage.probe()
        assert await world.storage.accounts.listed() == []
        assert await world.storage.journal() == []

    @promise
    async def test_an_open_storage_has_the_tables_of_this_version(self, world: World) -> None:
        assert await world.storage.migrated() is None


class ClockContract:
    """`make` gives the clock."""

    def make(self) -> Clock:
        raise NotImplementedError

    def test_the_wall_clock_counts_milliseconds_since_1970(self) -> None:
        now = self.make().now_ms()
        assert isinstance(now, int)
        assert 1_600_000_000_000 < now < 10_000_000_000_000

    def test_the_monotonic_clock_never_goes_back(self) -> None:
        clock = self.make()
        seen = [clock.monotonic() for _ in range(100)]
        assert seen == sorted(seen)


class IdsContract:
    """`make` gives the ids."""

    def make(self) -> Ids:
        raise NotImplementedError

    def test_an_id_is_a_uuid_in_its_usual_form(self) -> None:
        made = self.make().uuid()
        assert str(uuid.UUID(made)) == made

    def test_no_id_comes_twice(self) -> None:
        ids = self.make()
        assert len({ids.uuid() for _ in range(1000)}) == 1000

    def test_a_secret_has_the_size_that_was_asked_for(self) -> None:
        ids = self.make()
        assert [len(ids.secret(size)) for size in (1, 16, 32)] == [1, 16, 32]

    def test_no_secret_comes_twice(self) -> None:
        ids = self.make()
        assert len({ids.secret(16) for _ in range(1000)}) == 1000


# Everything that a hub counts and observes, with the labels that go with it.
COUNTED = {
    "calls_total": ("tool", "transport", "code"),
    "replays_total": ("kind",),
    "reaped_total": (),
    "late_capture_total": (),
    "rate_limited_total": ("class",),
    "auth_failures_total": ("reason",),
}
OBSERVED = {
    "call_seconds": ("tool",),
    "reader_seconds": (),
    "commit_seconds": (),
    "commit_batch": (),
    "held_credits": (),
    "workers_replaced_total": (),
}
TELLERS = 8


class TelemetryContract:
    """`make` gives the telemetry; whatever it is told, nobody who tells is disturbed."""

    def make(self) -> Telemetry:
        raise NotImplementedError

    def test_whatever_a_hub_counts_can_be_counted(self) -> None:
        telemetry = self.make()
        for name, labels in COUNTED.items():
            assert telemetry.count(name, 1, **dict.fromkeys(labels, "some")) is None
            assert telemetry.count(name, 3, **dict.fromkeys(labels, "others")) is None

    def test_whatever_a_hub_measures_can_be_measured(self) -> None:
        telemetry = self.make()
        for name, labels in OBSERVED.items():
            for value in (0, 0.25, 10**9):
                assert telemetry.observe(name, value, **dict.fromkeys(labels, "some")) is None

    def test_a_line_may_have_members_of_any_kind(self) -> None:
        telemetry = self.make()
        assert telemetry.log("call") is None
        members = {"code": "OK", "duration_ms": 1.5, "port": 8000, "detail": '八字\n"\\', "key_id": None}
        for level in ("debug", "info", "warning", "error"):
            assert telemetry.log("call", level, **members) is None

    def test_threads_may_tell_at_the_same_time(self) -> None:
        telemetry, failed = self.make(), list[BaseException]()

        def tell() -> None:
            try:
                for number in range(100):
                    telemetry.observe("commit_batch", number)
                    telemetry.count("reaped_total")
                    telemetry.log("watch_failed", "error", error="StoreError")
            except BaseException as error:
                failed.append(error)

        tellers = [threading.Thread(target=tell) for _ in range(TELLERS)]
        for teller in tellers:
            teller.start()
        for teller in tellers:
            teller.join()
        assert failed == []
