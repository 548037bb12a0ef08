"""Whatever reads text from outside, each as a work on one text; it may refuse the text, but not take its time."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import date
from functools import cache
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import bazi_core as bz
from bazi_cli import problems as cli_problems
from bazi_cli.commands.calendar import _parsed as month_of
from bazi_cli.manners import _BIRTH
from bazi_cli.request import read_years
from bazi_cli.usage import _ends, _recognised
from bazi_core.almanac.purposes import asks_of_day, items_without_doctrine, purposes_in
from bazi_core.astro.lunar_text import names_lunar_day, parse_lunar_date
from bazi_core.birth import Birth
from bazi_core.dates import dates_of, weekday_in
from bazi_core.errors import BaziError
from bazi_core.face import Chart
from bazi_core.facts import canonical_json, composed
from bazi_core.hours import time_at, time_before
from bazi_core.liuyao.asked import taken
from bazi_core.liuyao.calendar import moment_of
from bazi_core.liuyao.cast import CastRecord
from bazi_core.liuyao.divination import _clock
from bazi_core.liuyao.lines import values_of
from bazi_core.model.codec import Dialect, Received, adapted, decode, patience_s
from bazi_core.model.fakes import RecordedPort
from bazi_core.model.port import ReadingReply
from bazi_core.place import completion, gazetteer, suggestions, zones
from bazi_core.place.gazetteer import look_up
from bazi_core.place.zones import canonical_key
from bazi_core.questions.classes import is_of_life
from bazi_core.questions.days import day_named, running_span
from bazi_core.questions.heard import heard
from bazi_core.questions.intent import intent
from bazi_core.questions.parts import parted
from bazi_core.questions.persons import owner_of
from bazi_core.questions.question import question
from bazi_core.questions.safety import unsafe
from bazi_core.readings.free_line import LONGEST as LONGEST_LINE
from bazi_core.readings.free_line import fault
from bazi_core.readings.offer import PATTERN, Offer, offer
from bazi_core.readings.reply import check_reply, parsed
from bazi_core.readings.wish import Wish
from bazi_core.render.markdown import _MARKUP
from bazi_core.render.width import _uncoloured, fold
from bazi_core.school import School
from bazi_core.speech.statements.chart import pattern_plan
from bazi_core.tables.words import configured
from bazi_core.when import parse_date, parse_offset, parse_when
from bazi_hub.divination import days
from bazi_hub.divination.days import day_of, instant_ms, zone
from bazi_hub.divination.fields import held
from bazi_hub.divination.language import accepted, narrated, requested
from bazi_hub.divination.output import deltas
from bazi_hub.divination.problems import RunProblem
from bazi_hub.divination.request import DivinationPayload, HistoryQuery, RunAgentInput
from bazi_hub.http import guards
from bazi_hub.http.guards import Guards, host_name, origin
from bazi_hub.http.wire import agui, mcp, rest
from bazi_hub.http.wire.header_value import header_value
from bazi_hub.http.wire.idempotency import idempotency
from bazi_hub.http.wire.json import parse
from bazi_hub.operate.config import _host, _seconds
from bazi_hub.pages import address as web_address
from bazi_hub.pages import casts as web_casts
from bazi_hub.pages import charts as web_charts
from bazi_hub.pages import readings as web_readings
from bazi_hub.pages import years as web_years
from bazi_hub.pages.chinese import told
from bazi_hub.pages.forum import _COMMA
from bazi_hub.pages.heard import answerable, year_of
from bazi_hub.pages.heard import heard as heard_on_a_page
from bazi_hub.pages.markdown import _RENDERER
from bazi_hub.pages.markdown import plain as plain_markdown
from bazi_hub.pages.request import Trouble, _fields, local_path, network
from bazi_hub.people import keys
from bazi_hub.people.guessable import weakness
from bazi_hub.people.identity import Secrets, cookies_of, key_of
from bazi_hub.tools.catalog import CATALOG
from bazi_hub.tools.refusals import BadArguments, refusal
from bazi_hub.tools.tool import checked
from bazi_hub.words.call import key_issues
from bazi_hub.words.errors import HubError
from bazi_hub.words.settings import Settings
from bazi_hub.words.text_rules import characters, cleaned

if TYPE_CHECKING:
    from collections.abc import Callable

    from bazi_hub.tools.tool import Tool

    Work = Callable[[str], object]

SETTINGS = Settings()
REFUSALS = (
    BaziError, HubError, RunProblem, BadArguments, Trouble, agui.BadEventId, ValueError, TypeError, KeyError, LookupError,
    RecursionError, cli_problems.click.ClickException,
)  # fmt: skip
# Characters of a post, of an answer to a question.
LONGEST_POST, LONGEST_TOLD = 10_000, 2_000
# What remembers texts: to be told what was found the first time takes no time.
REMEMBERING = (
    gazetteer._look_up, suggestions.suggest, completion._complete, zones._canonical_key, guards._origin,
    guards._host_name, days._zone, intent,
)  # fmt: skip


def refusing(work: Work) -> Work:
    """The same, for which to refuse is to have read."""

    def done(text: str) -> None:
        for each in REMEMBERING:
            each.cache_clear()
        with suppress(*REFUSALS):
            work(text)

    return done


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# --- the hub ------------------------------------------------------------------------------------------------------------


def _filled(schema: dict[str, Any], text: str) -> Any:
    """A value of a schema's shape in which every leaf is the text."""
    if "properties" in schema:
        return {name: _filled(member, text) for name, member in schema["properties"].items()}
    return [text] if schema.get("type") == "array" else text


