"""The operator's page: for who is on this machine or has the token, for nobody else."""

from bazi_hub.http.app import create_app
from bazi_hub.http.operations import Monitor
from bazi_hub.http.telemetry import Figure
from bazi_hub.pages import pages
from tests.hub.pages.browsing import in_town


def watched(town, **checks):
    """The same town, its operator told of what was counted and of checks."""
    figures = [Figure("calls_total", (("tool", "t1"), ("code", "<b>")), 1234.0)]
    monitor = Monitor(None, "a-token", checks, lambda: figures)
    town.app = create_app(
        town.hub, town.composition.identity, routes=pages(town.composition, monitor=monitor), monitor=monitor
    )
    return town


async def fails():
    raise RuntimeError


@in_town
async def test_the_operator_sees_how_the_hub_is_doing(town):
    browser = watched(town).browser()
    page = await browser.get("/status")
    assert page.status == 200
    for words in ("Ready.", "Credits held 0 credits", "calls_ total", "1,234", "None yet."):
        assert words in page.words
    assert "<b></b>" not in page.text
    assert '<meta name="robots" content="noindex">' in page.text
    await town.storage.accounts.invite("hash", 1, "operator:ann")
    assert "operator:ann" in (await browser.get("/status")).words


@in_town
async def test_what_fails_is_named(town):
    page = await watched(town, reader=fails).browser().get("/status")
    assert "Not ready: reader" in page.words


@in_town
async def test_to_others_there_is_no_such_page(town):
    far = watched(town).browser(address="192.0.2.7")
    assert (await far.get("/status")).status == 404
    assert (await far.get("/status", authorization="Bearer wrong")).status == 404
    assert (await far.get("/status", authorization="Bearer a-token")).status == 200
    proxied = town.browser()
    assert (await proxied.get("/status", **{"x-forwarded-for": "127.0.0.1"})).status == 404
