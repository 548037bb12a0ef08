"""What an operator may do, over the stores in memory and over the socket of a server."""

import asyncio
import os
import stat

import pytest

from bazi_hub.calls.gate import LEASE_GRACE_S
from bazi_hub.operate.admin import ActRefused, AdminContext, act
from bazi_hub.operate.admin_socket import (
    LONGEST_PATH,
    Control,
    ask,
    operator_name,
    require_short,
    socket_path,
)
from bazi_hub.operate.serving import run
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.people.passwords import Passwords
from bazi_hub.ports import Account, NewCall
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.testing import FakeClock, FakeIds
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.settings import Settings
from bazi_hub.words.system import NoTelemetry
from tests.hub.worlds import Voices


@pytest.fixture(scope="module")
def passwords():
    made = Passwords()
    yield made
    made.close()


@pytest.fixture
def context(passwords):
    clock, ids = FakeClock(), FakeIds()
    storage = MemoryStorage(clock, ids)
    identity = Identity(storage, Secrets(bytes(32), bytes(32)), clock=clock, ids=ids, telemetry=NoTelemetry())

    async def sleep(seconds):
        clock.advance(seconds)

    settings = Settings(public_url="https://hub.example")
    return AdminContext(storage, identity, passwords, settings, clock, ids, "me", sleep)


def does(context, name, /, **arguments):
    return asyncio.run(act(context, name, arguments))


def test_an_account_begins_with_the_starter_allowance_or_with_what_is_said(context):
    assert does(context, "account_create", email="A@b.example")["balance"] == 25
    made = does(context, "account_create", name="x", credits=7)
    assert (made["balance"], made["display_name"], made["status"]) == (7, "x", "active")
    assert len(does(context, "account_list")) == 2


def test_an_e_mail_belongs_to_one_account(context):
    does(context, "account_create", email="a@b.example")
    with pytest.raises(ActRefused, match="already"):
        does(context, "account_create", email="A@B.example")


@pytest.mark.parametrize("email", ["", "bad", "a@b", "@b.example", "a b@c.example", f"{'a' * 250}@b.example"])
def test_what_is_no_email_makes_no_account(context, email):
    with pytest.raises(ActRefused, match="is no e-mail"):
        does(context, "account_create", email=email)
    assert does(context, "account_list") == []


def test_an_account_is_named_by_its_id_or_e_mail(context):
    made = does(context, "account_create", email="a@b.example")
    assert does(context, "credits_show", account="a@B.example")["id"] == made["id"]
    assert does(context, "credits_show", account=made["id"])["free_remaining"] == {"bazi_basic_analysis": 1}
    with pytest.raises(ActRefused, match="no account"):
        does(context, "credits_show", account="nobody")


def signed_up(context, email="a@b.example"):
    """The id of an account that somebody made for an e-mail."""
    account = Account("self", email, None, "active", None, context.clock.now_ms())
    asyncio.run(context.storage.accounts.create(account, 25, account.id))
    return account.id


GIFTS = [
    ("credits_grant", {"amount": 5}),
    ("credits_adjust", {"amount": 5, "memo": "gift"}),
    ("keys_issue", {}),
]


@pytest.mark.parametrize(("act", "more"), GIFTS)
def test_an_e_mail_that_nobody_checked_names_nobody_who_is_given_something(context, act, more):
    account = signed_up(context)
    with pytest.raises(ActRefused, match=r"nobody has checked whose it is.*--yes"):
        does(context, act, account="A@b.example", **more)
    assert (
        does(context, "credits_show", account="a@b.example")["balance"],
        does(context, "keys_list", account=account),
    ) == (25, [])
    does(context, act, account=account, **more)
    does(context, act, account="a@b.example", sure=True, **more)


