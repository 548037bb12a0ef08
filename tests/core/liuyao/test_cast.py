"""Casting: coins, yarrow stalks, 梅花易数, commit and reveal, and odds by counting."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from hmac import digest
from itertools import product

import pytest

from bazi_core import liuyao as ly
from bazi_core.alphabet import BRANCHES
from bazi_core.astro.lunar import lunar_date
from bazi_core.errors import InvalidCast, InvalidInput, OutOfRange, UnknownOption
from bazi_core.liuyao import cast
from bazi_core.liuyao.cast import CastRecord
from bazi_core.liuyao.record import heaps_of, value_of_heaps
from bazi_core.school import School
from tests.core.liuyao.casts import AT
from tests.tables import holds_for_all

COINS = {6: Fraction(1, 8), 7: Fraction(3, 8), 8: Fraction(3, 8), 9: Fraction(1, 8)}
YARROW = {6: Fraction(1, 16), 7: Fraction(5, 16), 8: Fraction(7, 16), 9: Fraction(3, 16)}
SERVER = bytes(range(32))
COMMIT = "sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
CLIENT = "run_20260403_xxx"
# Three degrees of freedom: exceeded by one draw in a thousand.
CHI_SQUARE = 16.27


@pytest.mark.parametrize("face", ["bei", "zi"])
def test_coins_have_their_odds_by_counting_all_eight_throws(face):
    found = Counter(cast.from_faces([faces] * 6, face).values[0] for faces in product((0, 1), repeat=3))
    assert {value: Fraction(count, 8) for value, count in found.items()} == COINS


def test_backs_are_counted_as_the_book_has_it():
    names = cast.from_faces([0, 1, 2, 3, 1, 2]).lines
    assert names == ("老阴", "少阳", "少阴", "老阳", "少阳", "少阴")
    assert cast.from_faces([0, 1, 2, 3, 1, 2], "zi").lines == ("老阳", "少阴", "少阳", "老阴", "少阴", "少阳")


def removed(stalks: int, left: int) -> int:
    """Stalks taken in a change, by hand: one from the right, then what is over fours of either heap."""
    right = stalks - left - 1
    return 1 + (left % 4 or 4) + (right % 4 or 4)


def test_yarrow_has_its_odds_by_counting_equally_likely_residues():
    found: Counter[int] = Counter()
    for residues in product((1, 2, 3, 4), repeat=3):
        stalks = 49
        for residue in residues:
            outcome = {removed(stalks, left) for left in heaps_of(residue, stalks)}
            assert len(outcome) == 1
            stalks -= outcome.pop()
        found[stalks // 4] += 1
    assert {value: Fraction(count, 64) for value, count in found.items()} == YARROW


def test_an_even_split_of_the_heap_has_other_odds():
    odds: dict[int, float] = {49: 1.0}
    for _ in range(3):
        after: dict[int, float] = defaultdict(float)
        for stalks, chance in odds.items():
            for left in range(1, stalks - 1):
                after[stalks - removed(stalks, left)] += chance / (stalks - 2)
        odds = dict(after)
    found = {stalks // 4: chance for stalks, chance in odds.items()}
    assert {value: round(chance, 3) for value, chance in found.items()} == {
        6: 0.052,
        7: 0.289,
        8: 0.448,
        9: 0.211,
    }
    assert min(abs(chance - YARROW[value]) for value, chance in found.items()) > 0.009


@pytest.mark.parametrize("residue", [1, 2, 3, 4])
@pytest.mark.parametrize("stalks", [49, 44, 40, 36, 32])
def test_admissible_heaps_leave_the_residue_and_two_stalks_at_least(residue, stalks):
    found = [*heaps_of(residue, stalks)]
    assert found == [left for left in range(1, stalks - 1) if (left % 4 or 4) == residue]
    assert found


def test_the_value_of_heaps_is_what_remains_in_fours():
    assert value_of_heaps((9, 34, 4)) == 8
    for bad in ((0, 1, 1), (48, 1, 1), (1, 43, 1), (1, 1, 0)):
        with pytest.raises(InvalidCast):
            value_of_heaps(bad)


def chi_square(found: Counter[int], odds: dict[int, Fraction]) -> float:
    total = found.total()
    return sum((found[value] - float(total * odd)) ** 2 / float(total * odd) for value, odd in odds.items())


@pytest.mark.parametrize(
    ("method", "odds"), [("coins", COINS), ("yarrow", YARROW), ("auto coins", COINS), ("auto yarrow", YARROW)]
)
def test_drawn_lines_follow_their_odds_in_every_place(method, odds):
    draw = random.Random(64)
    places = [Counter[int]() for _ in range(6)]
    for number in range(2000):
        if method.startswith("auto"):
            record = cast.commit(draw.randbytes(32)).reveal(f"run {number}", method.split()[1])
        else:
            record = {"coins": cast.coins, "yarrow": cast.yarrow}[method](draw)
        for place, value in zip(places, record.values, strict=True):
            place[value] += 1
    for place in places:
        assert {*place} == {6, 7, 8, 9}
        assert chi_square(place, odds) < CHI_SQUARE
    uniform = dict.fromkeys(odds, Fraction(1, 4))
    assert all(chi_square(place, uniform) > CHI_SQUARE for place in places)


def test_a_uniform_choice_of_lines_is_noticed_by_the_test_of_odds():
    draw = random.Random(64)
    found = Counter(draw.choice((6, 7, 8, 9)) for _ in range(2000))
    assert chi_square(found, COINS) > CHI_SQUARE
    assert chi_square(found, YARROW) > CHI_SQUARE


@pytest.mark.parametrize("make", [cast.coins, cast.yarrow])
def test_the_global_state_of_random_is_neither_used_nor_changed(make):
    random.seed(1)
    before = random.getstate()
    one, other = make(), make()
    assert random.getstate() == before
    assert one != other
    assert make(random.Random(5)) == make(random.Random(5))


def test_without_a_generator_casts_differ():
    assert len({cast.coins().faces for _ in range(50)}) > 40


@holds_for_all(
    "faces",
    [
        [], ["100"] * 5, ["100"] * 7, ["10"] * 6, ["1000"] * 6, ["102"] * 6, [4] * 6, [-1] * 6, [True] * 6, [[1, 0]] * 6,
        [[1, 0, 2]] * 6, [[1, 0, True]] * 6, [[1.0, 0, 0]] * 6, [None] * 6, None, 5, "100100", {}, ["x" * 10**6] * 6,
    ],
)  # fmt: skip
def test_faces_that_are_not_six_times_three_are_refused(faces):
    with pytest.raises(InvalidCast) as caught:
        cast.from_faces(faces)
    assert (caught.value.code, caught.value.exit_status) == ("INVALID_CAST", 4)
    assert len(caught.value.data["reason"]) < 200


@pytest.mark.parametrize("face", ["", "back", None, 1, []])
def test_another_face_is_refused(face):
    with pytest.raises(UnknownOption):
        cast.coins(yang_face=face)


# 梅花易数.

NUMBERS = dict(zip(range(1, 9), "乾兑离震巽坎艮坤", strict=True))


def shown(record: CastRecord) -> tuple[str, str, int]:
    chart = ly.derive(record, month_branch="子", day="甲子")
    (moving,) = chart.moving
    return chart.primary.upper.name, chart.primary.lower.name, moving


@pytest.mark.parametrize("upper", range(1, 17))
def test_numbers_give_trigrams_by_eights_and_the_line_by_sixes(upper):
    for lower in range(1, 17):
        wanted = (NUMBERS[upper % 8 or 8], NUMBERS[lower % 8 or 8])
        assert shown(cast.numbers(upper, lower)) == (*wanted, (upper + lower) % 6 or 6)
        for third in range(1, 13):
            assert shown(cast.numbers(upper, lower, third)) == (*wanted, third % 6 or 6)
        for hour, branch in enumerate(BRANCHES, 1):
            found = shown(cast.numbers(upper, lower, hour=branch.value))
            assert found == (*wanted, (upper + lower + hour) % 6 or 6)


def test_a_third_number_beats_the_hour():
    assert shown(cast.numbers(1, 5, 2, "酉")) == shown(cast.numbers(1, 5, 2))


@holds_for_all("bad", [0, -1, 1.0, True, "1", None, 10**9 + 1, [], "\ud800"])
def test_numbers_that_are_not_counted_from_one_are_refused(bad):
    given = [(bad, 1), (1, bad)] + ([(1, 1, bad)] if bad is not None else [])
    for each in given:
        with pytest.raises(InvalidInput):
            cast.numbers(*each)


@pytest.mark.parametrize("bad", ["", "子时", "x", 1, []])
def test_an_hour_that_is_no_branch_is_refused(bad):
    with pytest.raises(InvalidInput):
        cast.numbers(1, 1, hour=bad)


def by_rule(day: date, hour: int, leap: str = "same") -> tuple[str, str, int]:
    """年月日时 by the lunar date of a day and the number of a double hour."""
    found = lunar_date(day)
    month = found.month % 12 + 1 if leap == "next" and found.leap and found.day >= 16 else found.month
    upper = (found.year - 4) % 12 + 1 + month + found.day
    whole = upper + hour
    return NUMBERS[upper % 8 or 8], NUMBERS[whole % 8 or 8], whole % 6 or 6


def test_a_time_is_counted_by_its_lunar_date_and_double_hour():
    start = datetime.fromisoformat("2023-03-20T00:30:00+08:00")
    for step in range(0, 24 * 120, 5):
        at = start + timedelta(hours=step)
        late = at.hour == 23
        day = (at + timedelta(days=1)).date() if late else at.date()
        hour = (at.hour + 1) // 2 % 12 + 1
        for leap in ("same", "next"):
            assert shown(cast.time(at.isoformat(), leap=leap)) == by_rule(day, hour, leap)


def test_days_of_a_leap_month_from_the_sixteenth_may_count_as_the_next():
    # 闰二月 of 2023 ran from 22 March to 19 April.
    early, late = "2023-04-05T12:00:00+08:00", "2023-04-06T12:00:00+08:00"
    assert cast.time(early, leap="next").inputs == cast.time(early).inputs
    assert cast.time(late).inputs == {"yearBranch": "卯", "lunarMonth": 2, "lunarDay": 16, "hourBranch": "午"}
    assert cast.time(late, leap="next").inputs["lunarMonth"] == 3
    plain = "2023-05-20T12:00:00+08:00"
    assert cast.time(plain, leap="next").inputs == cast.time(plain).inputs


def test_the_year_of_a_time_is_the_lunar_year():
    # Between 立春 and the new year of 2026: still the year of 巳.
    assert cast.time("2026-02-10T12:00:00+08:00").inputs["yearBranch"] == "巳"
    assert cast.time("2026-02-17T12:00:00+08:00").inputs["yearBranch"] == "午"


def test_the_day_boundary_decides_the_lunar_day_of_the_late_hour():
    late = "2026-04-03T23:30:00+08:00"
    assert cast.time(late).inputs["lunarDay"] == 17
    assert cast.time(late, school=School(day_boundary="00:00")).inputs["lunarDay"] == 16
    assert cast.time(late).inputs["hourBranch"] == "子"


@pytest.mark.parametrize("leap", ["", "none", None, 1])
def test_another_way_with_leap_months_is_refused(leap):
    with pytest.raises(UnknownOption):
        cast.time(AT, leap=leap)


def test_time_and_numbers_move_exactly_one_line():
    for record in (cast.time(AT), cast.numbers(3, 9), cast.numbers(3, 9, 4)):
        assert sum(value in (6, 9) for value in record.values) == 1


def test_a_lunar_date_beyond_the_table_is_out_of_range():
    with pytest.raises(OutOfRange):
        cast.time("1600-01-01T12:00:00+08:00")


# Commit and reveal.


def test_the_published_vector_is_reproduced():
    committed = cast.commit(SERVER)
    assert committed.seed_commit == COMMIT == "sha256:" + sha256(SERVER).hexdigest()
    coins, yarrow = committed.reveal(CLIENT), committed.reveal(CLIENT, "yarrow")
    assert coins.values == (7, 7, 6, 8, 6, 7)
    assert coins.lines == ("少阳", "少阳", "老阴", "少阴", "老阴", "少阳")
    assert yarrow.values == (8, 8, 7, 7, 8, 8)
    assert yarrow.heaps is not None
    assert yarrow.heaps[0] == (9, 34, 4)
    assert [removed(stalks, left) for stalks, left in zip((49, 44, 40), yarrow.heaps[0], strict=True)] == [
        5,
        4,
        8,
    ]


def test_every_line_is_drawn_from_its_own_digest():
    record = cast.commit(SERVER).reveal(CLIENT)
    for n, faces in enumerate(record.faces or (), 1):
        drawn = digest(SERVER, b"bazi.liuyao.cast/1\0" + CLIENT.encode() + b"\0" + bytes([n]), "sha256")[0]
        assert faces == (drawn & 1, drawn >> 1 & 1, drawn >> 2 & 1)


def test_yarrow_heaps_are_drawn_from_the_digest_without_bias_in_the_line():
    record = cast.commit(SERVER).reveal(CLIENT, "yarrow")
    for n, heaps in enumerate(record.heaps or (), 1):
        drawn = digest(SERVER, b"bazi.liuyao.cast/1\0" + CLIENT.encode() + b"\0" + bytes([n]), "sha256")
        stalks = 49
        for k, left in enumerate(heaps):
            residue = drawn[0] >> 2 * k & 3 or 4
            admissible = range(residue, stalks - 1, 4)
            assert left == residue + 4 * (drawn[1 + k] % len(admissible))
            stalks -= removed(stalks, left)


def test_a_record_of_commit_and_reveal_tells_all_that_is_needed():
    found = cast.commit(SERVER).reveal(CLIENT).to_dict()
    assert (found["method"], found["inputs"]) == ("auto", {"method": "coins"})
    assert (found["seedCommit"], found["serverSeed"], found["clientSeed"]) == (COMMIT, SERVER.hex(), CLIENT)


def test_a_commitment_does_not_show_its_seed():
    assert SERVER.hex() not in repr(cast.commit(SERVER))
    assert repr(cast.commit(SERVER)) == f"<Commitment {COMMIT}>"


def test_new_commitments_differ():
    assert len({cast.commit().seed_commit for _ in range(20)}) == 20
    assert len(cast.commit().server_seed) == 32


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33), "0" * 32, 5, bytearray(32), []])
def test_a_server_seed_has_thirty_two_bytes(seed):
    with pytest.raises(InvalidCast):
        cast.commit(seed)


@holds_for_all("seed", ["", "x" * 129, "签" * 43, "\ud800", None, 5, b"run", [], "x" * 10**6])
def test_a_client_seed_is_text_of_at_most_128_bytes(seed):
    with pytest.raises(InvalidInput) as caught:
        cast.commit(SERVER).reveal(seed)
    assert caught.value.data == {"field": "client_seed"}


@pytest.mark.parametrize("seed", ["x" * 128, "签" * 42, "🙂" * 32, " ", "a\0b", "\n"])
def test_any_short_text_is_a_client_seed(seed):
    record = cast.commit(SERVER).reveal(seed)
    assert cast.verify(record.to_dict()) == record


@pytest.mark.parametrize("method", ["time", "", "Coins", None, 1])
def test_only_coins_and_yarrow_are_revealed(method):
    with pytest.raises(UnknownOption):
        cast.commit(SERVER).reveal(CLIENT, method)


def test_a_nul_in_the_client_seed_does_not_move_bytes_between_the_parts():
    # The seed is followed by one NUL and one byte, so that no two (seed, line) pairs share a message.
    messages = {
        (seed, n): seed.encode() + b"\0" + bytes([n]) for seed in ("a", "a\0\1", "a\0\2") for n in range(1, 7)
    }
    assert len({*messages.values()}) == len(messages)


def test_given_lines_are_a_record_as_well():
    assert (
        cast.lines("789876")
        == cast.lines(7, 8, 9, 8, 7, 6)
        == cast.lines(["少阳", "少阴", "老阳", "少阴", "少阳", "老阴"])
    )
    assert cast.lines("789876").method == "lines"


def test_a_uniform_choice_among_the_names_is_no_method():
    assert {*cast._MAKERS} == {"lines", "coins", "yarrow", "time", "numbers", "auto"}


@pytest.mark.parametrize("rng", [0, 42, "seed", b"", object(), [1]])
def test_a_source_of_bits_has_bits(rng):
    for method in (cast.coins, cast.yarrow):
        with pytest.raises(InvalidInput, match="source of bits"):
            method(rng)
