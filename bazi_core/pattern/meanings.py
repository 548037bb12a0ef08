"""The two meanings of 用神: what completes the pattern, and what balances the day master.

《子平真诠》 seeks the 用神 in the month and calls 相神 what completes it (论相神紧要); the school of 扶抑 calls 用神 what
mends the strength of the day master (《滴天髓·衰旺》). One chart may want one thing for its pattern and the opposite for its
balance; both are named here, with what the decision follows and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bazi_core.facts import Fact
from bazi_core.pattern.useful import ADVERSE, WANTED, Useful, Vote
from bazi_core.wording import FactPhrase, phrased

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Element, Stem
    from bazi_core.pattern.status import PatternStatus

UNFORMED = "未成"
BOTH, BY_BALANCE, BY_PATTERN, NEITHER = "both", "balance", "pattern", "neither"


class Meanings(NamedTuple):
    """格局用神 and 扶抑用神 of one chart.

    `pattern` is the element of the 相神 (`stem`, with its `ten_god`), or, where no stem completes the pattern, the
    element that the pattern asks for; `balance` what mends the strength; each None where its method has no weight.
    `followed` is both, balance, pattern or neither: with which of them the decision goes. `opposed` says that one is
    用神 or 喜神 in the decision and the other 仇神 or 忌神. `grounds` say why the first element is taken.

    >>> import bazi_core as bz
    >>> found = bz.chart(pillars="甲子 戊辰 丙申 庚寅").pattern().meanings
    >>> found.pattern, found.balance, found.followed, found.opposed
    (Element('金'), Element('木'), 'balance', True)
    """

    pattern: Element | None
    stem: Stem | None
    ten_god: str | None
    balance: Element | None
    followed: str
    opposed: bool
    grounds: tuple[FactPhrase, ...]
    method: str


def meanings(useful: Useful, standing: PatternStatus) -> Meanings:
    """The two meanings beside a decision."""
    votes = {vote.method: vote for vote in useful.votes}
    # Where no row of 成 holds nothing is completed: the pattern is asked what it wants.
    stem, ten_god = (
        (standing.xiang_shen, standing.xiang_shen_god) if standing.status != UNFORMED else (None, None)
    )
    first = useful.order[0]
    pattern = stem.element if stem is not None else votes["ge_ju"].element
    balance = votes["fu_yi"].element
    followed = _FOLLOWED[pattern is first, balance is first]
    deciding = _deciding(useful, votes, followed)
    return Meanings(
        pattern, stem, ten_god, balance, followed, _opposed(useful, pattern, balance),
        deciding.grounds, deciding.method,
    )  # fmt: skip


_FOLLOWED = {
    (True, True): BOTH,
    (False, True): BY_BALANCE,
    (True, False): BY_PATTERN,
    (False, False): NEITHER,
}


def _opposed(useful: Useful, *elements: Element | None) -> bool:
    roles = [useful.role(element) for element in elements if element is not None]
    return any(role in WANTED for role in roles) and any(role in ADVERSE for role in roles)


def _deciding(useful: Useful, votes: dict[str, Vote], followed: str) -> Vote:
    """The vote that says why: a rule of the books, the method that is followed, or that which adds most."""
    if "rule" in votes:
        return votes["rule"]
    if followed in (BOTH, BY_BALANCE):
        return votes["fu_yi"]
    if followed == BY_PATTERN and votes["ge_ju"].element is useful.order[0]:
        return votes["ge_ju"]
    k = (useful.order[0].index - useful.day.element.index) % 5
    return max((vote for vote in useful.votes if vote.grounds), key=lambda vote: vote.points[k])


def meanings_facts(found: Meanings, useful: Useful) -> Iterator[Fact]:
    """`yong.by_pattern`, `yong.by_balance`, `yong.followed` and, where they are opposed, `yong.opposed`."""
    named = []
    if found.pattern is not None:
        named.append("yong.by_pattern")
        yield _by_pattern(found, found.pattern.value)
    if found.balance is not None:
        named.append("yong.by_balance")
        yield Fact(
            named[-1], "role_vote", found.balance.value, "by_balance", found.balance.value, "useful.by_balance",
            (found.balance.value,), None, ("yong.method.fu_yi",), "R-YONG", "DTS.衰旺",
        )  # fmt: skip
    first = useful.order[0].value
    said = f"yong.method.{found.method}"
    yield Fact(
        "yong.followed", "role", first, "用神", first, f"useful.followed.{found.followed}",
        (first, found.grounds), None, ("yong.primary", *named, *([said] if _votes(useful, found.method) else [])),
        "R-YONG", "ZPZQ.论相神紧要",
    )  # fmt: skip
    if found.opposed:
        assert found.pattern is not None
        assert found.balance is not None
        yield Fact(
            "yong.opposed", "role", found.pattern.value, useful.role(found.pattern), found.pattern.value, "useful.opposed",
            (found.pattern.value, useful.role(found.pattern), found.balance.value, useful.role(found.balance)), None,
            ("yong.followed", *(f"yong.{name}" for name in _roles(useful, found))), "R-YONG", "ZPZQ.论相神紧要",
        )  # fmt: skip


def _by_pattern(found: Meanings, element: str) -> Fact:
    key, values, rests_on = "useful.by_pattern.wanted", tuple[str, ...]((element,)), "pat.main"
    if found.stem is not None and found.ten_god is not None:
        key, values, rests_on = (
            "useful.by_pattern",
            (found.stem.value, found.ten_god, element),
            "pat.xiang_shen",
        )
    return Fact(
        "yong.by_pattern", "role_vote", element, "by_pattern", element, key, values, None, (rests_on,), "R-YONG",
        "ZPZQ.论相神紧要",
    )  # fmt: skip


def meanings_text(found: Meanings, useful: Useful, lang: str) -> str:
    """Both and the decision, as one line.

    >>> import bazi_core as bz
    >>> result = bz.chart(pillars="癸亥 甲子 丁酉 丁未").pattern()
    >>> meanings_text(result.meanings, result.useful, "zh-Hans")
    '格局用神（相神）为甲（正印），属木；扶抑用神为木；两者同归木，取用从之：身弱，宜生、助'
    """
    told = [phrased(fact.key, fact.values, lang) for fact in meanings_facts(found, useful)]
    return ("; " if lang == "en" else "；").join(told)


def _votes(useful: Useful, method: str) -> bool:
    return any(vote.method == method and vote.element is not None for vote in useful.votes)


def _roles(useful: Useful, found: Meanings) -> list[str]:
    names = ("primary", "secondary", "neutral", "adverse", "harmful")
    return [names[useful.order.index(each)] for each in (found.pattern, found.balance) if each is not None]
