"""`bazi chart`: a chart as text, JSON, Markdown, picture or page, or the reasons for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import BIRTH, OUTPUT, PLACE, SCHOOL, TEXT, formats, options
from bazi_cli.request import ChartRequest, as_of, asked_chart, read_years
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from bazi_core.face import Chart


@click.command("chart", cls=Command)
@click.argument("when", nargs=-1, type=TEXT)
@options(*PLACE, *BIRTH, "pillars")
@formats("text", "json", "md", "svg", "html", "pdf")
@options(
    *OUTPUT,
    "as_of",
    "years",
    "sensitivity",
    "explain",
    "compact",
    "hidden_labels",
    "theme",
    "name",
    "strict",
    *SCHOOL,
)
@click.pass_context
def command(ctx: click.Context, /, when: tuple[str, ...], **given: Any) -> int:
    """The four pillars of WHEN with everything that is read from them."""
    text, years = read_years(" ".join(when) if when else None, given["years"])
    why = given["explain"]
    if why and text is None and _is_time(why):
        # `--explain "1990-05-15 13:30"` means the time: an id begins with a letter and has a dot.
        text, why = why, ""
    asked = asked_chart(ctx, text)
    lang = language(given["lang"])
    if asked.now and not output.says_itself(given):
        output.note(_now_note(asked.now, lang))
    if given["format"] == "pdf" and why is None and not given["sensitivity"]:
        name = given["name"] or ""
        output.emit_bytes(asked.chart.pdf(lang, as_of=as_of(given), name=name), given["output"])
    else:
        output.emit(_written(asked, why, years, given, lang), given["output"])
    return output.strict_status(given["strict"], len(asked.chart.warnings), lang)


def _is_time(text: str) -> bool:
    return not text[:1].isascii() or text[:1].isdigit()


def _now_note(now: str, lang: str) -> str:
    from bazi_core.render.phrases import titled
    from bazi_core.tables.words import label

    return titled(label("now", lang), now, lang)


def _written(
    asked: ChartRequest, why: str | None, years: range | bool, given: dict[str, Any], lang: str
) -> str:
    chart = asked.chart
    if given["sensitivity"]:
        if given["format"] not in ("text", "json", "md"):
            raise click.UsageError(Said("sensitivity_forms"))
        return _sensitivity(chart, given["format"], lang)
    if given["format"] == "json":
        if years:
            raise click.UsageError(Said("chart_json_years"))
        return _as_json(chart, why, given)
    if why is not None:
        return (chart.explain(why, lang) if why else _reasons(chart, lang)) + "\n"
    if given["format"] == "svg":
        return _drawn(chart, given, lang)
    if given["format"] == "html":
        return chart.html(lang, given["theme"] or "auto", as_of=as_of(given), name=given["name"] or "")
    if given["format"] == "md":
        from bazi_core.render.markdown import chart_markdown

        body = chart_markdown(
            chart.pattern(), lang, hidden_labels=given["hidden_labels"], as_of=as_of(given), years=years
        )
        return body if not asked.now else f"{body}\n{_now_note(asked.now, lang)}\n"
    from bazi_core.render.text import chart_text

    colour = output.has_colour(sys.stdout, given["output"])
    shown = {name: given[name] for name in ("compact", "hidden_labels")}
    body = chart_text(
        chart.pattern(), lang, colour, columns=output.columns(), as_of=as_of(given), years=years, **shown
    )
    return body if not asked.now else f"{_now_note(asked.now, lang)}\n{body}"


def _drawn(chart: Chart, given: dict[str, Any], lang: str) -> str:
    name = given["name"] or ""
    return chart.svg(lang, given["theme"] or "light", given["compact"], as_of=as_of(given), name=name) + "\n"


def _sensitivity(chart: Chart, form: str, lang: str) -> str:
    """The sensitivity of the chart, in a format."""
    sensitivity = chart.sensitivity()
    if form == "json":
        return output.as_json(sensitivity.to_dict())
    from bazi_core.render.sensitivity_sheet import sensitivity_markdown, sensitivity_text

    if form == "md":
        return sensitivity_markdown(sensitivity, lang)
    return sensitivity_text(sensitivity, lang, output.columns())


def _as_json(chart: Chart, why: str | None, given: dict[str, Any]) -> str:
    # The object does not depend on the locale: it has a language only if one is given.
    lang = given["lang"] or "zh-Hans"
    if why:
        return output.as_json([fact.to_dict() for fact in chart.basis(why)])
    if why is not None:
        return output.as_json([fact.to_dict() for fact in chart.facts.values()])
    return output.as_json(chart.to_dict(facts=not given["compact"], lang=lang))


def _reasons(chart: Chart, lang: str) -> str:
    from bazi_cli.reasons import reasons

    return "\n".join(reasons(chart, lang, output.measure()))
