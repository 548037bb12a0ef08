"""The strict object: its keys in their order, every rule, and the digest of all casts."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import PILLARS
from bazi_core.errors import InvalidDatetime, InvalidInput, PillarsIncomplete, UnknownOption
from bazi_core.liuyao.divination import spirits_of
from bazi_core.school import School
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import AT, FOUR, board, pillars_of, strict, values
from tests.tables import holds_for_all

KEYS = [
    "question", "questionType", "divinationMethod", "divinationTime", "binaryCode", "changedBinaryCode", "guaName",
    "upperName",
    "lowerName", "targetGuaName", "worldPosition", "responsePosition", "hasChangingYao", "ganzhi", "wuXingStatuses",
    "yaoInfoList", "targetYaoInfoList", "fushenPositions", "fushenInfoList",
]  # fmt: skip
GANZHI = [
    "yearGanZhi", "monthGanZhi", "dayGanZhi", "timeGanZhi", "yearKongWang", "monthKongWang", "dayKongWang", "timeKongWang",
    "yueJian", "riChen", "yuePo", "riChong",
]  # fmt: skip
LINE = [
    "position", "spiritName", "relationName", "tiganName", "elementName", "isYang", "isChanging",
    "specialMark",
]  # fmt: skip
DIGEST = "94e6669690a34c3fe5d29cf2c157e137fbf238b7e906fcb9e18fd133bb6473f4"
CLOCK = "2026年04月03日 20:30"


@pytest.mark.exhaustive
def test_the_digest_of_all_casts_is_the_published_one():
    sums = sha256()
    for number in range(4096):
        made = strict(ly.derive(values(number), pillars=FOUR))
        text = json.dumps(made, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        sums.update(text.encode() + b"\n")
    assert sums.hexdigest() == DIGEST


def test_keys_stand_in_their_order_and_nothing_is_null():
    made = strict(ly.derive("789876", AT))
    assert [*made] == KEYS
    assert [*made["ganzhi"]] == GANZHI
    assert [*made["wuXingStatuses"]] == [*"木火土金水"]
    assert [[*row] for row in made["yaoInfoList"] + made["targetYaoInfoList"]] == [LINE] * 12
    assert [*made["fushenInfoList"][0]] == ["position", "relationName", "tiganName", "elementName"]
    assert "null" not in json.dumps(made)


@holds_for_all("number", range(0, 4096, 97))
def test_every_member_follows_from_lines_and_pillars(number):
    four = pillars_of(number % 12, number % 60)
    made = strict(ly.derive(values(number), pillars=four))
    bits = "".join(str(value & 1) for value in values(number))
    moving = [n for n, value in enumerate(values(number), 1) if value in (6, 9)]
    turned = ref.flipped(bits, *moving)
    palace, generation = ref.palaces()[bits]
    element = ref.TRIGRAMS[palace][1]
    expected = (bits, turned, bool(moving))
    assert (made["binaryCode"], made["changedBinaryCode"], made["hasChangingYao"]) == expected
    assert (made["lowerName"], made["upperName"]) == (ref.OF_BITS[bits[:3]], ref.OF_BITS[bits[3:]])
    assert made["worldPosition"] == ref.SELF[generation]
    assert made["responsePosition"] == (ref.SELF[generation] + 2) % 6 + 1
    assert made["yaoInfoList"] == rows(bits, element, moving, four[2])
    assert made["targetYaoInfoList"] == (rows(turned, element, moving, four[2]) if moving else [])
    assert (made["targetGuaName"] == made["guaName"]) is not bool(moving)
    assert made["ganzhi"] == ganzhi(four)
    assert made["wuXingStatuses"] == {each: ref.season(four[1][1], each) for each in "木火土金水"}


def rows(bits: str, palace: str, moving: list[int], day: str) -> list[dict[str, object]]:
    """The lines of a hexagram as the strict object has them, from the books."""
    shi = ref.SELF[ref.palaces()[bits][1]]
    ying = (shi + 2) % 6 + 1
    return [
        {
            "position": n,
            "spiritName": {
                "青龙": "龙", "朱雀": "雀", "勾陈": "陈", "螣蛇": "蛇", "白虎": "虎", "玄武": "武",
            }[spirit],
            "relationName": ref.relative(palace, ref.ELEMENT[pillar[1]]),
            "tiganName": pillar[1],
            "elementName": ref.ELEMENT[pillar[1]],
            "isYang": bit == "1",
            "isChanging": n in moving,
            "specialMark": "世" if n == shi else "应" if n == ying else "",
        }
        for n, (bit, pillar, spirit) in enumerate(
            zip(bits, ref.pillars_of(bits), ref.spirits(day), strict=True), 1
        )
    ]  # fmt: skip


def ganzhi(four: tuple[str, ...]) -> dict[str, str]:
    names = ("year", "month", "day", "time")
    month, day = four[1][1], four[2][1]
    clashed = [ref.other(ref.CLASHES, each) for each in (month, day)]
    return {
        **{f"{name}GanZhi": pillar for name, pillar in zip(names, four, strict=True)},
        **{f"{name}KongWang": ref.void(pillar) for name, pillar in zip(names, four, strict=True)},
        "yueJian": month + ref.ELEMENT[month],
        "riChen": day + ref.ELEMENT[day],
        "yuePo": clashed[0] + ref.ELEMENT[clashed[0]],
        "riChong": clashed[1] + ref.ELEMENT[clashed[1]],
    }


def test_void_branches_of_all_sixty_pillars_are_those_of_their_ten():
    for at, day in enumerate(PILLARS):
        found = strict(ly.derive("777777", pillars=pillars_of(at % 12, at)))["ganzhi"]
        assert found["dayKongWang"] == ref.void(day.value)
        ten = [PILLARS[at // 10 * 10 + k].branch.value for k in range(10)]
        assert not {*found["dayKongWang"]} & {*ten}


def test_spirits_of_all_ten_stems_are_one_character_each():
    for day in PILLARS:
        shorts, names = zip(*spirits_of(day), strict=True)
        assert [*names] == ref.spirits(day.value)
        assert [*shorts] == [dict(zip(ref.SPIRITS, "龙雀陈蛇虎武", strict=True))[name] for name in names]


def board_of(lines: str) -> ly.LiuyaoChart:
    return ly.derive(lines, pillars=FOUR)


def test_without_motion_the_target_is_the_primary_and_has_no_lines():
    made = strict(board_of("787878"))
    assert (made["hasChangingYao"], made["targetYaoInfoList"]) == (False, [])
    assert made["targetGuaName"] == made["guaName"] == "水火既济"
    assert made["changedBinaryCode"] == made["binaryCode"] == "101010"


def test_hidden_lines_are_listed_whatever_the_policy():
    for absent in ("month_day_changed_hidden", "month_day_hidden", "changed_hidden"):
        chart = ly.derive("787887", pillars=FOUR, policy=ly.LiuyaoPolicy(yong_shen_absent=absent))
        assert strict(chart)["fushenPositions"] == [2, 3]


def test_a_mark_never_carries_void_or_broken():
    marks = {
        row["specialMark"] for number in range(4096) for row in strict(board_of_number(number))["yaoInfoList"]
    }
    assert marks == {"世", "应", ""}


def board_of_number(number: int) -> ly.LiuyaoChart:
    return ly.derive(values(number), pillars=FOUR)


@pytest.mark.parametrize(
    ("at", "clock"),
    [
        (AT, CLOCK), ("2026-04-03T20:30:59.999+08:00", CLOCK), ("2026-04-03T23:30:00+08:00", "2026年04月03日 23:30"),
        ("2026-04-03T12:30:00Z", "2026年04月03日 12:30"), ("1600-01-02T03:04:05-03:30", "1600年01月02日 03:04"),
    ],
)  # fmt: skip
def test_the_time_is_the_clock_of_the_given_offset_with_seconds_dropped(at, clock):
    assert ly.derive("789876", at).to_divination("占")["divinationTime"] == clock


def test_the_clock_is_kept_though_the_day_pillar_is_the_next_days():
    made = ly.derive("789876", "2026-04-03T23:30:00+08:00").to_divination("占")
    assert (made["divinationTime"], made["ganzhi"]["dayGanZhi"]) == ("2026年04月03日 23:30", "戊申")
    early = ly.derive("789876", "2026-04-03T23:30:00+08:00", school=School(day_boundary="00:00"))
    assert early.to_divination("占")["ganzhi"]["dayGanZhi"] == "丁未"


def test_question_kind_and_method_are_echoed_as_given():
    question = " 我最近\n换工作是否合适?  «ё» 🙂 "
    made = ly.derive("789876", AT).to_divination(question, " 换 工作 ", "自动起卦")
    assert [made["question"], made["questionType"], made["divinationMethod"]] == [
        question,
        " 换 工作 ",
        "自动起卦",
    ]
    long = "问" * 10**6
    assert ly.derive("789876", AT).to_divination(long)["question"] == long


def test_without_words_the_question_is_empty_and_its_kind_another():
    made = ly.derive("789876", AT).to_divination()
    assert (made["question"], made["questionType"], made["divinationMethod"]) == ("", "其他", "手动起卦")


@pytest.mark.parametrize("bad", [None, 5, True, [], {}, b"x", object()])
def test_what_is_no_text_is_refused(bad):
    chart = ly.derive("789876", AT)
    for given in ((bad,), ("占", bad), ("占", "其他", bad)):
        with pytest.raises(InvalidInput):
            chart.to_divination(*given)


def test_text_that_cannot_be_written_is_refused():
    chart = ly.derive("789876", AT)
    for given in (("\ud800",), ("占", "\udfff"), ("占\ud83d", "其他")):
        with pytest.raises(InvalidInput, match="half a character"):
            chart.to_divination(*given)


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_a_blank_kind_of_question_is_refused(blank):
    with pytest.raises(InvalidInput, match="not blank"):
        ly.derive("789876", AT).to_divination("占", blank)


@pytest.mark.parametrize("method", ["", "起卦", "手动", "auto", "手动起卦 "])
def test_another_method_is_refused(method):
    with pytest.raises(UnknownOption) as caught:
        ly.derive("789876", AT).to_divination("占", "其他", method)
    assert caught.value.data["allowed"] == ["手动起卦", "自动起卦"]


def test_month_and_day_alone_make_no_strict_object():
    with pytest.raises(PillarsIncomplete) as caught:
        board("既济").to_divination("占")
    assert caught.value.data == {"missing": ["yearGanZhi", "monthGanZhi", "timeGanZhi"]}
    assert (caught.value.code, caught.value.exit_status) == ("PILLARS_INCOMPLETE", 4)


def test_given_pillars_need_a_clock_and_a_time_needs_none():
    chart = ly.derive("789876", pillars=FOUR)
    with pytest.raises(PillarsIncomplete) as caught:
        chart.to_divination("占")
    assert caught.value.data == {"missing": ["divinationTime"]}
    assert chart.to_divination("占", divination_time=CLOCK)["divinationTime"] == CLOCK
    assert chart.to_divination("占", divination_time="")["divinationTime"] == ""
    with pytest.raises(InvalidInput, match="has its own time"):
        ly.derive("789876", AT).to_divination("占", divination_time=CLOCK)


@pytest.mark.parametrize(
    "bad",
    [
        "2026-04-03 20:30",
        "2026年4月3日 20:30",
        "2026年04月03日 24:00",
        "2026年13月03日 20:30",
        f"{CLOCK}\n",
        f" {CLOCK}",
        "今天",
    ],
)
def test_a_clock_in_another_form_is_refused(bad):
    with pytest.raises(InvalidDatetime):
        ly.derive("789876", pillars=FOUR).to_divination("占", divination_time=bad)


@pytest.mark.parametrize("day", ["02月31日", "04月31日", "02月30日"])
def test_a_clock_tells_a_day_that_exists(day):
    with pytest.raises(InvalidDatetime):
        strict(ly.derive("789876", pillars=FOUR), divination_time=f"2026年{day} 20:30")
    with pytest.raises(InvalidDatetime):
        strict(ly.derive("789876", pillars=FOUR), divination_time="0000年01月01日 20:30")
