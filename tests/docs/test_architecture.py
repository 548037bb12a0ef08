"""The page on architecture: its drawings name what is there, and whoever follows its examples adds what they promise."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, get_args

import pytest

from bazi_hub.ports.runs import Status
from tests.docs.examples import DOCS, blocks

if TYPE_CHECKING:
    from pathlib import Path

ROOT = DOCS.parent
PAGES = ("architecture.md", "zh/architecture.md")
PACKAGES = (ROOT / "bazi_core", ROOT / "bazi_hub")


def drawings(page: str) -> list[str]:
    return [block for _, block in blocks(page, "mermaid")]


def module(path: str) -> Path | None:
    """A module or folder of one of the packages."""
    return next((package / path for package in PACKAGES if (package / path).exists()), None)


def has(path: str, name: str) -> bool:
    """Whether a module defines a function, a class or a method of this name."""
    found = module(path)
    assert found is not None, path
    return re.search(rf"^ *(async )?(def|class) {name}\b", found.read_text("utf-8"), re.MULTILINE) is not None


@pytest.mark.parametrize("page", PAGES)
def test_modules_of_the_drawings_exist_and_have_the_functions(page: str) -> None:
    assert len(drawings(page)) == 5
    # A semicolon ends a statement of Mermaid, wherever it stands.
    assert not any(";" in drawing for drawing in drawings(page))
    for drawing in drawings(page):
        for path in re.findall(r"(?<![\w/])[\w/]+(?:\.py|/)(?=[\s<\"])", drawing):
            assert module(path), path
        for path, name in re.findall(r"([\w/]+\.py) (\w+)\(\)", drawing):
            assert has(path, name), (path, name)


@pytest.mark.parametrize("page", PAGES)
def test_a_message_names_a_function_of_the_module_that_it_is_sent_to(page: str) -> None:
    (sequence,) = (each for each in drawings(page) if each.startswith("sequenceDiagram"))
    modules = dict(re.findall(r"participant (\w+) as (\S+)", sequence))
    messages = re.findall(r"->>(\w+): (\w+)\(\)", sequence)
    assert len(messages) == 9
    for to, name in messages:
        assert has(modules[to], name), (to, name)


@pytest.mark.parametrize("page", PAGES)
def test_the_drawn_life_of_a_run_has_every_status(page: str) -> None:
    (states,) = (each for each in drawings(page) if each.startswith("stateDiagram"))
    assert {*re.findall(r"--> (\w+)", states)} == {*get_args(Status), "refused"}


def test_both_languages_draw_the_same_arrows_and_show_the_same_changes() -> None:
    def skeleton(drawing: str) -> list[str]:
        return re.findall(
            r"[\w/]+\.py(?: \w+\(\))?|\w+\(\)|-->|-\.->|->>|-->>|^ *\w+(?=\[)", drawing, re.MULTILINE
        )

    english, chinese = ([skeleton(each) for each in drawings(page)] for page in PAGES)
    assert english == chinese
    assert [block for _, block in blocks(PAGES[0], "diff")] == [
        block for _, block in blocks(PAGES[1], "diff")
    ]


def apply(change: str, root: Path) -> None:
    """Makes a change of the page: the name of a file, then its lines as in a diff without numbers."""
    name, *lines = change.rstrip("\n").split("\n")
    file = root / name
    context = [line[1:] for line in lines if not line.startswith("+")]
    if not context:
        file.write_text("".join(line[1:] + "\n" for line in lines), "utf-8")
        return
    text = file.read_text("utf-8").split("\n")
    (start,) = (at for at in range(len(text)) if all(map(_is, context, text[at : at + len(context)])))
    there = iter(text[start : start + len(context)])
    text[start : start + len(context)] = [line[1:] if line.startswith("+") else next(there) for line in lines]
    file.write_text("\n".join(text), "utf-8")


def _is(shown: str, line: str) -> bool:
    return line.startswith(shown[:-1].rstrip()) if shown.endswith("…") else line == shown


PROBE = """
import asyncio, json, sys
from types import SimpleNamespace
import httpx
import bazi_hub
from bazi_hub.calls.hub import Hub
from bazi_hub.http.app import create_app
from bazi_hub.identity import Identity, Secrets
from bazi_hub.memory import MemoryLimits, MemoryStorage, NoTelemetry, SystemClock, SystemIds
from bazi_hub.operate.config import Config, configured
from bazi_hub.pages import pages
from bazi_hub.pages.refusal import of_error
from bazi_hub.people.passwords import Passwords
from bazi_hub.words.call import Caller
from bazi_hub.words.errors import ConfigurationError, HubError
from tests.docs import hub_tables

