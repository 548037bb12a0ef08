"""Strict JSON: what is refused, for which reason, and that everything else comes through as it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_hub.errors import HubError
from bazi_hub.wire.json import dumps, parse, quote


def reason(body: bytes, **bounds: int) -> str:
    with pytest.raises(HubError) as raised:
        parse(body, **bounds)
    assert raised.value.name == "PARSE_ERROR"
    assert raised.value.detail == "Request body is not valid JSON"
    return str(raised.value.members["reason"])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "INVALID_JSON"),
        (b"{", "INVALID_JSON"),
        (b"{'a':1}", "INVALID_JSON"),
        (b"[1,]", "INVALID_JSON"),
        (b"{} {}", "INVALID_JSON"),
        (b'"\x01"', "INVALID_JSON"),
        (b"\xef\xbb\xbf{}", "INVALID_JSON"),
        (b"01", "INVALID_JSON"),
        (b'"\xff"', "INVALID_UTF8"),
        (b'"\xed\xa0\x80"', "INVALID_UTF8"),
        (rb'"\ud800"', "INVALID_UTF8"),
        (rb'{"\uDFFF":1}', "INVALID_UTF8"),
        (b'{"a":1,"a":1}', "DUPLICATE_KEY"),
        (rb'{"x":{"a":1,"\u0061":2}}', "DUPLICATE_KEY"),
        (b"NaN", "NON_FINITE_NUMBER"),
        (b"[-Infinity]", "NON_FINITE_NUMBER"),
        (b"1e999", "NON_FINITE_NUMBER"),
        (b"-1E400", "NON_FINITE_NUMBER"),
        (b"9" * 400, "NON_FINITE_NUMBER"),
        (b"9" * 5000, "NON_FINITE_NUMBER"),
        (b"[" * 65 + b"]" * 65, "TOO_DEEP"),
        (b"[" * 10_000, "TOO_DEEP"),
        (b'{"a":' * 100_00 + b"1", "TOO_DEEP"),
        (b'"' + b"a" * 262_143 + b'"', "BODY_TOO_LARGE"),
    ],
)
def test_an_unusable_body_is_refused_for_its_reason(body: bytes, expected: str) -> None:
    assert reason(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 64 + b"]" * 64,
        b'"' + b"[{" * 200 + b'"',
        b'["' + rb"\"[[" * 200 + b'"]',
        b"[" + b"[]," * 500 + b"[]]",
        rb'"\ud83d\ude00"',
        b" \t\r\n{} ",
        b"1e308",
        b'"' + b"a" * 262_142 + b'"',
    ],
)
def test_a_body_within_the_bounds_is_read_as_the_standard_library_reads_it(body: bytes) -> None:
    assert parse(body) == json.loads(body)


def test_bounds_are_those_that_are_given() -> None:
    assert reason(b"[[1]]", depth=1) == "TOO_DEEP"
    assert reason(b"[[1]]", limit=4) == "BODY_TOO_LARGE"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_what_is_written_is_read_back(value: object) -> None:
    assert parse(dumps(value).encode()) == value


@given(st.text())
def test_a_quoted_text_is_that_text(text: str) -> None:
    assert json.loads(quote(text)) == text


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_a_parse_error(body: bytes) -> None:
    try:
        parse(body)
    except HubError as refused:
        error = refused.name
    else:
        error = "PARSE_ERROR"
    assert error == "PARSE_ERROR"
