"""The reply to an offer: the chosen statements and the free lines between them.

A reply is salvaged, not refused. Text around its JSON is stripped; a part that breaks a rule is dropped and counted; a
required statement that was not chosen is inserted, a claim brings its ground and a ground its claim. The speaker words
the chosen statements, so the only text of a reply that is printed are lines that state nothing (`free_line`). Only a
reply that chooses too little is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from bazi_core.errors import PortInvalidOutput
from bazi_core.facts import canonical_json, composed
from bazi_core.model.call_loop import Checked
from bazi_core.model.port import LONGEST
from bazi_core.readings.free_line import fault
from bazi_core.readings.grounding import Grounding, grounding_of
from bazi_core.readings.offer import DOMAINS, KINDS
from bazi_core.speech.plan import CLAIM, GROUND, SUMMARY
from bazi_core.speech.reading import Sentence
from bazi_core.speech.speaker import Part, Speaker
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bazi_core.facts import Fact
    from bazi_core.model.port import ReadingReply
    from bazi_core.readings.offer import Offer
    from bazi_core.speech.plan import Plan, Statement
    from bazi_core.speech.reading import Reading

# Parts of a reply that are looked at; a reading has never so many.
MOST_PARTS = 200
# Of the wanted statements at least this part has to be chosen.
LEAST_SHARE = 1 / 3
MOST_KEYWORDS = 8
# A schema allows so many sentences in a summary; lines give way there.
MOST_OF_SUMMARY = 5
# The most opening braces tried before the parts are parsed one by one.
_TRIES = 4
_THOUGHT_ENDS, _FENCE = "</think>", "```"


class Choice(NamedTuple):
    """The usable parts of a reply: ids of the menu with a variant, the lines after each, and counts of dropped parts."""

    said: dict[str, int]
    opening: tuple[str, ...]
    lines: dict[str, tuple[str, ...]]
    keywords: tuple[str, ...]
    domain: str | None
    kind: str | None
    dropped: dict[str, int]

    def to_text(self) -> str:
        """The choice as the text of a reply, without the dropped parts."""
        parts: list[dict[str, Any]] = [{"free": line} for line in self.opening]
        for name, variant in self.said.items():
            parts.append({"say": name, "variant": variant})
            parts += [{"free": line} for line in self.lines.get(name, ())]
        understood = {"domain": self.domain, "kind": self.kind}
        return canonical_json({"understood": understood, "parts": parts, "keywords": list(self.keywords)})


class Written(NamedTuple):
    """The reading of a reply, with its grounding, and the facts of the plan that it was chosen from."""

    reading: Reading
    grounding: Grounding
    facts: Mapping[str, Fact]


def check_reply(offer: Offer, reply: ReadingReply) -> Checked[Written]:
    """The reading of a reply; `PORT_INVALID_OUTPUT` if too little of it is usable."""
    choice = chosen(offer, reply)
    plan = _understood(offer, choice)
    reading = arranged(offer._replace(plan=plan), choice)
    grounding = grounding_of(reading, plan, choice.dropped)
    lost = len(choice.opening) + sum(map(len, choice.lines.values())) - grounding.free_lines
    if lost:
        dropped = Counter(choice.dropped) + Counter(too_many_lines=lost)
        grounding = grounding._replace(dropped=tuple(sorted(dropped.items())))
    return Checked(Written(reading, grounding, plan.facts), choice.to_text())


def _understood(offer: Offer, choice: Choice) -> Plan:
    """The plan of the offer, or the one for the domain and kind that the model gives the question."""
    about = (choice.domain or offer.about[0], choice.kind or offer.about[1])
    if offer.replan is None or about == offer.about:
        return offer.plan
    return offer.replan(*about)


def chosen(offer: Offer, reply: ReadingReply) -> Choice:
    """The usable parts of a reply; `PORT_INVALID_OUTPUT` if they are too few."""
    value = parsed(reply)
    parts = value.get("parts")
    listed: list[Any] = parts if type(parts) is list else []
    dropped = Counter[str]()
    if len(listed) > MOST_PARTS:
        dropped["over_length"] += len(listed) - MOST_PARTS
    said, lines, opening = _sorted_out(offer, listed[:MOST_PARTS], dropped)
    if not said or len(said) < offer.wanted * LEAST_SHARE:
        raise _useless("TOO_FEW", f"chose {len(said)} of about {offer.wanted} statements")
    named = value.get("keywords")
    keywords = [each for each in (named if type(named) is list else [])[:MOST_PARTS] if _is_id(each, offer)]
    understood = value.get("understood")
    about = understood if type(understood) is dict else {}
    return Choice(
        said, opening, lines, tuple(dict.fromkeys(keywords))[:MOST_KEYWORDS], _member(about.get("domain"), DOMAINS),
        _member(about.get("kind"), KINDS), dict(dropped),
    )  # fmt: skip


def _sorted_out(
    offer: Offer, parts: list[Any], dropped: Counter[str]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Chosen ids with their variants, the lines behind each of them, and those before the first."""
    said: dict[str, int] = {}
    lines: dict[str, tuple[str, ...]] = {}
    last = ""
    seen_lines = set[str]()
    for part in parts:
        reason = None
        if type(part) is not dict or not ("say" in part or "free" in part):
            reason = "shape"
        elif "say" in part:
            name, variant = part["say"], part.get("variant")
            reason = _refused(name, offer, said)
            if reason is None:
                said[name] = variant if type(variant) is int and 0 <= variant < 100 else 0
                last = name
        else:
            line = (
                composed(part["free"]).strip()
                if type(part["free"]) is str and len(part["free"]) < 1000
                else part["free"]
            )
            reason = (
                "long" if type(line) is str and len(line) >= 1000 else fault(line, offer.request.language)
            )
            reason = "repeated" if reason is None and line in seen_lines else reason
            if reason is None:
                seen_lines.add(line)
                lines[last] = (*lines.get(last, ()), line)
        if reason is not None:
            dropped[reason] += 1
    return _within(offer, said, lines, dropped)


