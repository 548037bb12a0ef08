"""What a question asks: of which part of life, in which way, of whom, of which years; by rows of data, never by a model.

The words stand in `intents.csv`, those of the classes in `question_words.csv`. A question is parted into clauses; those
that ask count for more than what is told with them, and whose age or birth is told is not asked about.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from bazi_core.questions.chains import named_again, resolved
from bazi_core.questions.classes import classes_in, classes_told
from bazi_core.questions.doctrine import NamedTerms, looked_up_in, named_in
from bazi_core.questions.domains import (
    LOVE,
    NOTHING,
    OF_WHOLE,
    VAGUE,
    befallen,
    domain_in,
    named_beside,
    together,
)
from bazi_core.questions.heard import Heard, heard, in_simplified_signs, without_greeting
from bazi_core.questions.marks import OF_STAR, is_marked, marks_in
from bazi_core.questions.paths import paths_in
from bazi_core.questions.persons import (
    OF_FAMILY,
    RELATIVES,
    bare,
    persons_in,
    whose,
    without_background,
    without_company,
)
from bazi_core.questions.slots import Clause, clauses_of, first, slot_rows, taken_out
from bazi_core.questions.terms import terms_in
from bazi_core.questions.times import age_from, month_limit, months_of, time_limits, years_of
from bazi_core.questions.trades import trades_in

GIBBERISH, NORMAL = "gibberish", "normal"


class Intent(NamedTuple):
    """What a question asks.

    * domain: career wealth relationship marriage children parents study health travel_move lawsuit timing direction self
      general; `others` are further domains that are named side by side with it.
    * kind: whether which when how_much how why compare describe; `asks_when` and `asks_whether` where that is asked too.
    * horizon: life, decade, years, year, months, days, lately. years: those that are named; ahead: those counted from that
      of the question (0 this year, 1 the next); months: 1 to 12; `by_year`, `by_age` and `by_month` are limits before
      which it is to come, `from_age` that from which on it is asked; are_told: the years stand beside what is asked;
      is_of_given: "this year" is the year that is read.
    * subject: self or a relation; whose: the relative whose own matter it is, which is for his or her chart to answer.
    * classes: most serious first; beside: those whose words are only told beside what is asked, or mean
      no more than they say.
    * about: what is told in a way of its own: partnership, tai_sui, trade (with `trades`, the fields of work that are
      weighed), path (with two `paths`), term (with `terms`), gifts, faults, traits, mate, match, worry; begetting and
      treatment are words for a doctor.
    * form: how it asks for yes or no (fit may will); matter: what is planned or hoped for (job_change, wedding, home …);
      extreme: best or worst, where not the nearest years are wanted; mate: husband or wife, as the question calls a partner;
      claims: stems and branches that the asker takes for the day master and the year of birth; told: names of patterns,
      ties and the like that are told and not asked about (`questions.doctrine`); marks: what is told
      besides (`questions.marks`).

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
    from_age: int = 0
    beside: tuple[str, ...] = ()
    asks_when: bool = False
    asks_whether: bool = False
    is_of_given: bool = False
    by_month: int = 0
    paths: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    are_told: bool = False
    claims: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()

    @property
    def cls(self) -> str:
        """The most serious class."""
        return self.classes[0]

    def years_from(self, this_year: int) -> tuple[int, ...]:
        """All years that are asked about, by the one in which it is asked."""
        return tuple(sorted({*self.years, *(this_year + each for each in self.ahead)}))


