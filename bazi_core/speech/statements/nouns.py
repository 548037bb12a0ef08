"""The values that sentences are filled with: elements, roles, and where the stems of an element stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.useful import ROLE_FACTS, ROLES
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.views.hidden import hidden_stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.alphabet import Element
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pillars import FourPillars

# Shares in percent below which an element is light and from which it is heavy.
LIGHT, HEAVY = 12, 30
ROLE_KEYS = ("use", "joy", "idle", "foe", "shun")
ROLE_IDS = tuple(ROLE_FACTS.values())


def element(found: Element) -> Term:
    """An element as a value of a sentence."""
    return Term(found.value, "element")


def roles(result: PatternResult, *names: str) -> dict[str, Any]:
    """The element of a role and the word for the role, as `use` and `use_word`."""
    values: dict[str, Any] = {}
    for name in names:
        place = ROLE_KEYS.index(name)
        values[name] = element(result.useful.order[place])
        values[f"{name}_word"] = Term(ROLES[place], "role")
    return values


def share(result: PatternResult, found: Element) -> Phrase:
    """The share of an element by the season, in words; one that rounds to nothing is said to be so."""
    percent = result.elements.seasonal[found.index]
    return share_of(percent, found) if percent else Phrase("share.none", {})


def share_of(percent: int, found: Element, kind: str = "") -> Phrase:
    """A share in words, whose number a reading says once of each element; `aside` before a clause, or `behind` one."""
    values = {"percent": percent, "of": found.value, "weight": weight(percent)}
    return Phrase(f"share.{kind}" if kind else "share", values)


def weight(percent: int) -> str:
    """Whether a share is light, fair or heavy."""
    return "light" if percent < LIGHT else "heavy" if percent >= HEAVY else "fair"


def pillars_read(pillars: FourPillars) -> Phrase:
    """What is read, where something is said not to be in it: of three pillars nobody says what eight characters lack."""
    return Phrase(f"chart.read.{'four' if pillars.hour else 'three'}", {})


def lacks(pillars: FourPillars, missing: Sequence[Element]) -> Phrase:
    """What is missing on the surface, of all pillars or of the three that are known."""
    values = {"missing": [element(each) for each in missing]}
    return Phrase(f"chart.lacks.{'four' if pillars.hour else 'three'}", values)


def share_ids(*found: Element) -> tuple[str, ...]:
    """The facts that state the shares of elements."""
    return tuple(f"wx.seasonal.{each}" for each in found)


class Seats(NamedTuple):
    """Where an element stands: visible stems but for the day stem, and the branches that hide it, with their facts."""

    stems: list[At]
    branches: list[At]
    evidence: tuple[str, ...]

    @property
    def key(self) -> str:
        """`both`, `shown`, `hidden` or `absent`."""
        if self.stems:
            return "both" if self.branches else "shown"
        return "hidden" if self.branches else "absent"


def seats(pillars: FourPillars, wanted: Element) -> Seats:
    """The seats of an element in four pillars."""
    stems, branches, evidence = [], dict[str, At](), []
    for where, pillar in pillars.items():
        if pillar.stem.element is wanted and where != "day":
            stems.append(At(f"{where}.stem", sign(pillar.stem)))
            evidence.append(f"p.{where}.stem")
        for hidden in hidden_stems(pillar.branch):
            if hidden.stem.element is wanted:
                branches[where] = At(f"{where}.branch", sign(pillar.branch))
                evidence.append(f"hs.{where}.{hidden.stem}")
    return Seats(stems, list(branches.values()), tuple(evidence))
