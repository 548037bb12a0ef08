"""What an operator's commands print, as a page shows it: run on an empty hub, with everything that differs made the same.

Fences named `shell-session` hold lines that begin with `$ bazi` and what each printed. Ids, keys, times and the operator's
name are replaced in the order in which they come; commands may use what stands in the page.

python -m tests.hub.kit.sessions     # write what is printed today; read the diff before it is committed
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import shlex
import tempfile
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner

from bazi_cli.app import cli
from bazi_hub.operate.admin_socket import operator_name
from tests.hub.kit.exchanges import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = ("docs/hub.md", "docs/zh/hub.md")
BLOCK = re.compile(r"^```shell-session\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN_DAY = datetime(2026, 3, 1, tzinfo=UTC)
SHOWN_TIME, SHOWN_NAME = "12:34:10.000Z", "anna"

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
KEY = r"bz[pa]_[0-9A-Za-z]{46}"
TOKEN = r"(?<=invite=)[0-9a-f]{32}"
TIME = re.compile(r"(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d\.\d{3}Z")


class Masks:
    """What differs from run to run, and what stands for it in a page."""

    def __init__(self) -> None:
        self.shown: dict[str, str] = {}
        self._today = datetime.now(UTC).date()

    def of(self, text: str) -> str:
        """A text with everything replaced that differs."""
        for key in re.findall(KEY, text):
            self._add(key, f"{key[:4]}{chr(ord('A') + len(self.shown) // 2)}1b2C3d4{'e5F6g7H8' * 5:.38}")
            self._add(key[4:12], self.shown[key][4:12])
        for each in re.findall(UUID, text):
            self._add(each, str(uuid.UUID(int=(0x4 << 76) | (0x8 << 60) | len(self.shown) + 1)))
        for each in re.findall(TOKEN, text):
            self._add(each, f"{len(self.shown) + 1:x}" * 32)
        for real in sorted(self.shown, key=len, reverse=True):
            text = text.replace(real, self.shown[real])
        named = re.sub(rf"(?<=[ \"]){re.escape(operator_name())}(?=[ \"]|$)", SHOWN_NAME, text, flags=re.M)
        return TIME.sub(self._time, named)

    def real(self, command: str) -> str:
        """A command of a page, as it has to be run."""
        for real, shown in self.shown.items():
            command = command.replace(shown, real)
        return command

    def _add(self, real: str, shown: str) -> None:
        self.shown.setdefault(real, shown)

    def _time(self, found: re.Match[str]) -> str:
        day = datetime.fromisoformat(found[1]).date()
        return f"{SHOWN_DAY + timedelta(days=(day - self._today).days):%Y-%m-%d}T{SHOWN_TIME}"


def commands(page: str) -> list[str]:
    """Every command of a page with what is shown under it."""
    blocks = BLOCK.findall((ROOT / page).read_text("utf-8"))
    return [part for block in blocks for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE) if part]


def played(page: str) -> list[str]:
    """The same as they are printed today."""
    masks, made = Masks(), []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for part in commands(page):
            command = part.partition("\n")[0].removeprefix("$ ")
            made.append(f"$ {command}\n{masks.of(printed(masks.real(command)))}")
    return made


def printed(command: str) -> str:
    name, *arguments = shlex.split(command)
    assert name == "bazi", command
    result = CliRunner().invoke(cli, arguments, env=environment())
    assert not (result.exception and not isinstance(result.exception, SystemExit)), command
    return result.output


def environment() -> dict[str, str | None]:
    secret = base64.b64encode(bytes(32)).decode()
    own: dict[str, str | None] = {name: None for name in os.environ if name.startswith(("BAZI_", "LC_"))}
    return own | {
        "BAZI_HUB_DATABASE_URL": str(Path.cwd() / "hub.sqlite3"),
        "BAZI_HUB_PUBLIC_URL": "https://hub.example",
        "BAZI_HUB_KEY_PEPPER": secret,
        "BAZI_HUB_SESSION_SECRET": secret,
        "LANG": "en",
        "COLUMNS": "80",
    }


def squeezed(text: str) -> str:
    """A text without the spaces that align it: the operator's name is not everywhere as long."""
    return re.sub(r" {2,}", "  ", text)


def main() -> None:
    for page in PAGES:
        (ROOT / page).write_text(renewed(page), "utf-8")


def renewed(page: str) -> str:
    """The page as it should be."""
    today = iter(played(page))
    return BLOCK.sub(lambda found: fence(found[1], today), (ROOT / page).read_text("utf-8"))


def fence(block: str, today: Iterator[str]) -> str:
    """A fence with as many of today's answers as it has commands."""
    count = len(re.findall(r"^\$ ", block, re.MULTILINE))
    return "```shell-session\n" + "".join(next(today) for _ in range(count)) + "```"


if __name__ == "__main__":
    main()
