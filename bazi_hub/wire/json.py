"""JSON as the hub takes it (RFC 8259, held to the letter) and gives it (UTF-8, compact, unescaped).

Beyond the grammar: bytes are valid UTF-8, no text holds half a surrogate pair, a name stands once in an object, every
number is finite as a double (RFC 7493), and nothing nests deeper than `depth`. What does not hold is named by `reason`.
"""

from __future__ import annotations

import re
from functools import partial
from json import JSONDecodeError, JSONDecoder, JSONEncoder
from json.encoder import encode_basestring as quote
from typing import Any, NoReturn

from bazi_hub.errors import NOT_JSON_DETAIL, HubError

__all__ = ["dumps", "parse", "quote", "unusable"]

LIMIT, DEPTH = 262_144, 64
# Every integer of so many digits is finite as a double.
MOST_DIGITS = 308

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


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
    if body.count(b"[") + body.count(b"{") > depth and _depth(text) > depth:
        raise unusable("TOO_DEEP")
    try:
        value = _decoder.decode(text)
    except JSONDecodeError:
        raise unusable("INVALID_JSON") from None
    if _HALF_PAIR.search(text):
        _require_whole_characters(value)
    return value


def _depth(text: str) -> int:
    """How deep brackets nest outside strings, whether or not the rest is JSON."""
    deepest = level = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        level += _STEP.get(match[0], 0)
        deepest = max(deepest, level)
    return deepest


def _require_whole_characters(value: Any) -> None:
    try:
        dumps(value).encode()
    except UnicodeEncodeError:
        raise unusable("INVALID_UTF8") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise unusable("DUPLICATE_KEY")
    return members


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


_decoder = JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_constant
)
dumps = partial(JSONEncoder.encode, JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False))
