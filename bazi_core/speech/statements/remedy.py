"""The useful god: why it is taken, where it stands, who voted for it and who did not, and what to keep at a distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.alphabet import ELEMENTS
from bazi_core.pattern.meanings import BY_BALANCE
from bazi_core.pattern.roles import AGAINST_STRONG, AGAINST_WEAK, Chosen, told_cause
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, TOO_CLOSE
from bazi_core.speech.catalogue import At, Clauses, Phrase, Term, sign
from bazi_core.speech.plan import IN_PLACE, LEANING, METHOD, SETTLED
from bazi_core.speech.statements.nouns import (
    ROLE_IDS,
    ROLE_KEYS,
    element,
    pillars_read,
    roles,
    seats,
    share,
    share_ids,
)
from bazi_core.structures.book_rules import TAKES, book_rules
from bazi_core.views.strength import class_of

if TYPE_CHECKING:
    from bazi_core.alphabet import Element
    from bazi_core.pattern.meanings import Meanings
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.useful import Vote
    from bazi_core.speech.plan import Draft

# Percent from which a useful god is one that the chart has plenty of, and from which what is idle is a burden all the same.
PLENTIFUL, HEAVY = 40, 30
# 现与根 says what is at hand, not what is wanted; it may back a choice and is no dissent.
_AT_HAND = "presence"


def remedy(draft: Draft, result: PatternResult) -> None:
    """The useful god and the other roles."""
    assert result.strength is not None
    why_useful(draft, result)
    _where(draft, result)
    if result.special is None:
        _methods(draft, result)
        _opposed(draft, result)
        if any(doubt.code == "USEFUL_GOD_CLOSE" for doubt in result.warnings):
            ids = ("yong.primary", "yong.secondary")
            draft.add("useful.close", *ids, weight=2.5, certainty=LEANING, **roles(result, "use", "joy"))
    _heavy(draft, result)
    _crossed(draft, result)
    _others(draft, result)


def why_useful(draft: Draft, result: PatternResult) -> None:
    """Why the useful god is taken for this day master in this month; of a special structure that is told with it."""
    if result.special is not None or result.strength is None:
        return
    use, day = result.useful.order[0], result.pillars.day.stem
    side = "strong" if result.strength.is_strong else "weak"
    rules_ = [rule for vote in result.useful.votes for rule, _ in vote.said]
    ruled = [f"yong.rule.{rule.id}" for rule in rules_]
    takes = "reason.rule" if {*rules_} & {*book_rules(TAKES)} else "reason.yields"
    draft.add(
        takes if ruled else f"reason.{side}.{class_of(day, use)}",
        "yong.primary", "p.day.stem", "p.month.branch", "str.verdict", *ruled, weight=1,
        day=sign(result.pillars.day.stem), month=sign(result.pillars.month.branch),
        use=element(use), own=element(day.element), verdict=Term(result.strength.verdict, "strength"),
        rules=Clauses(tuple(rule.ground for rule in rules_)),
    )  # fmt: skip


def _heavy(draft: Draft, result: PatternResult) -> None:
    """Why a useful god is one that the chart has plenty of already."""
    use = result.useful.order[0]
    if (
        result.special is not None
        or result.strength is None
        or result.elements.seasonal[use.index] <= PLENTIFUL
    ):
        return
    day = result.pillars.day.stem.element
    own = [each for each in ELEMENTS if each is day or each.generates is day]
    spent = [each for each in ELEMENTS if each not in own]
    weights = [sum(result.elements.seasonal[each.index] for each in side) for side in (own, spent)]
    values: dict[str, Any] = {"use": element(use), "share": share(result, use)}
    ids = ("yong.primary", "str.verdict", *share_ids(use))
    if use in own and not result.strength.is_strong and weights[0] < weights[1]:
        draft.add("use.heavy.outweighed", *ids, *share_ids(*spent), weight=1.5, certainty=LEANING, **values)
        return
    k = class_of(result.pillars.day.stem, use)
    most = max(result.useful.votes, key=lambda each: each.points[k])
    why = Phrase(f"method.{most.method}", {})
    draft.add(
        "use.heavy", *ids, f"yong.method.{most.method}", weight=1.5, certainty=LEANING, why=why, **values
    )


def _crossed(draft: Draft, result: PatternResult) -> None:
    """用神 and 喜神 of which one controls the other: by which method the second is wanted, and what reconciles the two."""
    use, joy = result.useful.order[:2]
    if result.special is not None or (use.controls is not joy and joy.controls is not use):
        return
    first, second = (use, joy) if use.controls is joy else (joy, use)
    k = class_of(result.pillars.day.stem, joy)
    wanted = [
        vote for vote in result.useful.votes if vote.points[k] > 0 and vote.method not in (_AT_HAND, "rule")
    ]
    key, ids = ("joy.crossed", ["yong.primary", "yong.secondary"]) if wanted else ("joy.crossed.bare", [])
    values: dict[str, Any] = {}
    # A method that would take it first says more of why it is wanted than one that only adds to it.
    wanted = [vote for vote in wanted if vote.element is joy] or wanted
    if wanted:
        most = max(wanted, key=lambda each: each.points[k])
        values["why"] = Phrase(f"method.{most.method}", {})
        ids += [f"yong.method.{most.method}"] if most.element is not None else []
    # What the chart wants least reconciles nothing.
    between = result.useful.role(first.generates)
    values["both"] = (
        Phrase("joy.both.apart", {})
        if between in ADVERSE
        else Phrase("joy.both.between", {"between": element(first.generates)})
    )
    draft.add(
        key, "yong.primary", "yong.secondary", ROLE_FACTS[between], *ids, weight=1.5,
        certainty=LEANING, first=element(first), second=element(second), **values,
        **roles(result, "use", "joy"),
    )  # fmt: skip


def _others(draft: Draft, result: PatternResult) -> None:
    """忌神, 仇神 and 闲神, each with its cause."""
    _, _, idle, foe, shun = result.useful.order
    heavy = result.special is None and _is_burden(result, idle)
    ill = result.diagnosis is not None and result.diagnosis.illness is idle
    causes = {
        "why_shun": _why_kept_off(result, "忌神", shun),
        "why_foe": _why_kept_off(result, "仇神", foe),
        "why_idle": "ill" if ill else f"burden.{_against(result)}" if heavy else "idle",
    }
    told: dict[str, Any] = {name: _cause(result, cause) for name, cause in causes.items()}
    draft.add(
        "avoid", *ROLE_IDS, *share_ids(shun), *(share_ids(idle) if heavy else ()),
        *(("pat.diagnosis",) if ill else ()), weight=1.5, certainty=LEANING,
        share=share(result, shun), **told,
        **roles(result, "shun", "foe", "idle"),
    )  # fmt: skip


def _why_kept_off(result: PatternResult, role: str, kept_off: Element) -> str:
    """The cause of a 忌神 or 仇神, one that truly holds; in a special structure it is what the element does to others."""
    assert result.strength is not None
    day, order = result.pillars.day.stem, result.useful.order
    use, joy, _, _, shun = (class_of(day, each) for each in order)
    chosen = Chosen(use, joy, result.strength.is_strong, shun if role == "仇神" else None)
    found = told_cause(role, class_of(day, kept_off), chosen)
    if found is None:
        raise ValueError(f"role_causes: no row says why {kept_off} is {role}")
    return _against(result) if found == "逆身" else found


def _against(result: PatternResult) -> str:
    """What goes against the day master: it adds to a strong one or spends a weak one."""
    assert result.strength is not None
    return "添强" if result.strength.is_strong else "耗弱"


def _is_burden(result: PatternResult, idle: Element) -> bool:
    assert result.strength is not None
    against = AGAINST_STRONG if result.strength.is_strong else AGAINST_WEAK
    return (
        result.elements.seasonal[idle.index] >= HEAVY and class_of(result.pillars.day.stem, idle) in against
    )


def _cause(result: PatternResult, key: str) -> Phrase:
    named = {name: element(each) for name, each in zip(ROLE_KEYS, result.useful.order, strict=True)}
    values = {"克用": ("use",), "克喜": ("joy",), "生忌": ("shun",), "耗用": ("use",), "泄用": ("use",)}.get(
        key, ()
    )
    if key.startswith("burden"):
        return Phrase(f"cause.{key}", {"share": share(result, result.useful.order[2])})
    return Phrase(f"cause.{key}", {name: named[name] for name in values})


# Where the useful god stands -> the rows of the diagnosis that tell it.
_SEATS_TOLD = {
    "hidden": ("hidden",), "absent": ("absent",), "bound": ("bound",), "bound.rooted": ("bound",),
}  # fmt: skip


def _where(draft: Draft, result: PatternResult) -> None:
    """Where the useful god stands: among the stems, in the branches, nowhere, in the day stem alone, or combined away."""
    use = result.useful.order[0]
    found = seats(result.pillars, use)
    assert result.company is not None
    own = [stem for stem in result.company.stems if stem.stem.element is use]
    bound = [each for each in own if each.bound_to is not None]
    stems, key, evidence = found.stems, found.key, found.evidence
    if bound:
        held = {f"{each.position}.stem" for each in bound}
        free = [stem for stem in stems if stem.place not in held]
        stems = free or stems
        evidence += tuple(result.company.scene.bound[each.position] for each in bound)
        if not free:
            key = "bound.rooted" if found.branches else "bound"
    if key == "hidden" and _rules(result, use):
        key = "hidden.ruling"
        evidence += share_ids(use)
    ailing = result.diagnosis
    if key == "both" and ailing is not None and ailing.key == "attacked" and ailing.useful is use:
        key = "both.held"
        evidence += ("pat.diagnosis",)
    if not evidence:
        alone = use is result.pillars.day.stem.element
        key, evidence = ("self", ("p.day.stem",)) if alone else (key, (f"wx.missing.{use}",))
    partners = [
        At(f"{where}.stem", sign(char)) for where, char in (each.bound_to for each in bound if each.bound_to)
    ]
    # What the diagnosis has told of its seat is left to a long reading.
    is_told = ailing is not None and ailing.useful is use and ailing.key in _SEATS_TOLD.get(key, ())
    draft.add(
        f"use.{key}", "yong.primary", *evidence, weight=3 if is_told else 2, stems=stems, branches=found.branches,
        partners=partners, chart=pillars_read(result.pillars), **roles(result, "use"),
    )  # fmt: skip


# From so many percent a useful god that no stem shows works all the same; or where it is the main qi of the month.
RULING = 25


def _rules(result: PatternResult, use: Element) -> bool:
    return result.elements.seasonal[use.index] >= RULING or result.pillars.month.branch.element is use


def _methods(draft: Draft, result: PatternResult) -> None:
    """Which methods arrive at the useful god, and what the others would take."""
    use, chosen = result.useful.order[0], dict[str, list[str]]()
    for vote in result.useful.votes:
        if _is_parted(result, vote):
            continue
        if vote.element is not None and (vote.method != _AT_HAND or vote.element is use):
            chosen.setdefault(vote.element.value, []).append(vote.method)
    ids = [f"yong.method.{method}" for methods in chosen.values() for method in methods]
    agree = chosen.pop(use.value, [])
    others = Clauses(tuple(
        Phrase("method.other", {"methods": method_names(result, methods), "element": Term(other, "element")})
        for other, methods in chosen.items()
    ))  # fmt: skip
    key = "split" if agree and chosen else "sum" if chosen else "united" if agree[1:] else "single"
    dissent = sum(map(len, chosen.values()))
    draft.add(
        f"methods.{key}", "yong.primary", *ids, certainty=LEANING if chosen else SETTLED, weight=1.5 if chosen else 2,
        required=dissent > len(agree), relation=METHOD, **roles(result, "use"), methods=method_names(result, agree),
        others=others,
        why=_why(result, use, agree),
    )  # fmt: skip
    if chosen:
        _doubt(draft, result, [each for each in ELEMENTS if each.value in chosen], ids, dissent > len(agree))


def _doubt(
    draft: Draft, result: PatternResult, others: list[Element], ids: list[str], required: bool = False
) -> None:
    """That another element could come first, where a plain reading leaves the methods out; which of these is counted as a
    hindrance here."""
    adverse = [each for each in others if result.useful.role(each) in ADVERSE]
    draft.add(
        "useful.doubt.adverse" if adverse else "useful.doubt", "yong.primary", "p.day.stem", "p.month.branch", *ids,
        *(ROLE_FACTS[result.useful.role(each)] for each in adverse), certainty=LEANING, weight=1.5, relation=IN_PLACE,
        required=required, use=element(result.useful.order[0]), elements=[element(each) for each in others],
        adverse=[element(each) for each in adverse], day=sign(result.pillars.day.stem),
        month=sign(result.pillars.month.branch),
    )  # fmt: skip


def _why(result: PatternResult, use: Element, agree: list[str]) -> Phrase:
    """Why this element comes first though others are named: a sentence of a book outranks the sum of the methods; else the
    method that adds most to it, and by how much it leads."""
    if "rule" in agree:
        return Phrase("first.rule", {})
    if not agree:
        return Phrase("first.sum", {})
    k = class_of(result.pillars.day.stem, use)
    most = max(
        (vote for vote in result.useful.votes if vote.method in agree), key=lambda each: each.points[k]
    )
    lead = "close" if result.useful.margin < TOO_CLOSE else "clear"
    return Phrase(f"first.{lead}", {"most": Phrase(f"method.{most.method}", {})})


def _is_parted(result: PatternResult, vote: Vote) -> bool:
    """Whether a vote of the pattern is for another element than what completes it, which is what the pattern wants."""
    found = result.meanings
    return (
        found is not None
        and found.pattern is not None
        and vote.method == "ge_ju"
        and vote.element is not found.pattern
    )


def _opposed(draft: Draft, result: PatternResult) -> None:
    """What completes the pattern and what balances the day master, where the one is wanted and the other not."""
    found = result.meanings
    if found is not None and found.opposed and found.pattern is not None and found.balance is not None:
        # That a rule of the books decides is told with the reason already.
        followed = _followed(found)
        why: dict[str, Any] = {} if followed == "rule" else {"why": Phrase(f"followed.{followed}", {})}
        if why:
            why["use"] = element(result.useful.order[0])
        draft.add(
            "useful.opposed" if why else "useful.opposed.ruled", "yong.opposed", "yong.by_pattern", "yong.by_balance",
            "yong.primary", "p.day.stem", weight=1.5, certainty=LEANING, relation=METHOD, day=sign(result.pillars.day.stem),
            pattern_wants=element(found.pattern), balance_wants=element(found.balance), **why,
        )  # fmt: skip
        use = result.useful.order[0]
        others = [each for each in (found.pattern, found.balance) if each is not use]
        if not draft.says("useful.doubt", "useful.doubt.adverse"):
            ids = ["yong.opposed", "yong.by_pattern", "yong.by_balance"]
            _doubt(draft, result, others, ids)


def _followed(found: Meanings) -> str:
    """What decided between two opposite meanings."""
    return "rule" if found.method == "rule" else BY_BALANCE if found.followed == BY_BALANCE else "weighed"


def method_names(result: PatternResult, methods: list[str]) -> list[Phrase]:
    """The methods by their names. Warm and cold are weighed beside the table of the months, which may ask for another."""
    votes = {vote.method: vote.element for vote in result.useful.votes}
    asked = result.climate.required[0].element if result.climate is not None else None
    is_of_season = asked is not None and votes.get("tiao_hou") is not asked
    return [
        Phrase("method.season" if method == "tiao_hou" and is_of_season else f"method.{method}", {})
        for method in methods
    ]
