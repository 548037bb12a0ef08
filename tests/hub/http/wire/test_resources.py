"""Resources and skills over MCP: what is listed can be read, digests fit, and older clients see what they always saw."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bazi_hub.http.wire import mcp
from bazi_hub.http.wire.resources import CARD, CARD_TYPE, READ, SKILL, frontmatter
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool
from tests.hub.client import rpc
from tests.hub.http.wire.test_mcp import PLAIN, SDK, answer, code, modern, request, result

EXTENDED = {"accept": "application/json", "mcp-protocol-version": "2025-11-25"}
ROOT = Path(__file__).parents[4] / "bazi_hub" / "skills"


def read(uri: Any, headers: dict[str, str] = EXTENDED) -> Any:
    return result(rpc("resources/read", {"uri": uri}), headers)["contents"][0]


def test_every_resource_that_is_listed_can_be_read_and_is_of_its_type() -> None:
    listed = result(rpc("resources/list"), EXTENDED)["resources"]
    assert len(listed) == 12
    for each in listed:
        content = read(each["uri"])
        assert (content["uri"], content["mimeType"]) == (each["uri"], each["mimeType"])
        assert content["text"]


def test_the_files_of_the_skill_are_those_of_the_kit() -> None:
    found = {each["uri"] for each in result(rpc("resources/list"), EXTENDED)["resources"]} - {CARD}
    assert found == {f"skill://{path.relative_to(ROOT).as_posix()}" for path in ROOT.rglob("*.md")}
    assert read(SKILL)["text"] == (ROOT / "bazi" / "SKILL.md").read_text("utf-8")


def test_a_skill_is_listed_with_its_head_and_the_digest_of_every_file() -> None:
    (skill,) = result(rpc("skills/list"), EXTENDED)["skills"]
    assert skill == result(rpc("skills/get", {"uri": SKILL}), EXTENDED)["skill"]
    assert skill["uri"] == f"skill://{skill['frontmatter']['name']}/SKILL.md"
    assert skill["frontmatter"] == frontmatter(read(SKILL)["text"])
    assert len(skill["resources"]) == len({each["uri"] for each in skill["resources"]}) == 11
    for each in skill["resources"]:
        assert each["digest"] == f"sha256:{sha256(read(each['uri'])['text'].encode()).hexdigest()}"


def test_relative_links_of_the_skill_lead_to_resources() -> None:
    import re
    from posixpath import dirname, join, normpath

    uris = {each["uri"] for each in result(rpc("resources/list"), EXTENDED)["resources"]}
    met = 0
    for uri in uris - {CARD}:
        for link in re.findall(r"\]\(([^)#:]+\.md)", read(uri)["text"]):
            assert "skill://" + normpath(join(dirname(uri.removeprefix("skill://")), link)) in uris, (
                uri,
                link,
            )
            met += 1
    assert met > 10


@pytest.mark.parametrize(
    "uri", ["skill://bazi/none.md", "skill://bazi/../SKILL.md", "file:///etc/passwd", ""]
)
def test_what_is_not_listed_is_not_found(uri: str) -> None:
    assert code(rpc("resources/read", {"uri": uri}), EXTENDED) == (-32002, 200)
    assert code(*modern("resources/read", {"uri": uri})) == (-32602, 200)
    assert code(rpc("skills/get", {"uri": uri}), EXTENDED) == (-32602, 200)


@pytest.mark.parametrize("uri", [None, 3, [SKILL], {"uri": SKILL}, "x" * 100_000])
def test_a_uri_of_any_kind_is_answered_in_few_words(uri: Any) -> None:
    made = answer(rpc("resources/read", {"uri": uri}), EXTENDED)
    assert json.loads(made.body)["error"]["code"] == -32002
    assert len(made.body) < 500


@pytest.mark.parametrize("method", READ)
def test_clients_of_the_first_revision_are_answered_as_before(method: str) -> None:
    for headers in (SDK, {"accept": SDK["accept"], "mcp-protocol-version": "2024-11-05"}):
        assert code(rpc(method, {"uri": SKILL}), headers) == (-32601, 200)
    assert json.loads(answer(rpc(method), PLAIN).body)["error"]["message"] == "UNKNOWN_TOOL"


@pytest.mark.parametrize("method", READ)
def test_the_newest_revision_may_keep_them_for_a_while(method: str) -> None:
    found = result(*modern(method, {"uri": SKILL}))
    assert (found["cacheScope"], found["ttlMs"]) == ("public", mcp.FRESH_MS)


def test_only_the_tool_that_is_drawn_names_the_card_and_only_to_newer_clients() -> None:
    listed = [ListedTool(tool, 1, True) for tool in CATALOG.values()]
    for headers, named in ((EXTENDED, ["bazi_basic_analysis"]), (SDK, []), (PLAIN, [])):
        frame = json.loads(mcp.listing(request(rpc("tools/list"), headers), listed, False).body)
        found = [each["name"] for each in frame["result"]["tools"] if "ui" in each["_meta"]]
        assert found == named
    entry = next(each for each in json.loads(
        mcp.listing(request(rpc("tools/list"), EXTENDED), listed, False).body
    )["result"]["tools"] if "ui" in each["_meta"])  # fmt: skip
    assert read(entry["_meta"]["ui"]["resourceUri"])["mimeType"] == CARD_TYPE


def test_the_card_asks_for_nothing_from_anywhere() -> None:
    content = read(CARD)
    assert content["_meta"]["ui"]["csp"] == {}
    assert "http" not in content["text"].replace("http-equiv", "")
    assert len(content["text"]) < 10_000
