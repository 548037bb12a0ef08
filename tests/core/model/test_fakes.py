"""The ports that come with the package for tests."""

import asyncio

import pytest

from bazi_core.errors import PortTimeout, PortUnavailable
from bazi_core.model.fakes import (
    ChoosingPort,
    FailingPort,
    FakeClock,
    FixedPort,
    RecordedPort,
    ScriptedPort,
    Step,
    asynchronous,
    reply_of,
)
from bazi_core.model.port import ReadingReply, Usage
from bazi_core.readings.final import read, read_pattern
from tests.core.readings.written import pattern, request_of, written, year

REQUEST = request_of(pattern())


def test_a_value_and_a_text_become_replies():
    value = written()
    assert reply_of(value).parsed == value
    assert reply_of("text") == ReadingReply("text")
    assert reply_of(ReadingReply("x")) == ReadingReply("x")


def test_a_fixed_port_writes_a_reading():
    told = read_pattern(pattern(), port=FixedPort(written(), model="m", usage=Usage(1, 2, 0.5)))
    assert (told.provenance.narrator, told.provenance.model, told.provenance.port) == ("llm", "m", "fixed")
    assert told.provenance.usage == Usage(1, 2, 0.5)


def test_a_choosing_port_chooses_from_the_menu_with_lines_of_its_own():
    told = read_pattern(pattern(), port=ChoosingPort(9, free=("慢慢来，不急。",)))
    assert (told.provenance.narrator, told.grounding.free_lines) == ("llm", 1)
    assert len(told.grounding.statements) >= 9


def test_a_failing_port_fails_and_the_rules_stand_in():
    with pytest.raises(PortUnavailable):
        FailingPort().generate(REQUEST)
    told = read_pattern(pattern(), port=FailingPort())
    assert (told.provenance.narrator, told.provenance.fallback_used) == ("rule", True)


def test_a_recorded_port_plays_back_what_was_said_to_the_same_request_and_to_no_other():
    recorder = RecordedPort(port=FixedPort(written(), usage=Usage(3, 4, 0.1)))
    first = read(year(), port=recorder)
    player = RecordedPort.from_json(recorder.to_json())
    assert read(year(), port=player).reading == first.reading
    with pytest.raises(PortUnavailable):
        player.generate(REQUEST)


def test_a_record_keeps_the_texts_readable():
    recorder = RecordedPort(port=FixedPort(written(2, ("慢慢来。",))))
    recorder.generate(REQUEST)
    assert "慢慢来" in recorder.to_json()


def test_a_script_moves_the_clock_and_keeps_the_requests():
    clock = FakeClock(5.0)
    port = ScriptedPort(["a", Step("b", 2.0), Step(PortUnavailable("x", reason="x"), 1.0)], clock)
    assert (port.generate(REQUEST).text, clock()) == ("a", 5.0)
    assert (port.generate(REQUEST).text, clock()) == ("b", 7.0)
    with pytest.raises(PortUnavailable):
        port.generate(REQUEST)
    assert clock() == 8.0
    assert port.requests == [REQUEST] * 3


def test_a_script_gives_up_at_the_timeout_unless_it_is_not_punctual():
    clock = FakeClock()
    port = ScriptedPort([Step("a", 100), Step("b", 100, punctual=False)], clock)
    with pytest.raises(PortTimeout):
        port.generate(REQUEST)
    assert clock() == 60
    assert port.generate(REQUEST).text == "b"
    assert clock() == 160


def test_a_script_that_ended_says_so():
    with pytest.raises(AssertionError):
        ScriptedPort([]).generate(REQUEST)


@pytest.mark.parametrize("port", [FixedPort("x"), ScriptedPort(["x"]), RecordedPort(port=FixedPort("x"))])
def test_every_fake_can_be_awaited(port):
    assert asyncio.run(asynchronous(port).generate(REQUEST)).text == "x"
    assert asynchronous(port).name == port.name
