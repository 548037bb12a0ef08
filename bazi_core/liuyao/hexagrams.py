"""The sixty-four hexagrams as data: trigrams, palace and generation, 世 and 应, 纳甲, 六亲, hidden lines.

A hexagram is a number 0–63, bit k for line k + 1, 1 for yang; binary text runs from line 1 (bottom) to line 6. The
tables name it and place it in its palace (京房八宫, 《增删卜易·八宫图章》); stems and branches come from its trigrams
(纳甲), relatives from the element of the palace of the *primary* hexagram, whatever it changes into.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from bazi_core.alphabet import BRANCHES, ELEMENTS, PILLARS, Branch, Element, Pillar
from bazi_core.errors import InvalidInput, UnknownHexagram, shown
from bazi_core.tables import rows
from bazi_core.tables.sentences import Said

PURE, WANDERING, RETURNING = "本宫", "游魂", "归魂"
CLASHING, COMBINING = "六冲", "六合"
POSITIONS = (1, 2, 3, 4, 5, 6)
# The hanzi of a member; this look-up takes a quarter of the time of `.value`.
HANZI: dict[object, str] = {each: each.value for each in (*BRANCHES, *ELEMENTS, *PILLARS)}


class Trigram(NamedTuple):
    """One of the eight; `number` is that of 梅花易数, `inner` and `outer` are its 纳甲."""

    name: str
    bits: int
    element: Element
    image: str
    number: int
    inner: tuple[Pillar, ...]
    outer: tuple[Pillar, ...]
    opposite: str


class Hidden(NamedTuple):
    """伏神: a line of the palace's head under the visible line of the same position (飞神)."""

    position: int
    relation: str
    pillar: Pillar
    flying: Pillar


class Hexagram(NamedTuple):
    """One of the sixty-four, `number` in King Wen's order, `element` that of its palace.

    >>> found = hexagram("既济")
    >>> found.full_name, found.binary, found.palace, found.generation, found.shi, found.ying
    ('水火既济', '101010', '坎', '三世', 3, 6)
    >>> [line.value for line in found.pillars], [each.position for each in found.hidden]
    (['己卯', '己丑', '己亥', '戊申', '戊戌', '戊子'], [3])
    """

    number: int
    name: str
    full_name: str
    code: int
    lower: Trigram
    upper: Trigram
    palace: str
    generation: str
    shi: int
    ying: int
    element: Element

    @property
    def binary(self) -> str:
        """Yang bits from line 1 to line 6."""
        return BINARY[self.code]

    @property
    def pillars(self) -> tuple[Pillar, ...]:
        """纳甲 of lines 1 to 6."""
        return self.lower.inner + self.upper.outer

    @property
    def branches(self) -> tuple[Branch, ...]:
        """Branches of lines 1 to 6."""
        return _branches(self.code)

    @property
    def relations(self) -> tuple[str, ...]:
        """六亲 of lines 1 to 6, in its own palace."""
        return relations_in(self.code, self.element)

    @property
    def marks(self) -> tuple[str, ...]:
        """世, 应 or nothing at lines 1 to 6."""
        return _marks(self.code)

    @property
    def missing(self) -> tuple[str, ...]:
        """The relatives that none of the six lines is, from 父母 on."""
        *others, parents = relatives()
        return tuple(name for name in (parents, *others) if name not in self.relations)

    @property
    def hidden(self) -> tuple[Hidden, ...]:
        """The missing relatives where the head of the palace has them, ascending by position."""
        return _hidden(self.code)

    @property
    def tags(self) -> tuple[str, ...]:
        """六冲 or 六合 (lines 1–4, 2–5, 3–6 all clash or all combine), 游魂 or 归魂."""
        return _tags(self.code)

    @property
    def gua_shen(self) -> Branch:
        """卦身 (《卜筮正宗》): a yang 世 counts months from 子 at line 1, a yin 世 from 午."""
        return _gua_shen(self.code)[0]

    @property
    def gua_shen_lines(self) -> tuple[int, ...]:
        """The lines that bear its 卦身; in 31 of the 64 there are some."""
        return _gua_shen(self.code)[1]

    @property
    def shi_shen(self) -> int:
        """世身 (《卜筮全书》): the line that the branch of 世 points to, 子午 1 … 巳亥 6."""
        return self.branches[self.shi - 1].index % 6 + 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "kingWen": self.number,
            "name": self.full_name,
            "shortName": self.name,
            "binary": self.binary,
            "upper": self.upper.name,
            "lower": self.lower.name,
            "palace": self.palace,
            "palaceElement": self.element.value,
            "generation": self.generation,
            "generationIndex": generations().index(self.generation),
            "shi": self.shi,
            "ying": self.ying,
            "lines": [self._line(n) for n in POSITIONS],
            "missingRelations": list(self.missing),
            "hidden": [
                {
                    "position": each.position,
                    "relation": each.relation,
                    "stem": each.pillar.stem.value,
                    "branch": each.pillar.branch.value,
                    "element": each.pillar.branch.element.value,
                    "flying": each.flying.value,
                }
                for each in self.hidden
            ],
            "tags": list(self.tags),
            "guaShen": self.gua_shen.value,
            "guaShenLines": [*self.gua_shen_lines],
            "shiShen": self.shi_shen,
        }

    def _line(self, n: int) -> dict[str, Any]:
        pillar = self.pillars[n - 1]
        return {
            "position": n,
            "yang": bool(self.code >> (n - 1) & 1),
            "stem": pillar.stem.value,
            "branch": pillar.branch.value,
            "element": pillar.branch.element.value,
            "relation": self.relations[n - 1],
            "mark": mark(self, n),
        }


