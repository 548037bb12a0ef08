"""铺注条例: the articles of 卷10 that change single verdicts after 宜 and 忌 have been settled, in order, once each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bazi_core.almanac.doctrine import DayGrounds, Row

_JI_ONLY, _BOTH = "从忌不从宜", "从宜亦从忌"


@dataclass(slots=True)
class VerdictDraft:
    """The verdicts of a day while they are made: rows for and against each item, its state (yi, ji or silent) and the rule
    that gave it; `kept` are the items of each god of which a prohibition is of set S, None for all."""

    grounds: DayGrounds
    yi: dict[str, list[Row]]
    ji: dict[str, list[Row]]
    state: dict[str, str]
    rules: dict[str, str]
    kept: dict[str, frozenset[str] | None]

    def put(self, item: str, state: str, rule: str) -> None:
        self.state[item], self.rules[item] = state, rule

    def has(self, *gods: str) -> bool:
        return not self.grounds.acting.isdisjoint(gods)

    def still(self, item: str) -> bool:
        """Whether a prohibition of the item is of set S."""
        return any((kept := self.kept[row.god]) is None or item in kept for row in self.ji.get(item, ()))

    def free(self, item: str) -> bool:
        """Whether an item is not forbidden."""
        return self.state.get(item) != "ji"

    def no_yi(self, items: Iterable[str], rule: str) -> None:
        """No item among these stays favoured."""
        for item in items:
            if self.state.get(item) == "yi":
                self.put(item, "ji" if self.still(item) else "silent", rule)

    def no_ji(self, items: Iterable[str], rule: str) -> None:
        """No item among these stays forbidden, except by set S."""
        for item in items:
            if self.state.get(item) == "ji" and not self.still(item):
                self.put(item, "silent", rule)


_TRADE = ("进人口", "安床", "经络", "酝酿", "开市", "立券交易", "纳财", "开仓库出货财")
_HONOURS = ("施恩封拜", "举正直", "袭爵受封")
_WORKS = (
    "修宫室", "缮城郭", "筑堤防", "修仓库", "鼓铸", "苫盖", "修置产室", "开渠", "穿井", "安碓硙", "补垣", "塞穴", "修饰垣墙",
    "平治道涂", "破屋坏垣",
)  # fmt: skip
_GRAVES = ("破土", "安葬", "启攒")
# Gods whose prohibition of 嫁娶 does not keep what goes with it from being free.
_LIGHT_AGAINST_WEDDINGS = {"百忌亥日", "厌对", "八专", "四忌", "四穷"}
# On a day without these: the item that is hidden, and the gods or branches that hide it (articles b and c).
_HIDDEN = (
    ("b", ("天狗", "百忌寅日"), ("祭祀", "祈福", "求嗣")),
    ("c", ("百忌卯日",), ("开渠",)),
    ("c", ("百忌壬日",), ("穿井",)),
    ("c", ("百忌巳日",), ("出师", "行幸遣使")),
    ("c", ("百忌酉日",), ("庆赐赏贺",)),
    ("c", ("百忌丁日",), ("整容",)),
)
# Article d: where all of the first are free, the second are too.
_FREED = (
    (("祈福",), ("求嗣",)),
    (("结婚姻",), ("冠带", "纳采问名", "嫁娶", "进人口")),
    (("嫁娶",), ("冠带", "结婚姻", "纳采问名", "进人口", "般移", "安床")),
    (("般移",), ("安床",)),
    (("安床",), ("般移",)),
    (("解除",), ("整容", "剃头", "整手足甲")),
    (("兴造动土", "竖柱上梁"), _WORKS),
    (("开市",), ("立券交易", "纳财")),
    (("立券交易",), ("开市", "纳财")),
    (("纳财",), ("开市", "立券交易")),
    (("开市", "立券交易"), ("开仓库出货财",)),
    (("牧养",), ("纳畜",)),
    (("纳畜",), ("牧养",)),
)


def apply_articles(draft: VerdictDraft) -> None:
    """Change the verdicts of a draft by the articles, in the order of the book."""
    policy = draft.grounds.policy
    if policy != _JI_ONLY and draft.has(
        "天德合", "月德合", "天赦", "天愿", "月恩", "四相", "时德", "天德", "月德"
    ):
        draft.no_ji(_TRADE, "6.5a")
    for letter, gods, items in _HIDDEN:
        if draft.has(*gods):
            draft.no_yi(items, f"6.5{letter}")
    if policy == _BOTH:
        _free_what_goes_with_it(draft)
    if not draft.free("诏命公卿招贤"):
        draft.no_yi(_HONOURS, "6.5e")
    if not all(map(draft.free, _HONOURS)):
        draft.no_yi(("诏命公卿招贤",), "6.5e")
    _policies_and_edicts(draft)
    if draft.has("土府", "土符", "地囊"):
        draft.no_yi(("塞穴",), "6.5h")
    if draft.has("开日"):
        _opening_day(draft)
    if draft.has("四忌", "四穷"):
        draft.no_yi(("破土", "启攒"), "6.5j")
    if draft.state.get("宣政事") == "yi":
        draft.no_yi(("布政事",), "6.5k")
    if draft.state.get("营建宫室") == "yi":
        draft.no_yi(("修宫室",), "6.5k")


def _free_what_goes_with_it(draft: VerdictDraft) -> None:
    for first, items in _FREED:
        if _weddings_free(draft) if first == ("嫁娶",) else all(map(draft.free, first)):
            draft.no_ji(items, "6.5d")
    if draft.state.get("安葬") == "yi":
        draft.no_ji(("启攒",), "6.5d")
    if draft.state.get("启攒") == "yi":
        draft.no_ji(("安葬",), "6.5d")


def _weddings_free(draft: VerdictDraft) -> bool:
    """Whether 嫁娶 is free, or forbidden only by gods that do not keep what goes with it; never on a 不将 day."""
    against = {row.god for row in draft.ji.get("嫁娶", ())}
    return not draft.has("不将") and (draft.free("嫁娶") or against <= _LIGHT_AGAINST_WEDDINGS)


def _policies_and_edicts(draft: VerdictDraft) -> None:
    """Articles f and g: 布政事 in the place of 宣政事, and what 月厌 takes away when it forbids travel or office."""
    against = {row.god for row in draft.ji.get("宣政事", ())}
    if draft.yi.get("宣政事") and against and against <= {"往亡", "气往亡"}:
        draft.put("布政事", "yi", "6.5f")
    barred = (item for item in ("行幸遣使", "上官赴任") if not draft.free(item))
    if any(row.god == "月厌" for item in barred for row in draft.ji.get(item, ())):
        draft.no_yi(("颁诏", "施恩封拜", "诏命公卿招贤", "举正直"), "6.5g")
        if draft.state.get("宣政事") == "yi":
            draft.put("宣政事", "silent", "6.5g")
            draft.put("布政事", "yi", "6.5g")


def _opening_day(draft: VerdictDraft) -> None:
    """Article i: 开日 neither favours graves nor forbids them by itself."""
    draft.no_yi(_GRAVES, "6.5i")
    for item in _GRAVES:
        if not draft.free(item) and all(row.god == "开日" for row in draft.ji[item]):
            draft.put(item, "silent", "6.5i")