@lru_cache(maxsize=32)
def intent(text: str) -> Intent:
    """What a question asks; nothing of it is refused, and no more of it read than a question may have. Whoever reads for a
    question asks this several times over.

    >>> intent("Should I change jobs this year or wait?")[:3], intent("qwerty zxcv").cls
    (('career', 'compare', 'year'), 'gibberish')
    """
    asked = _taken_apart(text)
    given, whole, clauses, asking, kind = asked[:5]
    # What somebody needs is heard in all that was written.
    classes = classes_told(text)
    subject, named = persons_in(whole, asking)
    owner = "self" if asked.is_childless else whose(whole, clauses, asking, kind)
    domain = "self" if asked.looked_up else _domain_meant(given, whole, asking, subject, named)
    if asked.is_childless and domain in VAGUE:
        domain = "children"
    if owner != "self":
        domain = _own_matter(asking) or domain
    # Who asks how to put something to somebody asks about that person.
    is_of_telling = kind == "how" and subject in _TOLD and first("told_to", asking) is not None
    if is_of_telling:
        owner, domain = "self", _TOLD[subject]
    to_come = [each for each in _of_what_comes(clauses) if _is_of_side(each, asked.side)]
    span = first("horizon", [together([*asking, *to_come])])
    is_lately = kind != "when" and first("lately", [whole] if asked.side in OF_WHOLE else asking) is not None
    understood = domain or first("kind", [whole]) or subject or span or asked.is_timed
    is_of_that_time = any(each.asks and first("that_time", [each.heard]) for each in clauses)
    return Intent(
        domain=domain or "general",
        kind=kind,
        horizon=_horizon(span, asked.years, asked.ahead, is_lately),
        years=asked.years,
        ahead=asked.ahead,
        months=months_of(together(asking)) or _months_told(to_come, kind),
        subject=subject or "self",
        classes=classes or (NORMAL if understood or first("speech", [whole]) else GIBBERISH,),
        whose=owner,
        others=(
            befallen(domain, whole)
            if kind == "why" and asked.is_timed
            else named_beside(domain, together(asking))
        ),
        extreme=first("best", [whole]) or "",
        mate=first("mate", [whole]) or "",
        matter=first("matter", asking) or _matter_told(whole, clauses, asking) or "",
        beside=_beside(asked, classes, domain),
        asks_when=kind == "whether" and any(_is_of_kind("when", each) for each in asking),
        asks_whether=kind == "when" and any(map(_is_only_of_whether, asking)),
        are_told=asked.are_told and not is_of_that_time and any(each.asks for each in clauses),
        marks=marks_in(whole, asking),
        told=asked.told,
        **_limits(whole),
        **_own_way(asked, span, domain in _OF_WORK and "financial" not in classes),
    )


class _Asked(NamedTuple):
    """A question taken apart: `given` as it is heard, `whole` without what is none of it, its clauses, what of them is
    asked and in which way; the `side` of life that these name, the years, the terms that are looked up or told."""

    given: Heard
    whole: Heard
    clauses: list[Clause]
    asking: list[Heard]
    kind: str
    side: str | None
    years: tuple[int, ...]
    ahead: tuple[int, ...]
    are_told: bool
    looked_up: tuple[str, ...]
    told: tuple[str, ...]
    is_childless: bool

    @property
    def is_timed(self) -> bool:
        return bool(self.years or self.ahead)


def _taken_apart(text: str) -> _Asked:
    """A question with its clauses, once greetings, chains of relatives and background are resolved or left out."""
    given = heard(text)
    whole = heard(named_again(resolved(without_greeting(given.plain))))
    clauses = clauses_of(whole.plain)
    years, ahead, are_told = years_of(clauses)
    asking = [each.heard for each in clauses if each.asks] or [whole]
    side = domain_in(NOTHING, asking)
    if side in VAGUE and (own := without_background(clauses)):
        clauses, whole = own, heard(",".join(each.text for each in own))
    kind = first("kind", asking) or first("kind", [whole]) or "describe"
    # Whoever asks whether it is so asks of what is told.
    is_checked = first("checks", asking) is not None
    stated = [taken_out("checks", each.heard) for each in clauses] if is_checked else asking
    is_dated = bool(years or ahead) and not are_told
    looked_up, bare = NamedTerms((), asking) if is_dated else looked_up_in(stated, kind)
    if looked_up:
        # What a pattern or a tie is called by is no side of life.
        asking, given, whole = bare, named_in([given]).rest[0], named_in([whole]).rest[0]
    # Who has no children asks for some, and of nobody.
    is_childless = first("childless", [whole]) is not None
    if is_childless:
        given, whole = taken_out("childless", given), taken_out("childless", whole)
        asking = [taken_out("childless", each) for each in asking]
    told = () if looked_up else named_in([each.heard for each in clauses if not each.asks]).terms
    return _Asked(
        given, whole, clauses, asking, kind, side, years, ahead, are_told, looked_up, told, is_childless
    )


def _limits(whole: Heard) -> dict[str, Any]:
    """The limits in time of a question, and whether it means the year that is read."""
    by_year, by_age = time_limits(whole)
    is_of_given = first("given", [whole]) is not None and first("year", [taken_out("given", whole)]) is None
    return {
        "by_year": by_year, "by_age": by_age, "from_age": age_from(whole), "by_month": month_limit(whole),
        "is_of_given": is_of_given,
    }  # fmt: skip