def test_a_confirmed_e_mail_and_one_that_an_operator_gave_are_verified(context):
    account = signed_up(context)
    assert does(context, "credits_show", account=account)["email_verified"] is False
    assert does(context, "account_confirm", account=account)["email_verified"] is True
    assert does(context, "credits_grant", account="a@b.example", amount=5)["balance"] == 30
    assert does(context, "account_create", email="c@d.example")["email_verified"] is True
    nameless = does(context, "account_create")
    assert nameless["email_verified"] is None
    with pytest.raises(ActRefused, match="no e-mail"):
        does(context, "account_confirm", account=nameless["id"])


def test_taking_from_an_unchecked_e_mail_needs_no_asking(context):
    signed_up(context)
    assert does(context, "credits_adjust", account="a@b.example", amount=-5, memo="mistake")["balance"] == 20


def test_a_key_is_shown_once_works_and_ends_when_it_is_revoked(context):
    account = does(context, "account_create")["id"]
    issued = does(context, "keys_issue", account=account, flavor="agent", agent_name="Oracle", days=3)
    caller = asyncio.run(context.identity.by_key(issued["key"]))
    assert (caller.account_id, caller.kind, caller.agent_name) == (account, "agent", "Oracle")
    [listed] = does(context, "keys_list", account=account)
    assert issued["key"] not in str(listed)
    assert listed["expires_at"] == "2026-03-04T12:34:10.000Z"
    does(context, "keys_revoke", key=issued["key"])
    with pytest.raises(Exception, match="Unauthorized"):
        asyncio.run(context.identity.by_key(issued["key"]))
    with pytest.raises(ActRefused):
        does(context, "keys_revoke", key="00000000")


def test_names_hold_nothing_that_nobody_sees(context):
    unseen = "\u200bLi\u202e \U000e0041Bai\u3164"
    made = does(context, "account_create", name=unseen)
    assert made["display_name"] == "Li Bai"
    assert does(context, "account_create", name="\u2800")["display_name"] is None
    issued = does(context, "keys_issue", account=made["id"], flavor="agent", agent_name=unseen)
    assert issued["agent_name"] == "Li Bai"


def test_an_account_has_so_many_keys(context):
    account = does(context, "account_create")["id"]
    for _ in range(20):
        does(context, "keys_issue", account=account)
    with pytest.raises(ActRefused, match="revoke one"):
        does(context, "keys_issue", account=account)


def test_the_same_grant_sent_twice_is_posted_once(context):
    account = does(context, "account_create")["id"]
    assert does(context, "credits_grant", account=account, amount=5, ref="invoice 1")["posted"] is True
    again = does(context, "credits_grant", account=account, amount=5, ref="invoice 1")
    assert (again["posted"], again["balance"]) == (False, 30)


def test_an_adjustment_says_why_and_cannot_take_what_is_not_there(context):
    account = does(context, "account_create")["id"]
    assert does(context, "credits_adjust", account=account, amount=-5, memo="mistake")["balance"] == 20
    for amount, memo in ((-21, "too much"), (0, "nothing"), (5, " ")):
        with pytest.raises(ActRefused):
            does(context, "credits_adjust", account=account, amount=amount, memo=memo)
    assert [line["balance"] for line in does(context, "credits_history", account=account)] == [25, 20]


def test_a_paid_call_is_refunded_once(context):
    account = does(context, "account_create")["id"]
    call = NewCall("call-1", account, "bazi_pattern_analysis", "f" * 64)
    asyncio.run(context.storage.ledger.charge(call, "{}"))
    assert does(context, "credits_refund", call="call-1")["balance"] == 25
    for wrong in ("call-1", "call-2"):
        with pytest.raises(ActRefused):
            does(context, "credits_refund", call=wrong)
    assert does(context, "verify") == []


def test_a_price_keeps_what_is_not_given_and_its_least_balance_follows_the_cost(context):
    assert does(context, "price_set", tool="bazi_pattern_analysis", credit_cost=7)["min_balance"] == 7
    off = does(context, "price_set", tool="bazi_pattern_analysis", enabled=False)
    assert (off["credit_cost"], off["enabled"], off["version"]) == (7, False, 3)
    for wrong in ({"tool": "nothing", "credit_cost": 1}, {"tool": "bazi_pattern_analysis", "free_quota": -1}):
        with pytest.raises(ActRefused):
            does(context, "price_set", **wrong)


