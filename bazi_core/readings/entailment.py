"""What a fact entails: the claims of its own sentence, those of its fields, and their consequences.

The sentence of a fact is read with the scanner that reads readings, so that both mean the same by the same words.
Consequences are rows of `implications.csv` and the alphabets: a pillar brings its stem, branch, elements and
animal, a ten god its class. A claim at the month stem is also one at the month, and one of the chart.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from bazi_core.alphabet import ELEMENTS, Branch, Pillar, Stem, TenGod
from bazi_core.readings.claims import NUMBERS, Claim, mentions
from bazi_core.readings.numbers import date_parts
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_SIGNS = ("stem", "branch", "pillar")
_CLASSES = ("比劫", "食伤", "财", "官杀", "印")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d))?")
ROLES = ("用神", "喜神", "闲神", "仇神", "忌神")
NATAL = ("year", "month", "day", "hour")
_TESTS = {"deling": "得令", "dedi": "得地", "deshi": "得势"}
HELD = 50  # from so many points of 100 on a test of strength is passed
_SEASONS = "冬冬春春春夏夏夏秋秋秋冬"  # of the months 子 to 亥


class FactLike(Protocol):
    """What of a fact the checker reads."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def text_zh(self) -> str: ...
    @property
    def position(self) -> str | None: ...


def entailed(fact: FactLike) -> frozenset[Claim]:
    """Every claim that a fact supports.

    >>> from bazi_core.facts import Fact
    >>> one = Fact("tg.month.stem", "ten_god", "month", "ten_god", "劫财", "月干辛为劫财", "month")
    >>> Claim("ten_god_class", "比劫", "month") in entailed(one), Claim("ten_god", "劫财", "day") in entailed(one)
    (True, False)
    """
    value = fact.value if isinstance(fact.value, (str, int, float, bool)) else None
    return _entailed(fact.id, fact.kind, fact.subject, fact.predicate, value, fact.text_zh, fact.position)


@lru_cache(maxsize=1 << 14)
def _entailed(
    name: str, kind: str, subject: str, predicate: str, value: Any, text: str, position: str | None
) -> frozenset[Claim]:
    stated = [each.claim for each in mentions(text)]
    if kind == "special" and value is False:
        stated = [each for each in stated if each.category != "pattern" or each.negated]
    if (kind, predicate) == ("luck", "start"):
        stated += [Claim("age", each.term) for each in stated if each.category == "years"]
    if kind == "role_vote":
        stated = [each for each in stated if each.category not in ("role", "role_word")]
    stated += _of_fields(kind, subject, predicate, value, position)
    stated += _of_id(name)
    if kind == "event":
        places = {
            each.position.partition(".")[0] for each in stated if each.position and each.category in _SIGNS
        }
        ties = [each for each in stated if each.category == "relation" and not each.negated]
        stated += [each._replace(position=place) for each in ties for place in places]
    if kind in ("relation", "transformation"):
        stated += [Claim("relation", predicate, place) for place in (position or "").split("-") if place]
    return closure(stated)


def _of_fields(kind: str, subject: str, predicate: str, value: Any, position: str | None) -> Iterator[Claim]:
    if position in NATAL and kind in ("siling", "root"):
        yield Claim("position", position)
    match kind, predicate:
        case "role", _:
            yield Claim("role", f"{predicate}:{value if value in '木火土金水' else subject}")
        case "element", "state":
            yield Claim("state", f"{subject}:{value}")
        case "element", ("missing" | "dominant"):
            yield Claim(predicate, subject)
        case "element", _:
            yield Claim("percent_of", f"{subject}:{value}")
            yield Claim("percent", str(value))
        case "time", ("prev_jie" | "next_jie"):
            yield Claim("born_side", f"{subject}:{'后' if predicate == 'prev_jie' else '前'}")
        case "strength", ("deling" | "dedi" | "deshi") if isinstance(value, (int, float)) and value >= HELD:
            yield Claim("holds_test", _TESTS[predicate])
        case "siling", _:
            yield Claim("stem", str(value), f"{position}.branch")
        case "root", "root":
            own = subject if subject in NATAL else "day"
            yield Claim("root", "通根", position)
            yield Claim("root", "通根", own)
            yield Claim("root_of", f"{own}:通根")
        case "root", "rootless":
            yield Claim("root_of", f"{subject if subject in NATAL else 'day'}:无根")
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield Claim("number", f"{abs(value):g}")
        if kind in ("score", "strength"):
            yield Claim("score", f"{abs(value):g}")
    elif isinstance(value, str) and (found := _ISO.search(value)):
        yield from (Claim(*part) for part in date_parts(found[1], found[2], found[3]))
        if found[4]:
            yield Claim("clock", found[4].lstrip("0"))