def _arguments(text: str) -> None:
    for tool in CATALOG.values():
        _told(tool, _filled(tool.schema, text))


def _nested(tool: Tool) -> Work:
    """The text as members, and as items, of every argument."""

    def work(text: str) -> None:
        names = {text[at : at + 8]: 0 for at in range(0, len(text), 8)}
        _told(tool, names)
        _told(tool, {name: [0] * len(text) for name in tool.schema["properties"]})
        _told(tool, dict.fromkeys(tool.schema["properties"], names))

    return work


# A birth, a text with tags, and parents within; the whole suite tries the others too.
SHAPES = ("bazi_basic_analysis", "forum_create_post", "bigluck_year_fortune_eval")
NESTED = {f"names and items of {name}": _nested(tool) for name, tool in CATALOG.items()}


def _told(tool: Any, arguments: Any) -> None:
    try:
        checked(tool, arguments)
    except BadArguments as wrong:
        rest.failure(refusal(tool, wrong))
    except BaziError as error:
        rest.failure(refusal(tool, error))


_PAYLOAD = ("divinationMethod", "questionType", "question", "divinationTimeIso", "yaoLines")


def _run(text: str) -> None:
    payload = dict.fromkeys(_PAYLOAD, text)
    props = {
        "runtime_mode": text, "ai_language": text, "divinationPayload": payload,
        "client_time": {"device_timezone": text, "client_now_iso": text, "client_epoch_ms": 1},
    }  # fmt: skip
    said = {"id": text, "role": "user", "content": text}
    held(
        RunAgentInput,
        {
            "threadId": text, "runId": text, "state": {text: text}, "messages": [said], "tools": [], "context": [],
            "forwardedProps": props,
        }
    )  # fmt: skip


def _run_names(text: str) -> None:
    names = {text[at : at + 8]: 0 for at in range(0, len(text), 8)}
    held(DivinationPayload, {**names, "yaoLines": [0] * len(text)})


def _forwarded(text: str) -> None:
    headers = [(b"x-forwarded-for", text.encode("latin-1", "replace")), (b"x-forwarded-proto", b"http")]
    Guards(Settings(trusted_proxies=("10.0.0.0/8",))).seen_through(
        {"client": ("10.0.0.1", 1), "scheme": "http", "headers": headers}
    )


def _form(text: str) -> None:
    values = web_address.fields(dict.fromkeys(web_address.FIELDS, text))
    web_address.chart_of(values)


def _address(text: str) -> None:
    values = web_address.fields(dict.fromkeys(("t", *web_address.FIELDS), text))
    web_address.chart_of(values)


