"""Files that only their owner may read: made so, and refused where others could touch them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from bazi_hub.words.errors import ConfigurationError

LEAST_SECRET_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OWN = 0o600


def new_file(path: Path) -> BinaryIO:
    """A file that only its owner reads, to be written. `FileExistsError` where anything stands already, a link included."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWN), "wb")


def kept_secret(path: Path) -> bytes:
    """The secret in a file; `ConfigurationError` for one that others may have read or put there, or that is too short."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except OSError as error:
        told = "is a symbolic link: put the file itself there" if path.is_symlink() else error.strerror
        raise ConfigurationError(f"{path} {told}") from None
    with os.fdopen(file, "rb") as opened:
        found = os.fstat(opened.fileno())
        wrong = exposed(found)
        secret = b"" if wrong else opened.read()
    if not wrong and len(secret) < LEAST_SECRET_BYTES:
        wrong = (
            f"holds {len(secret)} bytes, and a secret has {LEAST_SECRET_BYTES} or more: "
            "delete it, and the next start makes a new one"
        )
    if wrong:
        raise ConfigurationError(f"{path} {wrong}")
    return secret


def exposed(found: os.stat_result) -> str | None:
    """Why a file is not its owner's alone, and the way out; None where it is.

    >>> exposed(os.stat_result((0o100640, 0, 0, 1, os.geteuid(), 0, 0, 0, 0, 0)))
    'may be read or written by others (mode 640): chmod 600'
    >>> exposed(os.stat_result((0o100600, 0, 0, 1, os.geteuid(), 0, 0, 0, 0, 0)))
    """
    if not stat.S_ISREG(found.st_mode):
        return "is no file"
    # The administrator may look at everybody's.
    if os.geteuid() not in (found.st_uid, 0):
        return f"belongs to another user (uid {found.st_uid}): chown it to the user that runs the hub"
    if found.st_mode & _OTHERS:
        return f"may be read or written by others (mode {stat.S_IMODE(found.st_mode):o}): chmod 600"
    return None
