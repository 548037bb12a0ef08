"""A few hundred of the cases of `tests.hub.fuzz`; the command runs ten thousand."""

import asyncio

from tests.hub.fuzz import run


def test_no_body_on_either_transport_is_a_fault_of_the_hub() -> None:
    codes, faults = asyncio.run(run(300, seed=7))
    assert faults == []
    assert codes["OK"]
    assert codes["INVALID_INPUT"]
