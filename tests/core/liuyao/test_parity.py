"""The same question in three ways of writing is of one kind, looks at one line and gets one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.matters import matter_of
from bazi_core.speech.statements.cast import leaning
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import time_of, values


def _same() -> list[dict[str, str]]:
    lines = Path(__file__).with_name("parity.tsv").read_text(encoding="utf-8").splitlines()
    names, *cells = [line.split("\t") for line in lines if not line.startswith("#")]
    return [dict(zip(names, each, strict=True)) for each in cells]


SAME = _same()


@pytest.mark.parametrize("row", SAME, ids=[row["en"] for row in SAME])
def test_one_question_is_one_question_however_it_is_written(row):
    for number in (57, 1234, 3003):
        month, day = time_of(number)
        chart = ly.derive(values(number), month_branch=month, day=day)
        found = [chart.analyze(question=row[language]) for language in LANGUAGES]
        matters = [matter_of(each.question, each.question_type).name for each in found]
        asked = [
            (each.question_type, each.subject.target, matter)
            for each, matter in zip(found, matters, strict=True)
        ]
        assert asked == [(row["kind"], row["target"], row["matter"])] * 3
        assert len({(leaning(each).name, each.treats, each.withheld) for each in found}) == 1


def test_the_table_holds_questions_of_many_kinds():
    assert len(SAME) >= 40
    assert len({row["kind"] for row in SAME}) >= 18
