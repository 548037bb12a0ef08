"""What the tests of the year share: charts by their pillars with roles as one likes, and years before them."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.pattern.useful import ROLES
from bazi_core.year.events import events
from bazi_core.year.meeting import Meeting, Natal

PILLARS = st.sampled_from(list(bz.Pillar))
FOUR = st.tuples(PILLARS, PILLARS, PILLARS, PILLARS | st.none())
ANY_ROLES = st.tuples(*[st.sampled_from(ROLES)] * 5)
YEARS = st.integers(1985, 2085)
BIRTHS = st.builds(
    lambda year, month, day, hour, gender: (f"{year}-{month:02}-{day:02} {hour:02}:17", gender),
    st.integers(1930, 1984), st.integers(1, 12), st.integers(1, 28), st.integers(0, 23),
    st.sampled_from(["male", "female"]),
)  # fmt: skip


def natal(pillars, roles="闲闲闲闲闲", gender="male", **options) -> Natal:
    """A chart of pillars; `roles` are those of 木火土金水 by their first signs."""
    four = (
        bz.FourPillars.parse(pillars, strict=False) if isinstance(pillars, str) else bz.FourPillars(*pillars)
    )
    full = {role[0]: role for role in ROLES}
    named = tuple(full[each] for each in roles) if isinstance(roles, str) else roles
    return Natal.of(four, bz.School(**options), gender, named)


def meeting(own: Natal, pillar: str, position: str = "liunian", is_decade: bool = True) -> Meeting:
    ground = {"liunian": "ln.2026", "luck": "dy.3", "liuyue": "lm.2026.05"}[position]
    return Meeting(
        position, pillar if isinstance(pillar, bz.Pillar) else bz.Pillar(pillar), own, ground, is_decade
    )


def found(pillars, year, roles="闲闲闲闲闲", luck=None, position="liunian", is_decade=True, **options):
    """The events of a year's pillar before a chart, by rule and suffix."""
    own = natal(pillars, roles, **options)
    beside = meeting(own, luck, "luck", is_decade) if luck else None
    made = events(meeting(own, year, position), "yr.2026", "ln.2026.rel", beside)
    return {event.key: event for event in made}


@cache
def chart(when="1990-05-15 13:30", gender="male", hour_unknown=False, **options) -> bz.Chart:
    return bz.chart(when, city="北京", gender=gender, hour_unknown=hour_unknown, school=bz.School(**options))
