"""Which language to speak: what was asked for, else what the locale says, else simplified Chinese."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bazi_core.tables.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRADITIONAL = ("zh_tw", "zh_hk", "zh_mo", "zh_hant")


def language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language of text: as asked, else of the first of LC_ALL, LC_MESSAGES, LANG that is set.

    >>> language(None, {"LANG": "zh_TW.UTF-8"}), language(None, {"LC_ALL": "C", "LANG": "en_US"})
    ('zh-Hant', 'zh-Hans')
    """
    # Something else can only come from an environment that is just being refused.
    if asked in LANGUAGES:
        return asked
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    locale = locale.lower().replace("-", "_")
    if locale.startswith(_TRADITIONAL):
        return "zh-Hant"
    return "en" if locale.partition("_")[0].partition(".")[0] == "en" else "zh-Hans"
