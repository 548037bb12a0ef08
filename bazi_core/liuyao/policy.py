"""LiuyaoPolicy: the judgements on which the books of 六爻 differ, frozen, stored in every result.

A policy decides verdicts; the facts are the same under every policy.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from bazi_core.errors import InvalidInput, UnknownOption, known, shown
from bazi_core.tables.sentences import Said

# Every choice with its values, the default first.
POLICIES: dict[str, tuple[str, ...]] = {
    # A static line that the day clashes: 暗动 or 日破 (增删卜易 ch. 18, 25; 黄金策).
    "an_dong": ("zs_strict", "zs_practice", "hjc_any"),
    # Where the 用神 is looked for when no line of the primary is it (增删卜易 ch. 35; 卜筮正宗).
    "yong_shen_absent": ("month_day_changed_hidden", "month_day_hidden", "changed_hidden"),
    # Whether void lines are classed as 真空 or 假空 (卜筮正宗), or left plainly void.
    "void_kind": ("zz", "raw"),
    "san_he": ("zs021",),
    "timing": ("zs032",),
    "sign_rule": ("sign_v1",),
}


@dataclass(frozen=True, slots=True)
class LiuyaoPolicy:
    """A set of choices.

    >>> LiuyaoPolicy(an_dong="hjc_any").to_dict()["an_dong"]
    'hjc_any'
    >>> LiuyaoPolicy(an_dong="any")
    Traceback (most recent call last):
    bazi_core.errors.UnknownOption: an_dong='any': choose zs_strict or zs_practice or hjc_any
    """

    an_dong: str = "zs_strict"
    yong_shen_absent: str = "month_day_changed_hidden"
    void_kind: str = "zz"
    san_he: str = "zs021"
    timing: str = "zs032"
    sign_rule: str = "sign_v1"

    def __post_init__(self) -> None:
        for name, allowed in POLICIES.items():
            known(name, getattr(self, name), allowed)

    @classmethod
    def of(cls, options: dict[str, Any]) -> LiuyaoPolicy:
        """The policy of these options; an unknown name is refused."""
        if not isinstance(options, dict):
            raise InvalidInput(Said("policy_form", given=shown(options)[:40]), given=shown(options)[:40])
        names = [field.name for field in fields(cls)]
        for name in options:
            if name not in names:
                raise UnknownOption(
                    Said("policy_unknown", name=shown(name)),
                    name=shown(name),
                    value=shown(options[name]),
                    allowed=names,
                )
        return cls(**options)

    def to_dict(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


DEFAULT = LiuyaoPolicy()
