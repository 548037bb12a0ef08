"""The pages on the hub say what the hub does: settings, codes, commands, files for deployment."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from packaging.requirements import Requirement

import bazi_hub
from bazi_cli.app import cli
from bazi_core import __version__
from bazi_hub.http.client_configs import CLIENTS, snippet
from bazi_hub.http.telemetry import BUILD, METRICS, PROCESS, TOLD
from bazi_hub.http.telemetry import PREFIX as METRIC_PREFIX
from bazi_hub.http.wire.mcp import REVISIONS
from bazi_hub.operate.config import PREFIX, Config
from bazi_hub.tools.tool import LIMITS
from tests.docs import hub_tables
from tests.docs.examples import DOCS, blocks, tables, text_of
from tests.hub.kit import sessions

ROOT = DOCS.parent
PAIRS = ("hub.md", "hub-protocol.md", "embedding.md")
HUB = ("hub.md", "zh/hub.md")
PROTOCOL = ("hub-protocol.md", "zh/hub-protocol.md")


@pytest.mark.parametrize("page", PAIRS)
def test_both_languages_show_the_same_code(page: str) -> None:
    for language in ("python", "http", "shell-session", "sh", "ini", "nginx", "json", "text"):
        both = [
            [without_comments(block) for _, block in blocks(name, language)] for name in (page, f"zh/{page}")
        ]
        assert both[0] == both[1], language


def without_comments(code: str) -> str:
    return re.sub(r" *#.*", "", code)


# --- for operators -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "language", "head", "rows"), hub_tables.TABLES)
def test_a_table_has_the_rows_of_the_hub(page: str, language: str, head: str, rows: Any) -> None:
    found = hub_tables.table((ROOT / page).read_text("utf-8"), head)
    assert found is not None
    assert found[2] == hub_tables.written(rows(language)), "python -m tests.docs.renew"


@pytest.mark.parametrize("page", [*HUB, *PROTOCOL, "embedding.md", "zh/embedding.md"])
def test_settings_that_are_named_exist(page: str) -> None:
    known = {PREFIX + name.upper() for name in Config.model_fields}
    named = {each.rstrip("_") for each in re.findall(rf"{PREFIX}[A-Z0-9_]+", text_of(page))}
    assert {each for each in named if each + "_" != PREFIX} <= known


def command(*names: str) -> Any:
    """A command of `bazi`; groups find theirs when they are asked."""
    found: Any = cli
    for name in names:
        found = found.get_command(click.Context(found), name)
    return found


def options(found: Any) -> set[str]:
    return {option for each in found.params for option in each.opts}


@pytest.mark.parametrize("page", HUB)
def test_commands_of_an_operator_print_what_they_show(page: str) -> None:
    shown, today = sessions.commands(f"docs/{page}"), sessions.played(f"docs/{page}")
    assert [*map(sessions.squeezed, shown)] == [*map(sessions.squeezed, today)], (
        "python -m tests.hub.kit.sessions"
    )


@pytest.mark.parametrize("page", HUB)
def test_every_command_that_is_mentioned_exists_with_its_options(page: str) -> None:
    lines = [line for _, block in blocks(page, "sh") for line in block.splitlines()]
    mentioned = [shlex.split(line, comments=True) for line in lines if re.match(r"(\$ )?bazi ", line)]
    assert len(mentioned) > 5
    for words in mentioned:
        found, rest = command(words[1]), words[2:]
        while isinstance(found, click.Group) and rest and found.get_command(click.Context(found), rest[0]):
            found, rest = found.get_command(click.Context(found), rest[0]), rest[1:]
        assert found is not None, words
        assert {word for word in rest if word.startswith("--")} <= options(found), words


@pytest.mark.parametrize("page", HUB)
def test_every_administrative_command_is_mentioned(page: str) -> None:
    text = text_of(page)
    for name in ("keys", "credits", "price", "hub"):
        for sub in command(name).commands:
            assert f"{name} {sub}" in text, (name, sub)


@pytest.mark.parametrize("page", HUB)
def test_every_metric_is_listed_with_its_labels(page: str) -> None:
    listed = {row[0].strip("`"): row[1] for row in tables(page) if row[0].startswith(f"`{METRIC_PREFIX}")}
    labels = {
        METRIC_PREFIX + row.name: ", ".join(f"`{label}`" for label in row.labels) or "–"
        for row in (*METRICS, BUILD, *PROCESS)
    }
    assert listed == {**labels, **{METRIC_PREFIX + row.name: "–" for row in TOLD}}


@pytest.mark.parametrize("page", HUB)
def test_members_of_a_log_line_are_those_that_are_written(page: str) -> None:
    line = json.loads(next(block for _, block in blocks(page, "json")))
    members = [
        "ts", "level", "event", "request_id", "call_id", "account_id", "key_id", "tool", "transport",
        "code",
    ]  # fmt: skip
    assert [*line] == [*members, "duration_ms"]


# --- for callers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PROTOCOL)
def test_every_limit_and_revision_is_named(page: str) -> None:
    text = text_of(page)
    assert all(f"`{name}`" in text for name in LIMITS)
    assert all(revision in text for revision in REVISIONS)


@pytest.mark.parametrize("page", PROTOCOL)
def test_snippets_for_clients_are_those_that_are_printed(page: str) -> None:
    text = text_of(page)
    shown = [name for name in CLIENTS if snippet(name, "https://hub.example") in text]
    assert shown == ["claude", "langchain"]
    assert all(f"`{name}`" in text for name in CLIENTS)


# --- for programs that embed it ----------------------------------------------------------------------------------------


def test_every_public_name_stands_in_the_page_on_embedding() -> None:
    for page in ("embedding.md", "zh/embedding.md"):
        assert [name for name in bazi_hub.__all__ if name not in text_of(page)] == []


# --- files -------------------------------------------------------------------------------------------------------------


def project() -> dict[str, Any]:
    told: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return told


def test_the_registry_file_names_this_package_and_version() -> None:
    told = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert told["$schema"] == "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    # Fields, required members and lengths of that schema.
    assert {*told} <= {
        "$schema", "name", "title", "description", "version", "packages", "remotes", "repository",
        "websiteUrl",
    }  # fmt: skip
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", told["name"])
    assert 1 <= len(told["description"]) <= 100
    assert told["version"] == __version__
    (package,) = told["packages"]
    assert {*package} <= {
        "registryType", "identifier", "version", "runtimeHint", "transport", "packageArguments",
        "runtimeArguments", "environmentVariables",
    }  # fmt: skip
    assert (package["registryType"], package["identifier"], package["version"]) == (
        "pypi", project()["name"], __version__,
    )  # fmt: skip
    assert package["transport"] == {"type": "stdio"}
    assert package["packageArguments"] == [{"type": "positional", "value": "mcp"}]


def test_the_readme_bears_the_name_of_the_registry_file_if_any() -> None:
    told = json.loads((ROOT / "server.json").read_text("utf-8"))
    marked = re.findall(r"mcp-name: (\S+)", (ROOT / "README.md").read_text("utf-8"))
    assert {*marked} <= {told["name"]}


def test_the_launcher_of_the_registry_file_is_an_installed_command() -> None:
    told = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert told["packages"][0]["identifier"] in project()["scripts"]


@pytest.mark.parametrize("page", HUB)
def test_an_upgrade_begins_with_an_export_by_the_release_that_runs(page: str) -> None:
    (steps,) = [
        block for block in re.findall(r"```sh\n(.*?)```", text_of(page), re.DOTALL) if "--upgrade" in block
    ]
    order = [
        steps.index(each)
        for each in ("bazi hub export", "pip install", "bazi hub migrate", "bazi hub verify")
    ]
    assert order == sorted(order)


def dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text("utf-8")


def test_the_image_runs_as_nobody_in_particular_and_says_when_it_is_ready() -> None:
    text = dockerfile()
    instructions = [line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]+ ", line)]
    assert instructions.index("USER") < instructions.index("CMD")
    assert re.search(r"^USER [1-9]\d+(:\d+)?$", text, re.MULTILINE)
    assert "/readyz" in text
    assert not re.search(r"PEPPER|SECRET|_KEY=", text)
    started = json.loads(next(line for line in text.splitlines() if line.startswith("CMD "))[4:])
    assert started[:2] == ["bazi", "serve"]
    assert {word for word in started if word.startswith("--")} <= options(command("serve"))


def test_the_image_installs_parts_that_exist_and_copies_files_that_are_there() -> None:
    extras = re.search(r"\[([a-z,]+)\]", dockerfile())
    assert extras is not None
    assert {*extras[1].split(",")} <= {*project()["optional-dependencies"]}
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    kept = {line[1:].rstrip("/") for line in ignored if line.startswith("!")}
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile(), re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists(), name
            assert name in kept, name


def test_the_python_of_the_image_is_one_that_is_supported() -> None:
    version = re.findall(r"^ARG PYTHON_IMAGE=python:(\d+\.\d+)-", dockerfile(), re.MULTILINE)
    assert {*re.findall(r"^FROM (\S+)", dockerfile(), re.MULTILINE)} == {"${PYTHON_IMAGE}"}
    listed = "\n".join(project()["classifiers"])
    assert version
    assert all(f":: {each}" in listed for each in version)


# Releases with a hole that the next one mended: a token's issuer in part (CVE-2024-53861), a sandbox left (CVE-2025-27516).
HOLES = {"pyjwt": "2.10.0", "jinja2": "3.1.5"}


def test_no_library_is_taken_with_a_hole_that_its_next_release_mended() -> None:
    extras = project()["optional-dependencies"]
    taken = [Requirement(each) for name in ("hub", "supabase") for each in extras[name]]
    floors = {each.name: each.specifier for each in taken}
    assert [name for name, release in HOLES.items() if floors[name].contains(release)] == []


def test_no_parser_of_uploads_is_installed_since_nothing_is_uploaded() -> None:
    parts = [project()["dependencies"], *project()["optional-dependencies"].values()]
    assert "python-multipart" not in {Requirement(each).name for part in parts for each in part}


def compose() -> str:
    return (ROOT / "compose.yaml").read_text("utf-8")


def test_the_composition_takes_every_secret_from_the_environment() -> None:
    settings_named = re.findall(rf"^ +({PREFIX}\w+): (.+)$", compose(), re.MULTILINE)
    assert {PREFIX + "KEY_PEPPER", PREFIX + "SESSION_SECRET"} <= {name for name, _ in settings_named}
    for name, value in settings_named:
        field = Config.model_fields[name.removeprefix(PREFIX).lower()]
        if hub_tables.is_secret(field):
            assert re.search(r"\$\{[A-Z_]+:\?[^}]+\}", value), name
    assert re.search(r"POSTGRES_PASSWORD: \$\{POSTGRES_PASSWORD:\?", compose())


def test_the_composition_waits_for_readiness_and_lets_calls_finish() -> None:
    grace = re.search(r"stop_grace_period: (\d+)s", compose())
    drain = Config.model_fields["drain_seconds"].default
    assert grace is not None
    assert int(grace[1]) > drain
    assert "condition: service_healthy" in compose()


def test_proxies_wait_longer_than_any_call() -> None:
    cap = Config.model_fields["call_cap"].default
    for page in HUB:
        waits = [
            int(each)
            for each in re.findall(r"(?:proxy_read_timeout|response_header_timeout) (\d+)s", text_of(page))
        ]
        assert len(waits) == 2
        assert min(waits) >= cap + 10


def test_every_file_that_is_shown_is_there() -> None:
    for name in ("Dockerfile", "compose.yaml", "server.json"):
        assert (ROOT / name).exists()
        assert f"`{name}`" in text_of("hub.md") + text_of("hub-protocol.md")


def test_no_example_holds_a_key_that_works() -> None:
    from bazi_hub.people.keys import parse

    for path in [*DOCS.rglob("*.md"), *Path(ROOT / "skills").rglob("*.md")]:
        for key in re.findall(sessions.KEY, path.read_text("utf-8")):
            assert parse(key) is None, path
