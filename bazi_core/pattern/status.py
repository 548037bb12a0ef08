"""成败救应: whether a regular pattern is formed, broken or rescued, row by row of a table.

《子平真诠·论用神成败救应》: 八字妙用全在成败救应. `ge_ju_status.csv` holds one row for each condition of the book; here they
are asked and weighed. 论用神格局高低 grades a formed pattern by 有情 (its parts serve each other) and 有力 (they have
roots); the rank that follows tells how coherent the pattern is and nothing about the worth of a life.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from bazi_core.alphabet import TEN_GODS, Stem, TenGod
from bazi_core.facts import Fact
from bazi_core.pattern.conditions import LIGHT, PatternCondition, Scene, terms
from bazi_core.structures.book_rules import citation
from bazi_core.structures.classes import PATTERN_OF, PEER
from bazi_core.tables import rows

FORMED, BREAKS, RESCUES, WANTS, TAINTS = "成", "败", "救", "喜", "忌"
KINDS = (FORMED, BREAKS, RESCUES, WANTS, TAINTS)
STATUSES = ("成格", "败中有救", "成中有忌", "未成", "败格")
STRONG, WEAK = "有力", "无力"
# Rank 1 (best) to 5, by status: with power, between, without.
RANKS = {
    "成格": (1, 2, 3),
    "败中有救": (1, 2, 3),
    "成中有忌": (2, 3, 4),
    "未成": (3, 4, 4),
    "败格": (4, 5, 5),
}
FEELING = {"成格": ("有情",), "败中有救": ("有情",), "未成": ("无情",), "败格": ("无情",)}
# 相神 of several alike: the one nearest to the day stem.
NEAREST = ("month", "hour", "year")

_CLASS_OF_PATTERN = {name: TenGod(god).index // 2 for god, name in PATTERN_OF.items()}


class Predicate(NamedTuple):
    """One row of the table for one chart; `evidence` are the ids of the facts that decide it."""

    id: str
    kind: str
    text: str
    holds: bool
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PatternStatus:
    """How a regular pattern stands.

    `status` is 成格 败格 败中有救 成中有忌 or 未成, `rank` 1 (most coherent) to 5, `qualities` of 有情 有力 无情 无力.
    `xiang_shen` is the 相神, the stem on which the pattern leans, with its ten god.

    >>> import bazi_core as bz
    >>> stands = bz.chart(pillars="壬申 壬子 戊午 乙卯").pattern().standing
    >>> stands.status, stands.rank, stands.qualities, stands.xiang_shen, stands.xiang_shen_god
    ('成格', 1, ('有情', '有力'), Stem('乙'), '正官')
    >>> [each.id for each in stands.predicates if each.holds]
    ['财旺生官']
    """

    pattern: str
    status: str
    rank: int
    qualities: tuple[str, ...]
    xiang_shen: Stem | None
    xiang_shen_god: str | None
    scene: Scene = field(repr=False, compare=False)

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The rows 成 败 救 of the pattern's table with their answers, made when asked for."""
        return self.answers((FORMED, BREAKS, RESCUES))

    def answers(self, kinds: Collection[str] = KINDS) -> tuple[Predicate, ...]:
        """The rows of some kinds with their answers."""
        return tuple(_judge(rule, self.scene) for rule in rules(self.pattern) if rule.kind in kinds)


class StatusRule(NamedTuple):
    """A row of the table; `answers` are the 败 and 忌 rows that it mends."""

    id: str
    kind: str
    text: str
    terms: tuple[PatternCondition, ...]
    answers: tuple[str, ...]
    source: str


@cache
def rules(pattern: str) -> tuple[StatusRule, ...]:
    """The rows of a pattern, in the order 成 败 救 喜 忌."""
    return tuple(
        StatusRule(
            row["id"], row["kind"], row["text"], terms(row["predicate"]),
            tuple(row["answers"].split()), row["source"],
        )
        for row in rows("ge_ju_status")
        if pattern in row["pattern"].split()
    )  # fmt: skip


def standing(pattern: str, scene: Scene) -> PatternStatus:
    """The standing of a regular pattern in a chart as the conditions see it."""
    held = [rule for rule in rules(pattern) if all(map(scene.holds, rule.terms))]
    status = weigh(held)
    wanted = next((rule for rule in held if rule.kind == WANTS), None)
    power = _power(scene, _CLASS_OF_PATTERN.get(pattern, PEER), wanted)
    rank = RANKS[status][(STRONG, "", WEAK).index(power)]
    qualities = FEELING.get(status, ()) + ((power,) if power else ())
    return PatternStatus(pattern, status, rank, qualities, *_leaning(scene, wanted), scene)


