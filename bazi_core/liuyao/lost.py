"""What is lost, by the words of a question: the thing itself, and neither the place nor whoever gave it.

In Chinese a thing stands before what befell it, in English behind it ("lost my ring") or before it ("the ring is gone").
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bazi_core.questions.heard import heard, wording
from bazi_core.tables import rows

if TYPE_CHECKING:
    from bazi_core.questions.heard import Wording

LOST_THING = "失物"
# Where, on what ride and beside what it was lost.
_PLACES = wording(
    "(?:[掉落丢忘留放漏搁掏]|遗落|遗失|不见)?[在到]了?.{1,8}?(?:[上里中内下]|车|站|店|家|公司|学校|宾馆|酒店)"
    "|(?:家|屋|车|箱|柜|袋|房间|卧室|宿舍|办公室|抽屉)[里上内中]"
    "|(?:打|坐|乘|下|上|开|搭|骑|停|洗|倒|等|赶)了?车|(?:出租|公交|火|网约|顺风|大巴|班|(?<!电)动)车"
    "|(?:遛|喂|带|抱|逗|牵|给|陪)着?(?:猫|狗)|(?:猫|狗)(?:窝|粮|砂|盆|笼|绳)",
    "(?:in|inside|into|on|onto|at|from|under|behind|near|outside|off|by) (?:(?:the|a|an|my|our|his|her|their|some) )?"
    "(?:back of (?:the|a|my) )?[a-z'-]+|(?:walk|feed|park|driv|wash|rid|play)(?:ing|ed) (?:with )?(?:the|a|my|our) [a-z]+"
    "|(?:dog|cat|pet)'?s? (?:walk(?:er|ing)?|park|food|bed|sitter|show|basket)|car park|book ?shop|bookstore",
)
_BEFALLS = re.compile("丢|不见|不翼而飞|弄没|掉|落|遗|忘|失|没了|偷|拿走|[走跑]|找|寻")
_LOSES = re.compile(
    r"(?<![a-z])(?:lost|lose|losing|left|dropped|misplaced|took|stole|nicked|pinched|find|found|seen)(?![a-z])"
)


def thing_lost(question: str) -> str:
    """The relative that stands for what is lost; "" where no row of things names it.

    >>> [thing_lost(each) for each in ("金镯子掉在出租车上了", "钱包里的身份证丢了", "遛狗的时候把钥匙弄丢了", "猫跑丢了")]
    ['妻财', '父母', '妻财', '子孙']
    >>> thing_lost("I dropped my bracelet walking the dog"), thing_lost("My passport is gone, I left it in the car")
    ('妻财', '父母')
    """
    text = heard(question).without(_PLACES)
    befalls, loses = _BEFALLS.search(text.signs), _LOSES.search(text.plain)
    of_signs = sorted(
        (match.start(), target)
        for target, words in _things()
        for match in (words.signs.finditer(text.signs) if words.signs else ())
    )
    of_words = sorted(
        (match.start(), target)
        for target, words in _things()
        for match in (words.words.finditer(text.plain) if words.words else ())
    )
    if of_signs:
        at = befalls.start() if befalls else len(text.signs)
        return next((target for start, target in reversed(of_signs) if start < at), of_signs[0][1])
    at = loses.start() if loses else 0
    return next((target for start, target in of_words if start >= at), of_words[-1][1] if of_words else "")


@cache
def _things() -> tuple[tuple[str, Wording], ...]:
    """The words of `asked.csv` for things, each with the relative that stands for them."""
    return tuple(
        (row["target"], wording(row["zh"], row["en"]))
        for row in rows("liuyao/asked")
        if row["label"] == LOST_THING and row["target"] and (row["zh"] or row["en"])
    )
