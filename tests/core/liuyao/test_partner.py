"""Who stands opposite in love, by the word by which the question calls a partner."""

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.matters import matter_of
from bazi_core.speech.statements.cast import cast_plan


@pytest.mark.parametrize(
    "asked",
    [
        "我先生对我还有感情吗",
        "我和我先生的婚姻還能維持嗎",
        "My husband and I are separated, will we reconcile?",
        "Will my boyfriend come back to me?",
    ],
)
def test_a_partner_who_is_named_leaves_no_doubt_who_asks(asked):
    found = ly.derive("787968", "2026-11-21T09:10:00+08:00").analyze(question=asked)
    assert found.yongshen.targets == ("官鬼",)
    assert not any(each.key == "cast.asked.either" for each in cast_plan(found).statements)


def test_in_a_home_that_is_shared_the_other_is_whoever_shares_it():
    assert matter_of("Should I move in with my boyfriend when my lease is up?", "家宅").party == "other"
    assert matter_of("房东涨租要不要搬", "房产").party == "landlord"
    assert matter_of("Should I accept an offer of 380k for the house?", "房产").party == "buyer"
