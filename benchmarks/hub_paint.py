"""When the pages of a hub are painted, and how far they move meanwhile: `python -m benchmarks.hub_paint [VISITS]`.

Headless Chromium with an empty cache, on a desktop (1280 × 800, the line as it is) and on a telephone (390 × 844, a line of
1.6 Mbit/s with 150 ms to and fro, a processor four times as slow: what Lighthouse takes for a telephone). LCP is the largest
contentful paint after the first request, CLS the sum of the layout shifts up to two seconds after the page has loaded, both
as the browser itself reports them; the median of the visits is told, of CLS the largest.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.hub_http import Server
from benchmarks.hub_pages import OPEN, Births, Member
from tests.hub.browser import launched

ASKED = (
    "birth",
    "chart",
    "chart, no hour",
    "years",
    "year",
    "six lines",
    "board",
    "almanac month",
    "almanac day",
    "forum",
)
KEPT = ("kept chart", "offers", "reading", "reading of a year")
SETTLED_MS = 2_000
WATCH = """
window.seen = {lcp: 0, cls: 0};
new PerformanceObserver(list => { for (const each of list.getEntries()) seen.lcp = each.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(list => { for (const each of list.getEntries()) seen.cls += each.value; })
  .observe({type: "layout-shift", buffered: true});
"""


class Device(NamedTuple):
    """What a page is looked at with; `line` and `slower` are None where nothing is held back."""

    width: int
    height: int
    line: dict[str, Any] | None = None
    slower: int | None = None


_MBIT = 1_000_000 // 8
DEVICES = {
    "desktop": Device(1280, 800),
    "telephone": Device(
        390,
        844,
        {
            "offline": False,
            "latency": 150,
            "downloadThroughput": 1.6 * _MBIT,
            "uploadThroughput": 0.75 * _MBIT,
        },
        4,
    ),
}


def visit(browser: Any, device: Device, address: str, cookies: list[dict[str, str]]) -> dict[str, float]:
    """LCP in milliseconds and CLS of one visit of somebody who was never here."""
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height}, locale="en-GB", service_workers="block"
    )
    context.add_cookies(cookies)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if device.line:
        session.send("Network.emulateNetworkConditions", device.line)
    if device.slower:
        session.send("Emulation.setCPUThrottlingRate", {"rate": device.slower})
    page.goto(address, wait_until="load")
    page.wait_for_timeout(SETTLED_MS)
    seen: dict[str, float] = page.evaluate("window.seen")
    context.close()
    return seen


def main() -> None:
    visits = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    directory = Path(tempfile.mkdtemp())
    server = Server("pages", str(directory / "hub.sqlite3"))
    try:
        member, births = Member(server.port), Births()
        kept = member.pages()
        paths = {name: births.addresses(OPEN[name])[:visits] * visits for name in ASKED}
        paths |= {name: [kept[name]] * visits for name in KEPT}
        signed_in = [{"name": each.name, "value": str(each.value), "url": member.home} for each in member.jar]
        print(f"{'page':20} " + " ".join(f"{name + ' LCP':>14} {'CLS':>6}" for name in DEVICES))
        with launched() as browser:
            visit(browser, DEVICES["desktop"], member.home, [])
            for name, asked in paths.items():
                told = []
                for device in DEVICES.values():
                    cookies = signed_in if name in KEPT else []
                    seen = [visit(browser, device, member.home + path, cookies) for path in asked[:visits]]
                    told.append(
                        (statistics.median(each["lcp"] for each in seen), max(each["cls"] for each in seen))
                    )
                print(f"{name:20} " + " ".join(f"{lcp:11.0f} ms {cls:6.3f}" for lcp, cls in told), flush=True)
    finally:
        server.stop()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
