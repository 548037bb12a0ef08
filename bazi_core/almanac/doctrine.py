"""The tables of 卷10 and 卷11 and what rules a day before any item is looked at: grade, 德, special days, policy, and which
prohibitions company lifts or 德 leaves standing."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.almanac.gods import HANZI, Circumstances, present
from bazi_core.alphabet import SOLAR_TERMS
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.almanac.school import AlmanacSchool

DE = ("天德", "月德", "天德合", "月德合", "天赦", "天愿")
HEAVY = ("平", "收", "闭", "劫煞", "灾煞", "月煞", "月刑", "月害", "月厌", "大时", "天吏")
# Parts of a heavy god, with its months where they are parts of it in some only.
PARTS = {"月虚": "月煞", "死神": "平", "地火": "月厌", "大耗": "月破"}
POLICIES = ("从宜不从忌", "从宜亦从忌", "从忌不从宜", "诸事皆忌")
YI_ONLY, BOTH, JI_ONLY, ALL_FORBIDDEN = POLICIES
UNGRADED = "无等第"
ITEM_LISTS = {"minyong37": "minyong37", "tongshu60": "tongshu60", "yuyong67": "yuyong67", "all": ""}


class Row(NamedTuple):
    """A row of the tables of 卷10 and 卷11: a god favours or forbids an item, perhaps on a condition.

    `witnesses` are the 卷 that have the row; `program` says whether a program has it too.
    """

    god: str
    effect: str
    item: str
    via: str
    cond: str
    witnesses: str
    program: bool

    @property
    def id(self) -> str:
        return f"xj:{self.god}:{self.effect}:{self.item}"

    @property
    def alone(self) -> bool:
        """Whether 卷10 alone has the row, and no program."""
        return self.witnesses == "10" and not self.program


@cache
def items_of(name: str = "all") -> dict[str, str]:
    """The items of a list of the book, each with the words that this list has for it.

    >>> [len(items_of(name)) for name in ("all", "yuyong67")], items_of("minyong37")["行幸遣使"]
    ([81, 61], '出行')
    """
    column = ITEM_LISTS[name]
    return {row["item"]: row[column or "item"] for row in rows("almanac/items") if row[column or "item"]}


@cache
def item_rows() -> dict[str, tuple[Row, ...]]:
    """The rows of the book by god: items favoured and forbidden."""
    found: dict[str, list[Row]] = defaultdict(list)
    for each in rows("almanac/xieji_item_gods"):
        god, effect, item, via, cond, witnesses, program = each.values()
        found[god].append(Row(god, effect, item, via, cond, witnesses, program == "yes"))
    return {god: tuple(of_god) for god, of_god in found.items()}


# ------------------------------------------------------------------------------ grade and policy


@cache
def _grades() -> dict[tuple[str, str], dict[str, str]]:
    return {(row["month"], row["day_branch"]): row for row in rows("almanac/xieji_grades")}


@cache
def _special() -> dict[str, list[tuple[str, str]]]:
    """The special days of each cell, MONTH:pillar → (name, effect)."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows("almanac/xieji_special_days"):
        for part in row["values"].split("|"):
            month, _, pillars = part.partition(":")
            for pillar in pillars.split():
                found[f"{month}:{pillar}"].append((row["name"], row["effect"]))
    return found


@cache
def _set_aside() -> dict[str, tuple[str, ...]]:
    """The 德 that do not count, by MONTH:pillar."""
    return {
        f"{row['month']}:{row['pillar']}": tuple(row["gods"].split())
        for row in rows("almanac/xieji_set_aside")
    }


class DayGrounds(NamedTuple):
    """The grounds on which a day is judged, before any item is looked at."""

    asked: Circumstances
    gods: tuple[str, ...]
    # The gods whose rows and company count: those present without a 德 that is set aside.
    acting: frozenset[str]
    grade: str
    de: tuple[str, ...]
    policy: str
    special: tuple[str, ...]
    effects: frozenset[str]


