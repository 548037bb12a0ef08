"""The small words between terms (`glue.csv`), compiled: what ties a role to its element, a term to its place."""

from __future__ import annotations

import re
from functools import cache

from bazi_core.readings.lexicon import filled
from bazi_core.tables import rows

_WHERE = {"whole": r"(?:{})\Z", "end": r"(?:{})\Z", "start": r"(?:{})", "any": r"(?:{})"}
_BRACKETS = {"{O}": '[「"“(（]?', "{C}": '[」"”)）]?'}


@cache
def glue(name: str) -> re.Pattern[str]:
    """The pattern of a name: use `match` for whole and start, `search` for end and any.

    >>> bool(glue("forward").match("为")), bool(glue("forward").match("，木为"))
    (True, False)
    """
    found = [row for row in rows("glue") if row["name"] == name]
    pattern = "|".join(row["pattern"] for row in found)
    for mark, brackets in _BRACKETS.items():
        pattern = pattern.replace(mark, brackets)
    return re.compile(filled(_WHERE[found[0]["where"]].replace("{}", pattern)))
