"""Money and keys: what there is, what things cost, what was used, and who may speak for the account."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from bazi_hub.http import client_configs
from bazi_hub.money import rules
from bazi_hub.pages.docs import example
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.pages.texts import known
from bazi_hub.people.keys import Flavor
from bazi_hub.ports import Conflict, Fresh, Key, Price, Refused
from bazi_hub.ports.runs import TOOL as RUN
from bazi_hub.words.text_rules import cleaned
from bazi_hub.words.times import iso

DAY_MS = 86_400_000
EXPIRY_DAYS = (0, 30, 90, 365)
LONGEST_AGENT_NAME = 64
# What a reading is called where it is bought; runs are no tool.
BOUGHT = {
    "bazi_pattern_analysis": "offer.life",
    "bigluck_year_fortune_eval": "offer.year",
    RUN: "billing.run",
}
# Each is told to the journal for good.
MOST_KEYS_A_DAY = 50
SHOWN_CALLS = 50


async def overview(request: PageRequest) -> Response:
    request.member()
    return await _page(request)


async def issue(request: PageRequest) -> Response:
    """A new key, which this page shows and no other ever does."""
    account, form = request.member(), request.form
    flavor: Flavor = "agent" if form.get("flavor") == "agent" else "personal"
    name = cleaned(form.get("agent_name", ""))[:LONGEST_AGENT_NAME] if flavor == "agent" else ""
    stated = form.get("days", "0")
    days = next((day for day in EXPIRY_DAYS if str(day) == stated), None)
    if days is None:
        return await _page(request, 400, wrong="keys.days")
    room = await request.site.limits.take(f"keys:{account.id}", MOST_KEYS_A_DAY, DAY_MS // 1000)
    if not room.allowed:
        raise Trouble(429, "keys_day", room.reset_s)
    expires_ms = request.site.hub.clock.now_ms() + days * DAY_MS if days else None
    try:
        text, _ = await request.site.identity.issue(account.id, flavor, account.id, name or None, expires_ms)
    except Conflict:
        return await _page(request, 409, wrong="keys.many")
    return await _page(request, issued=text)


async def revoke(request: PageRequest) -> Response:
    account = request.member()
    await request.site.identity.revoke(request.form.get("key_id", ""), account.id, account.id)
    return request.go("/billing#keys")


async def _page(
    request: PageRequest, status: int = 200, wrong: str | None = None, issued: str | None = None
) -> Response:
    account, site = request.member(), request.site
    money = await request.ask("get_user_credits", {})
    history = await request.ask("get_usage_history", {"limit": SHOWN_CALLS})
    now_ms = site.hub.clock.now_ms()
    keys = [_key(key, now_ms) for key in await site.hub.storage.keys.of(account.id)]
    return request.page(
        "billing.html",
        status,
        wrong=wrong,
        issued=issued,
        money=money,
        prices=await prices(request, money),
        history=[_used(request, call) for call in history],
        keys=keys,
        expiry_days=EXPIRY_DAYS,
        shown_calls=SHOWN_CALLS,
        longest_agent_name=LONGEST_AGENT_NAME,
        snippets={
            "curl": example(site.hub.catalog["get_user_credits"], request.base),
            **{client: client_configs.snippet(client, request.base) for client in client_configs.CLIENTS},
        },
        topup_url=site.settings.topup_url,
    )


async def prices(request: PageRequest, money: dict[str, Any]) -> list[dict[str, Any]]:
    """The prices of all that is metered, with the free calls that remain; without a price it is switched off."""
    free = {each["tool_name"]: each["remaining"] for each in money["free_remaining"]}
    live = await request.site.hub.storage.pricing.all()
    metered = [tool.name for tool in request.site.hub.catalog.values() if tool.metered]
    named = [live.get(name) or Price(name, 0, 0, 0, False) for name in (*metered, RUN)]
    return [
        {
            "tool": price.tool,
            "title": _title(request, price.tool),
            "cost": price.credit_cost,
            "free": free.get(price.tool, 0),
            "enabled": price.enabled,
            "needs": price.least,
            "too_dear": _is_refused(price, free.get(price.tool, 0), money),
        }
        for price in named
    ]


def _is_refused(price: Price, free: int, money: dict[str, Any]) -> bool:
    """Whether neither free calls nor the balance would pay for it now."""
    fresh = Fresh(price, rules.unit_left(free), money["balance"], money["held"])
    return isinstance(rules.admission(fresh), Refused)


def _title(request: PageRequest, name: str) -> str:
    """The title of a paid call, by the words of the page on which it is bought."""
    if name in BOUGHT:
        return request.say(BOUGHT[name])
    return request.site.hub.catalog[name].phrases(request.language)[0]


def _used(request: PageRequest, call: dict[str, Any]) -> dict[str, Any]:
    """A call as its payer sees it."""
    code = call["error"]
    why = request.say(f"error.{code}") if code and known(f"error.{code}") else None
    return {**call, "title": _title(request, call["tool_name"]), "why": why}


def _key(key: Key, now_ms: int) -> dict[str, Any]:
    """A key as its owner sees it."""
    expired = key.expires_ms is not None and now_ms >= key.expires_ms
    return {
        "id": key.id,
        "flavor": key.flavor,
        "agent_name": key.agent_name,
        "state": "revoked" if key.revoked_ms is not None else "expired" if expired else "active",
        "created": iso(key.created_ms),
        "expires": None if key.expires_ms is None else iso(key.expires_ms),
        "used": None if key.last_used_ms is None else iso(key.last_used_ms),
    }
