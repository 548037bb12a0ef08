"""Strict JSON: what is refused, for which reason, and that everything else comes through as it is."""

import gc
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_hub.http.wire.json import dumps, parse, quote
from bazi_hub.words.errors import HubError
from tests.tables import holds_for_all


def reason(body: bytes, **bounds: int) -> str:
    with pytest.raises(HubError) as raised:
        parse(body, **bounds)
    assert raised.value.name == "PARSE_ERROR"
    assert raised.value.detail == "Request body is not valid JSON"
    return str(raised.value.members["reason"])


@holds_for_all(
    "body, expected",
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


@holds_for_all(
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


def deepest(text: str) -> int:
    """How deep brackets outside strings nest, letter by letter."""
    level = most = 0
    quoted = escaped = False
    for letter in text:
        if quoted:
            escaped, quoted = letter == "\\" and not escaped, escaped or letter != '"'
        elif letter == '"':
            quoted = True
        elif letter in "[{":
            level += 1
            most = max(most, level)
        elif letter in "]}":
            level -= 1
    return most


@given(st.text('[]{}"\\ax,命', max_size=60), st.integers(1, 5))
def test_brackets_are_counted_outside_strings_alone(text: str, depth: int) -> None:
    try:
        parse(text.encode(), depth=depth)
        too_deep = False
    except HubError as error:
        too_deep = error.members["reason"] == "TOO_DEEP"
    assert too_deep == (deepest(text) > depth)


@pytest.mark.parametrize("beside", [b"", b'"' + b"1" * 400 + b'",', b"0." + b"0" * 400 + b"1,"])
@given(number=st.integers(-(10**320), 10**320))
def test_an_integer_is_read_or_is_no_finite_double_whatever_stands_beside_it(
    beside: bytes, number: int
) -> None:
    body = b"[" + beside + b"%d]" % number
    if len(str(abs(number))) > 308:
        assert reason(body) == "NON_FINITE_NUMBER"
    else:
        assert parse(body)[-1] == number


@pytest.mark.parametrize("body", [b"[" + b"[]," * 9_000 + b"0]", b"[" + b"[]," * 9_000 + b"x]"])
@pytest.mark.parametrize("collecting", [True, False])
def test_while_a_long_text_is_read_the_collector_waits_and_then_is_as_it_was(
    body: bytes, collecting: bool
) -> None:
    passes: list[str] = []

    def told(phase: str, _: dict[str, int]) -> None:
        passes.append(phase)

    was, thresholds = gc.isenabled(), gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    (gc.enable if collecting else gc.disable)()
    # What other tests keep is not looked at: only the lists of this text are.
    gc.freeze()
    gc.collect()
    gc.callbacks.append(told)
    try:
        with suppress(HubError):
            parse(body)
        within, left = len(passes), gc.isenabled()
    finally:
        gc.callbacks.remove(told)
        gc.set_threshold(*thresholds)
        (gc.enable if was else gc.disable)()
    # Each tells its begin and its end; for nine thousand lists there would be a dozen.
    assert within < 6
    assert left is collecting
