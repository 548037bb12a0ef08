"""What is answered first where a chart, a year or several years are asked something."""

from __future__ import annotations

from typing import Any

import bazi_core as bz


def summary(of: Any, question: str, **options: Any) -> Any:
    """The sentences of the answer."""
    return bz.read(of, question=question, **options).reading.summary


def keys(of: Any, question: str, **options: Any) -> list[str]:
    """The statements of the answer."""
    return [each.statement for each in summary(of, question, **options)]


def text(of: Any, question: str, **options: Any) -> str:
    return "".join(each.text for each in summary(of, question, **options))
