"""命卦: the trigram of the Eight Mansions (八宅) by year of birth and gender.

The year is that of the year pillar: it begins at 立春, or at lunar new year where the School's `year_boundary` says so.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.facts import Fact
from bazi_core.tables import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Pillar

SOURCE = "BZMJ.论男女生命"
_CYCLE, _YUAN = 180, 60


class MingGua(NamedTuple):
    """A 命卦: its trigram, the number of the trigram's palace, the star of the year (5 has no trigram of its own: a man
    takes 坤, a woman 艮), and 东四命 or 西四命.

    >>> import bazi_core as bz
    >>> bz.chart("1990-05-15 13:30", city="北京", gender="male").ming_gua
    MingGua(number=1, trigram='坎', group='东四命', star=1)
    """

    number: int
    trigram: str
    group: str
    star: int

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "source": SOURCE, "evidence_id": "gua.ming"}


def ming_gua(year: int, gender: str) -> MingGua:
    """The 命卦 of a year.

    >>> ming_gua(1990, "female"), ming_gua(1995, "male").star
    (MingGua(number=8, trigram='艮', group='西四命', star=5), 5)
    """
    yuan, since = divmod((year - _yuan()[0][0]) % _CYCLE, _YUAN)
    first, step = (_yuan()[yuan][1], -1) if gender == "male" else (_yuan()[yuan][2], 1)
    star = (first + step * since - 1) % 9 + 1
    row = _stars()[star]
    trigram = row[gender]
    return MingGua(_palaces()[trigram], trigram, row["group"], star)


def gua_facts(gua: MingGua) -> Iterator[Fact]:
    """The fact of the 命卦, resting on gender and year."""
    yield Fact(
        "gua.ming", "ming_gua", "birth", "trigram", gua.trigram, "gua.ming", (gua.trigram, gua.group), None,
        ("p.input.gender", "p.year.stem", "p.year.branch"), "R-MING-GUA", SOURCE,
    )  # fmt: skip


def year_of(pillar: Pillar, near: int) -> int:
    """The year with this pillar that lies nearest to another one."""
    return near - (near - 4 - pillar.index + 30) % 60 + 30


@cache
def _yuan() -> list[tuple[int, int, int]]:
    return [(int(row["first_year"]), int(row["male"]), int(row["female"])) for row in rows("ming_gua_yuan")]


@cache
def _stars() -> dict[int, dict[str, str]]:
    return {int(row["star"]): row for row in rows("ming_gua")}


@cache
def _palaces() -> dict[str, int]:
    return {row["male"]: star for star, row in _stars().items() if row["male"] == row["female"]}
