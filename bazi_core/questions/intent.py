"""What a question asks: of which part of life, in which way, of whom, of which years; by rows of data, never by a model.

The words stand in `intents.csv`, those of the classes in `question_words.csv`. A question is parted into clauses; those
that ask count for more than what is told with them, and whose age or birth is told is not asked about.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bazi_core.questions.chains import named_again, resolved
from bazi_core.questions.classes import classes_in
from bazi_core.questions.heard import Heard, Wording, heard, in_simplified_signs, without_greeting
from bazi_core.questions.marks import OF_STAR, ZODIAC, is_marked, marks_in
from bazi_core.questions.paths import paths_in
from bazi_core.questions.slots import Clause, clauses_of, first, slot_rows, taken_out
from bazi_core.questions.terms import terms_in
from bazi_core.questions.times import age_from, ages_of, month_limit, months_of, time_limits, years_of
from bazi_core.questions.trades import trades_in

GIBBERISH, NORMAL = "gibberish", "normal"
TIMING = "timing"


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
      claims: stems and branches that the asker takes for the day master and the year of birth; marks: what is told
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
    given = heard(text)
    whole = heard(named_again(resolved(without_greeting(given.plain))))
    clauses = clauses_of(whole.plain)
    years, ahead, are_told = years_of(clauses)
    of_that_time = any(each.asks and first("that_time", [each.heard]) for each in clauses)
    asking = [each.heard for each in clauses if each.asks] or [whole]
    side = _domain(_NOTHING, asking)
    if side in _VAGUE and (own := _without_background(clauses)):
        clauses, whole = own, heard(",".join(each.text for each in own))
    to_come = [each for each in _of_what_comes(clauses) if _is_of_side(each, side)]
    kind = first("kind", asking) or first("kind", [whole]) or "describe"
    subject, named = _persons(whole, asking)
    domain = _domain_meant(given, whole, asking, subject, named)
    # Who asks how to put something to somebody asks about that person.
    is_of_telling = kind == "how" and subject in _TOLD and first("told_to", asking) is not None
    domain = _TOLD[subject] if is_of_telling and subject in _TOLD else domain
    span = first("horizon", [_together([*asking, *to_come])])
    is_lately = kind != "when" and first("lately", [whole] if side in _OF_WHOLE else asking) is not None
    understood = domain or first("kind", [whole]) or subject or span or years or ahead
    found = classes_in(given)
    classes = found or (NORMAL if understood or first("speech", [whole]) else GIBBERISH,)
    terms = () if years or ahead or kind == "when" else terms_in(_together(asking))
    paths = paths_in(whole, kind == "compare")
    is_of_two = kind == "compare" or (kind == "which" and span is None)
    named_trades = trades_in(_together(asking), is_of_two) or (trades_in(whole, True) if is_of_two else ())
    form = next(filter(None, (first("form", [each]) for each in asking)), "")
    by_year, by_age = time_limits(whole)
    return Intent(
        domain=domain or "general",
        kind=kind,
        horizon=_horizon(span, years, ahead, is_lately),
        years=years,
        ahead=ahead,
        months=months_of(_together(asking)) or _months_told(to_come, kind),
        subject=subject or "self",
        classes=classes,
        whose="self" if is_of_telling else _whose(whole, clauses, asking, kind),
        others=_befallen(domain, whole)
        if kind == "why" and (years or ahead)
        else _others(domain, _together(asking)),
        about=_about(whole, terms, paths, named_trades if form == "fit" or not (years or ahead) else ()),
        extreme=first("best", [whole]) or "",
        mate=first("mate", [whole]) or "",
        form=form,
        matter=first("matter", asking) or first("matter", [whole]) or "",
        by_year=by_year,
        by_age=by_age,
        from_age=age_from(whole),
        beside=_beside(given, found, asking, domain),
        asks_when=kind == "whether" and any(_is_of_kind("when", each) for each in asking),
        asks_whether=kind == "when" and any(map(_is_only_of_whether, asking)),
        is_of_given=first("given", [whole]) is not None
        and first("year", [taken_out("given", whole)]) is None,
        by_month=month_limit(whole),
        paths=paths,
        trades=named_trades,
        terms=terms,
        are_told=are_told and not of_that_time and any(each.asks for each in clauses),
        claims=tuple(value for value, _, words in slot_rows("claims") if words.fits(whole)),
        marks=marks_in(whole, asking),
    )


def _persons(whole: Heard, asking: list[Heard]) -> tuple[str | None, str | None]:
    """Who is asked about, and who of them is named where it is asked: an animal of the twelve years is none, nor one that is
    only told of; in a quarrel it is the other side."""
    named = first("subject", asking)
    subject = named if named not in (None, "somebody") else first("subject", [_without(whole, "after")])
    if named is None and first("quarrel", [whole]) is not None:
        subject = _opposite(whole) or subject
    if subject == "pet" and (is_marked(ZODIAC, whole) or first("of_pet", asking) is None):
        return None, None
    return subject, named


def _domain_meant(
    given: Heard, whole: Heard, asking: list[Heard], subject: str | None, named: str | None
) -> str | None:
    """The domain of the clauses that ask; where these tell none, that of the whole without its persons, or of the persons of
    a chain alone. What lies between oneself and a child, or somebody at work, is no love."""
    side = _domain(_NOTHING, asking)
    if side in _OF_WHOLE and named in _OF_FAMILY and first("quarrel", asking) is not None:
        return "parents"
    if side in _OF_WHOLE:
        side = _domain(_without(whole, "before", "after"), asking) or _domain(given, [given])
    if side in _LOVE and first("romance", [whole]) is None:
        if side == "relationship" and subject in _OF_FAMILY and first("quarrel", [whole]) is not None:
            return "parents"
        return "children" if named == "child" else "career" if subject in _AT_WORK else side
    return side


def _opposite(whole: Heard) -> str | None:
    """With whom one is at odds, by the "with" before the name."""
    for value, _, words in slot_rows("subject"):
        if any(before.endswith(_WITH) for before, _ in words.around(whole)):
            return value
    return None


def _months_told(to_come: list[Heard], kind: str) -> tuple[int, ...]:
    """The months of what is to come; whoever asks when chooses among several, and one alone is that of something else."""
    found = months_of(_together(to_come))
    return found if kind != "when" or len(found) > 1 else ()


def _is_of_side(clause: Heard, side: str | None) -> bool:
    """Whether a clause that tells is of the side of life that is asked about, or of none."""
    return side in _OF_WHOLE or _domain(clause, [clause]) in (None, side)


def _horizon(span: str | None, years: tuple[int, ...], ahead: tuple[int, ...], is_lately: bool) -> str:
    if span in ("days", "months", "decade") and not years:
        return span
    named = _named(years, ahead)
    return "lately" if named == "life" and is_lately else named


def _about(
    whole: Heard, terms: tuple[str, ...], paths: tuple[str, ...], named_trades: tuple[str, ...]
) -> str:
    """What is told in a way of its own."""
    is_of_trade = len(named_trades) > 1 or (named_trades and not paths)
    about = first("about", [whole]) or ("trade" if is_of_trade else "")
    return "term" if terms else "path" if paths and about not in _BEFORE_PATHS else about


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


def owner_of(text: str, age: int) -> str | None:
    """The relative whose chart it is, by what the question says of it, or of the age of an elder, beside the `age` of the
    owner in full years; None where it is the asker's.

    >>> owner_of("這是我媽的八字，她要不要搬", 71), owner_of("我妈今年五十三，要不要手术", 53)
    ('mother', 'mother')
    >>> owner_of("我妈今年七十三，要不要手术", 48), owner_of("Dad's 85 and lives alone. Should he sell?", 85)
    (None, 'father')
    """
    whole = heard(text)
    found = [
        (value, words)
        for value, _, words in slot_rows("subject")
        if value in _RELATIVES and words.fits(whole)
    ]
    if found and first("chart_of", [whole]) is not None:
        return found[0][0]
    # Of an age are one's own partner and brothers too: only an elder is known by it.
    clauses = clauses_of(whole.plain)
    for relative, words in found:
        told = (clause.text for clause in clauses if relative in _ELDERS and words.fits(clause.heard))
        if any(low - 1 <= age <= high + 1 for text in told for low, high in ages_of(text)):
            return relative
    return None


def _without_background(clauses: list[Clause]) -> list[Clause]:
    """The clauses of a question without those that tell of relatives, where others tell what it is about; none where these
    do, or where somebody is meant by a pronoun."""
    asking = [clause.heard for clause in clauses if clause.asks]
    persons = [words for value, _, words in slot_rows("subject") if value in _RELATIVES]
    if not asking or first("subject", asking) is not None:
        return []
    named = [each for each in clauses if any(words.fits(each.heard) for words in persons)]
    # Whose birth or age is told is no background.
    if any(each.tells for each in named):
        return []
    kept = [each for each in clauses if each.asks or each not in named]
    told = [each.heard for each in kept if not each.asks]
    about = [_domain(each, [each]) for each in told]
    return kept if len(kept) < len(clauses) and any(each not in _OF_WHOLE for each in about) else []


def _of_what_comes(clauses: list[Clause]) -> list[Heard]:
    """The clauses that tell, but for what is over."""
    return [each.heard for each in clauses if not each.asks and first("past", [each.heard]) is None]


def _without(whole: Heard, *sides: str) -> Heard:
    """A text without the relatives who are company, cause or memory in it, by what stands before or after them: they do
    not tell what it is about."""
    for value, _, words in slot_rows("subject"):
        if value in _RELATIVES and words.fits(whole) and _is_beside(words, whole, *sides):
            whole = whole.without(words)
    return whole


_NOTHING = Heard(("",), "")
_WITH = ("with my ", "with our ", "with ", "跟", "和", "与", "跟我", "和我", "与我")
# What is told in a way of its own before two ways of working are weighed.
_BEFORE_PATHS = ("partnership", "tai_sui", "trade")
# Classes that leave out one side of life, and what is asked of a life as a whole, from which none can be left out.
_TOPICAL = ("third_party_private", "medical", "legal", "financial")
_VAGUE = (None, "general", "self", "timing")
_OF_WHOLE = (*_VAGUE, "health")


# With whom of the family one gets on or not.
_OF_FAMILY = ("parents_in_law", "grandparent", "parents", "father", "mother", "sibling", "relative")
# To whom something is put -> the side of life on which that person stands.
_TOLD: dict[str | None, str] = {
    "spouse": "marriage", "partner": "relationship", "child": "children", "boss": "career", "colleague": "career",
    "friend": "relationship",
    **dict.fromkeys(_OF_FAMILY, "parents"),
}  # fmt: skip
# Whoever is at odds with somebody at work asks about work.
_LOVE, _AT_WORK = ("relationship", "marriage"), ("boss", "colleague")
# What is planned with money is never told beside.
_OF_MONEY = ("home", "debt", "lottery")


def _beside(
    given: Heard, classes: tuple[str, ...], asking: list[Heard], domain: str | None
) -> tuple[str, ...]:
    """The classes that set nothing aside: their words stand in clauses that only tell, while something else is asked, or
    in phrases that mean no more than they say."""
    plain = classes_in(taken_out("harmless", given))
    asked = {name for each in asking for name in classes_in(each)}
    has_plan = first("matter", asking) not in (None, *_OF_MONEY)
    # Somebody who is named is no other side of life.
    persons = [words for value, _, words in slot_rows("subject") if value in _RELATIVES]
    side = _domain(_NOTHING, [_bare(each, persons) for each in asking])
    is_told = (side not in _OF_WHOLE or has_plan) and domain not in _OF_WHOLE
    return tuple(
        name
        for name in classes
        if name in _TOPICAL
        and (
            name not in plain
            or (
                is_told
                and name not in asked
                and not (
                    domain == "children"
                    and name == "medical"
                    and not any(is_marked(OF_STAR, each) for each in asking)
                )
            )
        )
    )


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


def _domain(whole: Heard, asking: list[Heard]) -> str | None:
    weights: dict[str, int] = {}
    for value, weight, words in slot_rows("domain"):
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
    for _, _, joined in slot_rows("joined"):
        for pattern, text in ((joined.signs, whole.signs), (joined.words, whole.plain)):
            for run in pattern.finditer(text) if pattern else ():
                part = Heard((run[0],), run[0])
                found += [value for value, _, words in slot_rows("named") if words.fits(part)]
    return tuple(each for each in dict.fromkeys(found) if each != domain) if domain in found else ()


# Sides of life in which several things go wrong at a time.
_BEFALLS = ("career", "wealth", "relationship", "marriage", "study", "parents", "children")


def _befallen(domain: str | None, whole: Heard) -> tuple[str, ...]:
    """The further sides of life in which something went wrong in a year of which it is asked why."""
    found = {value for value, _, words in slot_rows("domain") if words.fits(whole)}
    same = _LOVE if domain in _LOVE else (domain,)
    return (
        tuple(each for each in _BEFALLS if each in found and each not in same) if domain in _BEFALLS else ()
    )


def _together(asking: list[Heard]) -> Heard:
    return Heard((" ".join(each.plain for each in asking),), "".join(each.signs for each in asking))


# What is asked of a relative and yet is the asker's own: it stands in the palace and the star of that relative.
_BOND = (None, "general", "self", "relationship", "marriage", "children", "timing")
_OWN: dict[str, tuple[str | None, ...]] = {
    "spouse": _BOND, "partner": _BOND, "child": (None, "children"),
}  # fmt: skip
# How many children and when: so one asks of one's own chart.
_OF_CHILDREN, _CHILDREN = ("when", "how_much"), (None, "general", "self", "children", "timing")
_ELDERS = ("parents_in_law", "grandparent", "parents", "father", "mother")
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


def _whose(whole: Heard, clauses: list[Clause], asking: list[Heard], kind: str) -> str:
    """The relative whose own matter is asked about: named where it is asked, or before, when nobody else is named there; but
    not before a plan of one's own that is asked about."""
    last = max((at for at, clause in enumerate(clauses) if clause.asks), default=len(clauses))
    planned = max((at for at, clause in enumerate(clauses) if _plans(clause, asking)), default=0)
    for texts in (asking, [clause.heard for clause in clauses[planned : last + 1]]):
        for value, _, words in slot_rows("subject"):
            met = [text for text in texts if words.fits(text)] if value in _RELATIVES else []
            if met:
                rest = [each.without(words) for each in asking]
                matter = _domain(whole.without(words), rest)
                if matter in _VAGUE:
                    # What befell somebody before is what is asked of.
                    told = (
                        _domain(each, [each]) for each in (clause.heard.without(words) for clause in clauses)
                    )
                    matter = next((each for each in told if each not in _VAGUE), matter)
                own = _OWN.get(value, ())
                if value == "child" and kind in _OF_CHILDREN:
                    is_there = first("has_child", [whole]) and first("about", [whole]) != "begetting"
                    own = () if first("ailing", rest) or (kind == "when" and is_there) else _CHILDREN
                return "self" if matter in own or all(_is_beside(words, each) for each in met) else value
        if first("oneself", asking) or _is_apart(clauses, asking):
            return "self"
    return "self"


