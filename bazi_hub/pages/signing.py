"""Signing up, in and out.

Whoever guesses passwords is stopped by counting, see `guesses`; whoever sends many waits behind himself, see `passwords`. An
e-mail that has no account meets the same counts, the same hash and the same answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bazi_hub.pages.guesses import Asked, Locked
from bazi_hub.pages.visit import Trouble, local_path
from bazi_hub.people.emails import LONGEST_EMAIL, is_email, same_email
from bazi_hub.people.guessable import Weak
from bazi_hub.people.keys import token_hash
from bazi_hub.people.passwords import LEAST_LENGTH, Busy
from bazi_hub.ports import Account, Conflict

if TYPE_CHECKING:
    from starlette.responses import Response

    from bazi_hub.pages.site import Site
    from bazi_hub.pages.visit import Visit

MOST_SIGNUPS, DAY_S = 5, 86_400


async def login_form(visit: Visit) -> Response:
    if visit.account is not None:
        return visit.go(local_path(visit.query.get("next")))
    return _login(visit, next=local_path(visit.query.get("next")))


async def sign_in(visit: Visit) -> Response:
    email, wanted = same_email(visit.form.get("email", "")), local_path(visit.form.get("next"))
    account = await proved(visit, email, visit.form.get("password", ""))
    if account is None:
        return _login(visit, 403, "login.wrong", email=email, next=wanted)
    return await begun(visit, account.id, wanted)


async def proved(visit: Visit, email: str, password: str) -> Account | None:
    """The account of an e-mail and its password; None for a wrong pair, `Trouble` for one too many of them."""
    site = visit.site
    if len(email) > LONGEST_EMAIL:
        # No account has it; what is looked for and counted stays short.
        email = ""
    device = visit.device
    if device is None:
        # Whoever floods is turned away before anything is looked up.
        site.passwords.require_room(visit.lane(None))
    found = await site.hub.storage.accounts.by_email(email) if email else None
    if device is not None and (found is None or device.account_id != found.id):
        device = None
    lane = visit.lane(device)
    site.passwords.require_room(lane)
    try:
        attempt = await site.guesses.admit(Asked(email, visit.address, visit.customer, device))
    except Locked as locked:
        raise Trouble(429, "locked", locked.retry_after) from None
    stored = found.password_hash if found else None
    try:
        right = await site.passwords.matches(stored, password, lane)
    except Busy:
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


def own_words(visit: Visit, email: str, name: str | None = None) -> list[str]:
    """What whoever guesses a password may know of the account: its e-mail, its name, and where the hub is."""
    return [email, name or "", urlsplit(visit.base).hostname or ""]


async def begun(visit: Visit, account_id: str, path: str) -> Response:
    """On to a page with a new session; one that the browser had is over."""
    if visit.session is not None:
        await visit.site.hub.storage.sessions.end(visit.session.id)
    _, cookie = await visit.site.identity.begin(account_id)
    response = visit.go(path)
    visit.sign_in(response, cookie, account_id)
    return response


async def sign_out(visit: Visit) -> Response:
    if visit.session is not None:
        await visit.site.hub.storage.sessions.end(visit.session.id)
    response = visit.go("/")
    visit.sign_out(response)
    return response


async def signup_form(visit: Visit) -> Response:
    if visit.account is not None:
        return visit.go("/")
    return _signup(visit, invite=visit.query.get("invite", ""), next=local_path(visit.query.get("next")))


async def sign_up(visit: Visit) -> Response:
    site, form = visit.site, visit.form
    email, invite = same_email(form.get("email", "")), form.get("invite", "")
    kept = {"email": email, "invite": invite, "next": local_path(form.get("next"))}
    wrong = _wrong(visit, email, form.get("password", ""))
    if wrong is not None:
        status, why = wrong
        return _signup(visit, status, why, **kept)
    bucket = _bucket(site, "sign-up", visit.address)
    taken = await site.limits.take(bucket, MOST_SIGNUPS, DAY_S)
    if not taken.allowed:
        raise Trouble(429, "signups", taken.reset_s)
    # Counted even if the e-mail is known: otherwise this form would tell for any number of them.
    if await site.hub.storage.accounts.by_email(email) is not None:
        return _signup(visit, 409, "signup.known", **kept)
    try:
        hashed = await site.passwords.hash(form["password"], own_words(visit, email), visit.lane(None))
    except Busy:
        await site.limits.give_back(bucket, taken.window, DAY_S)
        raise
    made = await _account(visit, email, hashed, invite)
    if isinstance(made, str):
        return await begun(visit, made, kept["next"])
    status, why = made
    return _signup(visit, status, why, **kept)


def _wrong(visit: Visit, email: str, password: str) -> tuple[int, str | None] | None:
    """Why nobody can sign up with this, as far as that shows without looking anything up."""
    mode = visit.site.settings.signup or "open"
    if mode == "closed" or (mode == "invite" and not visit.form.get("invite")):
        return 403, None
    if not is_email(email):
        return 400, "signup.email"
    try:
        visit.site.passwords.require_strong(password, own_words(visit, email))
    except Weak as weak:
        return 400, f"password.{weak.why}"
    return None


async def _account(visit: Visit, email: str, hashed: str, invite: str) -> str | tuple[int, str]:
    """The id of the new account, or why there is none. The invitation is used up with it, or not at all."""
    hub, settings = visit.site.hub, visit.site.settings
    account = Account(hub.ids.uuid(), email, None, "active", None, hub.clock.now_ms(), password_hash=hashed)
    invited = token_hash(invite) if settings.signup == "invite" else None
    try:
        await hub.storage.accounts.create(account, settings.starter_credits, account.id, invited)
    except LookupError:
        return 403, "signup.invite"
    except Conflict:
        return 409, "signup.known"
    return account.id


def _login(visit: Visit, status: int = 200, wrong: str | None = None, **values: Any) -> Response:
    mode = visit.site.settings.signup or "open"
    return visit.page("login.html", status, wrong=wrong, open=mode == "open", **{"email": "", **values})


def _signup(visit: Visit, status: int = 200, wrong: str | None = None, **values: Any) -> Response:
    settings = visit.site.settings
    return visit.page(
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
