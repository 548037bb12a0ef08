"""A conversation of an agent framework with a hub: the model is a script, all else is the framework.

`python conversation.py FRAMEWORK URL KEY` prints what was called, and the last words. The script knows a birth and the names
of the tools; how to correct a call it can only learn from the answer that it reads. FRAMEWORK: `langchain`,
`openai_agents` or `pydantic_ai`.
"""

import asyncio
import json
import sys
from typing import Any, NamedTuple

BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30,
    "gender": "male", "location": {"city_name": "Beijing"},
}  # fmt: skip
WRONG = {**BIRTH, "birth_month": 13, "gender": "unknown"}
HEADERS = "x-api-key"


class Step(NamedTuple):
    """What the model says: a call of a tool, or words."""

    tool: str | None
    arguments: dict[str, Any]
    words: str = ""


class Script:
    """The model: it calls with a mistake, reads what is wrong, corrects that and nothing else, and tells the day."""

    def __init__(self) -> None:
        self.arguments: dict[str, Any] = dict(WRONG)
        self.calls: list[str] = []
        self.corrected: list[str] = []

    def after(self, read: Any) -> Step:
        """The next step after an answer of a tool, `None` at the beginning."""
        answer = _object_in(read)
        if "issues" in answer:
            self.corrected = [issue["path"] for issue in answer["issues"]]
            self.arguments |= {path: BIRTH[path] for path in self.corrected}
        elif "base_context" in answer:
            return Step(None, {}, answer["base_context"]["four_pillars"]["day"])
        if len(self.calls) == 3:
            return Step(None, {}, f"lost: {read}")
        self.calls.append("bazi_basic_analysis")
        return Step(self.calls[-1], self.arguments)


def _object_in(read: Any) -> dict[str, Any]:
    """The JSON object of a tool in whatever a framework wraps it."""
    if isinstance(read, str) and "{" in read:
        return _object_in(json.JSONDecoder().raw_decode(read, read.index("{"))[0])
    if isinstance(read, list):
        return next((found for found in map(_object_in, read) if found), {})
    if isinstance(read, dict):
        return _object_in(read["text"]) if set(read) >= {"type", "text"} else read
    return {}


async def langchain(url: str, key: str, script: Script) -> str:
    from langchain.agents import create_agent
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_mcp_adapters.client import MultiServerMCPClient

    class Model(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "script"

        def bind_tools(self, tools: Any, **options: Any) -> Any:
            return self

        def _generate(self, messages: Any, *args: Any, **options: Any) -> ChatResult:
            read = messages[-1].content if isinstance(messages[-1], ToolMessage) else None
            step = script.after(read)
            call = {"name": step.tool, "args": step.arguments, "id": f"call-{len(script.calls)}"}
            message = AIMessage(step.words, tool_calls=[call] if step.tool else [])
            return ChatResult(generations=[ChatGeneration(message=message)])

    server = {"transport": "streamable_http", "url": url, "headers": {HEADERS: key}}
    tools = await MultiServerMCPClient({"hub": server}).get_tools()  # type: ignore[dict-item]
    done = await create_agent(Model(), tools).ainvoke({"messages": [{"role": "user", "content": "八字"}]})
    return str(done["messages"][-1].content)


async def openai_agents(url: str, key: str, script: Script) -> str:
    from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
    from agents.mcp import MCPServerStreamableHttp
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    set_tracing_disabled(True)

    class Scripted(Model):
        async def get_response(self, *, input: Any, **options: Any) -> ModelResponse:
            step = script.after(input[-1].get("output") if isinstance(input, list) else None)
            said: Any
            if step.tool:
                name = f"call-{len(script.calls)}"
                said = ResponseFunctionToolCall(
                    type="function_call", call_id=name, name=step.tool, arguments=json.dumps(step.arguments)
                )
            else:
                text = ResponseOutputText(type="output_text", text=step.words, annotations=[])
                said = ResponseOutputMessage(
                    id="said", type="message", role="assistant", status="completed", content=[text]
                )
            return ModelResponse(output=[said], usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **options: Any) -> Any:
            raise NotImplementedError

    async with MCPServerStreamableHttp({"url": url, "headers": {HEADERS: key}}) as server:
        agent = Agent(name="tester", model=Scripted(), mcp_servers=[server])
        return str((await Runner.run(agent, "八字")).final_output)


async def pydantic_ai(url: str, key: str, script: Script) -> str:
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    def say(messages: Any, info: Any) -> ModelResponse:
        read = [
            part.content for part in messages[-1].parts if isinstance(part, RetryPromptPart | ToolReturnPart)
        ]
        step = script.after(read)
        return ModelResponse(
            parts=[ToolCallPart(step.tool, step.arguments) if step.tool else TextPart(step.words)]
        )

    agent = Agent(FunctionModel(say), toolsets=[MCPToolset(url, headers={HEADERS: key})])
    async with agent:
        return str((await agent.run("八字")).output)


FRAMEWORKS = {each.__name__: each for each in (langchain, openai_agents, pydantic_ai)}

if __name__ == "__main__":
    script = Script()
    words = asyncio.run(FRAMEWORKS[sys.argv[1]](*sys.argv[2:], script))
    print(json.dumps({"words": words, "calls": script.calls, "corrected": script.corrected}))
