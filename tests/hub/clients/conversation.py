"""A conversation of a client with a hub: the model is a script, all else is the client's own.

`python conversation.py FRAMEWORK URL KEY` prints what was called and corrected, the bytes of arguments and answers, and the
last words. The script knows a birth, a question and the names of the tools; it goes the whole chain over handles, makes
three mistakes on the way, and learns how to mend them from the answers alone. FRAMEWORK: `langchain`, `openai_agents` or
`pydantic_ai`.
"""

import asyncio
import json
import re
import sys
from typing import Any, NamedTuple

BIRTH = {
    "birth_year": 1990, "birth_month": 5, "birth_day": 15, "birth_hour": 13, "birth_minute": 30,
    "gender": "male", "location": {"city_name": "Beijing"},
}  # fmt: skip
HEADERS = "x-api-key"
# Each tool with its arguments as the model first writes them; <name> stands for the handle of an object.
CHAIN: list[tuple[str, dict[str, Any]]] = [
    ("get_skill_info", {"schemas": False}),
    ("get_user_credits", {}),
    ("bazi_basic_analysis", {**BIRTH, "birth_month": 13, "gender": "unknown", "detail": "compact"}),
    ("bazi_pattern_analysis", {"base_context": "<base_context>"}),
    ("bigluck_year_analysis", {
        "base_context": "<base_context>", "pattern_result": "<pattern_result>", "target_year": "2026",
    }),
    ("bigluck_year_fortune_eval", {
        "year_analysis_result": "<year_analysis_result>", "pattern": "<pattern_result>", "question": "Should I change jobs?",
        "language": "en",
    }),
    ("get_usage_history", {"limit": 10}),
]  # fmt: skip
MOST_CALLS = 12


class Step(NamedTuple):
    """What the model says: a call of a tool, or words."""

    tool: str | None
    arguments: dict[str, Any]
    words: str = ""


class Script:
    """The model: it goes the chain, reads what is wrong, mends what is named and nothing else, and ends with the reading."""

    def __init__(self) -> None:
        self.left = list(CHAIN)
        self.tool, self.arguments = "", dict[str, Any]()
        self.handles: dict[str, str] = {}
        self.calls: list[str] = []
        self.corrected: list[str] = []
        self.asked = self.read = 0
        self.most_read = 0
        self.reading = ""

    def after(self, read: Any) -> Step:
        """The next step after an answer of a tool, `None` at the beginning."""
        answer = _object_in(read)
        if read is not None:
            size = len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
            self.read += size
            self.most_read = max(self.most_read, size if self.handles or "base_context" in answer else 0)
        if read and not answer:
            self._look_again()
        elif "issues" in answer:
            for issue in answer["issues"]:
                self._mend(issue["path"], issue["message"])
        else:
            self._keep(answer)
            if not self.left:
                return Step(None, {}, self.reading)
            self.tool, given = self.left.pop(0)
            self.arguments = {name: self._meant(value) for name, value in given.items()}
        if len(self.calls) == MOST_CALLS:
            return Step(None, {}, f"lost: {read}")
        self.calls.append(self.tool)
        self.asked += len(json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":")).encode())
        return Step(self.tool, self.arguments)

    def _mend(self, path: str, message: str) -> None:
        """Does what an issue says: use another name, write another value, or look again what the user said."""
        self.corrected.append(path)
        use, write = re.search(r"use (\w+)$", message), re.search(r"write (\d+)", message)
        if use and path in self.arguments:
            self.arguments[use[1]] = self.arguments.pop(path)
        elif write:
            self.arguments[path] = int(write[1])
        elif path in BIRTH:
            self.arguments[path] = BIRTH[path]

    def _look_again(self) -> None:
        """Compares the names that it wrote with those of the objects: the client itself has refused the call, and does not
        say why."""
        for name in [each for each in self.arguments if each not in self.handles]:
            for meant in self.handles:
                if meant.startswith(f"{name}_"):
                    self.arguments[meant] = self.arguments.pop(name)
                    self.corrected += [meant, name]

    def _keep(self, answer: dict[str, Any]) -> None:
        for name, made in answer.items():
            if isinstance(made, dict) and "handle" in made:
                self.handles[name] = made["handle"]
        self.reading = answer.get("final_result", {}).get("narrative", self.reading)

    def _meant(self, value: Any) -> Any:
        return self.handles[value[1:-1]] if isinstance(value, str) and value.startswith("<") else value

    @property
    def told(self) -> dict[str, Any]:
        """What happened."""
        names = ("calls", "corrected", "asked", "read", "most_read")
        return {name: getattr(self, name) for name in names}


def _object_in(read: Any) -> Any:
    """The JSON value of a tool in whatever a client wraps it."""
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
        return str((await Runner.run(agent, "八字", max_turns=20)).final_output)


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
    print(json.dumps({"words": words, **script.told}))
