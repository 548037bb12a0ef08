"""The verdicts of 《协纪辨方书》 卷10–11: from the gods of a day to what it favours (宜) and forbids (忌).

Every step is a table: what each god favours and forbids, the grade of the day, what company lifts, what stands
although 德 is present, the days that close the list. Each verdict cites its rows, `xj:GOD:yi|ji:ITEM`, and the rule
that decided it: `grade`, `S` (遇德犹忌), `6.5a` … the articles (铺注条例), a closing day by its name.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.almanac.articles import VerdictDraft, apply_articles
from bazi_core.almanac.doctrine import (
    ALL_FORBIDDEN,
    BOTH,
    JI_ONLY,
    TERM_INDEX,
    UNGRADED,
    YI_ONLY,
    DayGrounds,
    Row,
    applies,
    forbidden_by,
    grounds_of,
    is_lifted,
    item_rows,
    items_of,
)
from bazi_core.almanac.gods import HANZI, LU, Circumstances, gods
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.almanac.school import AlmanacSchool


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


# -------------------------------------------------------------------------------------- the verdict


@lru_cache(maxsize=1 << 9)
def verdict(asked: Circumstances, school: AlmanacSchool) -> Verdict:
    """The verdict of a day by the whole doctrine (cached, some 12 KB each: everybody asks for the days that are near, and
    every purpose looks at the same)."""
    grounds = grounds_of(asked, school)
    if grounds.policy == ALL_FORBIDDEN:
        return _verdict(grounds, (), {}, {}, {}, {})
    yi: dict[str, list[Row]] = defaultdict(list)
    ji: dict[str, list[Row]] = defaultdict(list)
    still: dict[str, frozenset[str] | None] = {}
    for god in grounds.gods:
        of_god = item_rows().get(god)
        if of_god is None:
            continue
        forbidden, still[god] = forbidden_by(god, grounds)
        # A 德 that is set aside favours nothing; what it forbids stays.
        favours = god in grounds.acting
        for row in of_god:
            if row.cond and not applies(row, grounds, school):
                continue
            if row.effect == "ji":
                if forbidden is None or row.item in forbidden:
                    ji[row.item].append(row)
            elif favours:
                yi[row.item].append(row)
    if "nothing_forbidden" in grounds.effects:
        ji.clear()
    _take_what_goes_with_it(yi, grounds)
    draft = VerdictDraft(grounds, yi, ji, {}, {}, still)
    _settle(draft, school)
    apply_articles(draft)
    closing = _close(draft)
    return _verdict(grounds, closing, draft.state, draft.rules, yi, ji)


def _take_what_goes_with_it(yi: dict[str, list[Row]], grounds: DayGrounds) -> None:
    """Items lose the favour that a lifted prohibition (复日, 重日) or a special day takes away."""
    for god in ("复日", "重日"):
        if god in grounds.acting and is_lifted(god, grounds):
            for item in ("破土", "安葬", "启攒"):
                yi.pop(item, None)
    if "as_yueyan" in grounds.effects:
        for row in item_rows()["月厌"]:
            yi.pop(row.item, None)


def _settle(draft: VerdictDraft, school: AlmanacSchool) -> None:
    """宜 and 忌 of each item that one god favours or forbids, by set S and by the policy."""
    policy = draft.grounds.policy
    for item in {*draft.yi, *draft.ji}:
        favoured, forbidden = draft.yi.get(item), draft.ji.get(item)
        if not (favoured and forbidden):
            draft.put(item, "yi" if favoured else "ji", "grade")
        elif draft.still(item):
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


def _close(draft: VerdictDraft) -> tuple[str, ...]:
    """Close the list of the favoured on the days of `xieji_closing.csv`; the names of those that the day is.

    What is favoured beside the items of a row is forbidden or no longer favoured; what is forbidden stays so.
    """
    grounds = draft.grounds
    closing = tuple(
        god for god in _closings() if god in grounds.acting and not (god == "无禄" and is_filled(grounds))
    )
    for god in closing:
        row = _closings()[god]
        never = row["yi_never"].split()
        if god == "分至" and grounds.asked.term_today == "冬至":
            never = [*never, "伐木"]
        for item in items_of():
            if item in never or (row["yi_only"] and item not in row["yi_only"].split()):
                if row["rest"] == "忌":
                    draft.put(item, "ji", god)
                elif draft.state.get(item) == "yi":
                    draft.put(item, "silent", god)
    return closing


def is_filled(grounds: DayGrounds) -> bool:
    """Whether the 禄 of a 无禄 day is filled, so that the day closes nothing; never on 癸亥."""
    asked = grounds.asked
    pillar = HANZI[asked.pillar]
    if pillar == "癸亥":
        return False
    lu = LU[asked.pillar.stem.index]
    if grounds.acting & {"天德", "月德"} or lu in (asked.year_branch, HANZI[asked.month]):
        return True
    if asked.year_stem == asked.month_stem == pillar[0]:
        return True
    return any(
        pillar in row["pillars"].split()
        and (not row["years"] or asked.year_stem in row["years"])
        and (not row["months"] or HANZI[asked.month] in row["months"])
        and (not row["terms"] or (TERM_INDEX[asked.term] - TERM_INDEX[row["terms"]]) % 24 < 2)
        for row in rows("almanac/xieji_filled_lu")
    )


def _verdict(
    grounds: DayGrounds,
    closing: tuple[str, ...],
    state: dict[str, str],
    rules: dict[str, str],
    yi: dict[str, list[Row]],
    ji: dict[str, list[Row]],
) -> Verdict:
    found: dict[str, list[str]] = {"yi": [], "ji": [], "silent": []}
    why = {}
    for item in items_of():
        own = state.get(item)
        if own is not None:
            found[own].append(item)
            why[item] = Reason(tuple(yi.get(item, ())), tuple(ji.get(item, ())), rules[item])
    return Verdict(
        grounds.grade,
        grounds.de,
        grounds.policy,
        grounds.gods,
        grounds.special,
        closing,
        tuple(found["yi"]),
        tuple(found["ji"]),
        tuple(found["silent"]),
        why,
    )
