"""Signing up, in and out: what is counted, what is told, what the cookie says, and where one ends up."""

from __future__ import annotations

import asyncio
import threading

import pytest
from argon2 import PasswordHasher

from bazi_hub.operate.admin import act
from bazi_hub.pages.request import local_path, network
from bazi_hub.pages.site import Site
from bazi_hub.people.passwords import MOST_WAITING, MOST_WAITING_OF_A_LANE, THREADS
from tests.hub.pages.browsing import EMAIL, PASSWORD, in_town, visits

RIGHT = {"email": EMAIL, "password": PASSWORD}
WRONG = {"email": EMAIL, "password": "wrong horse battery"}
UNKNOWN = {"email": "nobody@example.org", "password": "wrong horse battery"}


# --- signing up


@in_town
async def test_whoever_signs_up_gets_the_starter_allowance_and_is_signed_in(town):
    browser = await town.member()
    assert "25" in (await browser.get("/billing")).words
    [account] = await town.storage.accounts.listed()
    assert account.email == EMAIL
    assert account.password_hash.startswith("$argon2id$")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"email": "no-address", "password": PASSWORD}, 400),
        ({"email": "a@b", "password": PASSWORD}, 400),
        ({"email": "a b@example.org", "password": PASSWORD}, 400),
        ({"email": "x" * 250 + "@example.org", "password": PASSWORD}, 400),
        ({"email": EMAIL, "password": "x" * 9}, 400),
        ({"email": EMAIL, "password": "x" * 2000}, 400),
        ({}, 400),
    ],
)
@in_town
async def test_a_bad_address_or_password_makes_no_account_and_costs_no_attempt(town, fields, status):
    browser = town.browser()
    for _ in range(7):
        page = await browser.post("/signup", fields)
        assert page.status == status
    assert await town.storage.accounts.listed() == []
    assert (await browser.post("/signup", RIGHT)).status == 303


@in_town
async def test_an_e_mail_has_one_account_whatever_its_case(town):
    await town.member()
    page = await town.browser().post("/signup", {"email": EMAIL.upper(), "password": PASSWORD})
    assert page.status == 409
    assert len(await town.storage.accounts.listed()) == 1


@in_town
async def test_the_sixth_sign_up_of_an_address_on_a_day_has_to_wait_for_the_next(town):
    for number in range(5):
        await town.member(f"r{number}@example.org", address="192.0.2.1")
    browser = town.browser(address="192.0.2.1")
    page = await browser.post("/signup", {"email": "r5@example.org", "password": PASSWORD})
    assert page.status == 429
    left_s = 86_400 - town.clock.now_ms() // 1000 % 86_400
    assert page.headers["retry-after"] == str(left_s)
    await town.member("other@example.org", address="192.0.2.2")
    town.clock.advance(left_s)
    await town.member("r5@example.org", address="192.0.2.1")


@in_town
async def test_a_household_of_ipv6_counts_as_one_address(town):
    for number in range(5):
        await town.member(f"r{number}@example.org", address=f"2001:db8:1:2::{number}")
    page = await town.browser(address="2001:db8:1:2:ffff::1").post("/signup", RIGHT)
    assert page.status == 429
    await town.member(address="2001:db8:1:3::1")


@in_town
async def test_asking_for_known_e_mails_is_counted_too(town):
    await town.member()
    browser = town.browser()
    answers = [(await browser.post("/signup", RIGHT)).status for _ in range(5)]
    assert answers == [409, 409, 409, 409, 429]


@in_town(signup="closed")
async def test_a_closed_hub_takes_nobody(town):
    page = await town.browser().get("/signup")
    assert "no new accounts" in page.words
    assert page.shown.forms == []
    assert (await town.browser().post("/signup", {**RIGHT, "invite": "0" * 32})).status == 403
    assert await town.storage.accounts.listed() == []


async def invited(town):
    """The path of a new invitation."""
    made = await act(town.composition.admin_context("operator"), "account_invite", {})
    link: str = made["link"]
    return link


