"""Click's usage errors as sentences of the table of errors.

Click words its errors in English. The English column of the rows whose key begins with `click.` holds these words, so a
row is also the pattern that matches a sentence; a sentence without a row stays as it is.
"""

from __future__ import annotations

import re
from functools import cache

import click

from bazi_core.tables import rows
from bazi_core.tables.sentences import Listed, Said

# A row needs the ends of a message only, and no row is longer than this.
_ENDS = 300


def usage(error: click.ClickException) -> str:
    """The sentence of a usage error.

    >>> usage(click.NoSuchOption("--gendr", possibilities=["--gender"])).text("zh-Hans")
    '没有“--gendr”这个选项；是否指 --gender？'
    >>> usage(click.UsageError("Got unexpected extra argument (x)")).text("zh-Hant")
    '多出的參數：x'
    """
    if isinstance(error, click.NoSuchOption):
        return _unknown("click.no_option", error.option_name, error.possibilities)
    if isinstance(error.message, Said) and not isinstance(error, click.BadParameter):
        return error.message
    if isinstance(error, click.MissingParameter) and error.param is not None:
        row = "click.no_argument" if error.param.param_type_name == "argument" else "click.no_needed_option"
        return Said(row, name=_plain("name", error.param.get_error_hint(error.ctx)))
    if isinstance(error, click.BadParameter):
        return _invalid(error)
    return _recognised(error.format_message())


def unknown_command(name: str, known: list[str]) -> Said:
    """The error for an unknown command, with similar names."""
    from difflib import get_close_matches

    return _unknown("click.no_command", name, get_close_matches(name[:50], known))


def _unknown(key: str, name: str, close: list[str] | None) -> Said:
    if not close:
        return Said(key, name=_ends(name))
    return Said(f"{key}_but", name=_ends(name), close=Listed(close, " or "))


def _invalid(error: click.BadParameter) -> str:
    why = error.message if isinstance(error.message, Said) else _recognised(error.message)
    if error.param_hint is not None:
        name = error.param_hint if isinstance(error.param_hint, str) else " / ".join(error.param_hint)
    elif error.param is not None:
        name = error.param.get_error_hint(error.ctx)
    else:
        return why
    return Said("click.invalid", name=_plain("name", name), why=why)


def _recognised(message: str) -> str:
    message = _ends(message)
    for key, pattern in _patterns():
        if match := pattern.fullmatch(message):
            return Said(key, **{name: _plain(name, value) for name, value in match.groupdict().items()})
    return message


def _plain(slot: str, value: str) -> str:
    """Names of options and choices without click's quotes; user input keeps its quotes."""
    return value.replace("'", "") if slot in ("name", "choices", "close") else value


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}…{text[-_ENDS:]}"


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (row["key"], _pattern(row["en"])) for row in rows("errors") if row["key"].startswith("click.")
    )


def _pattern(sentence: str) -> re.Pattern[str]:
    """The pattern of a sentence with slots; a quoted slot matches the text between quotes."""
    parts = re.split(r"\{(\w+)(!r)?\}", sentence)
    written = [re.escape(parts[0])]
    for name, quoted, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        group = f"(?P<{name}>.*)"
        written += [f"""['"]{group}['"]""" if quoted else group, re.escape(after)]
    return re.compile("".join(written), re.DOTALL)
