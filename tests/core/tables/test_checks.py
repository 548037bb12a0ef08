"""Tables are held against what is known of them as they are read: a row that says anything else is told as a defect."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from bazi_core.liuyao.yongshen import merits
from bazi_core.pattern.diagnosis import diagnosis_rows
from bazi_core.pattern.dynamic_rules import dynamic_rules
from bazi_core.questions.classes import _words
from bazi_core.tables import rows
from bazi_core.views.resolution import meetings

READERS: dict[str, Any] = {
    "resolutions": meetings, "diagnosis": diagnosis_rows, "liuyao/merits": merits, "question_words": _words,
    "dynamics": dynamic_rules, "dynamic_exceptions": dynamic_rules,
}  # fmt: skip
# table, place of the row, what it says instead, how the defect is told
DEFECTS = [
    ("resolutions", 0, {"joining": "三会 三和"}, "三和 is no relation"),
    ("resolutions", 1, {"breaking": "月份六冲"}, "月份六冲 is no relation"),
    ("resolutions", 1, {"as_near": "成立 化去"}, "化去 is no outcome"),
    ("resolutions", 1, {"as_near": "成立"}, "have two outcomes, not 1"),
    ("resolutions", 1, {"bound": "once twice"}, "twice is no bond"),
    ("resolutions", 1, {"joining": "三合"}, "三合 六冲 stands twice"),
    ("diagnosis", 0, {"condition": "不见"}, "不见 is no condition"),
    ("diagnosis", 2, {"illness": "attackers"}, "attackers is no illness"),
    ("diagnosis", 2, {"illness": "binder"}, "the illness of 受克 is not the binder"),
    ("diagnosis", 2, {"remedy": "制 冶"}, "冶 is no cure"),
    ("diagnosis", 2, {"remedy": ""}, "nothing is no cure"),
    ("diagnosis", 1, {"key": "absent"}, "absent stands twice"),
    ("diagnosis", 1, {"condition": "不现"}, "不现 stands twice"),
    ("diagnosis", 0, {"key": "missing"}, "absent is no key"),
    ("diagnosis", -1, {"condition": "病重"}, "病重 stands twice"),
    ("diagnosis", -1, {"condition": "无"}, "无 is no last condition"),
    ("liuyao/merits", 0, {"merit": "旺"}, "旺 is no merit"),
    ("liuyao/merits", 1, {"merit": "旺相"}, "旺相 stands twice"),
    ("question_words", 0, {"class": "spare"}, "spare is no class of question"),
    ("question_words", 4, {"zh": "", "en": ""}, "a row of person has no words"),
    ("dynamics", 0, {"direction": "好"}, "好 is no direction"),
    ("dynamics", 0, {"bears_on": "食神"}, "食神 is no class"),
    ("dynamics", 1, {"name": "食神生财"}, "食神生财 stands twice"),
    ("dynamic_exceptions", 0, {"name": "伤官见管"}, "伤官见管 is no dynamic"),
    ("dynamic_exceptions", 2, {"condition": "重 食伤"}, "枭神夺食 重 食伤 stands twice"),
]


def read(monkeypatch: pytest.MonkeyPatch, table: str, told: list[dict[str, str]]) -> Any:
    """What the reader of a table makes of it with these rows."""
    reader = READERS[table]
    monkeypatch.setattr(
        sys.modules[reader.__module__], "rows", lambda name: tuple(told) if name == table else rows(name)
    )
    return reader.__wrapped__()


@pytest.mark.parametrize(
    ("table", "at", "said", "told"), DEFECTS, ids=[f"{row[0]}: {row[3]}" for row in DEFECTS]
)
def test_a_row_that_says_what_nobody_knows_is_told_as_a_defect(monkeypatch, table, at, said, told):
    changed = [dict(row) for row in rows(table)]
    changed[at] |= said
    with pytest.raises(ValueError, match=f"{table}.*{told}"):
        read(monkeypatch, table, changed)


@pytest.mark.parametrize("table", READERS)
def test_the_tables_themselves_say_what_is_known(monkeypatch, table):
    assert read(monkeypatch, table, [*rows(table)])


@pytest.mark.parametrize("table", ["resolutions", "liuyao/merits", "dynamic_exceptions"])
def test_a_row_told_twice_is_told_as_a_defect(monkeypatch, table):
    with pytest.raises(ValueError, match="stands twice"):
        read(monkeypatch, table, [*rows(table), rows(table)[0]])