@in_town(signup="invite")
async def test_an_invitation_lets_one_person_in_once(town):
    browser = town.browser()
    assert "invitation" in (await browser.get("/signup")).words
    assert (await browser.post("/signup", RIGHT)).status == 403
    link = await invited(town)
    assert (await browser.submit(link, "/signup", **RIGHT)).status == 303
    again = await town.browser().submit(link, "/signup", email="b@example.org", password=PASSWORD)
    assert again.status == 403
    assert len(await town.storage.accounts.listed()) == 1


@in_town(signup="invite")
async def test_an_invitation_that_is_too_old_lets_nobody_in(town):
    link = await invited(town)
    town.clock.advance(8 * 86_400)
    assert (await town.browser().submit(link, "/signup", **RIGHT)).status == 403


@in_town(signup="invite")
async def test_an_invitation_survives_a_known_e_mail_and_a_short_password(town):
    await act(town.composition.admin_context("operator"), "account_create", {"email": EMAIL})
    link = await invited(town)
    assert (await town.browser().submit(link, "/signup", **RIGHT)).status == 409
    assert (
        await town.browser().submit(link, "/signup", email="b@example.org", password="short")
    ).status == 400
    good = await town.browser().submit(link, "/signup", email="b@example.org", password=PASSWORD)
    assert good.status == 303


@in_town
async def test_an_e_mail_that_somebody_typed_is_shown_as_not_verified_until_the_operator_confirms_it(town):
    browser = await town.member()
    assert f"{EMAIL} (not verified)" in (await browser.get("/account")).words
    await act(town.composition.admin_context("operator"), "account_confirm", {"account": EMAIL})
    assert "not verified" not in (await browser.get("/account")).words


# --- signing in


@in_town
async def test_the_right_password_opens_and_the_wrong_one_does_not(town):
    await town.member()
    browser = town.browser()
    assert (await browser.post("/login", WRONG)).status == 403
    assert browser.cookie is None
    assert (await browser.post("/login", {**RIGHT, "email": f" {EMAIL.upper()} "})).status == 303
    assert (await browser.get("/account")).status == 200


@in_town
async def test_an_unknown_e_mail_gets_the_same_answer_after_the_same_hash(town):
    await town.member()
    checked = []
    real = town.passwords.matches

    async def matches(stored, password, lane):
        checked.append(stored is not None)
        return await real(stored, password, lane)

    town.passwords.matches = matches
    known = await town.browser().post("/login", WRONG)
    unknown = await town.browser().post("/login", UNKNOWN)
    assert checked == [True, False]
    assert known.status == unknown.status == 403
    assert known.text.replace(EMAIL, "") == unknown.text.replace(UNKNOWN["email"], "")


@pytest.mark.parametrize("who", [WRONG, UNKNOWN])
@in_town
async def test_five_failures_lock_the_pair_of_e_mail_and_address_for_a_quarter_of_an_hour(town, who):
    await town.member()
    browser = town.browser()
    assert [(await browser.post("/login", who)).status for _ in range(6)] == [403] * 5 + [429]
    page = await browser.post("/login", {**who, "email": who["email"].upper(), "password": PASSWORD})
    assert page.status == 429
    assert page.headers["retry-after"] == "900"
    elsewhere = await town.browser(address="192.0.2.9").post("/login", who)
    assert elsewhere.status == 403
    town.clock.advance(900)
    assert (await browser.post("/login", who)).status == 403


