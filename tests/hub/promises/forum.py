"""What every forum store promises: order, counts that follow their rows, hidden rows nowhere, receipts."""

from __future__ import annotations

import asyncio
from typing import Any

from bazi_hub.ports import Captured, Comment, NewCall, Post, Reused, Stored
from bazi_hub.testing.contract import ACTOR, World, promise
from bazi_hub.testing.storage import StorageContract


def post_of(world: World, account_id: str, **members: Any) -> Post:
    """A post of now."""
    now = world.clock.now_ms()
    return Post(world.ids.uuid(), account_id, "标题", "内容", "李", "human", (), None, None, now)._replace(
        **members
    )


def comment_of(world: World, post_id: str, account_id: str, **members: Any) -> Comment:
    """A comment of now."""
    now = world.clock.now_ms()
    return Comment(world.ids.uuid(), post_id, account_id, "好", "李", "human", None, now)._replace(**members)


async def posted(world: World, account_id: str, **members: Any) -> Post:
    """A post that is stored."""
    post = post_of(world, account_id, **members)
    assert await world.storage.forum.add_post(post, None, "{}") == Stored(post.id)
    return post


async def commented(world: World, post_id: str, account_id: str, **members: Any) -> Comment:
    """A comment that is stored."""
    comment = comment_of(world, post_id, account_id, **members)
    assert await world.storage.forum.add_comment(comment, None, "{}") == Stored(comment.id)
    return comment


async def counts(world: World, post_id: str) -> tuple[int, int]:
    """Likes and comments, as the post and the list tell them alike."""
    post = await world.storage.forum.post(post_id)
    assert post is not None
    (listed,) = [one for one in await world.storage.forum.posts(0, 50, None, None) if one.id == post_id]
    assert listed == post
    return post.likes_count, post.comments_count


class PostsContract(StorageContract):
    @promise
    async def test_an_unknown_post_is_not_found(self, world: World) -> None:
        assert await world.storage.forum.post(world.ids.uuid()) is None
        assert await world.storage.forum.comments(world.ids.uuid(), 50) == []

    @promise
    async def test_posts_are_listed_newest_first_and_ties_by_id(self, world: World) -> None:
        account_id = await world.account()
        first = await posted(world, account_id)
        same = [await posted(world, account_id) for _ in range(2)]
        await self.passes(world, 1)
        last = await posted(world, account_id)
        tied = sorted([first.id, *(post.id for post in same)], reverse=True)
        listed = [post.id for post in await world.storage.forum.posts(0, 50, None, None)]
        assert listed == [last.id, *tied]

    @promise
    async def test_pages_follow_each_other_and_end(self, world: World) -> None:
        account_id = await world.account()
        for _ in range(5):
            await posted(world, account_id)
            await self.passes(world, 1)
        forum = world.storage.forum
        whole = [post.id for post in await forum.posts(0, 50, None, None)]
        pages = [[post.id for post in await forum.posts(offset, 2, None, None)] for offset in (0, 2, 4, 6)]
        assert pages == [whole[:2], whole[2:4], whole[4:], []]

    @promise
    async def test_a_tag_is_matched_whole_and_as_it_is_spelt(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id, tags=("八字", "BaZi"))
        await posted(world, account_id, tags=("八字入门", "bazi"))
        forum = world.storage.forum
        for tag in ("八字", "BaZi"):
            assert [found.id for found in await forum.posts(0, 50, tag, None)] == [post.id]
        for tag in ("八", "BAZI", "%", "_azi", ""):
            assert await forum.posts(0, 50, tag, None) == []

    @promise
    async def test_tag_and_year_narrow_together(self, world: World) -> None:
        account_id = await world.account()
        both = await posted(world, account_id, tags=("x",), bazi_year=1985)
        year = await posted(world, account_id, bazi_year=1985)
        await posted(world, account_id, tags=("x",), bazi_year=1986)
        forum = world.storage.forum
        assert {post.id for post in await forum.posts(0, 50, None, 1985)} == {both.id, year.id}
        assert [post.id for post in await forum.posts(0, 50, "x", 1985)] == [both.id]

    @promise
    async def test_a_post_may_be_stored_hidden(self, world: World) -> None:
        post = post_of(world, await world.account(), hidden=True)
        assert await world.storage.forum.add_post(post, None, "{}") == Stored(post.id)
        assert await world.storage.forum.post(post.id) is None
        assert await world.storage.forum.posts(0, 50, None, None) == []
        assert await world.storage.forum.hide("post", post.id, False, "fine", ACTOR)
        assert await world.storage.forum.post(post.id) == post._replace(hidden=False)

    @promise
    async def test_a_hidden_post_is_nowhere_until_it_is_shown_again(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id, tags=("x",), bazi_year=1985)
        await commented(world, post.id, account_id)
        forum = world.storage.forum
        assert await forum.hide("post", post.id, True, "spam", ACTOR)
        assert await forum.post(post.id) is None
        assert await forum.posts(0, 50, None, None) == await forum.posts(0, 50, "x", 1985) == []
        assert await forum.add_comment(comment_of(world, post.id, account_id), None, "{}") is None
        assert not await forum.like(post.id, account_id, True, world.clock.now_ms())
        assert await forum.hide("post", post.id, False, "a mistake", ACTOR)
        assert await counts(world, post.id) == (0, 1)

    @promise
    async def test_an_unknown_row_cannot_be_hidden(self, world: World) -> None:
        post = await posted(world, await world.account())
        assert not await world.storage.forum.hide("post", world.ids.uuid(), True, "spam", ACTOR)
        assert not await world.storage.forum.hide("comment", post.id, True, "spam", ACTOR)
        assert await world.storage.forum.post(post.id) is not None


