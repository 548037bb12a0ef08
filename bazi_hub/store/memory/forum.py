"""The forum and the saved charts. Counts are taken from the rows that are shown, so they cannot go astray."""

from __future__ import annotations

from bazi_hub.ports import Captured, Comment, Conflict, NewCall, Post, Reused, Saved, SavedItem, Stored
from bazi_hub.ports.charts import USUAL_LISTED, Position
from bazi_hub.store.memory.ledger import MemoryLedger
from bazi_hub.store.memory.tables import Link, Tables


class MemoryForum:
    def __init__(self, tables: Tables, ledger: MemoryLedger) -> None:
        self._tables = tables
        self._ledger = ledger

    async def posts(self, offset: int, limit: int, tag: str | None, bazi_year: int | None) -> list[Post]:
        found = [
            post
            for post in self._tables.posts.values()
            if not post.hidden
            and (tag is None or tag in post.tags)
            and (bazi_year is None or post.bazi_year == bazi_year)
        ]
        found.sort(key=lambda post: (post.created_ms, post.id), reverse=True)
        return [self._counted(post) for post in found[offset : offset + limit]]

    async def post(self, post_id: str) -> Post | None:
        post = self._visible_post(post_id)
        return None if post is None else self._counted(post)

    async def comments(self, post_id: str, limit: int) -> list[Comment]:
        if self._visible_post(post_id) is None:
            return []
        shown = self._shown_comments(post_id)
        return sorted(shown, key=lambda comment: (comment.created_ms, comment.id))[:limit]

    async def add_post(self, post: Post, receipt: NewCall | None, result: str) -> Stored | Captured | Reused:
        met = self._ledger.met_receipt(receipt)
        if met is not None:
            return met
        if post.id in self._tables.posts:
            raise Conflict(f"post {post.id} is there already")
        self._ledger.keep_receipt(receipt, result)
        self._tables.posts[post.id] = post
        return Stored(post.id)

    async def add_comment(
        self, comment: Comment, receipt: NewCall | None, result: str
    ) -> Stored | Captured | Reused | None:
        met = self._ledger.met_receipt(receipt)
        if met is not None:
            return met
        if self._visible_post(comment.post_id) is None:
            return None
        of_post = self._tables.comments.setdefault(comment.post_id, {})
        if comment.id in of_post:
            raise Conflict(f"comment {comment.id} is there already")
        self._ledger.keep_receipt(receipt, result)
        of_post[comment.id] = comment
        return Stored(comment.id)

    async def like(self, post_id: str, account_id: str, liked: bool, now_ms: int) -> bool:
        if self._visible_post(post_id) is None:
            return False
        likes = self._tables.likes.setdefault(post_id, set())
        (likes.add if liked else likes.discard)(account_id)
        return True

    async def written_by(self, account_id: str) -> tuple[list[Post], list[Comment]]:
        tables = self._tables
        posts = [self._counted(post) for post in tables.posts.values() if post.account_id == account_id]
        comments = [
            each
            for rows in tables.comments.values()
            for each in rows.values()
            if each.account_id == account_id
        ]
        posts.sort(key=lambda post: (post.created_ms, post.id))
        comments.sort(key=lambda comment: (comment.created_ms, comment.id))
        return posts, comments

    async def hide(self, what: str, row_id: str, hidden: bool, reason: str, actor: str) -> bool:
        tables = self._tables
        if what == "post" and row_id in tables.posts:
            before = tables.posts[row_id].hidden
            tables.posts[row_id] = tables.posts[row_id]._replace(hidden=hidden)
        elif what == "comment" and (comments := self._comments_with(row_id)) is not None:
            before = comments[row_id].hidden
            comments[row_id] = comments[row_id]._replace(hidden=hidden)
        else:
            return False
        after = {"what": what, "hidden": hidden, "reason": reason}
        tables.told(actor, "forum.hide" if hidden else "forum.unhide", row_id, {"hidden": before}, after)
        return True

    def _visible_post(self, post_id: str) -> Post | None:
        post = self._tables.posts.get(post_id)
        return None if post is None or post.hidden else post

    def _shown_comments(self, post_id: str) -> list[Comment]:
        comments = self._tables.comments.get(post_id, {})
        return [comment for comment in comments.values() if not comment.hidden]

    def _comments_with(self, comment_id: str) -> dict[str, Comment] | None:
        return next((rows for rows in self._tables.comments.values() if comment_id in rows), None)

    def _counted(self, post: Post) -> Post:
        likes = len(self._tables.likes.get(post.id, ()))
        return post._replace(likes_count=likes, comments_count=len(self._shown_comments(post.id)))


class MemoryCharts:
    """Saved charts, and the links that open them by the hash of their tokens."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def add(self, saved: Saved) -> None:
        if saved.id in self._tables.charts:
            raise Conflict(f"chart {saved.id} is there already")
        self._tables.charts[saved.id] = saved

    async def get(self, saved_id: str, account_id: str) -> Saved | None:
        saved = self._tables.charts.get(saved_id)
        return None if saved is None or saved.account_id != account_id else saved

    async def of(
        self, account_id: str, most: int = USUAL_LISTED, below: Position | None = None
    ) -> list[SavedItem]:
        shared = {link.chart_id: link.created_ms for link in self._tables.links.values()}
        mine = [
            SavedItem(saved.id, saved.kind, saved.title, saved.created_ms, shared.get(saved.id))
            for saved in self._tables.charts.values()
            if saved.account_id == account_id
        ]
        newest_first = sorted(mine, key=lambda kept: kept.position, reverse=True)
        return [kept for kept in newest_first if below is None or kept.position < below][:most]

    async def delete(self, saved_id: str, account_id: str) -> bool:
        if not await self.unshare(saved_id, account_id):
            return False
        del self._tables.charts[saved_id]
        return True

    async def share(self, saved_id: str, account_id: str, token_hash: str, now_ms: int) -> bool:
        if not await self.unshare(saved_id, account_id):
            return False
        self._tables.links[token_hash] = Link(saved_id, now_ms)
        return True

    async def unshare(self, saved_id: str, account_id: str) -> bool:
        if await self.get(saved_id, account_id) is None:
            return False
        links = self._tables.links
        self._tables.links = {token: link for token, link in links.items() if link.chart_id != saved_id}
        return True

    async def shared_ms(self, saved_id: str, account_id: str) -> int | None:
        own = await self.get(saved_id, account_id) is not None
        links = self._tables.links.values()
        return next((link.created_ms for link in links if own and link.chart_id == saved_id), None)

    async def shared(self, token_hash: str) -> Saved | None:
        link = self._tables.links.get(token_hash)
        return None if link is None else self._tables.charts.get(link.chart_id)
