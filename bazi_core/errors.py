"""Every error of the core: one tree, each class with a stable `code`.

An error has a sentence (`message`), the values a program needs (`data`, JSON-ready) and, where there is one,
advice (`hint`), both in English; `text(lang)` and `advice(lang)` give them in another language. `exit_status` is the exit
code of the command line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from bazi_core.tables.sentences import Listed, Said, translated


class BaziError(Exception):
    """Base of all errors raised on purpose.

    >>> error = InvalidOffset("an offset is at most 16 hours", hint="hours, not minutes", value=480)
    >>> error.code, error.data, error.exit_status
    ('INVALID_OFFSET', {'value': 480}, 4)
    """

    code: ClassVar[str] = "BAZI_ERROR"
    exit_status: ClassVar[int] = 4

    def __init__(self, message: str, *, hint: str = "", **data: Any) -> None:
        self.message: str = message if isinstance(message, Said) else _sendable(message)
        super().__init__(self.message)
        self.hint: str = hint if isinstance(hint, Said) else _sendable(hint)
        self.data: dict[str, Any] = _sendable(data)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.hint, self.data)

    def text(self, lang: str) -> str:
        """The message in zh-Hans, zh-Hant or en.

        >>> import bazi_core as bz
        >>> try:
        ...     bz.chart("1990-05-15 13:30", city="北京").basis("tg.x")
        ... except bz.BaziError as error:
        ...     print(error.text("zh-Hant"), error.message)
        沒有編號為「tg.x」的事實 there is no fact 'tg.x'
        """
        return translated(self.message, lang)

    def advice(self, lang: str) -> str:
        """The hint in zh-Hans, zh-Hant or en; empty where there is none."""
        return translated(self.hint, lang)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: `{code, message, data, hint}`, in English."""
        return {"code": self.code, "message": str(self.message), "data": self.data, "hint": str(self.hint)}


def _rebuild(kind: type[BaziError], message: str, hint: str, data: dict[str, Any]) -> BaziError:
    return kind(message, hint=hint, **data)


