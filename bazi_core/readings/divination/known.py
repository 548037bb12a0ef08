"""What cited facts say of each place of a board: the six lines, what they turn into, hidden lines, month, day, hexagrams.

A fact fills in values at its place: `ly.line.3` the relative, pillar, spirit and seat of line 3. What month, day and 旬空
are to a branch follows from them by rule (旺相休囚死, 月破, 日冲, 旬空, 墓), once both are cited.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.alphabet import BRANCHES, Branch, Element, Pillar
from bazi_core.readings.divination.words import vocabulary
from bazi_core.readings.vocabulary import tokens
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bazi_core.readings.entailment import FactLike

# 旺 相 休 囚 死 by how far the element lies after that of the month.
_SEASONS = ("旺", "相", "死", "囚", "休")
_SEATS = ("世", "应")
_STATES = {
    "yuepo": (("broken_month", "月破"),),
    "richong": (("clashed_day", "日冲"),),
    "andong": (("moved", "暗动"), ("clashed_day", "日冲")),
    "ripo": (("broken_day", "日破"), ("clashed_day", "日冲")),
}
# A void line is of one kind.
_VOIDS = {"真空": ("假空",), "假空": ("真空",)}
_CALENDAR = {"ly.yuejian": ("month", "月"), "ly.richen": ("day", "日")}
_PILLARS = {
    "year": ("year", "年"),
    "month": ("month_pillar", "月"),
    "day": ("day_pillar", "日"),
    "hour": ("hour", "时"),
}
_NAMED = {
    "ly.yuepo": ("broken_month", "月破"),
    "ly.richong": ("clashed_day", "日冲"),
    "ly.void.day": ("void", "旬空"),
}
# Of these a place has one value, so that another one is denied.
_ONE = frozenset((
    "line", "relative", "pillar", "branch", "stem", "spirit", "season", "element", "moving", "hexagram", "palace",
    "generation", "sign", "gua", "seat", "calendar",
))  # fmt: skip

Put = tuple[str, str, str]  # place, category, term; a term that begins with ! is denied


class Place(NamedTuple):
    """What is known of a place; `base` is where it came from: the line that turned, the primary hexagram."""

    name: str
    base: str
    held: dict[str, set[str]]

    def has(self, category: str, term: str) -> bool:
        return term in self.held.get(category, ())

    def denies(self, category: str, term: str) -> bool:
        """Whether it follows that a word is not true of the place."""
        held = self.held.get(category, ())
        if term in held:
            return False
        return f"!{term}" in held or (category in _ONE and any(not each.startswith("!") for each in held))

    @property
    def branch(self) -> Branch | None:
        found = self.held.get("branch", ())
        return Branch(next(iter(found))) if len(found) == 1 else None

    @property
    def element(self) -> Element | None:
        found = self.held.get("element", ())
        return Element(next(iter(found))) if len(found) == 1 else None


def places(facts: Iterable[FactLike]) -> dict[str, Place]:
    """What facts say, by place."""
    found: dict[str, Place] = {}
    for fact in facts:
        value = tuple(fact.value) if isinstance(fact.value, (tuple, list)) else fact.value
        for place, words in _read(
            fact.id, fact.kind, fact.subject, fact.predicate, value, fact.position or "", fact.text_zh
        ):
            here = found.get(place)
            if here is None:
                here = found[place] = Place(place, _base(place), defaultdict(set))
            held = here.held
            for category, term in words:
                held[category].add(term)
    _derive(found)
    return found


def _base(place: str) -> str:
    return (
        "primary" if place == "target" else place[1:] if place[0] in "th" and place[1:].isdigit() else place
    )


@lru_cache(maxsize=1 << 14)
def _read(
    name: str, kind: str, subject: str, predicate: str, value: Any, position: str, text: str
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """What one fact puts where: every place with its (category, term)."""
    found: dict[str, dict[tuple[str, str], None]] = {}
    for place, category, term in _puts(name, kind, subject, predicate, value, position, text):
        found.setdefault(place, {})[category, term] = None
    return tuple((place, tuple(words)) for place, words in found.items())


def _puts(
    name: str, kind: str, subject: str, predicate: str, value: Any, position: str, text: str
) -> Iterator[Put]:
    # Most sentences need not be read: what they say stands in the other members too.
    words = _words(text) if kind in _WORDED else []
    match kind:
        case "pillar":
            word, unit = _PILLARS[subject]
            yield f"gz.{subject}", "calendar", word
            yield from _pillar(f"gz.{subject}", value)
            yield f"gz.{subject}", "when", f"{value[1]}{unit}"
            yield f"gz.{subject}", "dated", f"{value}{unit}"
        case "calendar":
            yield from _calendar(name, value)
        case "hexagram":
            yield from _hexagram(name, predicate, value, words)
        case "line" if predicate == "stands":
            yield from _line(position, subject, value, text)
        case "line":
            yield f"t{position}", "turned", ""
            yield from _at(f"t{position}", position, subject, value)
        case "line_state":
            yield from _state(position, subject, predicate, value, text)
        case "change":
            yield from _change(position, subject, predicate, text)
        case "hidden":
            yield from _hidden(position, subject, value, words)
        case "trine":
            three = next(term for category, term in words if category == "trine_set")
            for category, term in (
                ("trine_set", three),
                ("trine", subject),
                ("trine", "*"),
                ("trine_kind", value),
                ("element", subject),
            ):
                yield name, category, term
        case "star":
            yield position, "line", position
            yield position, "star", subject
        case "yongshen":
            yield from _yongshen(subject, predicate, value, position, words)
        case "role":
            yield from _role(subject, value, text)
        case "timing":
            yield name, "trigger", predicate
            yield from ((name, "branch", each) for each in value)
            yield from ((name, "when", f"{each}{unit}") for each in value for unit in "月日年时")
        case "sign":
            yield "sign", "sign", value


# The kinds of facts whose sentence says more than their other members.
_WORDED = frozenset(("hexagram", "hidden", "trine", "yongshen"))


def _words(text: str) -> list[tuple[str, str]]:
    return [(each.category, each.term) for each in tokens(text, vocabulary())[0]]


def _pillar(place: str, value: str) -> Iterator[Put]:
    pillar = Pillar(value)
    yield place, "pillar", value
    yield place, "stem", pillar.stem.value
    yield from _branch(place, pillar.branch)


def _branch(place: str, branch: Branch) -> Iterator[Put]:
    yield place, "branch", branch.value
    yield place, "element", branch.element.value


def _at(place: str, line: str, relative: str, value: str) -> Iterator[Put]:
    yield place, "line", line
    yield place, "seat" if relative in _SEATS else "relative", relative
    yield from _pillar(place, value) if len(value) == 2 else _branch(place, Branch(value))


def _calendar(name: str, value: str) -> Iterator[Put]:
    if name in _CALENDAR:
        place, unit = _CALENDAR[name]
        yield place, "calendar", place
        yield place, "when", f"{value[0]}{unit}"
        yield from _branch(place, Branch(value[0]))
        return
    yield name, *_NAMED[name]
    for branch in map(Branch, value if name == "ly.void.day" else value[0]):
        yield from _branch(name, branch)


def _hexagram(name: str, predicate: str, value: str, words: list[tuple[str, str]]) -> Iterator[Put]:
    topic = name.split(".")[2]
    if topic in ("fanyin", "fuyin"):
        yield name, "part", predicate if predicate in ("inner", "outer") else name.split(".")[3]
        yield name, "turning", value
    elif topic == "transition":
        yield name, "transition", value
    elif topic == "target":
        for category, term in (("gua", "之卦"), ("hexagram", value), ("turned", "")):
            yield "target", category, term
    else:
        yield "primary", "gua", "本卦"
        keep = ("hexagram", "palace", "generation", "tag", "element")
        yield from (("primary", category, term) for category, term in words if category in keep)


def _line(line: str, relative: str, value: str, text: str) -> Iterator[Put]:
    """三爻兄弟己亥水，临螣蛇，持世，发动."""
    _, spirit, *seat, motion = text.split("，")
    yield from _at(line, line, relative, value)
    yield line, "spirit", spirit.removeprefix("临")
    yield line, "moving", motion
    yield from ((line, "seat", each.removeprefix("持")) for each in seat)
    if not seat:
        yield from ((line, "seat", f"!{each}") for each in _SEATS)


def _signs(text: str) -> list[str]:
    """The branches of a sentence in their order; that of 日辰 is part of the word."""
    return [sign for sign in text.replace("日辰", "") if sign in Branch.__members__]


def _state(line: str, relative: str, predicate: str, value: str, text: str) -> Iterator[Put]:
    """三爻丑土在卯月为死, 日辰未于三爻丑土为冲、扶, 三爻丑土落旬空, 三爻土在日辰辰为墓."""
    yield line, "line", line
    yield line, "relative", relative
    yield from ((line, *each) for each in _STATES.get(predicate, ()))
    signs = _signs(text)
    match predicate:
        case "state":
            yield from _season(line, value)
            yield from _calendar("ly.yuejian", signs.pop())
        case "month" | "day":
            yield from _calendar("ly.yuejian" if predicate == "month" else "ly.richen", signs.pop(0))
        case "void":
            yield line, "void", "旬空"
            yield line, "void", value
            yield from ((line, "void", f"!{each}") for each in _VOIDS.get(value, ()))
        case "stage":
            yield line, "stage", value
            yield from _calendar("ly.richen", signs.pop())
            yield line, "element", next(sign for sign in text if sign in Element.__members__)
    yield from (each for sign in signs for each in _branch(line, Branch(sign)))


def _season(place: str, state: str) -> Iterator[Put]:
    yield place, "season", state
    yield place, "season", "旺相" if state in "旺相" else "休囚"


def _change(line: str, relative: str, predicate: str, text: str) -> Iterator[Put]:
    category = "turning" if predicate == "伏吟" else "change"
    for place in (line, f"t{line}"):
        yield place, "line", line
        yield place, category, predicate
    yield line, "relative", relative
    yield line, "moving", "发动"
    yield from (each for sign in _signs(text) for each in _branch(line, Branch(sign)))


def _hidden(line: str, relative: str, value: str, words: list[tuple[str, str]]) -> Iterator[Put]:
    under = f"h{line}"
    yield from _at(under, line, relative, value)
    yield under, "hidden", "伏"
    yield under, "absent", ""
    yield line, "line", line
    yield line, "flying", "飞"
    flying = [term for category, term in words if category == "pillar"]
    yield from _pillar(line, flying[-1])
    for category, term in words:
        if category == "flying":
            yield under, "flying", term
            yield line, "flying", term


def _yongshen(
    subject: str, source: str, value: str, position: str, words: list[tuple[str, str]]
) -> Iterator[Put]:
    role = next((term for category, term in words if category == "role"), "候选")
    place = {"line": position, "changed": f"t{position}", "hidden": f"h{position}"}.get(source, source)
    yield place, "role", role
    yield place, "seat" if subject in _SEATS else "relative", subject
    if position:
        yield from _at(place, position, subject, value)
    else:
        yield from _calendar("ly.yuejian" if source == "month" else "ly.richen", value)
    if source == "hidden":
        yield place, "hidden", "伏"
    if source == "changed":
        yield place, "turned", ""


def _role(role: str, element: str, text: str) -> Iterator[Put]:
    """原神属火，在二爻、五爻，其中二爻发动: of each line whether it moves, of all together where they do alike."""
    seats, _, motion = text.partition("，")[2].rpartition("，")
    lines, some = _lines(seats), _lines(motion)
    own, moves = f"role.{role}", "发动" if motion.endswith("发动") else "安静"
    for place in (own, *lines):
        yield place, "role", role
        yield place, "element", element
    for line in lines:
        yield own, "line", line
        yield line, "line", line
        yield line, "moving", moves if line in (some or lines) else "安静"
    if not lines:
        yield own, "absent", ""
    elif not some:
        yield own, "moving", moves


def _lines(text: str) -> list[str]:
    """The lines that are named."""
    return [term for category, term in _words(text) if category == "line"]


def _derive(found: dict[str, Place]) -> None:
    """What month, day and 旬空 are to every branch that is known."""
    month, day = _seen(found, "month"), _seen(found, "day")
    void = frozenset(found["ly.void.day"].held["branch"]) if "ly.void.day" in found else None
    for place in [*found.values()]:
        if not _is_judged(place):
            continue
        for category, term in _follows(place.branch, place.element, month, day, void):
            place.held[category].add(term)


def _is_judged(place: Place) -> bool:
    """Whether month and day are something to a place: a line, what it turns into, a hidden one, or whatever is the 用神."""
    own = place.name.lstrip("th")
    return own.isdigit() or place.name.startswith("role.") or "role" in place.held


def _seen(found: dict[str, Place], name: str) -> Branch | None:
    here = found.get(name) or found.get(f"gz.{name}")
    return here.branch if here is not None else None


@lru_cache(maxsize=1 << 14)
def _follows(
    branch: Branch | None, element: Element | None, month: Branch | None, day: Branch | None, void: frozenset[str] | None
) -> tuple[tuple[str, str], ...]:  # fmt: skip
    """What is said of a branch, or an element, in a month, on a day and with these branches void."""
    return tuple(_judged(branch, element, month, day, void))


def _judged(
    branch: Branch | None, element: Element | None, month: Branch | None, day: Branch | None, void: frozenset[str] | None
) -> Iterator[tuple[str, str]]:  # fmt: skip
    if month is not None and element is not None:
        state = _SEASONS[(element.index - month.element.index) % 5]
        yield from ((category, term) for _, category, term in _season("", state))
    if branch is None:
        return
    if month is not None:
        yield "broken_month", "月破" if clash(month) is branch else "!月破"
    if day is not None:
        clashed = clash(day) is branch
        yield "clashed_day", "日冲" if clashed else "!日冲"
        if not clashed:
            yield "moved", "!暗动"
            yield "broken_day", "!日破"
        stage = _stages().get((branch.element.value, day.value))
        yield from [("stage", stage)] if stage else []
    if void is not None:
        yield "void", "旬空" if branch.value in void else "!旬空"


def clash(branch: Branch) -> Branch:
    """The branch six further on."""
    return BRANCHES[(branch.index + 6) % 12]


@cache
def _stages() -> dict[tuple[str, str], str]:
    names = ("长生", "帝旺", "墓", "绝")
    return {(row["element"], row[name]): name for row in rows("liuyao/stages") for name in names}


# How far the element acted on lies after that which acts; of 刑 and 害 the facts tell nothing.
_STEPS = {"扶": 0, "生": 1, "克": 2, "耗": 3, "泄": 4}


def acts(verb: str, one: Place, other: Place) -> bool | None:
    """Whether one place does this to another; None when the facts do not tell.

    生 克 扶 泄 耗 are judged by the elements, 冲 合 临 破 by the branches.
    """
    first, then = one.branch, other.branch
    if verb in ("冲", "破", "合", "临"):
        if first is None or then is None:
            return None
        if verb == "临":
            return first is then
        return clash(first) is then if verb != "合" else (first.index + then.index) % 12 == 1
    if verb not in _STEPS:
        return None
    ours, theirs = one.element, other.element
    if ours is None or theirs is None:
        return None
    return (theirs.index - ours.index) % 5 == _STEPS[verb]
