"""Two ways of working weighed against each other: the rows of `vocations.csv` that hold of a chart, for and against each;
and fields of work that a question names, by their elements.

《滴天髓·何知章》: 何知其人富，财气通门户；何知其人贵，官星有理会. So 财 speaks for trade of one's own and 官 for an office
and its authority; 食伤 for a craft (《子平真诠·论伤官》); what feeds or takes any of them speaks with it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.pattern.dynamic_rules import BAD, GOOD
from bazi_core.pattern.dynamics import STANDS
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.questions.paths import PAIRS
from bazi_core.questions.trades import trades
from bazi_core.speech.catalogue import Clauses, Phrase, Term
from bazi_core.speech.plan import CLAIM, GROUND, LEANING, OPEN
from bazi_core.speech.statements.nouns import element
from bazi_core.speech.statements.why_and_how import decides, differing, readings_told
from bazi_core.structures.classes import CLASSES, element_of
from bazi_core.structures.language import WrittenCondition, conditions
from bazi_core.tables import rows
from bazi_core.tables.checks import names_known, rows_once

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft

SLIGHT = 1  # a lead that is told as a slight one
NAMED = 2  # grounds that are named


class VocationRow(NamedTuple):
    """A row of the table; `condition` are alternatives, each of conditions that hold together."""

    id: str
    path: str
    points: int
    condition: tuple[tuple[WrittenCondition, ...], ...]
    of: str
    source: str


class VocationGround(NamedTuple):
    """A row that holds, as a ground for one of two ways: its points, its words, the facts on which it rests."""

    path: str
    points: int
    said: Phrase
    evidence: tuple[str, ...]


class Vocation(NamedTuple):
    """The balance of two ways: `better` the one with more points, "" if both have as many, `lead` how many more, `grounds`
    the weightiest first.

    >>> import bazi_core as bz
    >>> found = vocation(bz.chart("1988-08-18 13:30", city="北京", gender="male").pattern(), ("own", "post"))
    >>> found.better, found.lead, [each.path for each in found.grounds][:3]
    ('post', 4, ['post', 'own', 'post'])
    """

    better: str
    lead: int
    grounds: tuple[VocationGround, ...]

    def of(self, path: str) -> list[VocationGround]:
        """The grounds for a way."""
        return [ground for ground in self.grounds if ground.path == path]


@cache
def vocation_rows() -> tuple[VocationRow, ...]:
    """The rows of the table."""
    given = rows("vocations")
    rows_once("vocations", (row["id"] for row in given))
    names_known(
        "vocations", "path", (row["path"] for row in given), {path for pair in PAIRS for path in pair}
    )
    found = tuple(
        VocationRow(
            row["id"], row["path"], int(row["points"]), tuple(map(conditions, row["condition"].split(";"))),
            row["class"], row["source"],
        )
        for row in given
    )  # fmt: skip
    verbs = (term.verb for row in found for terms in row.condition for term in terms)
    names_known("vocations", "condition", verbs, _HOLDS)
    if any(term.denied for row in found for terms in row.condition for term in terms):
        raise ValueError(
            "vocations: a condition here cannot be denied, since it is told by the facts that hold"
        )
    names_known("vocations", "class", (row.of for row in found if row.of), CLASSES)
    return found


def _role(result: PatternResult, name: str) -> str:
    return result.useful.role(element_of(result.pillars.day.stem, CLASSES.index(name)))


def _of_strength(is_strong: bool) -> Callable[[PatternResult, str], tuple[str, ...]]:
    def holds(result: PatternResult, _: str) -> tuple[str, ...]:
        strength = result.strength
        fits = result.special is None and strength is not None and strength.is_strong is is_strong
        return ("str.verdict",) if fits else ()

    return holds


def _in_role(roles: tuple[str, ...]) -> Callable[[PatternResult, str], tuple[str, ...]]:
    def holds(result: PatternResult, name: str) -> tuple[str, ...]:
        role = _role(result, name)
        return (ROLE_FACTS[role], "p.day.stem") if role in roles else ()

    return holds


def _dynamic(polarity: str) -> Callable[[PatternResult, str], tuple[str, ...]]:
    def holds(result: PatternResult, name: str) -> tuple[str, ...]:
        return tuple(
            dynamic.fact_id
            for dynamic in result.dynamics
            if dynamic.name == name and dynamic.state == STANDS and dynamic.polarity == polarity
        )

    return holds


def _special(result: PatternResult, _: str) -> tuple[str, ...]:
    return ("pat.main",) if result.special is not None else ()


def _pattern(result: PatternResult, name: str) -> tuple[str, ...]:
    return ("pat.main",) if result.name == name else ()


# What a condition asks -> the facts by which it holds, none where it does not.
_HOLDS: dict[str, Callable[[PatternResult, str], tuple[str, ...]]] = {
    "身强": _of_strength(True),
    "身弱": _of_strength(False),
    "变": _special,
    "喜": _in_role(WANTED),
    "忌": _in_role(ADVERSE),
    "成": _dynamic(GOOD),
    "害": _dynamic(BAD),
    "格": _pattern,
}


def vocation(result: PatternResult, paths: tuple[str, str]) -> Vocation:
    """The balance of two ways in a judged chart. What speaks against the one is a ground for the other; what speaks for both
    alike counts for both."""
    first, second = paths
    found = [
        ground for row in vocation_rows() if row.path in paths and (ground := _ground(result, row, paths))
    ]
    found.sort(key=lambda each: -each.points)
    lead = sum(each.points if each.path == first else -each.points for each in found)
    return Vocation(first if lead > 0 else second if lead < 0 else "", abs(lead), tuple(found))


def _ground(result: PatternResult, row: VocationRow, paths: tuple[str, str]) -> VocationGround | None:
    for terms in row.condition:
        held = [_HOLDS[term.verb](result, "".join(term.names)) for term in terms]
        if all(held):
            values, ids = _values(result, row, "".join(terms[0].names))
            evidence = (*(name for names in held for name in names), *ids)
            path = row.path if row.points > 0 else paths[row.path == paths[0]]
            return VocationGround(path, abs(row.points), Phrase(f"vocation.{row.id}", values), evidence)
    return None


def _values(result: PatternResult, row: VocationRow, name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The values of a row's words with their facts: the element and role of its class, or the dynamic or the pattern."""
    if row.of:
        role = _role(result, row.of)
        own = element_of(result.pillars.day.stem, CLASSES.index(row.of))
        return {"element": element(own), "role": Term(role, "role")}, (ROLE_FACTS[role], "p.day.stem")
    if row.condition[0][0].verb == "格":
        return {"name": Term(name, "pattern")}, ()
    return {"name": Term(name, "dynamic")}, ()