def _refused(name: Any, offer: Offer, said: dict[str, int]) -> str | None:
    if not _is_id(name, offer):
        return "unknown_id"
    if name in said:
        return "repeated"
    return "over_length" if len(said) >= offer.most else None


def _is_id(name: Any, offer: Offer) -> bool:
    return type(name) is str and name in offer.menu


def _member(value: Any, allowed: tuple[str, ...]) -> str | None:
    return value if type(value) is str and value in allowed else None


def _within(
    offer: Offer, said: dict[str, int], lines: dict[str, tuple[str, ...]], dropped: Counter[str]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The choice with at most one free line for two statements."""
    room = len(said) // 2
    lines_left: dict[str, tuple[str, ...]] = {}
    for name, each in lines.items():
        lines_left[name] = each[:room]
        room -= len(lines_left[name])
        if len(lines_left[name]) < len(each):
            dropped["too_many_lines"] += len(each) - len(lines_left[name])
    return said, {name: each for name, each in lines_left.items() if name and each}, lines_left.get("", ())


def arranged(offer: Offer, choice: Choice) -> Reading:
    """The reading of a choice: claims with their grounds in the model's order, required statements at their place."""
    plan = offer.plan
    place = {statement.id: at for at, statement in enumerate(plan.statements)}
    # Statements that answer another question than the one understood are not in the plan.
    said = {name: place[each.id] for name, each in offer.menu.items() if each.id in place}
    picked = [said[name] for name in choice.said if name in said]
    order = _with_required(plan, _with_grounds(plan, picked), offer.most)
    variants = {said[name]: variant for name, variant in choice.said.items() if name in said}
    lines = {said[name]: each for name, each in choice.lines.items() if name in said}
    speaker = Speaker(offer.request.language, plan.digest, offer.tone, offer.plain)
    keywords = [value for name in choice.keywords for value in _term_of(offer.menu[name])]
    return speaker.assembled(plan, _spoken(plan, order, variants, lines, choice.opening), keywords)


def _spoken(
    plan: Plan, order: list[int], variants: dict[int, int], lines: dict[int, tuple[str, ...]], opening: tuple[str, ...]
) -> Iterator[Part]:  # fmt: skip
    """The parts of a reading in the order in which they are read; a summary has as many lines as it has room for."""
    first = plan.statements[order[0]].topic if order else SUMMARY
    room = MOST_OF_SUMMARY - sum(plan.statements[at].topic == SUMMARY for at in order)

    def own(topic: str, given: tuple[str, ...]) -> Iterator[Part]:
        nonlocal room
        for line in given:
            if topic != SUMMARY or room > 0:
                room -= topic == SUMMARY
                yield Part(topic, Sentence(line, (), "transition"))

    yield from own(first, opening)
    for at in order:
        statement = plan.statements[at]
        yield Part(statement.topic, statement, variants.get(at))
        yield from own(statement.topic, lines.get(at, ()))


def _term_of(statement: Statement) -> tuple[Any, ...]:
    """The keyword of a statement, a tuple of at most one value."""
    from bazi_core.speech.catalogue import Sign, Term

    return tuple(value for value in statement.values.values() if isinstance(value, Term | Sign))[:1]


def _with_grounds(plan: Plan, picked: list[int]) -> list[int]:
    """The picked statements, each claim with a ground behind it and each ground behind its claim."""
    claims = _claims(plan)
    grounds: dict[int, int] = {}
    for at, claim in claims.items():
        if at != claim and plan.statements[at].relation == GROUND:
            grounds.setdefault(claim, at)
    blocks: dict[int, list[int]] = {}
    for at in picked:
        block = blocks.setdefault(claims[at], [])
        if at != claims[at]:
            block.append(at)
    order = []
    for claim, block in blocks.items():
        has = any(plan.statements[at].relation == GROUND for at in block)
        order += [claim, *([grounds[claim]] if claim in grounds and not has else []), *block]
    return order


def _claims(plan: Plan) -> dict[int, int]:
    """Index of every statement → index of its claim; a statement without a claim maps to itself."""
    claims, last = dict[int, int](), dict[str, int]()
    for at, statement in enumerate(plan.statements):
        if statement.relation == CLAIM:
            last[statement.topic] = at
        claims[at] = last.get(statement.topic, at)
    return claims


def _with_required(plan: Plan, order: list[int], most: int) -> list[int]:
    """The order with required statements inserted; beyond `most` the last optional ones are removed."""
    missing = [at for at, each in enumerate(plan.statements) if each.required and at not in order]
    spare = len(order) + len(missing) - most
    for at in reversed(order.copy()):
        if spare > 0 and not plan.statements[at].required:
            order.remove(at)
            spare -= 1
    for at in missing:
        order.insert(_place(plan, order, at), at)
    topics = dict.fromkeys((SUMMARY, *(plan.statements[at].topic for at in order)))
    return [at for topic in topics for at in order if plan.statements[at].topic == topic]


def _place(plan: Plan, order: list[int], at: int) -> int:
    """The index at which to insert a statement: before the next of its topic in the plan, else after its topic."""
    topic = plan.statements[at].topic
    own = [place for place, other in enumerate(order) if plan.statements[other].topic == topic]
    if not own:
        behind = plan.topics[plan.topics.index(topic) :]
        return next(
            (n for n, other in enumerate(order) if plan.statements[other].topic in behind), len(order)
        )
    return next((place for place in own if order[place] > at), own[-1] + 1)


def parsed(reply: ReadingReply) -> dict[str, Any]:
    """The JSON object of a reply, without surrounding text; the first parts if the reply is cut off."""
    if reply.parsed is not None:
        if type(reply.parsed) is dict:
            return reply.parsed
        raise _useless("JSON", "must be one JSON object")
    if len(reply.text) > LONGEST:
        raise _useless("TOO_LONG", f"must have at most {LONGEST} characters, has {len(reply.text)}")
    text = _bare(reply.text)
    for start in _braces(text):
        value = _value(text, start)[0]
        if type(value) is dict and "parts" in value:
            return value
    parts = [*_parts_one_by_one(text)]
    if not parts:
        cut = reply.finish_reason == "length"
        raise _useless(
            "CUT_OFF" if cut else "JSON", "the reply was cut off" if cut else "must be one JSON object"
        )
    return {"parts": parts}


def _bare(text: str) -> str:
    """The text after a model's thinking block, within the first fence.

    >>> _bare('<think>hm</think>Here it is:\\n```json\\n{"parts": []}\\n```')
    'json\\n{"parts": []}\\n```'
    """
    _, ended, behind = text.rpartition(_THOUGHT_ENDS)
    if ended and "{" in behind:
        text = behind
    _, fenced, inside = text.partition(_FENCE)
    return inside if fenced and "{" in inside else text


def _braces(text: str) -> Iterator[int]:
    """Offsets of the first opening braces of a text."""
    at = -1
    for _ in range(_TRIES):
        at = text.find("{", at + 1)
        if at < 0:
            return
        yield at


def _value(text: str, start: int) -> tuple[Any, int]:
    """The JSON value at an offset and its end; None if there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _parts_one_by_one(text: str) -> Iterator[Any]:
    """The parts of an incomplete reply, up to the first broken one."""
    at = text.find('"parts"')
    at = text.find("[", at) + 1 if at >= 0 else 0
    while at:
        while text[at : at + 1] in _BETWEEN:
            at += 1
        value, end = _value(text, at)
        if end == at:
            return
        yield value
        at = end


def _small(digits: str) -> int:
    return int(digits) if len(digits) < 10 else -1


_BETWEEN = (" ", "\n", "\r", "\t", ",")
_DECODER = json.JSONDecoder(parse_int=_small, parse_constant=lambda _: None)


def _useless(code: str, detail: str) -> PortInvalidOutput:
    return PortInvalidOutput(
        Said("reply_problem", count=1, code=code),
        problems=[{"step": 1, "path": "", "code": code, "detail": detail}],
    )
