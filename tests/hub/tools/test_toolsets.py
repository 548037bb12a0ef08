"""The tools beside the twelve: what each answers, what a wrong argument is told, and that the twelve stay twelve."""

import json

import pytest
from jsonschema import Draft202012Validator

from bazi_hub.calls.functions import as_openai
from bazi_hub.money.prices import DEFAULT_PRICES, FURTHER_PRICES
from bazi_hub.tools.arguments import problems
from bazi_hub.tools.catalog import CATALOG, TOOLS
from bazi_hub.tools.toolsets import FURTHER, catalog_of

BIRTH = CATALOG["bazi_basic_analysis"].example
TIME = "2026-04-03T20:30:00+08:00"


@pytest.fixture(scope="module")
def call():
    tools = as_openai(toolset="all")

    def asked(name, **arguments):
        return json.loads(tools.call(name, arguments))

    asked.handle = asked("bazi_basic_analysis", **BIRTH, detail="compact")["base_context"]["handle"]
    return asked


def _refused(answer):
    assert answer["error"]["code"] == "INVALID_INPUT"
    return [issue["path"] for issue in answer["error"]["issues"]]


def test_core_is_the_twelve_and_all_has_the_others_before_the_forum():
    names = list(catalog_of("all"))
    assert tuple(catalog_of("core").values()) == TOOLS
    assert names[7:17] == [tool.name for tool in FURTHER]
    assert [name for name in names if name in CATALOG] == list(CATALOG)
    assert len(as_openai().schemas) == 12
    assert [schema["function"]["name"] for schema in as_openai(toolset="all").schemas] == names


def test_every_further_tool_has_a_price_and_no_other():
    assert [price.tool for price in FURTHER_PRICES] == [tool.name for tool in FURTHER]
    assert not {price.tool for price in FURTHER_PRICES} & {price.tool for price in DEFAULT_PRICES}


@pytest.mark.parametrize("tool", FURTHER, ids=lambda tool: tool.name)
def test_an_example_fits_its_schema_and_is_answered(tool, call):
    Draft202012Validator.check_schema(tool.schema)
    assert problems(tool, tool.example) == []
    handle = {"base_context": call.handle} if "base_context" in tool.example else {}
    answer = call(tool.name, **{**tool.example, **handle})
    assert "error" not in answer
    assert len(answer) == 1


def test_a_hub_of_the_twelve_has_no_other_tool():
    answer = json.loads(as_openai().call("liuren_quick", {"time": TIME}))
    assert answer["error"]["code"] == "UNKNOWN_TOOL"


def test_the_palm_of_a_moment_is_that_of_the_core(call):
    assert call("liuren_quick", time=TIME)["liuren"]["palms"] == ["留连", "小吉", "速喜"]


def test_a_date_without_an_offset_is_told_at_its_argument(call):
    for tool in ("liuren_quick", "question_divination", "liuyao_divine"):
        beside = {} if tool == "liuren_quick" else {"question": "今天适合谈合作吗？"}
        assert _refused(call(tool, time="2026-04-03 20:30", **beside)) == ["time"]


def test_a_wrong_day_span_purpose_or_place_is_told_at_its_argument(call):
    assert _refused(call("almanac_day", date="2026-02-30")) == ["date"]
    assert _refused(call("calendar_day", date="2026-02-03", location={"city_name": "Nowhereville"})) == [
        "location.city_name"
    ]
    assert _refused(call("place_find", city_name="Nowhereville")) == ["city_name"]
    assert _refused(call("find_dates", pillars="庚午 庚午", first_year=1990, last_year=1991)) == ["pillars"]
    assert _refused(call("almanac_find_days", purpose="blah blah", start="2026-10-01", end="2026-10-31")) == [
        "purpose"
    ]
    years = {"base_context": call.handle, "first_year": 2026, "last_year": 2060}
    assert _refused(call("years_compare", **years)) == ["last_year"]


def test_whoever_is_in_distress_gets_support_in_place_of_a_palm(call):
    answer = call("question_divination", question="我不想活了", time=TIME)["question_divination"]
    assert answer["status"] == "declined"
    assert answer["liuren"] is None
    cast = call("liuyao_divine", question="我不想活了", time=TIME)["liuyao"]
    assert list(cast) == ["reading"]


def test_coins_are_thrown_where_no_lines_are_given(call):
    cast = call("liuyao_divine", question="这次面试能通过吗？", time=TIME)["liuyao"]["divination"]
    assert cast["divinationMethod"] == "自动起卦"
    assert len(cast["yaoInfoList"]) == 6


def test_a_day_for_a_person_names_the_ten_god_of_its_stem(call):
    day = call("daily_fortune", base_context=call.handle, date="2026-02-04")["daily_fortune"]
    assert (day["day_master"], day["pillars"]["day"], day["ten_god"]) == ("庚", "己酉", "正印")
