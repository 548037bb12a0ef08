"""应期: what fires twice. An event of the year that the luck brings too, or that a month repeats, is felt most then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bazi_core.year.events import YearEvent
    from bazi_core.year.months import Month


class Timing(NamedTuple):
    """An event of the year with the levels on which it fires (`liunian`, and `luck` or `liuyue`) and the months in
    which it comes again; `evidence` are the facts of the event on every level."""

    rule: str
    name: str
    levels: tuple[str, ...]
    months: tuple[int, ...]
    evidence: tuple[str, ...]


def timing(
    of_year: Sequence[YearEvent], of_luck: Sequence[YearEvent], months: Sequence[Month]
) -> tuple[Timing, ...]:
    """The events of the year that fire on another level too, in their order.

    A dynamic is none of them: what the luck made of it is there when the year comes.
    """
    luck = {event.key: event for event in of_luck if not event.is_dynamic}
    repeated: dict[str, list[tuple[int, YearEvent]]] = {}
    for month in months:
        for each in month.events:
            repeated.setdefault(each.key, []).append((month.number, each))
    found = []
    for event in of_year:
        key = event.key
        again, both = repeated.get(key, []), [luck[key]] if key in luck else []
        if not both and not again:
            continue
        levels = ("luck",) * bool(both) + ("liunian",) + ("liuyue",) * bool(again)
        evidence = (event.id, *(each.id for each in both), *(each.id for _, each in again))
        found.append(Timing(event.rule, event.name, levels, tuple(number for number, _ in again), evidence))
    return tuple(found)
