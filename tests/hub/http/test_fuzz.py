"""A few hundred of the cases of `tests.hub.fuzz`; the command runs ten thousand."""

import asyncio

from tests.hub.fuzz import run
from tests.sizes import sizes


@sizes(100, 300)
def test_no_body_on_either_transport_is_a_fault_of_the_hub(count: int) -> None:
    codes, faults = asyncio.run(run(count, seed=7))
    assert faults == []
    assert codes["OK"]
    assert codes["INVALID_INPUT"]
