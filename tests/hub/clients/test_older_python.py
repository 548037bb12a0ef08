"""The official Python client 1.x, where `BAZI_TEST_MCP1` names an interpreter that has it (`pip install 'mcp<2'`)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hub.clients.chain import went_the_chain

if TYPE_CHECKING:
    from tests.hub.live import Live

INTERPRETER = os.environ.get("BAZI_TEST_MCP1", "")


@pytest.mark.process
@pytest.mark.skipif(not INTERPRETER, reason="BAZI_TEST_MCP1 names no interpreter")
def test_the_older_client_survives_an_error(server: Live) -> None:
    program = Path(__file__).with_name("older_python.py")
    done = subprocess.run(
        [INTERPRETER, program, server.mcp, server.keys.personal], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["revision"], told["tools"], told["error"]) == ("2025-11-25", 12, "INVALID_INPUT")
    assert told["issues"] > 3
    assert told["balance"] > 0
    went_the_chain(told["chain"])
