"""`bazi serve` with a reader that holds the interpreter: `python tests/hub/faults/freezing.py loop|pattern …`.

The first reading that finds the file `freeze` beside the database takes it away and never ends. Workers are started anew
and read this file again, as they do the program that started them; nothing of it is in the product.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from bazi_hub.operate import app

WAY = "FREEZING"


def loop() -> None:
    while True:
        pass


def pattern() -> None:
    re.fullmatch(r"(a|aa)+", "a" * 200 + "b")


class Freezing:
    """A reader that answers nothing, and the first time never."""

    name = "freezing"

    async def generate(self, request: Any) -> Any:
        try:
            Path(os.environ[WAY]).unlink()
        except FileNotFoundError:
            raise ValueError("no reading") from None
        {"loop": loop, "pattern": pattern}[os.environ[WAY + "_WAY"]]()


if __name__ in ("__main__", "__mp_main__"):
    # In the program and its workers only, never where tests are collected.
    app.reader_of = lambda config: Freezing()

if __name__ == "__main__":
    from bazi_cli.main import main

    os.environ[WAY + "_WAY"] = sys.argv.pop(1)
    main()
