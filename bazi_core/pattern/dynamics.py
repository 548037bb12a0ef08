"""十神成局: what ten gods do to each other in a chart, and what undoes it, row by row of `dynamics.csv`.

食神生财, 伤官见官, 枭神夺食: a dynamic stands where its conditions hold, and is undone where something of `undone_by` holds.
The words of the conditions are those of the table of 成败 (`conditions`), asked here of a `Company`: the natal stems and
branches, and those of the luck and the year that join them. A flow stem binds the natal stem with which it combines, but
never the day stem (本身之合); shares and strength stay those of the chart.

The book gives a direction, 吉 or 凶. It counts only where the class on which it bears is wanted: harm to a 忌神 is none.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from bazi_core.alphabet import TEN_GODS, Branch, Pillar, Stem
from bazi_core.facts import Fact
from bazi_core.pattern.conditions import EVIDENCE, PatternCondition, Scene
from bazi_core.pattern.dynamic_rules import GOOD, DynamicRule, bearing, dynamic_rules
from bazi_core.views.hidden import hidden_stems
from bazi_core.views.stages import stage
from bazi_core.views.ten_gods import ten_god
from bazi_core.wording import FactPhrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Flows = tuple[tuple[str, Pillar], ...]
    Terms = tuple[PatternCondition, ...]

STANDS, UNDONE = "stands", "undone"
_COMBINING = 5  # steps between two stems of a 干合


class Seat(NamedTuple):
    """A ten god at its place: a stem, or the main qi of a branch."""

    position: str
    part: str
    sign: Stem | Branch
    stem: Stem
    god: int
    bound_to: tuple[str, str] | None = None
    is_rooted: bool = False

    @property
    def is_bound(self) -> bool:
        """Whether another stem combines it away: `bound_to` has that stem, with its position."""
        return self.bound_to is not None

    @property
    def fact_id(self) -> str:
        """The fact of its ten god, of a natal seat."""
        return f"tg.{self.position}.{'stem' if self.part == 'stem' else self.stem.value}"

    @property
    def leaf_id(self) -> str:
        """The fact of the sign itself."""
        return f"p.{self.position}.{self.part}"

    @property
    def phrase(self) -> FactPhrase:
        god = TEN_GODS[self.god].value
        if self.part == "stem":
            return FactPhrase("ten_god.stem", (self.position, self.stem.value, god))
        return FactPhrase("ten_god.hidden", (self.position, self.stem.value, god))

    @property
    def bound_phrase(self) -> FactPhrase:
        assert self.bound_to is not None
        by = FactPhrase("member.stem", self.bound_to)
        return FactPhrase("dynamic.bound", (self.position, self.stem.value, TEN_GODS[self.god].value, by))

    def to_dict(self) -> dict[str, str]:
        god = TEN_GODS[self.god].value
        return {"position": self.position, "part": self.part, "char": self.sign.value, "ten_god": god}


class Judged(NamedTuple):
    """The judgement of a rule on a company: its state, None where the conditions do not hold; the terms that decide it."""

    state: str | None
    held: Terms = ()
    undoing: Terms = ()


class Dynamic(NamedTuple):
    """An effect of ten gods on each other in a chart.

    `state` is `stands` or `undone`, `direction` what the book says of it, `polarity` what it is for this chart (平 where the
    chart does not want what it bears on or commends, 凶 where it holds the 用神 in check); `barred` are the classes for
    which the two differ. `members` are the seats that make it, `answers` those that undo it.

    >>> import bazi_core as bz
    >>> found = {each.name: each for each in bz.chart(pillars="甲辰 己巳 戊辰 乙卯").pattern().dynamics}["官杀混杂"]
    >>> found.state, found.polarity, [(each.position, each.sign.value) for each in found.answers]
    ('undone', '凶', [('year', '甲'), ('hour', '乙')])
    """

    name: str
    state: str
    direction: str
    polarity: str
    barred: tuple[int, ...]
    members: tuple[Seat, ...]
    answers: tuple[Seat, ...]
    domains: tuple[str, ...]
    grounds: tuple[FactPhrase, ...]
    undoing: tuple[FactPhrase, ...]
    source: str
    evidence: tuple[str, ...]

    @property
    def fact_id(self) -> str:
        return f"dyn.{self.name}"

    def to_dict(self) -> dict[str, object]:
        return {
            "name": self.name,
            "state": self.state,
            "direction": self.direction,
            "polarity": self.polarity,
            "members": [member.to_dict() for member in self.members],
            "undone_by": [answer.to_dict() for answer in self.answers],
            "domains": list(self.domains),
            "evidence": [self.fact_id],
        }


class Company:
    """The ten gods of a chart, with those of flow pillars beside them; `special` is the class of the 变格 that is claimed.

    One that changes its element (化格) is read from what it has become (《滴天髓·化象》): no dynamic is one of its day stem.

    `state` holds for every verb the bits of the ten gods of which it is true.
    """

    def __init__(self, scene: Scene, special: str | None = None, flows: Flows = ()) -> None:
        self.scene, self.special, self.flows = scene, special, flows
        natal = tuple(scene.pillars.items())
        self.stems = self._stems(natal)
        self.mains = tuple(_main(scene.day, where, pillar) for where, pillar in (*natal, *flows))
        self.state = {**scene.state, **self._state()}
        self._joined: dict[Flows, Company] = {}

    def joined(self, *flows: tuple[str, Pillar]) -> Company:
        """The same chart with further flow pillars; the years of a luck ask for the same again."""
        if flows not in self._joined:
            self._joined[flows] = Company(self.scene, self.special, (*self.flows, *flows))
        return self._joined[flows]

    def _stems(self, natal: Flows) -> tuple[Seat, ...]:
        scene = self.scene
        bound = scene.partners | dict(_bound_by_flows(natal, self.flows))
        elements = {stem.element for _, pillar in self.flows for stem in _hidden(pillar)}
        own = {stem.element for _, pillar in natal for stem in _hidden(pillar)} if self.flows else set()
        return tuple(
            Seat(where, "stem", pillar.stem, pillar.stem, ten_god(scene.day, pillar.stem).index, bound.get(where),
                 pillar.stem.element in elements
                 or (scene.is_rooted(where) if where in scene.roots else pillar.stem.element in own))
            for where, pillar in (*natal, *self.flows)
            if where != "day"
        )  # fmt: skip

    def _state(self) -> dict[str, int]:
        shown = _bits(self.stems)
        free = _bits(stem for stem in self.stems if not stem.is_bound)
        month = next(main for main in self.mains if main.position == "month")
        return {
            "露": shown,
            "透": free,
            "合": _bits(stem for stem in self.stems if stem.is_bound),
            "根": _bits(stem for stem in self.stems if stem.is_rooted),
            "有": shown | _bits(self.mains),
            "活": free | _bits(self.mains),
            "支": _bits(self.mains),
            "令": 1 << month.god,
            "刃": int(bool(self.blades)),
            "变格": int(self.special is not None),
        }

    def holds(self, term: PatternCondition) -> bool:
        """Whether a condition is met, its `!` counted. Beside a flow pillar stands every other."""
        state = self.state.get(term.verb)
        if state is not None:
            return (state & term.bits[0] != 0) is not term.denied
        if term.verb == "邻" and self.flows and self._beside_flow(*term.bits):
            return not term.denied
        if term.verb == "先":
            return self._stands_before(*term.bits) is not term.denied
        return self.scene.holds(term)

    def _beside_flow(self, one: int, two: int) -> bool:
        flowing = _bits(stem for stem in self.stems if stem.position in dict(self.flows))
        shown = self.state["露"]
        return bool((flowing & one and shown & two) or (flowing & two and shown & one))

    def _stands_before(self, one: int, two: int) -> bool:
        gods = [stem.god for stem in self.stems]
        first, second = (
            next((at for at, god in enumerate(gods) if bits >> god & 1), None) for bits in (one, two)
        )
        return first is not None and second is not None and first < second

    def judge(self, rule: DynamicRule) -> Judged:
        """The outcome of a rule: the first alternative that holds, and the first that undoes it."""
        held = None if self.special == "化格" else self._first(rule.conditions)
        if held is None:
            return Judged(None)
        undoing = self._first((*rule.undone_by, *(each for each, _ in rule.excepted)))
        return Judged(STANDS, held) if undoing is None else Judged(UNDONE, held, undoing)

    @cached_property
    def judged(self) -> tuple[tuple[DynamicRule, Judged], ...]:
        """Every rule of the table with what becomes of it; years of a chart ask for the same again."""
        return tuple((rule, self.judge(rule)) for rule in dynamic_rules())

    def _first(self, alternatives: Iterable[Terms]) -> Terms | None:
        for alternative in alternatives:
            if all(map(self.holds, alternative)):
                return alternative
        return None

    def seats(self, asked: Iterable[PatternCondition]) -> tuple[Seat, ...]:
        """The seats of which the conditions are true that ask for ten gods or for the 刃, in the order of the pillars."""
        asked = tuple(asked)
        found = {
            seat for term in asked if not term.denied and term.verb in _SEATED for seat in self._seated(term)
        }
        if any(term.verb == "刃" for term in asked):
            found.update(self.blades)
        return tuple(each for each in (*self.stems, *self.mains) if each in found)

    @property
    def blades(self) -> tuple[Seat, ...]:
        """The branches at 帝旺 of a yang day stem."""
        day = self.scene.day
        if day.index % 2:
            return ()
        return tuple(main for main in self.mains if stage(day, main.sign).value == "帝旺")  # type: ignore[arg-type]

    def _seated(self, term: PatternCondition) -> Iterator[Seat]:
        every = _SEATED[term.verb]
        for gods in term.bits:
            shown = [stem for stem in self.stems if gods >> stem.god & 1 and every(stem)]
            # What is combined away is told only where nothing else does the work.
            shown = [each for each in shown if not each.is_bound or term.verb == "合"] or shown
            yield from shown or (main for main in self._mains(term.verb) if gods >> main.god & 1)

    def _mains(self, verb: str) -> Iterable[Seat]:
        if verb in ("有", "活", "支"):
            return self.mains
        return [main for main in self.mains if main.position == "month"] if verb == "令" else ()

    def lost(self, asked: Iterable[PatternCondition]) -> tuple[Seat, ...]:
        """The seats by which conditions hold no longer: what now stands and was not to, what is bound."""
        failing = [term for term in asked if not self.holds(term)]
        coming = [term._replace(denied=False) for term in failing if term.denied]
        return self.seats((*coming, *(term._replace(verb="合") for term in failing if not term.denied)))

    def binders(self, bound: Iterable[Seat]) -> tuple[Seat, ...]:
        """The flow stems that bind some of these seats."""
        flowing, stems = dict(self.flows), {each.stem.index for each in bound if each.is_bound}
        return tuple(
            stem
            for stem in self.stems
            if stem.position in flowing
            and {stem.stem.index - _COMBINING, stem.stem.index + _COMBINING} & stems
        )

    def rooting(self, rooted: Iterable[Seat], flows: Flows) -> tuple[Seat, ...]:
        """The stems hidden in the branches of flow pillars in which some of these seats have a root."""
        elements = {each.stem.element for each in rooted if each.is_rooted}
        return tuple(
            Seat(where, "branch", pillar.branch, stem, ten_god(self.scene.day, stem).index)
            for where, pillar in flows
            for stem in _hidden(pillar)
            if stem.element in elements
        )

    def grounds(self, asked: Iterable[PatternCondition]) -> tuple[FactPhrase, ...]:
        """The conditions as phrases: the seats, then what is asked besides."""
        asked = tuple(asked)
        binding = {
            seat for term in asked if term.verb == "合" and not term.denied for seat in self._seated(term)
        }
        gods = self.seats(term for term in asked if term.verb != "刃")
        said = [god.bound_phrase if god in binding else god.phrase for god in gods]
        said += [phrase for term in asked if term.verb in _SAID for phrase in _SAID[term.verb](self, term)]
        return tuple(dict.fromkeys(said))

    def ids(self, asked: Iterable[PatternCondition]) -> tuple[str, ...]:
        """The facts of the chart that decide these conditions."""
        return tuple(dict.fromkeys(name for term in asked for name in self._ids(term)))

    def _ids(self, term: PatternCondition) -> tuple[str, ...]:
        if term.verb in EVIDENCE:
            return self.scene.ids(term)
        if term.verb == "先":
            return tuple(stem.fact_id for stem in self.stems if stem.position not in dict(self.flows))
        if term.verb == "活":
            return self.scene.ids(term._replace(verb="有"))
        if term.verb in ("支", "令"):
            asked = tuple(main for main in self._mains(term.verb) if term.bits[0] >> main.god & 1)
            return tuple(each.fact_id for each in asked or self.mains)
        if term.verb == "刃":
            return ("p.day.stem", *(f"p.{blade.position}.branch" for blade in self.blades))
        return ("pat.main",)


def _bits(seats: Iterable[Seat]) -> int:
    bits = 0
    for seat in seats:
        bits |= 1 << seat.god
    return bits


@cache
def _main(day: Stem, where: str, pillar: Pillar) -> Seat:
    main = hidden_stems(pillar.branch)[0].stem
    return Seat(where, "branch", pillar.branch, main, ten_god(day, main).index)


def _hidden(pillar: Pillar) -> Iterator[Stem]:
    return (stem.stem for stem in hidden_stems(pillar.branch))


def _bound_by_flows(natal: Flows, flows: Flows) -> Iterator[tuple[str, tuple[str, str]]]:
    """Positions of the stems in a 干合 with a flow stem, each with its partner; what combines with the day stem stays."""
    for at, (here, flow) in enumerate(flows):
        for there, other in (*natal, *flows[:at]):
            if there != "day" and abs(flow.stem.index - other.stem.index) == _COMBINING:
                yield here, (there, other.stem.value)
                yield there, (here, flow.stem.value)


_SEATED: dict[str, Callable[[Seat], bool]] = {
    "露": lambda seat: True,
    "透": lambda seat: not seat.is_bound,
    "合": lambda seat: seat.is_bound,
    "根": lambda seat: seat.is_rooted,
    "有": lambda seat: True,
    "活": lambda seat: not seat.is_bound,
    "支": lambda seat: False,
    "令": lambda seat: False,
    "邻": lambda seat: True,
}


def _verdict(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    verdict = "身弱" if term.denied else "身强"
    yield FactPhrase("strength.verdict", (company.scene.day.value, verdict))


def _weight(key: str) -> Callable[[Company, PatternCondition], Iterator[FactPhrase]]:
    def said(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
        if not term.denied:
            yield FactPhrase(key, (term.text.split()[-1],))

    return said


def _missing(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    if term.denied:
        yield FactPhrase("dynamic.missing", (term.text.split()[-1],))


def _outweighs(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    one, _, other = term.text.partition(" > ")
    yield FactPhrase("dynamic.outweighs", (one, other))


def _apart(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    if term.denied:
        yield FactPhrase("dynamic.apart", tuple(term.text.split()[-2:]))


def _day(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    if not term.denied:
        yield FactPhrase("pillar.stem", ("day", company.scene.day.value))


def _blade(company: Company, term: PatternCondition) -> Iterator[FactPhrase]:
    return (FactPhrase("dynamic.blade", (blade.position, blade.sign.value)) for blade in company.blades)


_SAID: dict[str, Callable[[Company, PatternCondition], Iterator[FactPhrase]]] = {
    "身强": _verdict,
    "重": _weight("dynamic.heavy"),
    "轻": _weight("dynamic.light"),
    "露": _missing,
    ">": _outweighs,
    "刃": _blade,
    "日": _day,
    "邻": _apart,
}


def dynamics(company: Company, role: Callable[[int], str]) -> tuple[Dynamic, ...]:
    """The dynamics of a chart, in the order of the table; `role` gives the role of a class."""
    return tuple(
        _made(company, rule, found, role) for rule, found in company.judged if found.state is not None
    )


def _made(company: Company, rule: DynamicRule, found: Judged, role: Callable[[int], str]) -> Dynamic:
    assert found.state is not None
    own = bearing(rule, role)
    return Dynamic(
        name=rule.name,
        state=found.state,
        direction=rule.direction,
        polarity=own.polarity,
        barred=own.barred,
        members=company.seats(found.held),
        answers=company.seats(found.undoing),
        domains=rule.domains,
        grounds=company.grounds(found.held),
        undoing=tuple(
            ground for ground in company.grounds(found.undoing) if ground not in company.grounds(found.held)
        ),
        source=rule.source_of(found.undoing),
        evidence=company.ids((*found.held, *found.undoing)),
    )


def dynamic_facts(found: Iterable[Dynamic]) -> Iterator[Fact]:
    """`dyn.<name>`: what stands and what is undone, with the conditions."""
    for each in found:
        values: tuple[object, ...] = (each.name, each.grounds)
        key = "dynamic.stands"
        if each.state == UNDONE:
            key = "dynamic.broken" if each.direction == GOOD else "dynamic.answered"
            values = (*values, each.undoing)
        yield Fact(
            each.fact_id, "dynamic", "chart", each.name, each.state, key, values, None, each.evidence, "R-DYN", each.source,
        )  # fmt: skip
