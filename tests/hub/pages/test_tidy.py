"""What a page leaves behind is collected when it is sent, not in the middle of a later one."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from bazi_hub.operate.serving import COLLECT_AFTER
from bazi_hub.pages.page import LEFT_BEHIND
from tests.hub.pages.browsing import CHART, in_town

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def passes() -> Iterator[list[int]]:
    """The generations through which the collector goes, as it is set where a hub is served."""
    seen, thresholds = list[int](), gc.get_threshold()

    def told(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(info["generation"])

    gc.collect()
    gc.set_threshold(COLLECT_AFTER)
    gc.callbacks.append(told)
    yield seen
    gc.callbacks.remove(told)
    gc.set_threshold(*thresholds)


@in_town
async def test_nobody_waits_while_the_collector_goes_through_the_pages_of_others(town, passes):
    browser, within, between = town.browser(), list[int](), list[int]()
    await browser.get(CHART)
    for _ in range(40):
        await asyncio.sleep(0)
        between += passes
        passes.clear()
        await browser.asking("GET", CHART).run()
        within += passes
        passes.clear()
    assert within == []
    assert Counter(between).keys() == {0, 1}
    await asyncio.sleep(0)
    assert gc.get_count()[0] < LEFT_BEHIND


@in_town
async def test_a_page_that_leaves_little_is_not_looked_after(town, passes):
    browser = town.browser()
    await browser.get("/login")
    await asyncio.sleep(0)
    gc.collect()
    passes.clear()
    await browser.get("/login")
    await asyncio.sleep(0)
    assert passes == []
