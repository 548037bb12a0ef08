"""Take the pictures of a hub's pages that the documentation shows: `python docs/shots.py [FOLDER]` (needs the extra `test`
and a Chromium).

The hub lives as long as this program; there is on its pages what the tests of all pages put there. The pictures are named
`NN-what-LANGUAGE.png`, as `docs/make_site.py --shots` takes them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from tests.hub.browser import launched  # noqa: E402
from tests.hub.pages.serving import served  # noqa: E402
from tests.hub.pages.tour import quoted, tour  # noqa: E402

# In the order in which somebody meets them; the names of the stops of the tour.
SHOWN = {
    "form": "birth",
    "chart": "chart",
    "reading": "reading",
    "years": "years",
    "six-lines": "reading of a cast",
    "almanac": "almanac",
    "almanac-day": "almanac day for a person",
    "credits": "billing",
}
LANGUAGES = {"en": ("en", "en-GB"), "zh": ("zh-Hans", "zh-CN")}
VIEW, TALLEST = {"width": 1280, "height": 900}, 1600


def take(folder: Path) -> list[Path]:
    """The pictures of all pages in all languages, in a folder that is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = []
    with launched() as chromium:
        for suffix, (language, locale) in LANGUAGES.items():
            with served() as town:
                stops = town.do(tour(town.town, language))
                contexts = [chromium.new_context(viewport=VIEW, locale=locale) for _ in range(2)]
                cookie = {"name": "bazi_session", "value": stops.member.cookie, "url": town.url}
                contexts[1].add_cookies([cookie])
                tabs = [context.new_page() for context in contexts]
                for number, (what, name) in enumerate(SHOWN.items(), 1):
                    stop = stops.stop(name)
                    path = folder / f"{number:02}-{what}-{suffix}.png"
                    _shoot(tabs[stop.member], town.url + quoted(stop.path), path)
                    made.append(path)
    return made


def _shoot(page: Any, address: str, path: Path) -> None:
    """A page from its top down, as far as anybody looks at a picture."""
    page.goto(address)
    high = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": VIEW["width"], "height": high})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", type=Path, nargs="?", default=PROJECT / "dist" / "shots", help="the folder to write"
    )
    for path in take(parser.parse_args().folder):
        print(path)


if __name__ == "__main__":
    main()
