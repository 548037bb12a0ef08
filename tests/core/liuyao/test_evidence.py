"""Facts: stable ids, leaves, what rests on what, and a fact for every value that may be cited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from bazi_core import liuyao as ly
from bazi_core.facts import Fact, basis_of
from tests.core.liuyao.casts import AT, FOUR, analysis, time_of, values
from tests.tables import holds_for_all

KINDS = ("事业", "财运", "婚姻", "学业", "其他", "占什么", None)
IDS = re.compile(
    r"ly\.(ganzhi\.(year|month|day|hour)|void\.day|yuejian|richen|yuepo|richong"
    r"|gua\.(primary|target|palace|transition|tag\.(六冲|六合|游魂|归魂)|(fanyin|fuyin)\.(inner|outer))"
    r"|line\.[1-6](\.(state|month|day|void|yuepo|richong|andong|ripo|stage)|\.change\.[^.]+)?"
    r"|target\.[1-6]|hidden\.[1-6]|sanhe\.[水金火木]\.\d|star\.(贵人|禄|驿马|天喜)\.[1-6]"
    r"|yongshen\.\d+|role\.(原神|忌神|仇神)|timing\.\d+|sign)"
)


def boards(step: int) -> Iterator[ly.Analysis]:
    for number in range(0, 4096, step):
        kind = KINDS[number // step % len(KINDS)]
        if number % 2:
            yield ly.derive(values(number), pillars=FOUR).analyze(kind)
        else:
            month, day = time_of(number)
            yield ly.derive(values(number), month_branch=month, day=day).analyze(kind)


def test_every_id_is_one_of_the_stable_ones_and_its_own_key():
    for found in boards(29):
        for name, fact in found.facts.items():
            assert IDS.fullmatch(name), name
            assert fact.id == name


def test_every_fact_rests_on_facts_and_the_graph_has_no_cycle():
    for found in boards(23):
        facts = found.facts
        for fact in facts.values():
            assert all(name in facts for name in fact.derives_from), fact
        settled: set[str] = set()
        while len(settled) < len(facts):
            ready = [
                name
                for name, fact in facts.items()
                if name not in settled and settled.issuperset(fact.derives_from)
            ]
            assert ready
            settled.update(ready)


def test_leaves_are_pillars_and_lines_and_where_no_pillar_is_given_the_calendar():
    found = ly.derive("789876", AT).analyze("事业").facts
    leaves = {name for name, fact in found.items() if not fact.derives_from}
    assert leaves == {f"ly.ganzhi.{name}" for name in ("year", "month", "day", "hour")} | {
        f"ly.line.{n}" for n in range(1, 7)
    }
    bare = analysis("既济", 3, 6).facts
    assert {name for name, fact in bare.items() if not fact.derives_from} == {
        "ly.yuejian", "ly.ganzhi.day", *(f"ly.line.{n}" for n in range(1, 7)),
    }  # fmt: skip


def test_rules_name_book_and_chapter():
    for found in boards(37):
        for fact in found.facts.values():
            assert re.fullmatch(r"ZS\.\d{3}\.[a-z_.]+|P\.sign_v1", fact.rule), fact
            assert (fact.source == "project") is (fact.rule == "P.sign_v1")
            assert fact.text_zh
            assert fact.subject
            assert fact.predicate


def test_every_value_that_may_be_cited_has_its_fact():
    for found in boards(17):
        facts, board = found.facts, found.to_dict(facts=False)
        wanted = {
            "ly.gua.primary", "ly.gua.palace", "ly.void.day", "ly.yuejian", "ly.richen", "ly.yuepo",
            "ly.richong",
        }  # fmt: skip
        wanted |= {"ly.gua.target"} if board["movingPositions"] else set()
        wanted |= {f"ly.gua.tag.{tag}" for tag in board["tags"]}
        wanted |= {"ly.gua.transition"} if board["transition"] else set()
        for part, kind in board["fanYinFuYin"].items():
            wanted |= {f"ly.gua.{ {'反吟': 'fanyin', '伏吟': 'fuyin'}[kind] }.{part}"} if kind else set()
        for line in board["lines"]:
            wanted |= of_line(line)
        wanted |= {f"ly.hidden.{each['position']}" for each in board["hidden"]}
        counted: Counter[str] = Counter()
        for each in board["sanHe"]:
            counted[each["element"]] += 1
            wanted.add(f"ly.sanhe.{each['element']}.{counted[each['element']]}")
        wanted |= {f"ly.star.{star['name']}.{n}" for star in board["stars"] for n in star["positions"]}
        wanted |= {f"ly.yongshen.{n}" for n in range(1, max(1, len(board["yongShen"]["candidates"])) + 1)}
        wanted |= {f"ly.role.{name}" for name in board["yongShen"]["roles"]}
        # Behind the triggers stand the waits for what is held back.
        wanted |= {f"ly.timing.{n}" for n in range(1, len(board["timing"]) + len(found.releases) + 1)}
        wanted.add("ly.sign")
        pillars = {name for name in facts if name.startswith("ly.ganzhi.")}
        assert pillars == {f"ly.ganzhi.{name}" for name in ("year", "month", "day", "hour")} or pillars == {
            "ly.ganzhi.day"
        }
        assert {*facts} == wanted | pillars


def of_line(line: dict) -> set[str]:
    at = f"ly.line.{line['position']}"
    flags = {
        "void": "xunKong", "yuepo": "yuePo", "richong": "riChong", "andong": "anDong", "ripo": "riPo",
        "stage": "dayStage",
    }  # fmt: skip
    found = {at, f"{at}.state", f"{at}.month", f"{at}.day"} | {
        f"{at}.{tail}" for tail, key in flags.items() if line[key]
    }
    if "target" in line:
        found |= {f"ly.target.{line['position']}"} | {
            f"{at}.change.{word}" for word in line["target"]["changes"]
        }
    return found


def test_the_values_of_facts_are_those_of_the_analysis():
    for found in boards(41):
        facts, board = found.facts, found.to_dict(facts=False)
        for line in board["lines"]:
            at = f"ly.line.{line['position']}"
            assert facts[at].value == line["ganZhi"]
            assert facts[at].subject == line["relation"]
            assert facts[f"{at}.state"].value == line["monthState"]
            assert facts[f"{at}.month"].value == "".join(line["month"])
            assert facts[f"{at}.day"].value == "".join(line["day"])
        assert facts["ly.sign"].value == board["sign"]["level"]
        for n, each in enumerate(board["timing"], 1):
            assert [*facts[f"ly.timing.{n}"].value] == each["branches"]
            assert facts[f"ly.timing.{n}"].predicate == each["trigger"]
        for each in board["hidden"]:
            assert facts[f"ly.hidden.{each['position']}"].value == each["ganZhi"]


@holds_for_all(
    "name, moving, text",
    [
        ("ly.line.3", (3,), "三爻兄弟己亥水，临螣蛇，持世，发动"), ("ly.line.1", (), "初爻子孙己卯木，临朱雀，安静"),
        ("ly.void.day", (), "旬空寅卯"),
        ("ly.line.2.ripo", (), "二爻丑土为日破"), ("ly.line.1.void", (), "初爻卯木落旬空，为假空"), ("ly.target.3", (3,),
        "三爻变官鬼庚辰土"),
        ("ly.line.3.change.回头克", (3,), "三爻亥水回头克"), ("ly.hidden.3", (), "妻财戊午火伏于三爻己亥之下，飞克伏"),
        ("ly.gua.palace", (), "坎宫三世卦，属水"), ("ly.yuejian", (), "月建卯木"), ("ly.star.贵人.3", (), "三爻临贵人"),
    ],
)  # fmt: skip
def test_a_fact_says_in_chinese_what_it_is(name, moving, text):
    assert analysis("既济", *moving).facts[name].text_zh == text


def test_the_kind_of_void_is_in_its_fact_and_the_raw_policy_keeps_the_bare_word():
    assert analysis("既济").facts["ly.line.1.void"].value == "假空"
    assert analysis("既济", void_kind="raw").facts["ly.line.1.void"].value == "旬空"


def test_an_undecided_question_says_so_in_its_facts():
    assert analysis("既济").facts["ly.yongshen.1"].text_zh == "未定用神，以世为准，世，取三爻己亥"
    assert analysis("既济", ask="婚姻").facts["ly.yongshen.1"].text_zh.startswith("用神或为妻财")
    assert analysis("既济", ask="财运").facts["ly.yongshen.1"].text_zh == "用神为妻财，取三爻戊午（伏神）"


def test_a_trine_by_change_rests_on_what_its_lines_turn_into():
    facts = analysis("泰", 4, 6, month="午", day="甲寅").facts
    by_kind = {
        facts[name].value: {*facts[name].derives_from} for name in facts if name.startswith("ly.sanhe")
    }
    assert {"ly.line.4", "ly.line.6"} <= by_kind["外卦四六爻动变"]
    assert {"ly.target.4", "ly.target.6"} & by_kind["外卦四六爻动变"]


def test_the_sign_rests_on_every_line_that_it_looked_at():
    found = analysis("既济", 3, 6, ask="其他")
    basis = {fact.id for fact in basis_of("ly.sign", found.facts)}
    assert {"ly.yongshen.1", "ly.line.3", "ly.line.3.state", "ly.yuejian"} <= basis


def test_written_facts_are_json_and_the_same_twice():
    found = analysis("既济", 3, 6, ask="事业").to_dict()["facts"]
    assert found == analysis("既济", 3, 6, ask="事业").to_dict()["facts"]
    assert all(type(fact["value"]) in (str, int, list) for fact in found.values())
    assert isinstance(analysis("既济").facts["ly.sign"], Fact)
