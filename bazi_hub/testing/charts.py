"""What every store of saved charts promises: the owner's eyes only, and those of whoever has the link."""

from __future__ import annotations

from typing import Any

from bazi_hub.ports import Saved
from bazi_hub.testing.contract import StorageContract, World, promise


async def saved(world: World, account_id: str, **members: Any) -> Saved:
    """A chart that is stored."""
    chart = Saved(world.ids.uuid(), account_id, "chart", "李的命盘", '{"日":"乙卯"}', world.clock.now_ms())
    chart = chart._replace(**members)
    await world.storage.charts.add(chart)
    return chart


class ChartStoreContract(StorageContract):
    @promise
    async def test_an_owner_reads_what_was_saved(self, world: World) -> None:
        account_id = await world.account()
        chart = await saved(world, account_id)
        assert await world.storage.charts.get(chart.id, account_id) == chart

    @promise
    async def test_nobody_else_reads_it(self, world: World) -> None:
        chart = await saved(world, await world.account())
        other = await world.account()
        assert await world.storage.charts.get(chart.id, other) is None
        assert await world.storage.charts.get(world.ids.uuid(), other) is None
        assert await world.storage.charts.of(other) == []

    @promise
    async def test_charts_and_readings_are_listed_newest_first(self, world: World) -> None:
        account_id = await world.account()
        chart = await saved(world, account_id)
        await self.passes(world, 1)
        reading = await saved(world, account_id, kind="reading")
        assert await world.storage.charts.of(account_id) == [reading, chart]

    @promise
    async def test_only_the_owner_deletes_it(self, world: World) -> None:
        account_id, other = await world.account(), await world.account()
        chart = await saved(world, account_id)
        assert not await world.storage.charts.delete(chart.id, other)
        assert await world.storage.charts.get(chart.id, account_id) == chart
        assert await world.storage.charts.delete(chart.id, account_id)
        assert not await world.storage.charts.delete(chart.id, account_id)
        assert await world.storage.charts.get(chart.id, account_id) is None

    @promise
    async def test_a_link_opens_it_to_whoever_has_it(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        chart = await saved(world, account_id)
        await saved(world, account_id)
        assert await charts.shared("hash-1") is None
        assert await charts.share(chart.id, account_id, "hash-1", world.clock.now_ms())
        assert await charts.shared("hash-1") == chart
        assert await charts.shared("hash-2") is None

    @promise
    async def test_a_link_that_was_taken_back_opens_nothing(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        chart = await saved(world, account_id)
        await charts.share(chart.id, account_id, "hash-1", world.clock.now_ms())
        assert await charts.unshare(chart.id, account_id)
        assert await charts.shared("hash-1") is None
        assert await charts.get(chart.id, account_id) == chart

    @promise
    async def test_a_new_link_takes_the_place_of_the_old_one(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        chart = await saved(world, account_id)
        for token_hash in ("hash-1", "hash-2"):
            assert await charts.share(chart.id, account_id, token_hash, world.clock.now_ms())
        assert await charts.shared("hash-1") is None
        assert await charts.shared("hash-2") == chart

    @promise
    async def test_only_the_owner_shares_it_and_takes_the_link_back(self, world: World) -> None:
        account_id, other, charts = await world.account(), await world.account(), world.storage.charts
        chart = await saved(world, account_id)
        assert not await charts.share(chart.id, other, "hash-1", world.clock.now_ms())
        assert await charts.shared("hash-1") is None
        await charts.share(chart.id, account_id, "hash-1", world.clock.now_ms())
        assert not await charts.unshare(chart.id, other)
        assert await charts.shared("hash-1") == chart

    @promise
    async def test_the_link_of_a_deleted_chart_opens_nothing(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        chart = await saved(world, account_id)
        await charts.share(chart.id, account_id, "hash-1", world.clock.now_ms())
        await charts.delete(chart.id, account_id)
        assert await charts.shared("hash-1") is None
