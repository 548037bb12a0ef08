"""What a question asks: of which part of life, in which way, of whom, of which years; by rows of data, never by a model.

The words stand in `intents.csv`, those of the classes in `question_words.csv`. A question is parted into clauses; those
that ask count for more than what is told with them, and whose age or birth is told is not asked about.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from bazi_core.questions.chains import resolved
from bazi_core.questions.classes import classes_in
from bazi_core.questions.heard import Heard, Wording, heard, in_simplified_signs, wording
from bazi_core.tables import rows

GIBBERISH, NORMAL = "gibberish", "normal"
TIMING = "timing"
# What ends a clause; a mark of a question stays with it, and a space between hanzi parts them too. A list of numbers is one.
_LIST = re.compile(r"(?<=[\d年])\s?[,，]\s?(?=['\d])")
_CLAUSE = re.compile(r"[^,，.。;；!！?？\n:：~]+(?:[?？]|(?=[,，.。;；!！\n:：~])|\Z)")
_SPACE = re.compile(r"(?<=[^\W\d_a-z]) (?=[^\W\d_a-z])")
# A question has 500 characters, and a clause one and its mark; a sign like ⒈ alone is written out as a clause.
_MOST_CLAUSES = 250
_DIGITS = str.maketrans("零〇一二三四五六七八九两兩", "0012345678922")
_COUNTED = {"十": 10, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_YEAR = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)(?![\d.]?\d|\s*(?:元|块|万|k|rmb|usd|yuan|dollars|pounds|hkd|刀))"
)
_RANGE = re.compile(
    r"(20\d\d)年?\s*(?:-|–|—|~|～|到|至|through|thru|to|until)\s*(20\d\d|\d\d(?!\d))|(20\d\d)/(\d\d)(?!\d)"
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
    r"(?:未来|未來|接下来|接下來|往后|往後|今后|今後|之后|之後|近|后|後|这|這)(?:的)?([0-9]{1,2}|[二两兩三四五六七八九十])年"
    r"|(?:next|coming|following) ([0-9]{1,2}|two|three|four|five|six|ten) (?:years|yrs)|(?:next|coming) (decade)"
)
# The year and the age before which something is to come: 2030年前, "before 2030"; 三十五岁之前, "by the time I'm 35".
_BY_YEAR = re.compile(
    r"(20\d\d)年?(?:之|以)?(前)(?!后|後|途|任)|(?<![a-z])(?:before|by)(?: the end of)? (20\d\d)(?!\d)"
)
_BY_AGE = re.compile(
    r"(?<![\d.])(\d\d)[岁歲](?:之|以)?前(?!后|後|任)|([二三四五六七八九]?十[一二三四五六七八九]?)[岁歲](?:之|以)?前(?!后|後|任)"
    r"|(?<![a-z])(?:before|by) (?:(?:the )?age (?:of )?|(?:the time )?i(?:'m| am| turn) |turning )?([2-9]\d)(?![\d])"
)
_JIAZI = re.compile("([甲乙丙丁戊己庚辛壬癸])([子丑寅卯辰巳午未申酉戌亥])年")
_MONTH = re.compile(
    r"(?:(?<![\d个個年.])|(?<=[今明后後下来]年)|(?<=20[2-9]\d年))(?:(1[0-2]|[1-9])|(十[一二]?|[一二三四五六七八九正腊臘]))月(?!亮|饼|餅|经|經|子)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# May and March are verbs too, unless a word stands before or behind them that goes with a month.
_MONTH_EN = re.compile(
    r"(?<![a-z])(?:(january|february|april|june|july|august|september|october|november|december)"
    r"|(?:in|by|this|next|or|of|for|until|early|late) (march|may)|(march|may) (?:or|and|to)"
    r"|(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))(?![a-z])"
)


class Intent(NamedTuple):
    """What a question asks.

    domain: career wealth relationship marriage children parents study health travel_move lawsuit timing direction self
    general. kind: whether which when how_much how why compare describe. horizon: life, decade, years, year, months, days,
    lately.
    years: those that are named, and `ahead` those named from the one in which it is asked (0 this year, 1 the next).
    months: 1 to 12, as they are named. subject: self or a relation. classes: most serious first. whose: the relative whose
    own matter it is, which is for his or her chart to answer; else self. others: further domains that are named side by side
    with the first. about: what is told in a way of its own (partnership, tai_sui, trade, livelihood, calling, gifts, faults,
    traits), or with a word of a doctor (begetting). extreme: best or worst, where not the nearest years are wanted.
    mate: husband or wife, as the question calls a partner. form: how it asks for yes or no (fit may will), matter: what
    is planned or hoped for (job_change, wedding, home …), where it names one. by_year, by_age: the year or the age before
    which it is to come. beside: classes whose words are only told beside what is asked, or mean no more than they say.
    asks_when, asks_whether: when it comes, or whether, is asked as well. is_of_given: "this year" is the year that is
    read. complains: of bad luck.

    >>> asked = intent("明年结婚好还是2028年好？")
    >>> asked.domain, asked.kind, asked.horizon, asked.years, asked.ahead, asked.years_from(2026)
    ('marriage', 'compare', 'years', (2028,), (1,), (2027, 2028))
    >>> intent("will grandma make it").cls, intent("我老公今年会升职吗").whose, intent("和老公的感情如何").whose
    ('death', 'spouse', 'self')
    >>> intent("今年事业和感情怎么样？").others, intent("How are my health and my money this year?").others
    (('relationship',), ('health',))
    """

    domain: str
    kind: str
    horizon: str
    years: tuple[int, ...]
    ahead: tuple[int, ...]
    months: tuple[int, ...]
    subject: str
    classes: tuple[str, ...]
    whose: str = "self"
    others: tuple[str, ...] = ()
    about: str = ""
    extreme: str = ""
    mate: str = ""
    form: str = ""
    matter: str = ""
    by_year: int = 0
    by_age: int = 0
    beside: tuple[str, ...] = ()
    asks_when: bool = False
    asks_whether: bool = False
    is_of_given: bool = False
    complains: bool = False

    @property
    def cls(self) -> str:
        """The most serious class."""
        return self.classes[0]

    def years_from(self, this_year: int) -> tuple[int, ...]:
        """All years that are asked about, by the one in which it is asked."""
        return tuple(sorted({*self.years, *(this_year + each for each in self.ahead)}))


class _Clause(NamedTuple):
    """A part of a question: as it is written, in small letters, and as it is heard."""

    text: str
    heard: Heard

    @property
    def asks(self) -> bool:
        return self.text.endswith(("?", "？")) or _first("asks", [self.heard]) is not None

    @property
    def tells(self) -> bool:
        return _first("told", [self.heard]) is not None


@lru_cache(maxsize=32)
def intent(text: str) -> Intent:
    """What a question asks; nothing of it is refused, and no more of it read than a question may have. Whoever reads for a
    question asks this several times over.

    >>> intent("Should I change jobs this year or wait?")[:3], intent("qwerty zxcv").cls
    (('career', 'compare', 'year'), 'gibberish')
    """
    given = heard(text)
    whole = heard(resolved(given.plain))
    clauses = _clauses(whole.plain)
    asking = [clause.heard for clause in clauses if clause.asks] or [whole]
    years, ahead = _years(clauses)
    months = _months(whole)
    # Where only the persons of a chain tell what it is about, they do.
    asked = _domain(_NOTHING, asking)
    domain = asked if asked not in _OF_WHOLE else _domain(whole, asking) or _domain(given, [given])
    kind = _first("kind", asking) or _first("kind", [whole]) or "describe"
    subject, span = _subject(whole), _first("horizon", [whole])
    classes = classes_in(given)
    beside = _beside(given, classes, asking, domain)
    if not classes:
        understood = (
            domain
            or _first("kind", [whole])
            or subject
            or span
            or years
            or ahead
            or _first("speech", [whole])
        )
        classes = (NORMAL if understood else GIBBERISH,)
    horizon = span if span in ("days", "months", "decade") and not years else _named(years, ahead)
    if horizon == "life" and kind != "when" and _first("lately", asking):
        horizon = "lately"
    return Intent(
        domain or "general", kind, horizon, years, ahead, months, subject or "self", classes,
        _whose(whole, clauses, asking, kind), _others(domain, _together(asking)),
        _first("about", [whole]) or "",
        _first("best", [whole]) or "", _first("mate", [whole]) or "",
        _first("form", asking) or "", _first("matter", asking) or _first("matter", [whole]) or "",
        *_before(whole), beside, kind == "whether" and any(_is_of_kind("when", each) for each in asking),
        kind == "when" and any(_is_of_kind("whether", each) and not _is_of_kind("when", each) for each in asking),
        _first("given", [whole]) is not None and _first("year", [_without("given", whole)]) is None,
        _first("complains", [whole]) is not None,
    )  # fmt: skip


@lru_cache(maxsize=32)
def of_owner(text: str) -> Intent:
    """What a question asks of the chart of a child: whoever asks for a son or a daughter asks about the owner.

    >>> of_owner("我儿子以后适合学什么").domain, of_owner("我儿子以后会有孩子吗").domain
    ('study', 'children')
    """
    plain = in_simplified_signs(heard(text).plain)
    for value, _, words in _rows("owner"):
        for pattern in (words.signs, words.words):
            plain = pattern.sub(value, plain) if pattern else plain
    return intent(plain)._replace(classes=intent(text).classes)


_NOTHING = Heard(("",), "")
# Classes that leave out one side of life, and what is asked of a life as a whole, from which none can be left out.
_TOPICAL = ("third_party_private", "medical", "legal", "financial")
_VAGUE = (None, "general", "self", "timing")
_OF_WHOLE = (*_VAGUE, "health")


def _beside(
    given: Heard, classes: tuple[str, ...], asking: list[Heard], domain: str | None
) -> tuple[str, ...]:
    """The classes that set nothing aside: their words stand in clauses that only tell, while something else is asked, or
    in phrases that mean no more than they say."""
    plain = classes_in(_without("harmless", given))
    asked = {name for each in asking for name in classes_in(each)}
    is_told = _domain(_NOTHING, asking) not in _OF_WHOLE and domain not in _OF_WHOLE
    return tuple(
        name
        for name in classes
        if name in _TOPICAL and (name not in plain or (is_told and name not in asked))
    )


def _without(slot: str, text: Heard) -> Heard:
    for _, _, words in _rows(slot):
        text = text.without(words)
    return text


def _is_of_kind(kind: str, text: Heard) -> bool:
    return any(words.fits(text) for value, _, words in _rows("kind") if value == kind)


def _before(whole: Heard) -> tuple[int, int]:
    """The year and the age before which something is to come, 0 where there is none."""
    year = age = 0
    for match in _BY_YEAR.finditer(whole.plain):
        word = match[0].partition(" ")[0]
        year = int(match[1] or match[3]) - (word != "by")
    for match in _BY_AGE.finditer(whole.plain):
        counted = next(filter(None, match.groups()))
        age = int(counted) if counted.isdigit() else _number(counted)
    return year, age or int(_first("by_age", [whole]) or 0)


def _number(counted: str) -> int:
    """A number below a hundred in hanzi: 三十五."""
    tens, _, ones = counted.translate(_DIGITS).rpartition("十")
    return (int(tens or 1) * 10 if "十" in counted else 0) + int(ones or 0)


def asking(text: str) -> tuple[str, ...]:
    """The clauses of a question that ask, or the whole of it where none does.

    >>> asking("面试完了，能成吗？结果呢")
    ('能成吗?', '结果呢')
    """
    plain = heard(text).plain
    return tuple(clause.text for clause in _clauses(plain) if clause.asks) or (plain,)


def _named(years: tuple[int, ...], ahead: tuple[int, ...]) -> str:
    count = len(years) + len(ahead)
    return "life" if not count else "year" if count == 1 else "years"


def _clauses(plain: str) -> list[_Clause]:
    parts = (
        part.strip() for match in _CLAUSE.finditer(_LIST.sub("、", plain)) for part in _SPACE.split(match[0])
    )
    return [_Clause(part, heard(part)) for part in islice(filter(None, parts), _MOST_CLAUSES)]


def _domain(whole: Heard, asking: list[Heard]) -> str | None:
    weights: dict[str, int] = {}
    for value, weight, words in _rows("domain"):
        heard_ = len(words.found(whole)) + sum(len(words.found(each)) for each in asking)
        if heard_:
            weights[value] = weights.get(value, 0) + weight * heard_
    # When something comes says nothing of what it is.
    if weights.keys() - {TIMING, "general", "self"}:
        weights.pop(TIMING, None)
    return max(weights, key=lambda name: weights[name]) if weights else None


def _others(domain: str | None, whole: Heard) -> tuple[str, ...]:
    """The domains that are named side by side with this one: their plain names, with nothing but an "and" between them."""
    found: list[str] = []
    for _, _, joined in _rows("joined"):
        for pattern, text in ((joined.signs, whole.signs), (joined.words, whole.plain)):
            for run in pattern.finditer(text) if pattern else ():
                part = Heard((run[0],), run[0])
                found += [value for value, _, words in _rows("named") if words.fits(part)]
    return tuple(each for each in dict.fromkeys(found) if each != domain) if domain in found else ()


def _together(asking: list[Heard]) -> Heard:
    return Heard((" ".join(each.plain for each in asking),), "".join(each.signs for each in asking))


def _subject(whole: Heard) -> str | None:
    return _first("subject", [whole])


# What is asked of a relative and yet is the asker's own: it stands in the palace and the star of that relative.
_BOND = (None, "general", "self", "relationship", "marriage", "children", "timing")
_OWN: dict[str, tuple[str | None, ...]] = {
    "spouse": _BOND, "partner": _BOND, "child": (None, "children"),
}  # fmt: skip
# How many children and when: so one asks of one's own chart.
_OF_CHILDREN, _CHILDREN = ("when", "how_much"), (None, "general", "self", "children", "timing")
_RELATIVES = (
    *_OWN,
    "parents_in_law",
    "grandparent",
    "parents",
    "father",
    "mother",
    "sibling",
    "relative",
    "acquaintance",
)


def _whose(whole: Heard, clauses: list[_Clause], asking: list[Heard], kind: str) -> str:
    """The relative whose own matter is asked about: named where it is asked, or before, when nobody else is named there."""
    for texts in (asking, [clause.heard for clause in clauses]):
        for value, _, words in _rows("subject"):
            met = [text for text in texts if words.fits(text)] if value in _RELATIVES else []
            if met:
                rest = [each.without(words) for each in asking]
                matter = _domain(whole.without(words), rest)
                own = _OWN.get(value, ())
                if value == "child" and kind in _OF_CHILDREN:
                    own = _CHILDREN if _first("ailing", rest) is None else ()
                return "self" if matter in own or all(_is_beside(words, each) for each in met) else value
        if _first("oneself", asking) or _is_apart(clauses, asking):
            return "self"
    return "self"


def _is_apart(clauses: list[_Clause], asking: list[Heard]) -> bool:
    """Whether another side of life is asked about than the one on which somebody is told of before."""
    asked = _domain(_NOTHING, asking)
    told = {clause.heard for clause in clauses} - {*asking}
    persons = [words for value, _, words in _rows("subject") if value in _RELATIVES]
    of_told = {_domain(each, [each]) for each in {_bare(each, persons) for each in told}}
    return asked not in (*_OF_WHOLE, "children") and bool(of_told - {*_VAGUE}) and asked not in of_told


def _bare(text: Heard, persons: list[Wording]) -> Heard:
    for words in persons:
        text = text.without(words)
    return text


def _is_beside(words: Wording, text: Heard) -> bool:
    """Whether somebody is named as company, cause or memory, and not as the one who is asked about."""
    return any(
        near.fits(Heard((before,), before) if value == "before" else Heard((after,), after))
        for before, after in words.around(text)
        for value, _, near in _rows("beside")
    )


def _first(slot: str, texts: list[Heard]) -> str | None:
    """The value of the first row of a slot that one of the texts holds."""
    for value, _, words in _rows(slot):
        if any(words.fits(text) for text in texts):
            return value
    return None


@cache
def _rows(slot: str) -> list[tuple[str, int, Wording]]:
    return [
        (row["value"], int(row["weight"]), wording(row["zh"], row["en"]))
        for row in rows("intents")
        if row["slot"] == slot
    ]


# --- years and months ---------------------------------------------------------------------------------------------------


def _years(clauses: list[_Clause]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The years of the clauses that ask, or else of those that tell what is to come."""
    asking = [clause for clause in clauses if clause.asks and not clause.tells]
    telling = [clause for clause in clauses if not clause.asks and not clause.tells]
    years, ahead = _years_in(asking)
    if not (years or ahead):
        years, ahead = _years_in(telling)
        ahead = {each for each in ahead if each >= 0}
    return tuple(sorted(years)), tuple(sorted(ahead))


