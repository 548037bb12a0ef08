"""JSON as the hub takes it (RFC 8259, held to the letter) and gives it (UTF-8, compact, unescaped).

Beyond the grammar: bytes are valid UTF-8, no text holds half a surrogate pair, a name stands once in an object, every
number is finite as a double (RFC 7493), and nothing nests deeper than `depth`. What does not hold is named by `reason`.
"""

from __future__ import annotations

import gc
import re
from functools import partial
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder, JSONEncoder
from json.encoder import encode_basestring as quote
from typing import Any, NoReturn

from bazi_hub.words.errors import NOT_JSON_DETAIL, HubError

__all__ = ["dumps", "parse", "quote", "unusable"]

LIMIT, DEPTH = 262_144, 64
# Characters of a text that may hold many values.
LONG = 16_384
# Every integer of so many digits is finite as a double.
MOST_DIGITS = 308

# A string that does not end reaches to the end of the text, a lone backslash there included: every character is passed
# once, whatever comes.
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
# What is left of a text outside its strings: 1 for a bracket that opens, and -1 for one that closes.
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_DIGITS = bytes.maketrans(b"0123456789", b"0000000000")
_TOO_MANY_DIGITS = b"0" * (MOST_DIGITS + 1)


def unusable(reason: str) -> HubError:
    """A body that cannot be used as JSON.

    >>> unusable("TOO_DEEP").data
    {'detail': 'Request body is not valid JSON', 'reason': 'TOO_DEEP'}
    """
    return HubError("PARSE_ERROR", NOT_JSON_DETAIL, reason=reason)


def parse(body: bytes, limit: int = LIMIT, depth: int = DEPTH) -> Any:
    """The value of a body; `HubError` PARSE_ERROR with its reason for one that is unusable.

    >>> parse('{"city": "北京"}'.encode())
    {'city': '北京'}
    """
    if len(body) > limit:
        raise unusable("BODY_TOO_LARGE")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise unusable("INVALID_UTF8") from None
    if body.count(b"[") + body.count(b"{") > depth and _nests_deeper(body, depth):
        raise unusable("TOO_DEEP")
    decoder = _careful if _TOO_MANY_DIGITS in body.translate(_DIGITS) else _decoder
    try:
        value = _decoded(decoder, text)
    except JSONDecodeError:
        raise unusable("INVALID_JSON") from None
    if _HALF_PAIR.search(text):
        _require_whole_characters(value)
    return value


def _decoded(decoder: JSONDecoder, text: str) -> Any:
    """The value of a text. Nothing in it is part of a circle, so of a long one the collector, which would pass over the
    lists that are made again and again and take half of the time, waits until it is there."""
    if len(text) < LONG or not gc.isenabled():
        return decoder.decode(text)
    gc.disable()
    try:
        return decoder.decode(text)
    finally:
        gc.enable()


def _nests_deeper(body: bytes, depth: int) -> bool:
    """Whether brackets outside strings nest deeper than so many, whether or not the rest is JSON."""
    steps = _STRING.sub(b"", body).translate(_STEPS, _NO_BRACKETS)
    return any(map(depth.__lt__, accumulate(memoryview(steps).cast("b"))))


def _require_whole_characters(value: Any) -> None:
    try:
        dumps(value).encode()
    except UnicodeEncodeError:
        raise unusable("INVALID_UTF8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise unusable("DUPLICATE_KEY")
    return value


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise unusable("NON_FINITE_NUMBER")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise unusable("NON_FINITE_NUMBER")
    return number


def _constant(name: str) -> NoReturn:
    raise unusable("NON_FINITE_NUMBER")


_decoder = JSONDecoder(object_pairs_hook=_object, parse_float=_real, parse_constant=_constant)
# The same for texts in which some number may be too long: it looks at every integer, which takes twice the time.
_careful = JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_constant
)
dumps = partial(JSONEncoder.encode, JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False))
