"""What a question looks up on the board by a term of the craft is told before the verdict, as the board has it."""

from __future__ import annotations

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.emergence import emergence
from bazi_core.liuyao.looked_up import looked_up
from bazi_core.speech.speaker import Speaker
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables import rows

# 雷山小过 turns into 山风蛊 on the day 癸巳 in the month of 亥; 午 and 未 are void.
BOARD = ly.derive("867986", month_branch="亥", day="癸巳")
# 乾为天 turns into 震为雷: 伏吟 within and without.
SAME = ly.derive("799799", month_branch="午", day="甲子")


def told(question: str, chart: ly.LiuyaoChart = BOARD, lang: str = "zh-Hans") -> str:
    """The first sentence of the answer."""
    plan = cast_plan(chart.analyze(question=question))
    sections = Speaker(lang, plan.digest).reading(plan).sections
    return next(each for each in sections if each.key == "answer").sentences[0].text


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        ("妻财伏神得不得出？求财", "伏在二爻之下的妻财丁卯木得出"),
        ("父母伏藏得不得出，问合同", "上爻父母庚戌土明现在卦上"),
        ("这卦是不是反吟", "不是反吟，也不是伏吟"),
        ("求职，官鬼月破，怎么办", "四爻官鬼庚午火不逢月破"),
        ("用神真空还是假空？问工作", "四爻官鬼庚午火落旬空，但自己发动"),
        ("二爻是暗动还是日破？问感情", "二爻官鬼丙午火自己发动"),
        ("世应关系怎么样？问合作", "世在四爻庚午火，应在初爻丙辰土：世生应"),
        ("三合局成不成？问生意", "寅午戌的火局还缺寅"),
        ("是不是贪生忘克？问求财", "谈不上贪生忘克"),
        ("財爻持世，這單生意成嗎", "持世的是四爻官鬼庚午火"),
        ("原神动不动？问升职", "原神属木，不在六爻上"),
        ("哪个爻动", "动的是二爻、四爻、上爻"),
    ],
)
def test_what_is_looked_up_is_told_first(question, beginning):
    assert told(question).startswith(beginning)


def test_a_claim_that_holds_is_told_as_one():
    assert told("是不是伏吟", SAME).startswith("是伏吟")


def test_nothing_is_looked_up_where_no_term_is_named():
    assert [
        looked_up(each) for each in ("六合彩买几号", "面试会不会落空", "Will I get paid?", "世界杯谁赢")
    ] == [()] * 4


def test_nothing_is_looked_up_of_what_no_cast_judges():
    assert "月破" not in told("用神月破，肺上有结节，是不是癌")


def test_a_hidden_line_that_is_fed_comes_out_and_one_without_strength_does_not():
    found = BOARD.analyze()
    fed = emergence(found.hidden[0], found.lines, found.standings)
    assert (found.hidden[0].relation, fed.comes_out, fed.lets_out[0]) == ("妻财", True, "prosperous")
    late = ly.derive("867986", month_branch="酉", day="辛酉").analyze()
    spent = emergence(late.hidden[0], late.lines, late.standings)
    assert not spent.comes_out
    assert "weak" in spent.keeps_in


def test_every_row_has_its_chapter():
    assert all(
        "·" in row["source"] for table in ("liuyao/looked_up", "liuyao/emerges") for row in rows(table)
    )
