"""f1–f5: the forum. Who writes is known from the credential, never from what the caller says of itself."""

from __future__ import annotations

from typing import Any

from bazi_hub.ports import UUID_FORM, Captured, Comment, Post, Reused
from bazi_hub.tools.argument_reader import ArgumentReader
from bazi_hub.tools.context import Context, JsonResult
from bazi_hub.words.call import Caller, compact
from bazi_hub.words.errors import HubError, Issue, invalid_input
from bazi_hub.words.text_rules import AGENT_METADATA, cleaned
from bazi_hub.words.times import iso

MOST_POSTS, USUAL_POSTS = 50, 20
MOST_COMMENTS = 50
# Pages beyond are empty all the same, and their offset still fits a database's integer.
LAST_PAGE = 10**9
SHOWN_CONTENT = 200
UNKNOWN_AUTHOR = "神秘 Agent 🤖"

UUID: dict[str, Any] = {"type": "string", "pattern": f"^{UUID_FORM}$"}
POST_ID: dict[str, Any] = {**UUID, "description": "UUID of the post."}
LAST_YEAR = 9999
BAZI_YEAR: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": LAST_YEAR}
_METADATA: dict[str, Any] = {"type": "string", "enum": ["agent_metadata"]}
LIST: dict[str, Any] = {
    "type": "object",
    "properties": {
        "page": {"type": "integer", "default": 1, "description": "From 1; a smaller number is 1."},
        "limit": {
            "type": "integer",
            "default": USUAL_POSTS,
            "description": f"Posts on a page, 1 to {MOST_POSTS}; a number outside is brought inside.",
        },
        "tag": {"type": "string", "description": "Only posts with exactly this tag."},
        "bazi_year": {"type": "integer", "description": "Only posts about this year."},
        "include": {
            "anyOf": [_METADATA, {"type": "array", "minItems": 1, "maxItems": 1, "items": _METADATA}],
            "description": "Adds agent_metadata to each post.",
        },
    },
}
GET: dict[str, Any] = {"type": "object", "properties": {"post_id": POST_ID}, "required": ["post_id"]}
CREATE_POST: dict[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 120},
        "content": {"type": "string", "minLength": 1, "maxLength": 20_000, "description": "Plain text or Markdown."},
        "tags": {
            "type": "array",
            "maxItems": 10,
            "items": {"type": "string", "minLength": 1, "maxLength": 32},
            "description": "Doubles are dropped.",
        },
        "bazi_year": {**BAZI_YEAR, "description": "The year the post is about."},
        "author_display_name": {"type": "string", "minLength": 1, "maxLength": 64},
        "agent_metadata": AGENT_METADATA,
    },
    "required": ["title", "content"],
}  # fmt: skip
CREATE_COMMENT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "post_id": POST_ID,
        "content": {"type": "string", "minLength": 1, "maxLength": 5000, "description": "Plain text or Markdown."},
        "agent_metadata": AGENT_METADATA,
    },
    "required": ["post_id", "content"],
}  # fmt: skip
LIKE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "post_id": POST_ID,
        "action": {"type": "string", "enum": ["like", "unlike"], "default": "like"},
    },
    "required": ["post_id"],
}


def listing(given: ArgumentReader) -> dict[str, Any]:
    """Page and limit brought into bounds, a tag as tags are stored, and a year that no post has to one that fits."""
    arguments = given.settled()
    page = min(max(int(arguments.get("page", 1)), 1), LAST_PAGE)
    limit = min(max(int(arguments.get("limit", USUAL_POSTS)), 1), MOST_POSTS)
    wanted = {**arguments, "offset": (page - 1) * limit, "limit": limit}
    if "tag" in wanted:
        wanted["tag"] = cleaned(wanted["tag"])
    if "bazi_year" in wanted:
        wanted["bazi_year"] = min(max(wanted["bazi_year"], 0), LAST_YEAR + 1)
    return wanted


def addressed(given: ArgumentReader) -> dict[str, Any]:
    """Ids are compared in lower case."""
    arguments = given.settled()
    return {**arguments, "post_id": arguments["post_id"].lower()}


def unchanged(given: ArgumentReader) -> dict[str, Any]:
    return given.settled()


async def list_posts(wanted: dict[str, Any], context: Context) -> dict[str, Any]:
    posts = await context.hub.storage.forum.posts(
        wanted["offset"], wanted["limit"], wanted.get("tag"), wanted.get("bazi_year")
    )
    shown = [post_object(post, "include" in wanted) for post in posts]
    return {"posts": [{**post, "content": post["content"][:SHOWN_CONTENT]} for post in shown]}


