"""The analysis beside the strict object: marks of the hexagrams, facts of the lines, 用神, 应期 and sign, with evidence.

Keys are camelCase and values Chinese, as in the strict object. Facts are made on demand in Python and always present
in JSON.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from bazi_core.birth import gender_of
from bazi_core.errors import InvalidInput, UnknownOption, known, shown
from bazi_core.facts import Fact, collect
from bazi_core.liuyao import marks
from bazi_core.liuyao.asked import kin_heard, relative_named, taken
from bazi_core.liuyao.calendar import CIVIL, USED, calendar, warnings_of_cast
from bazi_core.liuyao.chart import LiuyaoValue
from bazi_core.liuyao.hexagrams import HANZI, hexagram_of
from bazi_core.liuyao.sign import SignLevel
from bazi_core.liuyao.timing import TimingTrigger
from bazi_core.liuyao.value import AnalysisValue
from bazi_core.liuyao.yongshen import YongShen, kin, label_of, open_to_asker, type_named
from bazi_core.tables.cast_words import word
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import LANGUAGES, message
from bazi_core.version import __version__
from bazi_core.warnings import BaziWarning

if TYPE_CHECKING:
    from bazi_core.liuyao.policy import LiuyaoPolicy
    from bazi_core.questions.question import Question
    from bazi_core.school import School

SCHEMA_VERSION = "1.1.0"


class KindWarning(BaziWarning):
    """A warning that names a kind of question, which a sentence says in its own language."""

    def text(self, lang: str = "zh-Hans") -> str:
        """The warning in a sentence."""
        kind = label_of(self.data["questionType"])
        named = self.data if kind is None else {"questionType": word(kind, lang)}
        return message(self.code, named, lang)


class Analysis(AnalysisValue):
    """The analysis of a board for a question.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("878977", "2026-04-03T20:30:00+08:00").analyze("事业")
    >>> found.chart.primary.full_name, found.subject.text, found.sign.level
    ('天水讼', '己亥', '中下签')
    """

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every fact by its evidence id."""
        from bazi_core.liuyao.evidence import analysis_facts

        return collect(analysis_facts(self))

    @cached_property
    def warnings(self) -> tuple[BaziWarning, ...]:
        found = warnings_of_cast(self.chart.moment, self.chart.school) if self.chart.moment else ()
        code = self.yongshen.warning
        return (*found, KindWarning(code, {"questionType": shown(self.question_type)})) if code else found

    def explain(self, fact_id: str, lang: str = "zh-Hans") -> str:
        """A fact with its rule, source and basis."""
        from bazi_core.render.explain import fact_text

        return fact_text(shown(fact_id, 120), self.facts, lang)

    def to_dict(self, facts: bool = True, lang: str = "zh-Hans") -> dict[str, Any]:
        """The `analysis` object, JSON-ready; `lang` is that of the warnings."""
        known("lang", lang, LANGUAGES)
        chart = self.chart
        members: dict[str, Any] = {
            "schemaVersion": SCHEMA_VERSION,
            "engineVersion": __version__,
            "policies": _policies(chart.policy, chart.school).copy(),
            "calendar": calendar(chart.moment, chart.school) if chart.moment else None,
            **_of_hexagrams(chart.primary.code, chart.target.code),
            "movingPositions": list(chart.moving),
            "duFa": len(chart.moving) == 1,
            "duJing": len(chart.moving) == 5,
            "lines": [line.to_dict() for line in self.lines],
            "hidden": [each.to_dict() for each in self.hidden],
            "sanHe": [trine.to_dict() for trine in self.trines],
            "xing": [*self.punishments],
            "stars": [star.to_dict() for star in self.stars],
            "yongShen": self.yongshen.to_dict() | self._from_words(),
            "horizon": self.horizon.to_dict(),
            "timing": [each.to_dict() | {"dates": self._dates_of(each)} for each in self.timing],
            "sign": None if self.sign is None or self.ungraded else self.sign.to_dict(),
            "facts": {name: _written(fact) for name, fact in self.facts.items()} if facts else {},
            "cast": chart.cast.to_dict() if chart.cast is not None else None,
            "warnings": [warning.to_dict(lang) for warning in self.warnings],
        }
        for name in _OF_THEIR_OWN:
            members[name] = members[name].copy()
        if not facts:
            del members["facts"]
        return members

    def _from_words(self) -> dict[str, Any]:
        """Members on the kind taken from the words of the question; empty where the kind was stated."""
        return {} if self.taken is None else {"fromQuestion": True, "alsoAsked": [*self.taken.beside]}

    def _dates_of(self, when: TimingTrigger) -> list[dict[str, Any]]:
        return [date.to_dict() for date in self.dates(when)]


