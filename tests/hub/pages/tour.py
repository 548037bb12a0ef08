"""A town in which there is something on every page, and the way past all of them: what tests of all pages walk through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from bazi_hub.pages import PAGES
from tests.hub.pages.browsing import CHART
from tests.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hub.pages.browsing import Browser, Seen, Town

QUERY = CHART.partition("?")[2]
BOARD = "lines=798977&at=2026-04-03T20:30:00%2B08:00"
NOWHERE = "00000000-0000-4000-8000-00000000dead"
POST = {
    "title": "丙午年怎么看",
    "content": "火年。\n\n* 一\n* 二\n\n> 引文\n\n`code` and [a link](https://example.org/) beside *words*",
    "tags": "丙午, 流年",
    "bazi_year": "2026",
    "author_display_name": "甲",
}


class Stop(NamedTuple):
    """A page of the tour: what it shows, its address, whether it is for members, and its status."""

    name: str
    path: str
    member: bool = False
    status: int = 200

    def __str__(self) -> str:
        return self.name


# What everybody may see, without a town.
ANYWHERE = (
    Stop("birth", "/"),
    Stop("birth asked again", "/chart?cal=solar&y=1990&m=2&d=30&place=Springfield", status=400),
    Stop("chart", CHART),
    Stop("chart without an hour", "/chart?t=1990-05-15&p=cn:110000&g=f"),
    Stop("chart without a birth", "/p/庚午-辛巳-庚辰-壬午/m/1997-08"),
    Stop("chart of pillars alone", "/p/庚午-辛巳-庚辰-壬午"),
    Stop("chart of pillars and gender", "/p/庚午-辛巳-庚辰-壬午/m"),
    Stop("years", f"/years?{QUERY}"),
    Stop("year", f"/year?{QUERY}&year=2027"),
    Stop("six lines", "/liuyao"),
    Stop("board", f"/liuyao/board?{BOARD}&q=Should+I+take+this+new+job%3F"),
    Stop("almanac", "/almanac"),
    Stop("almanac day", "/almanac/day"),
    Stop("almanac day for a person", "/almanac/day?d=2026-12-02&who=庚午-辛巳-庚辰-壬午&q=今天适合搬家吗"),
    Stop("almanac choice", "/almanac/days"),
    Stop("almanac days", "/almanac/days?p=搬家&a=2026-12-01&b=2027-01-15"),
    Stop("almanac asked again", "/almanac/day?place=Springfield", status=400),
    Stop("forum", "/forum"),
    Stop("sign up", "/signup"),
    Stop("sign in", "/login"),
    Stop("api", "/docs/api"),
    Stop("status", "/status"),
    Stop("nowhere", "/nothing", status=404),
)
# What is asked for from a page but is none: files, a part of a form, a feed.
FILES = (
    f"/chart.svg?{QUERY}",
    f"/chart.json?{QUERY}",
    f"/chart.txt?{QUERY}",
    f"/chart.pdf?{QUERY}",
    f"/liuyao/cast.json?{BOARD}",
    f"/liuyao/cast.svg?{BOARD}",
    "/places?place=chaoyang",
    "/forum.rss",
)
# Read as parts of a page or on the way to one.
PARTS = ("/c/{id}/reading/question", "/c/{id}/divination", "/c/{id}/pdf")


class Tour(NamedTuple):
    """The stops of a town, somebody who is signed in there and to whom its things belong, and what he may send to where."""

    stops: tuple[Stop, ...]
    member: Browser
    ids: dict[str, str]

    def stop(self, name: str) -> Stop:
        return next(each for each in self.stops if each.name == name)

    async def see(self, stop: Stop, language: str = "en") -> Seen:
        """A stop as a browser without a window shows it."""
        browser = self.member if stop.member else self.member.town.browser()
        return await browser.get(quoted(stop.path), **{"accept-language": language})


async def tour(town: Town, language: str = "en") -> Tour:
    """Everything that a member does, done once."""
    member = await town.member(language=language)
    ids = {"chart": (await member.saved_chart()).removeprefix("/c/")}
    offers = f"/c/{ids['chart']}/reading"
    for kind in ("life", "year"):
        bought = await member.submit(
            offers, offers, buy=kind, kind=kind, question="2027年适合换工作吗", target_year="2027"
        )
        assert bought.status == 303, bought.words
        ids[kind] = bought.to.removeprefix("/c/")
    ids["cast"], ids["read cast"] = [await _cast(member, nonce) for nonce in ("a", "b")]
    await _read(member, f"/c/{ids['read cast']}")
    ids["post"] = (await member.submit("/forum/new", "/forum/new", **POST)).to.removeprefix("/forum/")
    post = f"/forum/{ids['post']}"
    said = await member.submit(post, f"{post}/comments", content="**Well** said.")
    assert said.status == 303, said.words
    keyed = await member.submit("/billing", "/billing/keys", flavor="agent", agent_name="bot", days="30")
    ids["key"] = re.findall(r"<code>([^<]+)</code>", keyed.text.partition("<tbody>")[2])[-1]
    shared = {}
    for kind in ("chart", "life", "read cast"):
        path = f"/c/{ids[kind]}"
        page = await member.submit(path, f"{path}/share")
        [shared[kind]] = re.findall(r'value="http://localhost(/s/[0-9a-f]+)"', page.text)
    return Tour((*ANYWHERE, *_of_town(ids, shared)), member, ids)


def _of_town(ids: dict[str, str], shared: dict[str, str]) -> Iterator[Stop]:
    yield Stop("post", f"/forum/{ids['post']}")
    for kind, path in shared.items():
        yield Stop(f"shared {kind}", path)
    yield Stop("kept", "/c", member=True)
    yield Stop("kept chart", f"/c/{ids['chart']}", member=True)
    yield Stop("offers", f"/c/{ids['chart']}/reading", member=True)
    yield Stop("reading", f"/c/{ids['life']}", member=True)
    yield Stop("reading of a year", f"/c/{ids['year']}", member=True)
    yield Stop("kept cast", f"/c/{ids['cast']}", member=True)
    yield Stop("reading of a cast", f"/c/{ids['read cast']}", member=True)
    yield Stop("chart of a member", CHART, member=True)
    yield Stop("six lines of a member", "/liuyao", member=True)
    yield Stop("post form", "/forum/new", member=True)
    yield Stop("post of a member", f"/forum/{ids['post']}", member=True)
    yield Stop("billing", "/billing", member=True)
    yield Stop("account", "/account", member=True)


async def _cast(member: Browser, words: str) -> str:
    """The id of a cast that is kept."""
    asked = "Should I take this new job?" if member.language == "en" else "这份新工作该不该接？"
    thrown = await member.submit(
        "/liuyao", "/liuyao", question=asked, words=words, place="London", how="coins"
    )
    assert thrown.status == 303, thrown.words
    return thrown.to.removeprefix("/c/")


async def _read(member: Browser, path: str) -> None:
    """Has a cast read, and waits for the end."""
    await member.submit(path, f"{path}/divination")

    async def over() -> bool:
        return "http-equiv" not in (await member.get(path)).text

    await eventually(over)


def quoted(path: str) -> str:
    """An address as a browser sends it."""
    return quote(path, safe="/?&=+:%,-")


def pattern_of(path: str) -> str | None:
    """The pattern among PAGES that a path is an address of; the one without parameters goes before others."""
    bare = unquote(path.partition("?")[0])
    for pattern, get, _ in sorted(PAGES, key=lambda page: "{" in page[0]):
        if get is not None and re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(pattern)), bare):
            return pattern
    return None
