"""The example readers against a hub behind a real server: whole streams, streams that are cut, refusals."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hub.divination.grammar import check_stream
from tests.hub.divination.runworld import GOLDEN, PAYLOAD
from tests.hub.live import Live, live

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node")


@pytest.fixture(scope="module")
def hub() -> Iterator[Live]:
    with live() as found:
        yield found


@pytest.fixture(scope="module")
def reader() -> Any:
    path = ROOT / "examples/divination/reader.py"
    spec = importlib.util.spec_from_file_location("divination_reader", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_python_reader_follows_a_run_to_its_end(hub: Live, reader: Any) -> None:
    runs = reader.Runs(hub.url, hub.keys.personal)
    accepted = runs.submit(PAYLOAD)
    events = list(runs.events(accepted))
    check_stream(events, "seed")
    derived = next(one for one in events if one["type"] == "DIVINATION_DERIVED")
    assert derived["divination"] == GOLDEN["seedRequest"]
    assert list(runs.events(accepted)) == events


def test_the_python_reader_goes_on_where_a_connection_was_cut(hub: Live, reader: Any) -> None:
    runs = reader.Runs(hub.url, hub.keys.personal)
    accepted = runs.submit(PAYLOAD)
    whole = list(runs.events(accepted))
    ask, asked = runs.ask, []

    class Cut:
        """A response that breaks after three events."""

        def __init__(self, stream: Any) -> None:
            self.stream, self.status = stream, stream.status

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: Any) -> None:
            self.stream.close()

        def __iter__(self) -> Iterator[bytes]:
            for seen, line in enumerate(self.stream):
                if seen > 9:
                    raise ConnectionResetError
                yield line

    def cutting(method: str, path: str, body: Any = None, **headers: str) -> Any:
        asked.append(headers)
        return Cut(ask(method, path, body, **headers))

    runs.ask = cutting
    assert list(runs.events(accepted, wait_s=0)) == whole
    assert len(asked) > 3
    assert asked[0] == {}


def test_the_python_reader_says_what_is_wrong(hub: Live, reader: Any) -> None:
    with pytest.raises(reader.Problem, match="YAO_LINES_LENGTH") as refused:
        reader.Runs(hub.url, hub.keys.personal).submit(PAYLOAD | {"yaoLines": []})
    assert refused.value.status == 422


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.process
def test_the_reader_of_the_page_follows_resumes_and_refuses(hub: Live) -> None:
    assert NODE is not None
    done = subprocess.run(
        [NODE, ROOT / "tests/hub/divination/node/reader.mjs", hub.url, hub.keys.personal],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["same"] is True
    assert told["cuts"] >= 3
    assert told["derived"] == GOLDEN["seedRequest"]
    assert told["text"] == told["end"]["answer"]
    assert told["last"] == "RUN_FINISHED"
    assert told["problem"] == {"code": "RUN_FINISHED_ALREADY", "status": 409}
    assert told["roles"] == ["assistant", "user"]
    assert told["price"]["credit_cost"] == 4
