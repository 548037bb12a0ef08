"""LiuyaoPolicy: closed choices, frozen, the default first."""

import pickle
from dataclasses import FrozenInstanceError, fields
from itertools import product

import pytest

from bazi_core.errors import InvalidInput, UnknownOption, known
from bazi_core.liuyao.policy import DEFAULT, POLICIES, LiuyaoPolicy
from tests.core.liuyao.casts import board
from tests.tables import holds_for_all


def test_the_default_is_the_first_of_every_choice():
    assert DEFAULT.to_dict() == {name: values[0] for name, values in POLICIES.items()}
    assert LiuyaoPolicy() == DEFAULT
    assert [field.name for field in fields(LiuyaoPolicy)] == [*POLICIES]


@holds_for_all("name, value", [(name, value) for name, values in POLICIES.items() for value in values])
def test_every_value_is_accepted_and_stored_in_the_result(name, value):
    policy = LiuyaoPolicy.of({name: value})
    assert getattr(policy, name) == value
    found = board("既济", 3, **{name: value}).analyze().to_dict(facts=False)["policies"]
    assert {key: found[key] for key in POLICIES} == policy.to_dict()


@holds_for_all("name, bad", product(POLICIES, ["", "no", None, 1, True, [], "\ud800", "x" * 10**6]))
def test_any_other_value_is_refused(name, bad):
    with pytest.raises(UnknownOption) as caught:
        LiuyaoPolicy(**{name: bad})
    assert caught.value.data["name"] == name
    assert caught.value.data["allowed"] == [*POLICIES[name]]
    assert (caught.value.code, caught.value.exit_status) == ("UNKNOWN_OPTION", 4)
    assert len(caught.value.message) < 200


def test_an_unknown_name_is_refused_with_the_names_there_are():
    with pytest.raises(UnknownOption) as caught:
        LiuyaoPolicy.of({"andong": "zs_strict"})
    assert caught.value.data["allowed"] == [*POLICIES]
    for bad in (None, 5, [], "an_dong"):
        with pytest.raises(InvalidInput):
            LiuyaoPolicy.of(bad)


def test_a_policy_is_a_value():
    one = LiuyaoPolicy(an_dong="hjc_any")
    assert one == LiuyaoPolicy.of(one.to_dict())
    assert hash(one) == hash(LiuyaoPolicy(an_dong="hjc_any"))
    assert pickle.loads(pickle.dumps(one)) == one
    assert eval(repr(one)) == one
    with pytest.raises(FrozenInstanceError):
        one.an_dong = "zs_strict"  # type: ignore[misc]


def test_a_policy_changes_verdicts_and_never_facts():
    facts = (
        "branch", "element", "monthState", "month", "day", "xunKong", "yuePo", "riChong", "dayStage",
        "residual",
    )  # fmt: skip
    boards = [
        board("既济", 3, an_dong=an_dong, void_kind=void, yong_shen_absent=absent)
        .analyze("财运")
        .to_dict(facts=False)
        for an_dong in POLICIES["an_dong"]
        for void in POLICIES["void_kind"]
        for absent in POLICIES["yong_shen_absent"]
    ]
    assert len({repr([[line[key] for key in facts] for line in made["lines"]]) for made in boards}) == 1
    assert len({repr(made["hidden"]) for made in boards}) == 1
    assert len({repr([line["anDong"] for line in made["lines"]]) for made in boards}) == 2


def test_known_says_what_may_be_chosen():
    assert known("leap", "same", ("same", "next")) == "same"
    with pytest.raises(UnknownOption, match="choose same or next"):
        known("leap", "other", ("same", "next"))
