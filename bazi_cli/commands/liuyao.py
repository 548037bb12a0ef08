"""`bazi liuyao`: the hexagrams, analysis and reading of six lines, cast or given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bazi_cli import now as clock
from bazi_cli import output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import CAST_SCHOOL, OUTPUT, TEXT, formats, options
from bazi_cli.reader import note_fallback, port_of, wrapped
from bazi_cli.request import school_of, strongest
from bazi_core.errors import InvalidCast
from bazi_core.liuyao.lines import COUNT
from bazi_core.render.notes import noted
from bazi_core.render.phrases import titled
from bazi_core.tables.sentences import Listed, Said
from bazi_core.tables.words import label

if TYPE_CHECKING:
    from datetime import datetime

    from bazi_core.liuyao.analysis import Analysis
    from bazi_core.liuyao.cast import CastRecord
    from bazi_core.readings.cast import DivinationResult

ACTIONS = ("chart", "cast", "explain", "hexagram", "types", "verify")
_SOURCES = ("lines", "coins", "yarrow", "time", "numbers", "auto")


@click.command("liuyao", cls=Command)
@click.argument("action", nargs=-1, type=TEXT, metavar="[ACTION] [ARGUMENT]")
@options(
    "lines", "coins", "yarrow", "time", "numbers", "auto", "client_seed", "at", "pillars", "question", "question_type",
    "asker", "kinship", "horizon", "read", "no_plain", "reader", "on_failure", "an_dong", "yong_shen_absent", "void_kind",
    "leap", *CAST_SCHOOL,
)  # fmt: skip
@formats("text", "json", "jsonl", "svg", "md")
@options(*OUTPUT, "explain", "compact", "theme", "strict")
@click.pass_context
def command(ctx: click.Context, /, action: tuple[str, ...], **given: Any) -> int:
    """Cast six lines, or take given ones, and derive the hexagrams."""
    lang = language(given["lang"])
    name, *rest = action or ("chart",)
    lines = [word for word in action if len(word) == COUNT and set(word) <= set("6789")]
    if lines:
        raise click.UsageError(Said("lines_by_option", lines=lines[0]), ctx)
    if name not in ACTIONS:
        raise click.UsageError(Said("no_action", name=name[:30], allowed=Listed(ACTIONS)), ctx)
    wanted = {"explain": 1, "hexagram": 1, "verify": 1}.get(name, 0)
    if len(rest) != wanted:
        raise click.UsageError(Said("takes_one" if wanted else "takes_none", name=name), ctx)
    if name in ("hexagram", "types", "verify"):
        output.emit(_LOOK_UPS[name](rest, given, lang), given["output"])
        return 0
    record = _record(ctx, given, lang)
    if name == "cast":
        output.emit(_cast_text(record, given, lang), given["output"])
        return 0
    analysis = _analysis(record, given, lang)
    why = rest[0] if rest else given["explain"]
    in_words = given["read"] and why is None and given["format"] != "svg"
    reading = _reading(analysis, given, lang) if in_words else None
    output.emit(_written(analysis, reading, why, given, lang), given["output"])
    if given["format"] != "json" and not _is_declined(reading):
        for doubt in analysis.warnings:
            output.note("\n  ".join(noted(doubt, lang)))
    return output.strict_status(given["strict"], len(analysis.warnings), lang)


def _record(ctx: click.Context, given: dict[str, Any], lang: str) -> CastRecord:
    """The cast of the options; an automatic one without any."""
    from bazi_core.liuyao import cast

    asked = [*strongest(ctx, _SOURCES)]
    if given["pillars"] is not None and (given["at"] is not None or "time" in asked):
        raise click.UsageError(Said("at_or_pillars"))
    if len(asked) > 1:
        raise click.UsageError(Said("give_one", allowed=Listed("--" + name for name in asked)))
    method = asked[0] if asked else "auto"
    if method != "auto" and ctx.get_parameter_source("client_seed") is ParameterSource.COMMANDLINE:
        raise click.UsageError(Said("seed_auto"))
    match method:
        case "lines":
            return cast.lines(given["lines"])
        case "coins":
            return cast.coins()
        case "yarrow":
            return cast.yarrow()
        case "time":
            return cast.time(_at(given, lang), school=school_of(given), leap=given["leap"] or "same")
        case "numbers":
            first, second, *third = _numbers(given["numbers"])
            return cast.numbers(first, second, third[0] if third else None)
    return cast.commit().reveal("bazi" if given["client_seed"] is None else given["client_seed"])


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.replace("，", ",").split(",")]
    if not 2 <= len(parts) <= 3 or not all(
        part.isascii() and part.isdigit() and len(part) < 10 for part in parts
    ):
        raise click.BadParameter(Said("write_numbers"), param_hint="--numbers")
    return [int(part) for part in parts]


def _at(given: dict[str, Any], lang: str) -> str | datetime:
    """The time of the cast; by default that of the device, which the output states."""
    if given["at"] is None:
        given["at"] = present = clock.now()
        output.note(titled(label("ly_now", lang), present.isoformat(), lang))
    stated: str | datetime = given["at"]
    return stated


def _analysis(record: CastRecord, given: dict[str, Any], lang: str) -> Analysis:
    from bazi_core.liuyao import LiuyaoPolicy, derive

    names = ("an_dong", "yong_shen_absent", "void_kind")
    policy = LiuyaoPolicy.of({name: given[name] for name in names if given[name] is not None})
    when = {"pillars": given["pillars"]} if given["pillars"] is not None else {"at": _at(given, lang)}
    chart = derive(record, school=school_of(given), policy=policy, **when)
    return chart.analyze(
        given["question_type"], given["asker"], given["kinship"], given["horizon"], given["question"]
    )


def _written(
    analysis: Analysis, reading: DivinationResult | None, why: str | None, given: dict[str, Any], lang: str
) -> str:
    form = given["format"]
    if why is not None:
        return output.explained(why or "ly.sign", analysis.facts, form, lang)
    if form == "svg":
        from bazi_core.liuyao.svg import drawing

        return drawing(analysis.chart, lang, given["theme"] or "light") + "\n"
    if form in ("json", "jsonl"):
        objects = _objects(analysis, given) | ({} if reading is None else {"reading": reading.to_dict()})
        return output.as_json(objects, None if form == "jsonl" else 2)
    from bazi_core.liuyao.text import analysis_markdown, analysis_text

    if reading is not None and _is_declined(reading):
        return wrapped(reading.text) + "\n"
    paragraphs = _sections(reading)
    if form == "md":
        return analysis_markdown(analysis, lang, question=given["question"] or "") + "".join(
            f"\n{paragraph}\n" for paragraph in paragraphs
        )
    board = analysis_text(analysis, lang, output.columns(), given["question"] or "")
    return board + "".join(f"\n{wrapped(paragraph)}\n" for paragraph in paragraphs)


def _is_declined(reading: DivinationResult | None) -> bool:
    """Whether support was given in place of a divination."""
    return reading is not None and reading.status == "declined"


def _reading(analysis: Analysis, given: dict[str, Any], lang: str) -> DivinationResult:
    """The reading of an analysis; prints a note when the rules stood in for a model."""
    from bazi_core.liuyao import read

    wished = {name: given[name] for name in ("question", "on_failure") if given[name] is not None}
    reading = read(analysis, port=port_of(given), language=lang, plain=not given["no_plain"], **wished)
    note_fallback(reading.provenance, lang)
    return reading


def _sections(reading: DivinationResult | None) -> list[str]:
    """The paragraphs of a reading: its running text, the conclusion first, then the advice, the disclaimer last."""
    if reading is None:
        return []
    *said, last = reading.reading.paragraphs
    advice = (" " if reading.language == "en" else "").join(item.text for item in reading.reading.advice)
    return [*said, advice, last]


def _objects(analysis: Analysis, given: dict[str, Any]) -> dict[str, Any]:
    from bazi_core.liuyao.divination import divination

    method = (
        "手动起卦"
        if analysis.chart.cast is not None and analysis.chart.cast.method == "lines"
        else "自动起卦"
    )
    clockless = None if analysis.chart.moment else ""
    # The strict object echoes stated values; a kind taken from the words belongs to the analysis.
    stated = (given["question"] or "", (given["question_type"] and analysis.question_type) or "其他", method)
    return {
        "divination": divination(analysis.chart, *stated, clockless),
        "analysis": analysis.to_dict(facts=not given["compact"], lang=given["lang"] or "zh-Hans"),
    }


def _cast_text(record: CastRecord, given: dict[str, Any], lang: str) -> str:
    if written := _json(record.to_dict(), given):
        return written
    from bazi_core.tables.cast_words import word
    from bazi_core.wording import LINES

    rows = [
        f"{word(place, lang)}  {word(name, lang)}" for place, name in zip(LINES, record.lines, strict=True)
    ]
    seeds = [
        f"{name}  {value}"
        for name, value in record.to_dict().items()
        if name in ("seedCommit", "serverSeed", "clientSeed")
    ]
    return "\n".join([*reversed(rows), *seeds]) + "\n"


def _json(value: Any, given: dict[str, Any]) -> str:
    """A value as JSON, on one line for jsonl; empty for text formats."""
    if given["format"] not in ("json", "jsonl"):
        return ""
    return output.as_json(value, None if given["format"] == "jsonl" else 2)


def _hexagram(rest: list[str], given: dict[str, Any], lang: str) -> str:
    from bazi_core.liuyao import hexagram
    from bazi_core.liuyao.text import hexagram_text

    found = hexagram(rest[0])
    return _json(found.to_dict(), given) or hexagram_text(found, lang, output.columns())


def _types(rest: list[str], given: dict[str, Any], lang: str) -> str:
    from bazi_core.liuyao.text import types_text
    from bazi_core.tables import rows

    return _json([row["label"] for row in rows("liuyao/question_types")], given) or types_text(
        lang, output.columns()
    )


def _verify(rest: list[str], given: dict[str, Any], lang: str) -> str:
    import json

    from bazi_core.liuyao import cast

    try:
        stated = json.loads(_read(rest[0]))
    except (ValueError, RecursionError) as error:
        raise InvalidCast(Said("no_record", error=str(error)[:80]), reason="unreadable") from None
    for name in ("analysis", "cast"):
        # The command's own output contains the record.
        stated = stated.get(name, stated) if isinstance(stated, dict) else stated
    record = cast.verify(stated)
    return _json(record.to_dict(), given) or f"ok  {' '.join(record.lines)}\n"


def _read(name: str) -> str:
    import sys

    if name == "-":
        return sys.stdin.read()
    try:
        with open(name, encoding="utf-8") as opened:
            return opened.read()
    except OSError as error:
        raise click.UsageError(Said("cannot_read", name=name[:100], why=error.strerror)) from None


_LOOK_UPS = {"hexagram": _hexagram, "types": _types, "verify": _verify}
