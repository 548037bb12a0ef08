"""The files for operating a hub can be read by what they are for, and name what there is."""

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from bazi_cli.commands.serve import command as serve
from bazi_hub.http.telemetry import BUILD, METRICS, PREFIX, PROCESS, TOLD
from bazi_hub.operate.config import Config
from bazi_hub.words.errors import CODES
from tests.docs.examples import DOCS, text_of
from tests.tables import holds_for_all

ROOT = DOCS.parent
OPERATE = ROOT / "examples" / "operate"
HUB = ("hub.md", "zh/hub.md")


def read(name: str) -> str:
    return (OPERATE / name).read_text("utf-8")


@pytest.mark.parametrize("page", HUB)
@pytest.mark.parametrize("name", ["bazi-hub.service", "Caddyfile"])
def test_the_page_shows_the_file_itself(page: str, name: str) -> None:
    assert f"```ini\n{read(name)}```" in text_of(page) or f"```text\n{read(name)}```" in text_of(page)
    assert f"`examples/operate/{name}`" in text_of(page)


# --- alerts --------------------------------------------------------------------------------------------------------------


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(read("alerts.yaml"))["groups"] for rule in group["rules"]]


def series() -> dict[str, set[str]]:
    """Every name that a scrape has, and its labels."""
    known = {"up": {"job", "instance"}}
    for row in (*METRICS, BUILD, *PROCESS):
        ends = ("_bucket", "_sum", "_count") if row.buckets else ("",)
        known |= {f"{PREFIX}{row.name}{end}": {*row.labels, "instance", "le"} for end in ends}
    return known | {PREFIX + row.name: {"instance"} for row in TOLD}


@holds_for_all("rule", rules(), lambda rule: str(rule["alert"]))
def test_an_alert_asks_for_series_and_labels_that_are_there(rule: dict[str, Any]) -> None:
    assert {*rule} <= {"alert", "expr", "for", "labels", "annotations"}
    assert {*rule["annotations"]} == {"summary", "description"}
    assert rule["labels"]["severity"] in ("page", "ticket")
    expr = rule["expr"]
    named = re.findall(rf"\b(?:{PREFIX}\w+|up\b)", expr)
    assert named
    assert {*named} <= series().keys()
    labels = set().union(*(series()[name] for name in named))
    grouped = re.findall(r"\b(?:by|on) \(([^)]*)\)", expr)
    told = re.findall(r"\$labels\.(\w+)", str(rule["annotations"]))
    assert {each.strip() for group in grouped for each in group.split(",")} | {*told} <= labels
    assert expr.count("(") == expr.count(")")
    for codes in re.findall(r'code=~"([^"]*)"', expr):
        assert {*codes.split("|")} <= CODES.keys()


def test_alerts_have_names_of_their_own() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len({*names}) == len(names) > 5


def test_of_a_worker_that_is_replaced_an_alert_tells() -> None:
    assert any(f"increase({PREFIX}workers_replaced_total[" in rule["expr"] for rule in rules())


def test_settings_that_alerts_point_to_exist() -> None:
    for name in re.findall(r"BAZI_HUB_([A-Z0-9_]+)", read("alerts.yaml")):
        assert name.lower() in Config.model_fields


# --- unit, proxy, composition ----------------------------------------------------------------------------------------------


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(read("bazi-hub.service"))
    return parser


def test_the_unit_starts_a_command_that_exists_and_waits_until_calls_have_ended() -> None:
    service = unit()["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert (Path(program).name, words[0]) == ("bazi", "serve")
    assert {word for word in words if word.startswith("--")} <= {
        each for one in serve.params for each in one.opts
    }
    assert int(service["TimeoutStopSec"]) > Config.model_fields["drain_seconds"].default
    assert service["StateDirectoryMode"] == "0700"
    assert unit()["Install"]["WantedBy"] == "multi-user.target"
    assert not re.search(r"PEPPER|SECRET", read("bazi-hub.service"))


def test_the_proxy_lets_events_through_at_once_and_waits_longer_than_any_call() -> None:
    text = read("Caddyfile")
    assert text.count("{") == text.count("}")
    assert re.search(r"^ +reverse_proxy 127\.0\.0\.1:8000 {$", text, re.MULTILINE)
    assert re.search(r"^ +flush_interval -1$", text, re.MULTILINE)
    waits = re.search(r"response_header_timeout (\d+)s", text)
    assert waits is not None
    assert int(waits[1]) > Config.model_fields["call_cap"].default
    size = re.search(r"max_size (\d+)KB", text)
    assert size is not None
    assert int(size[1]) * 1000 > Config.model_fields["body_limit"].default


def test_the_composition_passes_every_setting_on() -> None:
    hub = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["hub"]
    assert hub["env_file"] == [{"path": ".env", "required": False}]
    # What stands here goes before the file: only what the composition decides, or hands on from the same file.
    fixed = [name for name, value in hub["environment"].items() if f"${{{name}" not in value]
    assert fixed == ["BAZI_HUB_DATABASE_URL"]


def test_images_can_be_pinned_from_outside() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    assert services["hub"]["build"]["args"] == {"PYTHON_IMAGE": "${PYTHON_IMAGE:-python:3.11-slim}"}
    assert services["db"]["image"].startswith("${POSTGRES_IMAGE:-postgres:")
