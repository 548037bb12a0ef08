"""The account of a person: name, language, password, sessions."""

from __future__ import annotations

from starlette.responses import Response

from bazi_hub.pages.request import PageRequest
from bazi_hub.pages.signing import begun, own_words, proved
from bazi_hub.pages.texts import LANGUAGES
from bazi_hub.people.guessable import LEAST_LENGTH, Weak
from bazi_hub.words.text_rules import cleaned

LONGEST_NAME = 64


async def overview(request: PageRequest) -> Response:
    request.member()
    return _page(request, done="account.saved" if "saved" in request.query else None)


async def change(request: PageRequest) -> Response:
    """Name and language."""
    account = request.member()
    language = request.form.get("language", "")
    name = cleaned(request.form.get("display_name", ""))[:LONGEST_NAME]
    await request.site.hub.storage.accounts.change(
        account.id,
        account.id,
        display_name=name or None,
        language=language if language in LANGUAGES else None,
    )
    return request.go("/account?saved=1")


async def change_password(request: PageRequest) -> Response:
    """Changes the password, given the old one; every other session ends."""
    account, site = request.member(), request.site
    old, new = request.form.get("password", ""), request.form.get("new_password", "")
    email = account.email or ""
    if await proved(request, email, old) is None:
        return _page(request, 403, wrong="account.wrong")
    words = own_words(request, email, account.display_name)
    try:
        hashed = await site.passwords.hash(new, words, request.lane(request.device))
    except Weak as weak:
        return _page(request, 400, wrong=f"password.{weak.why}")
    await site.hub.storage.accounts.change(account.id, account.id, password_hash=hashed)
    await site.hub.storage.sessions.end_all(account.id)
    return await begun(request, account.id, "/account?saved=1")


async def end_sessions(request: PageRequest) -> Response:
    """Signs out everywhere."""
    account = request.member()
    await request.site.hub.storage.sessions.end_all(account.id)
    response = request.go("/login")
    request.sign_out(response)
    return response


def _page(
    request: PageRequest, status: int = 200, wrong: str | None = None, done: str | None = None
) -> Response:
    return request.page(
        "account.html", status, wrong=wrong, done=done, least=LEAST_LENGTH, longest_name=LONGEST_NAME
    )
