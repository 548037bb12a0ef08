"""The kind of a question in words, where none is stated, and the person it concerns, by rows of data.

The words stand in `asked.csv`; which line stands for a kind is the doctrine of `question_types.csv`. A kind that is stated
always wins. One cast answers one question (一事一占): of two matters the first is taken, and the other is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bazi_core.liuyao.lay import cast_for
from bazi_core.liuyao.lost import LOST_THING, thing_lost
from bazi_core.liuyao.matters import first_course
from bazi_core.liuyao.pets import in_plain_words
from bazi_core.liuyao.yongshen import kinships, question_types, topic_of
from bazi_core.questions.heard import Heard, Wording, heard, wording
from bazi_core.questions.intent import GIBBERISH, Intent, asking, intent
from bazi_core.tables import rows

OUT_OF_SCOPE, SELF, PET = "out_of_scope", "self", "宠物"
PERSON, LOVE, HEALTH, LOST, LAW = "person", "love", "health", "lost", "law"
# What somebody has done for which he answers to a court.
_DEED = wording(
    "撞(?:了|到|伤|死|人)|追尾|肇事|酒驾|醉驾|打(?:了人|伤|架)|伤了人|被抓|被捕|被拘|被带走|犯了|偷了|诈骗",
    "hit|crashed|ran over|knocked|rear-ended|drove into|got (?:arrested|caught|charged)|arrested|charged|assaulted"
    "|punched|stole",
)
# Words that join two matters in one clause.
_JOINED = re.compile(
    r"(?<![调缓温平讲])和(?!解|好|谈|平|气|睦|局|议)|跟|与|與|及|还有|還有|顺便|順便|同时|同時|、|&"
    r"|\band\b|\bplus\b|\bas well as\b"
)
_CLAUSES = re.compile(r"[，,。.？?；;！!：:\n]+")
# A partner of somebody else.
_OF_ANOTHER = wording(
    "[他她](?:的)?(?:老婆|媳妇|太太|妻子|老公|丈夫)",
    "(?:his|her|their) (?:wife|husband|girlfriend|boyfriend|partner)",
)
_MYSELF = wording("我(?!们)", "i|my|me|myself")
# An animal as the person of a question.
_ANIMAL = "pet"
# Whether something is in a place.
_WHERE = wording(
    "(?:还|是不是|会不会)在.{1,8}(?:吗|么|里|上|$)|在不在|在哪",
    "(?:is|are) (?:it|they|he|she) (?:still |somewhere |maybe )?(?:in|at|inside|outside|under|behind|on)"
    "|where (?:is|are|did)",
)
# Who suffers from an animal is no animal.
_FROM_ANIMAL = wording(
    "被.{0,6}(?:猫|狗)|(?:猫|狗)(?:咬|抓)|过敏",
    "(?:bit|bitten|scratched|attacked|bites?) (?:by|me|him|her|my)|allerg[a-z]+",
)
# The lines of a wife and a husband.
_PARTNERS = ("妻财", "官鬼")
# What is sold or bought has the line of what it is, where that is told before.
_TRADE, _GOODS = "生意", ("房产", "车辆")
# Before the name of somebody who is sued.
_SUED = re.compile(
    r"(?:告|起诉|状告|控告|仲裁)(?:我|自己|的)*$|(?<![a-z])(?:sue|suing|against|take|taking|taken) (?:my )?$"
)
_SOLD = wording("卖|出手|脱手|转手|出售|买", "sell|sold|sale|buy|bought")
# Whose a matter of love is that is the asker's own.
_OWN = (SELF, "spouse", "partner")
# A question has 500 characters; at most this many parts of a list of matters are examined.
_MOST_PARTS = 12


class Taken(NamedTuple):
    """A kind of question taken from the words of a question, and the other kinds in the same question.

    >>> taken("丢的手机找得回来吗"), taken("Will I get the job, and how is my love life?").beside
    (Taken(label='失物', beside=()), ('感情',))
    """

    label: str
    beside: tuple[str, ...]


def taken(question: str | None) -> Taken | None:
    """The kind of question of some words; None without words or without a known kind.

    >>> taken("asdf qwer") is None, taken("他会回来找我吗").label, taken("明年运气如何").label
    (True, '行人', '其他')
    """
    if not question:
        return None
    question = in_plain_words(question)
    intent_read = intent(question)
    if GIBBERISH in intent_read.classes:
        return None
    asks = asking(question)
    matters = _matters(asks, intent_read)
    if matters[1:]:
        return Taken(matters[0], matters[1:])
    label = _first_kind(question, asks, intent_read)
    if label is None and OUT_OF_SCOPE in intent_read.classes:
        return None
    return Taken(label or next(row.label for row in _rows() if row.domain == intent_read.domain), ())


def relative_named(question: str | None, label: str | None, stands_in: bool) -> str | None:
    """The one relative, among those of a kind, that the words of a question name; with `stands_in` also the one assumed
    where they name none.

    >>> relative_named("我家的猫走丢了", "失物", False), relative_named("东西丢了", "失物", False)
    ('子孙', None)
    >>> relative_named("戒指丢了", "失物", True), relative_named("我们能复合吗", "感情", True)
    ('妻财', '应')
    """
    candidates = [row for row in _rows() if row.label == label and row.target]
    if not question or not candidates:
        return None
    if label == LOST_THING:
        thing = thing_lost(in_plain_words(question))
        return thing or next((row.target for row in candidates if not row.words and stands_in), None)
    whole = heard(in_plain_words(question))
    return next(
        (row.target for row in candidates if (row.words.fits(whole) if row.words else stands_in)), None
    )


def kin_heard(question: str | None, question_type: str | None = None) -> str | None:
    """The kinship of the relative whose own matter a question asks about; None for the asker's own, and for a kind of
    question in which a thing is asked for.

    Where a person is waited or looked for, that is the person named; in marriage and love a partner whose name says which
    line stands for him or her.

    >>> kin_heard("我妈的病什么时候好"), kin_heard("儿子考试能过吗", "考试"), kin_heard("和老公的感情如何", "感情")
    ('mother', 'son', 'husband')
    >>> kin_heard("老公什么时候回来", "行人"), kin_heard("和老公做生意如何", "生意")
    ('husband', None)
    """
    row = question_types().get(question_type) if isinstance(question_type, str) else None
    if not question or (row is not None and not row["kin"]):
        return None
    question = in_plain_words(question)
    if (stated := cast_for(question)) is not None:
        return stated if row is None or not row["man"] or kinships()[stated]["target"] in _PARTNERS else None
    asked = intent(question)
    whose = asked.subject if row is not None and row["topic"] in (PERSON, LOVE) else asked.whose
    if row is not None and row["topic"] == HEALTH:
        whose = _ailing(question) or whose
    elif row is not None and row["topic"] == LAW and whose == SELF:
        whose = _blamed(question)
    family = _KIN_OF.get(whose, ())
    if row is not None and row["man"] and _OF_ANOTHER.fits(heard(question)):
        return None
    if row is not None and row["man"]:
        family = tuple(each for each in family if kinships()[each]["target"] in _PARTNERS)
    words = heard(question) if family else None
    named = [each for each in family if words and _kin_names()[each].fits(words)]
    if row is not None and row["topic"] == LAW and words and any(_is_sued(words, each) for each in named):
        return None
    if row is not None and row["man"]:
        # A partner whom the question calls by a word that others are called by as well: 我先生.
        return next(iter(named), asked.mate if asked.whose in _OWN and asked.mate in kinships() else None)
    return next(iter([*named, *family]), None)


def _is_sued(words: Heard, kin: str) -> bool:
    """Whether a relative is the other side in court, who stands on the other line and not on one of the family."""
    return any(_SUED.search(before) for before, _ in _kin_names()[kin].around(words))


def _ailing(question: str) -> str:
    """Of whom the first clause with a word of an illness tells, whatever is asked of it afterwards: a relative, or whoever
    asks; nothing where it names nobody."""
    ills = [row.words for row in _rows() if row.words and row.late == LATE and topic_of(row.label) == HEALTH]
    for clause in _CLAUSES.split(heard(question).plain)[:_MOST_PARTS]:
        text = heard(clause)
        if any(each.fits(text) for each in ills):
            told = intent(clause)
            return SELF if told.whose == SELF and _MYSELF.fits(text) else told.whose.replace(SELF, "")
    return ""


def _blamed(question: str) -> str:
    """Who did what is tried, by the words before the first deed that is told; whoever asks where nobody else is named."""
    before = next((told for told, _ in _DEED.around(heard(question))), "")
    named = _CLAUSES.split(before)[-1]
    return intent(named).subject if named.strip() and intent(named).subject in _KIN_OF else SELF


def expecting(question: str | None) -> str | None:
    """The kinship of her who hopes for a child, where a question names her before what she hopes for.

    >>> [expecting(each) for each in ("女儿能怀孕吗", "Will my wife get pregnant?", "能怀上女儿吗", "能怀上吗")]
    ['daughter', 'wife', None, None]
    """
    if not question:
        return None
    text = heard(question)
    before = Heard(
        (text.plain.partition("pregnan")[0].partition("conceiv")[0],), text.signs.partition("怀")[0]
    )
    return next((mother for mother in _MOTHERS if _kin_names()[mother].fits(before)), None)


_MOTHERS = ("daughter", "wife", "sister", "child_in_law", "girlfriend", "niece", "friend")
# Persons that a named relative may mean, the default first.
_KIN_OF = {
    "child": ("child", "son", "daughter", "grandchild"), "spouse": ("spouse", "wife", "husband"),
    "partner": ("spouse", "girlfriend", "boyfriend"), "parents_in_law": ("parent_in_law",), "grandparent": ("grandparent",),
    "parents": ("parent",), "father": ("father",), "mother": ("mother",),
    "sibling": ("sibling", "brother", "sister", "cousin"), "relative": ("uncle", "aunt", "nephew", "niece"),
}  # fmt: skip


@cache
def _kin_names() -> dict[str, Wording]:
    """The words that name each kinship in a question."""
    return {
        code: wording("|".join(map(re.escape, row["zh-Hans"].split())), row["en"].casefold())
        for code, row in kinships().items()
    }


# When a row of `asked.csv` is tried: after the others, or after all clauses.
LATE, VAGUE = "yes", "vague"


class _AskedRow(NamedTuple):
    """A row of `asked.csv`; `words` is None where it has none."""

    label: str
    target: str
    late: str
    of_other: bool
    domain: str
    words: Wording | None


@cache
def _rows() -> tuple[_AskedRow, ...]:
    return tuple(
        _AskedRow(
            row["label"], row["target"], row["late"], bool(row["about"]), row["domain"],
            wording(row["zh"], row["en"]) if row["zh"] or row["en"] else None,
        )
        for row in rows("liuyao/asked")
    )  # fmt: skip


def _first_kind(question: str, asks: Sequence[str], intent_read: Intent) -> str | None:
    """The kind of the first clause that asks; where it names none, of it with what is told before it, of the next clause
    that asks, and of the whole. Of what is lost the place that is asked about is no matter of its own. Where somebody is
    waited for, love or an animal that is lost comes first, if the question names them, and so does an animal where nobody
    else is ill."""
    told = heard(question).plain.partition(asks[0])[0]
    first = first_course(asks[0])
    texts = [heard(each) for each in (first or asks[0], told + asks[0], *asks[1:_MOST_PARTS], question)]
    kinds = (_kind(each, intent_read) for each in texts)
    label = next(filter(None, kinds), None) or _by_words(texts[0], intent_read, VAGUE)
    if _WHERE.fits(texts[0]) and _by_words(texts[-1], intent_read) == LOST_THING:
        return LOST_THING
    if label == _TRADE and _SOLD.fits(texts[0]) and (goods := _by_words(texts[1], intent_read)) in _GOODS:
        return goods
    if label is not None and topic_of(label) == PERSON:
        other = _by_words(texts[-1], intent_read)
        if other is not None and topic_of(other) in (LOVE, LOST):
            return other
        return LOST_THING if intent_read.subject == _ANIMAL else label
    if label is not None and topic_of(label) == HEALTH and intent_read.subject in (SELF, _ANIMAL):
        is_own = _MYSELF.fits(texts[0]) or _FROM_ANIMAL.fits(texts[-1])
        return PET if _by_words(texts[-1], intent_read) == PET and not is_own else label
    return label


def _kind(text: Heard, intent_read: Intent) -> str | None:
    return _by_words(text, intent_read) or _by_words(text, intent_read, LATE)


def _by_words(text: Heard, intent_read: Intent, late: str = "") -> str | None:
    """The label of the first row with words that a text holds."""
    for row in _rows():
        if row.target or row.words is None or row.late != late:
            continue
        if (intent_read.subject != SELF or not row.of_other) and row.words.fits(text):
            return row.label
    return None


def _matters(asks: Sequence[str], intent_read: Intent) -> tuple[str, ...]:
    """The matters that are joined in a question, each by its first kind; none of a question in one piece."""
    kinds: dict[str, str] = {}
    parts = [part for each in asks for part in _JOINED.split(each) if part.strip()]
    for part in [heard(each) for each in parts[:_MOST_PARTS]] if parts[1:] else ():
        label = _kind(part, intent_read)
        # A person waited for comes to another matter, which the question names.
        if label is not None and topic_of(label) != PERSON:
            kinds.setdefault(topic_of(label), label)
    return tuple(kinds.values())
