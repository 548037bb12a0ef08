"""Who carries points in a year: stem and branch of every luck and of the year, the events, the ten gods of the year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.year.points import Carrier, PointsRow, capped, event_row, role_row, theme_row
from bazi_core.year.rules import Theme, side_of, themes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Pillar
    from bazi_core.luck.flows import Flow
    from bazi_core.year.events import YearEvent
    from bazi_core.year.meeting import Natal
    from bazi_core.year.segments import Segment

    Themes = tuple[tuple[str, tuple[Theme, ...]], ...]


def carriers_of(natal: Natal, flow: Flow, parts: tuple[Segment, ...]) -> Iterator[Carrier]:
    """Stem and branch of every luck in the year, for the time it runs, and of the year."""
    whole = sum(part.seconds for part in parts)
    lucks = [part for part in parts if part.pillar is not None]
    for number, part in enumerate(lucks, 1):
        assert part.pillar is not None
        for carrier in _of_pillar(natal, "luck", part.pillar, part.place, part.fact_id or ""):
            clashed = (
                carrier.part == "branch"
                and part.cycle is not None
                and flow.pillar.branch is part.pillar.branch.clash
            )
            yield carrier._replace(part_s=part.seconds, whole_s=whole, number=number, is_clashed=clashed)
    yield from _of_pillar(natal, "year", flow.pillar, "liunian", f"ln.{flow.label}")


def _of_pillar(natal: Natal, seat: str, pillar: Pillar, place: str, ground: str) -> Iterator[Carrier]:
    for part, sign in (("stem", pillar.stem), ("branch", pillar.branch)):
        yield Carrier(seat, part, sign, natal.role(sign.element), place, ground)


def year_themes(natal: Natal, flow: Flow) -> Themes:
    """The themes of the year's stem and of the main qi of its branch."""
    return tuple(
        (part, themes_of(god, side_of(natal.role(getattr(flow.pillar, part).element)), natal.gender))
        for part, god in flow.marks.ten_gods.items()
    )


def rows_of(
    carriers: tuple[Carrier, ...], found: tuple[YearEvent, ...], themes: Themes, prefix: str
) -> Iterator[PointsRow]:
    """All that adds to the scores: carriers, events, ten gods."""
    for carrier in carriers:
        yield capped(role_row(carrier, prefix))
    for event in found:
        yield capped(event_row(event))
    for part, of_part in themes:
        yield capped(theme_row(part, of_part, prefix))