class CommentsContract(StorageContract):
    @promise
    async def test_comments_are_read_oldest_first_and_ties_by_id(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id)
        agent = {"agent_name": "Robin", "agent_version": "1", "platform": "other"}
        comments = [await commented(world, post.id, account_id, agent_metadata=agent) for _ in range(3)]
        await self.passes(world, 1)
        comments.append(await commented(world, post.id, account_id))
        comments[:3] = sorted(comments[:3], key=lambda comment: comment.id)
        assert await world.storage.forum.comments(post.id, 50) == comments
        assert await world.storage.forum.comments(post.id, 2) == comments[:2]
        assert await counts(world, post.id) == (0, 4)

    @promise
    async def test_comments_belong_to_their_post(self, world: World) -> None:
        account_id = await world.account()
        one, two = await posted(world, account_id), await posted(world, account_id)
        comment = await commented(world, one.id, account_id)
        assert await world.storage.forum.comments(one.id, 50) == [comment]
        assert await world.storage.forum.comments(two.id, 50) == []
        assert await counts(world, two.id) == (0, 0)

    @promise
    async def test_there_is_no_comment_without_a_post(self, world: World) -> None:
        comment = comment_of(world, world.ids.uuid(), await world.account())
        assert await world.storage.forum.add_comment(comment, None, "{}") is None

    @promise
    async def test_a_hidden_comment_is_in_no_list_and_no_count(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id)
        shown = await commented(world, post.id, account_id)
        hidden = await commented(world, post.id, account_id)
        forum = world.storage.forum
        for _ in range(2):
            assert await forum.hide("comment", hidden.id, True, "spam", ACTOR)
            assert await forum.comments(post.id, 50) == [shown]
            assert await counts(world, post.id) == (0, 1)
        for _ in range(2):
            assert await forum.hide("comment", hidden.id, False, "a mistake", ACTOR)
            assert await counts(world, post.id) == (0, 2)

    @promise
    async def test_a_comment_may_be_stored_hidden(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id)
        comment = await commented(world, post.id, account_id, hidden=True)
        assert await counts(world, post.id) == (0, 0)
        assert await world.storage.forum.hide("comment", comment.id, False, "fine", ACTOR)
        assert await counts(world, post.id) == (0, 1)

    @promise
    async def test_comments_at_the_same_moment_are_all_counted(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id)
        await asyncio.gather(*(commented(world, post.id, account_id) for _ in range(20)))
        assert await counts(world, post.id) == (0, 20)


class LikesContract(StorageContract):
    @promise
    async def test_an_account_likes_a_post_once(self, world: World) -> None:
        account_id, now = await world.account(), world.clock.now_ms()
        post = await posted(world, account_id)
        for _ in range(2):
            assert await world.storage.forum.like(post.id, account_id, True, now)
            assert await counts(world, post.id) == (1, 0)
        for _ in range(2):
            assert await world.storage.forum.like(post.id, account_id, False, now)
            assert await counts(world, post.id) == (0, 0)

    @promise
    async def test_an_unknown_post_is_not_liked(self, world: World) -> None:
        account_id, now = await world.account(), world.clock.now_ms()
        for liked in (True, False):
            assert not await world.storage.forum.like(world.ids.uuid(), account_id, liked, now)

    @promise
    async def test_likes_at_the_same_moment_count_once_for_an_account(self, world: World) -> None:
        accounts, now = [await world.account() for _ in range(10)], world.clock.now_ms()
        post = await posted(world, accounts[0])
        likes = [world.storage.forum.like(post.id, account_id, True, now) for account_id in accounts * 3]
        assert all(await asyncio.gather(*likes))
        assert await counts(world, post.id) == (10, 0)


