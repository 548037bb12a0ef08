"""API keys: `bzp_` (personal) or `bza_` (agent), 8 characters of id, 32 of secret, 6 of checksum, all base62.

The secret is not stored, only an HMAC of the whole key under a pepper that is not in the database. The checksum lets a
mistyped key be refused without asking the store; a memory-hard hash would cost every call a tenth of a second and gain
nothing over a secret of 190 bits.
"""

from __future__ import annotations

import hashlib
import hmac
import string
import zlib
from typing import Literal, NamedTuple

from bazi_hub.ports import Ids

Flavor = Literal["personal", "agent"]
PREFIXES: dict[str, Flavor] = {"bzp_": "personal", "bza_": "agent"}
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
ID_LENGTH, SECRET_LENGTH, CHECKSUM_LENGTH = 8, 32, 6
LENGTH = 4 + ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH


class Parsed(NamedTuple):
    """Flavor and id of a well-formed key, before it is looked up."""

    flavor: Flavor
    id: str


def make(flavor: Flavor, ids: Ids) -> str:
    """A new key.

    >>> from bazi_hub.words.system import SystemIds
    >>> key = make("agent", SystemIds())
    >>> len(key), parse(key).flavor
    (50, 'agent')
    """
    prefix = next(prefix for prefix, known in PREFIXES.items() if known == flavor)
    # Twice the bits that are needed: the remainder is then even to 2⁻⁶⁰ and better.
    body = prefix + _base62(ids.secret(16), ID_LENGTH) + _base62(ids.secret(48), SECRET_LENGTH)
    return body + checksum(body)


def parse(text: str) -> Parsed | None:
    """Flavor and id of a key whose form and checksum are right.

    >>> parse("bzp_0000000000000000000000000000000000000000000000")
    """
    flavor = PREFIXES.get(text[:4])
    if flavor is None or len(text) != LENGTH or not (text.isascii() and text[4:].isalnum()):
        return None
    body, check = text[:-CHECKSUM_LENGTH], text[-CHECKSUM_LENGTH:]
    return Parsed(flavor, id_of(text)) if checksum(body) == check else None


def id_of(text: str) -> str:
    """The id in the text of a key; any other text is taken for an id itself.

    >>> id_of("bzp_abcdefgh0000000000000000000000000000000000000"), id_of("abcdefgh")
    ('abcdefgh', 'abcdefgh')
    """
    return text[4 : 4 + ID_LENGTH] if text[:4] in PREFIXES else text


def checksum(body: str) -> str:
    """CRC-32 of what stands before it.

    >>> checksum("bzp_" + "0" * 40)
    '0QnUdM'
    """
    return _base62(zlib.crc32(body.encode()).to_bytes(4, "big"), CHECKSUM_LENGTH)


def digest(pepper: bytes, text: str) -> bytes:
    """The HMAC of a key, as it is stored."""
    return hmac.digest(pepper, text.encode(), "sha256")


def pepper_id(pepper: bytes) -> str:
    """By which a stored key says under which pepper it was made; tells nothing of the pepper."""
    return hmac.digest(pepper, b"pepper id", "sha256").hex()[:8]


def _base62(number: bytes, length: int) -> str:
    value, letters = int.from_bytes(number, "big"), []
    for _ in range(length):
        value, digit = divmod(value, 62)
        letters.append(ALPHABET[digit])
    return "".join(reversed(letters))


def token_hash(token: str) -> str:
    """The SHA-256 under which the secret part of a link is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
