"""typst (extra `pdf`) as what sets pages of A4: a source with the fonts for hanzi that are there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bazi_core.errors import FontMissing, known, library_missing
from bazi_core.pictures.kit import colors
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import LANGUAGES

# Families with hanzi, by preference: the traditional forms first where they are asked for.
SERIF = (
    "Noto Serif CJK {}",
    "Noto Serif {}",
    "Source Han Serif {}",
    "Songti {}",
    "SimSun",
    "PMingLiU",
    "AR PL UMing CN",
)
SANS = (
    "Noto Sans CJK {}", "Noto Sans {}", "Source Han Sans {}", "PingFang {}", "Microsoft YaHei", "Microsoft JhengHei",
    "WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Heiti {}", "SimHei", "Droid Sans Fallback",
)  # fmt: skip


class Press:
    """A typst source, set in a language. It reads `sys.inputs.given`, a JSON of words and pictures, to which the press adds
    `serif`, `sans`, `lang`, `region` and `colors`.

    `LIBRARY_MISSING` without typst, `FONT_MISSING` where no font has hanzi, `UNKNOWN_OPTION` for another language.
    """

    def __init__(self, source: bytes, lang: str, font_paths: Sequence[str] = ()) -> None:
        known("lang", lang, LANGUAGES)
        try:
            import typst
        except ImportError:
            raise library_missing("typst", "pdf", "pdf_library_hint") from None
        self._typst, self._source = typst, source
        self._fonts = typst.Fonts(font_paths=[*font_paths])
        self.serif, self.sans = chosen_fonts(self._fonts.families(), lang)
        self._own = {
            "serif": self.serif,
            "sans": self.sans,
            "lang": "en" if lang == "en" else "zh",
            "region": {"zh-Hans": "CN", "zh-Hant": "TW", "en": "GB"}[lang],
            "colors": colors("light"),
        }

    def pages(self, given: dict[str, Any]) -> int:
        """How many pages it makes; the source says it under `<pages>`."""
        compiler = self._typst.Compiler(self._source, font_paths=self._fonts, sys_inputs=self._inputs(given))
        return int(json.loads(compiler.query("<pages>", field="value", one=True)))

    def pdf(self, given: dict[str, Any]) -> bytes:
        """The pages as the bytes of a PDF, the same for the same words."""
        made: Any = self._typst.compile(
            self._source, font_paths=self._fonts, sys_inputs=self._inputs(given), format="pdf", timestamp=0
        )
        return bytes(made)

    def _inputs(self, given: dict[str, Any]) -> dict[str, str]:
        return {"given": json.dumps({**given, **self._own})}


def chosen_fonts(families: Iterable[str], lang: str) -> tuple[list[str], list[str]]:
    """The families with hanzi that are there, for headings and for text, each list with something in it."""
    there = {*families}
    forms = ("TC", "SC") if lang == "zh-Hant" else ("SC", "TC")
    serif, sans = (
        [
            own
            for own in (family.format(form) for family in kind for form in forms[: 1 + ("{}" in family)])
            if own in there
        ]
        for kind in (SERIF, SANS)
    )
    if not serif and not sans:
        wanted = [family.format(forms[0]) for family in (SANS[0], SERIF[0])]
        raise FontMissing(Said("font_missing"), hint=Said("font_missing_hint"), wanted=wanted)
    return [*dict.fromkeys(serif or sans)], [*dict.fromkeys(sans or serif)]