def _open(text: str) -> None:
    for parts in ((text, "", ""), ("庚午-辛巳-庚辰-壬午", text, ""), ("庚午-辛巳-庚辰-壬午", "m", text)):
        with suppress(LookupError):
            web_address.open_chart(*parts)


def _cast_form(text: str) -> None:
    values = web_casts.fields(dict.fromkeys(web_casts.FIELDS, text))
    web_casts.committed(Secrets(b"p" * 32, b"s" * 32), text, 0)
    web_casts.missing(values)
    web_casts.read_question(text)
    web_casts.time_of(values, 0)
    web_casts.time_of({**values, "place": "UTC"}, 0)


def _cast_address(text: str) -> None:
    """The text in the place of each member of the address of a board."""
    lines = {"lines": "789876", "at": "2026-04-03T20:30:00+08:00"}
    thrown = {"seed": 64 * "0", "words": "a", "at": "2026-04-03T20:30:00+08:00"}
    for query in (lines, thrown):
        for name in (*query, "type", "q"):
            with suppress(*REFUSALS):
                web_casts.of_query({**query, name: text})


HUB: dict[str, Work] = {
    "json": lambda text: parse(_bytes(text)),
    "mcp": lambda text: mcp.read(_bytes(text), mcp.PLAIN, SETTINGS),
    "mcp members": lambda text: mcp.read(
        json.dumps({"jsonrpc": "2.0", "id": text, "method": text, "params": {text: text}}).encode(),
        mcp.PLAIN,
        SETTINGS,
    ),
    "mcp header": header_value,
    "rest": lambda text: rest.read(_bytes(text), SETTINGS),
    "rest path": lambda text: rest.call(rest.target("/api/" + text), {}, {}, None, "1"),  # type: ignore[arg-type]
    "arguments": _arguments,
    **{name: work for name, work in NESTED.items() if name.endswith(SHAPES)},
    "run": _run,
    "run names and items": _run_names,
    "run language": requested,
    "run sentences": lambda text: deltas(text[:LONGEST_TOLD]),
    "history": lambda text: held(
        HistoryQuery, dict.fromkeys(("threadId", "day", "tz", "before", "limit"), text)
    ),
    "days": refusing(lambda text: (refusing(day_of)(text), refusing(instant_ms)(text), zone(text))),
    "event id": lambda text: agui.resumed(text, "run"),
    "host": host_name,
    "origin": origin,
    "accept-language": lambda text: narrated(accepted(text) or text),
    "authorization": lambda text: keys.parse(key_of({"authorization": "Bearer " + text}) or ""),
    "forwarded": _forwarded,
    "address": network,
    "idempotency": lambda text: (key_issues("key", text), idempotency(text, {"idempotencyKey": text})),
    "cookies": lambda text: cookies_of({"cookie": text}),
    "form": lambda text: _fields(_bytes(text)),
    "birth form": _form,
    "address of a chart": _address,
    "open chart": _open,
    "cast form": _cast_form,
    "cast address": _cast_address,
    "page query": lambda text: (
        web_charts._below(text),
        web_charts._TOKEN.fullmatch(text),
        web_readings._YEAR.fullmatch(text),
        web_years._YEAR.fullmatch(text),
        local_path(text),
        _COMMA.split(text),
    ),
    "question on a page": lambda text: (
        heard_on_a_page(text, "life", 2026, "en"),
        answerable(text),
        year_of(text, 2026),
    ),
    "markdown": lambda text: _RENDERER.render(text[:LONGEST_POST]),
    "markdown in lists": lambda text: plain_markdown(text[:LONGEST_POST]),
    "writing": lambda text: (cleaned(text), cleaned(text, lines=True), characters(text)),
    "sentences of refusals": lambda text: told(text[:1000], "zh-Hans"),
    "password": lambda text: weakness(text, [text[:255]]),
    "settings": lambda text: (_seconds(text), _host(text)),
}

# --- readings ----------------------------------------------------------------------------------------------------------


def _reply(text: str) -> None:
    message = {"choices": [{"message": {"content": text}, "finish_reason": text}], "model": text}
    parsed(decode(Received(200, {}, json.dumps(message).encode())))


