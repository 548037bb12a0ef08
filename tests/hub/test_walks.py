"""How many functions, modules and names a value passes: never more than when this was written."""

import asyncio

import pytest

from tests.hub.walks import all_walks

MOST = {
    # An argument may be a handle or a text that holds an object: that takes four functions and a module, and to read what
    # models write two functions.
    "REST": (51, 15, 9),
    "MCP": (57, 15, 13),
    # The form leads to the address of its chart, whose page names the place: two requests.
    "form": (54, 18, 20),
    "run": (54, 18, 25),
    "setting": (19, 10, 5),
}


@pytest.mark.exhaustive
def test_no_value_goes_farther_through_the_hub():
    for name, walk in asyncio.run(all_walks()).items():
        passed = tuple(map(len, walk))
        assert all(now <= most for now, most in zip(passed, MOST[name], strict=True)), f"{name}: {walk}"
