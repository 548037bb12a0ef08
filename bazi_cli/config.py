"""Defaults that a user keeps: `config.toml` in the application directory, keys = long option names.

A flag beats the environment (`BAZI_<OPTION>`), which beats this file; `BAZI_CONFIG` names another file. An
unknown key is a usage error, because a misspelt key that is silently ignored makes another chart.
"""

from __future__ import annotations

import os
from typing import Any

import click


def path() -> str:
    """Where the file is looked for."""
    return os.environ.get("BAZI_CONFIG") or os.path.join(click.get_app_dir("bazi"), "config.toml")


def values() -> dict[str, Any]:
    """The keys of the file with their values as they would be typed; empty when there is no file."""
    where = path()
    if not os.path.exists(where):
        if os.environ.get("BAZI_CONFIG"):
            raise click.UsageError(f"BAZI_CONFIG names {where!r}, which does not exist")
        return {}
    import tomllib

    from bazi_cli.options import parameter_names, takes_pairs

    try:
        with open(where, "rb") as file:
            found = tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:
        raise click.UsageError(f"{where}: {error}") from None
    known = parameter_names()
    for key in found:
        if key not in known:
            raise click.UsageError(f"{where}: unknown key {key!r}{_close(key, list(known))}")
    return {key: _typed(key, value, takes_pairs(known[key])) for key, value in found.items()}


def values_by_parameter() -> dict[str, Any]:
    """The values by the name of the parameter that takes them, as click wants its defaults."""
    found = values()
    if not found:
        return {}
    from bazi_cli.options import parameter_names

    names = parameter_names()
    return {names[key]: value for key, value in found.items()}


def _typed(key: str, value: Any, pairs: bool) -> Any:
    """A value as it would be typed, so that what is wrong on the command line is wrong here; pairs may be a table."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict) and pairs:
        return {name: _typed(f"{key}.{name}", each, pairs=False) for name, each in value.items()}
    if isinstance(value, list | dict):
        kind = "list" if isinstance(value, list) else "table"
        raise click.UsageError(f"{path()}: {key} is one value, not a {kind}")
    return str(value)


def _close(key: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, known, 1)
    return f"; did you mean {close[0]!r}?" if close else "; keys are the long option names"