@cache
def _offer() -> Offer:
    result = bz.chart("1990-05-15 13:30", city="北京", gender="male").pattern()
    return offer(pattern_plan(result), Wish(), PATTERN, 29)


def _parts(text: str) -> None:
    """The text as the line, the id and the variant of many parts, and as many parts."""
    line = [{"free": text}, {"say": text, "variant": text}, {text: text}]
    chosen = [{"say": name, "variant": 0} for name in _offer().menu]
    for parts in ([*chosen, *line], [*chosen, *text], text):
        with suppress(*REFUSALS):
            check_reply(
                _offer(), ReadingReply(parsed={"parts": parts, "keywords": [*text], "understood": text})
            )


def _lines(text: str) -> None:
    """The text as one line and cut into lines, the same line once."""
    for language, longest in LONGEST_LINE.items():
        fault(text, language)
        for line in {text[at : at + longest] for at in range(0, len(text), longest)}:
            fault(line, language)


READINGS: dict[str, Work] = {
    "reply": _reply,
    "reply text": lambda text: parsed(ReadingReply(text, "m")),
    "reply status": lambda text: (
        adapted(Dialect(), Received(400, {}, _bytes(text))),
        decode(Received(400, {}, _bytes(text))),
    ),
    "retry-after": lambda text: patience_s(Received(429, {"retry-after": text, "date": text}, b"")),
    "parts of a reply": _parts,
    "lines of a reply": _lines,
    "whole reply": lambda text: check_reply(_offer(), ReadingReply(text)),
    "question": question,
    "question about a day": lambda text: (purposes_in(text), items_without_doctrine(text), asks_of_day(text)),
    "life or death": is_of_life,
    "intent": intent,
    "parts": lambda text: (parted(text), owner_of(text, 50)),
    "days": lambda text: (day_named(text, date(2026, 11, 28)), running_span(text, date(2026, 11, 28))),
    "asked": taken,
    "heard": heard,
    "safety": unsafe,
    "recorded": RecordedPort.from_json,
}

# --- the core and the command -------------------------------------------------------------------------------------------


@cache
def _plain_chart() -> str:
    return bz.chart("1990-05-15 13:30", city="北京", gender="male").to_json()


def _chart(name: str) -> Work:
    """The text in the place of a member of a chart."""

    def work(text: str) -> None:
        Chart.from_dict({**json.loads(_plain_chart()), name: text})

    return work


def _birth(text: str) -> None:
    value = json.loads(_plain_chart())["birth"]
    for name in value:
        with suppress(*REFUSALS):
            Birth.from_dict({**value, name: text})


def _cast(text: str) -> None:
    for made in (
        {"method": text, "lines": [*text]},
        {"method": "coins", "faces": [*text], "clientSeed": text, "lines": text},
    ):
        with suppress(*REFUSALS):
            CastRecord.from_dict(made)


def _chart_arguments(text: str) -> None:
    for given in (
        {"city": text},
        {"tz": text},
        {"utc_offset": text, "longitude": 1.0},
        {"gender": text},
        {"label": text},
    ):
        with suppress(*REFUSALS):
            bz.chart(
                "1990-05-15 13:30", **{"utc_offset": "+08:00", "longitude": 120.0, "gender": "male", **given}
            )
    with suppress(*REFUSALS):
        bz.chart(pillars=text)


# The default set tries every eighth.
MEMBERS = {f"{name} of a chart": _chart(name) for name in json.loads(_plain_chart())}

CORE: dict[str, Work] = {
    "when": parse_when,
    "date": parse_date,
    "dates": lambda text: (dates_of(text[:100]), weekday_in(text[:100])),
    "hours": lambda text: (time_at(text[:100], 0), time_before(text[:100])),
    "lunar": lambda text: (names_lunar_day(text), parse_lunar_date(text)),
    "offset": parse_offset,
    "place": look_up,
    "place that is typed": completion.complete,
    "zone": canonical_key,
    "cast time": lambda text: moment_of(text, School()),
    "cast clock": _clock,
    "lines": values_of,
    "cast": _cast,
    "composed": composed,
    "json of facts": lambda text: canonical_json({text: text}),
    "markup": lambda text: _MARKUP.sub(r"\\\1", text),
    "width": _uncoloured,
    "fold": lambda text: fold(text, 80),
    "chart of JSON": Chart.from_json,
    **{name: work for at, (name, work) in enumerate(MEMBERS.items()) if at % 8 == 0},
    "birth": _birth,
    "chart arguments": _chart_arguments,
    "school": lambda text: School.from_dict(dict.fromkeys(School().to_dict(), text)),
}


