"""What agents are told is what the hub does: names, arguments, limits, codes; and nothing of how it is made or priced."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bazi_hub.http.wire.about import CLIENT_TIMEOUT_S
from bazi_hub.http.wire.discovery import guide
from bazi_hub.http.wire.resources import frontmatter
from bazi_hub.tools.births import ALL_OPTIONS, BIRTH, LOCATION
from bazi_hub.tools.catalog import CATALOG, TOOLS
from bazi_hub.tools.fortune import PATTERN_ANALYSIS
from bazi_hub.words.errors import CODES
from tests.hub.kit.exchanges import ROOT, exchanges, shortened
from tests.hub.kit.walkthrough import PAGES, renewed
from tests.hub.live import live
from tests.tables import holds_for_all

SKILL = ROOT / "bazi_hub" / "skills" / "bazi"
REFERENCE = "references/12-tools.md"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"`([^`]+)`")
# Words of the language that happen to be names in the code too.
ORDINARY = {
    "input_schema", "base_context", "pattern_result", "year_analysis_result", "final_result", "rate_limits", "year_reading",
    "free_remaining", "human_readable_summary", "agent_metadata", "year_analysis", "fortune_pricing",
}  # fmt: skip


def pages() -> list[str]:
    return sorted(str(path.relative_to(SKILL)) for path in SKILL.rglob("*.md"))


def text_of(page: str) -> str:
    return (SKILL / page).read_text("utf-8")


def tables(text: str) -> list[list[str]]:
    rows = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def prose(page: str) -> str:
    """A page without what the hub said."""
    text, at, kept = text_of(page), 0, []
    for each in exchanges(text):
        kept.append(text[at : each.start] + each.request)
        at = each.end
    return "".join([*kept, text[at:]])


def section(tool_id: str) -> str:
    found = re.search(rf"^### {tool_id} .*?(?=^##|\Z)", text_of(REFERENCE), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


# --- what is there -----------------------------------------------------------------------------------------------------


def test_every_page_of_the_kit_is_there() -> None:
    assert pages() == sorted(
        [
            "SKILL.md",
            *(f"usage/{name}.md" for name in (
                "instructions", "chain-patterns", "error-handling", "agent-metadata", "forum-etiquette",
            )),
            *(f"references/{name}.md" for name in ("12-tools", "billing", "rate-limits", "risk-mitigations")),
            "examples/full-chain-walkthrough.md",
        ]
    )  # fmt: skip


def test_the_skill_page_opens_with_its_name_and_description() -> None:
    head = text_of("SKILL.md").split("---\n")[1]
    assert re.match(r'name: bazi\ndescription: ".+"\n\Z', head)
    assert 100 < len(frontmatter(text_of("SKILL.md"))["description"]) <= 1024


@holds_for_all("page", pages())
def test_links_lead_to_pages_that_exist(page: str) -> None:
    targets = [each for each in LINK.findall(text_of(page)) if "://" not in each]
    assert not [each for each in targets if not (SKILL / page).parent.joinpath(each).exists()]


def test_the_skill_page_leads_to_every_page() -> None:
    assert {*LINK.findall(text_of("SKILL.md"))} == {page for page in pages() if page != "SKILL.md"}


# --- the hub's own answers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_the_answers_on_a_page_are_those_of_the_hub(page: str) -> None:
    assert renewed(page) == (ROOT / page).read_text("utf-8"), "python -m tests.hub.kit.walkthrough"


def test_no_page_with_answers_is_forgotten() -> None:
    found = [path for folder in ("bazi_hub/skills", "docs") for path in (ROOT / folder).rglob("*.md")]
    shown = {str(path.relative_to(ROOT)) for path in found if [*exchanges(path.read_text("utf-8"))]}
    assert shown == {*PAGES}


def test_the_walkthrough_calls_every_step_of_the_chain_and_all_meta_tools() -> None:
    asked = "\n".join(each.request for each in exchanges(text_of("examples/full-chain-walkthrough.md")))
    assert [tool.id for tool in TOOLS if tool.name in asked] == ["m1", "m2", "m3", "t1", "t2", "t3", "t4"]


def test_the_chain_in_code_gives_a_reading() -> None:
    found = re.search(r"^```python\n(.*?)^```$", text_of("usage/chain-patterns.md"), re.MULTILINE | re.DOTALL)
    assert found is not None
    with live() as hub:
        code = found[1].replace("https://hub.example", hub.url).replace("<your-key>", hub.keys.agent)
        names: dict[str, Any] = {}
        exec(compile(code, "chain-patterns.md", "exec"), names)
        with names["client"]:
            reading = names["year_reading"](
                CATALOG["bazi_basic_analysis"].example, 2026, "今年适合换工作吗？"
            )
    assert 0 <= reading["score"] <= 100
    assert reading["narrative"]


def test_what_is_left_out_of_an_answer_is_marked() -> None:
    assert shortened({"narrative": "x" * 200})["narrative"] == "x" * 160 + "…"
    assert shortened([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 2, 3, 4, 5, 6, "… 2 more"]
    assert shortened([{"a": "x" * 99}, {"a": 1}]) == [{"a": "x" * 99}, "… 1 more"]
    assert shortened({"bazi_structure": {"day_master": "庚", "b": 1}}) == {
        "bazi_structure": {"day_master": "庚", "…": "1 more"}
    }
    assert shortened({"credit_cost": 4, "held": 0}, live=True) == {"credit_cost": "…", "held": 0}


# --- tools -------------------------------------------------------------------------------------------------------------


def test_the_reference_has_every_tool_in_order() -> None:
    assert re.findall(r"^### (\w\d) `(\w+)`$", text_of(REFERENCE), re.MULTILINE) == [
        (tool.id, tool.name) for tool in TOOLS
    ]


@holds_for_all("tool", TOOLS, lambda tool: tool.id)
def test_the_arguments_of_a_tool_are_those_of_its_schema(tool: Any) -> None:
    rows = {row[0].strip("`"): row[1:] for row in tables(section(tool.id)) if len(row) == 4}
    rows.pop("argument", None)
    wanted = {**tool.schema["properties"]}
    if tool.id == "t1":
        wanted = {**wanted, **LOCATION["properties"]}
    elif tool.id == "t2":
        wanted = {
            name: known
            for name, known in PATTERN_ANALYSIS["properties"].items()
            if name == "base_context" or name not in BIRTH
        }
    assert list(rows) == list(wanted)
    needed = {*tool.schema.get("required", ()), *(LOCATION["required"] if tool.id == "t1" else ())}
    for name, (kind, required, meaning) in rows.items():
        assert (required == "yes") == (name in needed), name
        stated = [each["type"] for each in wanted[name].get("anyOf", [wanted[name]])]
        assert kind == " or ".join(stated), name
        for limit in limits_of(wanted[name]):
            assert re.search(rf"(?<![\d.]){re.escape(str(limit))}(?!\d)", meaning), (name, limit)
        for value in wanted[name].get("enum", ()):
            assert isinstance(value, list) or value in meaning.replace('"', "`").split("`"), (name, value)


def limits_of(schema: dict[str, Any]) -> list[Any]:
    """Every number that bounds an argument."""
    names = ("minimum", "maximum", "minLength", "maxLength", "maxItems", "minItems")
    own = [schema[name] for name in names if name in schema]
    most = re.findall(r"\d+ to (\d+)", schema.get("description", "")) if not own else []
    inner = [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    return [*own, *most, *(limit for each in inner for limit in limits_of(each))]


def test_every_choice_of_schools_is_named() -> None:
    named = section("t1").partition("`options` holds")[2]
    assert {*ALL_OPTIONS} == {*CODE.findall(named.partition("Gives")[0])} - {"options"}


@holds_for_all("page", pages())
def test_names_that_look_like_tools_are_tools(page: str) -> None:
    text = text_of(page).replace("bazi_basic_analisys", "")
    named = re.findall(r"\b(?:bazi|bigluck|forum|get)_[a-z_]+\b", text)
    assert {*named} - {"bazi_structure", "bazi_year"} <= {*CATALOG}


@pytest.mark.parametrize("page", ["usage/chain-patterns.md", "usage/instructions.md"])
def test_ids_of_tools_stand_beside_their_own_names(page: str) -> None:
    for tool_id, name in re.findall(r"\b([mtf]\d) `(\w+)`", text_of(page)):
        assert CATALOG[name].id == tool_id


def test_the_members_of_agent_metadata_are_those_that_are_taken() -> None:
    schema = CATALOG["forum_create_post"].schema["properties"]["agent_metadata"]
    rows = {row[0].strip("`"): row[2] for row in tables(text_of("usage/agent-metadata.md")) if len(row) == 3}
    rows.pop("member")
    assert list(rows) == schema["required"] == list(schema["properties"])
    for name, member in schema["properties"].items():
        assert all(str(limit) in rows[name] for limit in limits_of(member))
    assert CODE.findall(rows["platform"]) == schema["properties"]["platform"]["enum"]


# --- limits and errors -------------------------------------------------------------------------------------------------


def test_tools_without_a_limit_are_named() -> None:
    text = " ".join(text_of("references/rate-limits.md").split())
    free = re.search(r"one window\. (`[^.]*) have no limit\.", text)
    assert free is not None
    assert CODE.findall(free[1]) == [tool.name for tool in TOOLS if tool.limit is None]


@holds_for_all("page", pages())
def test_codes_that_are_named_exist(page: str) -> None:
    reasons = {
        "PLACE_AMBIGUOUS", "PLACE_NOT_FOUND", "AMBIGUOUS_LOCAL_TIME", "NONEXISTENT_LOCAL_TIME", "DIGEST_MISMATCH",
        "SCHEMA_VERSION", "IDEMPOTENCY_KEY_REUSED", "CONTENT_REJECTED", "RESERVED", "BALANCE", "RECOMPUTED",
        "OFFSET_DIFFERS",
    }  # fmt: skip
    named = {each for each in CODE.findall(prose(page)) if re.fullmatch(r"[A-Z][A-Z_]{3,}", each)}
    assert named - reasons <= {*CODES}


def test_reasons_that_are_named_are_given_by_the_hub() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in code())
    for row in tables(text_of("usage/error-handling.md")):
        if len(row) == 3 and row[0] != "`reason`":
            assert f'"{row[0].strip("`")}"' in sources


def test_clients_are_told_to_wait_long_enough() -> None:
    for page in ("SKILL.md", "usage/instructions.md", "references/risk-mitigations.md"):
        assert f"{CLIENT_TIMEOUT_S} seconds" in text_of(page)


def test_the_short_guide_says_nothing_else() -> None:
    listed = [_Listed(tool) for tool in TOOLS]
    sent = [code for code in CODES.values() if code.name != "JOB_NOT_FOUND"]
    told = guide(listed, sent, "https://hub.example").decode()  # type: ignore[arg-type]
    handling = text_of("usage/error-handling.md")
    for name, status, retry in re.findall(
        r"^- ([A-Z_]+) \(HTTP (\d+)\): .* Retry: (.*)\.$", told, re.MULTILINE
    ):
        assert f"| `{name}` | {status} | {retry} |" in handling
    assert re.findall(r"^- (\w\d) `(\w+)`", told, re.MULTILINE) == [(tool.id, tool.name) for tool in TOOLS]
    for path in ("/api/mcp", "/api/universal/{category}/{name}", "/openapi.json", "/.well-known/mcp.json"):
        assert path in told
        assert path in text_of("SKILL.md")


class _Listed:
    def __init__(self, tool: Any) -> None:
        self.tool = tool


# --- the guard of what is published ------------------------------------------------------------------------------------


def code() -> list[Path]:
    return [path for name in ("bazi_hub", "bazi_core") for path in (ROOT / name).rglob("*.py")]


@cache
def own_names() -> set[str]:
    """Names of classes and functions that no word of a language is."""
    own_tests = [path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts]
    named = re.compile(r"^ *(?:async def|def|class) (\w+)", re.MULTILINE)
    found = {name for path in [*code(), *own_tests] for name in named.findall(path.read_text("utf-8"))}
    shaped = {name for name in found if re.search(r"[a-z][A-Z]|[a-z0-9]_[a-z]", name.strip("_"))}
    published = {word for tool in TOOLS for word in re.findall(r"\w+", str(tool.schema) + tool.name)}
    return shaped - published - said() - ORDINARY


def said() -> set[str]:
    """The words of the hub's answers: whatever a caller sees is no secret."""
    answers = [text_of(page) for page in pages() if f"bazi_hub/skills/bazi/{page}" in PAGES]
    return {word for text in answers for word in re.findall(r'"(\w+)":', text)}


