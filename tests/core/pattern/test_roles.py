"""忌神, 仇神, 闲神: by cause, the same for like charts, and told with the cause."""

from __future__ import annotations

from itertools import permutations

import pytest

from bazi_core.pattern.result import PatternResult
from bazi_core.pattern.roles import AGAINST_STRONG, AGAINST_WEAK, CAUSES, Chosen, by_cause, told_cause
from bazi_core.structures.classes import OFFICER, OUTPUT, PEER, RESOURCE, WEALTH
from bazi_core.views.strength import class_of
from tests.core.pattern.test_dynamics import any_results
from tests.sizes import both


@pytest.fixture(scope="module", params=both(150, 3000))
def drawn(request: pytest.FixtureRequest) -> list[PatternResult]:
    return [one for one in any_results(request.param, 78) if one.special is None]


@pytest.mark.parametrize(
    ("use", "joy", "is_strong", "others"),
    [
        # 身弱用印: 财破印为忌, 官杀克比劫为仇; 身弱用比劫: 官杀为忌, 财生官而破印.
        (RESOURCE, PEER, False, (OUTPUT, OFFICER, WEALTH)),
        (PEER, RESOURCE, False, (OUTPUT, WEALTH, OFFICER)),
        # 身强用食伤: 枭夺食为忌, 比劫夺财为仇; 用财: 比劫为忌, 印生之; 用官: 伤官见官为忌.
        (OUTPUT, WEALTH, True, (OFFICER, PEER, RESOURCE)),
        (WEALTH, OUTPUT, True, (OFFICER, RESOURCE, PEER)),
        (OFFICER, WEALTH, True, (RESOURCE, PEER, OUTPUT)),
        # 喜神 that controls the 用神: what goes against the day master and controls the 喜神 is 忌神.
        (OFFICER, OUTPUT, True, (WEALTH, PEER, RESOURCE)),
    ],
)
def test_the_roles_of_the_three_that_are_left(use, joy, is_strong, others):
    assert by_cause(use, joy, is_strong) == others


@pytest.mark.parametrize("is_strong", [True, False])
@pytest.mark.parametrize(("use", "joy"), [*permutations(range(5), 2)])
def test_what_controls_the_useful_god_is_the_harmful_one_unless_it_is_wanted(use, joy, is_strong):
    idle, foe, shun = by_cause(use, joy, is_strong)
    assert {use, joy, idle, foe, shun} == set(range(5))
    controls_use = (use + 3) % 5
    assert shun == controls_use or joy == controls_use
    against = AGAINST_STRONG if is_strong else AGAINST_WEAK
    assert idle not in against or foe in against


@pytest.mark.parametrize("is_strong", [True, False])
@pytest.mark.parametrize(("use", "joy"), [*permutations(range(5), 2)])
def test_the_cause_that_is_told_of_a_role_truly_holds(use, joy, is_strong):
    _, foe, shun = by_cause(use, joy, is_strong)
    for role, k, chosen in (
        ("忌神", shun, Chosen(use, joy, is_strong)),
        ("仇神", foe, Chosen(use, joy, is_strong, shun)),
    ):
        cause = told_cause(role, k, chosen)
        assert cause is not None
        assert CAUSES[cause](k, chosen)
        assert not (is_strong and k in AGAINST_WEAK and cause == "逆身")


def test_charts_of_like_strength_and_useful_gods_have_like_roles(drawn):
    found: dict[tuple[int, int, bool], set[tuple[int, ...]]] = {}
    for one in drawn:
        use, joy, *others = (class_of(one.pillars.day.stem, each) for each in one.useful.order)
        found.setdefault((use, joy, one.strength.is_strong), set()).add(tuple(others))
    assert len(found) > 8
    assert all(len(each) == 1 for each in found.values())


def test_the_fact_of_a_role_by_cause_rests_on_those_that_the_methods_chose(drawn):
    for one in drawn[::10]:
        for name in ("neutral", "adverse", "harmful"):
            assert one.facts[f"yong.{name}"].derives_from == ("yong.primary", "yong.secondary", "str.verdict")
