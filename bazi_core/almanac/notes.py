"""The notes of a day: what a user should know of it, each a code with its data, told by `notes.csv`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from bazi_core.alphabet import PILLARS
from bazi_core.render.phrases import pillar_name
from bazi_core.tables import rows
from bazi_core.tables.almanac_words import said
from bazi_core.tables.words import label

SEE_A_DOCTOR = "求医疗病"
_PILLARS = {pillar.value: pillar for pillar in PILLARS}


class Note(NamedTuple):
    """A note on a day: stable code and JSON-ready data."""

    code: str
    data: dict[str, Any]

    @property
    def counted(self) -> dict[str, Any]:
        """The data; of rows their number too."""
        return {**self.data, "count": len(self.data["rows"])} if "rows" in self.data else self.data

    def text(self, lang: str = "zh-Hans") -> str:
        """The note in a sentence, in zh-Hans, zh-Hant or en."""
        words = {name: _told(name, value, lang) for name, value in self.data.items()}
        return _note_texts()[self.code][lang].format(**words)

    def to_dict(self, lang: str = "zh-Hans") -> dict[str, Any]:
        return {"code": self.code, "message": self.text(lang), "data": self.data}


def _told(name: str, value: Any, lang: str) -> Any:
    """A value of a note as its sentence has it: an instant to the minute, a pillar, a word of the almanac."""
    if isinstance(value, list):
        return _rulings(value, lang) if name == "rows" else ", ".join(value)
    if not isinstance(value, str):
        return value
    if name in ("local", "utc"):
        return value[:16].replace("T", " ")
    if value in _PILLARS:
        return pillar_name(_PILLARS[value], lang)
    return said(value, lang)


def _rulings(ids: list[str], lang: str) -> str:
    """Rows of the book by their ids as words, those of one god together.

    >>> _rulings(["xj:开日:ji:启攒", "xj:开日:ji:安葬"], "zh-Hant")
    '開日忌啟攢、安葬'
    """
    parted = [row.split(":") for row in ids]
    heads = dict.fromkeys((god, effect) for _, god, effect, _ in parted)
    between, after = (", ", "; ") if lang == "en" else ("、", "；")
    told = (
        label(
            f"almanac_ruling.{effect}", lang, god=said(god, lang),
            items=between.join(said(item, lang) for _, *head, item in parted if tuple(head) == (god, effect)),
        )
        for god, effect in heads
    )  # fmt: skip
    return after.join(told)


@cache
def _note_texts() -> dict[str, dict[str, str]]:
    return {row["code"]: row for row in rows("almanac/notes")}


# Beside every verdict on seeing a doctor.
DOCTOR = Note("NO_DAY_DELAYS_A_DOCTOR", {})
