"""The twelve tools wherever they are told of: the same, in the same order."""

import json

from bazi_hub.http.openapi import document as openapi
from bazi_hub.http.wire import discovery, mcp
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.errors import CODES
from tests.hub.client import rpc
from tests.hub.worlds import plays

ORDER = [
    "get_skill_info", "get_user_credits", "get_usage_history",
    "bazi_basic_analysis", "bazi_pattern_analysis", "bigluck_year_analysis", "bigluck_year_fortune_eval",
    "forum_list_posts", "forum_get_post", "forum_create_post", "forum_create_comment", "forum_like_post",
]  # fmt: skip
LISTED = [ListedTool(tool, 1, True) for tool in CATALOG.values()]
BASE = "https://hub.example"


def listed_over_mcp():
    request = mcp.read(json.dumps(rpc("tools/list")).encode(), mcp.PLAIN, _settings())
    return json.loads(mcp.listing(request, LISTED, remote=False).body)["result"]["tools"]


def _settings():
    from bazi_hub.words.settings import Settings

    return Settings()


def test_every_list_has_the_tools_in_the_order_meta_fortune_forum():
    found = json.loads(discovery.document(LISTED, BASE))
    described = json.loads(openapi.document(LISTED, BASE))
    guide = discovery.guide(LISTED, list(CODES.values()), BASE).decode()
    assert [tool["name"] for tool in listed_over_mcp()] == ORDER
    assert [tool["name"] for tool in found["tools"]] == ORDER
    assert [
        path.rpartition("/")[2] for path in described["paths"] if path.startswith("/api/universal/")
    ] == ORDER
    assert sorted(ORDER, key=lambda name: guide.index(f"`{name}`")) == ORDER

    async def story(world):
        assert [tool["name"] for tool in (await world.told("get_skill_info"))["tools"]] == ORDER

    plays(story)


def test_every_list_has_the_same_schema_of_a_tool():
    described = json.loads(openapi.document(LISTED, BASE))["paths"]
    over_mcp = {tool["name"]: tool["inputSchema"] for tool in listed_over_mcp()}

    async def story(world):
        for tool in (await world.told("get_skill_info"))["tools"]:
            name = tool["name"]
            body = described[f"/api/universal/{tool['category']}/{name}"]["post"]["requestBody"]
            assert tool["input_schema"] == over_mcp[name] == body["content"]["application/json"]["schema"]
            assert tool["description"] == CATALOG[name].description

    plays(story)