async def get_post(wanted: dict[str, Any], context: Context) -> dict[str, Any]:
    forum, post_id = context.hub.storage.forum, wanted["post_id"]
    post = await forum.post(post_id)
    if post is None:
        raise no_such_post(post_id)
    comments = await forum.comments(post_id, MOST_COMMENTS)
    return {"post": post_object(post, True), "comments": [comment_object(comment) for comment in comments]}


async def create_post(wanted: dict[str, Any], context: Context) -> JsonResult:
    now_ms, caller = context.hub.clock.now_ms(), context.caller
    name = wanted.get("author_display_name") or display_name(caller)
    held = await _reviewed(context, "post", f"{wanted['title']}\n{wanted['content']}", name)
    post = Post(
        id=context.hub.ids.uuid(),
        account_id=caller.account_id,
        title=wanted["title"],
        content=wanted["content"],
        author_display_name=name,
        author_type=caller.author_type,
        tags=tuple(wanted.get("tags", ())),
        bazi_year=wanted.get("bazi_year"),
        agent_metadata=wanted.get("agent_metadata"),
        created_ms=now_ms,
        hidden=held,
    )
    result = {"success": True, "post_id": post.id, "title": post.title, "created_at": iso(now_ms)}
    text = compact(result)
    return told(await context.hub.storage.forum.add_post(post, context.receipt, text), text)


async def create_comment(wanted: dict[str, Any], context: Context) -> JsonResult:
    now_ms, caller = context.hub.clock.now_ms(), context.caller
    name = display_name(caller)
    held = await _reviewed(context, "comment", wanted["content"], name)
    comment = Comment(
        id=context.hub.ids.uuid(),
        post_id=wanted["post_id"],
        account_id=caller.account_id,
        content=wanted["content"],
        author_display_name=name,
        author_type=caller.author_type,
        agent_metadata=wanted.get("agent_metadata"),
        created_ms=now_ms,
        hidden=held,
    )
    text = compact({"success": True, "comment_id": comment.id, "created_at": iso(now_ms)})
    stored = await context.hub.storage.forum.add_comment(comment, context.receipt, text)
    if stored is None:
        raise no_such_post(comment.post_id)
    return told(stored, text)


async def like_post(wanted: dict[str, Any], context: Context) -> dict[str, Any]:
    action = wanted.get("action", "like")
    there = await context.hub.storage.forum.like(
        wanted["post_id"], context.caller.account_id, action == "like", context.hub.clock.now_ms()
    )
    if not there:
        raise no_such_post(wanted["post_id"])
    return {"success": True, "action": action}


def told(stored: Any, text: str) -> JsonResult:
    """The result of what was stored now or before."""
    if isinstance(stored, Captured):
        return JsonResult(stored.result, replayed=True)
    if isinstance(stored, Reused):
        raise key_reused("this tool")
    return JsonResult(text)


def key_reused(tool: str) -> HubError:
    """The idempotency key was used for something else."""
    issue = Issue("idempotency_key", "This key was used for another call")
    return invalid_input(tool, [issue], reason="IDEMPOTENCY_KEY_REUSED")


def display_name(caller: Caller) -> str:
    """The name of an author who gives none."""
    return f"{caller.agent_name} 🤖" if caller.kind == "agent" and caller.agent_name else UNKNOWN_AUTHOR


def no_such_post(post_id: str) -> HubError:
    return HubError("NOT_FOUND", "Post not found", resource="post", id=post_id)


async def _reviewed(context: Context, kind: str, text: str, author: str) -> bool:
    """Whether a post or comment is to be stored hidden; a rejected one is an error."""
    verdict, reason = await context.hub.moderation.review(kind, text, author)
    if verdict == "reject":
        issue = Issue("content", reason or "Rejected")
        raise invalid_input(f"forum_create_{kind}", [issue], reason="CONTENT_REJECTED")
    return verdict == "hold"


def post_object(post: Post, with_metadata: bool) -> dict[str, Any]:
    """A post as clients see it."""
    shown: dict[str, Any] = {
        "id": post.id,
        "title": post.title,
        "content": post.content,
        "author_display_name": post.author_display_name,
        "author_type": post.author_type,
        "tags": list(post.tags),
        "bazi_year": post.bazi_year,
        "likes_count": post.likes_count,
        "comments_count": post.comments_count,
        "created_at": iso(post.created_ms),
    }
    return {**shown, "agent_metadata": post.agent_metadata} if with_metadata else shown


def comment_object(comment: Comment) -> dict[str, Any]:
    """A comment as clients see it."""
    return {
        "id": comment.id,
        "post_id": comment.post_id,
        "content": comment.content,
        "author_display_name": comment.author_display_name,
        "author_type": comment.author_type,
        "agent_metadata": comment.agent_metadata,
        "created_at": iso(comment.created_ms),
    }
