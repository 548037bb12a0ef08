"""A cache of parsed files, in `__pycache__` beside them as for compiled modules, valid until the file changes.

Reading a table as marshalled rows takes a tenth of the time of parsing it, and a short-lived process reads thirty. A copy
names the time and size of its file and is replaced when these differ, so that an edited table takes effect at once. Where
the folder is not writable, or writing is off (`PYTHONDONTWRITEBYTECODE`), files are parsed every time.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable
from typing import Any

# Counts up when a parser returns something else for the same text.
_FORM = 1


def compiled(path: str, parse: Callable[[bytes], Any], made_by: Callable[..., Any] | None = None) -> Any:
    """The result of `parse` on the bytes of a file, plain values only; read from the compiled copy if that is current. What
    a function makes of a file beside its rows has a copy of its own, which is current as long as that function's module is.

    Raises the errors of opening and of parsing the file.
    """
    state = os.stat(path)
    key: tuple[Any, ...] = (_FORM, state.st_mtime_ns, state.st_size)
    folder, name = os.path.split(path)
    if made_by is not None:
        name = f"{name}.{made_by.__name__}"
        module = sys.modules[made_by.__module__].__file__ or path
        key = (*key, os.stat(module).st_mtime_ns)
    copy = os.path.join(folder, "__pycache__", f"{name}.{sys.implementation.cache_tag}")
    try:
        with open(copy, "rb") as file:
            found, value = marshal.loads(file.read())
        if found == key:
            return value
    except (OSError, EOFError, ValueError, TypeError):
        pass
    with open(path, "rb") as file:
        value = parse(file.read())
    if not sys.dont_write_bytecode and sys.pycache_prefix is None:
        _keep(copy, marshal.dumps((key, value)))
    return value


def _keep(copy: str, content: bytes) -> None:
    """Write a copy atomically; do nothing if the folder is not writable."""
    own = f"{copy}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(own, "xb") as file:
            file.write(content)
        os.replace(own, copy)
    except OSError:
        pass
