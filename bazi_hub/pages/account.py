"""The account of a person: name, language, password, sessions; all of its data as a file, and its end."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response

from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.signing import begun, own_words, proved
from bazi_hub.pages.texts import LANGUAGES
from bazi_hub.people.erasure import erase, suspend
from bazi_hub.people.guessable import LEAST_LENGTH, Weak
from bazi_hub.ports import Account
from bazi_hub.ports.runs import Message
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

LONGEST_NAME = 64
# All data at once is many rows to read; nobody needs it more often.
MOST_EXPORTS_A_DAY, DAY_S = 10, 86_400
# So long a page waits for the end of what still runs.
ERASE_WAIT_S = 5.0
MESSAGES_AT_ONCE = 200
# The newest; the ledger beside them has every posting.
MOST_CALLS = 10_000


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


async def export(request: PageRequest) -> Response:
    """All that the hub keeps of the account as a JSON file, without password and secrets of keys, which it does not know."""
    account = request.member()
    room = await request.site.limits.take(f"export:{account.id}", MOST_EXPORTS_A_DAY, DAY_S)
    if not room.allowed:
        raise Trouble(429, "exports", room.reset_s)
    kept = await _all_of(request, account)
    body = await request.compute(lambda: json.dumps(kept, ensure_ascii=False, indent=1))
    headers = {"Content-Disposition": 'attachment; filename="bazi-account.json"'}
    return Response(body, media_type="application/json", headers=headers)


async def _all_of(request: PageRequest, account: Account) -> dict[str, Any]:
    """Every row of an account; times are in milliseconds since 1970, as they are kept."""
    storage = request.site.hub.storage
    posts, comments = await storage.forum.written_by(account.id)
    history = await storage.ledger.history(account.id, MOST_CALLS)
    return {
        "exported_at": iso(request.site.hub.clock.now_ms()),
        "account": _row(account, "password_hash"),
        "keys": [_row(key, "digest", "pepper_id") for key in await storage.keys.of(account.id)],
        "kept": [each async for each in _kept(request, account.id)],
        "calls": [_row(call) for call in history],
        "ledger": [_row(entry) for entry in await storage.ledger.entries(account.id)],
        "posts": [_row(post) for post in posts],
        "comments": [_row(comment) for comment in comments],
        "divinations": [_row(message) async for message in _messages(request, account.id)],
    }


def _row(row: Any, *left_out: str) -> dict[str, Any]:
    """A row as a JSON object; what it holds as JSON text is an object of its own."""
    members: dict[str, Any] = {name: value for name, value in row._asdict().items() if name not in left_out}
    return {name: value._asdict() if hasattr(value, "_asdict") else value for name, value in members.items()}


async def _kept(request: PageRequest, account_id: str) -> AsyncIterator[dict[str, Any]]:
    """Charts, readings and casts, newest first."""
    charts, below = request.site.hub.storage.charts, None
    while listed := await charts.of(account_id, below=below):
        below = listed[-1].position
        for item in listed:
            found = await charts.get(item.id, account_id)
            if found is not None:
                yield {**_row(found), "body": json.loads(found.body), "shared_ms": item.shared_ms}


async def _messages(request: PageRequest, account_id: str) -> AsyncIterator[Message]:
    """The history of divinations, newest first."""
    before: int | None = None
    while True:
        page = await request.site.hub.storage.runs.messages(
            account_id, None, None, None, before, MESSAGES_AT_ONCE
        )
        for message in page.messages:
            yield message
        if not page.more:
            return
        before = page.messages[-1].seq


async def erase_account(request: PageRequest) -> Response:
    """Ends the account for good, given the password and a tick; a running call comes first."""
    account, site = request.member(), request.site
    if request.form.get("sure") != "1":
        return _page(request, 400, wrong="account.erase.unsure")
    if (
        account.password_hash
        and await proved(request, account.email or "", request.form.get("password", "")) is None
    ):
        return _page(request, 403, wrong="account.wrong")
    storage, identity = site.hub.storage, site.identity
    if not await erase(storage, identity, site.hub.clock, account.id, account.id, ERASE_WAIT_S):
        await suspend(storage, identity, account.id, "active", account.id)
        return _page(request, 409, wrong="account.erase.running")
    response = request.go("/login?erased=1")
    request.sign_out(response)
    return response


def _page(
    request: PageRequest, status: int = 200, wrong: str | None = None, done: str | None = None
) -> Response:
    return request.page(
        "account.html", status, wrong=wrong, done=done, least=LEAST_LENGTH, longest_name=LONGEST_NAME
    )
