"""The form of API keys: what a key is made of, and which texts are refused before the store is asked."""

import zlib

import pytest

from bazi_hub.people import keys
from bazi_hub.testing import FakeIds
from bazi_hub.words.system import SystemIds
from tests.tables import holds_for_all

KEY = keys.make("personal", FakeIds())


@pytest.mark.parametrize(("flavor", "prefix"), [("personal", "bzp_"), ("agent", "bza_")])
def test_a_key_is_a_prefix_and_46_letters_of_base62(flavor, prefix):
    key = keys.make(flavor, SystemIds())
    assert key.startswith(prefix)
    assert len(key) == 50
    assert set(key[4:]) <= set(keys.ALPHABET)
    assert keys.parse(key) == (flavor, key[4:12])


def test_the_checksum_is_the_crc_32_of_the_44_characters_before_it_in_base62():
    number = 0
    for letter in KEY[44:]:
        number = number * 62 + keys.ALPHABET.index(letter)
    assert number == zlib.crc32(KEY[:44].encode())


def test_a_small_checksum_is_padded_with_zeros():
    body = next(
        body
        for body in (f"bzp_{'0' * 34}{n:06d}" for n in range(200_000))
        if zlib.crc32(body.encode()) < 62**5
    )
    assert keys.checksum(body).startswith("0")
    assert len(keys.checksum(body)) == 6


def test_every_single_wrong_letter_is_noticed():
    for at in range(50):
        other = "0" if KEY[at] != "0" else "1"
        assert keys.parse(KEY[:at] + other + KEY[at + 1 :]) is None


@holds_for_all(
    "text",
    [
        "",
        "bzp_",
        KEY[:-1],
        KEY + "0",
        KEY.upper(),
        "xxx_" + KEY[4:],
        KEY[:20] + "é" + KEY[21:],
        KEY[:20] + "-" + KEY[21:],
    ],
)
def test_what_is_no_key_is_refused_by_its_form(text):
    assert keys.parse(text) is None


def test_a_sign_outside_base62_is_refused_even_with_the_right_checksum():
    body = KEY[:20] + "\0" + KEY[21:44]
    assert keys.parse(body + keys.checksum(body)) is None


def test_two_keys_share_nothing_but_their_prefix():
    made = {keys.make("agent", SystemIds()) for _ in range(200)}
    assert len({key[4:12] for key in made}) == len({key[12:44] for key in made}) == 200


def test_the_digest_depends_on_every_letter_and_on_the_pepper():
    one, other = keys.digest(b"a" * 32, KEY), keys.digest(b"b" * 32, KEY)
    assert len(one) == 32
    assert one != other
    assert one != keys.digest(b"a" * 32, KEY[:-1])


def test_the_id_of_a_pepper_does_not_contain_it():
    assert len(keys.pepper_id(b"a" * 32)) == 8
    assert keys.pepper_id(b"a" * 32) != keys.pepper_id(b"b" * 32)
