"""A cast as the pages know it, in the three forms in which it travels: fields of a form, an address, and what is kept.

The site throws by commit and reveal. The number of a throw follows from the secret of the hub and from a token in the form;
its fingerprint is shown with the form, before the visitor has written a word. So nothing is stored for somebody who is not
signed in, and anybody can recompute the lines once the number is told.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from bazi_core import liuyao
from bazi_core.astro.civil import clock_of_wall, format_offset
from bazi_core.errors import AmbiguousLocalTime, BaziError, PlaceAmbiguous, PlaceError, ZoneUnknown
from bazi_core.liuyao.analysis import Analysis
from bazi_core.liuyao.asked import taken
from bazi_core.liuyao.calendar import moment_of
from bazi_core.liuyao.cast import LONGEST_SEED, CastRecord, Commitment, commit
from bazi_core.place.gazetteer import look_up
from bazi_core.place.zones import canonical_key, zone
from bazi_core.questions.question import Question
from bazi_core.questions.question import question as question_of
from bazi_core.school import School
from bazi_core.when import parse_date, parse_when
from bazi_hub.divination.request import LONGEST_QUESTION, METHODS, TIME
from bazi_hub.people.identity import Secrets
from bazi_hub.ports import Ids
from bazi_hub.words.call import compact
from bazi_hub.words.text_rules import characters, cleaned

BY_HAND, BY_COINS = METHODS
# The kind of a question that no other kind covers: 世 stands for it.
ANYTHING = "其他"
COUNT = 6
# How long the fingerprint in a form may be thrown with.
GOOD_FOR_MS = 6 * 3_600_000
# Bytes of the visitor's words, and characters of a place or a time in the form.
LONGEST_FIELD = 100
FIELDS = ("question", "type", "place", "when", "words", "token", *(f"y{n}" for n in range(1, COUNT + 1)))
_LINES = re.compile("[6-9]{6}")
_SEED = re.compile("[0-9a-f]{64}")
_TOKEN = re.compile("([0-9a-f]{1,12}-[0-9a-f]{24})-([0-9a-f]{64})")
_SCHOOL = School()


class BadCast(ValueError):
    """What is no cast."""


class PageCast(NamedTuple):
    """A cast: the values of its lines from line 1, RFC 3339 time, stated kind of question (empty where the words say it) and
    question. `seed` and `words` are the number and the visitor's words of a throw, from which the lines follow; `seen` is a
    throw that the hub kept when it was made, so that it vouches for the order in which both were told.
    """

    lines: str
    at: str
    kind: str = ""
    question: str = ""
    seed: str = ""
    words: str = ""
    seen: bool = False

    @property
    def record(self) -> CastRecord:
        """The record of the cast, which anybody can verify."""
        if self.seed:
            return commit(bytes.fromhex(self.seed)).reveal(self.words)
        return liuyao.cast.lines(self.lines)

    @property
    def method(self) -> str:
        return BY_COINS if self.seed else BY_HAND

    def query(self, question: bool = False) -> str:
        """The query of its address; the question is in it only where that is wanted."""
        of_lines = {"seed": self.seed, "words": self.words} if self.seed else {"lines": self.lines}
        members = {**of_lines, "at": self.at, "type": self.kind, "q": self.question if question else ""}
        return urlencode({name: value for name, value in members.items() if value})

    def payload(self) -> dict[str, Any]:
        """The cast as a run takes it."""
        return {
            "divinationMethod": self.method,
            "questionType": asked(self).label,
            "question": self.question,
            "divinationTimeIso": self.at,
            "yaoLines": [*self.record.lines],
        }

    def analysis(self) -> Analysis:
        """Its board, judged for its question."""
        chart = liuyao.derive(self.record if self.seed else self.lines, self.at)
        found: Analysis = chart.analyze(asked(self).label, question=self.question or None)
        return found

    def body(self) -> str:
        """The cast as it is kept."""
        return compact(self._asdict())


def of_body(body: str) -> PageCast:
    """A cast that was kept."""
    return PageCast(**json.loads(body))


def of_query(query: dict[str, str]) -> PageCast:
    """The cast of an address; `BadCast` for what is none."""
    seed, words, lines = (query.get(name, "") for name in ("seed", "words", "lines"))
    if seed:
        if not _SEED.fullmatch(seed) or not are_words(words):
            raise BadCast
        lines = "".join(map(str, commit(bytes.fromhex(seed)).reveal(words).values))
    elif not _LINES.fullmatch(lines):
        raise BadCast
    question, kind = read_question(query.get("q", "")), query.get("type", "")
    if question is None or kind not in ("", *kinds()) or not is_time(query.get("at", "")):
        raise BadCast
    return PageCast(lines, query["at"], kind, question, seed, words if seed else "")


def kinds() -> tuple[str, ...]:
    """The kinds of questions."""
    return liuyao.QUESTION_TYPES


def chosen(cast: PageCast, kind: str | None, question: str = "") -> PageCast:
    """The cast with the kind that its owner chooses, and the question of one that was thrown without."""
    named = cast.kind if kind not in ("", *kinds()) else kind
    return cast._replace(kind=named or "", question=cast.question or read_question(question) or "")


def is_time(text: str) -> bool:
    """Whether a text is a time at which one can cast, with its offset and to the second."""
    try:
        moment_of(text, _SCHOOL)
    except BaziError:
        return False
    return bool(TIME.fullmatch(text))


def are_words(text: str) -> bool:
    """Whether a text can be the visitor's part of a throw: what is read is what is computed with."""
    return 0 < len(text.encode()) <= LONGEST_SEED and text == cleaned(text)


