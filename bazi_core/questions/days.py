"""The day that a question names: 12月19日, next Wednesday, 26 November; what is over already is no day that is asked of."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from bazi_core.astro.lunar import LAST_YEAR, solar_date
from bazi_core.questions.heard import heard, in_simplified_signs
from bazi_core.questions.times import MONTHS, number_of

_HAN = {sign: number for number, sign in enumerate("一二三四五六七八九", 1)} | {"日": 7, "天": 7, "十": 10}
# The first day of the Chinese year.
_NEW_YEAR = re.compile(
    r"(?<![\d一二两三四五六七八九十几多半])年前|春节|过年|除夕|年三十"
    r"|(?<![a-z])(?:chinese|lunar) new year(?![a-z])|(?<![a-z])spring festival(?![a-z])"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_NAME = "(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
_MONTH = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
# A month with its day, a day of the month, a day of this week or the next, one that is counted from today.
_DATE = re.compile(
    r"(?:(20\d\d年|去年|今年|明年|后年))?(?<!\d)(1[0-2]|[1-9])月(3[01]|[12]\d|[1-9])[日号]?(?!\d)"
    rf"|(?<![a-z]){_MONTH} (3[01]|[12]\d|[1-9])(?:st|nd|rd|th)?(?![\d:])(?:,? (20\d\d))?"
    rf"|(?<![\d:])(3[01]|[12]\d|[1-9])(?:st|nd|rd|th)? (?:of )?{_MONTH}(?![a-z])(?:,? (20\d\d))?"
)
_DAY_OF_MONTH = re.compile(
    r"(?<![\d月.])(3[01]|[12]\d|[1-9])[日号](?!线|楼|码|房|店)|下(?:个)?月的?(3[01]|[12]\d|[1-9])[日号]"
)
_WEEKDAY = re.compile(
    "(下下|下|这|本|上上|上)?(?:个)?(?:周|星期|礼拜)([一二三四五六日天])"
    r"|(?<![a-z])(next |this |on |coming |by |before |last |past )"
    rf"{_DAY_NAME}(?![a-z])"
)
# A weekday with its day of the month: the next date on which both agree.
_WEEKDAY_WITH_DAY = re.compile(
    rf"(?<![a-z]){_DAY_NAME},? (?:the )?(3[01]|[12]\d|[1-9])(?:st|nd|rd|th)(?![a-z])"
    "|(?:周|星期|礼拜)([一二三四五六日天])[,，(（]?(3[01]|[12]\\d|[1-9])[日号]"
    "|(?<![\\d月.])(3[01]|[12]\\d|[1-9])[日号][,，(（]?(?:周|星期|礼拜)([一二三四五六日天])"
)
_COUNTED = re.compile("(大后天|后天|明天|明日|听日)|(?<![a-z])(the day after tomorrow|tomorrow)(?![a-z])")
# A day of the month in hanzi, with its month or without: 十五号, 十二月三号.
_IN_HANZI = re.compile(
    "(?:(十[一二]?|[一二三四五六七八九])(月))?(?<!初)(三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])号(?!线|楼|码|房|店|院|桌|门)"
)
# Days of the year by their names, and a month without a day, which begins on its first.
_FEAST = re.compile(
    "(元旦)|(情人节)|(五一)|(国庆|十一长假)|(圣诞|christmas|xmas)|(new year'?s day)|(valentine)"
)
_FEASTS = ((1, 1), (2, 14), (5, 1), (10, 1), (12, 25), (1, 1), (2, 14))
_ONE_MONTH = re.compile(
    r"(?:(今年|明年|后年|20\d\d年)的?|(?<![\d年个]))(1[0-2]|[1-9])月(底|末)?(?![\d份初饼亮底末]|中(?!考))"
    rf"|(?<![a-z])(?:in|this|next|by|before|until|(?:(?:by|before) (?:the )?)?(end of)) {_MONTH}(?! \d)"
)
_YEARS_ON = {"去年": -1, "今年": 0, "明年": 1, "后年": 2}
_AHEAD = {"大后天": 3, "后天": 2, "the day after tomorrow": 2}
# A span that ends so many days, weeks or months ahead, or with this month.
_WITHIN = re.compile(
    "(半|[1-9]\\d?|[一二两三四五六七八九十])个?(天|日|周|星期|礼拜|月)(?:之|以)?内|((?<![\\d一二三四五六七八九十])月[底末]|(?:本|这个?)月(?:之|以)?内)"
    r"|(?<![a-z])within (?:the next )?(a|one|two|three|four|five|six|ten|[1-9]\d?) (day|week|month)s?"
    r"|(?<![a-z])(by|before) (?:the )?(?:end of (?:the|this) month|month'?s? end)"
)
_COUNTS = dict(
    zip(
        ("a", "one", "two", "两", "three", "four", "five", "six", "ten"),
        (1, 1, 2, 2, 3, 4, 5, 6, 10),
        strict=True,
    )
)
# The week or the month that runs.
_RUNNING = re.compile(
    "(?:本|这一?个?)(?:(周|星期|礼拜)(?![末一二三四五六日天])|月(?![底末]))"
    r"|(?<![a-z])this (?:(week)|month)(?!end)(?![a-z])"
)
_UNITS = {"天": 1, "日": 1, "day": 1, "周": 7, "星期": 7, "礼拜": 7, "week": 7, "月": 30, "month": 30}
_LIMIT_BEFORE = re.compile(r"(?:before|by|until|till|in time for) (?:my |our |the )?$")
_LIMIT = re.compile("(?:by|before|until) ")
# What ends on a day is a limit as well.
_BEFORE = re.compile("^(?:之|以)?前")
_LIMIT_AFTER = re.compile("^(?:之|以)?前|^[^,，。?？]{0,6}(?:到期|截止|期限)|^ ?(?:deadline|expir|cut-?off)")
_ENDS = re.compile(r"(?:expires?|runs out|ends|is due|due|deadline is)(?: on)? $")
# Whether one is in time for what takes place on a day.
_IN_TIME = re.compile(
    "赶(?:得|不|得不)?[上及]|来(?:得|不)及|最[晚迟]|(?<![a-z])(?:in time|by then|at the latest)(?![a-z])"
)
# Words by which a clause tells what was, and those by which it tells what is to come.
_WAS = re.compile(
    "[了过]|[交去来走丢买卖签投递提分离结办辞考发寄送约定见拿试完搬]的|(?<![a-z])(?:[a-z]{2,}ed|was|were|had|did|went|came|left|lost|slipped|got|ran|saw|met"
    "|took|gave|sent|told|said|broke|fell|found|heard|made|put|quit|sold|spoke|wrote|stole|bought|began)(?![a-z])"
)
_COMES = re.compile(
    "要|会|快|将|能|到期|截止|之前|以前|(?<![a-z])(?:will|going to|gonna|shall|is|are|am|can|must|has to|have to|need|by"
    "|before|scheduled|due|booked|called off|postponed|[a-z]+'s|i'm|i've to)(?![a-z])"
)
# What was to come by a day and has not: said so that the day is over, or so that it may be to come.
_MISSED = re.compile(
    "(?:到现在|直到现在|至今|到今天|到而家).{0,6}(?:没|未|冇|无)|(?<!还)没(?:有)?(?:任何|半点|一点)?(?:消息|动静|下文|音讯|音信|回音|着落)"
    r"|(?<![a-z])(?:(?:he|she|they|it|but|and|still|who|which|that) (?:has|have)n't|(?:he|she|they|it) (?:didn't|never did)"
    r"|(?:has|have) not|nothing (?:came|so far|since)|no word"
    r"|never (?:came|called|paid|replied))(?! (?:[a-z]+ )?yet)(?![a-z])"
)
_NOT_YET = re.compile(
    "还没|还未|仍未|仍没|尚未"
    r"|(?<![a-z])(?:(?:has|have)n't (?:[a-z]+ ){0,2}yet|still (?:no|not|nothing|waiting)|nothing yet|not yet)(?![a-z])"
)
_CLAUSE_END = re.compile(r"[，,。.？?；;！!\n]")
# A day that lies no further back than this is over, and not to come in a year.
_LATELY, _YEAR = 100, 366


class NamedDay(NamedTuple):
    """A day that a question names, whether something is to come before it, and whether it stands for a whole month."""

    day: date
    is_limit: bool
    is_month: bool = False


def day_named(text: str | None, today: date) -> NamedDay | None:
    """The first day from today on that a text names; None where it names none.

    >>> day_named("12月19日考六级，能过吗", date(2026, 11, 24))
    NamedDay(day=datetime.date(2026, 12, 19), is_limit=False, is_month=False)
    >>> day_named("下周三手术", date(2026, 11, 25)).day, day_named("Will he pay by 30 November?", date(2026, 11, 25))
    (datetime.date(2026, 12, 2), NamedDay(day=datetime.date(2026, 11, 30), is_limit=True, is_month=False))
    >>> day_named("下个月十五号路考", date(2026, 11, 25)).day
    datetime.date(2026, 12, 15)
    >>> day_named("下个月能成吗", date(2026, 11, 25)), day_named("I move next month", date(2026, 11, 25))
    (None, None)
    """
    plain = _IN_HANZI.sub(_in_digits, in_simplified_signs(heard(text).plain)) if text else ""
    for pattern, read in (
        (_DATE, _date),
        (_WEEKDAY_WITH_DAY, _weekday_with_day),
        (_DAY_OF_MONTH, _day_of_month),
        (_WEEKDAY, _weekday),
        (_COUNTED, _counted),
        (_WITHIN, _within),
        (_FEAST, _feast),
        (_NEW_YEAR, _new_year),
        (_ONE_MONTH, _month),
    ):
        for match in pattern.finditer(plain):
            found, is_limit = read(match, today), read is _within or _is_limit(plain, match)
            is_over = (_is_missed if is_limit else _is_over)(plain, match, found, today)
            if found is not None and found >= today and not is_over:
                return NamedDay(found, is_limit or _IN_TIME.search(plain) is not None, read is _month)
    return None


def _in_digits(match: re.Match[str]) -> str:
    month = f"{number_of(match[1])}月" if match[2] else ""
    return f"{month}{number_of(match[3])}号"


def running_span(text: str, today: date) -> date | None:
    """The last day of the week or month in which it is asked, where a text names that; a week ends on Sunday.

    >>> running_span("他这个月会联系我吗", date(2026, 11, 20)), running_span("Will he call this week?", date(2026, 11, 20))
    (datetime.date(2026, 11, 30), datetime.date(2026, 11, 22))
    """
    match = _RUNNING.search(in_simplified_signs(heard(text).plain))
    if match is None:
        return None
    return (
        today + timedelta(days=6 - today.weekday()) if match[1] or match[2] else _end_of(today.replace(day=1))
    )


def _is_limit(plain: str, match: re.Match[str]) -> bool:
    """Whether something is to come before a day that is named."""
    before, after = plain[max(0, match.start() - 24) : match.start()], plain[match.end() : match.end() + 12]
    ends = (
        _LIMIT_BEFORE.search(before),
        _ENDS.search(before),
        _LIMIT_AFTER.search(after),
        _LIMIT.match(match[0]),
    )
    return any(ends) or match[0] == "年前"


def _is_over(plain: str, match: re.Match[str], found: date | None, today: date) -> bool:
    """Whether a day that is named without its year is one that is over: it lies a little way back, or its clause tells what
    was."""
    if found is None or re.search(r"20\d\d|[去今明后]年", match[0]):
        return False
    if match.re is _DATE and (found - today).days > _YEAR - _LATELY:
        return True
    if match.re not in (_DATE, _WEEKDAY, _DAY_OF_MONTH) or re.match("下|next|coming|this", match[0]):
        return False
    return _tells_what_was(plain, match)


def _is_missed(plain: str, match: re.Match[str], found: date | None, today: date) -> bool:
    """Whether what was to come by a day that is named has not come, and the day is over; where it may be to come, it is
    over unless it lies in the week, month or year that runs."""
    if found is None or re.match("下|next |coming ", match[0]):
        return False
    before, rest = plain[max(0, match.start() - 24) : match.start()], plain[match.end() :]
    if not (_BEFORE.search(rest) or _LIMIT_BEFORE.search(before) or _LIMIT.match(match[0])):
        return False  # what expires on a day is not promised by it
    runs = {
        _WEEKDAY: (found - today).days < 7 - today.weekday(),
        _DAY_OF_MONTH: (found.year, found.month) == (today.year, today.month),
    }.get(match.re, (found - today).days < _YEAR - _LATELY)
    if runs and (match.re is not _WEEKDAY or re.match("这|本|this ", match[0])):
        return False
    return bool(_MISSED.search(rest)) or (not runs and bool(_NOT_YET.search(rest)))


def _tells_what_was(plain: str, match: re.Match[str]) -> bool:
    ends = [each.start() for each in _CLAUSE_END.finditer(plain)]
    first = max((end + 1 for end in ends if end < match.start()), default=0)
    last = min((end for end in ends if end >= match.end()), default=len(plain))
    clause = plain[first : match.start()] + " " + plain[match.end() : last]
    return (
        bool(_WAS.search(clause)) and not _COMES.search(clause) and plain[last : last + 1] not in ("?", "？")
    )


def _date(match: re.Match[str], today: date) -> date | None:
    """A month with its day, this year or else the next."""
    year, month, day, name, counted, of_first, first, last, of_last = match.groups()
    number = int(month) if month else MONTHS.index((name or last)[:3]) + 1
    stated = year or of_first or of_last
    if stated:
        exact = today.year + _YEARS_ON[stated] if stated in _YEARS_ON else int(stated[:4])
        return _valid(exact, number, int(day or counted or first))
    return _coming(number, int(day or counted or first), today)


def _weekday_with_day(match: re.Match[str], today: date) -> date | None:
    """The next day on which a weekday and a day of the month agree."""
    name, day, sign, of_sign, before_sign, late_sign = match.groups()
    weekday = _WEEKDAYS.index(name[:3]) if name else _HAN[sign or late_sign] - 1
    number = int(day or of_sign or before_sign)
    coming = (today + timedelta(days=ahead) for ahead in range(_YEAR))
    return next((each for each in coming if each.day == number and each.weekday() == weekday), None)


def _day_of_month(match: re.Match[str], today: date) -> date | None:
    """A day of this month or of the next."""
    counted, of_next = match.groups()
    for ahead in (1,) if of_next else (0, 1):
        month = (today.month - 1 + ahead) % 12 + 1
        found = _valid(today.year + (today.month + ahead > 12), month, int(counted or of_next))
        if found is not None and found >= today:
            return found
    return None


def _weekday(match: re.Match[str], today: date) -> date | None:
    """A day of this week or of the next, which begins on Monday; none of a week that is over."""
    which, sign, english, name = match.groups()
    if (which or "").startswith("上") or (english or "").strip() in ("last", "past"):
        return None
    weekday = _HAN[sign] - 1 if sign else _WEEKDAYS.index(name[:3])
    monday = today - timedelta(days=today.weekday())
    weeks = {"下下": 2, "下": 1}.get(which or "", 0) if sign else int((english or "").strip() == "next")
    found = monday + timedelta(days=7 * weeks + weekday)
    # What is to come before the weekday that it is has until the next one.
    is_before = english == "before " or _BEFORE.search(match.string[match.end() :]) is not None
    return found + timedelta(days=7) if found < today or (is_before and found == today) else found


def _counted(match: re.Match[str], today: date) -> date:
    return today + timedelta(days=_AHEAD.get(match[1] or match[2], 1))


def _within(match: re.Match[str], today: date) -> date:
    """The last day of a span that begins today, or of this month."""
    counted, unit, _, english, of_english, _ = match.groups()
    if not (unit or of_english):
        return _end_of(today.replace(day=1))
    number = counted or english
    days = _UNITS[unit or of_english]
    if number == "半":
        return today + timedelta(days=days // 2)
    ahead = int(number) if number.isdigit() else _COUNTS.get(number) or _HAN[number]
    return today + timedelta(days=ahead * days)


def _feast(match: re.Match[str], today: date) -> date | None:
    month, day = _FEASTS[(match.lastindex or 1) - 1]
    return _coming(month, day, today)


def _new_year(match: re.Match[str], today: date) -> date | None:
    """The next first day of a Chinese year; none behind the end of the calendar."""
    years = (year for year in (today.year, today.year + 1) if year <= LAST_YEAR)
    return next((first for year in years if (first := solar_date(year, 1, 1)) >= today), None)


def _month(match: re.Match[str], today: date) -> date | None:
    """The first day of a month that is not the present one, or the last where its end is named."""
    year, counted, end, end_of, name = match.groups()
    number = int(counted) if counted else MONTHS.index(name[:3]) + 1
    if year:
        first = date(today.year + _YEARS_ON[year] if year in _YEARS_ON else int(year[:4]), number, 1)
    elif number == today.month and not (end or end_of):
        return None
    else:
        first = date(today.year + (number < today.month), number, 1)
    return _end_of(first) if end or end_of else first


def _end_of(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _coming(month: int, day: int, today: date) -> date | None:
    found = _valid(today.year, month, day)
    return found if found is None or found >= today else _valid(today.year + 1, month, day)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
