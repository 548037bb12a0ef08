"""The drawing kit: colours by name, text that fits, marks of the elements, and a picture that readers of screens can tell.

A picture is 380 units wide, legible at as many pixels; its least letters have 11 units. It refers to nothing outside, has no
script and no ids, so that any number of pictures may stand in one page. Colours come from tables/picture_colors.csv: `light`
and `dark` are fixed, `auto` follows the reader's system.
"""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from bazi_core.errors import known
from bazi_core.render.phrases import printable
from bazi_core.render.width import fold, width
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bazi_core.alphabet import Element

WIDTH, MARGIN, LEAST, BODY, SIGN = 380, 12, 11, 12, 38
THEMES = ("light", "dark", "auto")
# Without ground and margin: in the colours of the page around, and on white paper.
PAGE, PRINT = "page", "print"
_SERIF = {
    "zh-Hans": "Songti SC,Noto Serif CJK SC,Noto Serif SC,SimSun,Georgia,serif",
    "zh-Hant": "Songti TC,Noto Serif CJK TC,Noto Serif TC,PMingLiU,Georgia,serif",
}
_SANS = {
    "zh-Hans": "system-ui,PingFang SC,Microsoft YaHei,Noto Sans CJK SC,Noto Sans SC,sans-serif",
    "zh-Hant": "system-ui,PingFang TC,Microsoft JhengHei,Noto Sans CJK TC,Noto Sans TC,sans-serif",
}
ELEMENT_COLORS = ("wood", "fire", "earth", "metal", "water")
# A Latin letter takes this part of its size; a hanzi takes all of it.
_LATIN = 0.6


def fonts(lang: str, serif: bool = False) -> str:
    """The families to look for, none of them from outside; pictures in English show simplified signs."""
    return (_SERIF if serif else _SANS).get(lang) or (_SERIF if serif else _SANS)["zh-Hans"]


@cache
def colors(theme: str) -> dict[str, str]:
    """The colours of a theme by name; of `auto` and `page` the variables that hold them.

    >>> colors("dark")["paper"], colors("auto")["paper"]
    ('#171613', 'var(--paper)')
    """
    if theme == PRINT:
        return {**colors("light"), "paper": "#ffffff"}
    return {row["name"]: row.get(theme) or f"var(--{row['name']})" for row in rows("picture_colors")}


def style(scope: str) -> str:
    """The variables of both themes, for what matches `scope`."""
    light, dark = (
        ";".join(f"--{row['name']}:{row[theme]}" for row in rows("picture_colors"))
        for theme in ("light", "dark")
    )
    return f"{scope}{{{light}}}@media(prefers-color-scheme:dark){{{scope}{{{dark}}}}}"


def length(told: str, size: float = BODY) -> float:
    """Units that a text takes, by estimate.

    >>> length("庚午"), round(length("Day"), 1)
    (24.0, 21.6)
    """
    wide = width(told) - len(told)
    return size * (wide + _LATIN * (len(told) - wide))


@lru_cache(maxsize=1 << 10)
def lines(told: str, room: float, size: float = BODY) -> tuple[str, ...]:
    """The lines of a text in so many units; a word that is longer than a line stands alone (cached: the same names and
    legends stand in every picture)."""
    if length(told, size) <= room:
        return (told,)
    for columns in range(int(room / size * 2) + 2, 3, -1):
        found = fold(told, columns)
        if all(length(line, size) <= room for line in found):
            return tuple(found)
    return tuple(fold(told, 6))


