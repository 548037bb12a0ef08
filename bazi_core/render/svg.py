"""What the drawings share: themes, fonts, a line of text. Colours repeat what words say already."""

from __future__ import annotations

from html import escape

# By theme: ground, ink, faint ink, and the colour of what is pointed out.
THEMES = {
    "light": ("#ffffff", "#1a1a1a", "#6b6b6b", "#b3261e"),
    "dark": ("#16181d", "#f0f0f0", "#a3a7ae", "#ff8a80"),
}
FONTS = "'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"


def text(x: float, y: float, told: str, colour: str = "", size: int = 0, anchor: str = "") -> str:
    """A line of text.

    >>> text(3, 4, "<午>", size=12, anchor="middle")
    '<text x="3" y="4" font-size="12" text-anchor="middle">&lt;午&gt;</text>'
    """
    more = (f' fill="{colour}"' if colour else "") + (f' font-size="{size}"' if size else "")
    more += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(told)}</text>'
