"""Agent frameworks, where `BAZI_TEST_AGENTS` names an interpreter that has them
(`pip install langchain langchain-mcp-adapters openai-agents 'pydantic-ai-slim[mcp]'`).
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.clients.chain import went_the_chain

if TYPE_CHECKING:
    from tests.hub.live import Live

INTERPRETER = os.environ.get("BAZI_TEST_AGENTS", "")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not INTERPRETER, reason="BAZI_TEST_AGENTS names no interpreter"),
]


def conversation(framework: str, server: Live) -> Any:
    """What the scripted model of a framework did, and said at last."""
    program = Path(__file__).with_name("conversation.py")
    done = subprocess.run(
        [INTERPRETER, program, framework, server.mcp, server.keys.personal],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("framework", ["langchain", "openai_agents", "pydantic_ai"])
def test_a_model_goes_the_whole_chain_and_mends_what_errors_name(server: Live, framework: str) -> None:
    told = conversation(framework, server)
    went_the_chain(told)
    assert told["words"].startswith(("In short", "To your question", "For"))