@pytest.mark.parametrize("second", [0, 1, 449, 898, 899])
@in_town
async def test_no_quarter_of_an_hour_has_more_than_five_failures_wherever_it_begins(town, second):
    await town.member()
    browser = town.browser()
    town.clock.advance(900 - town.clock.now_ms() // 1000 % 900 + second)
    first = await browser.post("/login", WRONG)
    town.clock.advance(899)
    before = [(await browser.post("/login", WRONG)).status for _ in range(5)]
    town.clock.advance(1)
    after = [(await browser.post("/login", WRONG)).status for _ in range(3)]
    assert (first.status, before, after) == (403, [403] * 4 + [429], [403, 429, 429])


@in_town
async def test_guesses_at_the_same_time_are_counted_like_others(town):
    await town.member()
    answers = await asyncio.gather(*(town.browser().post("/login", WRONG) for _ in range(12)))
    assert sorted(answer.status for answer in answers) == [403] * 5 + [429] * 7


@in_town
async def test_a_right_password_is_no_failure(town):
    await town.member()
    for _ in range(8):
        assert (await town.browser().post("/login", RIGHT)).status == 303


@in_town
async def test_neither_e_mail_nor_address_stands_in_the_name_of_a_counter(town):
    await town.browser(address="192.0.2.77").post("/login", WRONG)
    kept = repr(list(town.limits._places))
    assert "sign-in" in kept
    assert EMAIL not in kept
    assert "192.0.2.77" not in kept


class Slow(PasswordHasher):
    """Checks nothing before its gate is opened."""

    def __init__(self):
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.gate, self.order = threading.Event(), []

    def verify(self, hash, password):
        self.gate.wait(20)
        self.order.append(password)
        return super().verify(hash, password)


async def crowded(town, hasher, lanes):
    """A town where passwords of these lanes wait, and whoever waits."""
    town.passwords._hasher = hasher
    waiting = [asyncio.ensure_future(town.passwords.matches(None, "x" * 12, lane)) for lane in lanes]
    await asyncio.sleep(0)
    return waiting


@in_town
async def test_an_address_with_too_many_waiting_passwords_comes_back_later_and_nobody_else_does(town):
    await town.member()
    slow = Slow()
    waiting = await crowded(town, slow, ["127.0.0.1"] * MOST_WAITING_OF_A_LANE)
    pages = [await town.browser().post("/login", WRONG) for _ in range(7)]
    pages += [await town.browser().post("/signup", {**RIGHT, "email": "b@example.org"}) for _ in range(7)]
    assert {page.status for page in pages} == {429}
    assert {page.headers["retry-after"] for page in pages} == {"5"}
    owner = asyncio.ensure_future(town.browser(address="192.0.2.9").post("/login", RIGHT))
    for _ in range(20):
        await asyncio.sleep(0)
    slow.gate.set()
    assert (await owner).status == 303
    await asyncio.gather(*waiting)
    # What was refused for want of room was no guess.
    assert [(await town.browser().post("/login", WRONG)).status for _ in range(6)] == [403] * 5 + [429]


def test_the_page_of_a_refusal_is_made_once_for_all_strangers_and_never_shows_one_to_another(monkeypatch):
    made, rendered = [], Site.rendered

    def counted(site, template, language, **values):
        made.append(template)
        return rendered(site, template, language, **values)

    monkeypatch.setattr(Site, "rendered", counted)

    async def story(town):
        member = await town.member(address="192.0.2.1")
        waiting = await crowded(town, slow := Slow(), ["127.0.0.1"] * MOST_WAITING_OF_A_LANE)
        made.clear()
        pages = [
            await town.browser().post("/login", {**WRONG, "email": f"{n}@example.org"}) for n in range(20)
        ]
        assert (made, {page.status for page in pages}) == (["error.html"], {429})
        assert len({page.text for page in pages}) == 1
        chinese = await town.browser(language="zh-TW").post("/login", WRONG)
        assert ("busy" not in chinese.words, made) == (True, ["error.html"] * 2)
        # Somebody who is signed in has the links of the account on every page.
        own = await member.get("/nowhere")
        assert (own.status, "/billing" in own.text, "/billing" in pages[0].text) == (404, True, False)
        slow.gate.set()
        await asyncio.gather(*waiting)

    visits(story)


@in_town
async def test_a_full_queue_is_answered_with_503_but_for_browsers_that_signed_in_before(town):
    owner = await town.member()
    slow = Slow()
    lanes = [f"address {number}" for number in range(MOST_WAITING)]
    waiting = await crowded(town, slow, lanes)
    page = await town.browser().post("/login", RIGHT)
    assert (page.status, page.headers["retry-after"]) == (503, "5")
    owner.cookie = None
    signed = asyncio.ensure_future(owner.post("/login", RIGHT))
    for _ in range(20):
        await asyncio.sleep(0)
    slow.gate.set()
    assert (await signed).status == 303
    await asyncio.gather(*waiting)


# --- guessing from many places, and at many accounts


@in_town
async def test_an_address_that_tries_one_password_at_many_accounts_is_stopped_before_anything_is_hashed(town):
    town.passwords._hasher = hasher = Slow()
    hasher.gate.set()
    browser = town.browser(address="192.0.2.1")
    tried = [{"email": f"r{number}@example.org", "password": "Summer2024!"} for number in range(12)]
    answers = [(await browser.post("/login", each)).status for each in tried]
    assert answers == [403] * 10 + [429] * 2
    assert len(hasher.order) == 10
    told = [line for line in town.voices.logged if line["event"] == "sign_in_guessing"]
    assert told == [{"event": "sign_in_guessing", "level": "warning", "count": "accounts"}]
    assert (await town.browser(address="192.0.2.2").post("/login", tried[-1])).status == 403


@in_town(signin_failures_account=1000)
async def test_a_customer_has_thirty_wrong_passwords_however_many_networks_of_his_he_uses(town):
    answers = []
    for number in range(7):
        browser = town.browser(address=f"2001:db8:1:2{number:02x}::1")
        answers.append([(await browser.post("/login", UNKNOWN)).status for _ in range(5)])
    assert answers == [[403] * 5] * 6 + [[429] * 5]
    assert (await town.browser(address="2001:db8:1:300::1").post("/login", UNKNOWN)).status == 403


@in_town
async def test_guesses_at_one_account_from_everywhere_leave_each_new_address_one(town):
    await town.member()
    for number in range(5):
        for _ in range(5):
            assert (await town.browser(address=f"192.0.2.{number}").post("/login", WRONG)).status == 403
    late = town.browser(address="198.51.100.1")
    assert [(await late.post("/login", WRONG)).status for _ in range(3)] == [403, 429, 429]
    # Nobody is locked out by it: not the owner at a new place, nor anybody else at the same one.
    assert (await town.browser(address="198.51.100.2").post("/login", RIGHT)).status == 303
    assert (await late.post("/login", UNKNOWN)).status == 403


@pytest.mark.parametrize("who", [WRONG, UNKNOWN])
@in_town
async def test_a_known_and_an_unknown_account_are_besieged_alike(town, who):
    await town.member()
    answers = []
    for number in range(8):
        browser = town.browser(address=f"192.0.2.{number}")
        answers.append([(await browser.post("/login", who)).status for _ in range(5)])
    assert answers == [[403] * 5] * 5 + [[403] + [429] * 4] * 3


@in_town
async def test_a_browser_that_signed_in_before_is_counted_by_itself_and_only_for_its_own_account(town):
    owner = await town.member()
    await town.member("other@example.org")
    owner.cookie = None
    for _ in range(5):
        await town.browser().post("/login", WRONG)
    assert (await town.browser().post("/login", RIGHT)).status == 429
    assert [(await owner.post("/login", WRONG)).status for _ in range(4)] == [403] * 4
    assert (await owner.post("/login", RIGHT)).status == 303
    owner.cookie = None
    other = {"email": "other@example.org", "password": "wrong horse battery"}
    assert [(await owner.post("/login", other)).status for _ in range(6)] == [403] * 5 + [429]


@in_town
async def test_a_device_cookie_that_the_hub_did_not_make_is_no_device(town):
    owner = await town.member()
    for _ in range(5):
        await town.browser().post("/login", WRONG)
    account_id, nonce, signature = owner.device.split(".")
    forged = [
        f"{account_id}.{'0' * len(nonce)}.{signature}", f"{account_id}.{nonce}.", f"{account_id}..{signature}",
        owner.cookie, "..", "x",
    ]  # fmt: skip
    for cookie in forged:
        browser = town.browser()
        browser.device = cookie
        assert (await browser.post("/login", RIGHT)).status == 429


@in_town
async def test_forty_addresses_with_ten_connections_each_keep_nobody_out(town):
    await town.member()
    town.passwords._hasher = slow = Slow()
    # As many guesses as the counts let through, at the same account and at others.
    flood = [
        asyncio.ensure_future(
            town.browser(address=f"198.51.100.{address}").post(
                "/login", {**WRONG, "email": EMAIL if guess % 2 else f"r{address}@example.org"}
            )
        )
        for guess in range(10)
        for address in range(40)
    ]
    for _ in range(200):
        await asyncio.sleep(0)
    owner = asyncio.ensure_future(town.browser(address="192.0.2.9").post("/login", RIGHT))
    for _ in range(200):
        await asyncio.sleep(0)
    slow.gate.set()
    assert (await owner).status == 303
    # At most one password of every address was looked at meanwhile, and those that had begun.
    assert slow.order.index(PASSWORD) <= 40 + THREADS + 2
    assert {page.status for page in await asyncio.gather(*flood)} == {403, 429}


@in_town
async def test_every_sign_in_makes_a_new_session_and_ends_the_one_before(town):
    browser = await town.member()
    first = browser.cookie
    page = await browser.post("/login", {**RIGHT, **(await browser.get("/account")).form("/logout")})
    assert page.status == 303
    assert browser.cookie != first
    stale = town.browser()
    stale.cookie = first
    assert (await stale.get("/account")).status == 303
    assert len(town.rows.sessions) == 1


@in_town
async def test_a_hash_of_other_parameters_is_renewed_by_the_next_sign_in(town):
    await town.member()
    [before] = await town.storage.accounts.listed()
    town.passwords._hasher = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
    await town.browser().post("/login", RIGHT)
    [after] = await town.storage.accounts.listed()
    assert after.password_hash != before.password_hash
    assert not town.passwords.outdated(after.password_hash)


@pytest.mark.parametrize("status", ["suspended"])
@in_town
async def test_a_suspended_account_gets_the_answer_of_a_wrong_password(town, status):
    await town.member()
    [account] = await town.storage.accounts.listed()
    await town.storage.accounts.change(account.id, "operator", status=status)
    page = await town.browser().post("/login", RIGHT)
    assert (page.status, page.words) == (403, (await town.browser().post("/login", WRONG)).words)


# --- the cookie


@in_town
async def test_the_cookie_is_hidden_from_scripts_and_stays_on_this_site(town):
    browser = await town.member()
    said = [part.strip().lower() for part in browser.set_cookie.split(";")[1:]]
    assert sorted(said) == ["httponly", "max-age=1209600", "path=/", "samesite=lax"]


@in_town
async def test_the_cookie_is_secure_when_the_request_came_by_https(town):
    browser = await town.member(home="https://localhost")
    assert "; secure" in browser.set_cookie.lower()


@in_town(public_url="https://hub.example")
async def test_the_cookie_is_secure_when_the_public_url_says_https_whatever_the_proxy_speaks(town):
    browser = town.browser(home="http://hub.example")
    page = await browser.post("/signup", RIGHT, origin="https://hub.example")
    assert page.status == 303
    assert "; secure" in browser.set_cookie.lower()
    assert page.headers["strict-transport-security"]


# --- signing out


@in_town
async def test_signing_out_ends_the_session_and_takes_the_cookie_away(town):
    browser = await town.member()
    kept = browser.cookie
    page = await browser.submit("/account", "/logout")
    assert page.to == "/"
    assert browser.cookie is None
    assert "max-age=0" in browser.set_cookie.lower()
    browser.cookie = kept
    assert (await browser.get("/account")).status == 303


@in_town
async def test_a_link_cannot_sign_anybody_out(town):
    browser = await town.member()
    page = await browser.get("/logout")
    assert (page.status, page.headers["allow"]) == (405, "POST")
    assert (await browser.get("/account")).status == 200


@in_town
async def test_all_sessions_can_be_ended_from_one(town):
    one, other = await town.member(), town.browser()
    await other.post("/login", RIGHT)
    assert (await one.submit("/account", "/account/sessions")).status == 303
    assert (await one.get("/account")).status == (await other.get("/account")).status == 303
    assert town.rows.sessions == {}


@in_town
async def test_a_new_password_needs_the_old_one_and_ends_the_other_sessions(town):
    one, other = await town.member(), town.browser()
    await other.post("/login", RIGHT)
    wrong = await one.submit("/account", "/account/password", password="not this one", new_password="y" * 12)
    assert wrong.status == 403
    short = await one.submit("/account", "/account/password", password=PASSWORD, new_password="short")
    assert short.status == 400
    done = await one.submit("/account", "/account/password", password=PASSWORD, new_password="another horse")
    assert done.status == 303
    assert (await one.get("/account")).status == 200
    assert (await other.get("/account")).status == 303
    assert (await town.browser().post("/login", RIGHT)).status == 403
    assert (await town.browser().post("/login", {**RIGHT, "password": "another horse"})).status == 303


# --- where one ends up


@in_town
async def test_after_signing_in_one_is_where_one_wanted_to_be(town):
    await town.member()
    browser = town.browser()
    sent = await browser.get("/billing?x=1")
    assert sent.to == "/login?next=%2Fbilling%3Fx%3D1"
    page = await browser.submit(sent.to, "/login", **RIGHT)
    assert page.to == "/billing?x=1"


@pytest.mark.parametrize(
    "evil",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
     "javascript:alert(1)", "evil.example", "/%0d\x0aSet-Cookie: a", "http:///x", "", "/é", "/ /evil.example",
     "//[", "/\x00"],
)  # fmt: skip
def test_no_next_leads_to_another_site(evil):
    assert local_path(evil) == "/"

    async def story(town):
        await town.member()
        page = await town.browser().post("/login", {**RIGHT, "next": evil})
        assert (page.status, page.to) == ((400, "") if "\0" in evil else (303, "/"))

    visits(story)