@cache
def generations() -> tuple[str, ...]:
    """本宫 一世 … 五世 游魂 归魂."""
    return tuple(row["name"] for row in rows("liuyao/generations"))


def mark(hexagram: Hexagram, n: int) -> str:
    """世, 应 or nothing."""
    return "世" if n == hexagram.shi else "应" if n == hexagram.ying else ""


def binary_of(code: int) -> str:
    """Six bits as text, line 1 first.

    >>> binary_of(0b000001)
    '100000'
    """
    return "".join("1" if code >> k & 1 else "0" for k in range(6))


BINARY = tuple(map(binary_of, range(64)))


def code_of(bits: Iterable[str | int | bool]) -> int:
    """The number of six yang bits, line 1 first."""
    return sum(int(bit) << k for k, bit in enumerate(bits))


def branch_of(name: Any, field: str) -> Branch:
    """A branch by name; an error for any other text."""
    branch = Branch.__members__.get(name) if isinstance(name, str) else None
    if branch is None:
        text = shown(name)[:20]
        raise InvalidInput(
            Said("branch_unknown", field=field, text=text),
            hint=" ".join(map(str, BRANCHES)),
            field=field,
            value=text,
        )
    return branch


@cache
def clash(branch: Branch) -> Branch:
    """六冲 as a function of a branch."""
    return branch.clash


@cache
def combination(branch: Branch) -> Branch:
    """六合: 子丑 寅亥 卯戌 辰酉 巳申 午未."""
    return BRANCHES[(1 - branch.index) % 12]


@cache
def relatives() -> tuple[str, ...]:
    """兄弟 子孙 妻财 官鬼 父母, by how far an element lies after that of the palace."""
    return tuple(row["name"] for row in rows("liuyao/relatives"))


def relation(palace: Element, element: Element) -> str:
    """六亲: the relative of an element in a palace."""
    return relatives()[(element.index - palace.index) % 5]


@cache
def trigrams() -> dict[str, Trigram]:
    """The eight trigrams by name, in the order of 梅花易数."""
    return {
        row["name"]: Trigram(
            row["name"],
            code_of(row["bits"]),
            Element(row["element"]),
            row["image"],
            int(row["number"]),
            tuple(map(Pillar, row["inner"].split())),
            tuple(map(Pillar, row["outer"].split())),
            row["opposite"],
        )
        for row in rows("liuyao/trigrams")
    }


def trigram(name: str) -> Trigram:
    """A trigram by its name.

    >>> trigram("兑").element, trigram("兑").image
    (Element('金'), '泽')
    """
    return trigrams()[name]


