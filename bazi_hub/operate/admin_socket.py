"""The way of the command line to a server that holds the database: a Unix socket beside the file, for its owner only.

One JSON object a line in either direction. The acts are those of `admin`; who asks is known from the socket, not from what
is sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bazi_core.tables.sentences import Said
from bazi_hub.operate.admin import ActRefused, AdminContext, act
from bazi_hub.ports import Telemetry
from bazi_hub.words.errors import ConfigurationError
from bazi_hub.words.fault_log import log_fault

LONGEST_LINE = 1 << 20
# Bytes that a system takes as the path of a socket, but for the zero at its end.
LONGEST_PATH = 107 if sys.platform == "linux" else 103
_OWNER_ONLY = 0o177


def socket_path(database: str | Path) -> str:
    """The socket of the server of a database."""
    return f"{database}.sock"


def require_short(path: str) -> None:
    """`ConfigurationError` for the path of a socket that no system opens: better before anything is made beside it."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise ConfigurationError(
            f"{path} is more than the {LONGEST_PATH} bytes that the path of a socket may have: "
            "give the database a shorter one"
        )


class Control:
    """The listening side; `context_of` makes the context of an act from the name of its operator."""

    def __init__(self, path: str, context_of: Callable[[str], AdminContext], telemetry: Telemetry) -> None:
        self.path, self._context_of, self._telemetry = path, context_of, telemetry
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listens; a socket left by a process that died is replaced, since the lock of the database is ours."""
        if os.path.exists(self.path):
            os.unlink(self.path)
        mask = os.umask(_OWNER_ONLY)
        try:
            self._server = await asyncio.start_unix_server(self._serve, self.path, limit=LONGEST_LINE)
        finally:
            os.umask(mask)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            if os.path.exists(self.path):
                os.unlink(self.path)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = json.loads(await reader.readline())
            context = self._context_of(_peer(writer.get_extra_info("socket")))
            answer = {"result": await act(context, str(asked["act"]), dict(asked["arguments"]))}
        except ActRefused as error:
            answer = _refusal(error.reason)
        except (ValueError, KeyError, TypeError, asyncio.LimitOverrunError) as error:
            answer = _refusal(Said("hub.not_understood", kind=type(error).__name__))
        except Exception as error:
            log_fault(self._telemetry, error, act=str(asked["act"]))
            answer = _refusal(Said("hub.server_failed", kind=type(error).__name__))
        writer.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
        # Whoever left without waiting hears nothing.
        with suppress(OSError):
            await writer.drain()
        writer.close()


def _refusal(reason: Said) -> dict[str, Any]:
    """A sentence of the table in English, and by its key, so that the command can say it in another language."""
    return {"refused": reason, "said": (reason.key, reason.values)}


def ask(path: str, name: str, arguments: dict[str, Any]) -> Any:
    """The result of an act that the server of a database does; `ActRefused` with its reason, `OSError` without a server."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.connect(path)
        line.sendall(json.dumps({"act": name, "arguments": arguments}, ensure_ascii=False).encode() + b"\n")
        line.shutdown(socket.SHUT_WR)
        with line.makefile("rb") as answers:
            answer = json.loads(answers.readline() or b"{}")
    if "refused" in answer:
        key, values = answer["said"]
        raise ActRefused(Said(key, **values))
    if "result" not in answer:
        raise ActRefused(Said("hub.no_answer"))
    return answer["result"]


def operator_name(uid: int | None = None) -> str:
    """The name of an OS user, by default of this process."""
    import pwd

    uid = os.getuid() if uid is None else uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _peer(line: socket.socket) -> str:
    """The OS user at the other end, where the system tells; only the owner of the socket gets here at all."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return operator_name()
    _, uid, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    return operator_name(uid)
