"""The account of a person: name, language, password, sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bazi_hub.pages.signing import begun, own_words, proved
from bazi_hub.pages.texts import LANGUAGES
from bazi_hub.people.guessable import Weak
from bazi_hub.people.passwords import LEAST_LENGTH
from bazi_hub.words.text_rules import cleaned

if TYPE_CHECKING:
    from starlette.responses import Response

    from bazi_hub.pages.visit import Visit

LONGEST_NAME = 64


async def overview(visit: Visit) -> Response:
    visit.member()
    return _page(visit, done="account.saved" if "saved" in visit.query else None)


async def change(visit: Visit) -> Response:
    """Name and language."""
    account = visit.member()
    language = visit.form.get("language", "")
    name = cleaned(visit.form.get("display_name", ""))[:LONGEST_NAME]
    await visit.site.hub.storage.accounts.change(
        account.id,
        account.id,
        display_name=name or None,
        language=language if language in LANGUAGES else None,
    )
    return visit.go("/account?saved=1")


async def change_password(visit: Visit) -> Response:
    """A new password, for whoever knows the old one; every other session ends."""
    account, site = visit.member(), visit.site
    old, new = visit.form.get("password", ""), visit.form.get("new_password", "")
    email = account.email or ""
    if await proved(visit, email, old) is None:
        return _page(visit, 403, wrong="account.wrong")
    words = own_words(visit, email, account.display_name)
    try:
        hashed = await site.passwords.hash(new, words, visit.lane(visit.device))
    except Weak as weak:
        return _page(visit, 400, wrong=f"password.{weak.why}")
    await site.hub.storage.accounts.change(account.id, account.id, password_hash=hashed)
    await site.hub.storage.sessions.end_all(account.id)
    return await begun(visit, account.id, "/account?saved=1")


async def end_sessions(visit: Visit) -> Response:
    """Signs out everywhere."""
    account = visit.member()
    await visit.site.hub.storage.sessions.end_all(account.id)
    response = visit.go("/login")
    visit.sign_out(response)
    return response


def _page(visit: Visit, status: int = 200, wrong: str | None = None, done: str | None = None) -> Response:
    return visit.page(
        "account.html", status, wrong=wrong, done=done, least=LEAST_LENGTH, longest_name=LONGEST_NAME
    )