class Picture:
    """A picture as it grows from the top: what is drawn, in which language and colours.

    `height` is where the next part begins. Colours are named; a name that is none raises KeyError.
    """

    def __init__(self, lang: str, theme: str, width: float = WIDTH) -> None:
        known("lang", lang, LANGUAGES)
        if theme not in (PAGE, PRINT):
            known("theme", theme, THEMES)
        self.lang, self.theme, self.width, self.height = lang, theme, width, 0.0
        self.colors = colors(theme)
        # The page around has the families as variables.
        self.sans, self.serif = (
            ("var(--sans)", "var(--serif)") if theme == PAGE else (fonts(lang), fonts(lang, True))
        )
        self.parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        told: str,
        color: str = "ink",
        *,
        size: float = BODY,
        anchor: str = "start",
        serif: bool = False,
        bold: bool = False,
        tail: tuple[str, str] | None = None,
    ) -> None:
        """A line of text, its base line at y; `tail` is what follows in another colour."""
        more = f' font-family="{self.serif}"' if serif else ""
        more += ' font-weight="600"' if bold else ""
        more += f' text-anchor="{anchor}"' if anchor != "start" else ""
        more += f' font-size="{size:g}"' if size != LEAST else ""
        more += f' fill="{self.colors[color]}"' if color != "ink" else ""
        rest = f'<tspan dx="5" fill="{self.colors[tail[1]]}">{safe(tail[0])}</tspan>' if tail else ""
        self.parts.append(f'<text x="{_n(x)}"{more} y="{_n(y)}">{safe(told)}{rest}</text>')

    def block(
        self,
        x: float,
        y: float,
        told: Iterable[str],
        color: str = "ink",
        *,
        size: float = BODY,
        anchor: str = "start",
    ) -> float:
        """Lines one below the other; where the next would begin."""
        for line in told:
            self.text(x, y, line, color, size=size, anchor=anchor)
            y += leading(size)
        return y

    def rect(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        fill: str = "wash",
        *,
        radius: float = 0,
        edge: str = "",
    ) -> None:
        more = f' rx="{_n(radius)}"' if radius else ""
        more += f' stroke="{self.colors[edge]}"' if edge else ""
        self.parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
            f' fill="{self._filled(fill)}"{more}/>'
        )

    def path(
        self, way: str, color: str = "ink", *, thick: float = 1.2, dashed: bool = False, filled: bool = False
    ) -> None:
        """A way of absolute and relative steps, as a line or filled."""
        if filled:
            self.parts.append(f'<path d="{way}" fill="{self.colors[color]}"/>')
            return
        more = f' stroke-width="{_n(thick)}"' if thick != 1 else ""
        more += ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<path d="{way}" fill="none" stroke="{self.colors[color]}"{more}/>')

    def circle(
        self, x: float, y: float, radius: float, fill: str = "ink", edge: str = "", thick: float = 1.4
    ) -> None:
        more = f' stroke="{self.colors[edge]}" stroke-width="{_n(thick)}"' if edge else ""
        self.parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{self._filled(fill)}"{more}/>'
        )

    def _filled(self, color: str) -> str:
        return self.colors[color] if color else "none"

    def mark(self, element: Element, x: float, y: float, size: float = 10) -> None:
        """The shape of an element around a point: 木 upright, 火 flame, 土 square, 金 round, 水 wave (after the five shapes
        of the old books)."""
        color, half = ELEMENT_COLORS[element.index], size / 2
        if element.index == 3:
            self.circle(x, y, size * 0.4, "", color, size * 0.2)
        elif element.index == 1:
            self.path(f"M{_n(x)} {_n(y - half)}l{_n(half)} {_n(size)}h{_n(-size)}z", color, filled=True)
        elif element.index == 4:
            wave = f"q{_n(size / 4)} {_n(-size * 0.35)} {_n(half)} 0t{_n(half)} 0"
            way = "".join(f"M{_n(x - half)} {_n(y + shift)}{wave}" for shift in (-size * 0.15, size * 0.3))
            self.path(way, color, thick=size * 0.17)
        else:
            left, top, wide, high = (0.18, 0.5, 0.36, 1) if element.index == 0 else (0.46, 0.42, 0.92, 0.84)
            way = f"M{_n(x - size * left)} {_n(y - size * top)}h{_n(size * wide)}v{_n(size * high)}h{_n(-size * wide)}z"
            self.path(way, color, filled=True)

    def heading(self, told: str) -> None:
        """The title above everything, on as many lines as it takes."""
        for line in lines(told, WIDTH, 14):
            self.text(0, self.height + 16, line, size=14, serif=True, bold=True)
            self.height += 20

    def note(self, heading: str, told: Sequence[str]) -> None:
        """The doubts, before everything else: a bar at the left, a heading, a sentence each."""
        if not told:
            return
        if self.lang == "en":
            told = [each[:1].upper() + each[1:] for each in told]
        top, room = self.height, self.width - 24
        folded = [(at, line) for each in told for at, line in enumerate(lines(f"· {each}", room, LEAST))]
        high = 26 + leading(LEAST) * len(folded) + 4
        self.rect(0, top, self.width, high, "wash")
        self.rect(0, top, 3, high, "earth")
        self.text(12, top + 18, heading, serif=True, bold=True, size=13)
        y = top + 35
        for at, line in folded:
            self.text(12 if at == 0 else 19, y, line.strip(), size=LEAST)
            y += leading(LEAST)
        self.height = top + high + 10

    def legend(self, told: str) -> None:
        """A remark in small letters below everything."""
        self.height += 6
        self.height = (
            self.block(2, self.height + LEAST, lines(told, self.width - 4, LEAST), "soft", size=LEAST)
            - leading(LEAST)
            + 6
        )

    def svg(self, title: str, description: str, *, least: float = 0) -> str:
        """The picture as SVG with its name, and in words what it shows."""
        name, told = safe(title), safe(description)
        wide, high = self.width, max(self.height, least)
        inside = self.theme in (PAGE, PRINT)
        # Without a margin the edges of cells at the right and the foot still need their half.
        room = 1 if inside else 2 * MARGIN
        wide, high = wide + room, high + room
        size = "" if inside else f' width="{_n(wide)}" height="{_n(high)}"'
        ground = (
            "" if inside else f'<rect width="{_n(wide)}" height="{_n(high)}" fill="{self.colors["paper"]}"/>'
        )
        frame = "" if inside else f' transform="translate({MARGIN} {MARGIN})"'
        variables = f"<style>{style('.bazi-picture')}</style>" if self.theme == "auto" else ""
        scope = ' class="bazi-picture"' if variables else ""
        # HTML knows of itself what an svg is.
        space = "" if self.theme == PAGE else ' xmlns="http://www.w3.org/2000/svg"'
        return (
            f'<svg{space}{scope} viewBox="0 0 {_n(wide)} {_n(high)}"{size}'
            f' role="img" aria-label="{name}"'
            f' lang="{self.lang}"><title>{name}</title><desc>{told}</desc>{variables}{ground}'
            f'<g{frame} font-family="{self.sans}" font-size="{LEAST}" fill="{self.colors["ink"]}">'
            f"{''.join(self.parts)}</g></svg>"
        )


def leading(size: float) -> float:
    """From one line to the next.

    >>> leading(11), leading(12)
    (15.0, 16.0)
    """
    return float(round(size * 1.36))


def sentences(told: Iterable[str], lang: str) -> str:
    """Statements in a row, each ended.

    >>> sentences(["庚午", "辛巳。"], "zh-Hans")
    '庚午。辛巳。'
    """
    end, gap = (".", " ") if lang == "en" else ("。", "")
    ended = (each if each.endswith(("。", ".", "？", "?")) else each + end for each in told if each)
    return gap.join(each[:1].upper() + each[1:] if lang == "en" else each for each in ended)


def safe(told: str) -> str:
    """Text that XML and HTML hold: control characters replaced, markup escaped."""
    return escape(printable(told))


def _n(number: float) -> str:
    """A number to one digit behind the point."""
    return f"{number:.1f}".removesuffix(".0")
