"""The small phrases of a printed chart: readings, corrections, spans, words for codes, and safe labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_core.tables.words import glossed, label, term
from bazi_core.wording import full_sign
from bazi_core.wording import sign_name as sign_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bazi_core.alphabet import Branch, Element, Pillar, Stem

    Paint = Callable[[str, Element], str]


def plain(text: str, element: Element) -> str:
    """The paint of a sheet without colour."""
    return text


def character(sign: Stem | Branch, lang: str, paint: Paint = plain) -> str:
    """A stem or branch with its element; in English by polarity and element, or by animal.

    >>> from bazi_core.alphabet import Branch, Stem
    >>> character(Stem("庚"), "zh-Hant"), character(Stem("庚"), "en"), character(Branch("午"), "en")
    ('庚金', 'Yang Metal (庚 Geng)', 'Horse (午 Wu)')
    """
    return paint(full_sign(sign, lang), sign.element)


def sign_text(sign: Stem | Branch, lang: str) -> str:
    """A stem or branch without its element: 午, `Horse (午)`.

    >>> from bazi_core.alphabet import Branch
    >>> sign_text(Branch("午"), "zh-Hans"), sign_text(Branch("午"), "en")
    ('午', 'Horse (午)')
    """
    return f"{sign_name(sign)} ({sign})" if lang == "en" else sign.value


def char_text(char: str, lang: str) -> str:
    """A stem, branch or pillar without its element; any other text as it is."""
    from bazi_core.alphabet import Branch, Pillar, Stem

    for kind in (Stem, Branch):
        if char in kind.__members__:
            return sign_text(kind(char), lang)
    return pillar_name(Pillar(char), lang) if char in Pillar.__members__ else char


def pillars_text(pillars: Iterable[Pillar | None], lang: str) -> str:
    """The known pillars in a row: `庚午 辛巳`, `庚午 Metal Horse, 辛巳 Metal Snake`."""
    return (", " if lang == "en" else " ").join(pillar_name(pillar, lang) for pillar in pillars if pillar)


def pillar_name(pillar: Pillar, lang: str, paint: Paint = plain) -> str:
    """A pillar; in English with its element and animal, which no other of the sixty has.

    >>> from bazi_core.alphabet import Pillar
    >>> pillar_name(Pillar("庚午"), "zh-Hans"), pillar_name(Pillar("庚午"), "en")
    ('庚午', '庚午 Metal Horse')
    """
    stem, branch = pillar.stem, pillar.branch
    shown = paint(stem.value, stem.element) + paint(branch.value, branch.element)
    return f"{shown} {term(stem.element.value, lang)} {sign_name(branch)}" if lang == "en" else shown


def elements(pillar: Pillar, lang: str, paint: Paint = plain) -> str:
    """The elements of a pillar's stem and branch.

    >>> from bazi_core.alphabet import Pillar
    >>> elements(Pillar("庚午"), "zh-Hans"), elements(Pillar("庚午"), "en")
    ('金火', 'Metal Fire')
    """
    both = (pillar.stem.element, pillar.branch.element)
    return (" " if lang == "en" else "").join(paint(term(each.value, lang), each) for each in both)


def marked(text: str, runs: bool, lang: str) -> str:
    """A cell, with a line 现行 (`runs`) below if its pillar `runs` now.

    >>> marked("甲申", True, "zh-Hans")
    '甲申\\n现行'
    """
    return f"{text}\n{label('running', lang)}" if runs else text


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
    """A name and its value: `另一种：庚午 …`, `otherwise: 庚午 …`."""
    return f"{name}: {value}" if lang == "en" else f"{name}：{value}"


def bracketed(text: str, remark: str, lang: str) -> str:
    """A text with a remark behind it: `身强（偏强）`, `strong (rather)`."""
    return f"{text} ({remark})" if lang == "en" else f"{text}（{remark}）"


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
    """A clock reading to whole seconds, floored.

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
