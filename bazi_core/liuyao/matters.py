"""The very thing that a question asks of a cast, so that its answer names it, by rows of data (`matters.csv`).

A kind of question says which line stands for it; what is asked within the kind (whether somebody calls, whether a house is
sold, whether to say yes) decides how the answer is worded, and who stands opposite as 应.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from bazi_core.liuyao.lost import LOST_THING, thing_lost
from bazi_core.liuyao.pets import in_plain_words
from bazi_core.liuyao.yongshen import horizon_named, label_of, topic_of
from bazi_core.questions.heard import Heard, Wording, heard, wording
from bazi_core.questions.intent import asking, intent
from bazi_core.questions.marks import FRAUD
from bazi_core.tables import rows

# How a matter is answered: it comes about or not; whether to do it; the 用神 is what one would leave, or fears to lose, and
# stays; how it goes.
EVENT, SHOULD, KEEP, EVEN = "event", "should", "keep", "even"
_ADVISED = (SHOULD, KEEP)
# Rows of words that say how a question asks and of whom, and are no matter themselves.
_ASK, _SHE, _HE, _SOON, _WHEN, _TREAT = "ask", "she", "he", "soon", "when", "treat"
# What to do where no row names it.
_ACT = "act"
# What is owed to the asker, and what the asker owes, which is told before it is asked when it can be paid.
_DEBT, _OWING = "debt", "owing"
# An animal that is lost, which 子孙 stands for, and a thing; an animal without a kind is left to the words of the matter.
_PET_FOUND, _THING_FOUND, _ANIMALS = "pet_found", "thing_found", ("", "子孙")
# Matters of intents.csv on which a cast judges nothing.
_UNJUDGED = {"lottery": "chance", "naming": "naming", "named": "naming"}
LAW, HEALTH, LOST = "law", "health", "lost"
# A matter that is told beside others where its words are heard.
SETTLE = "settle"
NEAR, LONG = "near", "long"
# Kinds beside those of health in which somebody is treated.
PREGNANCY, PET = "怀孕", "宠物"
YEAR_END, IN_HOUSE, OUTSIDE = "year_end", "in_house", "outside"
CHOOSE, AFTER, LEASE = "choose", "after", "lease"
# Of two that stand on both sides of an "or": what leaves things as they are, what one may do, and what is neither.
_STAYS, _COURSE, _NO_COURSE = "stays", "course", "no_course"
# Steps that one takes where what is asked does not come, and what one would do instead if it does not.
_STEPS, FALLBACK = ("sue", "elsewhere", "lower"), "fallback"
# Two courses that are weighed, or one against leaving things as they are.
TWO, STAY = "two", "stay"
DIAGNOSIS, THIRD, ALIVE, OPERATION = "diagnosis", "third", "alive", "operation"
PREGNANT, SENTENCE = "pregnant", "sentence"
ACCUSED, STILL_IN, SUM, STAKES = "accused", "still_in", "sum", "stakes"
MIDDLE, FAR = "middle", "far"
# A question has 500 characters; at most this many of its clauses are looked at.
_MOST_PARTS = 12


class Matter(NamedTuple):
    """The matter of a question: its name, its form, who 应 is in it (nothing where nobody stands opposite), its topic, of
    whom, whether it is over in these days, and whether a treatment is asked about, which no cast decides."""

    name: str
    form: str
    party: str
    topic: str
    whose: str
    soon: bool = False
    treats: bool = False

    @property
    def is_advised(self) -> bool:
        """Whether it is asked what to do."""
        return self.form in _ADVISED


class _MatterRow(NamedTuple):
    name: str
    labels: tuple[str, ...]
    topics: tuple[str, ...]
    form: str
    party: str
    words: Wording | None

    def holds(self, label: str | None, topic: str, text: Heard | None, advised: bool) -> bool:
        if self.labels == ("*",) and topic == HEALTH:
            return False  # of an illness it is told how strength stands, and not whether it "works out"
        if self.labels != ("*",) and label not in self.labels and topic not in self.topics:
            return False
        if self.form in _ADVISED and not advised:
            return False
        return self.words is None or (text is not None and self.words.fits(text))


@lru_cache(maxsize=512)
def matter_of(question: str | None, question_type: str | None) -> Matter:
    """The matter of a question of a kind; of a kind alone, how it goes.

    The first clause that asks is answered, whatever else is asked beside it.

    >>> matter_of("他还爱我吗，要不要去找他", "感情")
    Matter(name='heart', form='event', party='other', topic='love', whose='he', soon=False, treats=False)
    >>> [matter_of(*each).name for each in (("我该不该离职", "事业"), ("签证会过吗", "文书"), (None, "财运"), (None, None))]
    ['quit', 'visa', 'money', 'any']
    """
    label = label_of(question_type)
    topic = topic_of(label) if label else ""
    question = in_plain_words(question) if question else question
    text = heard(question) if question else None
    asks = _asks(question) if question else []
    treats = text is not None and _treats(label, topic, text, [each for each, _ in asks])
    # Of what is lost "where should I look" asks for the place, and of a treatment the cast tells how strength stands.
    can_advise = not treats and topic not in (LOST, HEALTH)
    if topic not in (LOST, HEALTH) and names(question, CHOOSE):
        # Between two that are alike no cast chooses: it is told how the matter goes as a whole.
        found = next(row for row in _rows() if row.form == EVEN and row.holds(label, topic, None, False))
    else:
        # Of the treatment of a pregnancy it is not told whether it works out.
        is_hope = treats and label == PREGNANCY
        first = None if is_hope else _first(label, topic, asks, can_advise)
        is_weighed = len(asks) == 1 and courses(question) == TWO
        found = first or _whole(label, topic, asks[0][0] if is_weighed else text, asks, can_advise)
    if found.name == _PET_FOUND and label == LOST_THING and question and thing_lost(question) not in _ANIMALS:
        found = next(row for row in _rows() if row.name == _THING_FOUND)
    if found.name == _DEBT and text is not None and _fits(_OWING, text):
        found = next(row for row in _rows() if row.name == _OWING)
    whose = next((name for name in (_SHE, _HE) if text is not None and _fits(name, text)), "they")
    is_soon = any(row.holds(label, topic, text, True) for row in _rows() if row.name == _SOON)
    return Matter(found.name, found.form, found.party, topic, whose, is_soon, treats)


def _asks(question: str) -> list[tuple[Heard, bool]]:
    """The clauses that ask, each with whether it asks what to do; of two courses that are weighed the first stands for the
    clause."""
    found = []
    for clause in asking(question)[:_MOST_PARTS]:
        first = first_course(clause)
        text = heard(first or clause)
        found.append((text, bool(first) or _fits(_ASK, text)))
    return found


def first_course(clause: str) -> str:
    """The first of two courses that a clause weighs; nothing where it weighs none.

    >>> first_course("租房还是买房"), first_course("租不租房")
    ('租房', '')
    """
    parts = _at_or(clause)
    return parts[0] if len(parts) > 1 and _weighs(parts) == TWO else ""


def _first(
    label: str | None, topic: str, asks: Sequence[tuple[Heard, bool]], can_advise: bool
) -> _MatterRow | None:
    """The row of the first clause that asks in words of a row; whoever asks whether it comes about before what to do is
    answered by the row of the kind, where no words name it."""
    worded = [row for row in _rows() if row.form and row.words]
    for at, (each, advised) in enumerate(asks):
        found = next((row for row in worded if row.holds(label, topic, each, can_advise and advised)), None)
        if found is None and not at and not advised and any(late for _, late in asks[1:]):
            found = _of_kind(label)
        if found is not None:
            return found
    return None


def _of_kind(label: str | None) -> _MatterRow | None:
    """The row of a kind that comes about or not, whatever words ask of it."""
    rows_ = (row for row in _rows() if row.form == EVENT and row.words is None)
    return next((row for row in rows_ if label in row.labels), None)


def _whole(
    label: str | None, topic: str, text: Heard | None, asks: Sequence[tuple[Heard, bool]], can_advise: bool
) -> _MatterRow:
    """The row of the question as a whole, or of its kind where its words name nothing."""
    is_advised = can_advise and any(advised for _, advised in asks)
    return next(row for row in _rows() if row.form and row.holds(label, topic, text, is_advised))


def _treats(label: str | None, topic: str, text: Heard, asks: Sequence[Heard]) -> bool:
    """Whether it is asked if, how or where to treat somebody, or how an operation goes."""
    if topic == HEALTH:
        return _fits(OPERATION, text) or any(_fits(name, each) for each in asks for name in (_ASK, _TREAT))
    if label == PREGNANCY:
        return any(_fits(_TREAT, each) for each in asks)
    return label == PET and _fits(_TREAT, text) and any(_fits(_ASK, each) for each in asks)


def _fits(name: str, text: Heard) -> bool:
    return any(row.words.fits(text) for row in _rows() if row.name == name and row.words)


@cache
def _rows() -> tuple[_MatterRow, ...]:
    return tuple(
        _MatterRow(
            row["matter"], tuple(row["labels"].split()), tuple(row["topics"].split()), row["form"], row["party"],
            wording(row["zh"], row["en"]) if row["zh"] or row["en"] else None,
        )
        for row in rows("liuyao/matters")
    )  # fmt: skip


# Matters of two persons that have one line: where two are asked in two clauses, the answer to one is that to the other.
_TWINS = ("contact", "heart", "back", "wed", "lasting", "meet")
_PARTS = re.compile(r"[，,。？?；;！!]|还有|還有|以及|\band\b")


@lru_cache(maxsize=512)
def beside(question: str | None, question_type: str | None) -> str:
    """The matter of another clause that the same line answers; nothing where there is none. Whoever asks what to do and
    whether it comes about asks twice of one line.

    >>> beside("他还想我吗，我们能复合吗", "感情"), beside("我们能复合吗", "感情"), beside("借不借二十万；会不会还", "财运")
    ('back', '', 'debt')
    """
    main = matter_of(question, question_type)
    if question is None or not (main.name in _TWINS or main.is_advised):
        return ""
    label = label_of(question_type)
    topic, parts = (
        topic_of(label) if label else "",
        [heard(each) for each in _PARTS.split(question) if each.strip()],
    )
    asks = [text for text, _ in _asks(question)] if main.is_advised else parts[1:]
    for part in [each for each in asks[:_MOST_PARTS] if not _fits(_ASK, each)]:
        held = _first(label, topic, [(part, False)], False)
        is_twin = held is not None and (main.is_advised or held.name in _TWINS)
        if held is not None and is_twin and held.labels != ("*",) and held.name != main.name:
            return held.name
    return ""


@lru_cache(maxsize=512)
def second(question: str | None, question_type: str | None) -> str:
    """The matter of a clause that asks what to do beside what is asked first, or `fallback` where it asks of something else
    in its place; nothing where there is none, or what is asked first is what to do.

    >>> second("心里有没有我；要不要主动问", "感情"), second("国企要不要我；不要就去私企行不行", "求职")
    ('act', 'fallback')
    >>> second("Is my boss about to fire me? Should I jump ship?", "事业"), second("该不该离职", "事业")
    ('elsewhere', '')
    """
    main = matter_of(question, question_type)
    if question is None or main.topic in (LOST, HEALTH, LAW) or main.treats or names(question, CHOOSE):
        return ""
    label, asks = label_of(question_type), _asks(question)
    if any(_fits(FALLBACK, text) for text, _ in asks[1:]):
        return FALLBACK
    if main.is_advised or len(asks) < 2:
        return ""
    for text, advised in asks:
        step = next((name for name in _STEPS if _fits(name, text)), "")
        if advised:
            found = _first(label, main.topic, [(text, True)], True)
            return step or (found.name if found is not None and found.form in _ADVISED else _ACT)
    return ""


@lru_cache(maxsize=512)
def horizon_for(question: str | None, question_type: str | None) -> str | None:
    """The horizon of a kind of question; that of a lease is no longer than a year.

    >>> horizon_for("房子什么时候卖得掉", "房产"), horizon_for("房东会不会续租", "房产"), horizon_for(None, None)
    ('far', 'middle', None)
    """
    named = horizon_named(question_type)
    return MIDDLE if named == FAR and names(question, LEASE) else named


_EITHER = re.compile(r"还是|還是|定系|定係|\bor\b")


def _at_or(clause: str) -> list[str]:
    """What stands on both sides of every "or" of a clause."""
    return [part.strip() for part in _EITHER.split(clause)]


def _weighs(parts: Sequence[str]) -> str:
    """What is weighed between the sides of an "or": two courses, one against leaving things as they are, or nothing."""
    texts = [heard(part) for part in parts]
    if not all(parts) or any(_fits(_NO_COURSE, text) for text in texts):
        return ""
    if any(_fits(_STAYS, text) for text in texts):
        return STAY
    return TWO if _fits(_COURSE, texts[0]) else ""


@lru_cache(maxsize=512)
def courses(question: str | None) -> str:
    """Whether a question weighs two courses of its own (`two`), or one against leaving things as they are (`stay`); nothing
    where it weighs none. Of two courses the first that is named is the one that a cast is for (一事一占).

    >>> [courses(each) for each in ("接A公司还是B公司", "Should I stay or move to Porto?", "他会回来还是不回来")]
    ['two', 'stay', '']
    >>> courses("去还是不去"), courses("上半年买还是下半年买")
    ('', '')
    """
    apart = [_at_or(clause) for clause in asking(question)[:_MOST_PARTS]] if question else []
    return next((found for parts in apart if len(parts) > 1 and (found := _weighs(parts))), "")


@lru_cache(maxsize=512)
def option(question: str | None, question_type: str | None) -> str:
    """The matter that stands behind an "or" in a clause that asks, where it is another than the one that is answered;
    nothing where there is none.

    >>> option("房东涨租，续租还是搬", "房产"), option("要不要续租", "房产")
    ('relocate', '')
    """
    if question is None:
        return ""
    label, first = label_of(question_type), matter_of(question, question_type).name
    topic = topic_of(label) if label else ""
    for clause in asking(question)[:_MOST_PARTS]:
        for part in _EITHER.split(clause)[1:]:
            text = heard(part)
            rows_ = (row for row in _rows() if row.form and row.words and row.labels != ("*",))
            found = next((row.name for row in rows_ if row.holds(label, topic, text, True)), first)
            if found != first:
                return found
    return ""


@lru_cache(maxsize=512)
def unjudged(question: str | None, question_type: str | None = None) -> str:
    """What a question of a kind is of on which a cast judges nothing: whether somebody is with child, what an illness is,
    how an operation goes, what a court imposes, fraud, chance or the choice of a name; "" for any other.

    >>> unjudged("今期六合彩买哪几个号码"), unjudged("Should we call her Emma or Olivia?"), unjudged("货卖得掉吗")
    ('chance', 'naming', '')
    >>> unjudged("Am I pregnant?"), unjudged("肺上的结节会不会是癌", "疾病"), unjudged("我弟会不会坐牢")
    ('pregnant', 'diagnosis', 'sentence')
    """
    read = intent(question) if question else None
    if read is None:
        return ""
    label = label_of(question_type)
    of_health = label is not None and topic_of(label) == HEALTH
    is_medical = of_health or label == PET or "medical" in read.classes
    # What is told before a treatment is asked about is known already.
    where_it_asks = matter_of(question, question_type).treats
    told = {
        PREGNANT: names(question, PREGNANT),
        OPERATION: is_medical and label != PET and names(question, OPERATION, where_it_asks=not of_health),
        DIAGNOSIS: is_medical and names(question, DIAGNOSIS, where_it_asks=where_it_asks),
        SENTENCE: names(question, SENTENCE, where_it_asks=True),
    }
    found = next((name for name, holds in told.items() if holds), "")
    # Where something is asked besides of somebody whose name is, that is judged.
    is_aside = read.matter == "named" and len(asking(question or "")) > 1
    return found or ("fraud" if FRAUD in read.marks else "" if is_aside else _UNJUDGED.get(read.matter, ""))


def names(question: str | None, what: str, where_it_asks: bool = False) -> bool:
    """Whether a question names a limit, a place or a circumstance that has a row of its own, as `year_end`, `in_house`;
    anywhere, or in the clauses that ask.

    >>> names("年底前会还吗", "year_end"), names("I lost it somewhere in the house", "in_house"), names(None, "in_house")
    (True, True, False)
    >>> names("下个月要做手术，房子卖得掉吗", "operation", where_it_asks=True)
    False
    """
    if question is None:
        return False
    texts = asking(question)[:_MOST_PARTS] if where_it_asks else [question]
    return any(_fits(what, heard(text)) for text in texts)


@lru_cache(maxsize=512)
def asks_when(question: str | None) -> bool:
    """Whether a question asks for a time, alone or beside what else it asks.

    >>> [asks_when(each) for each in ("会还吗？什么时候还", "Will they pay, and when?", "Will they pay?", None)]
    [True, True, False, False]
    """
    return question is not None and _fits(_WHEN, heard(question))


@lru_cache(maxsize=512)
def standing_of(question: str | None) -> str:
    """Whether a question says that an illness is recent (`near`) or of long standing (`long`); nothing for neither.

    >>> [standing_of(each) for each in ("我的感冒什么时候好", "媽媽的老毛病會好嗎", "Will my mother get well soon?")]
    ['near', 'long', '']
    """
    text = heard(question) if question else None
    if text is None:
        return ""
    return next((name for name in (LONG, NEAR) if _standings()[name].fits(text)), "")


@cache
def _standings() -> dict[str, Wording]:
    return {row["mark"]: wording(row["zh"], row["en"]) for row in rows("liuyao/illness") if row["zh"]}


@cache
def illness_marks() -> tuple[str, ...]:
    """The marks that say of an illness how it goes by how long it has lasted.

    >>> illness_marks()
    ('旬空', '日冲', '六冲')
    """
    return tuple(row["mark"] for row in rows("liuyao/illness") if not row["zh"])
