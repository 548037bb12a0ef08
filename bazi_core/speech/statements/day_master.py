"""Who the day master is, how strong, and on what grounds: the season, the roots, the company among the stems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.useful import ADVERSE, TOO_CLOSE
from bazi_core.school import School
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, sign
from bazi_core.speech.plan import DOUBT, LEANING, SETTLED
from bazi_core.speech.statements.hours import hour_unknown
from bazi_core.speech.statements.nouns import element, roles, share, share_ids
from bazi_core.structures.classes import OUTPUT
from bazi_core.views.strength import SUPPORT, class_of

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

_HELPFUL_STATES = ("旺", "相")
DIVIDED = 2  # of the four methods that agree: the one that is followed has no majority
_TESTS = {"deling": "得令", "dedi": "得地", "deshi": "得势"}


def opening(draft: Draft, result: PatternResult) -> None:
    """The conclusion in one sentence, and what is unknown."""
    pillars = result.pillars
    values: dict[str, Any] = {"day": sign(pillars.day.stem), "month": sign(pillars.month.branch)}
    ids = ["p.day.stem", "p.month.branch"]
    if result.strength is None:
        draft.add("opening.facts", *ids, weight=1, kind="fact", **values)
    else:
        is_of_three = result.special is not None and result.pillars.hour is None
        key = (
            "opening.follow.three"
            if is_of_three
            else "opening.follow"
            if result.special
            else "opening.open"
            if result.is_open
            else "opening"
        )
        ids += ["pat.main", "yong.primary", "yong.secondary", *(() if result.special else ("str.verdict",))]
        if result.is_open:
            ids.append("str.level")
            values["level"] = Term(result.strength.level, "strength")
        draft.add(
            key, *ids, weight=1, certainty=LEANING if is_open(result) else SETTLED, required=result.is_open, **values,
            **roles(result, "use", "joy"), pattern=Term(result.name, "pattern"),
            verdict=Term(result.strength.verdict, "strength"),
        )  # fmt: skip
    other_reading(draft, result)
    hour_unknown(draft, result)


def other_reading(draft: Draft, result: PatternResult) -> None:
    """Where strength is open, what is decided under the other verdict."""
    for other in result.alternatives:
        assert other.strength is not None
        same = other.useful.order[0] is result.useful.order[0]
        draft.add(
            "opening.other.same" if same else "opening.other", "alt.str.verdict", "alt.yong.primary", "alt.yong.secondary",
            weight=1, certainty=LEANING, relation=DOUBT, required=True,
            verdict=Term(other.strength.verdict, "strength"), **roles(other, "use", "joy"),
        )  # fmt: skip


def is_open(result: PatternResult) -> bool:
    """Whether strength or useful god could come out otherwise."""
    found = result.strength
    return found is not None and (found.balanced or found.is_open or result.useful.margin < TOO_CLOSE)


def day_master(draft: Draft, result: PatternResult) -> None:
    """The image of the day stem, its strength, and the grounds of the verdict."""
    day = result.pillars.day.stem
    draft.add(f"image.{day}", "p.day.stem", weight=3, day=sign(day))
    _strength(draft, result)
    _season(draft, result)
    _roots(draft, result)
    _company(draft, result)


def _strength(draft: Draft, result: PatternResult) -> None:
    found = result.strength
    if found is None:
        return
    votes = tuple(f"str.method.{name}" for name in found.method_votes)
    own = result.pillars.day.stem.element
    feed = next(each for each in ELEMENTS if each.generates is own)
    # What three pillars say clearly the hour may still turn.
    all_agree = found.agreement == len(found.method_votes)
    is_apparent = result.special is not None and not result.special.genuine
    tail = ".three" if result.pillars.hour is None else ".apparent" if is_apparent else ""
    # "A weak day master, graded weak" says one thing twice.
    is_told = found.verdict.endswith(found.level)
    grade = () if is_told else Phrase("strength.grade", {"level": Term(found.level, "strength")})
    draft.add(
        f"strength.{found.agreement}{tail if all_agree else ''}", *votes, "str.verdict", "str.level",
        *share_ids(own, feed), weight=1, required=found.is_open, relation=DOUBT,
        certainty=LEANING if found.is_open else SETTLED,
        verdict=Term(found.verdict, "strength"), grade=grade,
        own=element(own), own_share=share(result, own), feed=element(feed), feed_share=share(result, feed),
    )  # fmt: skip
    if found.agreement <= DIVIDED:
        by = "" if result.school.strength_method == School().strength_method else ".school"
        is_lone = found.agreement < DIVIDED  # one method against three is never told without its reason
        draft.add(
            f"strength.chosen{by}{'' if is_lone else '.even'}", *votes, weight=1 if is_lone else 1.5, required=is_lone,
            kind="fact", relation=DOUBT,
        )  # fmt: skip
    # Where the four methods agree another way of counting has been tried and turns nothing.
    if found.balanced and found.agreement < len(found.method_votes) and result.special is None:
        day, balance = result.pillars.day.stem, Term("中和", "strength")
        draft.add("balanced", "str.balanced", "p.day.stem", certainty=LEANING, day=sign(day), balance=balance)
    values: dict[str, Any] = {name: getattr(found, name).score for name in _TESTS}
    values |= {f"{name}_word": Term(word, "strength_test") for name, word in _TESTS.items()}
    draft.add("tests", *(f"str.{name}" for name in _TESTS), weight=3, kind="fact", **values)


def _family(result: PatternResult) -> str:
    """How the chart takes its day master: as one that follows, that follows its output (《滴天髓·顺局》: 从儿不管身强弱),
    that changes its element; empty where it stands by itself."""
    special = result.special
    if special is None or special.special_class == "专旺":
        return ""
    if special.special_class == "化格":
        return "changed"
    return "output" if special.leading == OUTPUT else "follow"


def _in_season(result: PatternResult) -> Element:
    """The element that the month helps or not: that of the day master, of one that changes what it turns into."""
    if _family(result) == "changed" and result.special is not None:
        return result.special.element
    return result.pillars.day.stem.element


def _is_helped(result: PatternResult) -> bool:
    return result.elements.state[_in_season(result).index] in _HELPFUL_STATES


def _season(draft: Draft, result: PatternResult) -> None:
    """What the month does for the day master; for one that changes, for what it turns into."""
    day, month, family, own = (
        result.pillars.day.stem,
        result.pillars.month.branch,
        _family(result),
        _in_season(result),
    )
    state, helped, found = result.elements.state[own.index], _is_helped(result), result.strength
    if family and not (family == "follow" and helped):
        key = f"season.{family}"
    else:
        against = found is not None and found.is_strong is not helped
        key = f"season.though.{'helped' if helped else 'alone'}" if against else f"season.{state}"
    ids = (f"sp.{result.name}",) if family == "changed" else ()
    draft.add(
        key, f"wx.state.{own}", "p.day.stem", "p.month.branch", *ids, day=sign(day), element=element(own),
        month=sign(month), state=Term(state, "season_state"),
    )  # fmt: skip


def _roots(draft: Draft, result: PatternResult) -> None:
    """The branches in which the day master has a root, or that it has none."""
    own, family = result.chart.roots[0], _family(result)
    side = family or ("helped" if _is_helped(result) else "alone")
    if not own.roots:
        # What the season gives was called too little already.
        more = ".more" if side == "helped" and draft.says("season.though.helped") else ""
        draft.add(f"rootless.{side}{more}", "root.day_master.none", day=sign(own.stem))
        return
    if not family and result.useful.role(own.stem.element) in ADVERSE:
        side = "plain"
    ids: tuple[str, ...] = ()
    if family == "changed" and result.special is not None and result.special.genuine:
        side, ids = "changed.trace", (f"sp.{result.name}",)
    places = {root.position: At(f"{root.position}.branch", sign(root.branch)) for root in own.roots}
    draft.add(f"roots.{side}", *map(own.fact_id, own.roots), *ids, places=list(places.values()))
    broken = {root.position: (own.fact_id(root), *root.broken_by) for root in own.roots if root.broken_by}
    if broken and not family:
        names = (name for own_names in broken.values() for name in own_names)
        draft.add("roots.broken", *names, weight=3, places=[places[where] for where in broken])


def _company(draft: Draft, result: PatternResult) -> None:
    """The other stems by their ten gods: who stands by the day master and who draws on it; one that changes its element
    has no company of its own."""
    if _family(result) == "changed":
        return
    day = result.pillars.day.stem
    places: dict[tuple[bool, str], list[At]] = {}
    ids = []
    for where, pillar in result.pillars.items():
        if where != "day":
            ids.append(f"tg.{where}.stem")
            own = (class_of(day, pillar.stem.element) in SUPPORT, draft.value(ids[-1]))
            places.setdefault(own, []).append(At(f"{where}.stem", sign(pillar.stem)))
    told: dict[bool, list[Phrase]] = {True: [], False: []}
    for (helps, god), found in places.items():
        told[helps].append(Phrase("company.each", {"where": found, "god": Term(god, "ten_god")}))
    key = "both" if all(told.values()) else "help" if told[True] else "drain"
    if _family(result):
        key = f"follow.{key}"
    draft.add(
        f"company.{key}", *ids, weight=2.5, help=Clauses(tuple(told[True])), drain=Clauses(tuple(told[False]))
    )
