"""What the hub says in English is there in Chinese: of its catalogue every sentence, of its checks every kind."""

import re

import pytest

from bazi_core.errors import BaziError
from bazi_core.questions.question import question
from bazi_core.readings.wish import check_style
from bazi_hub.pages.chinese import rows, told
from bazi_hub.tools.arguments import rule
from bazi_hub.tools.births import chart_of
from bazi_hub.tools.catalog import TOOLS
from bazi_hub.tools.forum import key_reused
from bazi_hub.tools.refusals import BadArguments
from bazi_hub.tools.toolsets import EVERY
from bazi_hub.tools.written import helped
from bazi_hub.words.errors import CODES
from bazi_hub.words.languages import traditional
from bazi_hub.words.text_rules import prepared
from tests.hub.worlds import BIRTH
from tests.tables import holds_for_all

HANZI = re.compile("[\u4e00-\u9fff]")


def in_chinese(said):
    chinese = told(said, "zh-Hans")
    return chinese != said and HANZI.search(chinese) is not None


def descriptions(schema):
    """Every description in a schema that is shown; those of the options are named only."""
    for name, rules in schema.get("properties", {}).items():
        if "description" in rules:
            yield rules["description"]
        if name not in ("options", "agent_metadata"):
            yield from descriptions(rules)


@holds_for_all("tool", TOOLS, lambda tool: tool.name)
def test_every_tool_is_told_in_chinese(tool):
    assert all(HANZI.search(phrase) for phrase in tool.phrases("zh-Hans"))
    assert {each for each in descriptions(tool.schema) if not in_chinese(each)} == set()


def test_every_error_is_told_in_chinese():
    assert all(HANZI.search(phrase) for code in CODES.values() for phrase in code.phrases("zh-Hans"))


def test_sentences_of_tools_and_errors_stand_in_traditional_signs_and_none_beside_them():
    said = {phrase for each in (*EVERY.values(), *CODES.values()) for phrase in each.phrases("zh-Hans")}
    assert said == set(traditional())
    for each in (*EVERY.values(), *CODES.values()):
        assert all(HANZI.search(phrase) for phrase in each.phrases("zh-Hant"))


SCHEMA = {
    "type": "object",
    "properties": {
        "short": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]*$"},
        "long": {"type": "string", "minLength": 5},
        "few": {"type": "array", "maxItems": 1, "items": {"type": "string"}},
        "year": {"type": "integer", "minimum": 1, "maximum": 9},
        "hour": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
        "place": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        "language": {"type": "string", "enum": ["zh-Hans", "en"]},
        "tone": {"type": "string", "enum": ["warm", "direct"]},
        "missing": {"type": "string"},
    },
    "required": ["missing", "hour"],
    "additionalProperties": False,
}


@holds_for_all(
    "given",
    [
        {"short": ""}, {"short": "abcd"}, {"short": "AB"}, {"long": "x"}, {"few": ["a", "b"]}, {"year": 0}, {"year": 10},
        {"year": "next"}, {"year": True}, {"year": {}}, {"year": []}, {"year": 1.5}, {"hour": "x"}, {"tone": "cruel"},
        {"tone": None}, {"else": 1}, {}, {"year": "5"}, {"yaer": 1}, {"place": "Beijing"}, {"language": "fr"},
    ],
)  # fmt: skip
def test_whatever_is_wrong_with_arguments_is_told_in_chinese(given):
    for issue in helped(SCHEMA, given, rule(SCHEMA)("", given)):
        chinese = told(issue.message, "zh-Hans")
        assert HANZI.search(chinese), issue.message
        assert not re.search(
            r"Must|Expected|Required|form|Unknown|got|integer|string|characters|items|use|write", chinese
        )


def refused(work):
    """What an error says that a person on the pages can meet."""
    with pytest.raises((BaziError, BadArguments)) as caught:
        work()
    error = caught.value
    return error.message if isinstance(error, BaziError) else error.issues[0].message


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: chart_of(BIRTH).year(1950), "1950 年不在 1990 至 2648 之内"),
        (lambda: question("问" * 501), "问题至多 500 个字"),
        (lambda: check_style("zh-Hans", "cruel", "standard"), "tone='cruel'：可选 neutral、warm 或 direct"),
        (lambda: chart_of({**BIRTH, "birth_minute": None}), "时辰已填，分钟也要填"),
        (lambda: chart_of({**BIRTH, "birth_hour": None}), "时辰不详时，分钟不填或填 0"),
        (lambda: chart_of({**BIRTH, "location": {"city_name": "Beijing", "latitude": 1}}), "要同时填写经度"),
    ],
)
def test_what_the_doctrine_refuses_is_told_in_chinese(work, said):
    assert told(refused(work), "zh-Hans") == said


def test_what_the_forum_refuses_is_told_in_chinese():
    _, [large] = prepared({"agent_metadata": {"agent_name": "x" * 5000}})
    [used] = key_reused("this tool").members["issues"]
    assert told(large.message, "zh-Hans") == "agent_metadata 超过 4 KB"
    assert told(used["message"], "zh-Hans") == "这个幂等键已用于另一次调用"


def test_what_has_no_chinese_stays_as_it_is_and_english_stays_english():
    for said in ("advertising", "Must I?", "中文", ""):
        assert told(said, "zh-Hans") == said
    assert all(told(said, "en") == said for said in rows("zh-Hans"))


def test_every_row_has_the_same_names_in_both_languages():
    for english, chinese in (*rows("zh-Hans").items(), *rows("zh-Hant").items()):
        assert HANZI.search(chinese), english
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", chinese)), english


def test_what_the_core_refuses_is_told_in_the_words_of_its_row():
    from bazi_core.errors import PlaceAmbiguous, ZoneConflict
    from bazi_core.tables.sentences import Said
    from bazi_hub.tools.refusals import issue_of

    conflict = issue_of(ZoneConflict(Said("zone_conflict", key="Asia/Tokyo", found="+09:00", given="+08:00")))
    assert told(conflict.message, "zh-Hans") == "Asia/Tokyo 当时为 +09:00，不是 +08:00"
    assert told(conflict.message, "en") == "Asia/Tokyo stood at +09:00 then, not at +08:00"
    many = issue_of(PlaceAmbiguous(Said("place_ambiguous", query="朝阳", count=3)))
    assert told(many.message, "zh-Hans") == "“朝阳”可能是 3 个地方；请在地点处填写其中一个的编号"
    assert many.message == "'朝阳' may be 3 places; give the ref of one of the candidates as city_name"