def breaches(text: str, names: set[str]) -> list[str]:
    """What must not be published."""
    found = [word for word in re.findall(r"\b\w+\b", text) if word in names]
    found += re.findall(r"\b(?:bazi_core|bazi_hub|bazi_cli|tests?)[./]\w+", text)
    found += re.findall(r"\S+\.(?:py|toml|sqlite3)\b|BAZI_HUB_\w+|\b[SIF]\d+-?\d*\b(?=[ ,.)])", text)
    found += re.findall(
        r'"(?:credit_cost|min_balance|cost|credits_deducted|balance|available)": [1-9]\d*', text
    )
    found += re.findall(
        r"\b\d+ credits?\b|credits?: \d+|\bcosts? \d+\b|\b(?:one|two|three|four|five|six|ten) credits?\b",
        text,
    )
    return found


@pytest.mark.parametrize("page", pages())
def test_nothing_internal_and_no_price_is_published(page: str) -> None:
    assert breaches(text_of(page), own_names()) == []


@holds_for_all(
    "text",
    [
        "see bazi_hub/words/errors.py", "in bazi_core.chart", "class HubError says",
        "test_the_skill_page_leads_to_every_page",
        "t2 costs 4", "at 6 credits", '"credit_cost": 4', "S0-12 demands", "BAZI_HUB_SIGNUP", "tests/hub", "four credits",
    ],
)  # fmt: skip
def test_the_guard_notices(text: str) -> None:
    assert breaches(text, own_names())
