"""The entry point: setup of the process, before slow imports."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """A placeholder that imports its module on first attribute access and takes over the module's names."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        module = import_module(self.__name__)
        self.__dict__.update(module.__dict__)
        return getattr(module, name)


def main() -> None:
    """Entry point of the console script."""
    # click and dataclasses import it for help and for classes without a docstring: a twelfth of the time of a chart.
    sys.modules.setdefault("inspect", _Later("inspect"))
    # A process that lives for a tenth of a second needs no collector: without it, and without a last collection
    # at exit, an eighth of that time is saved.
    gc.disable()
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        from bazi_cli.app import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()


def _open_what_is_closed() -> None:
    """Open the null device for closed standard streams, so that no file opened later gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
