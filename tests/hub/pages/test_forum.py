"""The forum's pages: read by anybody, written by members, shown without harm."""

import asyncio
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

from bazi_hub.ports import Comment
from bazi_hub.words.call import Caller
from tests.hub.pages.browsing import in_town

POST = {
    "title": "丙午年",
    "content": "**火**旺",
    "tags": "流年, 用神，流年",
    "bazi_year": "2026",
    "author_display_name": "甲",
}


async def written(browser, **changed):
    """The path of a new post."""
    page = await browser.submit("/forum/new", "/forum/new", **{**POST, **changed})
    assert page.status == 303, page.text
    return page.to


async def filled(town, count):
    """So many posts of an agent, a minute apart."""
    for number in range(count):
        town.clock.advance(60)
        made = await town.hub.dispatch(
            "forum_create_post",
            {
                "title": f"post {number}",
                "content": "x" * 300,
                "tags": [f"t{number % 2}"],
                "bazi_year": 2000 + number,
            },
            Caller("agent-account", "agent", "k", "Oracle"),
        )
        assert made.error is None


@in_town
async def test_a_post_is_written_and_read_with_its_marks(town):
    member = await town.member()
    path = await written(member)
    page = await town.browser().get(path)
    assert "<strong>火</strong>" in page.text
    for word in ("丙午年", "甲", "human", "#流年", "#用神", "2026"):
        assert word in page.words
    [post] = town.rows.posts.values()
    assert (post.author_type, post.tags, post.bazi_year) == ("human", ("流年", "用神"), 2026)


@in_town
async def test_what_was_written_does_no_harm(town):
    member = await town.member()
    evil = "<script>alert(1)</script> ![x](https://e.org/x.png) [y](javascript:alert(1))"
    path = await written(member, title="<script>", content=evil, tags="<b>", author_display_name="<i>")
    for page in (await town.browser().get(path), await town.browser().get("/forum")):
        tags = {tag for tag, _ in page.shown.tags}
        assert not tags & {"img", "i", "b"}
        assert "<script>" not in page.text
        assert not any(link.startswith("javascript") for link in page.shown.links)


@in_town
async def test_whoever_is_not_signed_in_reads_and_finds_the_way_to_the_sign_in(town):
    path = await written(await town.member())
    page = await town.browser().get(path)
    assert page.shown.forms == []
    assert any(link.startswith("/login?next=") for link in page.shown.links)
    assert (await town.browser().post("/forum/new", POST)).to == "/login?next=%2F"
    assert len(town.rows.posts) == 1


@in_town
async def test_wrong_fields_are_told_and_what_was_typed_stays(town):
    member = await town.member()
    page = await member.submit("/forum/new", "/forum/new", **{**POST, "title": " ", "bazi_year": "next"})
    assert page.status == 400
    assert "Title: Must not be empty" in page.words
    assert "The year it is about: Expected integer, got string" in page.words
    assert "INVALID_ INPUT" in page.words
    assert page.form("/forum/new")["tags"] == POST["tags"]
    assert town.rows.posts == {}
    await written(member)


@in_town
async def test_a_second_post_within_the_minute_has_to_wait(town):
    member = await town.member()
    await written(member)
    page = await member.submit("/forum/new", "/forum/new", **{**POST, "title": "another"})
    assert page.status == 429
    assert 1 <= int(page.headers["retry-after"]) <= 60
    town.clock.advance(int(page.headers["retry-after"]))
    await written(member, title="another")