def of_paths(draft: Draft, result: PatternResult, paths: tuple[str, ...]) -> None:
    """The answer to a choice between two ways, a business or a post where none are named: the better one with two grounds,
    and one for the other."""
    one, two = paths or PAIRS[0]
    found, is_first = vocation(result, (one, two)), not draft.says_any("answer.")
    key = "even" if not found.better else "slight" if found.lead == SLIGHT else "one"
    words: dict[str, Any] = {"first": Phrase(f"path.{one}", {}), "second": Phrase(f"path.{two}", {})}
    if found.better:
        words["better"] = Phrase(f"path.{found.better}", {})
    ids = tuple(name for ground in found.grounds for name in ground.evidence)
    draft.add(
        f"answer.path.{key}", *(ids or ("yong.primary",)), weight=1, certainty=LEANING, required=True, **words,
    )  # fmt: skip
    first, second = (two, one) if found.better == two else (one, two)
    parts = (("why", first, NAMED, GROUND), ("yet", second, 1, CLAIM))
    for key, path, most, relation in parts:
        told = found.of(path)[:most]
        if told:
            key = key if found.better else "both"
            named: dict[str, Any] = {} if found.better else {"path": Phrase(f"path.{path}", {})}
            draft.add(
                f"answer.vocation.{key}", *(name for each in told for name in each.evidence), weight=1, kind="fact",
                relation=relation, certainty=LEANING, required=relation == GROUND and is_first,
                rows=Clauses(tuple(each.said for each in told)), **named,
            )  # fmt: skip


