"""Signing up, in and out.

Whoever guesses passwords is stopped by counting, see `guesses`; whoever sends many waits behind himself, see `passwords`. An
e-mail that has no account meets the same counts, the same hash and the same answer.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from starlette.responses import Response

from bazi_hub.pages.guesses import Locked, SignInRequest
from bazi_hub.pages.request import PageRequest, Trouble, local_path
from bazi_hub.pages.site import Site
from bazi_hub.people.emails import LONGEST_EMAIL, is_email, same_email
from bazi_hub.people.guessable import LEAST_LENGTH, Weak
from bazi_hub.people.keys import token_hash
from bazi_hub.people.passwords import HashQueueFull
from bazi_hub.ports import Account, Conflict

MOST_SIGNUPS, DAY_S = 5, 86_400


async def login_form(request: PageRequest) -> Response:
    if request.account is not None:
        return request.go(local_path(request.query.get("next")))
    done = "account.erased" if "erased" in request.query else None
    return _login(request, next=local_path(request.query.get("next")), done=done)


async def sign_in(request: PageRequest) -> Response:
    email, wanted = same_email(request.form.get("email", "")), local_path(request.form.get("next"))
    account = await proved(request, email, request.form.get("password", ""))
    if account is None:
        return _login(request, 403, "login.wrong", email=email, next=wanted)
    return await begun(request, account.id, wanted)


async def proved(request: PageRequest, email: str, password: str) -> Account | None:
    """The account of an e-mail and its password; None for a wrong pair, `Trouble` for one too many of them."""
    site = request.site
    if len(email) > LONGEST_EMAIL:
        # No account has it; what is looked for and counted stays short.
        email = ""
    device = request.device
    if device is None:
        # Whoever floods is turned away before anything is looked up.
        site.passwords.require_room(request.lane(None))
    found = await site.hub.storage.accounts.by_email(email) if email else None
    if device is not None and (found is None or device.account_id != found.id):
        device = None
    lane = request.lane(device)
    site.passwords.require_room(lane)
    try:
        attempt = await site.guesses.admit(SignInRequest(email, request.address, request.customer, device))
    except Locked as locked:
        raise Trouble(429, "locked", locked.retry_after) from None
    stored = found.password_hash if found else None
    try:
        right = await site.passwords.matches(stored, password, lane)
    except HashQueueFull:
        await attempt.right()
        raise
    if not right or found is None or found.status != "active":
        await attempt.wrong()
        return None
    await attempt.right()
    if stored is not None and site.passwords.outdated(stored):
        hashed = await site.passwords.rehash(password, lane)
        await site.hub.storage.accounts.change(found.id, found.id, password_hash=hashed)
    return found


def own_words(request: PageRequest, email: str, name: str | None = None) -> list[str]:
    """Words that a guesser may know of the account: its e-mail, its name and the address of the hub."""
    return [email, name or "", urlsplit(request.base).hostname or ""]


async def begun(request: PageRequest, account_id: str, path: str) -> Response:
    """On to a page with a new session; one that the browser had is over."""
    if request.session is not None:
        await request.site.hub.storage.sessions.end(request.session.id)
    _, cookie = await request.site.identity.begin(account_id)
    response = request.go(path)
    request.sign_in(response, cookie, account_id)
    return response


async def sign_out(request: PageRequest) -> Response:
    if request.session is not None:
        await request.site.hub.storage.sessions.end(request.session.id)
    response = request.go("/")
    request.sign_out(response)
    return response


async def signup_form(request: PageRequest) -> Response:
    if request.account is not None:
        return request.go("/")
    return _signup(
        request, invite=request.query.get("invite", ""), next=local_path(request.query.get("next"))
    )


async def sign_up(request: PageRequest) -> Response:
    site, form = request.site, request.form
    email, invite = same_email(form.get("email", "")), form.get("invite", "")
    kept = {"email": email, "invite": invite, "next": local_path(form.get("next"))}
    wrong = _wrong(request, email, form.get("password", ""))
    if wrong is not None:
        status, why = wrong
        return _signup(request, status, why, **kept)
    bucket = _bucket(site, "sign-up", request.address)
    taken = await site.limits.take(bucket, MOST_SIGNUPS, DAY_S)
    if not taken.allowed:
        raise Trouble(429, "signups", taken.reset_s)
    # Counted even if the e-mail is known: otherwise this form would tell for any number of them.
    if await site.hub.storage.accounts.by_email(email) is not None:
        return _signup(request, 409, "signup.known", **kept)
    try:
        hashed = await site.passwords.hash(form["password"], own_words(request, email), request.lane(None))
    except HashQueueFull:
        await site.limits.give_back(bucket, taken.window, DAY_S)
        raise
    made = await _account(request, email, hashed, invite)
    if isinstance(made, str):
        return await begun(request, made, kept["next"])
    status, why = made
    return _signup(request, status, why, **kept)


def _wrong(request: PageRequest, email: str, password: str) -> tuple[int, str | None] | None:
    """The error of a sign-up form, as far as no store is asked; None where there is none."""
    mode = request.site.settings.signup or "open"
    if mode == "closed" or (mode == "invite" and not request.form.get("invite")):
        return 403, None
    if not is_email(email):
        return 400, "signup.email"
    try:
        request.site.passwords.require_strong(password, own_words(request, email))
    except Weak as weak:
        return 400, f"password.{weak.why}"
    return None


async def _account(request: PageRequest, email: str, hashed: str, invite: str) -> str | tuple[int, str]:
    """The id of the new account, or why there is none. The invitation is used up with it, or not at all."""
    hub, settings = request.site.hub, request.site.settings
    account = Account(hub.ids.uuid(), email, None, "active", None, hub.clock.now_ms(), password_hash=hashed)
    invited = token_hash(invite) if settings.signup == "invite" else None
    try:
        await hub.storage.accounts.create(account, settings.starter_credits, account.id, invited)
    except LookupError:
        return 403, "signup.invite"
    except Conflict:
        return 409, "signup.known"
    return account.id


def _login(request: PageRequest, status: int = 200, wrong: str | None = None, **values: Any) -> Response:
    mode = request.site.settings.signup or "open"
    return request.page(
        "login.html", status, wrong=wrong, open=mode == "open", **{"email": "", "done": None, **values}
    )


def _signup(request: PageRequest, status: int = 200, wrong: str | None = None, **values: Any) -> Response:
    settings = request.site.settings
    return request.page(
        "signup.html",
        status,
        wrong=wrong,
        mode=settings.signup or "open",
        starter=settings.starter_credits,
        least=LEAST_LENGTH,
        **{"email": "", **values},
    )


def _bucket(site: Site, what: str, *parts: str) -> str:
    """The name of a counter; it tells neither e-mail nor address."""
    return f"{what}:{site.identity.secrets.seal(what, chr(10).join(parts))}"
