"""The forum: public to read, written by people who are signed in."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from email.utils import format_datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from bazi_hub.pages.markdown import html, plain
from bazi_hub.pages.refusal import Refusal
from bazi_hub.pages.request import PageRequest, Trouble
from bazi_hub.tools.forum import SHOWN_CONTENT, UNKNOWN_AUTHOR, USUAL_POSTS, UUID
from bazi_hub.words.errors import HubError

_COMMA = re.compile("[,，、]")
# Characters that no XML document may hold (XML 1.0 §2.2).
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UUID = re.compile(UUID["pattern"])


class Chosen(NamedTuple):
    """The posts that a visitor wants to see: those with a tag, those about a year."""

    tag: str
    year: int | None

    @classmethod
    def of(cls, query: dict[str, str]) -> Chosen:
        return cls(query.get("tag", "").strip(), _number(query.get("year")))

    @property
    def arguments(self) -> dict[str, Any]:
        """As arguments of `forum_list_posts`."""
        return {**({"tag": self.tag} if self.tag else {}), **({"bazi_year": self.year} if self.year else {})}

    def query(self, **more: object) -> str:
        """As the query of a link, with its question mark."""
        members = {name: value for name, value in (*self._asdict().items(), *more.items()) if value}
        return f"?{urlencode(members)}" if members else ""


async def posts(request: PageRequest) -> Response:
    """The newest posts, page by page."""
    chosen, page = Chosen.of(request.query), _number(request.query.get("page"), 1)
    found = (await request.ask("forum_list_posts", {"page": page, **chosen.arguments}))["posts"]

    def link(number: int) -> str:
        return request.at("/forum" + chosen.query(page=number))

    return request.page(
        "forum.html",
        posts=[
            {
                **_signed(request, each),
                "cut": len(each["content"]) == SHOWN_CONTENT,
                "content": plain(each["content"]),
            }
            for each in found
        ],
        tag=chosen.tag,
        year=chosen.year,
        feed=request.at("/forum.rss" + chosen.query()),
        held="held" in request.query,
        number=page,
        newer=link(page - 1) if page and page > 1 else None,
        older=link((page or 1) + 1) if len(found) == USUAL_POSTS else None,
    )


async def feed(request: PageRequest) -> Response:
    """The newest posts as RSS 2.0, with the beginning of each."""
    chosen = Chosen.of(request.query)
    found = (await request.ask("forum_list_posts", {"page": 1, **chosen.arguments}))["posts"]
    items = [{**_signed(request, each), "content": plain(each["content"])} for each in found]
    for each in items:
        each["date"] = format_datetime(datetime.fromisoformat(each["created_at"]))
    text = request.rendered("feed.xml", items=items, base=request.base, chosen=chosen)
    return Response(_NO_XML.sub("", text), media_type="application/rss+xml")


async def post(request: PageRequest) -> Response:
    return await _post_page(request)


async def _post_page(request: PageRequest, refusal: Refusal | None = None) -> Response:
    """A post with its comments; above the form what was refused, in it what was typed."""
    found = await request.ask("forum_get_post", {"post_id": _post_id(request)})
    shown, comments = found["post"], found["comments"]
    rendered = []
    for text in (shown["content"], *(comment["content"] for comment in comments)):
        # One after the other: fifty texts made to be slow would keep everybody else waiting for seconds.
        await asyncio.sleep(0)
        rendered.append(html(text))
    return request.page(
        "post.html",
        refusal=refusal,
        post=_signed(request, shown),
        content=rendered[0],
        comments=list(zip((_signed(request, comment) for comment in comments), rendered[1:], strict=True)),
        typed=request.form.get("content", ""),
        nonce=_nonce(request, refusal),
    )


async def post_form(request: PageRequest) -> Response:
    account = request.member()
    return _form(request, {"author_display_name": account.display_name or ""})


async def create_post(request: PageRequest) -> Response:
    request.member()
    form = request.form
    try:
        made = await request.ask("forum_create_post", _post(form), form.get("nonce") or None)
    except HubError as error:
        return _form(request, form, request.refusal(error))
    if await request.site.hub.storage.forum.post(made["post_id"]) is None:
        # Moderation holds it: it is there for nobody until an operator has looked at it.
        return request.go("/forum?held=1")
    return request.go(f"/forum/{made['post_id']}")


async def create_comment(request: PageRequest) -> Response:
    request.member()
    post_id, form = _post_id(request), request.form
    wanted = {"post_id": post_id, "content": form.get("content", "")}
    try:
        await request.ask("forum_create_comment", wanted, form.get("nonce") or None)
    except HubError as error:
        return await _post_page(request, request.refusal(error))
    return request.go(f"/forum/{post_id}#comments")


async def like(request: PageRequest) -> Response:
    request.member()
    post_id = _post_id(request)
    action = "unlike" if request.form.get("action") == "unlike" else "like"
    await request.ask("forum_like_post", {"post_id": post_id, "action": action})
    return request.go(f"/forum/{post_id}")


def _form(request: PageRequest, values: dict[str, str], refusal: Refusal | None = None) -> Response:
    names = ("title", "content", "tags", "bazi_year", "author_display_name")
    kept = {name: values.get(name, "") for name in names}
    return request.page("post_form.html", refusal=refusal, values=kept, nonce=_nonce(request, refusal))


def _nonce(request: PageRequest, refusal: Refusal | None) -> str:
    """The number of a form. One that comes back as it was keeps its own: what was stored after all is not stored twice."""
    same = refusal and refusal.code != "INVALID_INPUT"
    return (request.form.get("nonce") if same else None) or request.site.hub.ids.uuid()


def _signed(request: PageRequest, entry: dict[str, Any]) -> dict[str, Any]:
    """A post or comment with its author as the page names them: the hub's own name for nobody is that of an agent."""
    nameless = entry["author_type"] == "human" and entry["author_display_name"] == UNKNOWN_AUTHOR
    return {**entry, "author_display_name": request.say("forum.nameless")} if nameless else entry


def _post(form: dict[str, str]) -> dict[str, Any]:
    """The arguments of f3 in a form; what was left empty is left out."""
    made: dict[str, Any] = {"title": form.get("title", ""), "content": form.get("content", "")}
    tags = [tag.strip() for tag in _COMMA.split(form.get("tags", "")) if tag.strip()]
    name, year = form.get("author_display_name", "").strip(), form.get("bazi_year", "").strip()
    if tags:
        made["tags"] = tags
    if name:
        made["author_display_name"] = name
    if year:
        made["bazi_year"] = _number(year, None) or year
    return made


def _post_id(request: PageRequest) -> str:
    """The post of the path; a path that can be none is not there."""
    post_id = request.path_params["id"]
    if not _UUID.fullmatch(post_id):
        raise Trouble(404, "NOT_FOUND")
    return post_id.lower()


def _number(text: str | None, otherwise: int | None = None) -> int | None:
    """A number of at most nine digits."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else otherwise
