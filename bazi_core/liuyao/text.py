"""The board for the terminal: line 6 on top, primary and target side by side, hidden lines, marks, 用神 and 应期."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.astro import scales
from bazi_core.errors import InvalidInput, shown
from bazi_core.liuyao.hexagrams import Hexagram, mark, relation
from bazi_core.liuyao.marks import fan_fu, gua_fan_yin, transition
from bazi_core.liuyao.policy import POLICIES
from bazi_core.liuyao.sign import SignLevel, ground_word
from bazi_core.liuyao.yongshen import kin_word
from bazi_core.render.markdown import bullets, pipe_table
from bazi_core.render.phrases import (
    bracketed,
    char_text,
    joined,
    pillars_text,
    printable,
    sign_name,
    sign_text,
)
from bazi_core.render.text import pairs
from bazi_core.render.width import fold, table
from bazi_core.tables import rows as doctrine
from bazi_core.tables.cast_words import glossed, word
from bazi_core.tables.sentences import Said
from bazi_core.tables.words import label, term
from bazi_core.wording import LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bazi_core.alphabet import Pillar
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import HiddenLine, Line, State
    from bazi_core.liuyao.chart import LiuyaoValue

YANG_BAR, YIN_BAR = "━━━━━━━", "━━   ━━"
# Displays narrower than this are written as if they had it.
NARROWEST = 40
MOVING = {9: " o", 6: " x", 7: "", 8: ""}


def analysis_text(analysis: Analysis, lang: str = "zh-Hans", columns: int = 80, question: str = "") -> str:
    """The board with its analysis for a question.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("财运")
    >>> analysis_text(found).splitlines()[0]
    '六爻  水火既济之风雷益'
    """
    columns = max(_whole(columns), NARROWEST)
    sections = [
        [
            *fold(_title(analysis.chart, lang), columns, "  "),
            *pairs(_head(analysis, lang, question), columns),
        ],
        table(_lines(analysis, lang), columns),
        pairs(_judged(analysis, lang), columns),
        fold(_note(analysis, lang), columns),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _whole(columns: Any) -> int:
    if type(columns) is not int:
        raise InvalidInput(Said("columns_kind", given=shown(columns)[:20]), field="columns")
    return columns


def _title(chart: LiuyaoValue, lang: str) -> str:
    name = glossed(chart.primary.full_name, lang)
    if chart.moving:
        name = label("becomes", lang, one=name, other=glossed(chart.target.full_name, lang))
    return f"{label('ly_title', lang)}  {name}"


def _head(analysis: Analysis, lang: str, question: str) -> list[tuple[str, str]]:
    chart = analysis.chart
    kind = glossed(analysis.question_type, lang) if analysis.question_type else ""
    whose = kin_word(analysis.kinship, lang) if analysis.kinship else ""
    asked = " ".join(printable(each) for each in (question, kind, whose) if each)
    rows = [(label("ly_question", lang), asked)] if asked else []
    if chart.moment is not None:
        wall = scales.iso_local(chart.moment.local_ms, ms=False).replace("T", " ")
        rows.append((label("ly_time", lang), f"{wall} {_offset(chart.moment.utc_offset_s)}"))
    if chart.year and chart.month and chart.hour:
        four = (chart.year, chart.month, chart.day, chart.hour)
        rows.append((label("ly_pillars", lang), pillars_text(four, lang)))
    void = (", " if lang == "en" else "").join(sign_text(branch, lang) for branch in chart.void)
    month, day = chart.month_branch, chart.day.branch
    gap = " " if lang == "en" else ""
    near = [
        f"{label('ly_month', lang)} {sign_text(month, lang)}{gap}{word(month.element.value, lang)}",
        f"{label('ly_day', lang)} {sign_text(day, lang)}{gap}{word(day.element.value, lang)}",
        f"{label('ly_void', lang)} {void}",
        f"{label('ly_yuepo', lang)} {sign_text(chart.month_broken, lang)}",
        f"{label('ly_richong', lang)} {sign_text(chart.day_clashed, lang)}",
    ]
    rows.append((label("ly_calendar", lang), "  ".join(near)))
    rows.append((label("ly_primary", lang), hexagram_line(chart.primary, lang)))
    if chart.moving:
        rows.append((label("ly_target", lang), hexagram_line(chart.target, lang)))
    marks = marks_text(chart, lang)
    return [*rows, (label("ly_marks", lang), marks)] if marks else rows


def _offset(seconds: int) -> str:
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def hexagram_line(hexagram: Hexagram, lang: str) -> str:
    palace = f"{glossed(hexagram.palace, lang)}{' ' if lang == 'en' else ''}{word('宫', lang)}"
    parts = [palace, word(hexagram.generation, lang), word(hexagram.element.value, lang)]
    tags = [word(tag, lang) for tag in hexagram.tags if tag != hexagram.generation]
    return f"{glossed(hexagram.full_name, lang)}  {joined([*parts, *tags], lang)}"


def marks_text(chart: LiuyaoValue, lang: str) -> str:
    names = [transition(chart.primary, chart.target)]
    turned = fan_fu(chart.primary, chart.target)
    names += [kind for kind in dict.fromkeys(turned.values()) if kind]
    names += ["卦反吟"] if gua_fan_yin(chart.primary, chart.target) else []
    return joined([word(name, lang) for name in names if name], lang)


def _lines(analysis: Analysis, lang: str) -> list[list[str]]:
    chart = analysis.chart
    hidden = {each.position: each for each in analysis.hidden}
    moves = bool(chart.moving)
    names = ["ly_spirit", "ly_hidden", "ly_line", *(["ly_change"] if moves else []), "ly_notes"]
    rows = [[label(name, lang) for name in names]]
    rows[0][0] = f"{label('ly_place', lang)}\n{rows[0][0]}"
    for line in reversed(analysis.lines):
        n = line.position
        under = hidden.get(n)
        cells = [
            f"{word(LINES[n - 1], lang)}\n{word(line.spirit, lang)}",
            _hidden(under, lang) if under else "",
            _drawn(line.relation, line.pillar, chart.lines[n - 1], mark(chart.primary, n), lang),
        ]
        if moves:
            cells.append(_target(chart, n, lang))
        rows.append([*cells, "\n".join(state_words(line, lang))])
    return rows


def _hidden(under: HiddenLine, lang: str) -> str:
    """A hidden line with what month, day and void are to it."""
    own = under.state
    marks = [word(name, lang) for name in _stood_on(own)]
    marks += [word("旬空", lang)] if own.void else []
    marks += [word("月破", lang)] if own.month_broken else []
    marks += [word("日冲", lang)] if own.day_clashed else []
    told = [word(under.relation, lang), _sign(under.pillar, lang), *([joined(marks, lang)] if marks else [])]
    return "\n".join(told)


def _stood_on(own: State) -> list[str]:
    """临月 and 临日: month or day is the very branch of a line."""
    return [name for name, bearing in (("临月", own.month), ("临日", own.day)) if "临" in bearing]


def _drawn(relation: str, pillar: Pillar, value: int, seat: str, lang: str) -> str:
    bar = YANG_BAR if value & 1 else YIN_BAR
    gap = " " if lang == "en" else ""
    place = f"{word(seat, lang).partition(' ')[0]} {seat}" if seat and lang == "en" else word(seat, lang)
    text = f"{bar}{MOVING[value]} {place}".rstrip()
    return f"{text}\n{word(relation, lang)}{gap}{_sign(pillar, lang)}"


def _sign(pillar: Pillar, lang: str) -> str:
    """A pillar with the branch that counts and its element: 戊戌土, `戊戌 Dog, Earth`."""
    element = word(pillar.branch.element.value, lang)
    return f"{pillar} {sign_name(pillar.branch)}, {element}" if lang == "en" else f"{pillar}{element}"


def _target(chart: LiuyaoValue, n: int, lang: str) -> str:
    pillar = chart.target.pillars[n - 1]
    yang = chart.changed_code >> (n - 1) & 1
    return _drawn(
        relation(chart.primary.element, pillar.branch.element), pillar, 7 if yang else 8,
        mark(chart.target, n), lang,
    )  # fmt: skip


def state_words(line: Line, lang: str) -> list[str]:
    """Season, month and day on the line, verdicts and changes, on two lines."""
    own = line.state
    first = [term(own.month_state, lang, "season_state"), *(word(name, lang) for name in _stood_on(own))]
    first += [word(f"{line.void_kind}空" if line.void_kind else "旬空", lang)] if own.void else []
    first += [word("月破", lang)] if own.month_broken else []
    verdict = "暗动" if line.an_dong else "日破" if line.day_broken else "日冲" if own.day_clashed else ""
    first += [word(verdict, lang)] if verdict else []
    return [joined(first, lang), joined([word(change, lang) for change in line.changes], lang)]


def _judged(analysis: Analysis, lang: str) -> list[tuple[str, str]]:
    asked = analysis.yongshen
    candidates = [
        candidate_text(candidate.target, candidate.source, candidate.position, candidate.text, lang)
        for candidate in asked.candidates
    ]
    rows = [
        (label("ly_yongshen", lang), joined(candidates, lang) if candidates else label("ly_undecided", lang))
    ]
    for name, role in asked.roles.items():
        places = [word(LINES[line.position - 1], lang) for line in role.lines]
        rows.append((word(name, lang).capitalize(), joined([word(role.element.value, lang), *places], lang)))
    gap = ": " if lang == "en" else "  "
    # Where no grade is given, no day is named.
    timing = () if analysis.ungraded else analysis.timing
    for at, each in enumerate(timing):
        branches = (", " if lang == "en" else "").join(sign_text(branch, lang) for branch in each.branches)
        rows.append(
            (label("ly_timing", lang) if at == 0 else "", f"{branches}{gap}{word(each.trigger, lang)}")
        )
    facts = () if analysis.ungraded else analysis.facts.values()
    dates = [fact.text(lang) for fact in facts if fact.kind == "date"]
    rows += [(label("ly_dates", lang) if at == 0 else "", each) for at, each in enumerate(dates)]
    rows += _signed(analysis.sign, lang) if analysis.sign and not analysis.ungraded else ()
    rows.append((word("取法", lang), _policies(analysis.chart, lang)))
    return rows


def _signed(sign: SignLevel, lang: str) -> Iterator[tuple[str, str]]:
    """The sign with its grounds, and separately its counter-grounds."""
    yield label("ly_sign", lang), bracketed(glossed(sign.level, lang), f"{sign.score:+}", lang)
    for name, grounds in (("ly_grounds", sign.grounds), ("ly_counter", sign.counter_grounds)):
        words = [f"{ground_word(ground.rule, lang)} {ground.points:+}" for ground in grounds]
        if words:
            yield label(name, lang), ("; " if lang == "en" else "，").join(words)


def _note(analysis: Analysis, lang: str) -> str:
    """The note on signs, or on the reason for having none."""
    if analysis.sign is not None:
        return label(_note_of(analysis), lang)
    from bazi_core.questions.safety import supporting

    return (" " if lang == "en" else "").join(supporting("life_message", lang))


def _note_of(analysis: Analysis) -> str:
    """The label of the note on the sign, or on why there is none."""
    if analysis.treats:
        return "ly_no_sign_note"
    return "ly_ungraded_note" if analysis.ungraded else "ly_sign_note"


def _policies(chart: LiuyaoValue, lang: str) -> str:
    """The choices of the policy, in words."""
    chosen = [(name, getattr(chart.policy, name)) for name, values in POLICIES.items() if len(values) > 1]
    chosen += [("day_boundary", chart.school.day_boundary)] if chart.moment else []
    words = [label(f"policy.{name}.{value}", lang) for name, value in chosen]
    return ("; " if lang == "en" else "；").join(words)


def candidate_text(target: str, source: str, position: int | None, text: str, lang: str) -> str:
    where = (
        f"{'at ' if lang == 'en' else ''}{word(LINES[position - 1], lang)}"
        if position
        else label("ly_month" if source == "month" else "ly_day", lang)
    )
    marks = {"hidden": word("伏神", lang) if lang != "en" else "hidden", "changed": label("ly_changed", lang)}
    return " ".join(
        filter(None, (glossed(target, lang), where, char_text(text, lang), marks.get(source, "")))
    )


def analysis_markdown(analysis: Analysis, lang: str = "zh-Hans", question: str = "") -> str:
    """The board with its analysis as Markdown."""
    parts = [
        f"# {_title(analysis.chart, lang)}",
        "\n".join(bullets(_head(analysis, lang, question))),
        "\n".join(pipe_table(_lines(analysis, lang))),
        "\n".join(bullets([(name or "–", value) for name, value in _judged(analysis, lang)])),
        _note(analysis, lang),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def hexagram_text(hexagram: Hexagram, lang: str = "zh-Hans", columns: int = 80) -> str:
    """One of the sixty-four with its lines, line 6 on top."""
    hidden = {each.position: each for each in hexagram.hidden}
    rows = [[label(name, lang) for name in ("ly_place", "ly_hidden", "ly_line")]]
    for n in reversed(range(1, 7)):
        under, pillar = hidden.get(n), hexagram.pillars[n - 1]
        rows.append(
            [
                word(LINES[n - 1], lang),
                f"{word(under.relation, lang)} {_sign(under.pillar, lang)}" if under else "",
                _drawn(
                    hexagram.relations[n - 1], pillar, 7 if hexagram.code >> (n - 1) & 1 else 8,
                    mark(hexagram, n), lang,
                ),
            ]
        )  # fmt: skip
    head = f"{hexagram.number}  {hexagram_line(hexagram, lang)}  {hexagram.binary}"
    return "\n".join([*fold(head, columns, "  "), *table(rows, columns)]) + "\n"


def types_text(lang: str = "zh-Hans", columns: int = 80) -> str:
    """The table of the kinds of questions and their 用神."""
    rows = [[label("ly_question", lang), label("ly_yongshen", lang)]]
    for row in doctrine("liuyao/question_types"):
        rows.append(
            [
                glossed(row["label"], lang),
                joined([glossed(each, lang) for each in row["target"].split()], lang),
            ]
        )
    return "\n".join(table(rows, columns)) + "\n"