def _plans(clause: Clause, asking: list[Heard]) -> bool:
    """Whether a clause tells a plan of one's own on the side of life that is asked about."""
    side = _domain(_NOTHING, [clause.heard])
    is_plan = not clause.asks and first("own_plan", [clause.heard]) is not None
    return is_plan and side not in _OF_WHOLE and side == _domain(_NOTHING, asking)


def _is_apart(clauses: list[Clause], asking: list[Heard]) -> bool:
    """Whether another side of life is asked about than the one on which somebody is told of before."""
    asked = _bond(_domain(_NOTHING, asking))
    told = {clause.heard for clause in clauses} - {*asking}
    persons = [words for value, _, words in slot_rows("subject") if value in _RELATIVES]
    of_told = {_bond(_domain(each, [each])) for each in {_bare(each, persons) for each in told}}
    return asked not in (*_OF_WHOLE, "children") and bool(of_told - {*_VAGUE}) and asked not in of_told


def _bond(domain: str | None) -> str | None:
    """Marriage and love are one side of life."""
    return "relationship" if domain == "marriage" else domain


def _bare(text: Heard, persons: list[Wording]) -> Heard:
    for words in persons:
        text = text.without(words)
    return text


def _is_beside(words: Wording, text: Heard, *sides: str) -> bool:
    """Whether somebody is named as company, cause or memory, and not as the one who is asked about; told by what stands
    before or after the name, or on these `sides` alone."""
    return any(
        near.fits(Heard((before,), before) if value == "before" else Heard((after,), after))
        for before, after in words.around(text)
        for value, _, near in slot_rows("beside")
        if value in (sides or ("before", "after"))
    )