def _of_id(name: str) -> Iterator[Claim]:
    """The year, the number of the month or of the luck pillar in an id: `ln.2026.…`, `lm.2026.05`, `dy.3`."""
    layer, _, rest = name.partition(".")
    number = rest.partition(".")[0]
    if not number.isdigit():
        return
    if layer in ("ln", "yr", "lm") and len(number) == 4:
        yield Claim("year", number)
    if layer == "lm" and rest[5:7].isdigit():
        yield Claim("month_index", str(int(rest[5:7])))
    if layer == "dy":
        yield Claim("luck_index", number)
    if layer == "xy":
        yield Claim("nominal_age", number)


def closure(stated: Iterable[Claim]) -> frozenset[Claim]:
    """Claims with their consequences, at their place and at every wider one."""
    single = [each for claim in stated for each in _split(claim)]
    years, months, events = (
        {claim.term for claim in single if claim.category == each and not claim.negated}
        for each in ("year", "month_index", "event")
    )
    tied = [Claim("event_of", f"{year}:{event}") for year in years for event in events]
    tied += [Claim("event_in", f"{month}:{event}") for month in months for event in events]
    return frozenset().union(*map(_closed, (*single, *tied)))


@lru_cache(maxsize=1 << 14)
def _closed(claim: Claim) -> frozenset[Claim]:
    """One claim with its consequences; there are few enough of them to keep."""
    found: set[Claim] = set()
    waiting = [claim]
    while waiting:
        each = waiting.pop()
        if each in found:
            continue
        found.add(each)
        waiting.extend(_wider(each))
        if not each.negated:
            waiting.extend(_consequences(each))
    return frozenset(found)


def _split(claim: Claim) -> list[Claim]:
    if claim.position is None or ("|" not in claim.position and "&" not in claim.position):
        return [claim]
    return [claim._replace(position=place) for place in claim.position.replace("&", "|").split("|")]


def _wider(claim: Claim) -> Iterator[Claim]:
    if claim.position is not None:
        place, dot, _ = claim.position.partition(".")
        yield claim._replace(position=place if dot else None)


def _consequences(claim: Claim) -> Iterator[Claim]:
    """What follows from one claim: by its category, then by the rows of `implications.csv`."""
    category, term, position, _ = claim
    if category in NUMBERS:
        yield from _of_number(category, term)
        return
    if category in _BY_CATEGORY:
        yield from _BY_CATEGORY[category](claim)
    for too, said, negated in _implications().get((category, term), ()):
        yield Claim(too, said, position if too == category else None, negated)


def _of_number(category: str, term: str) -> Iterator[Claim]:
    yield Claim("number", term)
    if category in ("nominal_age", "full_age"):
        yield Claim("age", term)
    if category == "clock":
        yield from _of_clock(int(term.partition(":")[0] or 0))


def _place(claim: Claim) -> str | None:
    return claim.position.partition(".")[0] if claim.position else None


def _of_pillar(claim: Claim) -> Iterator[Claim]:
    pillar, place = Pillar(claim.term), _place(claim)
    yield Claim("stem", pillar.stem.value, f"{place}.stem" if place else None)
    yield Claim("branch", pillar.branch.value, place)


def _of_stem(claim: Claim) -> Iterator[Claim]:
    element, place = Stem(claim.term).element.value, _place(claim)
    yield Claim("element", element)
    if place in NATAL and claim.position == f"{place}.stem":
        yield Claim("missing", element, None, True)
    if claim.position is not None and claim.position.endswith(".stem"):
        yield from _revealed(claim.term, element)
    if claim.position in _ELEMENT_AT:
        yield Claim(_ELEMENT_AT[claim.position], element)


# What the element of a stem is at these places.
_ELEMENT_AT = {"day.stem": "self_element", "liunian.stem": "element_year"}