@in_town
async def test_a_form_that_was_sent_too_late_leads_to_the_sign_in(town):
    browser = await town.member()
    form = (await browser.get("/account")).form("/account")
    town.clock.advance(15 * 86_400)
    page = await browser.post("/account", form)
    assert page.to == "/login?next=%2F"


@in_town(root="/hub")
async def test_behind_a_prefix_links_cookies_and_redirects_carry_it(town):
    browser = town.browser()
    assert (await browser.get("/billing")).to == "/hub/login?next=%2Fbilling"
    page = await browser.get("/login?next=%2Fbilling")
    assert page.shown.forms[0]["action"] == "/hub/login"
    assert all(link.startswith("/hub/") for link in page.shown.links if link != "#main")
    await browser.post("/signup", RIGHT)
    assert "path=/hub" in browser.set_cookie.lower()
    assert (await browser.post("/login", {**RIGHT, "next": "/billing", "csrf": ""})).status == 403
    style = next(found["href"] for tag, found in page.shown.tags if tag == "link")
    assert style.startswith("/hub/static/style.")
    assert (await browser.get(style.removeprefix("/hub"))).status == 200


@in_town(root="/hub")
async def test_behind_a_prefix_a_cookie_of_the_host_alone_is_for_all_of_it(town):
    """Browsers drop one of that name with another path."""
    browser = await town.member(home="https://localhost")
    said = browser.set_cookie.lower()
    assert said.startswith("__host-bazi_")
    assert ("; path=/;" in f"{said};", "; secure" in said, "domain=" in said) == (True, True, False)
    assert (await browser.get("/account")).status == 200


def test_an_address_that_is_none_counts_as_itself():
    assert network("testclient") == "testclient"


@in_town
async def test_an_e_mail_is_the_same_however_its_letters_were_composed(town):
    await town.member("jos\u00e9@example.org")
    again = await town.browser().post("/signup", {"email": "jose\u0301@example.org", "password": PASSWORD})
    assert again.status == 409
    signed = await town.browser().post("/login", {"email": "JOSE\u0301@example.org", "password": PASSWORD})
    assert signed.status == 303
