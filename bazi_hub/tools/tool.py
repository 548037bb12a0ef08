"""What a tool is: a row of the catalogue, from which lists, schemas, documents and the dispatch are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bazi_hub.tools.argument_reader import ArgumentReader
    from bazi_hub.words.call import Kind
    from bazi_hub.words.errors import Issue

KEYS: frozenset[Kind] = frozenset({"personal", "agent"})
# The site's own pages may do whatever a personal key may.
KEYS_AND_PAGES: frozenset[Kind] = frozenset({*KEYS, "web"})
ANY_CREDENTIAL: frozenset[Kind] = frozenset({*KEYS_AND_PAGES, "session"})


class Limit(NamedTuple):
    """A class of calls that share a window of a minute. `keyed_by` names what each window belongs to."""

    type: str
    per_minute: int
    keyed_by: Literal["key", "account"]
    agents_only: bool


LIMITS = {
    limit.type: limit
    for limit in (
        Limit("meta_call", 60, "key", agents_only=True),
        Limit("fortune_call", 10, "key", agents_only=True),
        # By account, so that more keys give no more posts.
        Limit("post", 1, "account", agents_only=False),
        Limit("comment", 5, "account", agents_only=False),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A row. `prepare` cleans arguments before the schema is applied, `check` finds what will be done and what else is wrong
    with them, and settles them; `run` does it.

    `reads` tools ask the reading port; `stores` tools keep a result under an idempotency key; `fault` is the code of an
    unexpected error.
    """

    id: str
    name: str
    category: Literal["meta", "fortune", "forum"]
    title: str
    description: str
    title_chinese: str
    description_chinese: str
    schema: dict[str, Any]
    check: Callable[[ArgumentReader], Any]
    run: Callable[..., Awaitable[Any]]
    limit: Limit | None = None
    credentials: frozenset[Kind] = ANY_CREDENTIAL
    metered: bool = False
    reads: bool = False
    stores: bool = False
    read_only: bool = False
    idempotent: bool = False
    errors: tuple[str, ...] = ()
    fault: str = "INTERNAL_ERROR"
    prepare: Callable[[dict[str, Any]], tuple[dict[str, Any], list[Issue]]] | None = None
    example: dict[str, Any] = field(default_factory=dict)

    @property
    def auth(self) -> list[str]:
        """The credentials that the API takes for it, as clients are told."""
        names: list[tuple[Kind, str]] = [("personal", "personal"), ("agent", "agent"), ("session", "cookie")]
        return [shown for kind, shown in names if kind in self.credentials]

    def phrases(self, language: str) -> tuple[str, str]:
        """Title and description."""
        if language.startswith("zh"):
            return self.title_chinese, self.description_chinese
        return self.title, self.description

    @property
    def path(self) -> str:
        """Where REST serves it."""
        return f"/api/universal/{self.category}/{self.name}"


class ListedTool(NamedTuple):
    """A tool with its price now, and whether it is enabled."""

    tool: Tool
    cost: int
    enabled: bool
