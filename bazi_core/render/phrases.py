"""The small phrases of a printed chart: readings, corrections, spans, words for codes, and safe labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.tables.words import glossed, label, term

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_core.alphabet import Branch, Element, Pillar, Stem

    Paint = Callable[[str, Element], str]


def plain(text: str, element: Element) -> str:
    """The paint of a sheet without colour."""
    return text


def character(found: Stem | Branch, lang: str, paint: Paint = plain) -> str:
    """A stem or branch with its element.

    >>> from bazi_core.alphabet import Stem
    >>> character(Stem("庚"), "zh-Hant"), character(Stem("庚"), "en")
    ('庚金', '庚 Geng Metal')
    """
    element = found.element
    if lang == "en":
        return paint(f"{found} {term(found.value, lang)} {term(element.value, lang)}", element)
    return paint(f"{found}{element}", element)


def pillar_name(pillar: Pillar, lang: str, paint: Paint = plain) -> str:
    """A pillar, in English with its pinyin.

    >>> from bazi_core.alphabet import Pillar
    >>> pillar_name(Pillar("庚午"), "en")
    '庚午 Geng Wu'
    """
    stem, branch = pillar.stem, pillar.branch
    shown = paint(stem.value, stem.element) + paint(branch.value, branch.element)
    return f"{shown} {term(stem.value, lang)} {term(branch.value, lang)}" if lang == "en" else shown


def elements(pillar: Pillar, lang: str, paint: Paint = plain) -> str:
    """The elements of a pillar's stem and branch.

    >>> from bazi_core.alphabet import Pillar
    >>> elements(Pillar("庚午"), "zh-Hans"), elements(Pillar("庚午"), "en")
    ('金火', 'Metal Fire')
    """
    both = (pillar.stem.element, pillar.branch.element)
    return (" " if lang == "en" else "").join(paint(term(each.value, lang), each) for each in both)


def word(value: str, lang: str, kind: str = "word") -> str:
    """The word for a code such as the name of a profile, or the code itself where there is none.

    >>> word("ziping", "zh-Hans"), word("23:00", "en"), word("OUT_OF_RANGE", "en", "error")
    ('子平', '23:00', 'out of range')
    """
    try:
        return label(f"{kind}.{value}", lang)
    except KeyError:
        return value


def titled(name: str, value: str, lang: str) -> str:
    """A name and what belongs to it: `另一种：庚午 …`, `otherwise: 庚午 …`."""
    return f"{name}: {value}" if lang == "en" else f"{name}：{value}"


def joined(parts: list[str], lang: str) -> str:
    """Parts of a list in one line."""
    return (", " if lang == "en" else "，").join(parts)


def zodiac(by_rule: dict[str, str], lang: str) -> str:
    """The animal, or both where 立春 and lunar new year disagree.

    >>> zodiac({"lichun": "龙", "lunar": "兔"}, "zh-Hans")
    '龙（立春） / 兔（正月初一）'
    """
    names = {"lichun": "by_lichun", "lunar": "by_new_year"}
    if len(set(by_rule.values())) == 1:
        return glossed(by_rule["lichun"], lang)
    marks = " ({})" if lang == "en" else "（{}）"
    return " / ".join(
        glossed(animal, lang) + marks.format(label(names[rule], lang)) for rule, animal in by_rule.items()
    )


def reading(iso: str) -> str:
    """A clock reading to whole seconds, cut off.

    >>> reading("1990-05-15T12:19:20.223")
    '1990-05-15 12:19:20'
    """
    return iso[:19].replace("T", " ")


def signed(seconds: float) -> str:
    """A correction as +h:mm:ss or +m:ss, cut to seconds.

    >>> signed(-3600), signed(222.49), signed(-7)
    ('-1:00:00', '+3:42', '-0:07')
    """
    minutes, rest = divmod(int(abs(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return ("-" if seconds < 0 else "+") + clock


def duration(seconds: int, lang: str) -> str:
    """A span in days, hours and minutes.

    >>> duration(813274, "en")
    '9 d 9 h 54 min'
    """
    days, rest = divmod(seconds, 86400)
    return label("duration", lang, days=days, hours=rest // 3600, minutes=rest // 60 % 60)


def degrees(longitude: float) -> str:
    """A longitude with its side.

    >>> degrees(116.407), degrees(-74.006)
    ('116.407E', '74.006W')
    """
    return f"{abs(longitude):.3f}{'W' if longitude < 0 else 'E'}"


def printable(text: str) -> str:
    """The text without control characters and lone surrogates: a label given by a caller may hold anything.

    >>> printable("a\\x1b[31mb")
    'a\\ufffd[31mb'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in text)
