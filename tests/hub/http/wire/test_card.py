"""The card in a host: it greets, draws the chart of a result, follows the theme, and says what it cannot draw."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bazi_hub.http.wire.resources import CARD, resources
from bazi_hub.tools.births import chart_of
from bazi_hub.tools.compact import compacted
from tests.hub.browser import in_a_browser, launched
from tests.hub.worlds import BIRTH

pytestmark = in_a_browser

# The default policy of hosts for a page that declares nothing, and a frame without an origin of its own.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'none'"
)
HOST = """<!DOCTYPE html><iframe id="card" sandbox="allow-scripts" style="width:420px;height:900px"></iframe><script>
window.heard = [];
window.addEventListener("message", (event) => {
  heard.push(event.data);
  if (event.data.method === "ui/initialize") {
    event.source.postMessage({ jsonrpc: "2.0", id: event.data.id, result: { protocolVersion: "2026-01-26",
      hostInfo: { name: "host", version: "1" }, hostCapabilities: {}, hostContext: CONTEXT } }, "*");
  }
  if (event.data.method === "ui/notifications/initialized") {
    event.source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: RESULT }, "*");
  }
});
document.getElementById("card").srcdoc = PAGE;
</script>"""


def shown(result: Any, context: Any) -> tuple[Any, list[str], list[str]]:
    """What stands in the card, what the host heard, and what the console said."""
    page_text = resources()[CARD].text.replace(
        "<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    )
    host = HOST
    for name, value in (("CONTEXT", context), ("RESULT", result), ("PAGE", page_text)):
        host = host.replace(name, json.dumps(value).replace("</", "<\\/"), 1)
    with launched() as browser:
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.set_content(host)
        page.wait_for_function(
            "heard.some((each) => each.method === 'ui/notifications/size-changed')", timeout=20_000
        )
        frame = page.frames[1]
        found = {
            "text": frame.inner_text("main"), "signs": frame.locator(".sign").all_inner_texts(),
            "html": frame.inner_html("main"), "theme": frame.locator("html").get_attribute("data-theme"),
            "cycles": frame.locator("li").count(),
            "background": frame.evaluate("getComputedStyle(document.body).background"),
        }  # fmt: skip
        heard = page.evaluate("heard.map((each) => each.method)")
    return found, heard, said


def result_of(**birth: Any) -> dict[str, Any]:
    whole = chart_of({**BIRTH, **birth}).to_dict(False, "en")
    return {"content": [{"type": "text", "text": compacted("base_context", whole, "call")}]}


def test_a_chart_is_drawn_in_the_theme_and_language_of_the_host() -> None:
    found, heard, said = shown(result_of(), {"theme": "dark", "locale": "zh-CN"})
    assert heard == ["ui/initialize", "ui/notifications/initialized", "ui/notifications/size-changed"]
    assert found["signs"] == ["壬", "庚", "辛", "庚", "午", "辰", "巳", "午"]
    assert {"日主", "食神", "37"} <= {*found["text"].replace("\t", "\n").split("\n")}
    assert (found["theme"], found["cycles"] >= 8, said) == ("dark", True, [])
    assert "rgb(28, 26, 23)" in found["background"]


def test_an_unknown_hour_is_told_as_such() -> None:
    found, _, said = shown(result_of(birth_hour=None, birth_minute=None), {"theme": "light"})
    assert found["signs"][0] == "–"
    assert "hour (unknown)" in found["text"]
    assert said == []


@pytest.mark.parametrize(
    "result", [{}, {"content": []}, {"content": [{"type": "text", "text": "{"}]}, {"isError": True, "content": [
        {"type": "text", "text": '{"code": "INVALID_INPUT", "detail": "<b>x</b>"}'}]}],
)  # fmt: skip
def test_a_result_without_a_chart_is_said_to_be_none_and_runs_nothing(result: Any) -> None:
    found, _, said = shown(result, {})
    assert found["signs"] == []
    assert "<b>" not in found["html"]
    assert ("INVALID_INPUT" if result.get("isError") else "no chart") in found["text"]
    assert said == []
