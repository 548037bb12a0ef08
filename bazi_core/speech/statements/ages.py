"""What an age changes in an answer: what a side of life can mean then, what is not told of the young, and whether a
relative is still living."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.facts import Fact
from bazi_core.speech.statements.asked import SCORES, TRADE, UNANSWERED
from bazi_core.speech.statements.bearings import PERSONS
from bazi_core.speech.statements.kin import KIN, who
from bazi_core.speech.statements.walk import LONG_LIFE
from bazi_core.speech.topic_filter import PARTNERS, life_ages

if TYPE_CHECKING:
    from bazi_core.luck.running import Running
    from bazi_core.speech.plan import Draft
    from bazi_core.speech.statements.asked import Asked
    from bazi_core.year.result import YearResult


def under_age(draft: Draft, year: YearResult, asked: Asked) -> None:
    """That of a partner, or of children of one's own, nothing is said before coming of age."""
    if asked.domain == "children" or asked.subject == "child":
        ids = (f"ln.{year.target_year}.age",)
        draft.add(
            "answer.of_age.children", *ids, weight=1, kind="transition", required=True, age=year.age.nominal
        )
    else:
        draft.add("answer.of_age", weight=1, kind="transition", required=True)


def at_age(draft: Draft, year: YearResult, domain: str) -> None:
    """What a side of life can mean at an age at which it is not told of unasked."""
    ages = life_ages().get(domain)
    stage = ages.stage(year.age.nominal) if ages and domain != PARTNERS else ""
    if stage:
        draft.add(
            f"answer.age.{domain}.{stage}", f"ln.{year.target_year}.age", weight=1, kind="fact", required=True,
            age=year.age.nominal,
        )  # fmt: skip


def by_age(draft: Draft, asked: Asked, running: Running) -> None:
    """What a side of life can mean at the age of the day of the reading, where it is not told of unasked."""
    domain = SCORES.get(asked.domain, "")
    ages = life_ages().get(domain)
    if running.ages is None or ages is None or domain == PARTNERS or asked.subject in KIN:
        return
    stage = ages.stage(running.ages.nominal)
    if not stage or draft.says(f"answer.age.{domain}.{stage}") or asked.domain == TRADE:
        return
    own = _age(draft, running)
    draft.add(
        f"answer.age.{domain}.{stage}", own, weight=1, kind="fact", required=True, age=running.ages.nominal
    )


def aside(draft: Draft, domain: str, running: Running | None) -> bool:
    """What a side of life is about from a certain age on, in a chart; whether that was said."""
    last = life_ages()[domain].aside
    if running is None or running.ages is None or not 0 < last <= running.ages.nominal:
        return False
    draft.add(f"area.aside.{domain}", _age(draft, running), weight=1.5, kind="transition")
    return True


def _age(draft: Draft, running: Running) -> str:
    """The id of the fact of the age on the day of the reading, which the plan learns."""
    assert running.ages is not None
    own, nominal, full = f"ln.{running.year}.age", running.ages.nominal, running.ages.full
    fact = Fact(
        own, "flow", str(running.year), "age", nominal, "year.age", (running.year, nominal, full), "liunian",
        ("p.year.stem",), "R-YR-1", "SMTH.论太岁",
    )  # fmt: skip
    draft.learn((fact,))
    return own


def if_living(draft: Draft, asked: Asked, running: Running) -> None:
    """That a relative who would be very old is spoken of as living only if that is so."""
    subject = asked.subject if asked.subject in KIN else PERSONS.get(asked.domain, "")
    if running.ages is None or subject not in KIN or asked.domain in UNANSWERED:
        return
    older = KIN[subject].older
    if older and running.ages.full + older >= LONG_LIFE:
        draft.add(
            "answer.kin.if_living", _age(draft, running), weight=1, kind="transition", required=True,
            who=who(subject),
        )  # fmt: skip
