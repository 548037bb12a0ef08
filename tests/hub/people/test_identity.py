"""Who calls: keys before cookies, what each refusal tells, what is remembered and for how long."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import fields

import pytest

from bazi_hub.people import identity as identity_module
from bazi_hub.people import keys
from bazi_hub.people.identity import (
    COOKIE,
    MOST_CACHED,
    MOST_KEYS,
    SESSION_MS,
    Identity,
    Secrets,
    Visitor,
    key_of,
)
from bazi_hub.ports import SESSION_IDLE_MS, Account, Conflict, StoreError
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.errors import HubError, unauthorized
from bazi_hub.words.system import SystemIds
from tests.hub.stories import story_in
from tests.hub.worlds import Voices

PEPPER, OLDER, SESSION = b"p" * 32, b"o" * 32, b"s" * 32
SECRETS = Secrets(PEPPER, SESSION)
SITE = "https://hub.example"
HOST_COOKIE = f"__Host-{COOKIE}"
ME = "account-1"


class Door:
    """An identity over stores in memory, with one account."""

    def __init__(self, secrets: Secrets = SECRETS, storage=None, foreign=None, clock=None) -> None:
        self.clock, self.voices = clock or FakeClock(), Voices()
        self.storage = storage or MemoryStorage(self.clock, FakeIds())
        self.identity = Identity(
            self.storage, secrets, clock=self.clock, ids=SystemIds(), telemetry=self.voices, foreign=foreign
        )

    async def settled(self):
        await self.storage.accounts.create(Account(ME, "me@example.org", None, "active", "en", 0), 0, "test")
        return self

    async def caller(self, headers, **more):
        return await self.identity.identify(headers, site=SITE, **more)

    async def reason(self, headers, **more):
        """Why nobody is let in: the reason that is told, or None for none."""
        with pytest.raises(HubError) as found:
            await self.caller(headers, **more)
        assert found.value.name == "UNAUTHORIZED"
        assert found.value.detail == "Unauthorized"
        return found.value.members.get("reason")

    async def key(self, flavor="personal", **more):
        text, key = await self.identity.issue(ME, flavor, "test", **more)
        return text, key

    async def quiet(self):
        """Lets what nobody waits for end."""
        await asyncio.gather(*self.identity._tasks)


@asynccontextmanager
async def opened(**options):
    yield await Door(**options).settled()


at_door = story_in(opened)


# --- keys


@at_door
async def test_a_key_tells_account_kind_id_and_agent(door):
    text, key = await door.key("agent", agent_name="Oracle")
    found = await door.caller({"x-api-key": text})
    assert (found.account_id, found.kind, found.key_id, found.agent_name) == (
        ME, "agent", key.id, "Oracle",
    )  # fmt: skip
    assert found.language == "en"


@at_door
async def test_a_bearer_key_serves_like_the_own_header(door):
    text, _ = await door.key()
    assert (await door.caller({"authorization": f"bearer {text}"})).kind == "personal"


@at_door
async def test_the_own_header_goes_before_authorization_and_a_bad_one_is_not_passed_over(door):
    text, _ = await door.key()
    assert await door.reason({"x-api-key": "bad", "authorization": f"Bearer {text}"}) is None
    assert await door.reason({"x-api-key": ""}) is None


@at_door
async def test_a_bad_key_never_falls_through_to_the_cookie(door):
    _, cookie = await door.identity.begin(ME)
    assert (await door.caller({"cookie": f"{HOST_COOKIE}={cookie}"})).kind == "session"
    assert await door.reason({"x-api-key": "bad", "cookie": f"{HOST_COOKIE}={cookie}"}) is None


def test_another_scheme_of_authorization_is_no_key():
    assert key_of({"authorization": "Basic abc"}) is None


@at_door
async def test_a_wrong_checksum_is_refused_without_asking_the_store(door):
    text, _ = await door.key()

    async def asked(key_id):
        raise AssertionError("the store was asked")

    door.storage.keys.find = asked
    assert await door.reason({"x-api-key": text[:-1] + ("0" if text[-1] != "0" else "1")}) is None


@at_door
async def test_an_unknown_key_and_a_wrong_secret_get_the_same_answer(door):
    text, _ = await door.key()
    body = text[:12] + "0" * 32
    assert await door.reason({"x-api-key": body + keys.checksum(body)}) is None
    assert await door.reason({"x-api-key": keys.make("personal", FakeIds(9000))}) is None


@at_door
async def test_revoked_and_expired_are_told_only_to_whoever_has_the_secret(door):
    revoked, key = await door.key()
    await door.identity.revoke(key.id, "test")
    assert await door.reason({"x-api-key": revoked}) == "revoked"
    expiring, _ = await door.key(expires_ms=door.clock.now_ms() + 1000)
    assert (await door.caller({"x-api-key": expiring})).kind == "personal"
    door.clock.advance(1)
    assert await door.reason({"x-api-key": expiring}) == "expired"
    body = expiring[:12] + "0" * 32
    assert await door.reason({"x-api-key": body + keys.checksum(body)}) is None


@at_door
async def test_a_key_revoked_elsewhere_is_refused_within_five_seconds(door):
    text, key = await door.key()
    await door.caller({"x-api-key": text})
    await door.storage.keys.revoke(key.id, 0, "another worker")
    door.clock.advance(4.9)
    assert (await door.caller({"x-api-key": text})).key_id == key.id
    door.clock.advance(0.1)
    assert await door.reason({"x-api-key": text}) == "revoked"


@at_door
async def test_a_key_revoked_here_is_refused_at_once(door):
    text, key = await door.key()
    await door.caller({"x-api-key": text})
    assert await door.identity.revoke(key.id, "test", ME)
    assert await door.reason({"x-api-key": text}) == "revoked"


@at_door
async def test_a_suspended_account_is_refused_within_five_seconds_without_a_reason(door):
    text, _ = await door.key()
    await door.caller({"x-api-key": text})
    await door.storage.accounts.change(ME, "test", status="suspended")
    door.clock.advance(5)
    assert await door.reason({"x-api-key": text}) is None


@at_door
async def test_only_verified_keys_are_remembered_and_not_more_than_there_is_room_for(door):
    text, _ = await door.key()
    for wrong in ("bad", keys.make("personal", FakeIds(9000))):
        await door.reason({"x-api-key": wrong})
    assert len(door.identity._cache) == 0
    await door.caller({"x-api-key": text})
    for number in range(MOST_CACHED):
        door.identity._cache[number.to_bytes(4, "big")] = (0.0, None, None)
    second, _ = await door.key()
    await door.caller({"x-api-key": second})
    assert len(door.identity._cache) == MOST_CACHED


@at_door
async def test_a_key_made_under_the_older_pepper_serves_while_that_is_configured(door):
    text, _ = await door.key()
    both = Door(Secrets(OLDER, SESSION, PEPPER), door.storage, clock=door.clock)
    assert (await both.caller({"x-api-key": text})).account_id == ME
    fresh, key = await both.key()
    assert key.pepper_id == keys.pepper_id(OLDER)
    assert (await both.caller({"x-api-key": fresh})).account_id == ME
    without = Door(Secrets(OLDER, SESSION), door.storage, clock=door.clock)
    assert await without.reason({"x-api-key": text}) is None


def test_every_key_that_is_refused_costs_one_digest_and_one_comparison_of_equal_length(monkeypatch):
    """Whatever is wrong with it, and wherever: the time of a refusal has nothing to tell."""

    async def story(door):
        text, _ = await door.key()
        gone, gone_key = await door.key()
        await door.identity.revoke(gone_key.id, "test")
        late, _ = await door.key(expires_ms=door.clock.now_ms() - 1)
        work = []
        for module, name in ((identity_module.keys, "digest"), (identity_module.hmac, "compare_digest")):
            monkeypatch.setattr(module, name, counted(getattr(module, name), work))
        body = text[: -keys.CHECKSUM_LENGTH]
        start = 4 + keys.ID_LENGTH
        changed = [
            body[:at] + ("1" if body[at] == "0" else "0") + body[at + 1 :] for at in range(start, len(body))
        ]
        unknown = body[:4] + "z" * keys.ID_LENGTH + body[start:]
        for wrong in (*(each + keys.checksum(each) for each in (unknown, *changed)), gone, late):
            work.clear()
            await door.reason({"x-api-key": wrong})
            assert work == [("digest", (32, len(text))), ("compare_digest", (32, 32))]

    def counted(real, work):
        def done(*given):
            work.append((real.__name__.strip("_"), tuple(len(each) for each in given)))
            return real(*given)

        return done

    at_door(story)()


@at_door
async def test_the_use_of_a_key_is_noted_at_most_once_a_minute_and_nobody_waits_for_it(door):
    text, _ = await door.key()
    noted = []
    real = door.storage.keys.used

    async def used(key_ids, now_ms):
        noted.append(now_ms)
        await real(key_ids, now_ms)

    door.storage.keys.used = used
    for _ in range(4):
        await door.caller({"x-api-key": text})
        await door.quiet()
        door.clock.advance(20)
    assert len(noted) == 2


@at_door
async def test_a_note_that_fails_is_the_operators_business_only(door):
    text, _ = await door.key()

    async def used(key_ids, now_ms):
        raise StoreError("full")

    door.storage.keys.used = used
    await door.caller({"x-api-key": text})
    await door.quiet()
    assert [line["event"] for line in door.voices.logged] == ["note_failed"]


@at_door
async def test_a_store_that_fails_is_no_refusal(door):
    text, _ = await door.key()

    async def find(key_id):
        raise StoreError("away")

    door.storage.keys.find = find
    with pytest.raises(HubError) as found:
        await door.caller({"x-api-key": text})
    assert found.value.name == "AUTH_BACKEND_ERROR"


@at_door
async def test_refusals_are_counted_by_their_reason(door):
    await door.reason({})
    assert door.voices.counted == {"auth_failures_total": 1}


@at_door
async def test_an_account_has_at_most_twenty_active_keys(door):
    issued = [await door.key() for _ in range(MOST_KEYS)]
    with pytest.raises(Conflict):
        await door.key()
    await door.identity.revoke(issued[0][1].id, "test")
    await door.key()


@at_door
async def test_the_text_of_a_key_is_stored_nowhere(door):
    text, _ = await door.key()
    rows = door.storage.tables
    kept = repr([getattr(rows, field.name) for field in fields(rows)])
    assert text[4:12] in kept
    assert text[12:44] not in kept


def test_secrets_do_not_show_themselves():
    assert "p" * 8 not in repr(Secrets(PEPPER, SESSION))


# --- sessions


async def signed_in(door):
    session, cookie = await door.identity.begin(ME)
    return session, {"cookie": f"{HOST_COOKIE}={cookie}"}


def test_a_session_lasts_fourteen_days_for_whoever_comes_back():
    async def story(door):
        _, headers = await signed_in(door)
        for _ in range(13):
            door.clock.advance(86_400)
            assert (await door.caller(headers)).kind == "session"
            await door.quiet()
        door.clock.advance(86_400)
        assert await door.reason(headers) == "session"

    assert SESSION_MS == 14 * 86_400_000
    at_door(story)()


def test_a_session_that_nobody_uses_ends_after_seven_days():
    async def story(door):
        _, headers = await signed_in(door)
        door.clock.advance(SESSION_IDLE_MS / 1000)
        assert await door.reason(headers) == "session"

    assert SESSION_IDLE_MS == 7 * 86_400_000
    at_door(story)()


@at_door
async def test_a_session_is_written_to_at_most_once_a_minute(door):
    session, headers = await signed_in(door)
    door.clock.advance(59)
    await door.caller(headers)
    await door.quiet()
    assert door.storage.tables.sessions[session.id].seen_ms == session.seen_ms
    door.clock.advance(1)
    await door.caller(headers)
    await door.quiet()
    assert door.storage.tables.sessions[session.id].seen_ms == door.clock.now_ms()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda c: c[:-1],
        lambda c: ("1" if c[0] == "0" else "0") + c[1:],
        lambda c: c.partition(".")[0],
        lambda c: ".",
        lambda c: "é",
    ],
)
@at_door
async def test_a_cookie_with_another_signature_is_nobodys(door, spoil):
    _, cookie = await door.identity.begin(ME)
    assert await door.reason({"cookie": f"{HOST_COOKIE}={spoil(cookie)}"}) == "session"


@at_door
async def test_a_session_that_was_ended_is_over(door):
    session, headers = await signed_in(door)
    await door.storage.sessions.end(session.id)
    assert await door.reason(headers) == "session"


@at_door
async def test_the_session_of_a_suspended_account_is_over(door):
    _, headers = await signed_in(door)
    await door.storage.accounts.change(ME, "test", status="suspended")
    assert await door.reason(headers) == "session"


@at_door
async def test_a_cookie_reads_from_the_own_origin_or_none_and_from_no_other(door):
    _, headers = await signed_in(door)
    assert (await door.caller(headers)).kind == "session"
    assert (await door.caller({**headers, "origin": SITE})).kind == "session"
    assert await door.reason({**headers, "origin": "https://evil.example"}) == "csrf"


@at_door
async def test_a_cookie_writes_with_its_token_and_the_own_origin_and_not_otherwise(door):
    session, headers = await signed_in(door)
    whole = {**headers, "origin": SITE, "x-csrf-token": session.csrf}
    assert (await door.caller(whole, writes=True)).kind == "session"
    for missing in ("origin", "x-csrf-token"):
        assert await door.reason({k: v for k, v in whole.items() if k != missing}, writes=True) == "csrf"
    other, _ = await signed_in(door)
    for wrong in ({"origin": "https://evil.example"}, {"x-csrf-token": "no"}, {"x-csrf-token": other.csrf}):
        assert await door.reason({**whole, **wrong}, writes=True) == "csrf"


@at_door
async def test_behind_tls_a_cookie_counts_only_by_the_name_that_no_other_host_can_set(door):
    _, headers = await signed_in(door)
    planted = {"cookie": headers["cookie"].removeprefix("__Host-")}
    assert await door.reason(planted) is None
    visitor = await door.identity.visitor(planted, "http://localhost:8000")
    assert visitor.account.id == ME
    with pytest.raises(HubError):
        await door.identity.visitor(headers, "http://localhost:8000")


def test_what_is_sealed_for_one_purpose_proves_nothing_for_another():
    secrets = Secrets(PEPPER, SESSION)
    purposes = ("session", "csrf", "device", "sign-in", "sign-up")
    assert len({secrets.seal(purpose, "x") for purpose in purposes}) == len(purposes)


@at_door
async def test_an_odd_cookie_beside_it_does_not_hide_the_session(door):
    _, headers = await signed_in(door)
    odd = 'x={"a":"b c"}; y=[1,2]; =z; w; ' + headers["cookie"]
    assert (await door.caller({"cookie": odd})).account_id == ME


# --- somebody else's cookies


class Elsewhere:
    """A sign-in that knows one cookie."""

    async def visitor(self, cookies):
        if cookies.get("sb") == "bad":
            raise unauthorized("session")
        return (
            Visitor(Account("account-2", None, None, "active", None, 0), "token") if "sb" in cookies else None
        )


@at_door(foreign=Elsewhere)
async def test_a_cookie_of_another_sign_in_counts_where_the_own_one_does_not(door):
    assert (await door.caller({"cookie": "sb=1"})).account_id == "account-2"
    _, headers = await signed_in(door)
    assert (await door.caller({"cookie": f"sb=1; {headers['cookie']}"})).account_id == ME
    assert await door.reason({"cookie": "sb=bad"}) == "session"
    assert await door.reason({}) is None
    whole = {"cookie": "sb=1", "origin": SITE, "x-csrf-token": "token"}
    assert (await door.caller(whole, writes=True)).account_id == "account-2"
    assert await door.reason({**whole, "x-csrf-token": "other"}, writes=True) == "csrf"
