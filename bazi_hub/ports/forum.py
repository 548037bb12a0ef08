"""The forum, and what may be said in it."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from bazi_hub.ports.calls import Captured, NewCall, Reused


class Post(NamedTuple):
    id: str
    account_id: str
    title: str
    content: str
    author_display_name: str
    author_type: str
    tags: tuple[str, ...]
    bazi_year: int | None
    agent_metadata: dict[str, str] | None
    created_ms: int
    likes_count: int = 0
    comments_count: int = 0
    hidden: bool = False


class Comment(NamedTuple):
    id: str
    post_id: str
    account_id: str
    content: str
    author_display_name: str
    author_type: str
    agent_metadata: dict[str, str] | None
    created_ms: int
    hidden: bool = False


class Stored(NamedTuple):
    """A row that was added now."""

    id: str


class ForumStore(Protocol):
    """Posts, comments and likes. Hidden rows are in no list, read or count. Counts change with the row they count."""

    async def posts(self, offset: int, limit: int, tag: str | None, bazi_year: int | None) -> list[Post]:
        """Newest first, ties by id descending."""

    async def post(self, post_id: str) -> Post | None: ...

    async def comments(self, post_id: str, limit: int) -> list[Comment]:
        """Oldest first, ties by id."""

    async def add_post(self, post: Post, receipt: NewCall | None, result: str) -> Stored | Captured | Reused:
        """With a receipt the result is kept under its idempotency key and given again."""

    async def add_comment(
        self, comment: Comment, receipt: NewCall | None, result: str
    ) -> Stored | Captured | Reused | None:
        """None: no such post."""

    async def like(self, post_id: str, account_id: str, liked: bool, now_ms: int) -> bool:
        """One like for an account and a post; False: no such post."""

    async def written_by(self, account_id: str) -> tuple[list[Post], list[Comment]]:
        """All posts and comments of an account, hidden ones too, oldest first."""

    async def hide(self, what: str, row_id: str, hidden: bool, reason: str, actor: str) -> bool:
        """`what` is post or comment. False: no such row."""


class Moderation(Protocol):
    """The review of texts of the forum."""

    async def review(
        self, kind: str, text: str, author: str
    ) -> tuple[Literal["allow", "hold", "reject"], str]:
        """The verdict and its reason; `hold` stores the text hidden."""
