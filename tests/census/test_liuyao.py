"""The census of 六爻 is what the file says, and the file what can be reckoned."""

import json

import pytest

from tests.census.liuyao import (
    FILE,
    casts,
    digest_of,
    of_casts,
    of_hexagrams,
    of_questions,
    of_slots,
    of_verdicts,
    small,
)

DIGEST = "94e6669690a34c3fe5d29cf2c157e137fbf238b7e906fcb9e18fd133bb6473f4"


@pytest.fixture(scope="module")
def census():
    return json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def charts():
    return casts()


@pytest.mark.exhaustive
def test_the_digest_of_all_strict_objects_is_pinned(charts, census):
    assert digest_of(charts) == census["digest"] == DIGEST


def test_the_hexagrams_are_counted_as_the_file_says(census):
    assert of_hexagrams() == census["hexagrams"]


def test_the_casts_are_counted_as_the_file_says(charts, census):
    assert of_casts(charts) == census["casts"]


def test_the_slots_are_counted_as_the_file_says(census):
    assert of_slots() == census["slots"]


@pytest.mark.exhaustive
def test_the_verdicts_are_counted_as_the_file_says(census):
    assert of_verdicts() == census["verdicts"]


@pytest.mark.exhaustive
def test_the_questions_are_counted_as_the_file_says(charts, census):
    assert of_questions(charts) == census["questions"]


def test_a_small_part_of_both_is_counted_as_the_file_says(charts, census):
    assert small(charts) == census["small"]


def test_the_file_has_the_published_numbers(census):
    casts_, slots, verdicts, hexagrams = (
        census[name] for name in ("casts", "slots", "verdicts", "hexagrams")
    )
    assert casts_["moving_lines"] == 12_288
    assert casts_["changes"] == {
        "伏吟": 512, "化合": 1024, "化墓": 1024, "化帝旺": 768, "化比": 1024, "化泄": 2688, "化破": 1024, "化空": 2048,
        "化绝": 1088,
        "化耗": 2688, "化长生": 896, "回头克": 2688, "回头冲": 512, "回头生": 2688, "进神": 512, "退神": 512,
    }  # fmt: skip
    assert casts_["trines"] == {
        "三爻动": 304, "两动一静": 816, "虚一待用": 1672, "内卦初三爻动变": 384, "外卦四六爻动变": 384,
    }  # fmt: skip
    assert (casts_["turns"]["反吟"], casts_["turns"]["伏吟"], casts_["turns"]["卦反吟"]) == (252, 252, 64)
    assert [slots[name] for name in ("slots", "void", "yuePo", "riChong")] == [
        276_480, 46_080, 23_040, 23_040,
    ]  # fmt: skip
    assert [verdicts[f"zs_strict.{name}"] for name in ("暗动", "日破")] == [9_600, 13_440]
    assert verdicts["zs_practice.暗动"] == 14_400
    assert verdicts["hjc_any.暗动"] == 23_040
    assert "hjc_any.日破" not in verdicts
    assert hexagrams["hidden_lines"] == {"0": 20, "1": 32, "2": 12}
    assert hexagrams["missing"] == {"妻财": 16, "子孙": 16, "父母": 10, "官鬼": 8, "兄弟": 6}
    assert (hexagrams["tags"]["六冲"], hexagrams["tags"]["六合"], hexagrams["gua_shen_on_board"]) == (
        10,
        8,
        31,
    )
    assert hexagrams["transitions"] == {
        "六冲变六冲": 90,
        "六冲变六合": 80,
        "六合变六冲": 80,
        "六合变六合": 56,
    }


def test_parts_add_up_to_their_wholes(census):
    slots, verdicts, questions = census["slots"], census["verdicts"], census["questions"]
    assert sum(count for name, count in slots.items() if name.startswith("月令")) == slots["slots"]
    # One of 临 扶 生 克 泄 耗 for every slot.
    assert (
        sum(slots[f"月{name}"] for name in "临扶生克泄耗")
        == sum(slots[f"日{name}"] for name in "临扶生克泄耗")
        == slots["slots"]
    )
    assert verdicts["真空"] + verdicts["假空"] == slots["void"]
    for policy in ("zs_strict", "zs_practice", "hjc_any"):
        assert verdicts[f"{policy}.暗动"] + verdicts.get(f"{policy}.日破", 0) == slots["riChong"]
    assert sum(questions["levels"].values()) == sum(questions["sources"].values()) == 7 * 4096
    assert questions["timing"]["静值"] + questions["timing"]["动值"] == 7 * 4096