def _own_way(asked: _Asked, span: str | None, is_of_work: bool) -> dict[str, Any]:
    """What is told in a way of its own, with the names, ways of working and fields of work that are weighed or looked up;
    how yes or no is asked, and what is claimed of the chart."""
    whole, asking, kind, are_timed = asked.whole, asked.asking, asked.kind, asked.is_timed
    is_of_two = kind == "compare" or (kind == "which" and span is None)
    is_of_two = is_of_two or first("path_open", asking) is not None
    form = next(filter(None, (first("form", [each]) for each in asking)), "")
    terms = () if (are_timed and not asked.looked_up) or kind == "when" else terms_in(together(asking))
    terms = tuple(dict.fromkeys((*asked.looked_up, *terms)))
    paths = paths_in(whole, kind == "compare")
    fields = trades_in(together(asking), is_of_two) or (trades_in(whole, True) if is_of_two else ())
    fields = fields if is_of_work else ()
    is_of_trade = bool(fields) and (len(fields) > 1 or not paths) and (form == "fit" or not are_timed)
    about = first("about", [whole]) or ("trade" if is_of_trade else "")
    if terms:
        about = "term"
    elif paths and about not in _BEFORE_PATHS:
        about = "path"
    claims = tuple(value for value, _, words in slot_rows("claims") if words.fits(whole))
    return {
        "about": about, "terms": terms, "paths": paths, "trades": fields, "form": form, "claims": claims,
    }  # fmt: skip


def _domain_meant(
    given: Heard, whole: Heard, asking: list[Heard], subject: str | None, named: str | None
) -> str | None:
    """The domain of the clauses that ask; where these tell none, that of the whole without its persons, or of the persons of
    a chain alone. What lies between oneself and a child, or somebody at work, is no love."""
    side = domain_in(NOTHING, asking)
    if side in OF_WHOLE and first("about", asking) == "tai_sui":
        return "general"
    if side in OF_WHOLE and named in OF_FAMILY and first("quarrel", asking) is not None:
        return "parents"
    if side in OF_WHOLE:
        side = domain_in(without_company(whole, "before", "after"), asking) or domain_in(given, [given])
    if side in LOVE and first("romance", [whole]) is None:
        if side == "relationship" and subject in OF_FAMILY and first("quarrel", [whole]) is not None:
            return "parents"
        if named == "child" and first("parting", asking) is None:
            return "children"
        return "career" if subject in _AT_WORK else side
    return side


def _matter_told(whole: Heard, clauses: list[Clause], asking: list[Heard]) -> str | None:
    """What is planned by what is told; where something else is asked of oneself, not what a relative plans."""
    if first("subject", asking) is not None or domain_in(NOTHING, asking) in OF_WHOLE:
        return first("matter", [whole])
    persons = [words for value, _, words in slot_rows("subject") if value in RELATIVES]
    return first(
        "matter", [each.heard for each in clauses if not any(words.fits(each.heard) for words in persons)]
    )


# What is somebody's own matter, and lies not between them and the asker.
_OWN_MATTERS = ("career", "wealth", "health", "study", "lawsuit", "travel_move")


def _own_matter(asking: list[Heard]) -> str:
    """The matter of a relative that is asked about, by the words besides those for the relative; "" where none is."""
    persons = [words for _, _, words in slot_rows("subject")]
    side = domain_in(NOTHING, [bare(each, persons) for each in asking])
    return side if side in _OWN_MATTERS else ""


def _months_told(to_come: list[Heard], kind: str) -> tuple[int, ...]:
    """The months of what is to come; whoever asks when chooses among several, and one alone is that of something else."""
    found = months_of(together(to_come))
    return found if kind != "when" or len(found) > 1 else ()


def _is_of_side(clause: Heard, side: str | None) -> bool:
    """Whether a clause that tells is of the side of life that is asked about, or of none."""
    return side in OF_WHOLE or domain_in(clause, [clause]) in (None, side)


def _horizon(span: str | None, years: tuple[int, ...], ahead: tuple[int, ...], is_lately: bool) -> str:
    if span in ("days", "months", "decade") and not years:
        return span
    named = _named(years, ahead)
    return "lately" if named == "life" and is_lately else named


