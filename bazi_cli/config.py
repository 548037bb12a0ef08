"""Defaults that a user keeps: `config.toml` in the application directory, keys = long option names.

A flag beats the environment (`BAZI_<OPTION>`), which beats this file; `BAZI_CONFIG` names another file. An
unknown key is a usage error, because a misspelt key that is silently ignored makes another chart.
"""

from __future__ import annotations

import os
from typing import Any

import click

from bazi_core.tables.sentences import Said
from bazi_core.tables.words import config_path, configured


def path() -> str:
    """Path of the configuration file."""
    return config_path()


def values() -> dict[str, Any]:
    """The keys of the file with their values as command-line texts; empty without a file."""
    where = path()
    if not os.path.exists(where):
        if os.environ.get("BAZI_CONFIG"):
            raise click.UsageError(Said("config_missing", where=where))
        return {}
    from bazi_cli.options import parameter_names, takes_pairs

    try:
        content = configured(where)
    except (OSError, ValueError, RecursionError) as error:
        why = next((arg for arg in error.args if isinstance(arg, Said)), error)
        raise click.UsageError(Said("config_unreadable", path=where, why=why)) from None
    known = parameter_names()
    for key in content:
        if key not in known:
            raise click.UsageError(_unknown_key(where, key, list(known)))
    return {key: _typed(key, value, takes_pairs(known[key][0])) for key, value in content.items()}


def values_by_parameter() -> dict[str, Any]:
    """The values by parameter name, the form of click's defaults."""
    by_option = values()
    if not by_option:
        return {}
    from bazi_cli.options import parameter_names

    names = parameter_names()
    return {name: value for key, value in by_option.items() for name in names[key]}


def _typed(key: str, value: Any, pairs: bool) -> Any:
    """A value as command-line text, so that it is validated as on the command line; pairs may be a table."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict) and pairs:
        return {name: _typed(f"{key}.{name}", each, pairs=False) for name, each in value.items()}
    if isinstance(value, list | dict):
        row = "config_list" if isinstance(value, list) else "config_table"
        raise click.UsageError(Said(row, path=path(), key=key))
    return str(value)


def _unknown_key(where: str, key: str, known: list[str]) -> Said:
    from difflib import get_close_matches

    close = get_close_matches(key, known, 1)
    if close:
        return Said("config_key_but", where=where, key=key, close=close[0])
    return Said("config_key", where=where, key=key)
