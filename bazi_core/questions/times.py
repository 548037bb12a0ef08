"""The years, months and ages that a question names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bazi_core.questions.heard import Heard, in_simplified_signs
from bazi_core.questions.slots import first, slot_rows, taken_out

if TYPE_CHECKING:
    from bazi_core.questions.slots import Clause

_DIGITS = str.maketrans("零〇一二三四五六七八九两兩", "0012345678922")
_COUNTED = {"十": 10, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_YEAR = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)(?![\d.]?\d|\s*(?:元|块|万|k|rmb|usd|yuan|dollars|pounds|hkd|刀))"
)
_RANGE = re.compile(
    r"(20\d\d)年?\s*(?:-|–|—|~|～|到|至|through|thru|to|until)\s*(20\d\d|\d\d(?!\d))|(20\d\d)/(\d\d)(?!\d)"
    r"|between (20\d\d) and (20\d\d)|(20\d\d)年?(?:和|与|與|到|至)(20\d\d)年?之[间間]"
)
_HAN_YEAR = re.compile(
    "二[零〇]([零〇一二三四五六七八九])([零〇一二三四五六七八九])(?=年|$|[^零〇一二三四五六七八九十])"
)
_SHORT = re.compile(
    r"(?<![\d.])([2-4]\d(?:年?\s{0,2}(?:[、,，和跟与與及/]|还是|還是|或者?|比|vs|到|至)\s{0,2}[2-4]\d(?!\d))*)\s{0,2}"
    r"(?=年(?!级|紀|纪|内|内|後|后|前|之|以|来|來|多|了|期|代|龄|齡|轻|輕|间|間|的|房|贷|貸|老)|这[两三四]年|這[兩三四]年)|(?<![a-z0-9])'([2-4]\d)(?!\d)"
)
_MINGUO = re.compile(r"民[国國]\s{0,2}(1[0-4]\d)")
_SPAN = re.compile(
    r"(未来|未來|接下来|接下來|往后|往後|今后|今後|之后|之後|后|後|近|这|這)(?:的)?([0-9]{1,2}|[二两兩三四五六七八九十])年"
    r"|(?:next|coming|following) ([0-9]{1,2}|two|three|four|five|six|ten) (?:years|yrs)"
)
# What counts from the present year; all else from the one after it.
_FROM_NOW = "近这這"
# The year and the age before which something is to come: 2030年前, "before 2030"; 三十五岁之前, "by the time I'm 35".
_BY_YEAR = re.compile(
    r"(20\d\d)年?(?:之|以)?(前)(?!后|後|途|任)|(?<![a-z])(?:before|by)(?: the end of)? (20\d\d)(?!\d)"
)
_BY_AGE = re.compile(
    r"(?<![\d.])(\d\d)[岁歲](?:之|以)?前(?!后|後|任)|([二三四五六七八九]?十[一二三四五六七八九]?)[岁歲]?(?:之|以)?前(?!后|後|任)"
    r"|(?<![a-z])(?:before|by) (?:(?:the )?age (?:of )?|(?:the time )?i(?:'m| am| turn) |turning )?([2-9]\d)(?![\d])"
)
# The age from which on is asked: 五十五岁以后, "after 55".
_FROM_AGE = re.compile(
    r"(?<![\d.])(\d\d)[岁歲](?:之|以)?[后後]|([二三四五六七八九]?十[一二三四五六七八九]?)[岁歲](?:之|以)?[后後]"
    r"|(?<![a-z])(?:after|from) (?:(?:the )?age (?:of )?|i(?:'m| am| turn) |turning )?([2-9]\d)(?!\d)(?: on(?:wards?)?)?"
    r"(?![ a-z]* (?:years|months|days|weeks))"
)
# The month before which something is to come: 三月底前, "before March", "by the end of April".
_BY_MONTH = re.compile(
    r"(?<![\d个個年.])(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(底|末|中|初)?(?:之|以)?前(?!后|後)"
    r"|(?:(?<=[今明后後]年)|(?<=20[2-9]\d年))(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(底|末|中|初)?(?:之|以)?前(?!后|後)"
    r"|(?<![a-z])(before|by) (?:the )?(end of |start of |beginning of )?(?:early |late )?"
    r"(january|february|march|april|may|june|july|august|september|october|november|december)(?![a-z])"
)
# The same told of what ends then: "before my visa runs out in March".
_BY_END = re.compile(
    r"(?<![a-z])before (?:my |the |our |his |her )(?:[a-z]+ ){1,4}(?:runs out|expires?|ends?|is due|begins|starts)"
    r"(?: at the| on| by)? (?:end of |in )?"
    r"(january|february|march|april|may|june|july|august|september|october|november|december)(?![a-z])"
)
# An age: 五十三, 七十几岁, 85; not one's own, nor one that is still to come.
_AGE = re.compile(
    r"(?<![0-9我])(?<!我今年)(?<!我都)(?<!我已经)(?<!i'm )(?<!i am )(?<!before )(?<!by )"
    r"([0-9]{2,3}|[二三四五六七八九]?十[一二三四五六七八九]?)(几|多|来)?(?:岁|虚岁|周岁|了)(?!之?以?前)"
    r"|(?<!我)今年([0-9]{2,3}|[二三四五六七八九]?十[一二三四五六七八九]?)(几|多)?(?=[,，。;；!！?？ ]|$)"
    r"|(?:'s| is|aged|age) ?(?:now |already |just |turning )?([1-9][0-9])(?=$|[ ,.!?-](?!%|k\b|weeks|days|months|percent))"
)
_JIAZI = re.compile("([甲乙丙丁戊己庚辛壬癸])([子丑寅卯辰巳午未申酉戌亥])年")
_MONTH = re.compile(
    r"(?:(?<![\d个個年.])|(?<=[今明后後下来]年)|(?<=20[2-9]\d年))(?:(1[0-2]|[1-9])|(十[一二]?|[一二三四五六七八九正腊臘]))月(?!亮|饼|餅|经|經|子)"
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# May and March are verbs too, unless a word stands before or behind them that goes with a month.
_MONTH_EN = re.compile(
    r"(?<![a-z])(?:(january|february|april|june|july|august|september|october|november|december)"
    r"|(?:in|by|this|next|or|of|for|until|early|late) (march|may)|(march|may) (?:or|and|to)"
    r"|(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))(?![a-z])"
)


def years_of(clauses: list[Clause]) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """The years of the clauses that ask, or else of those that tell what is to come, and whether they are only told."""
    asking = [clause for clause in clauses if clause.asks and not clause.tells]
    telling = [clause for clause in clauses if not clause.asks and not clause.tells]
    years, ahead = _years_in(asking)
    are_told = not (years or ahead)
    if years and any(first("that_time", [clause.heard]) for clause in asking):
        # "That year or in 2028": one of them was named before.
        years |= _years_in(telling)[0]
    if are_told:
        years, ahead = _years_in(telling)
        # The end of a year that was named is not that of this one.
        ahead = {each for each in ahead if each > 0 or (each == 0 and not years)}
    return tuple(sorted(years)), tuple(sorted(ahead)), are_told


# A year that tells when something was: 2023年分手的, 2020年至今, "who left in 2023", "single since 2020".
_OF_THEN = re.compile(
    r"(?:19|20)\d\d年?[^,，。?？]{0,4}(?:分手|认识|認識|结婚|結婚|离婚|離婚|出生|生|买|買|开|開|离开|離開|走|去世|毕业|畢業|入职|入職"
    r"|搬)(?:了)?的"
    r"|(?:从|從|自)?(?:19|20)\d\d年?(?:到现在|到現在|到今天|至今|以来|以來)"
    r"|(?:met|divorced|left|born|married|broke up|split up|died|passed(?: away)?|graduated|moved)(?: [a-z]+){0,4} in"
    r" (?:19|20)\d\d(?! (?:to|or|and) (?:19|20)\d\d)"
    r"|since (?:about |around |early |late |mid |the end of |[a-z]+ )?(?:19|20)\d\d"
    r"|(?<![a-z])born[^,?!]{0,24}(?:19|20)\d\d"
)


def _years_in(clauses: list[Clause]) -> tuple[set[int], set[int]]:
    years, ahead = set[int](), set[int]()
    for clause in clauses:
        named = _absolute(_OF_THEN.sub("", clause.text))
        years |= named
        ahead |= _relative(clause.heard)
        ahead |= set() if named else _span(clause.text)
    return years, ahead


def _absolute(text: str) -> set[int]:
    found = {int(match[1]) for match in _YEAR.finditer(text)}
    for match in _RANGE.finditer(text):
        first, last = (int(each) for each in filter(None, match.groups()))
        last = first - first % 100 + last % 100
        found.update(range(first, last + 1) if last - first <= 30 else ())
    for match in _HAN_YEAR.finditer(text):
        found.add(2000 + int((match[1] + match[2]).translate(_DIGITS)))
    for match in _SHORT.finditer(text):
        found.update(2000 + int(each) for each in re.findall(r"\d\d", match[1] or match[2]))
    found.update(int(match[1]) + 1911 for match in _MINGUO.finditer(text))
    found.update(_of_pillar(match[1], match[2]) for match in _JIAZI.finditer(text))
    return found


def _of_pillar(stem: str, branch: str) -> int:
    """The year of a pillar in the sixty that began in 1984."""
    at = "甲乙丙丁戊己庚辛壬癸".index(stem), "子丑寅卯辰巳午未申酉戌亥".index(branch)
    return 1984 + (6 * at[0] - 5 * at[1]) % 60


def _relative(text: Heard) -> set[int]:
    return {int(value) for value, _, words in slot_rows("year") if words.fits(text)}


def _span(text: str) -> set[int]:
    """The years of "the next three years", which follow the one in which it is asked; 这三年 begins with that one."""
    found = set[int]()
    for match in _SPAN.finditer(text):
        counted = match[2] or match[3]
        plain = counted.translate(_DIGITS)
        begins = (match[1] or "next") not in _FROM_NOW
        found.update(range(begins, begins + (int(plain) if plain.isdigit() else _COUNTED.get(counted, 0))))
    return found


def months_of(whole: Heard) -> tuple[int, ...]:
    """The months that are named; else those of a part of the year that is."""
    text = _BY_END.sub("", _BY_MONTH.sub("", whole.plain))
    han = {"正": 1, "十": 10, "十一": 11, "十二": 12, "腊": 12, "臘": 12}
    found = {
        int(match[1]) if match[1] else han.get(match[2]) or int(match[2].translate(_DIGITS))
        for match in _MONTH.finditer(text)
    }
    for match in _MONTH_EN.finditer(text):
        name = next(filter(None, match.groups()))
        found.add(MONTHS.index(name[:3]) + 1)
    if not found and (part := first("months", [taken_out("by_month", whole)])):
        found.update(map(int, part.split()))
    return tuple(sorted(found))


def month_limit(whole: Heard) -> int:
    """The month before which something is to come, 0 where none is named: 3 for "before March", 4 for 三月底前."""
    for match in _BY_MONTH.finditer(whole.plain):
        counted, part = match[1] or match[3], match[2] or match[4]
        if counted:
            number = int(counted) if counted.isdigit() else number_of(counted)
            number += part in ("底", "末", "中")
        else:
            number = MONTHS.index(match[7][:3]) + 1
            number += "end" in (match[6] or "") or (match[5] == "by" and not match[6])
        # A year begins in February: what is to come before that is of the year before.
        return number if number > 2 else 0
    if ending := _BY_END.search(whole.plain):
        number = MONTHS.index(ending[1][:3]) + 1
        return number if number > 2 else 0
    return int(first("by_month", [whole]) or 0)


def time_limits(whole: Heard) -> tuple[int, int]:
    """The year and the age before which something is to come, 0 where there is none."""
    year = age = 0
    for match in _BY_YEAR.finditer(whole.plain):
        word = match[0].partition(" ")[0]
        year = int(match[1] or match[3]) - (word != "by")
    for match in _BY_AGE.finditer(whole.plain):
        counted = next(filter(None, match.groups()))
        age = int(counted) if counted.isdigit() else number_of(counted)
    return year, age or int(first("by_age", [whole]) or 0)


def age_from(whole: Heard) -> int:
    """The age from which on is asked, 0 where none is named: 55 for 五十五岁以后."""
    found = next(_FROM_AGE.finditer(whole.plain), None)
    if found is None:
        return 0
    counted = next(filter(None, found.groups()))
    return int(counted) if counted.isdigit() else number_of(counted)


def number_of(counted: str) -> int:
    """A number below a hundred in hanzi: 三十五."""
    tens, _, ones = counted.translate(_DIGITS).rpartition("十")
    return (int(tens or 1) * 10 if "十" in counted else 0) + int(ones or 0)


def ages_of(plain: str) -> list[tuple[int, int]]:
    """The lowest and highest of every age that is told of somebody but the asker: "seventy-odd" is ten years wide."""
    found = []
    for match in _AGE.finditer(in_simplified_signs(plain)):
        counted, is_odd = match[1] or match[3] or match[5], bool(match[2] or match[4])
        low = int(counted) if counted.isdigit() else number_of(counted)
        found.append((low, low + 9 * is_odd))
    return found
