"""Births as tables write them: the text, then arguments of `bz.chart` and options of the School."""

from __future__ import annotations

from typing import Any

from bazi_core.school import School


def asked_of(text: str) -> dict[str, Any]:
    """The arguments of a birth.

    >>> asked_of("1990-05-15 13:30; city=北京; longitude=116.4; school.time_basis=civil")["school"].time_basis
    'civil'
    """
    given = dict(part.split("=", 1) if "=" in part else ("when", part) for part in text.split("; "))
    options: dict[str, Any] = {
        name.removeprefix("school."): given.pop(name) for name in [*given] if name.startswith("school.")
    }
    asked: dict[str, Any] = {name: value or None for name, value in given.items()}
    asked |= {name: float(asked[name]) for name in ("longitude", "latitude") if name in asked}
    asked |= {"fold": int(asked["fold"])} if "fold" in asked else {}
    asked |= {"hour_unknown": True} if "hour_unknown" in asked else {}
    return asked | ({"school": School(**options)} if options else {})
