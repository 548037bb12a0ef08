"""How many functions, modules and names a value passes: never more than when this was written."""

import asyncio

import pytest

from tests.hub.walks import all_walks

MOST = {
    "REST": (45, 14, 9),
    "MCP": (51, 14, 12),
    "form": (37, 12, 13),
    "run": (54, 18, 25),
    "setting": (19, 10, 5),
}


@pytest.mark.exhaustive
def test_no_value_goes_farther_through_the_hub():
    for name, walk in asyncio.run(all_walks()).items():
        passed = tuple(map(len, walk))
        assert all(now <= most for now, most in zip(passed, MOST[name], strict=True)), f"{name}: {walk}"
