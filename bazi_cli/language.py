"""The language of output: that of the options, else that of the locale."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bazi_core.tables.words import LANGUAGES, named_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def language(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language of text: as asked, else of the first of LC_ALL, LC_MESSAGES, LANG that is set.

    English where the locale is not Chinese: where it names another language, or none (`C`).

    >>> language(None, {"LANG": "zh_TW.UTF-8"}), language(None, {"LC_ALL": "C.UTF-8", "LANG": "zh_CN"})
    ('zh-Hant', 'en')
    >>> language(None, {"LANG": "fr_FR.UTF-8"})
    'en'
    """
    # Something else can only come from an environment that is just being refused.
    if asked in LANGUAGES:
        return asked
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    return named_language(locale) or "en"


def stated(args: Sequence[str], flags: Sequence[str], variable: str) -> str | None:
    """The value of an option on the line or in the environment, found even if the line cannot be parsed."""
    for at, each in reversed([*enumerate(args)]):
        flag, equals, value = each.partition("=")
        if flag in flags:
            value = value if equals else (args[at + 1] if at + 1 < len(args) else "")
        elif len(flags[0]) == 2 and each.startswith(flags[0]):
            value = each[2:]
        else:
            continue
        return value
    return os.environ.get(variable) or _configured(variable)


def _configured(variable: str) -> str | None:
    from click import UsageError

    from bazi_cli import config

    try:
        value = config.values().get(variable.removeprefix("BAZI_").lower())
    except UsageError:
        return None
    return value if isinstance(value, str) else None
