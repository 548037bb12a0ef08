"""Which words stay Chinese, and what is said to whom needs help."""

from __future__ import annotations

import pytest

from bazi_hub.ports import days
from tests.hub.divination.runworld import PAYLOAD, THREAD, Model, Web, body, in_web

TERMS = ("世爻", "应爻", "动爻", "静爻", "六亲", "六神", "伏神", "月建", "日辰", "月破", "日冲", "空亡")
CASTS = [
    PAYLOAD["yaoLines"],
    ["老阳", "少阴", "少阴", "少阳", "少阳", "少阴"],
    ["少阳"] * 6,
    ["老阴", "老阳", "少阳", "少阴", "老阴", "少阳"],
]


@pytest.mark.parametrize("lines", CASTS)
@in_web
async def test_terms_of_the_art_that_a_chinese_answer_has_stand_in_the_english_one(
    web: Web, lines: list[str]
) -> None:
    """D21."""
    found: dict[str, set[str]] = {}
    for language in ("zh-Hans", "en"):
        value = body(run=language, payload=PAYLOAD | {"yaoLines": lines}, ai_language=language)
        assert (await web.submit(value)).status == 202
        await web.settled(run=language)
        output = (await web.history())["messages"][0]["agent_output"]
        assert output["language"] == language
        parts = (output["conclusion"], output["focus_points"], output["advice"], output["keywords"])
        text = output["answer"] + "".join("".join(part) for part in parts)
        found[language] = {term for term in TERMS if term in text}
    assert {"世爻", "应爻"} <= found["zh-Hans"] <= found["en"]


@in_web(reader=Model)
async def test_somebody_in_distress_is_neither_charged_nor_counted_and_asks_no_model(web: Web) -> None:
    await web.submit(body(payload=PAYLOAD | {"question": "我不想活了，该怎么办？"}))
    ended = await web.settled()
    assert (ended["status"], ended["credits_deducted"]) == ("succeeded", 0)
    output = (await web.history(f"?threadId={THREAD}"))["messages"][0]["agent_output"]
    assert output["status"] == "declined"
    assert "sign_level" not in output
    assert [output[part] for part in ("conclusion", "focus_points", "advice", "keywords")] == [[], [], [], []]
    assert output["answer"]
    assert web.reader.asked == []
    assert await web.money() == (1000, 0)
    assert await web.storage.ledger.uncharged(web.accounts["me"], days(web.clock.now_ms())) == 0
