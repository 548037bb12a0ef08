"""Refs of places, and the numbers by which the table knows them.

`gn:5128581` is a GeoNames id and its own number; `cn:110000` a Chinese division (GB/T 2260), a negative number;
`tw:65000010` a county, town or district of Taiwan (code of the Ministry of the Interior), counted from a thousand million.
"""

from __future__ import annotations

_TAIWAN = 1_000_000_000
_LONGEST = 9


def ref_of(number: int) -> str:
    """The ref of a number.

    >>> ref_of(5128581), ref_of(-110000), ref_of(1_009_007_010)
    ('gn:5128581', 'cn:110000', 'tw:09007010')
    """
    if number < 0:
        return f"cn:{-number}"
    return f"gn:{number}" if number < _TAIWAN else f"tw:{number - _TAIWAN:08d}"


def number_of(ref: str) -> int | None:
    """The number of a ref; None for what is none.

    >>> number_of("gn:5128581"), number_of("CN:110000"), number_of("tw:09007010"), number_of("Rome")
    (5128581, -110000, 1009007010, None)
    """
    kind, _, digits = ref.lower().partition(":")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST):
        return None
    return {"gn": int(digits), "cn": -int(digits), "tw": _TAIWAN + int(digits)}.get(kind)


def is_division(number: int) -> bool:
    """Whether a number is that of an administrative division, not of a GeoNames place.

    >>> is_division(-110000), is_division(1_009_007_010), is_division(5128581)
    (True, True, False)
    """
    return number < 0 or number >= _TAIWAN
