"""Relations between the pillars against what most of four programs say, that share no code with this library."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core.pillars import FourPillars
from bazi_core.school import School
from bazi_core.views.relations import relations
from bazi_core.views.resolution import Relation
from tests.golden.questions import rows

ZH = {"year": "年", "month": "月", "day": "日", "hour": "时"}
# The four programs disagree here, or do not ask: 干克 is reported by one, 拱合 is called 半合 by some, of pairs of
# hidden combination there are three or six; whole pillars and single ones are not among their questions.
NOT_ASKED = {"干克", "拱合", "盖头", "截脚", "伏吟", "天克地冲"}
Key = tuple[str, str]


@pytest.fixture(scope="module")
def charts():
    return rows("j_relations")


def ours(row, school=None) -> dict[Key, Relation]:
    found = relations(FourPillars.parse(row["inputs"]["pillars"]), school or School())
    return {(each.type, "".join(ZH[where] for where, _ in each.members)): each for each in found}


def theirs(row) -> dict[Key, dict]:
    return {(each["relation"], each["pillars"]): each for each in row["expected"]["relations"]}


def test_every_relation_of_the_majority_is_found_in_all_charts(charts):
    assert len(charts) == 300
    assert sum(len(theirs(row)) for row in charts) == 1514
    assert not [(row["id"], key) for row in charts for key in theirs(row).keys() - ours(row).keys()]


def test_every_further_relation_is_of_a_kind_that_was_not_asked(charts):
    further = Counter(key[0] for row in charts for key in ours(row).keys() - theirs(row).keys())
    assert set(further) <= NOT_ASKED
    assert sum(further.values()) > 500


def test_the_element_formed_is_that_of_the_majority_but_for_the_disputed_pair(charts):
    for row in charts:
        found = ours(row)
        for key, said in theirs(row).items():
            if "element" in said and {*said["chars"]} != {*"午未"}:
                assert found[key].element is not None
                assert found[key].element.value == said["element"], (row["id"], key)


def test_pairs_on_which_the_programs_are_split_are_choices_of_the_school(charts):
    six = School(anhe="six_pairs")
    for row in charts:
        wide = ours(row, six)
        for said in row["contested"]:
            kind = "拱合" if said["relation"] == "半合" else said["relation"]
            assert (kind, said["pillars"]) in wide, (row["id"], said)
