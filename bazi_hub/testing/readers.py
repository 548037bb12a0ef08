"""What every reader promises: a reply to whatever it is asked, in time, or an error of its port that repeats nothing."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence

from bazi_core.errors import PortError, PortTimeout
from bazi_core.model.port import AsyncReadingPort, Price, ReadingReply, ReadingRequest, Usage, member, name_of

REQUEST = ReadingRequest(
    task="pattern",
    prompt_version="1",
    system="Choose what shall be said.",
    menu="s1 | 日主为庚。 | overview | neither\ns2 | 格局为正官格。 | pattern | neither",
    instruction="Choose both statements.",
    user_question='"我在某某公司上班，今年适合换工作吗？"',
    json_schema={"type": "object"},
    language="zh-Hans",
    max_output_tokens=200,
    timeout_s=20.0,
    request_id="00000000-0000-4000-8000-000000000001",
    idempotency_key="of-this-question-alone",
)
# So long the far end of a reader that is late is waited for.
BRIEF_S = 0.05
AT_ONCE = 4


class ReadingPortContract(ABC):
    """`make` gives a reader that answers. `failing` gives readers that cannot, and `late` readers whose far end does not
    answer in time; they are left out where there are none."""

    @abstractmethod
    def make(self) -> AsyncReadingPort:
        """A reader that answers."""

    def failing(self) -> Sequence[AsyncReadingPort]:
        return ()

    def late(self) -> Sequence[AsyncReadingPort]:
        return ()

    def test_a_question_is_answered_with_a_reply(self) -> None:
        reply = asyncio.run(self.make().generate(REQUEST))
        assert isinstance(reply, ReadingReply)
        assert reply.text or reply.parsed is not None
        assert isinstance(reply.text, str)
        assert isinstance(reply.model, str)
        assert isinstance(reply.usage, Usage)
        assert min(reply.usage.input_tokens, reply.usage.output_tokens, reply.latency_ms) >= 0

    def test_questions_at_once_are_each_answered(self) -> None:
        async def asked() -> list[ReadingReply]:
            port = self.make()
            named = (REQUEST._replace(idempotency_key=f"question-{number}") for number in range(AT_ONCE))
            return await asyncio.gather(*map(port.generate, named))

        assert [type(reply) for reply in asyncio.run(asked())] == [ReadingReply] * AT_ONCE

    def test_what_it_says_of_itself_can_be_written_down(self) -> None:
        port = self.make()
        assert name_of(port)
        assert isinstance(member(port, "model"), str | None)
        assert isinstance(member(port, "price"), Price | None)
        assert isinstance(member(port, "configured"), bool | None)

    def test_whatever_goes_wrong_is_an_error_of_the_port(self) -> None:
        for port in self.failing():
            assert isinstance(_error(port, REQUEST), PortError)

    def test_an_answer_that_does_not_come_is_given_up_in_time(self) -> None:
        for port in self.late():
            assert isinstance(_error(port, REQUEST._replace(timeout_s=BRIEF_S)), PortTimeout)

    def test_no_error_repeats_what_was_asked(self) -> None:
        for port in (*self.failing(), *self.late()):
            error = _error(port, REQUEST._replace(timeout_s=BRIEF_S))
            told = f"{error} {error!r}"
            for asked in (REQUEST.system, *REQUEST.menu.splitlines(), REQUEST.user_question):
                assert str(asked) not in told


def _error(port: AsyncReadingPort, request: ReadingRequest) -> Exception | None:
    """The error that a reader raises; None where it answers."""
    try:
        asyncio.run(port.generate(request))
    except Exception as error:
        return error
    return None