def _of_branch(claim: Claim) -> Iterator[Claim]:
    branch, place = Branch(claim.term), _place(claim)
    yield Claim("element", branch.element.value)
    if place in NATAL:
        yield Claim("missing", branch.element.value, None, True)
        yield Claim(f"born_{place}", claim.term)
        yield Claim(f"born_{place}_of", branch.zodiac.value)
    for where, category, said in _BRANCH_AT:
        if where == place:
            yield Claim(category, said(branch))
    if place == "hour":
        yield from _of_clock(branch.index * 2)


# What a branch says at a place: the place, the category, the term.
_BRANCH_AT: tuple[tuple[str, str, Callable[[Branch], str]], ...] = (
    ("year", "born_in", lambda branch: branch.zodiac.value),
    ("month", "season", lambda branch: _SEASONS[branch.index]),
    ("liunian", "zodiac_year", lambda branch: branch.zodiac.value),
    ("liunian", "element_year", lambda branch: branch.element.value),
)


def _of_ten_god(claim: Claim) -> Iterator[Claim]:
    group = _CLASSES[TenGod(claim.term).index // 2]
    yield Claim("ten_god_class", group, claim.position)
    if claim.position is not None and claim.position.endswith(".stem"):
        yield from _revealed(claim.term, group)


def _of_ten_god_class(claim: Claim) -> Iterator[Claim]:
    if claim.position is not None and claim.position.endswith(".stem"):
        yield from _revealed(claim.term)


def _of_kin(claim: Claim) -> Iterator[Claim]:
    if claim.term.endswith(":hidden"):
        yield Claim("revealed", "不透")


def _of_role(claim: Claim) -> Iterator[Claim]:
    """What has one role has no other."""
    own, _, whose = claim.term.partition(":")
    if own in ROLES:
        yield from (Claim("role", f"{other}:{whose}", None, True) for other in ROLES if other != own)


def _of_event(claim: Claim) -> Iterator[Claim]:
    when, _, event = claim.term.partition(":")
    wider = _implications().get(("event", event), ())
    yield from (Claim(claim.category, f"{when}:{said}") for too, said, _ in wider if too == "event")


def _of_root(claim: Claim) -> Iterator[Claim]:
    who, _, root = claim.term.partition(":")
    yield Claim("root_of", f"{who}:{'无根' if root == '通根' else '通根'}", None, True)


def _of_status(claim: Claim) -> Iterator[Claim]:
    relation, _, status = claim.term.partition(":")
    general = _implications().get(("relation", relation), ())
    yield from (Claim("status_of", f"{said}:{status}") for _, said, negated in general if not negated)


def _of_sign(claim: Claim) -> Iterator[Claim]:
    yield Claim("branch", claim.term)


_BY_CATEGORY: dict[str, Callable[[Claim], Iterator[Claim]]] = {
    "pillar": _of_pillar,
    "stem": _of_stem,
    "branch": _of_branch,
    "kin": _of_kin,
    "born_month": _of_sign,
    "void": _of_sign,
    "ten_god": _of_ten_god,
    "ten_god_class": _of_ten_god_class,
    "role": _of_role,
    "event_of": _of_event,
    "event_in": _of_event,
    "root_of": _of_root,
    "status_of": _of_status,
}


def _of_clock(hour: int) -> Iterator[Claim]:
    """13:30 is one o'clock, 午后 and 下午."""
    yield from (Claim("oclock", str(each)) for each in {hour, hour % 12 or 12})
    for term in _dayparts():
        first, last = map(int, term.split("-"))
        if first <= hour < last or (last < first and not last <= hour < first):
            yield Claim("daypart", term)


@cache
def _dayparts() -> frozenset[str]:
    return frozenset(row["term"] for row in rows("paraphrases") if row["category"] == "daypart")


def _revealed(*terms: str) -> Iterator[Claim]:
    yield Claim("revealed", "透干")
    yield from (Claim("revealed_of", term) for term in terms)


@cache
def _implications() -> Mapping[tuple[str, str], tuple[tuple[str, str, bool], ...]]:
    found: dict[tuple[str, str], list[tuple[str, str, bool]]] = {}
    for row in rows("implications"):
        for element in ELEMENTS if "<element>" in row["term"] else (None,):
            term, said = (row[name].replace("<element>", str(element)) for name in ("term", "term_too"))
            found.setdefault((row["category"], term), []).append(
                (row["category_too"], said.removeprefix("!"), said.startswith("!"))
            )
    return {key: tuple(each) for key, each in found.items()}