@cache
def hexagrams() -> tuple[Hexagram, ...]:
    """The sixty-four in King Wen's order."""
    by_bits = {each.bits: each for each in trigrams().values()}
    seats = {row["name"]: (int(row["shi"]), int(row["ying"])) for row in rows("liuyao/generations")}
    sixty_four = []
    for row in rows("liuyao/hexagrams"):
        code = code_of(row["binary"])
        lower, upper = by_bits[code & 7], by_bits[code >> 3]
        sixty_four.append(
            Hexagram(
                int(row["number"]), row["name"], row["full"], code, lower, upper, row["palace"], row["generation"],
                *seats[row["generation"]], trigrams()[row["palace"]].element,
            )
        )  # fmt: skip
    return tuple(sixty_four)


@cache
def _by_code() -> tuple[Hexagram, ...]:
    return tuple(sorted(hexagrams(), key=lambda each: each.code))


def hexagram_of(code: int) -> Hexagram:
    """The hexagram of a number 0–63."""
    return _by_code()[code]


# Every cast needs the derived values of a hexagram, so they are cached by its number.


@cache
def _branches(code: int) -> tuple[Branch, ...]:
    return tuple(pillar.branch for pillar in hexagram_of(code).pillars)


@cache
def relations_in(code: int, palace: Element) -> tuple[str, ...]:
    """六亲 of the lines of a hexagram in a palace, which for a target is that of the primary."""
    return tuple(relation(palace, branch.element) for branch in _branches(code))


@cache
def _marks(code: int) -> tuple[str, ...]:
    return tuple(mark(hexagram_of(code), n) for n in POSITIONS)


@cache
def _hidden(code: int) -> tuple[Hidden, ...]:
    own = hexagram_of(code)
    head = hexagram_of(trigram(own.palace).bits * 9)
    missing = own.missing
    return tuple(
        Hidden(n, name, inside, visible)
        for n, name, inside, visible in zip(POSITIONS, head.relations, head.pillars, own.pillars, strict=True)
        if name in missing
    )


@cache
def _gua_shen(code: int) -> tuple[Branch, tuple[int, ...]]:
    found = hexagram_of(code)
    first = 0 if code >> (found.shi - 1) & 1 else 6
    branch = BRANCHES[(first + found.shi - 1) % 12]
    return branch, tuple(n for n, own in enumerate(found.branches, 1) if own is branch)


@cache
def _tags(code: int) -> tuple[str, ...]:
    own = hexagram_of(code)
    pairs = [*zip(own.branches[:3], own.branches[3:], strict=True)]
    tags = [CLASHING] if all(clash(one) is other for one, other in pairs) else []
    tags += [COMBINING] if all(combination(one) is other for one, other in pairs) else []
    return (*tags, *([own.generation] if own.generation in (WANDERING, RETURNING) else []))


def hexagram(name: str | int) -> Hexagram:
    """A hexagram by short or full name (traditional forms too), six bits, or King Wen number.

    Raises `UNKNOWN_HEXAGRAM` with suggestions.

    >>> [hexagram(key).full_name for key in ("遯", "水火既濟", "101010", 63)]
    ['天山遁', '水火既济', '水火既济', '水火既济']
    """
    key = str(name) if isinstance(name, int) and not isinstance(name, bool) else name
    named = _names().get(key) if isinstance(key, str) else None
    if named is None:
        text = shown(name)[:20]
        near = _near(text)
        raise UnknownHexagram(
            Said("hexagram_unknown", text=text),
            hint=Said("close", names=" ".join(near)) if near else "",
            given=text,
            suggestions=near,
        )
    return named


def _near(text: str) -> list[str]:
    """Full names of hexagrams with similar names."""
    from difflib import get_close_matches

    close = [name for name in _names() if not name.isdigit() and set(name) & set(text)]
    return list(dict.fromkeys(_names()[match].full_name for match in get_close_matches(text, close, 8, 0.3)))[
        :5
    ]


@cache
def _names() -> dict[str, Hexagram]:
    by_name: dict[str, Hexagram] = {}
    for row, each in zip(rows("liuyao/hexagrams"), hexagrams(), strict=True):
        keys = (each.name, each.full_name, row["name_hant"], row["full_hant"], each.binary, str(each.number))
        by_name |= dict.fromkeys((*keys, *row["aliases"].split()), each)
    return by_name
