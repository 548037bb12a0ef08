"""CastRecord: round trips, and every contradiction in a stated record is refused."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import InvalidCast
from bazi_core.liuyao import cast
from bazi_core.liuyao.cast import CastRecord
from bazi_core.liuyao.record import KEYS
from bazi_core.school import School
from tests.core.liuyao.casts import AT, values
from tests.tables import holds_for_all

SERVER = bytes(range(32))


def records() -> Iterator[CastRecord]:
    """Casts of every method."""
    draw = Random(8)
    for number in range(0, 4096, 341):
        yield cast.lines(values(number))
    for face in ("bei", "zi"):
        yield from (cast.coins(draw, face) for _ in range(10))
    yield from (cast.yarrow(draw) for _ in range(10))
    yield cast.time(AT)
    yield cast.time("2023-04-06T12:00:00+08:00", leap="next")
    yield from (cast.numbers(a, b) for a, b in ((1, 1), (8, 8), (999_999_999, 7)))
    yield cast.numbers(1, 5, 3)
    yield cast.numbers(1, 5, hour="酉")
    for method in ("coins", "yarrow"):
        yield from (cast.commit(draw.randbytes(32)).reveal(f"run {n}", method) for n in range(10))


ALL = [*records()]
EACH_METHOD = {record.method + (record.inputs or {}).get("method", ""): record for record in ALL}


@holds_for_all("record", ALL)
def test_a_record_survives_json_and_is_verified(record):
    text = json.dumps(record.to_dict(), ensure_ascii=False)
    again = CastRecord.from_dict(json.loads(text))
    assert again == record
    assert hash(again) == hash(record)
    assert json.dumps(again.to_dict(), ensure_ascii=False) == text
    assert cast.verify(record) == record
    assert pickle.loads(pickle.dumps(record)) == record


@holds_for_all("record", ALL)
def test_keys_stand_in_their_order_and_none_is_null(record):
    made = record.to_dict()
    assert [*made] == [name for name in KEYS if name in made]
    assert None not in made.values()
    assert made["algorithmVersion"] == 1
    assert made["lines"] == [*record.lines]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, (dict, list)):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path, value


def changed(made: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    found = copy.deepcopy(made)
    inside: Any = found
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return found


def refused(given: Any) -> bool:
    try:
        cast.verify(given)
    except InvalidCast as error:
        return error.data["reason"] != "" and error.exit_status == 4
    return False


@pytest.mark.parametrize("name", EACH_METHOD)
def test_any_changed_leaf_of_a_record_is_refused(name):
    made = EACH_METHOD[name].to_dict()
    for path, value in leaves(made):
        if path == ("castAt",):
            continue
        others = [
            None,
            "",
            "x",
            -1,
            10**12,
            [],
            {},
            True,
            str(value),
            float(value) if isinstance(value, int) else value + "x",
        ]
        others += [value + 8, value + 1] if isinstance(value, int) else []
        for other in others:
            if other != value or type(other) is not type(value):
                assert refused(changed(made, path, other)) or same_lines(made, path, other), (path, other)


def same_lines(made: dict[str, Any], path: tuple[Any, ...], other: Any) -> bool:
    """Numbers and heaps that leave the same remainders make the same lines, and are another true record."""
    return (
        made["method"] in ("numbers", "time", "yarrow")
        and path[0] in ("inputs", "heaps")
        and type(other) in (int, str)
    )


@pytest.mark.parametrize("method", ["coins", "yarrow"])
def test_every_changed_byte_of_seed_commit_and_lines_is_refused(method):
    made = cast.commit(SERVER).reveal("run_20260403_xxx", method).to_dict()
    for at in range(64):
        for char in "0123456789abcdefABCDEF ":
            for key, start in (("serverSeed", 0), ("seedCommit", 7)):
                text = made[key]
                other = text[: start + at] + char + text[start + at + 1 :]
                assert other == text or refused({**made, key: other})
    for at, name in enumerate(made["lines"]):
        for other in ("少阳", "少阴", "老阳", "老阴"):
            assert other == name or refused(changed(made, ("lines", at), other))
    for at in range(len(made["clientSeed"])):
        text = made["clientSeed"]
        assert refused({**made, "clientSeed": text[:at] + "!" + text[at + 1 :]})


@pytest.mark.parametrize("name", EACH_METHOD)
def test_a_missing_or_extra_member_is_refused(name):
    made = EACH_METHOD[name].to_dict()
    for key in made:
        if key != "castAt":
            assert refused({each: value for each, value in made.items() if each != key}), key
    for key in KEYS:
        if key not in made and key != "castAt":
            assert refused({**made, key: None}), key
            assert refused({**made, key: []}), key
    for key in ("note", "", "Method", "faces ", "\ud800"):
        assert refused({**made, key: 1})
    for inside in ("inputs",):
        if inside in made:
            assert refused({**made, inside: {**made[inside], "note": 1}})


@holds_for_all(
    "given",
    [
        None, 5, "", [], {}, "record", b"{}", {"method": "coins"}, {"method": None}, {"method": []}, {"algorithmVersion": 2},
        {"method": "lines", "algorithmVersion": True, "lines": ["少阳"] * 6, "values": [7] * 6},
        {"method": "lines", "algorithmVersion": 1.0, "lines": ["少阳"] * 6, "values": [7] * 6},
        {"method": "lines", "algorithmVersion": 1, "lines": "777777", "values": [7] * 6},
        {"method": "lines", "algorithmVersion": 1, "lines": ["少阳"] * 6, "values": [7.0] * 6},
        {"method": "lines", "algorithmVersion": 1, "lines": ["少阳"] * 5, "values": [7] * 5},
        {"method": "uniform", "algorithmVersion": 1, "lines": ["少阳"] * 6, "values": [7] * 6},
        {"method": "x" * 10**6, "algorithmVersion": 1},
        {"method": "lines", "algorithmVersion": 1, "lines": ["x" * 10**6] * 6, "values": [7] * 6},
        {"method": "auto", "algorithmVersion": 1, "serverSeed": "zz", "clientSeed": "a", "inputs": {"method": "coins"}},
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused(given):
    assert refused(given)
    with pytest.raises(InvalidCast) as caught:
        CastRecord.from_dict(given)
    assert len(caught.value.message) < 400
    caught.value.message.encode()


def test_whole_numbers_are_not_taken_for_truths():
    made = cast.from_faces(["100"] * 6).to_dict()
    assert refused(changed(made, ("faces", 0, 0), True))
    numbers = cast.numbers(1, 1).to_dict()
    assert refused(changed(numbers, ("inputs", "upper"), True))
    assert refused(changed(numbers, ("inputs", "upper"), 1.0))


def test_members_of_inputs_may_come_in_any_order():
    made = cast.numbers(3, 9, 2).to_dict()
    turned = {**made, "inputs": dict(reversed(made["inputs"].items()))}
    assert cast.verify(dict(reversed(turned.items()))) == cast.numbers(3, 9, 2)


def test_the_time_of_a_record_may_be_left_out_and_is_not_recomputed():
    made = cast.time(AT).to_dict()
    assert made["castAt"] == AT
    assert cast.verify({key: value for key, value in made.items() if key != "castAt"}).cast_at is None
    for bad in (5, [], "x" * 41, None, {}):
        assert refused({**made, "castAt": bad})


def test_a_record_that_contradicts_itself_is_not_verified():
    bent = cast.from_faces(["100"] * 6)._replace(values=(9,) * 6)
    with pytest.raises(InvalidCast, match="is not what the rest"):
        cast.verify(bent)


def test_a_record_is_a_value():
    one = cast.from_faces(["100", "110", "111", "000", "100", "110"])
    assert one == cast.from_faces([1, 2, 3, 0, 1, 2])
    assert len({one, cast.from_faces([1, 2, 3, 0, 1, 2])}) == 1
    with pytest.raises(AttributeError):
        one.values = (7,) * 6  # type: ignore[misc]
    assert ly.derive(one, AT).cast == one


@pytest.mark.parametrize(
    "made",
    [
        CastRecord("coins", (7,) * 6, faces=((0, 0, 0),) * 6, yang_face="bei"),
        CastRecord("yarrow", (9,) * 6, heaps=((9, 34, 4),) * 6),
        CastRecord("dance", (7,) * 6),
        CastRecord("lines", (1,) * 6),
        CastRecord("lines", None),  # type: ignore[arg-type]
        cast.commit(SERVER).reveal("a")._replace(client_seed="b"),
        cast.numbers(1, 5)._replace(inputs={"upper": 2, "lower": 5}),
    ],
)
def test_a_record_that_contradicts_itself_makes_no_chart(made):
    with pytest.raises(InvalidCast):
        ly.derive(made, AT)
    with pytest.raises(InvalidCast):
        cast.verify(made)


def test_no_one_who_holds_the_json_of_a_record_can_change_it():
    record = cast.numbers(1, 5)
    chart = ly.derive(record, AT)
    for written in (record.to_dict(), chart.analyze().to_dict()["cast"]):
        written["inputs"]["upper"] = 99
    record.inputs["upper"] = 7
    assert chart.cast == cast.numbers(1, 5)


@pytest.mark.parametrize(
    "at", ["", "yesterday", "2026-04-03", f"{AT} ", AT.replace("20:", "22:"), AT.replace("-03T", "-05T")]
)
def test_the_time_of_a_record_is_one_that_makes_its_inputs(at):
    assert refused({**cast.time(AT).to_dict(), "castAt": at})


def test_a_time_counted_by_any_school_is_verified():
    late = "2023-04-06T23:30:00+08:00"
    for boundary in ("23:00", "00:00"):
        for leap in ("same", "next"):
            record = cast.time(late, school=School(day_boundary=boundary), leap=leap)
            assert cast.verify(record.to_dict()) == record
            assert record.cast_at == late


def test_the_time_of_a_datetime_is_kept_as_rfc_3339_where_its_offset_has_such_a_form():
    known = datetime(2026, 4, 3, 20, 30, tzinfo=timezone(timedelta(hours=8)))
    local = datetime(1900, 1, 1, tzinfo=timezone(timedelta(hours=8, minutes=5, seconds=43)))
    assert cast.time(known) == cast.time(AT)
    assert cast.time(local).cast_at is None
    assert cast.verify(cast.time(local)) == cast.time(local)
