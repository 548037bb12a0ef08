"""What a first visit of each page weighs: requests, bytes as they come over the wire and unpacked, nodes.

Bounds are asked of the pages, not read off them; whoever outgrows one takes something away.
"""

from __future__ import annotations

import gzip

from bazi_hub.pages.site import SCRIPT, STYLE
from bazi_hub.pages.texts import LANGUAGES
from tests.hub.pages.browsing import in_town
from tests.hub.pages.tour import Stop, tour

KB = 1000
# Everything of a first visit: the page as it is sent, style and script packed.
MOST_AT_FIRST, MOST_REQUESTS, MOST_NODES = 120 * KB, 3, 1_500
# Of the page alone, packed as a proxy in front would, and as it is: the form; what holds a whole chart; all others.
MOST_PACKED = {"birth": 5 * KB}
MOST_BARE = {"birth": 16 * KB, "chart": 64 * KB}
OTHERS_PACKED, OTHERS_BARE = 12 * KB, 60 * KB
STYLE_PACKED, SCRIPT_PACKED = 8 * KB, 22 * KB
OF_A_CHART = (
    "chart", "kept chart", "shared chart", "chart of a member", "chart without a birth",
    "chart without an hour",
)  # fmt: skip


def bounds(stop: Stop) -> tuple[int, int]:
    """The most bytes of a page: packed, bare."""
    name = "chart" if stop.name in OF_A_CHART else stop.name
    return MOST_PACKED.get(name, OTHERS_PACKED), MOST_BARE.get(name, OTHERS_BARE)


def test_style_and_script_are_small_when_they_are_packed():
    assert len(STYLE.packed) <= STYLE_PACKED
    assert len(SCRIPT.packed) <= SCRIPT_PACKED


@in_town
async def test_no_first_visit_weighs_more_than_it_may_in_any_language(town):
    made, heavy = await tour(town), {}
    for stop in made.stops:
        for language in LANGUAGES:
            page = await made.see(stop, language)
            bare = page.text.encode()
            packed, most = len(gzip.compress(bare)), bounds(stop)
            asked = 1 + sum(
                bool(found.get("src") or (tag == "link" and found.get("rel") == "stylesheet"))
                for tag, found in page.shown.tags
            )
            at_first = len(bare) + len(STYLE.packed) + len(SCRIPT.packed)
            nodes = len(page.shown.tags)
            if (
                packed > most[0] or len(bare) > most[1] or at_first > MOST_AT_FIRST
                or asked > MOST_REQUESTS or nodes > MOST_NODES
            ):  # fmt: skip
                heavy[stop.name, language] = {
                    "packed": packed, "bare": len(bare), "at first": at_first, "requests": asked, "nodes": nodes,
                }  # fmt: skip
    assert heavy == {}


@in_town
async def test_assets_are_sent_packed_to_whoever_unpacks_them(town):
    for asset in (STYLE, SCRIPT):
        response = await town.browser().asking("GET", asset.path, headers={"accept-encoding": "gzip"}).run()
        assert response.headers["content-encoding"] == "gzip"
        assert gzip.decompress(response.body) == asset.body
