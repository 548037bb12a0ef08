"""What bears on a question in the chart itself: the star of the person or matter asked about with its strength, the palace,
and the ties (冲 合 刑 害 局) that touch palace, star, useful god or day stem.

《子平真诠·论宫分用神配六亲》 sees a relative in a palace and in a star; a side of life has a star alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import ELEMENTS, STEMS, TEN_GODS
from bazi_core.pattern.relatives import ABSENT
from bazi_core.pattern.useful import ADVERSE, ROLE_FACTS, WANTED
from bazi_core.speech.catalogue import At, Phrase, Term, sign
from bazi_core.speech.plan import AGAINST, FOR, LEANING, NEITHER
from bazi_core.speech.statements.asked import domain_of
from bazi_core.speech.statements.kin import CLASSES_OF, CLASSES_OF_KIN, KIN, who
from bazi_core.speech.statements.nouns import element, pillars_read, share, share_ids
from bazi_core.speech.statements.ties import bond, grounds, sense
from bazi_core.structures.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH, element_of
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.resolution import FAR_JOINED, HOLDS, TURNED, is_own
from bazi_core.views.ten_gods import ten_god_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bazi_core.alphabet import Stem
    from bazi_core.pattern.dynamics import Seat
    from bazi_core.pattern.relatives import Relative
    from bazi_core.pattern.result import PatternResult
    from bazi_core.speech.plan import Draft
    from bazi_core.views.resolution import Relation

# Domain of a question about oneself -> the relative that it is about.
PERSONS = {"relationship": "partner", "marriage": "spouse", "children": "child", "parents": "parents"}
_STARS = {
    "正财": WEALTH, "偏财": WEALTH, "正官": OFFICER, "官杀": OFFICER, "食伤": OUTPUT, "正印": RESOURCE, "比劫": PEER,
}  # fmt: skip
# Shares in percent: what is light, what is heavy, and what is heavy also out of season.
_LIGHT, _HEAVY, _MASSIVE = 12, 20, 30
_IN_SEASON = ("旺", "相")
_HELPLESS = ("weak", "bound", "pressed")
# The ties that are told, and what they do to what they touch: a break, a bond, a group of branches.
_BREAKS, _JOINS, _GROUPS = ("六冲", "刑", "三刑", "六害", "干冲"), ("六合", "半合", "干合"), ("三合", "三会")
_MOST = 2  # as many ties of palace and star are told; of useful god and day stem one, where there are none of those
# A useful god that is shaken, held or turned is so much less of a help.
_OF_USE = {"break": -1, "join": -1, "turned": -1}
PALACE, STAR, USE, DAY = "palace", "star", "use", "day"
_GROUP = "answer.bearing.group"  # says of what element it is, so several of them say different things


class AskedBearing(NamedTuple):
    """One thing that bears on the question: whether it helps (+1, 0, -1), its sentence and the facts it rests on."""

    points: int
    key: str
    values: dict[str, Any]
    evidence: tuple[str, ...]

    @property
    def is_helpless(self) -> bool:
        """Whether it is a star that can do little."""
        power = self.values.get("power")
        return power is not None and power.key.rpartition(".")[2] in _HELPLESS


def bearings(result: PatternResult, domain: str, subject: str) -> tuple[AskedBearing, ...]:
    """The star, the palace and the ties that bear on a question about a relative or a side of life."""
    person = subject if subject in KIN else PERSONS.get(domain)
    if person is None and domain not in CLASSES_OF:
        return ()
    palace = KIN[person].palace if person else None
    names = _names(person)
    stars = [(_STARS[relative.star], relative) for relative in result.relatives if relative.relative in names]
    of = who(person) if person else domain_of(domain)
    found = [_star(result, k, of, each) for k, each in stars]
    if person is None:
        found = [_star(result, CLASSES_OF[domain], of)]
    found += [_palace(result, palace)] if palace and getattr(result.pillars, palace) else []
    if person is None:
        own = frozenset(_of_class(result, CLASSES_OF[domain]))
    else:
        own = frozenset(stem for k, each in stars for stem in _seen_in(result, k, each))
    found += _ties(result, palace, own, of)
    return tuple(found)


def tell(draft: Draft, found: tuple[AskedBearing, ...], needed: int = 0) -> None:
    """What bears on the question, after the verdict; so many of it are `needed`, where a sentence has led to them or they
    are asked for."""
    for at, each in enumerate(found):
        side = FOR if each.points > 0 else AGAINST if each.points < 0 else NEITHER
        draft.add(
            each.key,
            *each.evidence,
            weight=1,
            certainty=LEANING,
            side=side,
            required=at < needed,
            **each.values,
        )


def _names(person: str | None) -> tuple[str | None, ...]:
    """The relatives whose stars are looked at: of parents both."""
    if person is None:
        return ()
    return ("father", "mother") if person == "parents" else (KIN[person].star,)


def _of_class(result: PatternResult, k: int) -> tuple[Stem, ...]:
    """Both stems of a class of ten gods."""
    own = element_of(result.pillars.day.stem, k)
    return tuple(stem for stem in STEMS if stem.element is own)


def _seen_in(result: PatternResult, k: int, relative: Relative) -> tuple[Stem, ...]:
    """The stems in which a relative is seen: of a star that is one ten god that very one, or where it is nowhere in the
    pillars its twin (七杀 for 正官)."""
    both = _of_class(result, k)
    if relative.star in CLASSES_OF_KIN:
        return both
    gods, day = ten_god_table(), result.pillars.day.stem.index
    own = tuple(stem for stem in both if TEN_GODS[gods(day, stem.index)].value == relative.star)
    return own if relative.state != ABSENT else tuple(stem for stem in both if stem not in own)


def _star(result: PatternResult, k: int, of: Phrase, relative: Relative | None = None) -> AskedBearing:
    """The element of the star: its share, its state in the month, its footing, and what follows for its strength. A relative
    stands only where that very ten god does; where it is nowhere, its twin is read in its place, and is named."""
    day, percent = result.pillars.day.stem, result.elements.seasonal
    own = element_of(day, k)
    state = result.elements.state[own.index]
    assert result.company is not None
    seen = _of_class(result, k) if relative is None else _seen_in(result, k, relative)
    shown = [each for each in result.company.stems if each.stem in seen]
    inside = [
        (where, each.stem) for where, pillar in result.pillars.items() for each in hidden_stems(pillar.branch)
        if each.stem in seen
    ]  # fmt: skip
    footing = _footing(shown, bool(inside))
    over = next(each for each in ELEMENTS if each.controls is own)
    power = _power(percent[own.index], percent[over.index], state, footing, shown)
    places = [At(f"{each.position}.stem", sign(each.sign)) for each in shown]
    places = places or [
        At(f"{where}.branch", sign(getattr(result.pillars, where).branch)) for where, _ in inside
    ]
    ids = (
        [each.leaf_id for each in shown]
        or [f"hs.{where}.{stem}" for where, stem in inside]
        or [f"wx.missing.{own}"]
    )
    if footing == "absent":
        ids = []
    if footing == "rooted":
        ids += [name for each in shown for name in result.company.scene.root_ids(each.position)]
    # Of a relative, and of what one hopes for, nobody reads that it is dead.
    told_state = Phrase("bearing.dead", {}) if state == "死" else Term(state, "season_state")
    whole = pillars_read(result.pillars)
    values: dict[str, Any] = {
        "of": of, "element": element(own), "share": share(result, own),
        "month": sign(result.pillars.month.branch), "state": told_state,
        "footing": Phrase(f"bearing.footing.{footing}", {"places": _once(places)}),
        "chart": whole,
        "power": Phrase(f"bearing.power.{power}", {"over": element(over), "over_share": share(result, over)}),
    }  # fmt: skip
    evidence = ("p.day.stem", "p.month.branch", *share_ids(own), f"wx.state.{own}", *ids)
    key = f"answer.bearing.matter{'.absent' if footing == 'absent' else ''}"
    if power == "bound":
        evidence += tuple(result.company.scene.bound[each.position] for each in shown)
    if power == "pressed":
        evidence += share_ids(over)
    # What is wanted helps only where it has strength (有力: 《子平真诠·论用神格局高低》).
    points = -1 if result.useful.role(own) in WANTED and power in _HELPLESS else 0
    if relative is not None:
        key, evidence = key.replace("matter", "person"), (f"kin.{relative.relative}", *evidence)
        values["of"] = who(relative.relative) if relative.relative in ("father", "mother") else of
        values["star"] = Term(
            relative.star, "ten_god_class" if relative.star in CLASSES_OF_KIN else "ten_god"
        )
        if relative.state == ABSENT and footing != "absent":
            key = "answer.bearing.person.twin"
            god = TEN_GODS[ten_god_table()(day.index, seen[0].index)].value
            values["other"] = Term(god, "ten_god")
            evidence += (f"tg.{shown[0].position}.stem",) if shown else (f"tg.{inside[0][0]}.{inside[0][1]}",)
    return AskedBearing(points, key, values, tuple(dict.fromkeys(evidence)))


def _footing(shown: Sequence[Seat], is_hidden: bool) -> str:
    """How the stems of a star stand: rooted, rootless, hidden or absent."""
    if shown:
        return "rooted" if any(each.is_rooted for each in shown) else "rootless"
    return "hidden" if is_hidden else "absent"


def _power(percent: int, over: int, state: str, footing: str, shown: list[Seat]) -> str:
    """How much a star can do, by its share, the month and its footing: weak; bound where others combine all of its stems
    away; pressed where it is out of season and what controls it (`over`) weighs at least twice as much; strong or fair."""
    if footing == "absent" or percent < _LIGHT:
        return "weak"
    if shown and all(each.is_bound for each in shown):
        return "bound"
    is_of_season = state in _IN_SEASON
    if not is_of_season and over >= max(_MASSIVE, 2 * percent):
        return "pressed"
    is_heavy = percent >= (_HEAVY if is_of_season else _MASSIVE)
    return "strong" if is_heavy or (footing == "rooted" and is_of_season) else "fair"


def _once(places: list[At]) -> list[At]:
    return list({place.place: place for place in places}.values())


def _palace(result: PatternResult, palace: str) -> AskedBearing:
    """The main qi of the palace, and whether the chart wants it."""
    branch = getattr(result.pillars, palace).branch
    own = branch.element
    role = result.useful.role(own)
    points = (role in WANTED) - (role in ADVERSE)
    values: dict[str, Any] = {
        "place": At(f"{palace}.branch", sign(branch)), "name": Phrase(f"palace.name.{palace}", {}),
        "element": element(own), "role": Term(role, "role"),
    }  # fmt: skip
    main = hidden_stems(branch)[0].stem
    key = f"answer.bearing.palace.{'wanted' if points > 0 else 'unwanted' if points < 0 else 'even'}"
    return AskedBearing(points, key, values, (f"p.{palace}.branch", f"hs.{palace}.{main}", ROLE_FACTS[role]))


def _ties(
    result: PatternResult, palace: str | None, stars: frozenset[Stem], of: Phrase
) -> Iterator[AskedBearing]:
    """The ties that hold and touch the palace, a star, the useful god or the day stem, the nearest to the question first."""
    met = []
    for each in result.chart.relations:
        if each.status != HOLDS or each.type not in (*_BREAKS, *_JOINS, *_GROUPS):
            continue
        # Two stems that would combine from afar hold nobody up, unless one is the day stem.
        if each.hua_status == FAR_JOINED and not is_own(each):
            continue
        touched = _touched(result, each, palace, stars)
        if touched is not None:
            met.append(((PALACE, STAR, USE, DAY).index(touched), -each.strength, touched, each))
    told: list[set[str]] = []
    keys = set[str]()
    for _, _, touched, each in sorted(met, key=lambda one: one[:2]):
        where = {place for place, _ in each.members}
        most = _MOST if touched in (PALACE, STAR) else 1
        bearing = _tie(result, each, touched, palace, of)
        # A tie that says of the same place what another one said is no second word on it.
        is_new = bearing.key == _GROUP or bearing.key not in keys
        if is_new and len(told) < most and not any(where <= other for other in told):
            told.append(where)
            keys.add(bearing.key)
            yield bearing


def _touched(result: PatternResult, tie: Relation, palace: str | None, stars: frozenset[Stem]) -> str | None:
    """What a tie touches, of several what is nearest to the question: the stems that it ties, or the main qi of its
    branches."""
    where = {place for place, _ in tie.members}
    of_stems = tie.type in ("干合", "干冲")
    pillars = dict(result.pillars.items())
    stems = {
        pillars[place].stem if of_stems else hidden_stems(pillars[place].branch)[0].stem
        for place in where if not (of_stems and place == "day")
    }  # fmt: skip
    touched, is_star = {stem.element for stem in stems}, bool(stems & stars)
    if tie.type in _GROUPS:
        touched = {tie.element} if tie.element is not None else set()
        is_star = bool(touched & {stem.element for stem in stars})
    if not of_stems and palace in where:
        return PALACE
    if tie.type == "半合":
        return None
    if is_star:
        return STAR
    if result.useful.order[0] in touched:
        return USE
    is_near = tie.hua_status != FAR_JOINED
    return DAY if of_stems and is_near and "day" in where else None


def _tie(result: PatternResult, tie: Relation, touched: str, palace: str | None, of: Phrase) -> AskedBearing:
    """A tie with what it touches and what that means."""
    values: dict[str, Any] = {"bond": bond(tie), "of": of}
    if tie.type in _GROUPS and tie.element is not None:
        said, ids = sense(tie, result.useful)
        role = result.useful.role(tie.element)
        points = (role in WANTED) - (role in ADVERSE)
        return AskedBearing(points, _GROUP, {**values, "sense": said}, (*grounds(tie), *ids))
    # What turns into another element is not held but gone; 遥合 is not close to oneself.
    kind = "break" if tie.type in _BREAKS else "join"
    if is_own(tie):
        kind = "far" if tie.hua_status == FAR_JOINED else "own"
    elif tie.type == "干合" and tie.hua_status == TURNED:
        kind = "turned"
    if kind == "break" and tie.type in ("刑", "三刑", "六害"):
        kind = "chafe"
    if touched == PALACE:
        values["name"] = Phrase(f"palace.name.{palace}", {})
    if touched == USE:
        values["use"] = element(result.useful.order[0])
    ids = ("yong.primary",) if touched == USE else ()
    if kind == "turned":
        assert tie.element is not None
        values["into"] = element(tie.element)
        ids += (tie.id.replace("rel", "hua", 1),)
    # Whoever asks for a partner may have none yet.
    of_mate = (touched, kind, palace) == (PALACE, "join", "day")
    points = {
        "break": -1,
        "chafe": -1,
        "own": 1,
        "far": 0,
        "turned": 0,
        "join": 1 if touched == PALACE else 0,
    }[kind]
    return AskedBearing(
        points if touched in (PALACE, STAR) else _OF_USE.get(kind, 0) if touched == USE else 0,
        f"answer.bearing.{touched}.{kind}{'.mate' if of_mate else ''}",
        values,
        (*grounds(tie), *ids),
    )