# Members that every answer has of its own, so that changing one changes no other.
_OF_THEIR_OWN = ("tags", "targetTags", "fanYinFuYin", "guaShenLines")


@lru_cache(maxsize=1 << 12)
def _of_hexagrams(code: int, changed_code: int) -> dict[str, Any]:
    """Members of primary and target, from the palace to 世身 (cached; there are 4,096 pairs)."""
    primary, target = hexagram_of(code), hexagram_of(changed_code)
    return {
        "palace": primary.palace,
        "palaceElement": HANZI[primary.element],
        "generation": primary.generation,
        "tags": list(primary.tags),
        "targetPalace": target.palace,
        "targetGeneration": target.generation,
        "targetTags": list(target.tags),
        "transition": marks.transition(primary, target),
        "fanYinFuYin": marks.fan_fu(primary, target),
        "guaFanYin": marks.gua_fan_yin(primary, target),
        "guaBian": marks.gua_bian(primary, target),
        "guaShen": HANZI[primary.gua_shen],
        "guaShenLines": [*primary.gua_shen_lines],
        "shiShen": primary.shi_shen,
    }


def _written(fact: Fact) -> dict[str, Any]:
    members = fact.to_dict()
    return members | {"value": [*fact.value]} if isinstance(fact.value, tuple) else members


@lru_cache(maxsize=64)
def _policies(policy: LiuyaoPolicy, school: School) -> dict[str, Any]:
    """The policy and the options of the School that act on a cast; the clock and the year are always civil time and
    立春."""
    return policy.to_dict() | {name: getattr(school, name) for name in USED} | CIVIL


def analyze(
    chart: LiuyaoValue, question_type: str | None = None, asker: str | None = None, kinship: str | None = None,
    horizon: str | None = None, question: str | Question | None = None,
) -> Analysis:  # fmt: skip
    """The analysis of a board for a question, with asker, kinship and horizon where they matter.

    The question in words decides: of death, lifespan and survival no sign is given; where no kind is stated, its kind is
    taken from its words; and where it names a relative whose own matter it is, that one is asked about, unless `kinship`
    says who.
    """
    if not isinstance(chart, LiuyaoValue):
        raise InvalidInput(
            Said("cast_chart", given=shown(chart)[:40]), hint=Said("cast_chart_hint"), given=shown(chart)[:40]
        )
    if asker is not None:
        with suppress(UnknownOption):
            asker = gender_of(asker)
    if kinship is not None:
        kinship = kin(kinship)["kinship"]
    stated = (
        question if question is None or isinstance(question, str) else getattr(question, "text", question)
    )
    if stated is not None and not isinstance(stated, str):
        raise InvalidInput(Said("question_text", given=shown(question)[:40]), path="question")
    question_type = type_named(question_type)
    from_words = taken(stated) if question_type is None else None
    if from_words is not None:
        question_type = from_words.label
    label = label_of(question_type)
    if kinship is None and (asker is None or not open_to_asker(label)):
        kinship = kin_heard(stated, label)
    named = relative_named(stated, label, from_words is not None)
    return Analysis(chart, question_type, asker, kinship, horizon, stated, from_words, named)


def yongshen_of(
    chart: LiuyaoValue, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> YongShen:
    """The 用神 of a question on a board.

    >>> from bazi_core import liuyao as ly
    >>> [each.text for each in ly.yongshen(ly.derive("789876", "2026-04-03T20:30:00+08:00"), "事业").candidates]
    ['戊戌', '己丑']
    """
    return analyze(chart, question_type, asker, kinship).yongshen


def timing_of(
    chart: LiuyaoValue, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> tuple[TimingTrigger, ...]:
    """应期 of a question on a board; without one, of 世."""
    return analyze(chart, question_type, asker, kinship).timing


def sign_of(
    chart: LiuyaoValue, question_type: str | None = None, asker: str | None = None, kinship: str | None = None
) -> SignLevel | None:
    """The sign of a question on a board; without one, of 世; None where the question is one of life and death."""
    return analyze(chart, question_type, asker, kinship).sign
