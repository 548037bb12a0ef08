"""Put together a folder that draws charts in a browser, without a server that computes and without the network.

    npm install --prefix FOLDER pyodide@314.0.7
    python docs/try/make.py FOLDER/node_modules/pyodide site
    python -m http.server --directory site

The folder holds the page in the style of the hub, pyodide, and the library that is installed here with its zones as one
archive.
"""

from __future__ import annotations

import argparse
import shutil
import zipfile
from pathlib import Path

import tzdata

import bazi_core
from bazi_hub.pages.site import STYLE

HERE = Path(__file__).parent
PAGE = ("index.html", "chart.mjs")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
# The ephemeris is for the live engine, which needs more than the standard library.
LEFT_OUT = (".bsp", ".pyc")


def make(pyodide: Path, site: Path) -> Path:
    """The folder `site`, with all that the page needs."""
    (site / "pyodide").mkdir(parents=True, exist_ok=True)
    (site / "style.css").write_bytes(STYLE.body)
    for name in PAGE:
        shutil.copy(HERE / name, site / name)
    for name in PYODIDE:
        shutil.copy(pyodide / name, site / "pyodide" / name)
    with zipfile.ZipFile(site / "bazi.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for package in (bazi_core, tzdata):
            folder = Path(str(package.__file__)).parent
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix not in LEFT_OUT and "__pycache__" not in path.parts:
                    archive.write(path, Path(folder.name, path.relative_to(folder)))
    return site


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pyodide", type=Path, help="the folder of the npm package pyodide")
    parser.add_argument("site", type=Path, help="the folder to write")
    asked = parser.parse_args()
    print(make(asked.pyodide, asked.site))


if __name__ == "__main__":
    main()