@in_town
async def test_what_was_typed_is_still_there_when_it_came_too_fast_and_is_sent_once_then(town):
    member = await town.member()
    path = await written(member)
    post = await member.submit("/forum/new", "/forum/new", **{**POST, "title": "another"})
    assert (post.status, "no more than 1 a minute" in post.words, "Try again in" in post.words) == (
        429,
        True,
        True,
    )
    assert post.form("/forum/new") | {"csrf": ""} == {**POST, "title": "another", "csrf": ""} | {
        "content": "", "nonce": post.form("/forum/new")["nonce"],
    }  # fmt: skip
    assert POST["content"] in post.text
    for _ in range(5):
        await member.submit(path, f"{path}/comments", content="so be it")
    comment = await member.submit(path, f"{path}/comments", content="a sixth")
    assert (comment.status, "a sixth" in comment.text) == (429, True)
    again = {**comment.form(f"{path}/comments"), "content": "a sixth"}
    assert again["nonce"] == (await member.post(f"{path}/comments", again)).form(f"{path}/comments")["nonce"]
    town.clock.advance(60)
    for _ in range(2):
        assert (await member.post(f"{path}/comments", again)).to == f"{path}#comments"
    assert sum(each.content == "a sixth" for each in comments(town)) == 1


def comments(town):
    return [comment for rows in town.rows.comments.values() for comment in rows.values()]


@in_town
async def test_an_empty_comment_is_refused_below_the_post(town):
    member = await town.member(language="zh")
    path = await written(member)
    page = await member.submit(path, f"{path}/comments", content=" ")
    assert page.status == 400
    for word in ("丙午年", "有几处要改：", "正文：不能为空", "INVALID_ INPUT"):
        assert word in page.words
    assert comments(town) == []


@in_town
async def test_whoever_signs_with_nothing_is_anonymous_and_no_agent(town):
    member = await town.member()
    path = await written(member, author_display_name="")
    await member.submit(path, f"{path}/comments", content="so be it")
    for page in (await member.get(path), await member.get("/forum")):
        assert "anonymous" in page.words
        assert "Agent" not in page.words


@in_town
async def test_a_post_sent_twice_stands_there_once(town):
    member = await town.member()
    form = {**(await member.get("/forum/new")).form("/forum/new"), **POST}
    first = await member.post("/forum/new", form)
    town.clock.advance(60)
    second = await member.post("/forum/new", form)
    assert first.to == second.to
    assert len(town.rows.posts) == 1


@in_town
async def test_comments_stand_below_the_post_oldest_first_and_once_each(town):
    member = await town.member()
    path = await written(member)
    form = (await member.get(path)).form("/comments")
    for _ in range(2):
        sent = await member.post(f"{path}/comments", {**form, "content": "first *one*"})
        assert sent.to == f"{path}#comments"
    town.clock.advance(1)
    await member.submit(path, f"{path}/comments", content="second")
    page = await town.browser().get(path)
    assert "first <em>one</em>" in page.text
    assert page.text.index("first") < page.text.index("second")
    assert page.text.count("first") == 1
    assert "2 comments" in (await town.browser().get("/forum")).words


@in_town
async def test_an_empty_comment_is_refused(town):
    member = await town.member()
    path = await written(member)
    assert (await member.submit(path, f"{path}/comments", content="  ")).status == 400


@in_town
async def test_one_like_for_an_account_and_it_can_be_taken_back(town):
    member = await town.member()
    path = await written(member)
    for action, shown in (("like", "1 like"), ("like", "1 like"), ("unlike", "0 likes")):
        assert (await member.submit(path, f"{path}/like", action=action)).to == path
        assert shown in (await town.browser().get(path)).words


@in_town
async def test_likes_at_the_same_time_count_once(town):
    member = await town.member()
    path = await written(member)
    await asyncio.gather(*(member.submit(path, f"{path}/like", action="like") for _ in range(5)))
    assert "1 like " in (await town.browser().get(path)).words


@in_town
async def test_posts_are_listed_newest_first_in_pages_of_twenty(town):
    await filled(town, 23)
    first = await town.browser().get("/forum")
    assert first.words.index("post 22") < first.words.index("post 3 ")
    assert "post 2 " not in first.words
    older = next(link for link in first.shown.links if "page=2" in link)
    second = await town.browser().get(older)
    assert "post 2 " in second.words
    assert not any("page=3" in link for link in second.shown.links)
    assert "No posts match" in (await town.browser().get("/forum?page=99")).words
    for odd in ("0", "-1", "x", "9" * 30):
        assert (await town.browser().get(f"/forum?page={odd}")).status == 200


