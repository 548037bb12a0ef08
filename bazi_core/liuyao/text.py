"""The board for the terminal: line 6 on top, primary and target side by side, hidden lines, marks, 用神 and 应期."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.astro import scales
from bazi_core.errors import InvalidInput, shown
from bazi_core.liuyao.hexagrams import mark, relation
from bazi_core.liuyao.marks import fan_fu, gua_fan_yin, transition
from bazi_core.liuyao.policy import POLICIES, known
from bazi_core.liuyao.words import glossed, word
from bazi_core.liuyao.yongshen import PLACE
from bazi_core.render.markdown import bullets, pipe_table
from bazi_core.render.phrases import joined, printable
from bazi_core.render.text import pairs
from bazi_core.render.width import fold, table, width
from bazi_core.tables import rows as doctrine
from bazi_core.tables.words import LANGUAGES, label, term

if TYPE_CHECKING:
    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.board import Line
    from bazi_core.liuyao.chart import LiuyaoChart
    from bazi_core.liuyao.hexagrams import Hexagram

YANG_BAR, YIN_BAR = "━━━━━━━", "━━   ━━"
# Displays narrower than this are written as if they had it.
NARROWEST = 40
MOVING = {9: " o", 6: " x", 7: "", 8: ""}


def board(chart: LiuyaoChart, lang: str = "zh-Hans", columns: int = 80) -> str:
    """The board of a cast without a question."""
    known("lang", lang, LANGUAGES)
    return analysis_text(chart.analyze(), lang, columns)


def analysis_text(found: Analysis, lang: str = "zh-Hans", columns: int = 80, question: str = "") -> str:
    """The board with what it says about a question.

    >>> from bazi_core import liuyao as ly
    >>> found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("财运")
    >>> analysis_text(found).splitlines()[0]
    '六爻  水火既济 -> 风雷益'
    """
    columns = max(_whole(columns), NARROWEST)
    sections = [
        [*fold(_title(found.chart, lang), columns, "  "), *pairs(_head(found, lang, question), columns)],
        table(_fitted(_lines(found, lang), columns), columns),
        pairs(_judged(found, lang), columns),
        fold(label("ly_sign_note", lang), columns),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _whole(columns: Any) -> int:
    if type(columns) is not int:
        raise InvalidInput(f"columns is a whole number, not {shown(columns)[:20]}", field="columns")
    return columns


def _fitted(rows: list[list[str]], columns: int) -> list[list[str]]:
    """The rows with every cell after the first folded so that it fits beside it."""
    room = columns - max(width(row[0]) for row in rows) - 7
    return [
        [head, *("\n".join(part for line in cell.split("\n") for part in fold(line, room)) for cell in cells)]
        for head, *cells in rows
    ]


def _title(chart: LiuyaoChart, lang: str) -> str:
    names = [glossed(chart.primary.full_name, lang)]
    names += [glossed(chart.target.full_name, lang)] if chart.moving else []
    return f"{label('ly_title', lang)}  {' -> '.join(names)}"


def _head(found: Analysis, lang: str, question: str) -> list[tuple[str, str]]:
    chart = found.chart
    kind = glossed(found.question_type, lang) if found.question_type else ""
    asked = " ".join(printable(each) for each in (question, kind) if each)
    rows = [(label("ly_question", lang), asked)] if asked else []
    if chart.moment is not None:
        wall = scales.iso_local(chart.moment.local_ms, ms=False).replace("T", " ")
        rows.append((label("ly_time", lang), f"{wall} {_offset(chart.moment.utc_offset_s)}"))
    if chart.year and chart.month and chart.hour:
        rows.append((label("ly_pillars", lang), f"{chart.year} {chart.month} {chart.day} {chart.hour}"))
    void = "".join(branch.value for branch in chart.void)
    month, day = chart.month_branch, chart.day.branch
    gap = " " if lang == "en" else ""
    near = [
        f"{label('ly_month', lang)} {month}{gap}{word(month.element.value, lang)}",
        f"{label('ly_day', lang)} {day}{gap}{word(day.element.value, lang)}",
        f"{label('ly_void', lang)} {void}",
        f"{label('ly_yuepo', lang)} {chart.month_broken}",
        f"{label('ly_richong', lang)} {chart.day_clashed}",
    ]
    rows.append((label("ly_calendar", lang), "  ".join(near)))
    rows.append((label("ly_primary", lang), _hexagram(chart.primary, lang)))
    if chart.moving:
        rows.append((label("ly_target", lang), _hexagram(chart.target, lang)))
    marks = _marks(chart, lang)
    return [*rows, (label("ly_marks", lang), marks)] if marks else rows


def _offset(seconds: int) -> str:
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def _hexagram(found: Hexagram, lang: str) -> str:
    palace = f"{glossed(found.palace, lang)}{' ' if lang == 'en' else ''}{word('宫', lang)}"
    parts = [palace, word(found.generation, lang), word(found.element.value, lang)]
    tags = [word(tag, lang) for tag in found.tags if tag != found.generation]
    return f"{glossed(found.full_name, lang)}  {joined([*parts, *tags], lang)}"


def _marks(chart: LiuyaoChart, lang: str) -> str:
    found = [transition(chart.primary, chart.target)]
    turned = fan_fu(chart.primary, chart.target)
    found += [kind for kind in dict.fromkeys(turned.values()) if kind]
    found += ["卦反吟"] if gua_fan_yin(chart.primary, chart.target) else []
    return joined([word(each, lang) for each in found if each], lang)


def _lines(found: Analysis, lang: str) -> list[list[str]]:
    chart = found.chart
    hidden = {each.position: each for each in found.hidden}
    moves, gap = bool(chart.moving), " " if lang == "en" else ""
    names = ["ly_spirit", "ly_hidden", "ly_line", *(["ly_change"] if moves else []), "ly_notes"]
    rows = [[label(name, lang) for name in names]]
    for line in reversed(found.lines):
        n = line.position
        under = hidden.get(n)
        cells = [
            word(line.spirit, lang),
            f"{word(under.relation, lang)}\n{under.pillar}{gap}{word(under.pillar.branch.element.value, lang)}"
            if under
            else "",
            _drawn(
                line.relation,
                line.pillar.value,
                line.state.element.value,
                chart.lines[n - 1],
                mark(chart.primary, n),
                lang,
            ),
        ]
        if moves:
            cells.append(_target(chart, n, lang))
        rows.append([*cells, "\n".join(_state(line, lang))])
    return rows


def _drawn(relation: str, pillar: str, element: str, value: int, seat: str, lang: str) -> str:
    bar = YANG_BAR if value & 1 else YIN_BAR
    gap = " " if lang == "en" else ""
    text = f"{bar}{MOVING[value]} {word(seat, lang) if seat and lang != 'en' else seat}".rstrip()
    return f"{text}\n{word(relation, lang)}{gap}{pillar}{gap}{word(element, lang)}"


def _target(chart: LiuyaoChart, n: int, lang: str) -> str:
    pillar = chart.target.pillars[n - 1]
    yang = chart.changed_code >> (n - 1) & 1
    return _drawn(
        relation(chart.primary.element, pillar.branch.element), pillar.value, pillar.branch.element.value, 7 if yang else 8,
        mark(chart.target, n), lang,
    )  # fmt: skip


def _state(line: Line, lang: str) -> list[str]:
    """Season, verdicts and changes, on two lines."""
    own = line.state
    first = [term(own.month_state, lang, "season_state")]
    first += [word(f"{line.void_kind}空" if line.void_kind else "旬空", lang)] if own.void else []
    first += [word("月破", lang)] if own.month_broken else []
    verdict = "暗动" if line.an_dong else "日破" if line.day_broken else "日冲" if own.day_clashed else ""
    first += [word(verdict, lang)] if verdict else []
    return [joined(first, lang), joined([word(each, lang) for each in line.changes], lang)]


def _judged(found: Analysis, lang: str) -> list[tuple[str, str]]:
    asked = found.yongshen
    told = [_candidate(each.target, each.source, each.position, each.text, lang) for each in asked.candidates]
    rows = [(label("ly_yongshen", lang), joined(told, lang) if told else label("ly_undecided", lang))]
    for name, role in asked.roles.items():
        places = [word(PLACE[line.position], lang) for line in role.lines]
        rows.append((word(name, lang).capitalize(), joined([word(role.element.value, lang), *places], lang)))
    gap = " " if lang == "en" else "  "
    for at, each in enumerate(found.timing):
        branches = "".join(branch.value for branch in each.branches)
        rows.append(
            (label("ly_timing", lang) if at == 0 else "", f"{branches}{gap}{word(each.trigger, lang)}")
        )
    rows.append((label("ly_sign", lang), f"{glossed(found.sign.level, lang)}  ({found.sign.score:+})"))
    rows.append((word("取法", lang), _policies(found.chart)))
    return rows


def _policies(chart: LiuyaoChart) -> str:
    """The choices that could have been others, by their names as options."""
    chosen = [(name, getattr(chart.policy, name)) for name, values in POLICIES.items() if len(values) > 1]
    chosen += [("day_boundary", chart.school.day_boundary)] if chart.moment else []
    return "  ".join(f"{name} {value}" for name, value in chosen)


def _candidate(target: str, source: str, position: int | None, text: str, lang: str) -> str:
    where = (
        f"{'at ' if lang == 'en' else ''}{word(PLACE[position], lang)}"
        if position
        else label("ly_month" if source == "month" else "ly_day", lang)
    )
    mark_of = {"hidden": word("伏神", lang) if lang != "en" else "hidden", "changed": "->"}.get(source, "")
    return " ".join(filter(None, (glossed(target, lang), where, text, mark_of)))


def analysis_markdown(found: Analysis, lang: str = "zh-Hans", question: str = "") -> str:
    """The same as Markdown."""
    parts = [
        f"# {_title(found.chart, lang)}",
        "\n".join(bullets(_head(found, lang, question))),
        "\n".join(pipe_table(_lines(found, lang))),
        "\n".join(bullets([(name or "–", value) for name, value in _judged(found, lang)])),
        label("ly_sign_note", lang),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def hexagram_text(found: Hexagram, lang: str = "zh-Hans") -> str:
    """One of the sixty-four with its lines, line 6 on top."""
    hidden = {each.position: each for each in found.hidden}
    rows = [[label(name, lang) for name in ("ly_hidden", "ly_line")]]
    for n in reversed(range(1, 7)):
        under, pillar = hidden.get(n), found.pillars[n - 1]
        rows.append(
            [
                f"{word(under.relation, lang)} {under.pillar}" if under else "",
                _drawn(
                    found.relations[n - 1], pillar.value, pillar.branch.element.value, 7 if found.code >> (n - 1) & 1 else 8,
                    mark(found, n), lang,
                ),
            ]
        )  # fmt: skip
    head = f"{found.number}  {_hexagram(found, lang)}  {found.binary}"
    return "\n".join([head, *table(rows)]) + "\n"


def types_text(lang: str = "zh-Hans") -> str:
    """The kinds of questions with what stands for them."""
    rows = [[label("ly_question", lang), label("ly_yongshen", lang)]]
    for row in doctrine("liuyao/question_types"):
        rows.append(
            [
                glossed(row["label"], lang),
                joined([glossed(each, lang) for each in row["target"].split()], lang),
            ]
        )
    return "\n".join(table(rows)) + "\n"
