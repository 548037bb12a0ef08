"""The pictures of a hub's pages that the documentation shows: each page in both languages, under the names looked for."""

import importlib.util
import struct
from pathlib import Path

from tests.hub.browser import in_a_browser

pytestmark = in_a_browser

SHOTS = Path(__file__).parents[2] / "docs" / "shots.py"


def test_every_page_is_taken_in_both_languages(tmp_path):
    spec = importlib.util.spec_from_file_location("shots", SHOTS)
    shots = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shots)
    made = shots.take(tmp_path / "shots")
    wanted = [
        f"{at:02}-{what}-{language}.png"
        for language in ("en", "zh")
        for at, what in enumerate(shots.SHOWN, 1)
    ]
    assert [path.name for path in made] == wanted
    for path in made:
        head = path.read_bytes()[:24]
        assert head.startswith(b"\x89PNG")
        wide, high = struct.unpack(">II", head[16:])
        assert (wide, 600 < high <= shots.TALLEST) == (1280, True), path.name
