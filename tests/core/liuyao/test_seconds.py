"""What a matter looks at beside its 用神 (`seconds.csv`): told by how its lines stand, on its side only while it acts."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core import liuyao as ly
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.statements.cast import cast_plan
from bazi_core.tables import rows
from tests.core.liuyao.casts import analysis, time_of, values
from tests.core.liuyao.test_sides import casts
from tests.sizes import sizes

ROWS = {row["key"]: row for row in rows("liuyao/seconds")}
WORDS = ("faint", "spent", "ready", "idle", "none")


def test_every_row_has_its_words_its_side_its_source_and_kinds_of_questions():
    for key, row in ROWS.items():
        assert {f"cast.second.{key}.{each}" for each in WORDS} | {f"cast.omen.second.{key}"} <= {*catalogue()}
        assert row["side"] in ("for", "against")
        assert {*row["kinds"].split()} <= {*ly.QUESTION_TYPES}
        assert row["source"]


@sizes(300, 6000)
def test_what_is_looked_at_beside_the_subject_speaks_on_its_side_only_while_it_acts_with_force(count):
    seen: Counter[tuple[str, str]] = Counter()
    for found in casts(count, 81):
        plan = cast_plan(found)
        acting = {
            (part.key.removeprefix("cast.omen.second."), each.side)
            for each in plan.statements if each.key.startswith("cast.omens.")
            for part in each.values["omens"].members if part.key.startswith("cast.omen.second.")
        }  # fmt: skip
        told = [each for each in plan.statements if each.key.startswith("cast.second.")]
        for key, side in acting:
            row = ROWS[key]
            assert row["side"] == side
            assert found.question_type in row["kinds"].split()
            those = [line for line in found.lines if line.relation == row["relative"]]
            assert "acts" in {found.standings[line.position - 1].kind for line in those}
            seen[key, "acts"] += 1
        for each in told:
            _, _, key, kind = each.key.split(".")
            assert found.question_type in ROWS[key]["kinds"].split()
            assert each.side == "neither"
            assert key not in {name for name, _ in acting}
            assert ROWS[key]["relative"] != found.subject.target
            seen[key, kind] += 1
    assert {key for key, _ in seen} == {*ROWS}
    assert {kind for _, kind in seen} == {*WORDS, "acts"}


def test_an_illness_that_is_on_no_line_is_told_as_that():
    # 山雷颐 has neither 官鬼 nor 子孙 on its lines.
    keys = [each.key for each in cast_plan(analysis("颐", ask="疾病")).statements]
    assert {"cast.second.illness.none", "cast.second.medicine.none"} <= {*keys}


@pytest.mark.parametrize("kind", ["婚姻", "感情"])
def test_both_stars_are_told_where_nothing_says_who_asks(kind):
    seen: Counter[str] = Counter()
    for number in range(0, 4096, 61):
        month, day = time_of(number)
        board = ly.derive(values(number), month_branch=month, day=day)
        question = {"婚姻": "今年能结婚吗", "感情": "我们还能复合吗"}[kind]
        asked = board.analyze(question=question)
        told = next(each for each in cast_plan(asked).statements if each.key == "cast.asked.either")
        assert (told.values["man"].hanzi, told.values["woman"].hanzi) == ("妻财", "官鬼")
        for name, relative in (("his", "妻财"), ("hers", "官鬼")):
            kind_told = told.values[name].key.removeprefix("cast.fares.")
            stands = [
                asked.standings[n].kind for n, line in enumerate(asked.lines) if line.relation == relative
            ]
            assert kind_told in stands if stands else kind_told == "hidden"
            seen[kind_told] += 1
        for asker, star in (("male", "妻财"), ("female", "官鬼")):
            known = board.analyze(question=question, asker=asker)
            assert known.subject.target == star
            assert "cast.asked.either" not in {each.key for each in cast_plan(known).statements}
    assert {*seen} == {"acts", "faint", "spent", "ready", "idle", "hidden"}
