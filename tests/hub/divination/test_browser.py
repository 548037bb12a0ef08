"""The example page in a real browser, from an origin of its own."""

from __future__ import annotations

import functools
import os
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bazi_hub.words.settings import Settings
from tests.hub.browser import in_a_browser, launched
from tests.hub.divination.runworld import Model
from tests.hub.live import live

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[3] / "examples/divination"
pytestmark = in_a_browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: Any) -> None:
        return


@pytest.fixture
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(PAGE)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_page_casts_reads_cancels_and_shows_the_history(origin: str) -> None:
    reader = Model()
    with live(Settings(cors_origins=(origin,)), reader=reader) as hub, launched() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(origin)
        page.fill("[name=base]", hub.url)
        page.fill("[name=key]", hub.keys.personal)
        page.click("form button:not([type])")
        expect(page.locator("#price")).not_to_be_empty()
        assert page.inner_text("#gua") == "水火既济 → 风雷益"
        assert page.inner_text("#sign") in ("上上签", "中上签", "中下签", "下下签")
        assert page.inner_text("#answer").endswith("专业意见。")
        assert page.inner_text("#problem") == ""
        page.click("#history")
        expect(page.locator("#points li")).to_have_count(2)
        page.fill("[name=kind]", "很长" * 16)
        page.evaluate("document.querySelector('[name=kind]').value = '长'.repeat(33)")
        page.click("form button:not([type])")
        expect(page.locator("#problem")).to_contain_text("INVALID_PAYLOAD")
        if shot := os.environ.get("BAZI_TEST_SCREENSHOT"):
            page.screenshot(path=shot, full_page=True)
        assert said == []
