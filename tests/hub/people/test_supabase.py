"""Tokens of somebody else's sign-in: every form of the cookie, what makes a token hold, where its keys come from."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
from contextlib import asynccontextmanager
from urllib.parse import quote

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from bazi_hub.operate.app import foreign_of
from bazi_hub.operate.config import configured
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.people.supabase import KeySet, Secret, Supabase, fetched
from bazi_hub.ports import StoreError
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.errors import ConfigurationError, HubError
from tests.hub.pages.browsing import HOME, visits
from tests.hub.stories import story_in
from tests.hub.worlds import Voices
from tests.tables import holds_for_all

ISSUER, AUDIENCE, SECRET = "https://x.supabase.example/auth/v1", "authenticated", "k" * 40
SECRETS = Secrets(b"p" * 32, b"s" * 32)
SUBJECT = "7d3a3a52-0000-4000-8000-000000000001"
ELLIPTIC, OTHER_ELLIPTIC = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
RSA = rsa.generate_private_key(65537, 2048)


class Post:
    """A verifier on stores in memory, and tokens for it."""

    def __init__(self, keys=None, clock=None) -> None:
        self.clock = clock or FakeClock()
        self.storage = MemoryStorage(self.clock, FakeIds())
        self.verifier = Supabase(
            "sb", ISSUER, AUDIENCE, keys or Secret(SECRET),
            starter=25, storage=self.storage, secrets=SECRETS, clock=self.clock,
        )  # fmt: skip

    def claims(self, **changed):
        now_s = self.clock.now_ms() // 1000
        usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": SUBJECT, "iat": now_s, "exp": now_s + 3600}
        return {name: value for name, value in {**usual, **changed}.items() if value is not None}

    def token(self, key=SECRET, algorithm="HS256", kid=None, **changed):
        headers = {"kid": kid} if kid else None
        return jwt.encode(self.claims(**changed), key, algorithm=algorithm, headers=headers)

    async def visitor(self, value):
        return await self.verifier.visitor({"sb": value})

    async def refused(self, value):
        with pytest.raises(HubError) as found:
            await self.visitor(value)
        assert (found.value.name, found.value.members) == ("UNAUTHORIZED", {"reason": "session"})


@asynccontextmanager
async def opened(**options):
    yield Post(**options)


at_post = story_in(opened)


# --- the cookie


def encoded(token):
    session = json.dumps({"access_token": token, "refresh_token": "r", "user": {"name": "甲"}})
    return "base64-" + base64.urlsafe_b64encode(session.encode()).decode().rstrip("=")


FORMS = {
    "the token itself": lambda token: {"sb": token},
    "the session as JSON": lambda token: {"sb": json.dumps({"access_token": token})},
    "the session as JSON, percent-encoded": lambda token: {"sb": quote(json.dumps({"access_token": token}))},
    "the session in base64": lambda token: {"sb": encoded(token)},
    "the session in base64, in pieces": lambda token: {
        f"sb.{number}": encoded(token)[at : at + 100]
        for number, at in enumerate(range(0, len(encoded(token)), 100))
    },
    "the token in pieces": lambda token: {
        "sb.0": token[:50],
        "sb.1": token[50:],
        "sb.3": "of another session",
    },
}


@pytest.mark.parametrize("form", FORMS)
@at_post
async def test_the_cookie_may_hold(post, form):
    found = await post.verifier.visitor(FORMS[form](post.token()))
    assert found.account.id == post.verifier.account_id(SUBJECT)
    assert found.session is None


@at_post
async def test_without_the_cookie_nobody_is_there_and_nothing_is_wrong(post):
    assert await post.verifier.visitor({"other": "x", "sb.1": "y"}) is None


@holds_for_all(
    "value",
    [
        "x",
        "a.b.c",
        "{",
        '{"access_token":1}',
        "[1]",
        "base64-%%%",
        "base64-e30",
        "base64-/w",
        '{"a":' * 3000,
        base64.urlsafe_b64encode(b"[" * 30_000).decode() + ".e30.x",
    ],
)
@at_post
async def test_a_cookie_that_holds_no_token_is_refused(post, value):
    await post.refused(value)


# --- the token


@holds_for_all(
    "changed",
    [
        {"iss": "https://evil.example"}, {"iss": None}, {"aud": "anon"}, {"aud": None}, {"sub": None}, {"sub": ""},
        {"exp": None}, {"exp": "soon"}, {"exp": True}, {"sub": "x" * 300}, {"sub": "\ud800"},
    ],
)  # fmt: skip
@at_post
async def test_a_token_of_another_issuer_or_audience_or_without_its_claims_is_refused(post, changed):
    await post.refused(post.token(**changed))


def by_hand(claims, secret, **header):
    """A token that no library would make."""
    parts = [json.dumps({"alg": "HS256", **header}), json.dumps(claims)]
    told = b".".join(base64.urlsafe_b64encode(part.encode()).rstrip(b"=") for part in parts)
    mark = base64.urlsafe_b64encode(hmac.digest(secret, told, "sha256")).rstrip(b"=")
    return (told + b"." + mark).decode()


@at_post
async def test_a_number_for_a_subject_is_refused(post):
    assert await post.visitor(by_hand(post.claims(), SECRET.encode()))
    await post.refused(by_hand(post.claims(sub=7), SECRET.encode()))


@at_post
async def test_an_audience_among_several_counts(post):
    assert await post.visitor(post.token(aud=["other", AUDIENCE]))


@at_post
async def test_a_token_ends_by_the_clock_of_the_hub(post):
    token = post.token()
    post.clock.advance(3599)
    assert await post.visitor(token)
    post.clock.advance(1)
    await post.refused(token)


@at_post
async def test_a_token_that_begins_later_is_refused_beyond_half_a_minute(post):
    now_s = post.clock.now_ms() // 1000
    assert await post.visitor(post.token(nbf=now_s + 20))
    await post.refused(post.token(nbf=now_s + 60))


@at_post
async def test_a_token_with_another_signature_is_refused(post):
    await post.refused(post.token("other" * 10))
    await post.refused(post.token()[:-2])


@at_post
async def test_the_algorithm_is_never_taken_from_the_token(post):
    await post.refused(jwt.encode(post.claims(), None, algorithm="none"))
    await post.refused(post.token("k" * 64, "HS512"))
    await post.refused(post.token(ELLIPTIC, "ES256"))


# --- keys that are published


def published(*keys):
    """A key set, each key with its id."""
    listed = []
    for kid, key in keys:
        maker = (
            jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
        )
        listed.append({**json.loads(maker.to_jwk(key.public_key())), "kid": kid})
    return json.dumps({"keys": listed}).encode()


class Published:
    """Where the keys stand, and how often they were asked for."""

    def __init__(self, text):
        self.text, self.asked = text, 0

    def __call__(self):
        self.asked += 1
        if isinstance(self.text, Exception):
            raise self.text
        return self.text


def keyed(source):
    clock = FakeClock()
    return {"keys": KeySet(source, clock), "clock": clock}


def test_both_kinds_of_published_keys_serve():
    async def story(post):
        assert await post.visitor(post.token(ELLIPTIC, "ES256", "e"))
        assert await post.visitor(post.token(RSA, "RS256", "r"))

    at_post(story, **keyed(Published(published(("e", ELLIPTIC), ("r", RSA)))))()


@pytest.mark.parametrize("encoding", [serialization.Encoding.DER, serialization.Encoding.PEM])
def test_a_public_key_is_no_shared_secret(encoding):
    async def story(post):
        public = RSA.public_key().public_bytes(encoding, serialization.PublicFormat.SubjectPublicKeyInfo)
        await post.refused(by_hand(post.claims(), public, kid="r"))

    at_post(story, **keyed(Published(published(("r", RSA)))))()


def test_a_key_serves_its_own_algorithm_only():
    async def story(post):
        await post.refused(post.token(RSA, "RS256", "e"))
        await post.refused(post.token(RSA, "PS256", "r"))
        await post.refused(post.token(OTHER_ELLIPTIC, "ES256", "e"))

    at_post(story, **keyed(Published(published(("e", ELLIPTIC), ("r", RSA)))))()


def test_a_published_secret_is_no_key():
    async def story(post):
        await post.refused(post.token(SECRET, "HS256", "s"))

    secret = base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("=")
    at_post(
        story,
        **keyed(
            Published(
                json.dumps({"keys": [{"kty": "oct", "k": secret, "kid": "s", "alg": "HS256"}]}).encode()
            )
        ),
    )()


def test_keys_are_read_once_in_ten_minutes():
    source = Published(published(("e", ELLIPTIC)))

    async def story(post):
        token = post.token(ELLIPTIC, "ES256", "e")
        await asyncio.gather(*(post.visitor(token) for _ in range(10)))
        post.clock.advance(599)
        await post.visitor(token)
        assert source.asked == 1
        post.clock.advance(1)
        await post.visitor(token)
        assert source.asked == 2

    at_post(story, **keyed(source))()


def test_a_key_that_is_new_is_found_and_unknown_ones_do_not_flood_the_issuer():
    source = Published(published(("e", ELLIPTIC)))

    async def story(post):
        await post.visitor(post.token(ELLIPTIC, "ES256", "e"))
        source.text = published(("n", OTHER_ELLIPTIC))
        post.clock.advance(5)
        assert await post.visitor(post.token(OTHER_ELLIPTIC, "ES256", "n"))
        for number in range(20):
            await post.refused(post.token(OTHER_ELLIPTIC, "ES256", f"x{number}"))
        assert source.asked == 2

    at_post(story, **keyed(source))()


@pytest.mark.parametrize(
    "answer", [OSError("away"), TimeoutError(), b"<html>", b"[]", b'{"keys":[]}', b"\xff", b"[" * 100_000]
)
def test_keys_that_cannot_be_read_are_no_refusal_and_the_issuer_is_spared_for_a_while(answer):
    source = Published(answer)

    async def story(post):
        identity = Identity(
            post.storage, SECRETS, clock=post.clock, ids=FakeIds(), telemetry=Voices(), foreign=post.verifier
        )
        cookie = {"cookie": f"sb={post.token(ELLIPTIC, 'ES256', 'e')}"}
        for _ in range(3):
            with pytest.raises(HubError) as found:
                await identity.identify(cookie)
            assert found.value.name == "AUTH_BACKEND_ERROR"
        assert source.asked == 1
        source.text = published(("e", ELLIPTIC))
        post.clock.advance(5)
        assert (await identity.identify(cookie)).kind == "session"

    at_post(story, **keyed(source))()


def test_the_keys_are_waited_for_three_seconds_at_most(monkeypatch):
    waited = []

    def urlopen(url, timeout):
        waited.append((url, timeout))
        raise TimeoutError

    monkeypatch.setattr("bazi_hub.people.supabase.urllib.request.urlopen", urlopen)
    with pytest.raises(OSError):
        fetched("https://x.example/jwks")
    assert waited == [("https://x.example/jwks", 3.0)]


# --- the account


@at_post
async def test_a_subject_gets_its_account_with_the_starter_allowance_when_it_comes_first(post):
    first = await post.visitor(post.token())
    again = await post.visitor(post.token())
    assert first.account.id == again.account.id
    account = await post.storage.ledger.account(first.account.id)
    assert (account.posted, account.email) == (25, None)
    assert await post.storage.ledger.verify() == []


@at_post
async def test_the_account_depends_on_subject_and_issuer(post):
    other = await post.visitor(post.token(sub="other"))
    assert other.account.id != post.verifier.account_id(SUBJECT)
    elsewhere = Supabase(
        "sb", "https://y.example", AUDIENCE, Secret(SECRET),
        starter=0, storage=post.storage, secrets=SECRETS, clock=post.clock,
    )  # fmt: skip
    assert elsewhere.account_id(SUBJECT) != post.verifier.account_id(SUBJECT)


@at_post
async def test_two_first_requests_at_once_make_one_account(post):
    real, missing = post.storage.accounts.get, [None, None]

    async def get(account_id):
        return missing.pop() if missing else await real(account_id)

    post.storage.accounts.get = get
    one, other = await asyncio.gather(*(post.visitor(post.token()) for _ in range(2)))
    assert one.account.id == other.account.id
    assert (await post.storage.ledger.account(one.account.id)).posted == 25


@pytest.mark.parametrize("status", ["suspended", "erased"])
@at_post
async def test_an_account_that_is_not_active_is_refused_and_not_made_again(post, status):
    account = (await post.visitor(post.token())).account
    if status == "erased":
        await post.storage.accounts.erase(account.id, "test")
    else:
        await post.storage.accounts.change(account.id, "test", status=status)
    await post.refused(post.token())


@at_post
async def test_the_csrf_token_is_an_hmac_of_the_subject_that_is_good_for_nothing_else(post):
    found = await post.visitor(post.token())
    assert found.csrf == hmac.digest(b"s" * 32, b"bazi csrf\0" + SUBJECT.encode(), "sha256").hex()
    # Once a subject that was called like a session knew the signature of its cookie.
    assert found.csrf != SECRETS.seal("session", SUBJECT)


@at_post
async def test_where_nobody_may_sign_up_a_new_subject_gets_no_account_and_a_known_one_keeps_its_own(post):
    known = (await post.visitor(post.token())).account
    named = {"SIGNUP": "closed", "SUPABASE_AUDIENCE": AUDIENCE} | {
        f"SUPABASE_{name}": value for name, value in WHOLE.items()
    }
    config = configured({f"BAZI_HUB_{name}": value for name, value in named.items()})
    post.verifier = foreign_of(config, post.storage, SECRETS, post.clock)
    await post.refused(post.token(sub="new"))
    assert (await post.visitor(post.token())).account.id == known.id
    assert len(await post.storage.accounts.listed()) == 1


# --- the configuration, and the pages

WHOLE = {"COOKIE": "sb", "ISSUER": ISSUER, "SECRET": SECRET}


def of(**changed):
    given = {name: value for name, value in {**WHOLE, **changed}.items() if value}
    config = configured({f"BAZI_HUB_SUPABASE_{name}": value for name, value in given.items()})
    clock = FakeClock()
    return foreign_of(config, MemoryStorage(clock, FakeIds()), SECRETS, clock)


def test_the_configuration_decides_between_a_secret_and_published_keys():
    assert of()._keys.algorithms == ("HS256",)
    assert of(SECRET="", JWKS_URL="https://x.example/jwks")._keys.algorithms == ("ES256", "RS256")


@pytest.mark.parametrize(
    "changed",
    [
        {"ISSUER": ""},
        {"SECRET": ""},
        {"JWKS_URL": "https://x.example"},
        {"SECRET": "", "JWKS_URL": "file:///etc/passwd"},
    ],
)
def test_a_configuration_that_is_not_complete_is_an_error_at_start(changed):
    with pytest.raises(ConfigurationError):
        of(**changed)


def test_whoever_signed_in_elsewhere_uses_the_pages_with_the_token_of_that_cookie():
    post = Post()

    class Later:
        """The verifier over the stores of the town, which come after it."""

        async def visitor(self, cookies):
            return await post.verifier.visitor(cookies)

    async def story(town):
        post.verifier._storage, post.verifier._clock = town.storage, town.clock
        browser = town.browser()
        cookie = f"sb={post.token()}"
        page = await browser.get("/account", cookie=cookie)
        assert page.status == 200
        assert page.form("/account")["csrf"] == post.verifier.csrf(SUBJECT)
        assert "/account/password" not in [form["action"] for form in page.shown.forms]
        saved = await browser.post(
            "/account", {**page.form("/account"), "display_name": "甲"}, cookie=cookie, origin=HOME
        )
        assert saved.status == 303
        refused = await browser.post("/account", {"csrf": "no"}, cookie=cookie)
        assert refused.status == 403

    visits(story, foreign=Later())


def test_pages_say_so_when_the_sign_in_cannot_be_verified():
    class Away:
        async def visitor(self, cookies):
            raise StoreError("away")

    async def story(town):
        page = await town.browser().get("/account")
        assert page.status == 503
        assert page.headers["retry-after"]

    visits(story, foreign=Away())