def grounds_of(asked: Circumstances, school: AlmanacSchool) -> DayGrounds:
    """Gods, grade, 德, special days and the policy between 宜 and 忌."""
    cell = f"{HANZI[asked.month]}:{HANZI[asked.pillar]}"
    names = present(asked, school)
    acting = frozenset(names) - set(_set_aside().get(cell, ()))
    row = _grades()[HANZI[asked.month], HANZI[asked.pillar.branch]]
    # In the months 子 and 午 月厌 falls on 建: there only 天赦 counts.
    counting = ("天赦",) if {"月厌", "月建"} <= acting else DE
    de = tuple(name for name in DE if name in acting)
    policy = row["with_de" if acting.intersection(counting) else "without_de"] or UNGRADED
    special = _special().get(cell, [])
    effects = frozenset(effect for _, effect in special)
    if acting & {"月破", "四废"} or "as_yueyan" in effects:
        policy = _worse(policy, JI_ONLY)
    if "all_forbidden" in effects:
        policy = ALL_FORBIDDEN
    return DayGrounds(
        asked, names, acting, row["grade"], de, policy, tuple(name for name, _ in special), effects
    )


def _worse(policy: str, least: str) -> str:
    return max(policy, least, key=POLICIES.index) if policy in POLICIES else least


# ---------------------------------------------------------------- what is lifted and what stands


class Lift(NamedTuple):
    """The company that lifts the prohibitions of a god in some months, and what remains of them."""

    months: str
    company: frozenset[str]
    remains: frozenset[str]


@cache
def _lifts() -> dict[str, Lift]:
    return {
        row["god"]: Lift(row["months"], frozenset(row["with_any"].split()), frozenset(row["remains"].split()))
        for row in rows("almanac/xieji_lifts")
    }


@cache
def _still() -> dict[str, frozenset[str] | None]:
    """The gods of set S with the items for which their prohibition stands, None for all of them."""
    found: dict[str, frozenset[str] | None] = {}
    for row in rows("almanac/xieji_still"):
        scope = row["scope"]
        found[row["god"]] = None if scope in ("all", "unless lifted") else frozenset(scope.split())
    return found


class Forbidden(NamedTuple):
    """The items that a god forbids, and those whose prohibition 德 does not lift (set S); None for all of its rows."""

    items: frozenset[str] | None
    still: frozenset[str] | None


def forbidden_by(god: str, grounds: DayGrounds) -> Forbidden:
    """The prohibitions in force of a god that is present."""
    heavy, items, remains = heavy_of(god, grounds), None, frozenset[str]()
    if is_lifted(god, grounds):
        items = remains = _lifts()[god].remains
    elif heavy and grounds.policy == YI_ONLY:
        items = _excepted(heavy)
    if god.startswith("百忌"):
        return Forbidden(items, None)
    still = _still().get(god, frozenset())
    if heavy:
        still = _excepted(heavy) if grounds.policy in (YI_ONLY, BOTH) else frozenset()
    return Forbidden(items, None if still is None else still | remains)


def heavy_of(god: str, grounds: DayGrounds) -> str | None:
    """The heavy god that a god is or is a part of: its prohibitions fall or stay with it."""
    if god in HEAVY:
        return god
    if PARTS.get(god) in HEAVY:
        return PARTS[god]
    month = HANZI[grounds.asked.month]
    if god == "满" and month not in _lifts()["满"].months:
        return "满"
    if god == "九空" and month in "巳亥":
        return "月厌"
    return None


def _excepted(heavy: str) -> frozenset[str]:
    still = _still()
    found = still.get(heavy) or still["heavy gods"]
    assert found is not None
    return found


def is_lifted(god: str, grounds: DayGrounds) -> bool:
    """Whether company lifts the prohibitions of a god."""
    lift = _lifts().get(god)
    if lift is None or (god == "月建" and "as_yuejian" in grounds.effects):
        return False
    months = lift.months
    return (months == "all" or HANZI[grounds.asked.month] in months) and bool(lift.company & grounds.acting)


_SEASONS = {"立冬后立春前": ("立冬", 6), "霜降后立春前": ("霜降", 7), "雨水后立夏前": ("雨水", 5)}
# With the days 宝 义 制: 德四, 天赦, 天愿 or 王日.
_LUCKY_COMPANY = frozenset((*DE, "王日"))
TERM_INDEX = {term.value: term.index for term in SOLAR_TERMS}


def applies(row: Row, grounds: DayGrounds, school: AlmanacSchool) -> bool:
    """Whether the condition that a row has is met: company, branch of the day, or season."""
    cond = row.cond
    if cond in _SEASONS:
        first, count = _SEASONS[cond]
        return (TERM_INDEX[grounds.asked.term] - TERM_INDEX[first]) % 24 < count
    if cond.startswith("日支"):
        return school.sanhe_extra == "on" and HANZI[grounds.asked.pillar.branch] in cond.removeprefix("日支")
    company = cond.removeprefix("与").removesuffix("并")
    return bool((_LUCKY_COMPANY if company == "吉神" else frozenset(company.split("|"))) & grounds.acting)
