"""The doctrine of 《协纪辨方书》: its tables agree with its words, and rules that are broken are noticed."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date
from functools import partial

import pytest

import bazi_core as bz
from bazi_core.almanac import doctrine, gods, xieji
from bazi_core.almanac.doctrine import ALL_FORBIDDEN, grounds_of, items_of
from bazi_core.almanac.gods import Circumstances, present
from bazi_core.almanac.xieji import verdict
from bazi_core.alphabet import BRANCHES, PILLARS, Branch, Pillar
from bazi_core.tables import rows
from tests.golden.almanac import rows as golden
from tests.golden.almanac import wrong
from tests.sizes import sizes

CHINA = "Asia/Shanghai"
SCHOOL = bz.AlmanacSchool()
CELLS = [(Branch(month), pillar) for month in "寅卯辰巳午未申酉戌亥子丑" for pillar in PILLARS]


def plain(month: Branch, pillar: Pillar) -> Circumstances:
    """A cell of month and pillar with nothing of the calendar around it."""
    return Circumstances(
        month=month, pillar=pillar, year_stem="-", year_branch="-", month_stem="-", term="小暑", term_today=None,
        term_tomorrow=None, jie="小暑", days_from_jie=0, lunar_month=1, lunar_leap=False, lunar_day=2, lunar_days=30,
        first_day_branch="-", earth=False, fu="", she=False, phase=False,
    )  # fmt: skip


def test_the_days_of_sixty_are_as_many_as_the_book_counts() -> None:
    counts = {
        "天恩": 15, "鸣吠": 13, "鸣吠对": 11, "宝日": 12, "义日": 12, "制日": 12, "专日": 12, "伐日": 12,
    }  # fmt: skip
    for name, count in counts.items():
        assert sum(name in present(plain(Branch("寅"), pillar), SCHOOL) for pillar in PILLARS) == count, name
    assert all(
        sum(
            name in ["青龙", "明堂", "金匮", "宝光", "玉堂", "司命"]
            for branch in range(12)
            for name in present(plain(month, PILLARS[branch]), SCHOOL)
        )
        == 6
        for month in BRANCHES
    )


def test_each_day_is_one_of_five_by_stem_and_branch() -> None:
    """宝 义 制 专 伐: stem makes branch, branch makes stem, stem controls branch, alike, branch controls stem."""
    for pillar in PILLARS:
        stem, branch = pillar.stem.element, pillar.branch.element
        kind = (
            "专日" if stem == branch
            else "宝日" if stem.generates == branch
            else "义日" if branch.generates == stem
            else "制日" if stem.controls == branch
            else "伐日"
        )  # fmt: skip
        found = present(plain(Branch("寅"), pillar), SCHOOL)
        assert [name for name in ("宝日", "义日", "制日", "专日", "伐日") if name in found] == [kind], pillar


POLICIES_OF = {
    "上": ("从宜不从忌", "从宜不从忌"), "上次": ("从宜不从忌", "从宜亦从忌"), "中": ("从宜不从忌", "从忌不从宜"),
    "中次": ("从宜亦从忌", "从忌不从宜"), "下": ("从忌不从宜", "诸事皆忌"), "下下": ("诸事皆忌", "诸事皆忌"), "无": ("", ""),
}  # fmt: skip


def test_heavy_gods_that_meet_have_one_grade() -> None:
    table = {(row["month"], row["day_branch"]): row for row in rows("almanac/xieji_grades")}
    assert len(table) == 144
    for month, pillar in CELLS[::5]:
        row = table[month.value, pillar.branch.value]
        found = grounds_of(plain(month, pillar), SCHOOL).gods
        assert {name for name in doctrine.HEAVY if name in found} == set(row["heavy_gods"].split()), (
            month,
            pillar,
        )
    counts = Counter(row["grade"] for row in table.values())
    assert counts == {"上": 9, "上次": 11, "中": 21, "中次": 30, "下": 16, "下下": 2, "无": 55}
    for row in table.values():
        assert (row["with_de"], row["without_de"]) == POLICIES_OF[row["grade"]]
        assert (row["grade"] == "无") == (not row["heavy_gods"])
    met = [row for row in table.values() if len(row["heavy_gods"].split()) > 1]
    assert len(met) == 36
    assert len([row for row in table.values() if len(row["heavy_gods"].split()) == 1]) == 53


def test_nothing_is_favoured_and_forbidden_and_87_cells_forbid_everything() -> None:
    closed = 0
    for month, pillar in CELLS:
        found = verdict(plain(month, pillar), SCHOOL)
        assert not set(found.yi) & set(found.ji)
        assert set(found.yi) | set(found.ji) | set(found.silent) <= set(items_of("all"))
        closed += found.all_forbidden
    assert closed == 87


def test_every_verdict_cites_a_row_and_a_rule() -> None:
    for month, pillar in CELLS[::7]:
        found = verdict(plain(month, pillar), SCHOOL)
        assert set(found.why) == {*found.yi, *found.ji, *found.silent}
        for item in found.yi:
            assert found.why[item].yi or found.why[item].rule in ("6.5f", "6.5g"), item
        for item in found.ji:
            assert found.why[item].ji, item


CACHED = (
    gods.gods, gods._standing, gods._passing, doctrine.item_rows, doctrine._grades, doctrine._special, doctrine._set_aside,
    doctrine._lifts, doctrine._still, xieji._closings, xieji.verdict,
)  # fmt: skip


@pytest.fixture
def fresh_tables():
    """Forgets what has been read of the tables, before and after."""

    def forget() -> None:
        for cached in CACHED:
            cached.cache_clear()

    forget()
    yield
    forget()


def test_the_order_of_the_rows_does_not_matter(monkeypatch: pytest.MonkeyPatch, fresh_tables: None) -> None:
    asked = [
        *(plain(*cell) for cell in CELLS[::7]),
        *(bz.almanac(row["inputs"]["date"], tz=CHINA).asked for row in golden("xieji_days")[::5]),
    ]
    before = [verdict(each, SCHOOL) for each in asked]
    mixed = random.Random(7)

    def shuffled(name: str) -> tuple[dict[str, str], ...]:
        found = rows(name)
        return tuple(mixed.sample(found, len(found))) if name.startswith("almanac/xieji_") else found

    for module in (gods, doctrine, xieji):
        monkeypatch.setattr(module, "rows", shuffled)
        for cached in CACHED:
            cached.cache_clear()
    for one, each in zip(before, asked, strict=True):
        other = verdict(each, SCHOOL)
        assert (one.grade, one.policy, one.yi, one.ji, one.silent) == (
            other.grade, other.policy, other.yi, other.ji, other.silent,
        )  # fmt: skip
        for name in ("gods", "special", "restrict", "de"):
            assert set(getattr(one, name)) == set(getattr(other, name)), name


def test_no_cell_stands_on_a_program_alone() -> None:
    """Each row names the 卷 that has it; a program is a witness beside the text, or none."""
    assert {row["src"] for row in rows("almanac/xieji_item_gods")} == {"10", "10+11"}
    for row in rows("almanac/xieji_gods"):
        assert row["juan"], row["god"]
        assert int(row["witnesses"]) >= 1, row["god"]
    for name in ("xieji_special_days", "xieji_set_aside"):
        assert all(row["juan"] for row in rows(f"almanac/{name}"))


def test_lists_have_the_counts_of_the_book() -> None:
    """An item may stand for several of a list, as 立券/交易; several may share one, as 开渠穿井."""
    counts = {"yuyong67": 67, "minyong37": 37, "tongshu60": 60}
    for name, count in counts.items():
        assert len({word for words in items_of(name).values() for word in words.split("/")}) == count, name


@sizes(1, 4)
def test_a_year_of_days_has_no_item_on_both_sides(count: int) -> None:
    first = date(2026, 1, 1).toordinal()
    for at in range(0, 366 * count, 1 if count > 1 else 9):
        day = bz.almanac(date.fromordinal(first + at), tz="Asia/Shanghai")
        assert day.verdict is not None
        assert not set(day.verdict.yi) & set(day.verdict.ji)


# ------------------------------------------------------------- rules that are broken on purpose


def golden_failures() -> int:
    """The golden verdicts that the engine misses."""
    found = 0
    for row in golden("xieji_days"):
        day = bz.almanac(row["inputs"]["date"], tz=row["inputs"]["tz"])
        verdict = day.verdict
        assert verdict is not None
        given = {
            name: getattr(verdict, name)
            for name in ("gods", "special", "yi", "ji", "grade", "policy", "all_forbidden")
        }
        found += sum(1 for member in ("expected", "by_text") for _ in wrong(row.get(member, {}), given))
    return found


def changed(name: str, **values: str) -> dict[str, gods.God]:
    return {**gods.gods(), name: gods.gods()[name]._replace(**values)}


BROKEN = {
    "三合 counts 建": {"三合": {"values": "0 4 8"}},
    "天狗 stands on every 满": {"天狗": {"type": "offset", "values": "2"}},
    "月厌 is one off": {"月厌": {"values": "酉|申|未|午|巳|辰|卯|寅|丑|子|亥|戌"}},
}


@pytest.mark.exhaustive
def test_the_engine_misses_no_golden_verdict() -> None:
    assert golden_failures() == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_god_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch, fresh_tables: None) -> None:
    table = gods.gods()
    for god, values in BROKEN[name].items():
        table = changed(god, **values)
    monkeypatch.setattr(gods, "gods", lambda: table)
    gods._standing.cache_clear()
    assert golden_failures() > 0


@pytest.mark.exhaustive
def test_heavenly_virtue_in_the_month_of_the_rabbit_is_noticed(
    monkeypatch: pytest.MonkeyPatch, fresh_tables: None
) -> None:
    """In this month alone, on the branches of its corner, and nowhere else another way than in the book."""
    in_cell = gods._in_cell

    def with_the_corner(god: gods.God, month: Branch, pillar: Pillar) -> bool:
        corner = god.name == "天德" and month.value == "卯" and pillar.branch.value in "未申"
        return corner or in_cell(god, month, pillar)

    monkeypatch.setattr(gods, "_in_cell", with_the_corner)
    assert golden_failures() > 0


@pytest.mark.exhaustive
def test_the_virtue_of_the_year_as_a_de_is_noticed(
    monkeypatch: pytest.MonkeyPatch, fresh_tables: None
) -> None:
    """岁德 is the stem of the year that is yang, or the one with which a yin one unites."""
    present_without = doctrine.present

    def with_year_de(asked: Circumstances, school: bz.AlmanacSchool) -> tuple[str, ...]:
        of_year = dict(zip("甲乙丙丁戊己庚辛壬癸", "甲庚丙壬戊甲庚丙壬戊", strict=True))[asked.year_stem]
        extra = ("岁德",) if asked.pillar.stem.value == of_year else ()
        return (*present_without(asked, school), *extra)

    monkeypatch.setattr(doctrine, "present", with_year_de)
    monkeypatch.setattr(doctrine, "DE", (*doctrine.DE, "岁德"))
    assert golden_failures() > 0


@pytest.mark.exhaustive
def test_a_special_day_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch, fresh_tables: None) -> None:
    special = {
        cell: [each for each in found if each[0] != "岁薄"] for cell, found in doctrine._special().items()
    }
    monkeypatch.setattr(doctrine, "_special", partial(dict, special))
    assert golden_failures() > 0


def test_a_bounded_number_of_verdicts_is_remembered_and_they_are_those_that_are_reckoned() -> None:
    most = verdict.cache_info().maxsize
    assert most is not None
    asked = [bz.almanac(date(2026, 1, 1 + at), tz=CHINA).asked for at in range(28)]
    for each in (*asked, *asked):
        assert verdict(each, SCHOOL) == verdict.__wrapped__(each, SCHOOL)
    assert verdict.cache_info().currsize <= most <= 1000


def test_a_day_that_forbids_everything_lists_nothing() -> None:
    found = verdict(plain(Branch("寅"), Pillar("甲戌")), SCHOOL)
    assert (found.policy, found.yi, found.ji) == (ALL_FORBIDDEN, (), ())
