"""m1–m3: what there is, what it costs, what was used."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from bazi_core import __version__
from bazi_core.questions.safety import disclaimer
from bazi_hub.ports import CallRecord, Price
from bazi_hub.ports.runs import CANCELLED
from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.context import Context, JsonResult
from bazi_hub.tools.tool import ListedTool
from bazi_hub.words.call import compact
from bazi_hub.words.times import iso

SKILL = "BaZi Hub — BaZi (八字) charts, patterns, year readings, and a forum, computed exactly and billed on success"
MOST_RECORDS, USUAL_RECORDS = 100, 10

# What a call's state is called in the usage history.
STATUS = {"running": "running", "captured": "success", "released": "failed", "expired": "expired"}

INFO: dict[str, Any] = {
    "type": "object",
    "properties": {
        "schemas": {
            "type": "boolean",
            "default": True,
            "description": "False leaves out the input_schema of each tool, which an MCP client has from its list.",
        }
    },
}
NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}
HISTORY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "limit": {
            "type": "integer",
            "default": USUAL_RECORDS,
            "description": f"How many records, 1 to {MOST_RECORDS}; a number outside is brought inside.",
        }
    },
}


def nothing(given: ArgumentReader) -> dict[str, Any]:
    """There is nothing to check."""
    return given.settled()


async def skill_info(arguments: dict[str, Any], context: Context) -> JsonResult:
    """Version, live prices, and every tool with its schema."""
    schemas = arguments.get("schemas", True)
    return JsonResult(_skill_info(tuple(await context.hub.listed()), context.hub.remote, schemas))


@lru_cache(maxsize=8)
def _skill_info(listed: tuple[ListedTool, ...], remote: bool, schemas: bool) -> str:
    """The text for a state of the prices: sixteen kilobytes that seldom change."""
    info = {
        "skill": SKILL,
        "version": __version__,
        "fortune_pricing": fortune_pricing(listed),
        "tools": [
            _tool(each, remote) | ({"input_schema": each.tool.schema} if schemas else {}) for each in listed
        ],
        "disclaimer": disclaimer("en"),
    }
    return compact(info)


def fortune_pricing(listed: Iterable[ListedTool]) -> list[dict[str, Any]]:
    """The price of each metered tool, in the order of the chain."""
    return [{"tool_name": each.tool.name, "credit_cost": each.cost} for each in listed if each.tool.metered]


def _tool(listed: ListedTool, remote: bool) -> dict[str, Any]:
    """A tool as clients see it; `llm` is 1 where a model takes part in its result."""
    tool = listed.tool
    return {
        "id": tool.id,
        "name": tool.name,
        "category": tool.category,
        "description": tool.description,
        "cost": listed.cost,
        "llm": int(tool.reads and remote),
        "auth": tool.auth,
        "limit": {"type": tool.limit.type, "per_minute": tool.limit.per_minute} if tool.limit else None,
        "enabled": listed.enabled,
    }


async def user_credits(arguments: dict[str, Any], context: Context) -> JsonResult:
    """Balance, what running calls hold of it, free calls that remain, live prices."""
    standing = await context.hub.storage.ledger.standing(context.caller.account_id)
    prices = await context.hub.storage.pricing.all()
    if standing is None:
        raise LookupError("the account of a valid credential is not there")
    posted, held, free = standing
    metered = [tool.name for tool in context.hub.catalog.values() if tool.metered]
    # A quota that came after the account gives it nothing, and is listed with that.
    remaining = [
        {"tool_name": name, "remaining": free.get(name, 0)}
        for name in metered
        if name in free or (name in prices and prices[name].free_quota)
    ]
    return JsonResult(
        f'{{"balance":{posted},"held":{held},"available":{posted - held},"free_remaining":{compact(remaining)},'
        f'"pricing":{_pricing(tuple([prices[name] for name in metered if name in prices]))}}}'
    )


@lru_cache(8)
def _pricing(prices: tuple[Price, ...]) -> str:
    """A price list as JSON: what agents ask for most, and what seldom changes."""
    return compact(
        [
            {"tool_name": price.tool, "credit_cost": price.credit_cost, "min_balance": price.min_balance}
            for price in prices
        ]
    )


def history_limit(given: ArgumentReader) -> int:
    """The number of records, brought into bounds."""
    return min(max(int(given.settled().get("limit", USUAL_RECORDS)), 1), MOST_RECORDS)


async def usage_history(limit: int, context: Context) -> list[dict[str, Any]]:
    """The newest calls with what each cost."""
    records = await context.hub.storage.ledger.history(context.caller.account_id, limit)
    return [record_object(record) for record in records]


def record_object(record: CallRecord) -> dict[str, Any]:
    """A record as clients see it. A run that was cancelled has none of the errors there are."""
    done = record.completed_ms
    return {
        "id": record.id,
        "tool_name": record.tool,
        "credits_deducted": record.credits_deducted,
        "status": STATUS[record.state],
        "error": None if record.error == CANCELLED else record.error,
        "duration_ms": None if done is None else max(0, done - record.started_ms),
        "started_at": iso(record.started_ms),
        "completed_at": None if done is None else iso(done),
    }