def _years_in(clauses: list[_Clause]) -> tuple[set[int], set[int]]:
    years, ahead = set[int](), set[int]()
    for clause in clauses:
        named = _absolute(clause.text)
        years |= named
        ahead |= _relative(clause.heard)
        ahead |= set() if named else _span(clause.text)
    return years, ahead


def _absolute(text: str) -> set[int]:
    found = {int(match[1]) for match in _YEAR.finditer(text)}
    for match in _RANGE.finditer(text):
        first = int(match[1] or match[3])
        last = int(f"{first}"[:2] + (match[2] or match[4])[-2:])
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
    return {int(value) for value, _, words in _rows("year") if words.fits(text)}


def _span(text: str) -> set[int]:
    """The years of "the next three years", from the one in which it is asked."""
    found = set[int]()
    for match in _SPAN.finditer(text):
        counted = match[1] or match[2] or "ten"
        plain = counted.translate(_DIGITS)
        found.update(range(int(plain) if plain.isdigit() else _COUNTED.get(counted, 0)))
    return found


def _months(whole: Heard) -> tuple[int, ...]:
    """The months that are named; else those of a part of the year that is."""
    text = whole.plain
    han = {"正": 1, "十": 10, "十一": 11, "十二": 12, "腊": 12, "臘": 12}
    found = {
        int(match[1]) if match[1] else han.get(match[2]) or int(match[2].translate(_DIGITS))
        for match in _MONTH.finditer(text)
    }
    for match in _MONTH_EN.finditer(text):
        name = next(filter(None, match.groups()))
        found.add(_MONTHS.index(name[:3]) + 1)
    if not found and (part := _first("months", [whole])):
        found.update(map(int, part.split()))
    return tuple(sorted(found))