def read_question(text: str) -> str | None:
    """A question as it is asked; None for one that is too long."""
    if len(text) > 4 * LONGEST_QUESTION:
        return None
    said = cleaned(text)
    return said if characters(said) <= LONGEST_QUESTION else None


# --- what is asked ---


class Asked(NamedTuple):
    """What the question is understood as: the kind, whether that was `stated`, is from its `words` or is `unknown`, and
    other matters that it names. `declined`: it is one of life and death, or of somebody in distress; `outside`: it is no
    question for a cast."""

    label: str
    how: str
    beside: tuple[str, ...] = ()
    declined: str = ""
    outside: bool = False


def asked(cast: PageCast) -> Asked:
    """What is asked of a cast.

    >>> asked(PageCast("789876", "", "", "这份新工作该不该接"))[:3]
    ('求职', 'words', ())
    >>> [asked(PageCast("789876", "", "", each)).outside for each in ("帮我写一段代码", "丢的猫回得来吗")]
    [True, False]
    """
    return _asked(cast.question, cast.kind)


# A page asks it of one cast several times.
@lru_cache(maxsize=256)
def _asked(question: str, kind: str) -> Asked:
    said = question_of(question) if question else None
    declined = said.action if said is not None and said.is_declined else ""
    if kind:
        return Asked(kind, "stated", (), declined)
    found = taken(question)
    if found is None or declined:
        return Asked(ANYTHING, "unknown", (), declined, _is_outside(said))
    return Asked(found.label, "words", found.beside, declined)


def _is_outside(said: Question | None) -> bool:
    return said is not None and "out_of_scope" in said.classes


# --- the throw ---


class Throw(NamedTuple):
    """A throw that a form offers: the token of its number, and the fingerprint that is published before."""

    token: str
    fingerprint: str


def offered(secrets: Secrets, ids: Ids, now_ms: int) -> Throw:
    """A new throw."""
    nonce = f"{now_ms:x}-{ids.secret(12).hex()}"
    return Throw(f"{nonce}-{secrets.seal('throw', nonce)}", _committed(secrets, nonce).seed_commit)


def committed(secrets: Secrets, token: str, now_ms: int) -> Commitment | None:
    """The number that a form was offered; None for a token that is not of this hub or too old."""
    found = _TOKEN.fullmatch(token)
    if found is None or not hmac.compare_digest(found[2], secrets.seal("throw", found[1])):
        return None
    age_ms = now_ms - int(found[1].partition("-")[0], 16)
    return _committed(secrets, found[1]) if 0 <= age_ms <= GOOD_FOR_MS else None


def _committed(secrets: Secrets, nonce: str) -> Commitment:
    return commit(bytes.fromhex(secrets.seal("number of a throw", nonce)))


# --- the form ---


class Wrong(NamedTuple):
    """A field of the form, the phrase of its error, and the values in it."""

    field: str
    key: str
    values: Mapping[str, Any] = MappingProxyType({})


def fields(form: dict[str, str]) -> dict[str, str]:
    """The fields of the form, no longer than they can be."""
    most = {"question": 4 * LONGEST_QUESTION, "token": 200}
    return {name: form.get(name, "").strip()[: most.get(name, LONGEST_FIELD)] for name in FIELDS}


def missing(values: dict[str, str]) -> list[int]:
    """The lines that were not tapped, the lowest first."""
    return [n for n in range(1, COUNT + 1) if not _LINES.fullmatch(6 * values[f"y{n}"])]


def time_of(values: dict[str, str], now_ms: int) -> str | Wrong:
    """The time of a cast with the offset of its place: the one stated, else now; or what is wrong with it."""
    key = _zone(values["place"])
    if isinstance(key, Wrong):
        return key
    if not values["when"]:
        at = datetime.fromtimestamp(now_ms // 1000, UTC).astimezone(zone(key))
        return _told(at.replace(tzinfo=None), at.utcoffset() or timedelta())
    return _stated(values["when"], key)


def _zone(text: str) -> str | Wrong:
    """The zone of a place, of its own name, or of an offset."""
    if not text:
        return Wrong("place", "liuyao.wrong.place")
    try:
        return canonical_key(text)
    except ZoneUnknown:
        pass
    try:
        found = look_up(text).timezone_id
    except PlaceAmbiguous as several:
        candidates = several.data["candidates"]
        # Only the clock counts here: places of one zone need not be told apart.
        zones = {each["timezone_id"] for each in candidates}
        if len(zones) == 1 and None not in zones:
            return str(zones.pop())
        named = "; ".join(f"{each['name']}, {each['admin']}, {each['country']}" for each in candidates[:4])
        return Wrong("place", "liuyao.wrong.places", {"places": named})
    except PlaceError:
        return Wrong("place", "liuyao.wrong.unknown")
    return found or Wrong("place", "liuyao.wrong.unknown")


def _stated(text: str, key: str) -> str | Wrong:
    try:
        parsed = parse_when(text)
        if parsed.time is None:
            return Wrong("when", "liuyao.wrong.when")
        wall = datetime(*parse_date(parsed.date_text), *parsed.time)
        offset_s = parsed.utc_offset_s
        if offset_s is None:
            offset_s = clock_of_wall(wall, key).utc_offset_s
    except AmbiguousLocalTime as twice:
        first, second = (format_offset(each["utc_offset_s"]) for each in twice.data["readings"])
        return Wrong("when", "liuyao.wrong.twice", {"first": first, "second": second})
    except (BaziError, ValueError):
        return Wrong("when", "liuyao.wrong.when")
    at = _told(wall, timedelta(seconds=offset_s))
    return at if is_time(at) else Wrong("when", "liuyao.wrong.when")


def _told(wall: datetime, offset: timedelta) -> str:
    return f"{wall:%Y-%m-%dT%H:%M:%S}{format_offset(round(offset.total_seconds()))}"
