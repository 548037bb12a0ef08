"""The verdicts of 《协纪辨方书》 卷10–11: from the gods of a day to what it favours (宜) and forbids (忌).

Every step is a table: what each god favours and forbids, the grade of the day, what company lifts, what stands
although 德 is present, the days that close the list. Each verdict cites its rows, `xj:GOD:yi|ji:ITEM`, and the rule
that decided it: `grade`, `S` (遇德犹忌), `6.5a` … the articles (铺注条例), a closing day by its name.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.articles import Draft, apply_articles
from bazi_core.almanac.gods import HANZI, LU, gods, present
from bazi_core.alphabet import SOLAR_TERMS
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.almanac.gods import Circumstances
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


class Reason(NamedTuple):
    """Why an item is favoured, forbidden or neither: the rows for and against it, and the rule that decided."""

    yi: tuple[Row, ...]
    ji: tuple[Row, ...]
    rule: str

    def to_dict(self) -> dict[str, Any]:
        return {"yi": _ids(self.yi), "ji": _ids(self.ji), "rule": self.rule}


def _ids(found: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(row.id for row in found))


class Verdict(NamedTuple):
    """The verdict of a day. `grade` is 上 … 下下 or 无, `policy` the rule between 宜 and 忌 that is in force, `restrict` the
    closing days; `yi`, `ji` and `silent` are items in the order of the book, `silent` those of which something is said but
    that are neither."""

    grade: str
    de: tuple[str, ...]
    policy: str
    gods: tuple[str, ...]
    special: tuple[str, ...]
    restrict: tuple[str, ...]
    yi: tuple[str, ...]
    ji: tuple[str, ...]
    silent: tuple[str, ...]
    why: dict[str, Reason]

    @property
    def all_forbidden(self) -> bool:
        return self.policy == ALL_FORBIDDEN

    def to_dict(self, items: str = "minyong37") -> dict[str, Any]:
        """The JSON form, with the items of one list: minyong37, tongshu60, yuyong67 or all."""
        shown = items_of(items)
        known = gods()
        return {
            "grade": self.grade,
            "de": list(self.de),
            "policy": self.policy,
            "all_forbidden": self.all_forbidden,
            "gods": [
                {"name": name, "kind": known[name].kind, "juan": known[name].juan} for name in self.gods
            ],
            "special": list(self.special),
            "restrict": list(self.restrict),
            "yi": [item for item in self.yi if item in shown],
            "ji": [item for item in self.ji if item in shown],
            "silent": [item for item in self.silent if item in shown],
            "why": {item: reason.to_dict() for item, reason in self.why.items() if item in shown},
        }


@cache
def items_of(name: str = "all") -> dict[str, str]:
    """The items of a list of the book, each with the words that this list has for it.

    >>> [len(items_of(name)) for name in ("all", "yuyong67")], items_of("minyong37")["行幸遣使"]
    ([81, 54], '出行')
    """
    column = ITEM_LISTS[name]
    return {row["item"]: row[column or "item"] for row in rows("almanac/items") if row[column or "item"]}


@cache
def item_rows() -> dict[str, tuple[Row, ...]]:
    """What each god favours and forbids."""
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


class Standing(NamedTuple):
    """What rules a day before any item is looked at."""

    asked: Circumstances
    gods: tuple[str, ...]
    # The gods whose rows and company count: those present without a 德 that is set aside.
    acting: frozenset[str]
    grade: str
    de: tuple[str, ...]
    policy: str
    special: tuple[str, ...]
    effects: frozenset[str]


def standing_of(asked: Circumstances, school: AlmanacSchool) -> Standing:
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
    return Standing(
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


def stands(row: Row, standing: Standing) -> bool:
    """Whether a prohibition is of set S, which 德 does not lift."""
    still = _still()
    if row.god.startswith("百忌"):
        return True
    lift = _lifts().get(row.god)
    if lift and row.item in lift.remains and _is_lifted(row.god, standing):
        return True
    heavy = heavy_of(row.god, standing)
    if heavy:
        return standing.policy in (YI_ONLY, BOTH) and row.item in _excepted(heavy)
    if row.god not in still:
        return False
    scope = still[row.god]
    return scope is None or row.item in scope


def heavy_of(god: str, standing: Standing) -> str | None:
    """The heavy god that a god is or is a part of: its prohibitions fall or stay with it."""
    if god in HEAVY:
        return god
    if PARTS.get(god) in HEAVY:
        return PARTS[god]
    month = HANZI[standing.asked.month]
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


def _is_lifted(god: str, standing: Standing) -> bool:
    lift = _lifts().get(god)
    if lift is None or (god == "月建" and "as_yuejian" in standing.effects):
        return False
    months = lift.months
    return (months == "all" or HANZI[standing.asked.month] in months) and bool(lift.company & standing.acting)


def _forbids(row: Row, standing: Standing) -> bool:
    """Whether a prohibition of a god that is present is in force."""
    if _is_lifted(row.god, standing):
        return row.item in _lifts()[row.god].remains
    heavy = heavy_of(row.god, standing)
    return not (heavy and standing.policy == YI_ONLY) or row.item in _excepted(heavy)


_SEASONS = {"立冬后立春前": ("立冬", 6), "霜降后立春前": ("霜降", 7), "雨水后立夏前": ("雨水", 5)}
# With the days 宝 义 制: 德四, 天赦, 天愿 or 王日.
_LUCKY_COMPANY = frozenset((*DE, "王日"))
_TERM_INDEX = {term.value: term.index for term in SOLAR_TERMS}


def _applies(row: Row, standing: Standing, school: AlmanacSchool) -> bool:
    """Whether the condition of a row is met: company, branch of the day, or season."""
    cond = row.cond
    if not cond:
        return True
    if cond in _SEASONS:
        first, count = _SEASONS[cond]
        return (_TERM_INDEX[standing.asked.term] - _TERM_INDEX[first]) % 24 < count
    if cond.startswith("日支"):
        return school.sanhe_extra == "on" and HANZI[standing.asked.pillar.branch] in cond.removeprefix("日支")
    company = cond.removeprefix("与").removesuffix("并")
    return bool((_LUCKY_COMPANY if company == "吉神" else frozenset(company.split("|"))) & standing.acting)


# -------------------------------------------------------------------------------------- the verdict


def verdict(asked: Circumstances, school: AlmanacSchool) -> Verdict:
    """The verdict of a day by the whole doctrine."""
    standing = standing_of(asked, school)
    if standing.policy == ALL_FORBIDDEN:
        return _verdict(standing, (), {}, {})
    yi: dict[str, list[Row]] = defaultdict(list)
    ji: dict[str, list[Row]] = defaultdict(list)
    for god in standing.gods:
        for row in item_rows().get(god, ()):
            if not _applies(row, standing, school):
                continue
            if row.effect == "ji":
                if _forbids(row, standing):
                    ji[row.item].append(row)
            # A 德 that is set aside favours nothing; what it forbids stays.
            elif god in standing.acting:
                yi[row.item].append(row)
    if "nothing_forbidden" in standing.effects:
        ji.clear()
    _take_what_goes_with_it(yi, standing)
    draft = Draft(standing, yi, ji, {}, {}, lambda row: stands(row, standing))
    _settle(draft, school)
    apply_articles(draft)
    closing = _close(draft)
    return _verdict(standing, closing, draft.state, draft.rules, yi, ji)


def _take_what_goes_with_it(yi: dict[str, list[Row]], standing: Standing) -> None:
    """What is not favoured beside a prohibition that is lifted (复日, 重日), or that a special day takes away."""
    for god in ("复日", "重日"):
        if god in standing.acting and _is_lifted(god, standing):
            for item in ("破土", "安葬", "启攒"):
                yi.pop(item, None)
    if "as_yueyan" in standing.effects:
        for row in item_rows()["月厌"]:
            yi.pop(row.item, None)


def _settle(draft: Draft, school: AlmanacSchool) -> None:
    """宜 and 忌 of each item that one god favours or forbids, by set S and by the policy."""
    policy = draft.standing.policy
    for item in {*draft.yi, *draft.ji}:
        favoured, forbidden = draft.yi.get(item), draft.ji.get(item)
        if not (favoured and forbidden):
            draft.put(item, "yi" if favoured else "ji", "grade")
        elif any(draft.is_still(row) for row in forbidden):
            draft.put(item, "ji", "S")
        elif policy == YI_ONLY:
            draft.put(item, "yi", "grade")
        elif policy == BOTH or (policy == UNGRADED and school.ungraded == "silent"):
            draft.put(item, "silent", "grade" if policy == BOTH else "ungraded")
        else:
            draft.put(item, "ji", "grade" if policy == JI_ONLY else "ungraded")


@cache
def _closings() -> dict[str, dict[str, str]]:
    return {row["god"]: row for row in rows("almanac/xieji_closing")}


def _close(draft: Draft) -> tuple[str, ...]:
    """Close the list of the favoured on the days of `xieji_closing.csv`; the names of those that the day is.

    What is favoured beside the items of a row is forbidden or no longer favoured; what is forbidden stays so.
    """
    standing = draft.standing
    closing = tuple(
        god for god in _closings() if god in standing.acting and not (god == "无禄" and is_filled(standing))
    )
    for god in closing:
        row = _closings()[god]
        never = row["yi_never"].split()
        if god == "分至" and standing.asked.term_today == "冬至":
            never = [*never, "伐木"]
        for item in items_of():
            if item in never or (row["yi_only"] and item not in row["yi_only"].split()):
                if row["rest"] == "忌":
                    draft.put(item, "ji", god)
                elif draft.state.get(item) == "yi":
                    draft.put(item, "silent", god)
    return closing


def is_filled(standing: Standing) -> bool:
    """Whether the 禄 of a 无禄 day is filled, so that the day closes nothing; never on 癸亥."""
    asked = standing.asked
    pillar = HANZI[asked.pillar]
    if pillar == "癸亥":
        return False
    lu = LU[asked.pillar.stem.index]
    if standing.acting & {"天德", "月德"} or lu in (asked.year_branch, HANZI[asked.month]):
        return True
    if asked.year_stem == asked.month_stem == pillar[0]:
        return True
    return any(
        pillar in row["pillars"].split()
        and (not row["years"] or asked.year_stem in row["years"])
        and (not row["months"] or HANZI[asked.month] in row["months"])
        and (not row["terms"] or (_TERM_INDEX[asked.term] - _TERM_INDEX[row["terms"]]) % 24 < 2)
        for row in rows("almanac/xieji_filled_lu")
    )


def _verdict(
    standing: Standing,
    closing: tuple[str, ...],
    state: dict[str, str],
    rules: dict[str, str],
    yi: dict[str, list[Row]] | None = None,
    ji: dict[str, list[Row]] | None = None,
) -> Verdict:
    order = [item for item in items_of() if item in state]
    found = {name: tuple(item for item in order if state[item] == name) for name in ("yi", "ji", "silent")}
    why = {
        item: Reason(tuple((yi or {}).get(item, ())), tuple((ji or {}).get(item, ())), rules[item])
        for item in order
    }
    return Verdict(
        standing.grade,
        standing.de,
        standing.policy,
        standing.gods,
        standing.special,
        closing,
        found["yi"],
        found["ji"],
        found["silent"],
        why,
    )
