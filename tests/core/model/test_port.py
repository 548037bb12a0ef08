"""The port: what a request says of itself, adapters between blocking and not, time limits, prices."""

from __future__ import annotations

import asyncio
import json
import threading
from contextvars import ContextVar

import pytest

from bazi_core.errors import PortTimeout, PortUnavailable
from bazi_core.model.fakes import FailingPort, FixedPort, asynchronous
from bazi_core.model.port import Price, ReadingReply, Usage, as_async, as_sync, name_of, within
from tests.core.readings.written import pattern, request_of

REQUEST = request_of(pattern(), question='今年 "怎么样"？')


def test_the_printed_form_of_a_request_holds_no_fact_and_no_question():
    shown = f"{REQUEST!r} {REQUEST}"
    assert "庚" not in shown
    assert "如何" not in shown
    assert "pattern" in shown


def test_the_ids_that_may_be_chosen_are_those_of_the_menu():
    assert REQUEST.ids[:2] == ("s1", "s2")
    assert len(REQUEST.ids) == len(REQUEST.menu.splitlines())


def test_the_user_text_ends_with_the_question_as_a_json_string():
    head, _, last = REQUEST.user_text.rpartition("QUESTION (JSON)\n")
    assert json.loads(last) == '今年 "怎么样"？'
    assert "怎么样" not in head
    assert "怎么样" not in REQUEST.system


def test_a_request_without_a_question_does_not_speak_of_one():
    assert "QUESTION" not in REQUEST._replace(user_question=None).user_text


def test_a_blocking_port_serves_an_event_loop_in_a_thread():
    seen = []

    class Here:
        def generate(self, request):
            seen.append(threading.current_thread())
            return ReadingReply("said")

    port = as_async(Here(), asyncio.to_thread)
    assert asyncio.run(port.generate(REQUEST)).text == "said"
    assert seen[0] is not threading.main_thread()
    assert name_of(port) == "Here"


def test_an_asynchronous_port_serves_a_caller_without_a_loop():
    port = as_sync(asynchronous(FixedPort("said")), asyncio.run)
    assert port.generate(REQUEST).text == "said"
    assert name_of(port) == "fixed"


def test_errors_pass_through_both_adapters():
    with pytest.raises(PortUnavailable):
        as_sync(asynchronous(FailingPort()), asyncio.run).generate(REQUEST)
    with pytest.raises(PortUnavailable):
        asyncio.run(as_async(FailingPort(), asyncio.to_thread).generate(REQUEST))


def test_a_call_that_takes_longer_than_its_time_ends_with_the_time() -> None:
    gate = threading.Event()
    with pytest.raises(PortTimeout) as caught:
        within(0.05, gate.wait)
    assert caught.value.data == {"timeout_s": 0.05}
    gate.set()


def test_a_call_within_a_time_sees_the_context_of_its_caller():
    variable: ContextVar[str] = ContextVar("variable", default="unset")
    variable.set("set")
    assert within(5, variable.get) == "set"


def test_an_estimate_is_at_least_the_price_of_a_full_reply():
    price = Price(1.0, 10.0)
    assert price.estimate(REQUEST) > price.of(Usage(0, REQUEST.max_output_tokens))
    assert price.estimate(REQUEST) > price.estimate(REQUEST._replace(menu=""))


@pytest.mark.parametrize("name", [None, "", 3])
def test_a_port_without_a_proper_name_is_called_by_its_class(name):
    class Unnamed:
        pass

    port = Unnamed()
    port.name = name
    assert name_of(port) == "Unnamed"