@lru_cache(maxsize=32)
def of_owner(text: str, owner: str = "child") -> Intent:
    """What a question asks of the chart of a relative: whoever asks for a son, a daughter or a mother asks about the owner.

    >>> of_owner("我儿子以后适合学什么").domain, of_owner("我儿子以后会有孩子吗").domain
    ('study', 'children')
    >>> of_owner("这是我妈的八字，她明年要不要搬家", "mother").whose
    'self'
    """
    plain = in_simplified_signs(heard(text).plain)
    if owner != "child":
        for value, _, words in slot_rows("subject"):
            for pattern, one in ((words.signs, "我"), (words.words, "i")) if value == owner else ():
                plain = pattern.sub(one, plain) if pattern else plain
    for value, _, words in slot_rows("owner"):
        for pattern in (words.signs, words.words):
            plain = pattern.sub(value, plain) if pattern else plain
    return intent(plain)._replace(classes=intent(text).classes)


def _of_what_comes(clauses: list[Clause]) -> list[Heard]:
    """The clauses that tell, but for what is over."""
    return [each.heard for each in clauses if not each.asks and first("past", [each.heard]) is None]


# Of whom somebody is to marry, hire or see, no field of work is weighed.
_OF_WORK = (None, "general", "self", "career", "study", "wealth")
# What is told in a way of its own before two ways of working are weighed.
_BEFORE_PATHS = ("partnership", "tai_sui", "trade")
# Classes that leave out one side of life, and what is asked of a life as a whole, from which none can be left out.
_TOPICAL = ("third_party_private", "medical", "legal", "financial")


# To whom something is put -> the side of life on which that person stands.
_TOLD: dict[str | None, str] = {
    "spouse": "marriage", "partner": "relationship", "child": "children", "boss": "career", "colleague": "career",
    "friend": "relationship",
    **dict.fromkeys(OF_FAMILY, "parents"),
}  # fmt: skip
# Whoever is at odds with somebody at work asks about work.
_AT_WORK = ("boss", "colleague")
# Whoever asks so may tell first what there is to choose from.
_OF_CHOICE = ("which", "compare", "how", "whether")
# What is planned with money is never told beside.
_OF_MONEY = ("home", "debt", "lottery")


def _beside(asked: _Asked, classes: tuple[str, ...], domain: str | None) -> tuple[str, ...]:
    """The classes that set nothing aside: their words stand in clauses that only tell, while something else is asked, or
    in phrases that mean no more than they say."""
    topical = [name for name in classes if name in _TOPICAL]
    if not topical:
        return ()
    plain = classes_in(taken_out("harmless", asked.given))
    of_asking = {name for each in asked.asking for name in classes_in(each)}
    has_plan = first("matter", asked.asking) not in (None, *_OF_MONEY)
    # Somebody who is named is no other side of life.
    persons = [words for value, _, words in slot_rows("subject") if value in RELATIVES]
    side = domain_in(NOTHING, [bare(each, persons) for each in asked.asking])
    if side in VAGUE and asked.kind in _OF_CHOICE:
        # What is chosen from is told before.
        told = (each.heard for each in asked.clauses if not each.asks and not classes_in(each.heard))
        side = next((found for each in told if (found := domain_in(NOTHING, [each])) not in OF_WHOLE), side)
    is_told = (side not in OF_WHOLE or has_plan) and domain not in OF_WHOLE
    # Of a child that is hoped for one asks a doctor, unless the star of children is asked about.
    if domain == "children" and not any(is_marked(OF_STAR, each) for each in asked.asking):
        of_asking.add("medical")
    return tuple(name for name in topical if name not in plain or (is_told and name not in of_asking))


def _is_only_of_whether(text: Heard) -> bool:
    return _is_of_kind("whether", text) and not _is_of_kind("when", text)


def _is_of_kind(kind: str, text: Heard) -> bool:
    return any(words.fits(text) for value, _, words in slot_rows("kind") if value == kind)


def asking(text: str) -> tuple[str, ...]:
    """The clauses of a question that ask, or the whole of it where none does.

    >>> asking("面试完了，能成吗？结果呢")
    ('能成吗?', '结果呢')
    """
    plain = heard(text).plain
    return tuple(clause.text for clause in clauses_of(plain) if clause.asks) or (plain,)


def _named(years: tuple[int, ...], ahead: tuple[int, ...]) -> str:
    count = len(years) + len(ahead)
    return "life" if not count else "year" if count == 1 else "years"
