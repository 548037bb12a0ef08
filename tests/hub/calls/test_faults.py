"""What the log tells of an exception: where it came from, and no word of what was sent."""

import asyncio
import io
import json
import logging
import re
from pathlib import Path

import pytest

import bazi_hub
from bazi_hub.http.telemetry import Metrics, capture_library_logs
from bazi_hub.words.fault_log import MOST_FRAMES, MOST_TOLD, log_fault, traced
from tests.hub.worlds import BIRTH, T1, in_world

SECRET = "王小明 1990-05-15 bzp_secret"


def caught(work, *arguments):
    try:
        work(*arguments)
    except BaseException as error:
        return error
    raise AssertionError("it was to raise")


def inner(given):
    local = f"local {given}"
    raise ValueError(given, local)


def outer(given):
    try:
        inner(given)
    except ValueError as error:
        raise KeyError(given) from error


def careless(given):
    try:
        inner(given)
    except ValueError:
        raise LookupError(given)  # noqa: B904  # what is behind it is found all the same


def silent(given):
    try:
        inner(given)
    except ValueError:
        raise LookupError(given) from None


def group(given, errors):
    raise ExceptionGroup(given, errors)


def grouped(given):
    try:
        group(given, [caught(outer, given), caught(group, given, [caught(inner, given)])])
    except ExceptionGroup as error:
        error.add_note(given)
        raise


def classes(told):
    return [told["error"], *(each["error"] for each in told.get("behind", []))]


def test_a_fault_tells_the_file_the_line_and_the_functions_it_went_through():
    told = traced(caught(inner, SECRET))
    assert told["error"] == "ValueError"
    assert [frame.split(" ")[1] for frame in told["frames"]] == ["caught", "inner"]
    line = inner.__code__.co_firstlineno + 2
    assert told["frames"][-1] == f"tests/hub/calls/test_faults.py:{line} inner"


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (outer, ["KeyError", "ValueError"]),
        (careless, ["LookupError", "ValueError"]),
        (silent, ["LookupError"]),
        (grouped, ["ExceptionGroup", "KeyError", "ExceptionGroup", "ValueError", "ValueError"]),
    ],
)
def test_a_fault_tells_what_is_behind_it_and_nothing_that_was_said(work, expected):
    stream = io.StringIO()
    log_fault(Metrics(stream), caught(work, SECRET), request_id="r-1")
    line = json.loads(stream.getvalue())
    assert (line["event"], line["level"], line["request_id"]) == ("fault", "error", "r-1")
    assert classes(line) == expected
    assert all(each["frames"] for each in (line, *line.get("behind", [])))
    for word in SECRET.split():
        assert word not in stream.getvalue()


def test_a_fault_that_went_round_in_a_circle_is_told_in_a_few_lines():
    def round_and_round():
        round_and_round()

    assert len(traced(caught(round_and_round))["frames"]) == MOST_FRAMES
    first, second = ValueError(), KeyError()
    first.__cause__, second.__cause__ = second, first
    assert classes(traced(first)) == ["ValueError", "KeyError"]
    many = ExceptionGroup("many", [ValueError() for _ in range(1000)])
    assert len(classes(traced(many))) == MOST_TOLD


@in_world
async def test_a_fault_of_a_call_is_found_by_the_number_its_caller_was_told(world):
    async def broken(*told):
        raise RuntimeError(SECRET)

    world.storage.ledger.charge = broken
    outcome = await world.ask(T1, BIRTH)
    [line] = [line for line in world.voices.logged if line["event"] == "fault"]
    assert line["request_id"] == outcome.error.data["request_id"]
    assert line["frames"][-1].endswith("broken")
    assert any(frame.startswith("bazi_hub/calls/execution.py:") for frame in line["frames"])
    assert not any(word in json.dumps(line, ensure_ascii=False) for word in SECRET.split())


def test_what_another_library_logs_of_an_exception_tells_where_it_was():
    stream = io.StringIO()
    capture_library_logs(Metrics(stream))
    try:
        error = caught(outer, SECRET)
        logging.getLogger("asyncio").error(SECRET, exc_info=(type(error), error, error.__traceback__))
    finally:
        capture_library_logs(Metrics(io.StringIO()))
    line = json.loads(stream.getvalue())
    assert (line["event"], line["logger"], classes(line)) == (
        "library",
        "asyncio",
        ["KeyError", "ValueError"],
    )
    assert not any(word in stream.getvalue() for word in SECRET.split())


def test_a_task_that_nobody_waited_for_is_found_in_the_log():
    """As asyncio tells it, when the loop has nobody else to tell."""
    stream = io.StringIO()
    capture_library_logs(Metrics(stream))

    async def story():
        error = caught(inner, SECRET)
        asyncio.get_running_loop().call_exception_handler({"message": SECRET, "exception": error})

    try:
        asyncio.run(story())
    finally:
        capture_library_logs(Metrics(io.StringIO()))
    assert json.loads(stream.getvalue())["frames"][-1].endswith(" inner")
    assert not any(word in stream.getvalue() for word in SECRET.split())


# Where a class is told to a client or an operator and no exception is logged.
NO_LOG = {"bridge.py", "contract.py"}


def test_every_place_that_logs_an_exception_tells_where_it_came_from():
    found = []
    for path in Path(bazi_hub.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        if path.name not in NO_LOG and re.search(r"error=type\(\w+\)\.__name__", text):
            found.append(path.name)
    assert found == []
