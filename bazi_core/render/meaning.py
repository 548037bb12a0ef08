"""Labelled rows below the four columns: elements, strength, pattern, useful gods, relations."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from bazi_core.alphabet import ELEMENTS, Branch, Pillar, Stem
from bazi_core.pattern.dynamic_rules import PLAIN
from bazi_core.pattern.meanings import BOTH, meanings_text
from bazi_core.pattern.useful import ROLES, Useful
from bazi_core.pillars import POSITIONS
from bazi_core.render.phrases import bracketed, joined, pillar_name, titled
from bazi_core.tables import rows
from bazi_core.tables.words import glossed, label, term
from bazi_core.views.certainty import OPEN
from bazi_core.views.relations import PILLAR_TYPES
from bazi_core.views.strength import EITHER, Strength
from bazi_core.wording import sign_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.chart import ChartValue
    from bazi_core.pattern.dynamics import Dynamic
    from bazi_core.pattern.result import PatternResult
    from bazi_core.views.resolution import Relation

_MAIN_ROLES = ("用神", "喜神", "忌神")


def meaning(result: PatternResult, lang: str) -> list[tuple[str, str]]:
    """(label, value) of all judgements of the School."""
    chart = result.chart
    rows = [("elements", _elements(chart, lang))]
    if chart.strength is not None:
        rows += [("strength", _strength(chart.strength, lang)), ("pattern", _pattern(result, lang))]
        rows.append(("useful", _useful(result, lang)))
    labelled = [(label(name, lang), value) for name, value in rows]
    if chart.strength is not None:
        labelled += other_reading(result, lang)
        more = (*two_meanings(result, lang), *beyond(result, lang))
        labelled += [(label(name, lang), value) for name, value in more]
    if chart.relations:
        # Relations within a pillar come after those between pillars.
        ordered = sorted(chart.relations, key=lambda labelled: labelled.type in PILLAR_TYPES)
        each = [relation_text(labelled, lang) for labelled in ordered]
        labelled.append((label("relations", lang), ("; " if lang == "en" else "；").join(each)))
    return labelled


def conclusions(result: PatternResult, lang: str, *, all_roles: bool = False) -> list[str]:
    """Strength, pattern and useful gods alone; empty where the School makes no judgement."""
    if result.strength is None:
        return []
    return [
        _strength(result.strength, lang),
        _pattern(result, lang),
        _useful(result, lang, ROLES if all_roles else _MAIN_ROLES),
    ]


def two_meanings(result: PatternResult, lang: str, *, even_alike: bool = False) -> list[tuple[str, str]]:
    """(label, value) of 格局用神 beside 扶抑用神, where they differ or both are asked for."""
    meanings = result.meanings
    if meanings is None or (meanings.followed == BOTH and not even_alike):
        return []
    return [("two_meanings", meanings_text(meanings, result.useful, lang))]


def beyond(result: PatternResult, lang: str) -> list[tuple[str, str]]:
    """The diagnosis, and the dynamics whose direction counts for the chart."""
    rows = []
    if result.diagnosis is not None:
        said = ("; " if lang == "en" else "；").join(_diagnoses(result, lang))
        rows.append(("diagnosis", said))
    names = [_dynamic(dynamic, lang) for dynamic in result.dynamics if dynamic.polarity != PLAIN]
    if names:
        rows.append(("dynamics", ("; " if lang == "en" else "、").join(names)))
    return rows


def _diagnoses(result: PatternResult, lang: str) -> Iterator[str]:
    """The diagnosis, then that under the other verdict where strength is open and it is another."""
    assert result.diagnosis is not None
    own = result.diagnosis.text(lang)
    yield own
    for other in result.alternatives:
        if other.diagnosis is not None and other.strength is not None and other.diagnosis.text(lang) != own:
            yield label(f"diagnosis_if.{other.strength.verdict}", lang, said=other.diagnosis.text(lang))


def _dynamic(dynamic: Dynamic, lang: str) -> str:
    """The name of a dynamic, and that it is undone."""
    mark = "" if dynamic.state == "stands" else label(f"undone.{dynamic.direction}", lang)
    return glossed(dynamic.name, lang, "dynamic") + mark


def in_short(result: PatternResult, lang: str) -> list[str]:
    """The conclusions as a few lines, with those under the other verdict where strength is open."""
    lines = conclusions(result, lang)
    if not lines:
        return []
    others = other_reading(result, lang, _MAIN_ROLES)
    return [*lines, *(titled(name, value, lang) for name, value in others)]


def other_reading(result: PatternResult, lang: str, roles: tuple[str, ...] = ROLES) -> list[tuple[str, str]]:
    """Where strength is open, (label, value) of the conclusions under the other verdict: (`若身弱`, `用神土  喜神金 …`).

    >>> import bazi_core as bz
    >>> other_reading(bz.chart(pillars="庚午 辛巳 庚辰 壬午").pattern(), "zh-Hans", ("用神", "喜神"))
    [('若身弱', '未成，用神土  喜神金')]
    """
    rows = []
    for other in result.alternatives:
        assert other.strength is not None
        name = label(f"if.{other.strength.verdict}", lang)
        stands, ours = other.standing, result.standing
        status = [term(stands.status, lang)] if stands and ours and stands.status != ours.status else []
        rows.append((name, joined([*status, _roles(other.useful, lang, roles)], lang)))
    return rows


def _elements(chart: ChartValue, lang: str) -> str:
    elements = chart.elements
    shares = [
        (
            term(element.value, lang),
            elements.seasonal[element.index],
            term(elements.state[element.index], lang, "season_state"),
        )
        for element in ELEMENTS
    ]
    missing = [term(each.value, lang) for each in elements.missing]
    if lang == "en":
        listed = ", ".join(f"{name} {share}% ({state})" for name, share, state in shares)
        return listed + (f"; {label('missing', lang)} {', '.join(missing)}" if missing else "")
    listed = "  ".join(f"{name}{share}% {state}" for name, share, state in shares)
    return listed + (f"（{label('missing', lang)}{''.join(missing)}）" if missing else "")


def _strength(strength: Strength, lang: str) -> str:
    """`身强（偏强，近中和），四法中3法同断`; where it is open `两可：取身强，四法中只有加权法如此断`."""
    if strength.is_open:
        taken = label(
            "either_taken", lang, either=term(strength.level, lang), verdict=term(strength.verdict, lang)
        )
        near = [label("near_balance", lang)] if strength.balanced else []
        return joined([taken, *near, _votes(strength, lang)], lang)
    # 身弱 implies 弱, so only another degree is added.
    degree = [] if strength.verdict.endswith(strength.level) else [term(strength.level, lang)]
    degree += [label("near_balance", lang)] if strength.balanced else []
    verdict = term(strength.verdict, lang)
    graded = bracketed(verdict, joined(degree, lang), lang) if degree else verdict
    return joined([graded, _votes(strength, lang)], lang)


def _votes(strength: Strength, lang: str) -> str:
    """The number of methods that share the verdict; the name of the method if the chosen one is alone."""
    if strength.agreement == 1 and strength.taken:
        return label("votes_alone", lang, method=label(f"value.strength_method.{strength.method}", lang))
    return label("votes", lang, count=strength.agreement)


def _pattern(result: PatternResult, lang: str) -> str:
    parts = [glossed(result.name, lang)]
    if result.standing is not None:
        parts.append(term(result.standing.status, lang))
    return joined(parts, lang)


def _useful(result: PatternResult, lang: str, names: tuple[str, ...] = ROLES) -> str:
    """The roles; where the useful god is open, that comes first."""
    useful = result.useful
    roles = _roles(useful, lang, names)
    return label("either", lang, either=term(EITHER, lang), told=roles) if useful.certainty == OPEN else roles


def _roles(useful: Useful, lang: str, names: tuple[str, ...]) -> str:
    gap, mark = (" ", ", ") if lang == "en" else ("", "  ")
    return mark.join(
        f"{term(role, lang)}{gap}{term(element.value, lang)}"
        for role, element in zip(ROLES, useful.order, strict=True)
        if role in names
    )


def relation_text(relation: Relation, lang: str) -> str:
    """A relation as practitioners write it, with its positions and its status.

    >>> import bazi_core as bz
    >>> for found in bz.chart(pillars="庚午 辛巳 庚辰 壬午").relations[:2]:
    ...     print(relation_text(found, "zh-Hans"), "|", relation_text(found, "en"))
    午午自刑（年时，遥） | Horse-Horse self-punishment (year, hour, far apart)
    庚午截脚（年） | Metal Horse: branch controls its stem (year)
    """
    members = _in_order(relation)
    signs = [_sign(char, lang) for _, char in members]
    kind = "自刑" if relation.type == "刑" and signs[0] == signs[1] else relation.type
    element = term(relation.element.value, lang) if relation.element else ""
    joint = "-" if lang == "en" else ""
    text = label(f"rel.{kind}", lang, signs=joint.join(signs), one=signs[0], other=signs[-1], element=element)
    where = [label(f"position.{position}", lang) for position, _ in members]
    marks = [label(f"rel.{mark}", lang) for mark in standing_of(relation)]
    joint = ", " if lang == "en" else "" if max(map(len, where)) == 1 else "、"
    return bracketed(text, joined([joint.join(where), *marks], lang), lang)


def standing_of(relation: Relation) -> list[str]:
    """Keys of words for the distance of the members, the transformation of a combination and the status of a relation."""
    marks = []
    # A flow pillar is adjacent to every pillar.
    if not relation.adjacent and all(position in POSITIONS for position, _ in relation.members):
        at = [POSITIONS.index(position) for position, _ in relation.members]
        marks.append(f"gap.{max(later - earlier - 1 for earlier, later in pairwise(at))}")
    return marks + [each for each in (relation.hua_status, relation.status) if each in _TOLD]


# 遥合 and 遥隔 say no more than how far apart the pillars stand; 成立 needs no word.
_TOLD = ("合化", "合绊", "争合", "妒合", "减力", "化解")


def _in_order(relation: Relation) -> list[tuple[str, str]]:
    """The members as the tables write them (子午, 申子辰); of 干克 the one that controls comes first."""
    if relation.type == "干克":
        return sorted(relation.members, key=lambda each: _controls(each[1], relation))
    order = "".join(char for _, char in relation.members)
    order = _written().get((relation.type, frozenset(order)), order)
    return sorted(relation.members, key=lambda each: order.find(each[1]))


def _controls(char: str, relation: Relation) -> bool:
    """Sort key: False, and so first, for the stem whose element controls the other's."""
    other = next(each for _, each in relation.members if each != char)
    return Stem(char).element.controls is not Stem(other).element


@cache
def _written() -> dict[tuple[str, frozenset[str]], str]:
    return {(row["type"], frozenset(row["members"])): row["members"] for row in rows("relations")}


def _sign(char: str, lang: str) -> str:
    """A stem, branch or pillar by name."""
    if lang != "en":
        return char
    if char in Pillar.__members__:
        return pillar_name(Pillar(char), lang).partition(" ")[2]
    return sign_name(Stem(char) if char in Stem.__members__ else Branch(char))
