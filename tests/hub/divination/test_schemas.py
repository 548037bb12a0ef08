"""The published shapes are what the code says, and only ever grow."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bazi_hub.divination.problems import PROBLEMS
from bazi_hub.divination.schemas import document
from tests.hub.divination.published import SCHEMA_FILE, files
from tests.hub.divination.snapshot import SNAPSHOT, lost, shapes

DOCS = Path(__file__).parents[3] / "docs"
COMPILER = Path(__file__).parent / "node" / "node_modules" / ".bin" / "tsc"


@pytest.mark.parametrize("path", list(files()), ids=lambda path: path.name)
def test_the_published_files_are_up_to_date(path: Path) -> None:
    """`python -m tests.docs.renew` writes them."""
    assert path.read_text(encoding="utf-8") == files()[path]


def test_the_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(document())
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == document()


def test_nothing_that_was_published_is_gone_or_renamed() -> None:
    """D31. `python -m tests.hub.divination.snapshot` adds what is new, and refuses to drop anything."""
    before = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert lost(before, shapes()) == []
    assert before == shapes(), "python -m tests.hub.divination.snapshot"


@pytest.mark.parametrize(
    "change",
    [
        lambda shapes: shapes.pop("History.messages"),
        lambda shapes: shapes.update({"History.hasMore": "string, required"}),
        lambda shapes: shapes.update({"AgentOutput.sign_level": '"上上签" | "中上签", optional'}),
        lambda shapes: shapes.update({"RunAgentInput.forwardedProps": "ForwardedProps, required"}),
        lambda shapes: shapes.update({"AgentOutput.answer": "string, optional"}),
    ],
)
def test_a_field_that_is_removed_renamed_or_retyped_is_noticed(change: Any) -> None:
    """D31."""
    after = shapes()
    change(after)
    assert len(lost(shapes(), after)) == 1


def test_a_field_more_is_no_loss() -> None:
    """D31."""
    assert lost(shapes(), shapes() | {"History.more": "string, optional"}) == []


def test_an_object_of_a_list_may_gain_a_member_and_lose_none() -> None:
    """D31."""
    path = "Analysis.sign.contributions"
    told = shapes()[path]
    more = told.replace('  "rule": string;', '  "rule": string;\n  "more": string;')
    assert lost(shapes(), shapes() | {path: more}) == []
    assert len(lost(shapes() | {path: more}, shapes())) == 1
    assert len(lost(shapes(), shapes() | {path: told.replace('"points": number', '"points": string')})) == 1


def test_the_eleven_wire_types_have_a_schema_each() -> None:
    definitions = document()["$defs"]
    types = {
        schema["properties"]["type"]["const"]
        for name, schema in definitions.items()
        if name.endswith("Event") and "properties" in schema
    }
    assert len(types) == 11


@pytest.mark.parametrize("page", ["divination-runs.md", "zh/divination-runs.md"])
def test_the_documentation_lists_every_code_with_its_status(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for problem in PROBLEMS.values():
        status = str(problem.status) if problem.status else "–"
        assert f"| `{problem.code}` | {status} |" in text


@pytest.mark.process
@pytest.mark.skipif(
    not COMPILER.exists(), reason="the compiler that stands beside the clients on node is not installed"
)
def test_the_declarations_are_typescript() -> None:
    ran = subprocess.run(
        [COMPILER, "--noEmit", DOCS / "divination-runs.d.ts"], capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stdout
