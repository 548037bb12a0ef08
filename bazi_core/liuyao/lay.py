"""A question without the terms of the board that a practitioner writes beside it, which are not what it asks about.

官鬼, 妻财 and the like name lines in 「官鬼申金动化进神」; the same words for parents, siblings and descendants are those of
every day, unless what follows can be said of a line alone. Whom 「女占夫」 is cast for stands in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bazi_core.questions.heard import in_simplified_signs

_BRANCH = "[子丑寅卯辰巳午未申酉戌亥]"
# What can be said of a line and of nobody.
_OF_LINE = (
    f"爻|持世|临[日月世应]|发动|动(?=[化而变，,。]|$)|化(?=[进退空破墓绝回]|{_BRANCH})|伏(?=[藏于在])|旺相|休囚|月破|两现|独发"
    f"|空(?=[亡，,。]|$)|{_BRANCH}[金木水火土]"
)
_TERMS = re.compile(
    f"(?:妻财|官鬼|(?:父母|兄弟|子孙)(?={_OF_LINE}))爻?(?:{_BRANCH}[金木水火土]?)?(?:持世)?(?:动?化[进退]神)?"
)
# Whom a cast is for, by the word behind 占 as books write it.
_CAST_FOR = re.compile("(?<![霸侵抢独])占(夫|妻|父母|父|母|子女|子|女(?!友)|兄|弟|姐|妹)(?!妻)")
_KIN = {
    "夫": "husband", "妻": "wife", "父母": "parent", "父": "father", "母": "mother", "子女": "child", "子": "son",
    "女": "daughter", "兄": "brother", "弟": "brother", "姐": "sister", "妹": "sister",
}  # fmt: skip


@lru_cache(maxsize=512)
def without_terms(question: str) -> str:
    """A question without the names of lines.

    >>> without_terms("女占夫有无外情，官鬼申金动化进神，妻财持世"), without_terms("父母动手术顺利吗")
    ('女占夫有无外情，，', '父母动手术顺利吗')
    """
    plain = in_simplified_signs(question)
    return _TERMS.sub("", plain) if _TERMS.search(plain) else question


def cast_for(question: str) -> str | None:
    """The kinship of the one for whom a cast is made, where it is written behind 占; None where it is not.

    >>> cast_for("女占夫有无外情"), cast_for("代占父病"), cast_for("占夫妻感情"), cast_for("他会回来吗")
    ('husband', 'father', None, None)
    """
    found = _CAST_FOR.search(in_simplified_signs(question))
    return _KIN[found[1]] if found else None
