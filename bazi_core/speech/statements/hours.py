"""What is read without the hour of birth: how many of the twelve double hours keep the useful god of three pillars.

The hour is counted by 五鼠遁 from the day stem that is read; the twelve count alike.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import BRANCHES
from bazi_core.facts import Fact
from bazi_core.pattern.result import judgement
from bazi_core.pillars import five_rats
from bazi_core.speech.plan import DOUBT, LEANING, SETTLED
from bazi_core.speech.statements.nouns import element

if TYPE_CHECKING:
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

# What is read so in fewer of the twelve hours than this is no more than one of several readings.
MOST_OF = 6
UNSETTLED = ("hour_unknown.few", "hour_unknown.none")
HOURS = ("hour_unknown", "hour_unknown.some", "hour_unknown.few", "hour_unknown.none", "hour_unknown.facts")


def hour_unknown(draft: Draft, result: PatternResult, is_answer: bool = False) -> None:
    """That the hour is not known, and whether it may turn the useful god; said once, with an answer where it may."""
    if result.pillars.hour is not None or draft.says(*HOURS) or (is_answer and not result.useful.order):
        return
    if not result.useful.order:
        draft.add("hour_unknown.facts", weight=1, kind="transition", relation=DOUBT, required=True)
        return
    use, found = result.useful.order[0], Counter(_useful(result))
    same = found.pop(use.value, 0)
    others = [name for name, _ in found.most_common()]
    own, rest = "hours.useful", sum(found.values())
    draft.learn([
        Fact(
            own, "role", use.value, "by_hour", same, "hours.useful" if others else "hours.all",
            (same, use.value, rest, tuple(others)) if others else (use.value,), None,
            ("yong.primary", *(f"p.{name}.{part}" for name in ("month", "day") for part in ("stem", "branch"))),
            "R-YONG", "SMTH.论遁月时",
        )
    ])  # fmt: skip
    if is_answer and not others:
        return
    tail = "" if not others else ".none" if not same else ".some" if same >= MOST_OF else ".few"
    key = f"hour_unknown{tail}"
    named = {str(each): each for each in result.useful.order}
    counted: dict[str, Any] = (
        {"same": same, "rest": rest, "others": [element(named[name]) for name in others]} if others else {}
    )
    draft.add(
        key, own, weight=1, kind="fact", relation=DOUBT, certainty=LEANING if others else SETTLED, required=True,
        use=element(use), **counted,
    )  # fmt: skip
    # What holds for few of the hours is told next to what is read by them.
    if is_answer and key in UNSETTLED:
        draft.move_up(key, 1)


def is_unsettled(result: PatternResult) -> bool:
    """Whether few of the twelve double hours keep the useful god of three pillars."""
    if result.pillars.hour is not None or not result.useful.order:
        return False
    return _useful(result).count(result.useful.order[0].value) < MOST_OF


def _useful(result: PatternResult) -> list[str]:
    """The useful god with each of the twelve double hours."""
    pillars, day = result.pillars, result.pillars.day.stem
    hours = [pillars._replace(hour=five_rats(day, branch)) for branch in BRANCHES]
    return [str(judgement(each, result.school).useful[0]) for each in hours]
