"""The event loop of those who have none: it begins with the first that needs it, and not in a process that was forked."""

from __future__ import annotations

import os
import threading
import warnings

import pytest

from bazi_hub.calls.background import Background


async def answer() -> int:
    return 42


def test_a_loop_nobody_needed_has_no_thread_to_end():
    before = set(threading.enumerate())
    background = Background()
    background.end(answer())
    background.close()
    assert set(threading.enumerate()) <= before


def test_the_loop_ends_even_if_the_last_work_fails():
    async def fail() -> None:
        raise RuntimeError("no")

    before = set(threading.enumerate())
    background = Background()
    assert background.run(answer()) == 42
    with pytest.raises(RuntimeError, match="no"):
        background.end(fail())
    assert set(threading.enumerate()) <= before


def test_a_child_without_the_thread_is_told_instead_of_waiting_for_ever():
    background = Background()
    background.run(answer())
    read, write = os.pipe()
    with warnings.catch_warnings():
        # Of just this Python 3.12 warns.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            background.run(answer())
        except RuntimeError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    told = os.read(read, 200).decode()
    os.close(read)
    background.close()
    assert "forked" in told