@in_town
async def test_a_tag_and_a_year_narrow_the_list_and_stay_while_turning_pages(town):
    await filled(town, 45)
    tagged = await town.browser().get("/forum?tag=t1")
    assert "post 43" in tagged.words
    assert "post 44" not in tagged.words
    assert any("tag=t1" in link and "page=2" in link for link in tagged.shown.links)
    yearly = await town.browser().get("/forum?year=2007")
    assert yearly.words.count("post ") == 1
    assert "No posts match" in (await town.browser().get("/forum?tag=t1&year=2002")).words


@in_town
async def test_an_agent_is_named_as_one(town):
    await filled(town, 1)
    page = await town.browser().get("/forum")
    assert "Oracle 🤖 agent" in page.words


@in_town
async def test_a_hidden_post_and_one_that_never_was_are_not_there(town):
    member = await town.member()
    path = await written(member)
    await town.storage.forum.hide("post", path.removeprefix("/forum/"), True, "spam", "operator")
    for gone in (path, "/forum/00000000-0000-4000-8000-00000000dead", "/forum/x"):
        assert (await member.get(gone)).status == 404
    assert "no posts" in (await member.get("/forum")).words


@in_town
async def test_a_long_discussion_lets_others_have_their_turn(town):
    member = await town.member()
    path = await written(member, title="t", content="[" * 1000)
    post_id = path.rpartition("/")[2]
    now_ms = town.clock.now_ms()
    for number in range(50):
        comment = Comment(
            town.ids.uuid(), post_id, "a", f"{number} " + "[" * 1000, "x", "human", None, now_ms
        )
        await town.storage.forum.add_comment(comment, None, "{}")
    turns, done = 0, asyncio.Event()

    async def other():
        nonlocal turns
        while not done.is_set():
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.ensure_future(other())
    page = await member.get(path)
    done.set()
    await task
    assert page.status == 200
    assert turns > 50


@in_town
async def test_the_newest_posts_are_a_feed_that_readers_of_feeds_read(town):
    await filled(town, 3)
    page = await town.browser().get("/forum.rss?tag=t0")
    assert page.headers["content-type"].startswith("application/rss+xml")
    channel = ElementTree.fromstring(page.text).find("channel")
    assert [item.findtext("title") for item in channel.iter("item")] == ["post 2", "post 0"]
    first = next(channel.iter("item"))
    assert first.findtext("link") == first.findtext("guid")
    assert first.findtext("link").startswith("http://localhost/forum/")
    assert parsedate_to_datetime(first.findtext("pubDate")).timestamp() * 1000 == town.clock.now_ms()
    listed = await town.browser().get("/forum?tag=t0")
    assert 'type="application/rss+xml"' in listed.text
    assert "/forum.rss?tag=t0" in listed.shown.links


@in_town
async def test_a_feed_stays_well_formed_whatever_is_written(town):
    evil = "]]> & <script>alert(1)</script> \u2028 \ufffe"
    await written(await town.member(), title=f"t {evil}", content=evil, tags="<b>&")
    channel = ElementTree.fromstring((await town.browser().get("/forum.rss")).text).find("channel")
    [item] = channel.iter("item")
    assert "<script>" in item.findtext("title")
    assert item.findtext("category") == "<b>&"


@in_town
async def test_a_post_that_moderation_holds_is_told_to_its_writer(town):
    town.hub.moderation = Holds()
    member = await town.member()
    page = await member.submit("/forum/new", "/forum/new", **POST)
    assert page.to == "/forum?held=1"
    assert "will be shown when it has been reviewed" in (await member.get(page.to)).words


class Holds:
    async def review(self, kind, text, author):
        return "hold", "a person looks first"