def shown(value: object, longest: int = 60) -> str:
    """Any value as a short text that is safe to print and to encode.

    >>> shown("x" * 100, 5), shown(None)
    ('xxxxx…', 'None')
    """
    try:
        text = value if isinstance(value, str) else str(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be written"
    short: str = _sendable(text[:longest] + ("…" if len(text) > longest else ""))
    return short


def _sendable(value: Any) -> Any:
    """The value without parts that UTF-8 or JSON cannot carry: lone surrogates, infinite or huge numbers, objects."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {
            _sendable(key) if isinstance(key, str) else shown(key): _sendable(each)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_sendable(each) for each in value]
    if isinstance(value, float) and math.isfinite(value):
        return value
    if value is None or (isinstance(value, int) and value.bit_length() <= _LONGEST_NUMBER_BITS):
        return value
    return shown(value)


# JSON parsers accept numbers up to this size; larger ones are sent as text.
_LONGEST_NUMBER_BITS = 1024


class InvalidInput(BaziError, ValueError):
    """An input that cannot be parsed or does not exist."""

    code = "INVALID_INPUT"


class InvalidDatetime(InvalidInput):
    """`data`: field, value, reason (format, month, day, hour, minute, second)."""

    code = "INVALID_DATETIME"


class AmbiguousDatetime(InvalidDatetime):
    """A text that may mean several dates or times. `data`: field, value, reason, choices (each can be typed as it is)."""

    code = "AMBIGUOUS_DATETIME"


class CalendarRequired(InvalidInput):
    """A date before 1582-10-15 without a named calendar. `data`: date, choices."""

    code = "CALENDAR_REQUIRED"


class NonexistentLocalTime(InvalidInput):
    """The clock jumped over this reading. `data`: zone, local, readings, nearest_before, nearest_after."""

    code = "NONEXISTENT_LOCAL_TIME"


class AmbiguousLocalTime(InvalidInput):
    """The clock showed this reading twice. `data`: zone, local, readings."""

    code = "AMBIGUOUS_LOCAL_TIME"


class InvalidOffset(InvalidInput):
    """Not an offset from UTC of at most 16 hours. `data`: value, accepted."""

    code = "INVALID_OFFSET"


class InvalidCoordinates(InvalidInput):
    """Not a finite longitude in −180…180 or latitude in −90…90. `data`: field, value, accepted."""

    code = "INVALID_COORDINATES"


class ZoneUnknown(InvalidInput):
    """Not a key of the tz database. `data`: value, suggestions."""

    code = "ZONE_UNKNOWN"


class ZoneConflict(InvalidInput):
    """A zone and an offset that disagree at that moment. `data`: zone, zone_offset_s, utc_offset_s."""

    code = "ZONE_CONFLICT"


class ZoneRequired(InvalidInput):
    """A wall clock without a place, zone or offset. `data`: accepted."""

    code = "ZONE_REQUIRED"


class LongitudeRequired(InvalidInput):
    """Solar time without a longitude. `data`: time_basis, accepted."""

    code = "LONGITUDE_REQUIRED"


class ClockNotApplicable(InvalidInput):
    """`clock="xinjiang"` for a place without that clock. `data`: clock, place."""

    code = "CLOCK_NOT_APPLICABLE"


class InvalidLunarDate(InvalidInput):
    """No such day in the lunar calendar. `data`: given, months (those of that year)."""

    code = "INVALID_LUNAR_DATE"


class InvalidPillars(InvalidInput):
    """No such pillar, or four that no moment can have. `data`: given, reason, rule (form, polarity, five_tigers, five_rats,
    count, position, nothing)."""

    code = "INVALID_PILLARS"


class BirthRequired(InvalidInput):
    """The result needs a part of the birth that is not known. `data`: missing."""

    code = "BIRTH_REQUIRED"


class UnknownOption(InvalidInput):
    """No such option, or no such value of it. `data`: name, value, allowed."""

    code = "UNKNOWN_OPTION"


class UnknownProfile(InvalidInput):
    """No such named school. `data`: name, value, allowed."""

    code = "UNKNOWN_PROFILE"


class DigestMismatch(InvalidInput):
    """An object that differs from its digest. `data`: path, expected, found."""

    code = "DIGEST_MISMATCH"


class SchemaVersion(InvalidInput):
    """An object of another major schema version. `data`: path, expected, found."""

    code = "SCHEMA_VERSION"


class PlaceError(InvalidInput):
    """A place name that does not lead to one place."""

    exit_status = 3


class PlaceNotFound(PlaceError):
    """`data`: query, suggestions."""

    code = "PLACE_NOT_FOUND"


class PlaceAmbiguous(PlaceError):
    """`data`: query, candidates; the `ref` of each is accepted as a query."""

    code = "PLACE_AMBIGUOUS"


class OutOfRange(BaziError, ValueError):
    """A value outside the span of the tables. `data`: quantity, first, last, given."""

    code = "OUT_OF_RANGE"
    exit_status = 5


class EphemerisMissing(BaziError):
    """No ephemeris file covers the request. `data`: wanted, tried."""

    code = "EPHEMERIS_MISSING"
    exit_status = 5


class DataCorrupt(BaziError):
    """A shipped file that differs from the manifest. `data`: file, expected, found."""

    code = "DATA_CORRUPT"
    exit_status = 1


class LibraryMissing(BaziError):
    """A library of an extra is not installed. `data`: library, extra."""

    code = "LIBRARY_MISSING"
    exit_status = 2


class FontMissing(BaziError):
    """No font that is installed has hanzi. `data`: wanted."""

    code = "FONT_MISSING"
    exit_status = 2


class TableCorrupt(InvalidInput):
    """A table of births that cannot be read on, or a result that cannot be resumed. `data`: file, line, reason."""

    code = "TABLE_CORRUPT"


class QuestionTooLong(InvalidInput):
    """A question that is too long for a reading. `data`: limit, given."""

    code = "QUESTION_TOO_LONG"


class PortError(BaziError):
    """A port to a language model gave no usable reading."""

    exit_status = 6


class PortTimeout(PortError):
    """No reply within the deadline. `data`: timeout_s."""

    code = "PORT_TIMEOUT"


class PortUnavailable(PortError):
    """The connection or the server failed. `data`: reason, status (of an HTTP reply only)."""

    code = "PORT_UNAVAILABLE"


class PortRefused(PortError):
    """The model declined to answer. `data`: reason."""

    code = "PORT_REFUSED"


class PortInvalidOutput(PortError):
    """A reply with too little that is usable. `data`: problems."""

    code = "PORT_INVALID_OUTPUT"


class CostLimit(PortError):
    """A call that may cost more than allowed was not made. `data`: limit, estimate."""

    code = "COST_LIMIT"


class YaoLinesLength(InvalidInput):
    """A hexagram has six lines. `data`: expected, actual."""

    code = "YAO_LINES_LENGTH"


class YaoLineValue(InvalidInput):
    """A line that is not one of the four kinds. `data`: index, value, allowed."""

    code = "YAO_LINE_VALUE"


class TimeNeedsOffset(InvalidInput):
    """The time of a cast without an offset from UTC. `data`: given."""

    code = "TIME_NEEDS_OFFSET"


class PillarsIncomplete(InvalidInput):
    """The strict object of a cast with only month and day known. `data`: missing."""

    code = "PILLARS_INCOMPLETE"


class UnknownHexagram(InvalidInput):
    """`data`: given, suggestions."""

    code = "UNKNOWN_HEXAGRAM"


class InvalidCast(InvalidInput):
    """A record of a cast whose parts contradict one another. `data`: reason."""

    code = "INVALID_CAST"


class RangeTooLong(InvalidInput):
    """More days than a search takes. `data`: days, most."""

    code = "RANGE_TOO_LONG"


class PurposeUnknown(InvalidInput):
    """No purpose for which days can be searched. `data`: given, choices."""

    code = "PURPOSE_UNKNOWN"


class PurposeAmbiguous(InvalidInput):
    """A text that names several purposes. `data`: given, choices."""

    code = "PURPOSE_AMBIGUOUS"


class NoDoctrineForItem(InvalidInput):
    """An item of which the doctrine of the almanac has no row. `data`: item, doctrine."""

    code = "NO_DOCTRINE_FOR_ITEM"


def known(name: str, value: Any, allowed: Sequence[str]) -> str:
    """The value, which is one of those allowed; anything else raises `UnknownOption`."""
    if isinstance(value, str) and value in allowed:
        return value
    raise unknown_option(name, shown(value), allowed)


def unknown_option(name: str, value: object, allowed: Sequence[str]) -> UnknownOption:
    """The error for a value that an option does not have; `value` as it is to be told."""
    return UnknownOption(
        Said("option_value", name=name, value=value, allowed=Listed(allowed, " or ")),
        name=name,
        value=value,
        allowed=list(allowed),
    )


def outside(quantity: str, first: Any, last: Any, given: Any) -> OutOfRange:
    """The error for a value outside a span; its sentence is the row `outside_` with the quantity."""
    message = Said(f"outside_{quantity.replace(' ', '_')}", given=given, first=first, last=last)
    return OutOfRange(message, quantity=quantity, first=first, last=last, given=given)


def library_missing(name: str, extra: str = "batch", hint: str = "library_missing_hint") -> LibraryMissing:
    """The error for a library of an extra that is not installed; `hint` is the key of its advice."""
    return LibraryMissing(Said("library_missing", name=name), hint=Said(hint), library=name, extra=extra)


def all_errors() -> list[type[BaziError]]:
    """Every class that has a code of its own, in the order of this file."""
    classes, waiting = [], [BaziError]
    while waiting:
        kind = waiting.pop(0)
        if "code" in vars(kind) and kind.__module__ == __name__:
            classes.append(kind)
        waiting.extend(kind.__subclasses__())
    return classes
