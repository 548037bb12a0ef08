"""One session of the official Python client 1.x, in an environment of its own: a list, a call, an error, another call.

`python older_python.py URL KEY`
"""

import asyncio
import json
import sys
from typing import Any


async def session(url: str, key: str) -> dict[str, Any]:
    """What happened."""
    from conversation import Script  # it lies beside this program
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    told: dict[str, Any] = {}
    async with (
        streamablehttp_client(url, headers={"x-api-key": key}) as (read, write, _),
        ClientSession(read, write) as client,
    ):
        told["revision"] = (await client.initialize()).protocolVersion
        told["tools"] = len((await client.list_tools()).tools)
        wrong = await client.call_tool("bazi_basic_analysis", {"birth_year": 1990})
        told["error"] = wrong.structuredContent["code"] if wrong.isError else None
        told["issues"] = len(wrong.structuredContent["issues"])
        answer = await client.call_tool("get_user_credits", {})
        told["balance"] = json.loads(answer.content[0].text)["balance"]
        script = Script()
        step = script.after(None)
        while step.tool:
            answer = await client.call_tool(step.tool, step.arguments)
            step = script.after(answer.content[0].text)
        told["chain"] = {"words": step.words, **script.told}
    return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
