"""Why the month gives this pattern, or the chart a special structure, and whether the pattern holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import ELEMENTS, TEN_GODS
from bazi_core.pattern.status import BREAKS, FORMED, KINDS, RESCUES, TAINTS, rules
from bazi_core.pattern.useful import ROLES
from bazi_core.speech.catalogue import At, Phrase, Sign, Term, clauses, sign
from bazi_core.speech.plan import DOUBT, LEANING, SETTLED
from bazi_core.speech.statements.nouns import ROLE_IDS, element, share, share_ids
from bazi_core.structures.classes import OFFICER, WEALTH, element_of
from bazi_core.structures.special import TRACE
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.roots import root_share

if TYPE_CHECKING:
    from bazi_core.alphabet import Stem
    from bazi_core.pattern.result import PatternResult
    from bazi_core.pattern.status import PatternStatus
    from bazi_core.speech.plan import Draft
    from bazi_core.structures.special import Special

# Which rows of the table of 成败 each status tells of.
_TOLD = {
    "成格": {"formed": FORMED},
    "败中有救": {"broken": BREAKS, "mended": RESCUES},
    "成中有忌": {"formed": FORMED, "marred": TAINTS},
    "败格": {"broken": BREAKS},
    "未成": {},
}
FIRM, BROKEN = "成格", "败格"
# How many rows of each kind are told.
_TOLD_ROWS = {FORMED: 1, BREAKS: 2, RESCUES: 2, TAINTS: 1}
_WHY = {
    "R-GE-01a": "blade",
    "R-GE-01b": "office",
    "R-GE-01c": "robbed",
    "R-GE-02": "hidden",
    "R-GE-03": "mixed",
    "R-GE-03b": "hidden",
    "R-GE-03c": "element",
    "R-GE-03d": "store",
    "R-GE-04a": "group",
    "R-GE-04b": "group",
}


def structure(draft: Draft, result: PatternResult, of_child: bool = False) -> None:
    """The pattern, its grounds and its standing; of a child not that a pattern is broken."""
    assert result.regular is not None
    why_pattern(draft, result)
    if result.special is None:
        _unwanted(draft, result)
        _details(draft, result)
    if result.standing is not None and not (of_child and result.standing.status == BROKEN):
        standing(draft, result, result.standing)
    for special in result.close[:1]:
        draft.add(
            "close.also" if special.holds else "close", f"sp.{special.name}", "pat.main", weight=3, certainty=LEANING,
            name=Term(special.name, "pattern"), pattern=Term(result.name, "pattern"),
        )  # fmt: skip


def why_pattern(draft: Draft, result: PatternResult) -> None:
    """Why the month gives this pattern, by the rule that named it, or the chart a special structure."""
    if result.special is not None:
        _special(draft, result, result.special)
        return
    assert result.regular is not None
    pillars, stem = result.pillars, result.regular.stem or hidden_stems(result.pillars.month.branch)[0].stem
    key = _WHY[result.regular.basis]
    shown = [where for where, pillar in pillars.items() if pillar.stem is stem and where != "day"]
    ids = [f"hs.month.{stem}", f"tg.month.{stem}"]
    values: dict[str, Any] = {
        "month": At("month.branch", sign(pillars.month.branch)),
        "pattern": Term(result.name, "pattern"),
        "stem": sign(stem),
        "day": sign(pillars.day.stem),
    }
    if key in ("blade", "office"):
        ids = ["stage.day.month", "p.day.stem"]
        values["stage"] = Term(draft.value("stage.day.month"), "stage")
    elif key in ("element", "group"):
        ids = [f"p.{shown[0]}.stem", "p.month.branch", f"tg.{shown[0]}.stem"]
        values["where"] = At(f"{shown[0]}.stem", sign(stem))
    elif key in ("hidden", "mixed") and shown:
        is_main = stem is hidden_stems(pillars.month.branch)[0].stem
        key = "shown" if key == "hidden" and is_main else "mixed"
        ids = [
            *(f"tou.month.{stem}.{where}" for where in shown),
            *(f"tg.{where}.stem" for where in shown),
            *ids,
        ]
        values["where"] = [At(f"{where}.stem") for where in shown]
    if key not in ("blade", "office"):
        values["god"] = Term(draft.value(ids[-1]), "ten_god")
    if key == "group":
        values |= _group(result, stem, ids)
    draft.add(f"why.{key}", *ids, "pat.main", weight=1, **values)


def _group(result: PatternResult, stem: Stem, ids: list[str]) -> dict[str, Any]:
    """The complete group of branches that turns the month."""
    found = next(
        relation for relation in result.chart.relations
        if relation.type in ("三合", "三会") and relation.element is stem.element and ("month" in dict(relation.members))
    )  # fmt: skip
    ids.append(found.id)
    members = [At(f"{where}.branch", Sign(char)) for where, char in found.members]
    return {"group": members, "joined": Term(found.type, "relation"), "element": element(stem.element)}


def _unwanted(draft: Draft, result: PatternResult) -> None:
    """That the star which makes a pattern is not wanted in the chart."""
    assert result.regular is not None
    stem = result.regular.stem or hidden_stems(result.pillars.month.branch)[0].stem
    role = result.useful.role(stem.element)
    if role not in ROLES[3:] or _WHY[result.regular.basis] in ("blade", "office", "robbed"):
        return
    shown = (f"tg.{where}.stem" for where, pillar in result.pillars.items() if pillar.stem is stem)
    ids = [name for name in (f"tg.month.{stem}", *shown) if name in draft.facts][:1]
    draft.add(
        "pattern.unwanted", "pat.main", *ids, *share_ids(stem.element), ROLE_IDS[ROLES.index(role)], weight=1,
        certainty=LEANING,
        god=Term(draft.value(ids[0]), "ten_god"), element=element(stem.element), role=Term(role, "role"),
        share=share(result, stem.element),
    )  # fmt: skip


def _details(draft: Draft, result: PatternResult) -> None:
    """The fine name, what the pattern was before a group changed it, and its companions."""
    regular = result.regular
    assert regular is not None
    fine = draft.value("pat.detail") if "pat.detail" in draft.facts else None
    if fine:
        draft.add("detail", "pat.detail", weight=3, kind="fact", detail=Term(fine, "pattern"))
    if regular.changed_from:
        draft.add(
            "changed", "pat.changed", weight=3, kind="fact", before=Term(regular.changed_from, "pattern")
        )
    if regular.co_patterns:
        names = [Term(name, "pattern") for name in regular.co_patterns]
        draft.add("co", *(f"pat.co.{name}" for name in regular.co_patterns), weight=2.5, names=names)


def _special(draft: Draft, result: PatternResult, special: Special) -> None:
    conditions = [f"sp.{special.name}.{number}" for number, _ in enumerate(special.conditions, 1)]
    key = special.special_class
    if key == "从格" and special.conditions[0].evidence == ("p.day.stem", "p.month.branch"):
        key = "顺局"
    if special.conditions[0].ground.key == "rule.一方秀气":
        key = "一方"
        conditions.append(f"wx.state.{special.element}")
    values: dict[str, Any] = {
        "pattern": Term(special.name, "pattern"),
        "day": sign(result.pillars.day.stem),
        "element": element(special.element),
        "combine": Term("干合", "relation"),
        "peer": Term("比劫", "ten_god_class"),
        "output": Term("食伤", "ten_god_class"),
    }
    if key == "化格":
        where = next(each for each in ("month", "hour") if f"p.{each}.stem" in special.conditions[0].evidence)
        values["where"] = At(f"{where}.stem", sign(dict(result.pillars.items())[where].stem))
        tied = {where, "day"}
        conditions += [
            relation.id
            for relation in result.chart.relations
            if relation.type == "干合" and {*dict(relation.members)} == tied
        ]
        conditions += [f"p.{where}.stem", f"wx.state.{special.element}"]
        if not special.genuine:
            key, left = "化格.apparent", _left(result, special)
            values["left"] = left.said
            conditions += left.evidence
        elif result.elements.state[special.element.index] not in ("旺", "相"):
            key = "化格.hidden"
    elif key == "从格" and not special.genuine:
        key = "从格.apparent"
    draft.add(f"why.{key}", "pat.main", f"sp.{special.name}", *conditions, "p.day.stem", weight=1, **values)
    if special.special_class == "专旺":
        _breached(draft, result)
    if special.special_class != "专旺" and special.genuine:
        draft.add(
            "detail.genuine",
            "pat.main",
            "pat.detail",
            weight=2.5,
            certainty=LEANING,
            pattern=values["pattern"],
        )


def _breached(draft: Draft, result: PatternResult) -> None:
    """财 or 官杀 that shows and has a root in a chart said to be all of one kind (《滴天髓阐微·从象》: 四柱皆比劫)."""
    assert result.company is not None
    day = result.pillars.day.stem
    for k in (WEALTH, OFFICER):
        own = element_of(day, k)
        found = [each for each in result.company.stems if each.stem.element is own and each.is_rooted]
        if found:
            roots = (name for each in found for name in result.company.scene.root_ids(each.position))
            draft.add(
                "why.breached", "pat.main", *(each.leaf_id for each in found), *roots, *share_ids(own), weight=1,
                required=True, relation=DOUBT, certainty=LEANING, element=element(own),
                places=[At(f"{each.position}.stem", sign(each.sign)) for each in found],
            )  # fmt: skip
            return


class _Left(NamedTuple):
    """What keeps a 化格 from being pure, with the facts that say so."""

    said: Phrase
    evidence: tuple[str, ...]


def _left(result: PatternResult, special: Special) -> _Left:
    """The roots that the day stem keeps, else the stems that show of what controls the new element."""
    own = result.chart.roots[0]
    if own.roots and _is_rooted(result):
        kept = {root.position: root for root in own.roots}
        places = [At(f"{where}.branch", sign(root.branch)) for where, root in kept.items()]
        return _Left(
            Phrase("left.root", {"roots": places}), tuple(own.fact_id(root) for root in kept.values())
        )
    breaker = next(each for each in ELEMENTS if each.controls is special.element)
    stems = [
        (where, pillar.stem) for where, pillar in result.pillars.items()
        if where != "day" and pillar.stem.element is breaker
    ]  # fmt: skip
    values = {
        "element": element(special.element), "breaker": element(breaker),
        "stems": [At(f"{where}.stem", sign(stem)) for where, stem in stems],
    }  # fmt: skip
    return _Left(Phrase("left.breaker", values), tuple(f"p.{where}.stem" for where, _ in stems))


def _is_rooted(result: PatternResult) -> bool:
    """Whether the day stem keeps a root that is more than a trace."""
    shares = root_share(result.pillars, result.school)
    return shares[result.pillars.day.stem.element.index] > TRACE


def standing(draft: Draft, result: PatternResult, stands: PatternStatus) -> None:
    """The status with the rows that decide it, the stem it leans on, its rank."""
    held = [answer for answer in stands.answers() if answer.holds]
    answers = {rule.id: rule.answers for rule in rules(stands.pattern)}
    rows = _Rows({kind: [each.id for each in held if each.kind == kind] for kind in KINDS}, answers)
    told = {name: rows.of(kind)[: _TOLD_ROWS[kind]] for name, kind in _TOLD[stands.status].items()}
    if "mended" in told:
        told["mended"] = rows.mending(told["broken"])[: _TOLD_ROWS[RESCUES]]
    status = Term(stands.status, "pattern_status")
    helper: dict[str, Any] = {}
    if stands.xiang_shen is not None and _is_of_row(stands, told):
        helper = {"stem": sign(stands.xiang_shen), "god": Term(str(stands.xiang_shen_god), "ten_god")}
    open_ended = stands.status in ("败格", "未成")
    _rows(
        draft,
        f"status.{stands.status}",
        told,
        1,
        "pat.main",
        "pat.status",
        "p.day.stem",
        *(("pat.xiang_shen",) if helper and stands.status == FIRM else ()),
        certainty=LEANING if open_ended else SETTLED,
        helper=Phrase("status.helper", helper) if helper and stands.status == FIRM else (),
        status=status,
        day=sign(result.pillars.day.stem),
        pattern=Term(result.name, "pattern"),
    )
    if stands.status == FIRM and rows.of(FORMED)[1:]:
        _rows(draft, "status.more", {"more": rows.of(FORMED)[1:]}, 3, "pat.status")
    if stands.status == FIRM and rows.held[TAINTS]:
        marred = rows.held[TAINTS][:1]
        _rows(draft, "status.mended", {"marred": marred, "mended": rows.mending(marred)[:1]}, 3, "pat.status")
    if helper and stands.status != FIRM:
        draft.add("xiang", "pat.xiang_shen", weight=2.5, **helper)
    draft.add("rank", "pat.rank", weight=3, rank=stands.rank)


def _is_of_row(stands: PatternStatus, told: dict[str, list[str]]) -> bool:
    """Whether the 相神 is one of the gods that the row names by which the pattern is told to hold."""
    formed = told.get("formed", [])
    bit = 1 << [god.value for god in TEN_GODS].index(str(stands.xiang_shen_god))
    named = [
        term for rule in rules(stands.pattern) if rule.id in formed for term in rule.terms if not term.denied
    ]
    return not formed or any(bits & bit for term in named for bits in term.bits)


class _Rows(NamedTuple):
    """The rows of the table that hold, by kind, and which rows each of them mends."""

    held: dict[str, list[str]]
    answers: dict[str, tuple[str, ...]]

    def of(self, kind: str) -> list[str]:
        """The rows of a kind; of flaws those that nothing mends."""
        return [each for each in self.held[kind] if kind != TAINTS or not self.mending([each])]

    def mending(self, harm: list[str]) -> list[str]:
        """The rows that mend some of these."""
        return [row for rows in self.held.values() for row in rows if {*harm} & {*self.answers[row]}]


def _rows(
    draft: Draft,
    key: str,
    told: dict[str, list[str]],
    weight: float,
    *evidence: str,
    certainty: str = SETTLED,
    **values: Any,
) -> None:
    """A sentence with rows of the table as its clauses."""
    ids = (f"pat.pred.{row}" for rows in told.values() for row in rows)
    named: dict[str, Any] = {name: clauses(f"pred.{row}" for row in rows) for name, rows in told.items()}
    draft.add(key, *evidence, *ids, weight=weight, certainty=certainty, **named, **values)
