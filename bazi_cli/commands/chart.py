"""`bazi chart`: a chart as text, JSON or Markdown, or why it is as it is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import Asked, asked_chart

if TYPE_CHECKING:
    from bazi_core.chart import Chart


@click.command("chart", short_help="The chart of a birth (now, without a time).")
@click.argument("when", nargs=-1, type=TEXT)
@options(*PLACE, *BIRTH, "pillars")
@formats("text", "json", "md")
@options(*OUTPUT, "explain", "compact", "strict", *SCHOOL)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """The four pillars of WHEN with everything that is read from them.

    WHEN is `1990-05-15 13:30`, `1990-05-15 午时`, `农历1990年闰五月初一 午时`, a text with its own offset, or nothing
    for now. Without --gender everything but luck is shown.
    """
    text, why = " ".join(when) if when else None, given["explain"]
    if why and text is None and _is_time(why):
        # `--explain "1990-05-15 13:30"` means the time: an id begins with a letter and has a dot.
        text, why = why, ""
    asked = asked_chart(ctx, text)
    lang = language(given["lang"])
    if asked.now and not output.says_itself(given):
        output.note(_now_note(asked.now, lang))
    output.emit(_written(asked, why, given, lang), given["output"])
    return output.strict_status(given["strict"], len(asked.chart.warnings), lang)


def _is_time(text: str) -> bool:
    return not text[:1].isascii() or text[:1].isdigit()


def _now_note(now: str, lang: str) -> str:
    from bazi_core.render.phrases import titled
    from bazi_core.tables.words import label

    return titled(label("now", lang), now, lang)


def _written(asked: Asked, why: str | None, given: dict[str, Any], lang: str) -> str:
    chart = asked.chart
    if given["format"] == "json":
        return _as_json(chart, why, given)
    if why is not None:
        return (chart.explain(why) if why else _reasons(chart, lang)) + "\n"
    if given["format"] == "md":
        from bazi_core.render.markdown import chart_markdown

        body = chart_markdown(chart, lang)
        return body if not asked.now else f"{body}\n{_now_note(asked.now, lang)}\n"
    from bazi_core.render.text import chart_text

    colour = output.has_colour(sys.stdout, given["output"])
    body = chart_text(chart, lang, colour, columns=output.columns(), compact=given["compact"])
    return body if not asked.now else f"{_now_note(asked.now, lang)}\n{body}"


def _as_json(chart: Chart, why: str | None, given: dict[str, Any]) -> str:
    # The object is the same everywhere: a language only when it was asked for, never the locale's.
    lang = given["lang"] or "zh-Hans"
    if why:
        return output.as_json([fact.to_dict() for fact in chart.basis(why)])
    if why is not None:
        return output.as_json([fact.to_dict() for fact in chart.facts.values()])
    return output.as_json(chart.to_dict(facts=not given["compact"], lang=lang))


def _reasons(chart: Chart, lang: str) -> str:
    from bazi_cli.reasons import reasons

    return "\n".join(reasons(chart, lang, min(output.columns(), output.COLUMNS)))
