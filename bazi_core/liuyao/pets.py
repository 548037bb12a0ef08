"""An animal that a question calls by its name is heard as the animal that it is, by rows of data (`pets.csv`).

A name alone tells nobody whether it is a child's or a cat's: it is an animal's where hardly anybody else bears it, or beside
a word that is said of animals alone. Any other name is left as it is.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from bazi_core.liuyao.lay import without_terms
from bazi_core.questions.heard import Wording, heard, in_simplified_signs, wording
from bazi_core.tables import rows

_NAME, _PROPER, _KEPT = "name", "proper", "kept"
_IS_NAMED = wording("猫|狗|宠物", "dogs?|cats?|pets?|puppy|kitten|rabbit|hamster|parrot")
# A word with a capital letter that is none of those with which a question begins, nor one of the calendar.
_PROPER_NAME = re.compile(
    r"\b(?:[Mm]y |[Oo]ur )?(?!(?:Will|Would|Should|Shall|Can|Could|Is|Are|Am|Was|Do|Does|Did|Has|Have|Had|What|When|Where"
    r"|Why|How|Who|Which|If|The|This|That|My|Our|His|Her|Their|And|But|After|Since|It|He|She|We|They|You|Yesterday|Today"
    r"|[A-Z][a-z]{2,7}day|January|February|March|April|May|June|July|August|September|October|November|December)\b)"
    r"[A-Z][a-z]{1,12}\b"
)


@lru_cache(maxsize=512)
def in_plain_words(question: str) -> str:
    """A question without the names of lines, in which an animal that is called by its name is one.

    >>> in_plain_words("我家旺财两天没吃东西了"), in_plain_words("Our Mimi has not come home since Friday")
    ('我家宠物两天没吃东西了', 'our pet has not come home since Friday')
    >>> in_plain_words("Will Max be okay after being neutered?"), in_plain_words("Will Max call me?")
    ('Will our pet be okay after being neutered?', 'Will Max call me?')
    """
    plain = without_terms(question)
    text = heard(plain)
    if _IS_NAMED.fits(text):
        return plain
    hans, signs = in_simplified_signs(plain), _words(_NAME).signs
    assert signs is not None
    if named := signs.search(hans):
        home = "我家" if named[0].startswith("我家") else ""
        return plain[: named.start()] + home + "宠物" + plain[named.end() :]
    for pattern in _named():
        if pattern.search(plain):
            return pattern.sub("our pet", plain, count=1)
    if not _words(_KEPT).fits(text):
        return plain
    if plain.isascii():
        return _PROPER_NAME.sub("our pet", plain, count=1)
    return f"宠物{plain}"


@cache
def _words(kind: str) -> Wording:
    row = next(row for row in rows("liuyao/pets") if row["kind"] == kind)
    return wording(row["zh"], row["en"])


@cache
def _named() -> tuple[re.Pattern[str], ...]:
    """The English names, in any letters and with a capital one."""
    own = {row["kind"]: row["en"] for row in rows("liuyao/pets")}
    return (
        re.compile(rf"\b(?:my |our )?(?:{own[_NAME]})\b", re.IGNORECASE),
        re.compile(rf"\b(?:[Mm]y |[Oo]ur )?(?:{own[_PROPER]})\b"),
    )
