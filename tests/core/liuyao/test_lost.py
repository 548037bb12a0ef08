"""What is lost decides which line stands for it; the place, whoever gave it and what was done then do not."""

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.matters import matter_of


@pytest.mark.parametrize(
    ("asked", "relative"),
    [
        ("金镯子可能掉在出租车上了，还能找回来吗？", "妻财"),
        ("前天把奶奶留给我的金镯子弄丢了，还能找回来吗", "妻财"),
        ("金镯子掉在家里了，家里都翻遍了，还能找回来吗", "妻财"),
        ("奶奶留給我的鐲子掉了，能找回來嗎", "妻财"),
        ("遛狗的时候把钥匙弄丢了，找得到吗", "妻财"),
        ("护照掉在网约车上了还能拿回来吗", "父母"),
        ("錢包裡的身份證丟了能找到嗎", "父母"),
        ("电动车不见了，找得回吗", "父母"),
        ("我家猫跑丢了能找到吗", "子孙"),
        ("I think I dropped my gold bracelet in a taxi, will I get it back?", "妻财"),
        ("Lost my passport walking the dog, will I find it?", "父母"),
        ("My bike was stolen from outside the shop. Will I get it back?", "父母"),
        ("My dog got out through the car park, will she come home?", "子孙"),
    ],
)
def test_the_thing_that_is_lost_says_which_line_stands_for_it(asked, relative):
    found = ly.derive("787968", "2026-11-21T09:10:00+08:00").analyze(question=asked)
    assert (found.question_type, found.yongshen.targets) == ("失物", (relative,))


def test_an_animal_in_the_background_is_not_what_is_found():
    assert matter_of("遛狗的时候把钥匙弄丢了，找得到吗", "失物").name == "thing_found"
    assert matter_of("我家猫跑丢了能找到吗", "失物").name == "pet_found"
