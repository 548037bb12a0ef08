"""The example notebooks: `python -m tests.examples.notebooks` runs them anew and keeps what they show.

Kept are texts, pictures and tables as they are shown; what changes from run to run (numbers of runs, times) is left out.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))
# Of what a cell may show several ways, the one that is kept beside the text.
SHOWN = ("text/plain", "image/svg+xml", "text/html")


def read(name: str) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    return notebook


def executed(name: str) -> dict[str, Any]:
    """The notebook after a run in a fresh kernel and an empty folder, without language or configuration around it."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(FOLDER / name, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("BAZI_", "LC_", "LANG"))
        }
        settings = {
            **kept,
            "BAZI_CONFIG": os.path.join(folder, "none.toml"),
            "PYTHONPATH": str(FOLDER.parents[1]),
        }
        client = NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env=settings)
    return tidy(json.loads(nbformat.writes(notebook)))


def tidy(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook without what differs from run to run."""
    notebook["metadata"] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook["cells"]):
        cell["id"], cell["metadata"] = f"cell-{number}", {}
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = [_output(each) for each in cell["outputs"]]
    return notebook


def _output(output: dict[str, Any]) -> dict[str, Any]:
    if "data" in output:
        output["data"] = {kind: output["data"][kind] for kind in SHOWN if kind in output["data"]}
        output["metadata"] = {}
    if "execution_count" in output:
        output["execution_count"] = None
    return output


def sources(name: str) -> list[str]:
    """The code of the cells."""
    return ["".join(cell["source"]) for cell in read(name)["cells"] if cell["cell_type"] == "code"]


def write(name: str, notebook: dict[str, Any]) -> None:
    (FOLDER / name).write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


def renew(*names: str) -> None:
    for name in names or NAMES:
        write(name, executed(name))


if __name__ == "__main__":
    renew(*sys.argv[1:])
