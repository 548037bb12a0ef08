"""Every reader of ours keeps the promises of the reading port."""

import asyncio
from contextlib import ExitStack

import pytest

from bazi_core.model.fakes import FailingPort, FixedPort, RecordedPort, ScriptedPort, Step, asynchronous
from bazi_core.model.openai_compatible import AsyncOpenAICompatible, Settings
from bazi_core.model.port import as_async
from bazi_hub.calls.slots import Slots, SlottedPort
from bazi_hub.operate.app import Unconfigured
from bazi_hub.testing import ReadingPortContract
from bazi_hub.words.system import NoTelemetry, SystemClock
from tests.core.model import misbehaving as server

ANSWER = server.says(server.completion("{}", usage={"prompt_tokens": 9, "completion_tokens": 4}))


class TestOverHttp(ReadingPortContract):
    @pytest.fixture(autouse=True)
    def _servers(self, monkeypatch):
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        with ExitStack() as self.servers:
            yield

    def reader(self, behaviour):
        up = self.servers.enter_context(server.serving(behaviour))
        return AsyncOpenAICompatible(Settings(up.url, "model-1", "sk-secret"))

    def make(self):
        return self.reader(ANSWER)

    def failing(self):
        return [self.reader(each) for each in (server.says("", 503), server.says("<html>"), server.resets)]

    def late(self):
        return [self.reader(each) for each in (server.hangs, server.drips_body)]


class TestInSlots(ReadingPortContract):
    def reader(self, port, slots=2):
        return SlottedPort(asynchronous(port), Slots(slots), "account-1", SystemClock(), NoTelemetry())

    def make(self):
        return self.reader(FixedPort("{}"))

    def failing(self):
        return [self.reader(FailingPort())]

    def late(self):
        return [self.reader(FixedPort("{}"), slots=0)]


class TestFakes(ReadingPortContract):
    def make(self):
        return asynchronous(FixedPort("{}"))

    def failing(self):
        return [asynchronous(FailingPort()), asynchronous(RecordedPort()), Unconfigured()]

    def late(self):
        return [asynchronous(ScriptedPort([Step("{}", 100)]))]


class TestInAThread(ReadingPortContract):
    def make(self):
        return as_async(FixedPort("{}"), asyncio.to_thread)

    def failing(self):
        return [as_async(FailingPort(), asyncio.to_thread)]


class Careless:
    """Breaks every promise of a reader."""

    name, model, price, configured = "careless", 4, 2.5, "yes"

    def __init__(self, error=None):
        self.error = error

    async def generate(self, request):
        if self.error:
            raise self.error(request.menu)
        return "{}"


class OfTheCareless(ReadingPortContract):
    def make(self):
        return Careless()

    def failing(self):
        return [Careless(ValueError)]

    def late(self):
        return [Careless()]


@pytest.mark.parametrize("promise", [name for name in dir(ReadingPortContract) if name.startswith("test_")])
def test_a_reader_that_breaks_its_promises_is_noticed(promise):
    with pytest.raises(AssertionError):
        getattr(OfTheCareless(), promise)()