def test_any_tool_may_be_switched_off_and_one_that_is_free_has_no_price_for_that(context):
    off = does(context, "price_set", tool="forum_create_post", enabled=False)
    assert (off["credit_cost"], off["enabled"]) == (0, False)
    assert does(context, "price_set", tool="forum_create_post", enabled=True)["enabled"]
    with pytest.raises(ActRefused):
        does(context, "price_set", tool="get_skill_info", credit_cost=1)


def test_a_suspended_account_is_refused_and_may_be_resumed(context):
    account = does(context, "account_create")["id"]
    key = does(context, "keys_issue", account=account)["key"]
    does(context, "account_status", account=account, status="suspended")
    with pytest.raises(Exception, match="Unauthorized"):
        asyncio.run(context.identity.by_key(key))
    does(context, "account_status", account=account, status="active")
    assert asyncio.run(context.identity.by_key(key)).account_id == account


def test_an_erased_account_keeps_nothing_but_its_id(context):
    account = does(context, "account_create", email="a@b.example", name="Somebody")["id"]
    does(context, "keys_issue", account=account, agent_name="Oracle")
    assert does(context, "account_erase", account="a@b.example")["status"] == "erased"
    shown = str(does(context, "account_list")) + str(does(context, "journal"))
    assert "Somebody" not in shown
    assert "a@b.example" not in shown
    assert does(context, "keys_list", account=account) == []
    with pytest.raises(ActRefused, match="erased"):
        does(context, "account_status", account=account, status="active")


# --- an account that is erased while something of it runs

LEASED_S = Settings().llm_deadline_t4_s + LEASE_GRACE_S


def busy(context, lease_s=LEASED_S, worker="here"):
    """An account with a call that runs."""
    account = does(context, "account_create", email="a@b.example")["id"]
    call = NewCall("call-1", account, "bazi_pattern_analysis", "f" * 64, lease_s=lease_s, worker=worker)
    asyncio.run(context.storage.ledger.heartbeat(worker))
    asyncio.run(context.storage.ledger.hold(call))
    return account


def patient(context, meanwhile):
    """The same desk, where something happens whenever it waits; and how long it waited each time."""
    waits = []

    async def sleep(seconds):
        waits.append(seconds)
        context.clock.advance(seconds)
        await meanwhile(len(waits))

    return context._replace(sleep=sleep), waits


@pytest.mark.parametrize("end", ["capture", "release"])
def test_an_account_is_erased_as_soon_as_what_runs_of_it_has_ended(context, end):
    account = busy(context)

    async def meanwhile(wait):
        found = await context.storage.accounts.get(account)
        assert (found.status, found.email) == ("suspended", "a@b.example")
        if wait == 7:
            await getattr(context.storage.ledger, end)("call-1", "{}")

    waiting, waits = patient(context, meanwhile)
    assert does(waiting, "account_erase", account=account) == {"id": account, "status": "erased"}
    assert len(waits) == 7
    assert min(waits) >= 0.5, "it is not asked all the time"
    assert does(context, "verify") == []
    assert "a@b.example" not in str(does(context, "account_list"))


def test_a_call_whose_process_is_gone_keeps_nobody_from_being_erased(context):
    account = busy(context, worker="gone")
    started = context.clock.monotonic()
    assert does(context, "account_erase", account=account)["status"] == "erased"
    assert 30 <= context.clock.monotonic() - started < 35
    assert does(context, "verify") == []