# Roles of an element -> what is said of a field of work that has it.
_SUITS = {**dict.fromkeys(WANTED, "wanted"), **dict.fromkeys(ADVERSE, "adverse")}


def of_fields(draft: Draft, result: PatternResult, fields: Sequence[str]) -> None:
    """The answer to a question for fields of work that it names: the role that the element of each has in the chart, and of
    several the one that suits better; by either reading where the strength is open. Once in a reading."""
    if not draft.says_any("answer.field"):
        tell = _of_one if len(fields) == 1 else _of_several
        tell(draft, result, fields, differing(result))


def _of_one(draft: Draft, result: PatternResult, fields: Sequence[str], other: PatternResult | None) -> None:
    [name] = fields
    own = trades()[name][0]
    role = result.useful.role(own)
    key, ids, certainty = _SUITS.get(role, "idle"), [ROLE_FACTS[role]], LEANING
    values: dict[str, Any] = {
        "field": Phrase(f"field.{name}", {}), "element": element(own), "role": Term(role, "role"),
    }  # fmt: skip
    if other is not None and _SUITS.get(second := other.useful.role(own), "idle") != key:
        values |= readings_told(result, other) | {"role_two": Term(second, "role")}
        key, ids, certainty = "open", [*ids, f"alt.{ROLE_FACTS[second]}", *_OF_READINGS], OPEN
    draft.add(f"answer.field.{key}", *ids, weight=1, required=True, certainty=certainty, **values)
    if key == "open":
        decides(draft, result)


def _of_several(
    draft: Draft, result: PatternResult, fields: Sequence[str], other: PatternResult | None
) -> None:
    best = _best(result, fields)
    ids = _role_facts(result, fields)
    if other is not None and (second := _best(other, fields)) != best:
        told = [f"alt.{name}" for name in _role_facts(other, fields)]
        draft.add(
            "answer.fields.open", *ids, *told, *_OF_READINGS, weight=1, required=True, certainty=OPEN,
            best=_named(best), best_two=_named(second), **readings_told(result, other),
        )  # fmt: skip
        decides(draft, result)
        return
    rows_ = Clauses(tuple(_placed(result, each) for each in dict.fromkeys(fields)))
    is_alike = len(best) == len(fields)
    values: dict[str, Any] = {} if is_alike else {"best": _named(best)}
    draft.add(
        f"answer.fields.{'alike' if is_alike else 'best'}", *ids, weight=1, required=True, certainty=LEANING, rows=rows_,
        **values,
    )  # fmt: skip


_OF_READINGS = ("str.verdict", "alt.str.verdict")


def _placed(result: PatternResult, name: str) -> Phrase:
    """A field with its element and the role of that."""
    own = trades()[name][0]
    role = Term(result.useful.role(own), "role")
    return Phrase(
        "field.placed", {"field": Phrase(f"field.{name}", {}), "element": element(own), "role": role}
    )


def _role_facts(result: PatternResult, fields: Sequence[str]) -> list[str]:
    """The facts of the roles of the elements of fields."""
    return [ROLE_FACTS[result.useful.role(trades()[each][0])] for each in fields]


def _best(result: PatternResult, fields: Sequence[str]) -> list[str]:
    """The fields whose element the chart wants most."""
    order = [result.useful.order.index(trades()[each][0]) for each in fields]
    return [each for each, place in zip(fields, order, strict=True) if place == min(order)]


def _named(fields: Sequence[str]) -> list[Phrase]:
    return [Phrase(f"field.{each}", {}) for each in fields]