def _judge(rule: StatusRule, scene: Scene) -> Predicate:
    """All conditions hold, or the first that fails decides."""
    for term in rule.terms:
        if not scene.holds(term):
            return Predicate(rule.id, rule.kind, rule.text, False, scene.ids(term))
    return Predicate(rule.id, rule.kind, rule.text, True, _union([scene.ids(term) for term in rule.terms]))


def _union(parts: list[tuple[str, ...]]) -> tuple[str, ...]:
    return parts[0] if len(parts) == 1 else tuple(dict.fromkeys([name for part in parts for name in part]))


def weigh(held: Sequence[StatusRule]) -> str:
    """The status that follows from the rows that hold.

    A 败 weighs more than any 成: while one is unanswered the pattern is broken (败格), and when each is answered
    by a row that mends it, broken and rescued (败中有救). Without 败 there is 成 or nothing (未成), and a 成 beside
    an unanswered 忌 is 成中有忌.
    """
    answered = {name for rule in held for name in rule.answers}
    broken = [rule.id for rule in held if rule.kind == BREAKS]
    if broken:
        return "败中有救" if answered.issuperset(broken) else "败格"
    if all(rule.kind != FORMED for rule in held):
        return "未成"
    marred = [rule.id for rule in held if rule.kind == TAINTS]
    return "成格" if answered.issuperset(marred) else "成中有忌"


def _power(scene: Scene, k: int, wanted: StatusRule | None) -> str:
    """有力: day master, pattern and 相神 each stand firm (三者皆备); 无力: the day master has no root, or no 相神 has
    (身无根, 财无气)."""
    if wanted is None or not scene.is_rooted("day_master"):
        return WEAK
    return "" if scene.g[k] < LIGHT and k != PEER else STRONG


def _leaning(scene: Scene, wanted: StatusRule | None) -> tuple[Stem | None, str | None]:
    """The stem of the first 喜 that acts and has a root."""
    if wanted is None:
        return None, None
    places = {where: god for where, god in scene.shown if wanted.terms[0].bits[0] >> god & 1}
    where = next(each for each in NEAREST if each in places and each not in scene.bound)
    return scene.roots[where].stem, TEN_GODS[places[where]].value


def standing_facts(stands: PatternStatus) -> Iterator[Fact]:
    """`pat.pred.<id>` of the rows that hold, `pat.status`, `pat.xiang_shen`, `pat.rank`."""
    sources = {rule.id: citation(rule.source) for rule in rules(stands.pattern)}
    asked = stands.answers()
    held = [each for each in asked if each.holds]
    for each in held:
        yield Fact(
            f"pat.pred.{each.id}", "pattern", "chart", each.kind, True, "pattern.rule", (each.id,), None,
            ("pat.main", *each.evidence), "R-GE-10", sources[each.id],
        )  # fmt: skip
    # The status rests on the rows that hold and on what kept the others from holding.
    missed = [name for each in asked if not each.holds and each.kind != WANTS for name in each.evidence]
    decided = [f"pat.pred.{each.id}" for each in held if each.kind != WANTS]
    yield Fact(
        "pat.status", "pattern", "chart", "status", stands.status, "pattern.status", (stands.status,), None,
        ("pat.main", *decided, *dict.fromkeys(missed)), "R-GE-10", "ZPZQ.论用神成败救应",
    )  # fmt: skip
    grounds = ("pat.status", *stands.scene.root_ids("day_master"))
    if stands.xiang_shen is not None:
        wanted = next(each for each in held if each.kind == WANTS)
        yield Fact(
            "pat.xiang_shen", "pattern", "chart", "xiang_shen", stands.xiang_shen.value,
            "pattern.leaning", (stands.xiang_shen.value, stands.xiang_shen_god), None, (f"pat.pred.{wanted.id}",), "R-GE-10",
            "ZPZQ.论相神紧要",
        )  # fmt: skip
        grounds += ("pat.xiang_shen",)
    yield Fact(
        "pat.rank", "pattern", "chart", "rank", stands.rank, "pattern.rank", (stands.rank,), None, grounds, "R-GE-10",
        "ZPZQ.论用神格局高低",
    )  # fmt: skip