def test_whoever_waited_longer_than_any_call_may_take_is_told_how_the_account_stands(context):
    account = busy(context, lease_s=10_000)

    async def alive(wait):
        await context.storage.ledger.heartbeat("here")

    waiting, waits = patient(context, alive)
    with pytest.raises(ActRefused, match=r"suspended.*still runs.*nothing is deleted.*again"):
        does(waiting, "account_erase", account=account)
    assert LEASED_S <= sum(waits) < LEASED_S + 2
    shown = does(context, "credits_show", account="a@b.example")
    assert (shown["status"], shown["balance"], shown["held"]) == ("suspended", 25, 4)
    asyncio.run(context.storage.ledger.release("call-1", "UPSTREAM_ERROR"))
    assert does(context, "account_erase", account=account)["status"] == "erased"


def test_nobody_is_erased_while_another_worker_may_still_take_a_key(context):
    account = does(context, "account_create")["id"]
    key = does(context, "keys_issue", account=account)["key"]
    asyncio.run(context.identity.by_key(key))
    context.storage.__class__ = type("Shared", (MemoryStorage,), {"shared": True})

    async def meanwhile(wait):
        with pytest.raises(Exception, match="Unauthorized"):
            await context.identity.by_key(key)
        assert (await context.storage.accounts.get(account)).status == "suspended"

    waiting, waits = patient(context, meanwhile)
    assert does(waiting, "account_erase", account=account)["status"] == "erased"
    assert waits == [context.settings.key_cache_s]


def test_nobody_is_erased_twice(context):
    account = does(context, "account_create")["id"]
    does(context, "account_erase", account=account)
    with pytest.raises(ActRefused, match="was erased"):
        does(context, "account_erase", account=account)


def test_a_password_has_ten_characters_and_replaces_the_sessions(context):
    account = does(context, "account_create", email="a@b.example", password="correct horse")["id"]
    session, _ = asyncio.run(context.identity.begin(account))
    with pytest.raises(ActRefused, match="10 characters"):
        does(context, "account_password", account=account, password="short")
    does(context, "account_password", account=account, password="battery staple")
    assert asyncio.run(context.storage.sessions.find(session.id)) is None


def test_an_invitation_is_a_link_for_one(context):
    link = does(context, "account_invite")["link"]
    assert link.startswith("https://hub.example/signup?invite=")


def test_every_act_stands_in_the_journal_with_its_actor(context):
    account = does(context, "account_create")["id"]
    does(context, "credits_grant", account=account, amount=5)
    does(context, "price_set", tool="bazi_pattern_analysis", credit_cost=7)
    lines = does(context, "journal")
    assert len(lines) >= 3
    assert {line["actor"] for line in lines} == {"me"}


def test_an_act_that_does_not_exist_is_refused(context):
    with pytest.raises(ActRefused):
        does(context, "account_delete")


# --- through a server


def test_a_path_too_long_for_a_socket_is_refused_before_anything_is_made(tmp_path):
    place = tmp_path / ("x" * LONGEST_PATH)
    place.mkdir()
    with pytest.raises(ConfigurationError, match="give the database a shorter one"):
        run("127.0.0.1", 0, db=str(place / "hub.sqlite3"), dev=True)
    assert not [file for file in place.iterdir() if file.name.startswith("hub")]
    require_short("x" * LONGEST_PATH)


def talked(context, tmp_path, *asked, voices=None):
    """What a server answers to acts that come over its socket."""

    async def story():
        path = socket_path(tmp_path / "hub.sqlite3")
        control = Control(path, lambda actor: context._replace(actor=actor), voices or NoTelemetry())
        await control.open()
        mode = stat.S_IMODE(os.stat(path).st_mode)
        found = []
        for name, arguments in asked:
            try:
                found.append(await asyncio.to_thread(ask, path, name, arguments))
            except ActRefused as error:
                found.append(error.reason)
        await control.close()
        return mode, found, os.path.exists(path)

    return asyncio.run(story())


def test_a_server_does_what_it_is_asked_over_its_socket_in_the_name_of_who_asks(context, tmp_path):
    mode, [made, refused, journal], left = talked(
        context,
        tmp_path,
        ("account_create", {"name": "x"}),
        ("account_create", {"nonsense": 1}),
        ("journal", {}),
    )
    assert (mode, left) == (0o600, False)
    assert made["balance"] == 25
    assert "cannot be understood" in refused
    assert {line["actor"] for line in journal} == {operator_name()}