class ReceiptsContract(StorageContract):
    """Posts and comments under an idempotency key."""

    @staticmethod
    def receipt(world: World, account_id: str, key: str, fingerprint: str = "f" * 64) -> NewCall:
        """A receipt for a post."""
        return world.call(account_id, "forum_create_post", key=key, fingerprint=fingerprint)

    @promise
    async def test_the_same_post_again_is_the_same_post(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        post, again = post_of(world, account_id), post_of(world, account_id)
        receipt = self.receipt(world, account_id, "k1")
        assert await forum.add_post(post, receipt, "first") == Stored(post.id)
        second = await forum.add_post(again, self.receipt(world, account_id, "k1"), "second")
        assert second == Captured(receipt.id, "first", False)
        assert len(await forum.posts(0, 50, None, None)) == 1

    @promise
    async def test_the_key_of_another_post_is_refused(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        receipt = self.receipt(world, account_id, "k1")
        await forum.add_post(post_of(world, account_id), receipt, "first")
        other = self.receipt(world, account_id, "k1", "0" * 64)
        assert await forum.add_post(post_of(world, account_id), other, "second") == Reused(receipt.id)
        assert len(await forum.posts(0, 50, None, None)) == 1

    @promise
    async def test_a_comment_has_a_receipt_too(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        post = await posted(world, account_id)
        receipt = self.receipt(world, account_id, "k1")
        comment = comment_of(world, post.id, account_id)
        assert await forum.add_comment(comment, receipt, "first") == Stored(comment.id)
        again = await forum.add_comment(
            comment_of(world, post.id, account_id), self.receipt(world, account_id, "k1"), "second"
        )
        assert again == Captured(receipt.id, "first", False)
        assert await counts(world, post.id) == (0, 1)

    @promise
    async def test_without_a_post_there_is_no_receipt(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        receipt = self.receipt(world, account_id, "k1")
        assert (
            await forum.add_comment(comment_of(world, world.ids.uuid(), account_id), receipt, "first") is None
        )
        post = post_of(world, account_id)
        other = self.receipt(world, account_id, "k1", "0" * 64)
        assert await forum.add_post(post, other, "{}") == Stored(post.id)

    @promise
    async def test_a_paid_call_and_a_post_do_not_share_a_key(self, world: World) -> None:
        account_id, forum = await world.account(25), world.storage.forum
        call = await world.captured(account_id, key="k1")
        receipt = self.receipt(world, account_id, "k1")
        assert await forum.add_post(post_of(world, account_id), receipt, "{}") == Reused(call.id)
        running = await world.admitted(account_id, key="k2")
        receipt = self.receipt(world, account_id, "k2")
        assert await forum.add_post(post_of(world, account_id), receipt, "{}") == Reused(running.id)
        receipt = self.receipt(world, account_id, "k3")
        await forum.add_post(post_of(world, account_id), receipt, "{}")
        assert await world.storage.ledger.peek(world.call(account_id, key="k3")) == Reused(receipt.id)

    @promise
    async def test_a_receipt_is_no_metered_call(self, world: World) -> None:
        account_id = await world.account(25)
        receipt = self.receipt(world, account_id, "k1")
        await world.storage.forum.add_post(post_of(world, account_id), receipt, "{}")
        assert await world.storage.ledger.history(account_id, 10) == []
        assert len(await world.storage.ledger.entries(account_id)) == 1
        assert await world.balance(account_id) == (25, 0)

    @promise
    async def test_a_receipt_is_forgotten_with_the_results_of_calls(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        await forum.add_post(post_of(world, account_id), self.receipt(world, account_id, "k1"), "{}")
        await self.passes(world, 100)
        await world.storage.ledger.purge(world.clock.now_ms())
        post = post_of(world, account_id)
        assert await forum.add_post(post, self.receipt(world, account_id, "k1"), "{}") == Stored(post.id)

    @promise
    async def test_one_key_20_times_at_once_is_one_post(self, world: World) -> None:
        account_id, forum = await world.account(), world.storage.forum
        answers = await asyncio.gather(
            *(
                forum.add_post(post_of(world, account_id), self.receipt(world, account_id, "k1"), "{}")
                for _ in range(20)
            )
        )
        assert sum(isinstance(answer, Stored) for answer in answers) == 1
        assert sum(isinstance(answer, Captured) for answer in answers) == 19
        assert len(await forum.posts(0, 50, None, None)) == 1


class ErasedAuthorContract(StorageContract):
    @promise
    async def test_posts_comments_and_likes_of_an_erased_account_are_gone(self, world: World) -> None:
        gone, stays = await world.account(), await world.account()
        forum, now = world.storage.forum, world.clock.now_ms()
        mine, other = await posted(world, gone), await posted(world, stays)
        await commented(world, other.id, gone)
        kept = await commented(world, other.id, stays)
        await commented(world, mine.id, stays)
        for account_id in (gone, stays):
            await forum.like(other.id, account_id, True, now)
        assert await counts(world, other.id) == (2, 2)
        await world.storage.accounts.erase(gone, ACTOR)
        assert await forum.post(mine.id) is None
        assert await forum.comments(other.id, 50) == [kept]
        assert await counts(world, other.id) == (1, 1)

    @promise
    async def test_what_an_erased_account_wrote_does_not_come_back_by_unhiding(self, world: World) -> None:
        account_id = await world.account()
        post = await posted(world, account_id, title="我的八字", content="秘密", author_display_name="李明")
        await world.storage.accounts.erase(account_id, ACTOR)
        await world.storage.forum.hide("post", post.id, False, "a mistake", ACTOR)
        told = repr(await world.storage.forum.post(post.id))
        assert not [text for text in ("我的八字", "秘密", "李明") if text in told]


class ForumStoreContract(
    PostsContract, CommentsContract, LikesContract, ReceiptsContract, ErasedAuthorContract
):
    """Every promise of `bazi_hub.ports.ForumStore`."""
