"""The tables of the hub's pages that are made from its rows: settings, codes, tools, limits.

`python -m tests.docs.renew` writes them; a test compares.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import SecretStr

from bazi_hub.operate.config import PREFIX, Config
from bazi_hub.tools.catalog import TOOLS
from bazi_hub.tools.tool import LIMITS
from bazi_hub.words.errors import CODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ROOT = Path(__file__).parents[2]
UNITS = (("d", 86_400), ("h", 3600), ("s", 1))
# What stands in place of a default that is no value.
NO_DEFAULT = {
    ("database_url", "en"): "`hub.sqlite3` in the user's data directory",
    ("database_url", "zh-Hans"): "用户数据目录里的 `hub.sqlite3`",
    ("signup", "en"): "`open`; `invite` with a remote reader",
    ("signup", "zh-Hans"): "`open`；远程解读者时 `invite`",
}


def settings(language: str) -> list[list[str]]:
    """Name, default, meaning."""
    return [
        [
            f"`{PREFIX}{name.upper()}`" + ("*" if is_secret(field) else ""),
            _default(name, field, language),
            field.description if language == "en" else field.json_schema_extra[language],
        ]
        for name, field in Config.model_fields.items()
    ]


def is_secret(field: Any) -> bool:
    """Whether a variable is a secret."""
    return SecretStr in get_args(field.annotation)


def _default(name: str, field: Any, language: str) -> str:
    if field.default is None or field.default == ():
        return NO_DEFAULT.get((name, language), "–")
    if any("_seconds" in str(mark) for mark in field.metadata):
        return next(
            f"`{field.default // unit}{letter}`" for letter, unit in UNITS if field.default % unit == 0
        )
    return f"`{field.default}`"


def codes(language: str) -> list[list[str]]:
    """Code, status, retry, meaning, members."""
    rows = []
    for code in CODES.values():
        meaning, retry = code.phrases(language)
        members = ", ".join(f"`{member}`" for member in code.members) or "–"
        rows.append([f"`{code.name}`", str(code.status), retry, meaning, members])
    return rows


def advice(language: str) -> list[list[str]]:
    """Code, status, retry, what to do."""
    return [[f"`{code.name}`", str(code.status), code.retry, code.advice] for code in CODES.values()]


def tools(language: str) -> list[list[str]]:
    """Id, name, category, limit a minute, title."""
    return [
        [
            tool.id,
            f"`{tool.name}`",
            tool.category,
            f"`{tool.limit.type}` {tool.limit.per_minute}" if tool.limit else "–",
            tool.phrases(language)[0],
        ]
        for tool in TOOLS
    ]


def tools_of_agents(language: str) -> list[list[str]]:
    """Id, name, category, cost, credentials, whether a reader is asked."""
    return [
        [
            tool.id,
            f"`{tool.name}`",
            tool.category,
            "metered" if tool.metered else "free",
            ", ".join(tool.auth),
            "yes" if tool.reads else "no",
        ]
        for tool in TOOLS
    ]


def limits(language: str) -> list[list[str]]:
    """Class, ids of the tools, calls a minute, what they are counted for, whom it holds for."""
    return _limits("{0.id}")


def limits_by_name(language: str) -> list[list[str]]:
    """The same with the names of the tools."""
    return _limits("`{0.name}`")


def _limits(shown: str) -> list[list[str]]:
    return [
        [
            f"`{limit.type}`",
            ", ".join(shown.format(tool) for tool in TOOLS if tool.limit == limit),
            str(limit.per_minute),
            {"key": "each key", "account": "the account"}[limit.keyed_by],
            "agent keys" if limit.agents_only else "every credential",
        ]
        for limit in LIMITS.values()
    ]


# The page, its language, the head of the table, its rows.
TABLES: tuple[tuple[str, str, str, Callable[[str], list[list[str]]]], ...] = (
    ("docs/hub.md", "en", "| setting | default | meaning |", settings),
    ("docs/zh/hub.md", "zh-Hans", "| 设置 | 默认 | 含义 |", settings),
    ("docs/hub-protocol.md", "en", "| code | HTTP | retry | meaning | beside it |", codes),
    ("docs/zh/hub-protocol.md", "zh-Hans", "| 错误码 | HTTP | 重试 | 含义 | 同在 |", codes),
    (
        "bazi_hub/skills/bazi/SKILL.md",
        "en",
        "| id | name | category | cost | credentials | asks a reader |",
        tools_of_agents,
    ),
    (
        "bazi_hub/skills/bazi/SKILL.md",
        "en",
        "| class | tools | a minute | counted for | applies to |",
        limits,
    ),
    (
        "bazi_hub/skills/bazi/references/rate-limits.md",
        "en",
        "| class | tools | a minute | counted for | applies to |",
        limits_by_name,
    ),
    ("bazi_hub/skills/bazi/usage/error-handling.md", "en", "| code | HTTP | retry | what to do |", advice),
    ("docs/hub-protocol.md", "en", "| id | name | category | limit a minute | what it does |", tools),
    ("docs/zh/hub-protocol.md", "zh-Hans", "| id | 名称 | 类别 | 每分钟限额 | 作用 |", tools),
)


def written(rows: Iterable[list[str]]) -> str:
    """Rows as Markdown."""
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def table(text: str, head: str) -> re.Match[str] | None:
    """The rows below a head."""
    return re.search(rf"(?<={re.escape(head)}\n)(\|[-:|]+\|\n)((?:\|.*\n)*)", text)


def renew() -> None:
    for page, language, head, rows in TABLES:
        text = (ROOT / page).read_text("utf-8")
        found = table(text, head)
        if found is None:
            raise LookupError(f"{page} has no table {head}")
        text = text[: found.start(2)] + written(rows(language)) + text[found.end(2) :]
        (ROOT / page).write_text(text, "utf-8")