def test_a_refusal_crosses_the_socket_as_a_sentence_of_every_language(context, tmp_path):
    _, [refused, weak], _ = talked(
        context,
        tmp_path,
        ("keys_revoke", {"key": "AAAA"}),
        ("account_create", {"name": "x", "password": "p@ssword2024"}),
    )
    assert refused == "there is no key AAAA"
    assert (refused.text("zh-Hans"), refused.text("zh-Hant")) == ("没有密钥 AAAA", "沒有金鑰 AAAA")
    assert weak == "this password is one of those that are guessed first: choose another"
    assert weak.text("zh-Hans") == "这个密码太常用，最先被人猜到，请换一个"
    assert weak.text("zh-Hant") == "這個密碼太常用，最先被人猜到，請換一個"


def test_an_act_at_which_the_server_fails_is_told_and_logged(context, tmp_path, monkeypatch):
    async def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(context.storage.accounts, "listed", broken)
    voices = Voices()
    _, [told], _ = talked(context, tmp_path, ("account_list", {}), voices=voices)
    assert told == "the server failed (ZeroDivisionError); its log tells where"
    assert told.text("zh-Hans") == "服务器出错了（ZeroDivisionError），详情在它的日志里"
    [line] = voices.logged
    assert (
        line["frames"]
        .pop()
        .endswith(" test_an_act_at_which_the_server_fails_is_told_and_logged.<locals>.broken")
    )
    assert any(frame.startswith("bazi_hub/operate/admin_socket.py:") for frame in line.pop("frames"))
    assert line == {"event": "fault", "level": "error", "act": "account_list", "error": "ZeroDivisionError"}


def test_a_socket_that_a_dead_server_left_is_replaced(context, tmp_path):
    (tmp_path / "hub.sqlite3.sock").touch()
    _, [accounts], _ = talked(context, tmp_path, ("account_list", {}))
    assert accounts == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("credits_grant", {"amount": 10**12 + 1}),
        ("credits_grant", {"amount": 2**63 - 1}),
        ("credits_grant", {"amount": 1.5}),
        ("credits_grant", {"amount": True}),
        ("credits_grant", {"amount": 0}),
        ("credits_adjust", {"amount": 2**63 - 1, "memo": "x"}),
        ("credits_adjust", {"amount": -(10**12) - 1, "memo": "x"}),
        ("keys_issue", {"days": 10**12}),
        ("keys_issue", {"days": 0}),
        ("account_status", {"status": "king"}),
    ],
)
def test_no_number_is_too_large_for_the_books_and_no_word_is_made_up(name, arguments, context):
    made = does(context, "account_create", email="a@b.example")
    with pytest.raises(ActRefused):
        does(context, name, account=made["id"], **arguments)
    shown = does(context, "credits_show", account=made["id"])
    assert (shown["balance"], shown["status"], does(context, "keys_list", account=made["id"])) == (
        25,
        "active",
        [],
    )


@pytest.mark.parametrize("number", [-1, 10**12 + 1, 0.5])
def test_starters_and_prices_are_whole_and_in_bounds(number, context):
    with pytest.raises(ActRefused, match="whole number"):
        does(context, "account_create", email="a@b.example", credits=number)
    for part in ("credit_cost", "min_balance", "free_quota"):
        with pytest.raises(ActRefused, match="whole number"):
            does(context, "price_set", tool="bazi_pattern_analysis", **{part: number})
    assert does(context, "account_list") == []


def test_an_e_mail_is_the_same_however_its_letters_were_composed(context):
    made = does(context, "account_create", email="jos\u00e9@b.example")
    assert does(context, "credits_show", account="jose\u0301@b.example")["id"] == made["id"]
    with pytest.raises(ActRefused, match="already"):
        does(context, "account_create", email="JOSE\u0301@b.example ")