def _configuration(text: str) -> None:
    with NamedTemporaryFile("wb") as file:
        file.write(_bytes(text))
        file.flush()
        configured(file.name)


CLI: dict[str, Work] = {
    "configuration": _configuration,
    "month": month_of,
    "years": lambda text: read_years(None, text),
    "birth without command": lambda text: re.match(_BIRTH, text, re.IGNORECASE),
    "message of click": lambda text: _recognised(_ends(text)),
    "message": lambda text: cli_problems.in_flags(cli_problems.shortened(text)),
}

WORKS: dict[str, Work] = {name: refusing(work) for name, work in (HUB | READINGS | CORE | CLI).items()}
EVERY: dict[str, Work] = {name: refusing(work) for name, work in (NESTED | MEMBERS).items()} | WORKS

# With these four parsers were slow once.
KNOWN: tuple[tuple[str, str, str], ...] = (
    ("[" * 65, '"\\', ""), ("```", "\n", "x"), ("<think>", "<think>", ""), ("e", "\u0301\u0323", ""),
)  # fmt: skip
# What repeats, between what it begins and ends with: each has broken a parser of somebody.
SEEDS: tuple[tuple[str, str, str], ...] = (
    ("", "x", ""), ("", " ", "x"), ("", "\t\n", "x"), ("", "1", ""), ("", "0,", ""), ("", ",", ""), ("", "、", ""),
    ("[" * 65, '"\\', ""), ("[" * 65 + '"', "\\", ""), ("", '"', ""), ("", "[", ""), ("[", "0,", "0]"), ("", '{"a":', ""),
    ("{", '"a":0,', '"b":0}'), ('["', "\\u0041", '"]'), ('["', "\\ud800", '"]'), ("", "\\", ""), ("```", "\n", "x"),
    ("```json\n", " \n", "x"), ("```", "```\n", ""), ("<think>", "<think>", ""), ("<think>", "</think", ""),
    ("e", "\u0301\u0323", ""), ("", "\u0344", ""), ("", "\u1112\u1161\u11ab", ""), ("", "\ufdfa", ""), ("", "\u200b", ""),
    ("", "\ud800", ""), ("", "\U000e0041", ""), ("", "a ", ""), ("", "a.", ""), ("", "d-i-e ", ""), ("", "命 ", ""),
    ("", "命  ", "x"), ("", "必", ""), ("", "克夫必", ""), ("", "一", ""), ("", "十", ""), ("", "官鬼", ""), ("", "；", ""),
    ("", "1990-05-15 ", ""), ("", "1990年", ""), ("农历", "一九", "年"), ("", "-", ""), ("", "+08:", ""), ("", "(", ""),
    ("", "*a ", ""), ("", "_a", "_"), ("", "![", ""), ("", "[a](", ""), ("", "<a", ""), ("", "&", ""), ("", "> ", "x"),
    ("", "- ", "x"), ("", "`", "x"), ("", "a`b``", ""), ("", "http://", ""), ("", "a=b;", ""), ("", "a=b&", ""),
    ("", "%41", ""),
    ("", "zh;q=0.5,", ""), ("en", "-aaaaaaaa", "!"), ("", "10.0.0.1,", ""), ("=?base64?", "AAAA", "?="), ("", ".", ""),
    ("", "reply in ", ""), ("", "reply ", ""), ("", "。", ""), ("", '。"', "x"), ("", "|", "x"), ("", "'", ""),
    ("", "a.", "a=1"), ("", "a.a.a=1\n", ""), ("[", "a.", "a]"), ("", '"a".', "a=1"), ("", "a=[", ""),
    ("", "寅、", "亥日"), ("", "日辰冲", ""), ("", "三爻与五爻相合", ""),
)  # fmt: skip
