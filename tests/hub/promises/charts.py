"""What every store of saved charts promises: the owner's eyes only, and those of whoever has the link."""

from __future__ import annotations

from typing import Any

from bazi_hub.ports import Saved
from bazi_hub.testing.contract import World, promise
from bazi_hub.testing.storage import StorageContract


async def saved(world: World, account_id: str, **members: Any) -> Saved:
    """A chart that is stored."""
    chart = Saved(world.ids.uuid(), account_id, "chart", "李的命盘", '{"日":"乙卯"}', world.clock.now_ms())
    chart = chart._replace(**members)
    await world.storage.charts.add(chart)
    return chart


class ChartStoreContract(StorageContract):
    @promise
    async def test_charts_and_readings_are_listed_newest_first(self, world: World) -> None:
        account_id = await world.account()
        chart = await saved(world, account_id)
        await self.passes(world, 1)
        reading = await saved(world, account_id, kind="reading")
        listed = await world.storage.charts.of(account_id)
        assert [(kept.id, kept.kind) for kept in listed] == [(reading.id, "reading"), (chart.id, "chart")]

    @promise
    async def test_a_list_goes_on_below_any_of_its_rows_without_a_gap_or_a_double(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        # Some in the same millisecond: the id decides.
        for instant in (1, 1, 1, 2, 3, 3, 4):
            await saved(world, account_id, created_ms=instant)
        whole = await charts.of(account_id)
        assert [kept.created_ms for kept in whole] == [4, 3, 3, 2, 1, 1, 1]
        for most in range(1, len(whole) + 1):
            pages = [await charts.of(account_id, most)]
            while pages[-1]:
                pages.append(await charts.of(account_id, most, pages[-1][-1].position))
            assert [kept for page in pages for kept in page] == whole
            assert max(map(len, pages)) == most

    @promise
    async def test_what_comes_and_goes_above_moves_nothing_below(self, world: World) -> None:
        account_id, charts = await world.account(), world.storage.charts
        for instant in range(1, 7):
            await saved(world, account_id, created_ms=instant)
        first = await charts.of(account_id, 3)
        second = await charts.of(account_id, 3, first[-1].position)
        await saved(world, account_id, created_ms=9)
        for kept in first:
            await charts.delete(kept.id, account_id)
        assert await charts.of(account_id, 3, first[-1].position) == second

    @promise
    async def test_owners_see_since_when_a_link_is_open(self, world: World) -> None:
        account_id, other, charts = await world.account(), await world.account(), world.storage.charts
        chart, alone = await saved(world, account_id), await saved(world, account_id)
        assert await charts.shared_ms(chart.id, account_id) is None
        await charts.share(chart.id, account_id, "hash-1", 5)
        await charts.share(chart.id, account_id, "hash-2", 7)
        assert await charts.shared_ms(chart.id, account_id) == 7
        assert await charts.shared_ms(chart.id, other) is None
        assert await charts.shared_ms(alone.id, account_id) is None
        told = {kept.id: kept.shared_ms for kept in await charts.of(account_id)}
        assert told == {chart.id: 7, alone.id: None}
        await charts.unshare(chart.id, account_id)
        assert await charts.shared_ms(chart.id, account_id) is None

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
