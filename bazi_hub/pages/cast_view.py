"""A cast as rows that templates lay out: its board, what is asked of it, its proof, and what was said of it.

The words are those of the printed board (`bazi_core.liuyao.text`). A sentence leads to its facts, a fact to
those from which it follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from bazi_core.errors import InvalidCast
from bazi_core.facts import Fact
from bazi_core.liuyao.analysis import Analysis
from bazi_core.liuyao.cast import CastRecord, verify
from bazi_core.liuyao.dates import Period
from bazi_core.liuyao.divination import spirits_of
from bazi_core.liuyao.hexagrams import mark
from bazi_core.liuyao.lines import names
from bazi_core.liuyao.sign import ground_word
from bazi_core.liuyao.svg import PLACES, drawing
from bazi_core.liuyao.text import candidate_text, hexagram_line, marks_text, state_words
from bazi_core.liuyao.yongshen import question_types
from bazi_core.questions.safety import supporting
from bazi_core.render.phrases import joined, pillars_text, sign_text
from bazi_core.tables.cast_words import glossed, word
from bazi_core.tables.words import label
from bazi_hub.pages.casts import Asked, PageCast, asked, kinds

Pairs = list[tuple[str, str]]
# The values of a line in the order in which the form offers them: young and still first.
VALUES = (7, 8, 9, 6)
# So many dates are told of an answer; further ones stand among the facts.
MOST_DATES = 6


class BoardRow(NamedTuple):
    """A line of the board in words, line 6 first."""

    place: str
    spirit: str
    value: str
    line: str
    hidden: str
    changed: str
    stands: str
    useful: bool


class AskedView(NamedTuple):
    """What the question is understood as, and the lines that stand for it."""

    kind: str
    how: str
    beside: str
    useful: str
    declined: Sequence[str]
    outside: bool


class CastView(NamedTuple):
    title: str
    when: str
    pillars: str
    picture: Markup
    head: Pairs
    rows: list[BoardRow]
    moves: bool
    asked: AskedView
    record: CastRecord
    agrees: bool


class KindChoice(NamedTuple):
    """A kind of question, as the form offers it."""

    value: str
    name: str


class CitedFact(NamedTuple):
    """A fact, its id, and what it follows from."""

    text: str
    id: str
    basis: str


class Evidence(NamedTuple):
    """The facts of a sentence, under a number on the page."""

    number: int
    sentence: str
    facts: list[CitedFact]


class Said(NamedTuple):
    """A sentence, with the number of its evidence; 0 where it follows from none, as a referral."""

    text: str
    evidence: int


class DateOfAnswer(NamedTuple):
    """A day, month or year in which something may come about, from and until when (UTC)."""

    name: str
    begins: str
    ends: str


class AnswerView(NamedTuple):
    """What was said. `language` is that of its sentences; without a sign there was no divination."""

    status: str
    language: str
    sign: str
    verdict: Said | None
    grounds: list[Said]
    focus: list[Said]
    advice: list[Said]
    paragraphs: list[list[Said]]
    weighed: list[tuple[str, list[str], int]]
    dates: list[DateOfAnswer]
    evidence: list[Evidence]
    by_rules: bool
    in_place: bool


def cast_view(cast: PageCast, lang: str) -> CastView:
    """All that is shown of a cast before it is read."""
    found = cast.analysis()
    chart, record = found.chart, cast.record
    four = tuple(each for each in (chart.year, chart.month, chart.day, chart.hour) if each)
    return CastView(
        title_of(found, lang),
        f"{cast.at[:16].replace('T', ' ')} ({cast.at[19:]})",
        pillars_text(four, lang),
        Markup(drawing(chart, lang, "page", None if found.withheld else found)),
        _head(found, lang),
        _rows(found, lang),
        bool(chart.moving),
        _asked(found, asked(cast), lang),
        record,
        _agrees(record, found),
    )


def title_of(found: Analysis, lang: str) -> str:
    """The hexagram, and the one into which it turns."""
    chart = found.chart
    both = [chart.primary, *([chart.target] if chart.moving else [])]
    return " → ".join(glossed(each.full_name, lang) for each in both)


def card(cast: PageCast, lang: str, theme: str) -> str:
    """The board as a picture that stands alone. It shows no question."""
    return drawing(cast.analysis().chart, lang, theme)


def kind_choices(lang: str) -> list[KindChoice]:
    """The kinds of questions, each with the lines that stand for it."""
    rows = question_types()
    gap = ", " if lang == "en" else "、"
    return [
        KindChoice(
            each,
            f"{_first_in(each, lang)} · {gap.join(word(one, lang) for one in rows[each]['target'].split())}",
        )
        for each in kinds()
    ]


def _first_in(name: str, lang: str) -> str:
    """A name that begins in the language of the page: of a list one is found by its first letters."""
    said = word(name, lang)
    return said if said == name or lang != "en" else f"{said} ({name})"


def line_choices(lang: str) -> list[tuple[int, str]]:
    return [(value, word(names()[value], lang)) for value in VALUES]


def places(lang: str) -> list[tuple[int, str]]:
    """The six places, the upper first."""
    return [(n, word(PLACES[n - 1], lang)) for n in range(6, 0, -1)]


# --- the board ---


def _head(found: Analysis, lang: str) -> Pairs:
    chart = found.chart
    gap = " " if lang == "en" else ""
    month, day = (
        f"{sign_text(branch, lang)}{gap}{word(branch.element.value, lang)}"
        for branch in (chart.month_branch, chart.day.branch)
    )
    void = (", " if lang == "en" else "").join(sign_text(branch, lang) for branch in chart.void)
    rows = [
        (label("ly_month", lang), month),
        (label("ly_day", lang), day),
        (label("ly_void", lang), void),
        (label("ly_yuepo", lang), sign_text(chart.month_broken, lang)),
        (label("ly_richong", lang), sign_text(chart.day_clashed, lang)),
        (label("ly_primary", lang), hexagram_line(chart.primary, lang)),
    ]
    if chart.moving:
        rows.append((label("ly_target", lang), hexagram_line(chart.target, lang)))
    marks = marks_text(chart, lang)
    return [*rows, *([(label("ly_marks", lang), marks)] if marks else [])]


def _rows(found: Analysis, lang: str) -> list[BoardRow]:
    chart = found.chart
    hidden = {each.position: each for each in found.hidden}
    useful = _useful(found)
    rows = []
    for line in reversed(found.lines):
        n = line.position
        turned, under = line.turned, hidden.get(n)
        seats = [word(seat, lang) for seat in (mark(chart.primary, n),) if seat]
        seats += [word("用神", lang)] if n in useful else []
        rows.append(
            BoardRow(
                word(PLACES[n - 1], lang),
                word(spirits_of(chart.day)[n - 1][1], lang),
                word(names()[chart.lines[n - 1]], lang),
                joined([_named(line.relation, line.pillar, lang), *seats], lang),
                _named(under.relation, under.pillar, lang) if under else "",
                _named(turned.relation, turned.pillar, lang) if turned else "",
                joined([each for each in state_words(line, lang) if each], lang),
                n in useful,
            )
        )
    return rows


def _named(relation: str, pillar: Any, lang: str) -> str:
    gap = " " if lang == "en" else ""
    return f"{word(relation, lang)}{gap}{pillar}{gap}{word(pillar.branch.element.value, lang)}"


def _useful(found: Analysis) -> tuple[int, ...]:
    """The line that is the 用神, or under which it hides; none where there is no divination."""
    if found.withheld or not found.yongshen.candidates or not found.subject.position:
        return ()
    return (found.subject.position,)


def _asked(found: Analysis, understood: Asked, lang: str) -> AskedView:
    candidates = [] if found.withheld else found.yongshen.candidates
    useful = [candidate_text(each.target, each.source, each.position, each.text, lang) for each in candidates]
    return AskedView(
        glossed(understood.label, lang),
        understood.how,
        joined([glossed(each, lang) for each in understood.beside], lang),
        joined(useful, lang),
        supporting(understood.declined, lang) if understood.declined else (),
        understood.outside,
    )


def _agrees(record: CastRecord, found: Analysis) -> bool:
    """Whether the lines of the board follow from the record."""
    try:
        return verify(record.to_dict()).values == found.chart.lines
    except InvalidCast:
        return False


# --- what was said ---


_DATE = "ly.date."


class _Numbered:
    """The evidence of a page, in the order in which it is cited; sentences with the same facts share it."""

    def __init__(self, facts: dict[str, Fact], stored: dict[str, Any], lang: str) -> None:
        self._facts, self._stored, self._lang = facts, stored, lang
        self._groups: dict[tuple[str, ...], Evidence] = {}

    def said(self, text: str, ids: Sequence[str]) -> Said:
        known = tuple(name for name in ids if name in self._facts or name in self._stored)
        if not known:
            return Said(text, 0)
        if known not in self._groups:
            facts = [self._fact(name) for name in known]
            self._groups[known] = Evidence(len(self._groups) + 1, text, facts)
        return Said(text, self._groups[known].number)

    @property
    def branches(self) -> set[str]:
        """The branches whose dates are cited."""
        cited = (name for group in self._groups for name in group)
        return {name.removeprefix(_DATE) for name in cited if name.startswith(_DATE)}

    @property
    def rows(self) -> list[Evidence]:
        return [*self._groups.values()]

    def _fact(self, name: str) -> CitedFact:
        fact = self._facts.get(name)
        if fact is None:
            # Of an earlier release.
            return CitedFact(self._stored[name]["text_zh"], name, "")
        gap = "; " if self._lang == "en" else "；"
        basis = [self._facts[each].text(self._lang) for each in fact.derives_from if each in self._facts]
        return CitedFact(fact.text(self._lang), name, gap.join(basis))


def answer_view(cast: PageCast, output: dict[str, Any], analysis: dict[str, Any], lang: str) -> AnswerView:
    """An `agent_output` with the analysis that it rests on."""
    found, evidence = cast.analysis(), output.get("evidence", {})
    cited = _Numbered(found.facts, analysis.get("facts", {}), lang)

    def items(part: str, texts: Sequence[str]) -> list[Said]:
        ids = evidence.get(part, [])
        return [cited.said(text, ids[at] if len(ids) == len(texts) else []) for at, text in enumerate(texts)]

    conclusion = items("conclusion", output["conclusion"])
    declined = output["status"] == "declined"
    focus, advice = items("focus_points", output["focus_points"]), items("advice", output["advice"])
    paragraphs = _paragraphs(output["answer"], items("answer", output.get("sentences", ())))
    return AnswerView(
        output["status"],
        output.get("language", lang),
        glossed(output["sign_level"], lang) if output.get("sign_level") else "",
        conclusion[0] if conclusion else None,
        conclusion[1:],
        focus,
        advice,
        paragraphs,
        [] if declined else _weighed(found, lang),
        [] if declined else _dates(found, cited.branches, lang),
        cited.rows,
        output.get("interpreter") == "rules",
        bool(output.get("provenance", {}).get("fallback_used")),
    )


def _paragraphs(answer: str, sentences: list[Said]) -> list[list[Said]]:
    """The paragraphs of an answer, sentence by sentence; whole where its sentences are not known."""
    rest, paragraphs = list(sentences), []
    for paragraph in answer.split("\n\n"):
        within, left = [], paragraph
        while rest and left.startswith(rest[0].text):
            within.append(rest.pop(0))
            left = left[len(within[-1].text) :].lstrip(" ")
        paragraphs.append([*within, Said(left, 0)] if left.strip() else within)
    return paragraphs


def _weighed(found: Analysis, lang: str) -> list[tuple[str, list[str], int]]:
    """What speaks for and against the matter, with the points of each."""
    if found.sign is None:
        return []
    every = (*found.sign.grounds, *found.sign.counter_grounds)
    sides = (
        ("for", [each for each in every if each.points > 0]),
        ("against", [each for each in every if each.points < 0]),
    )
    return [
        (side, [f"{ground_word(each.rule, lang)} {each.points:+}" for each in grounds], sum(e.points for e in grounds))
        for side, grounds in sides
        if grounds
    ]  # fmt: skip


def _dates(found: Analysis, branches: set[str], lang: str) -> list[DateOfAnswer]:
    """The next days and months of the branches that are named, in which it may come about."""
    coming = {
        period
        for when in found.timing
        for period in found.dates(when)
        if period.unit != "年" and period.branch.value in branches
    }
    first = sorted(coming, key=lambda period: (period.begins, period.unit))[:MOST_DATES]
    return [DateOfAnswer(_period(each, lang), _utc(each.begins), _utc(each.ends)) for each in first]


def _period(period: Period, lang: str) -> str:
    unit = {"日": {"en": " day"}, "月": {"en": " month"}}[period.unit].get(lang, period.unit)
    return f"{sign_text(period.branch, lang)}{unit}"


def _utc(stamp: str) -> str:
    return f"{datetime.fromisoformat(stamp).astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z"
