"""Posts, comments and likes, with the counts that change in the same transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, delete, exists, select, update

from bazi_hub.ports import Captured, Comment, NewCall, Post, Reused, Stored
from bazi_hub.store import schema
from bazi_hub.store.sql.database import Database, add_new, note
from bazi_hub.store.sql.receipts import keep_receipt

_posts, _tags, _comments, _likes = schema.posts, schema.post_tags, schema.comments, schema.likes
_TABLES = {"post": _posts, "comment": _comments}
_visible = _posts.c.hidden.is_(False)


def _metadata(text: str | None) -> dict[str, str] | None:
    return None if text is None else json.loads(text)


def _metadata_text(metadata: dict[str, str] | None) -> str | None:
    return None if metadata is None else json.dumps(metadata, ensure_ascii=False)


def _post(row: Row[Any], tags: tuple[str, ...]) -> Post:
    members = {name: row._mapping[name] for name in Post._fields if name != "tags"}
    return Post(**members | {"agent_metadata": _metadata(row.agent_metadata), "tags": tags})


def _tags_of(db: Connection, posts: Sequence[str] | Select[Any]) -> dict[str, tuple[str, ...]]:
    """The tags of the posts of these ids, in their order."""
    rows = select(_tags).where(_tags.c.post_id.in_(posts)).order_by(_tags.c.post_id, _tags.c.place)
    tags: dict[str, tuple[str, ...]] = {}
    for row in db.execute(rows):
        tags[row.post_id] = (*tags.get(row.post_id, ()), row.tag)
    return tags


def _comment(row: Row[Any]) -> Comment:
    members = {name: row._mapping[name] for name in Comment._fields}
    return Comment(**members | {"agent_metadata": _metadata(row.agent_metadata)})


def _count(db: Connection, post_id: str, column: str, by: int) -> None:
    db.execute(update(_posts).where(_posts.c.id == post_id).values({column: _posts.c[column] + by}))


def _is_visible(db: Connection, post_id: str) -> bool:
    return db.execute(select(_posts.c.id).where(_posts.c.id == post_id, _visible)).first() is not None


class SqlForum:
    def __init__(self, database: Database, result_ttl_ms: int) -> None:
        self._db = database
        self._result_ttl_ms = result_ttl_ms

    async def posts(self, offset: int, limit: int, tag: str | None, bazi_year: int | None) -> list[Post]:
        wanted = select(_posts).where(_visible)
        if tag is not None:
            tagged = and_(_tags.c.post_id == _posts.c.id, _tags.c.tag == tag)
            wanted = wanted.where(exists().where(tagged))
        if bazi_year is not None:
            wanted = wanted.where(_posts.c.bazi_year == bazi_year)
        page = wanted.order_by(_posts.c.created_ms.desc(), _posts.c.id.desc()).offset(offset).limit(limit)

        def work(db: Connection) -> list[Post]:
            rows = db.execute(page).all()
            tags = _tags_of(db, [row.id for row in rows])
            return [_post(row, tags.get(row.id, ())) for row in rows]

        return await self._db.scan(work)

    async def post(self, post_id: str) -> Post | None:
        def work(db: Connection) -> Post | None:
            row = db.execute(select(_posts).where(_posts.c.id == post_id, _visible)).first()
            return None if row is None else _post(row, _tags_of(db, [post_id]).get(post_id, ()))

        return await self._db.read(work)

    async def comments(self, post_id: str, limit: int) -> list[Comment]:
        of_post = and_(_comments.c.post_id == post_id, _comments.c.hidden.is_(False), _visible)
        wanted = select(_comments).join(_posts, _posts.c.id == _comments.c.post_id).where(of_post)
        page = wanted.order_by(_comments.c.created_ms, _comments.c.id).limit(limit)
        return [_comment(row) for row in await self._db.scan(lambda db: db.execute(page).all())]

    async def add_post(self, post: Post, receipt: NewCall | None, result: str) -> Stored | Captured | Reused:
        row = post._asdict() | {"agent_metadata": _metadata_text(post.agent_metadata)}
        tags = row.pop("tags")
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> Stored | Captured | Reused:
            if earlier := keep_receipt(db, receipt, result, now_ms, self._result_ttl_ms):
                return earlier
            db.execute(_posts.insert().values(row))
            if tags:
                places = [{"post_id": post.id, "place": place, "tag": tag} for place, tag in enumerate(tags)]
                db.execute(_tags.insert(), places)
            return Stored(post.id)

        return await self._db.write(work)

    async def add_comment(
        self, comment: Comment, receipt: NewCall | None, result: str
    ) -> Stored | Captured | Reused | None:
        row = comment._asdict() | {"agent_metadata": _metadata_text(comment.agent_metadata)}
        now_ms = self._db.clock.now_ms()

        def work(db: Connection) -> Stored | Captured | Reused | None:
            if not _is_visible(db, comment.post_id):
                return None
            if earlier := keep_receipt(db, receipt, result, now_ms, self._result_ttl_ms):
                return earlier
            db.execute(_comments.insert().values(row))
            if not comment.hidden:
                _count(db, comment.post_id, "comments_count", 1)
            return Stored(comment.id)

        return await self._db.write(work)

    async def like(self, post_id: str, account_id: str, liked: bool, now_ms: int) -> bool:
        def work(db: Connection) -> bool:
            if not _is_visible(db, post_id):
                return False
            if liked and add_new(db, _likes, post_id=post_id, account_id=account_id, created_ms=now_ms):
                _count(db, post_id, "likes_count", 1)
            if not liked and _unlike(db, post_id, account_id):
                _count(db, post_id, "likes_count", -1)
            return True

        return await self._db.write(work)

    async def written_by(self, account_id: str) -> tuple[list[Post], list[Comment]]:
        own = [
            select(table).where(table.c.account_id == account_id).order_by(table.c.created_ms, table.c.id)
            for table in (_posts, _comments)
        ]

        def work(db: Connection) -> tuple[list[Post], list[Comment]]:
            posts, comments = (db.execute(each).all() for each in own)
            tags = _tags_of(db, select(_posts.c.id).where(_posts.c.account_id == account_id))
            return [_post(row, tags.get(row.id, ())) for row in posts], [_comment(row) for row in comments]

        return await self._db.scan(work)

    async def hide(self, what: str, row_id: str, hidden: bool, reason: str, actor: str) -> bool:
        table, now_ms = _TABLES[what], self._db.clock.now_ms()
        turned = (
            update(table).where(table.c.id == row_id, table.c.hidden.is_(not hidden)).values(hidden=hidden)
        )
        act = "forum.hide" if hidden else "forum.unhide"

        def work(db: Connection) -> bool:
            changed = db.execute(turned.returning(table)).first()
            if changed is None and db.execute(select(table.c.id).where(table.c.id == row_id)).first() is None:
                return False
            if changed is not None and what == "comment":
                _count(db, changed.post_id, "comments_count", -1 if hidden else 1)
            note(db, now_ms, actor, act, row_id, after=f"{what}: {reason}")
            return True

        return await self._db.write(work)


def _unlike(db: Connection, post_id: str, account_id: str) -> bool:
    own = and_(_likes.c.post_id == post_id, _likes.c.account_id == account_id)
    return db.execute(delete(_likes).where(own).returning(_likes.c.post_id)).first() is not None