settings = configured({"BAZI_HUB_SUPPORT_URL": "https://help.example"}).settings()
found = {"package": bazi_hub.__file__, "setting": settings.support_url}
try:
    configured({"BAZI_HUB_SUPPORT_URL": "nowhere"})
except ConfigurationError as error:
    found["refused"] = str(error)
error = HubError("CHART_LIMIT", "100 charts are kept", most=100)
found["error"] = [error.status, error.data, *(of_error(error, language).why for language in ("en", "zh-Hans"))]
found["rows"] = {rows.__name__ + " " + language: rows(language) for _, language, _, rows in hub_tables.TABLES}

async def asked():
    clock, ids = SystemClock(), SystemIds()
    hub = Hub(settings, storage=MemoryStorage(clock, ids), limits=MemoryLimits(clock))
    found["result"] = (await hub.dispatch("get_server_time", {}, Caller("li", "personal"))).result
    secrets = Secrets(pepper=bytes(32), session=bytes(32))
    identity = Identity(hub.storage, secrets, clock=clock, ids=ids, telemetry=NoTelemetry())
    parts = SimpleNamespace(hub=hub, identity=identity, passwords=Passwords(), limits=hub.limits)
    transport = httpx.ASGITransport(create_app(hub, identity, routes=pages(parts)))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for path, language in (
            ("/docs/limits", "en"), ("/docs/limits", "zh"), ("/docs/api", "en"), ("/docs/api", "zh"),
            ("/openapi.json", "en"),
        ):
            answer = await client.get(path, headers={"accept-language": language})
            found[f"{path} {language}"] = [answer.status_code, answer.text]
    await hub.close()

asyncio.run(asked())
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a copy of the package can do in which every example was followed."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "bazi_hub", root / "bazi_hub", ignore=shutil.ignore_patterns("__pycache__"))
    for _, change in blocks(PAGES[0], "diff"):
        apply(change, root)
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(ROOT)))},
        capture_output=True, text=True, cwd=root,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["package"].startswith(str(root))
    return found


def listed(added: dict[str, Any], table: str, name: str) -> list[str]:
    """The row of a table of the documentation."""
    (row,) = (row for row in added["rows"][table] if name in row)
    return [str(cell) for cell in row]


def test_the_setting_is_read_checked_and_listed_in_both_languages(added: dict[str, Any]) -> None:
    assert added["setting"] == "https://help.example"
    assert "BAZI_HUB_SUPPORT_URL" in added["refused"]
    for language, meaning in (("en", "Where people ask for help."), ("zh-Hans", "求助的地址。")):
        assert listed(added, f"settings {language}", "`BAZI_HUB_SUPPORT_URL`")[1:] == ["–", meaning]


def test_the_tool_can_be_called_and_is_listed_in_both_languages(added: dict[str, Any]) -> None:
    assert re.fullmatch(r'\{"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"\}', added["result"])
    for language, title in (("en", "Time of the hub"), ("zh", "本站时间")):
        assert title in added[f"/docs/api {language}"][1]
    assert "/api/universal/meta/get_server_time" in added["/openapi.json en"][1]
    assert listed(added, "tools zh-Hans", "`get_server_time`")[4] == "本站时间"


def test_the_error_is_raised_and_told_in_both_languages(added: dict[str, Any]) -> None:
    english, chinese = "No more charts can be kept.", "保存的命盘已到上限。"
    assert added["error"] == [403, {"detail": "100 charts are kept", "most": 100}, english, chinese]
    for language, meaning in (("en", english), ("zh", chinese)):
        assert meaning in added[f"/docs/api {language}"][1]
    assert listed(added, "codes en", "`CHART_LIMIT`")[3:] == [english, "`most`"]
    assert listed(added, "advice en", "`CHART_LIMIT`")[3] == "Ask the user which chart may go"


def test_the_page_is_served_in_both_languages(added: dict[str, Any]) -> None:
    for language, title in (("en", "Calls a minute"), ("zh", "每分钟限额")):
        status, body = added[f"/docs/limits {language}"]
        assert status == 200
        assert f"<h1>{title}</h1>" in body
        assert "<li>fortune_call: 10</li>" in body
