"""A browser without a window: pages are asked for in process, cookies kept, forms filled in as they stand."""

from __future__ import annotations

from contextlib import asynccontextmanager
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from argon2 import PasswordHasher

from bazi_hub.calls.hub import Hub
from bazi_hub.http.app import create_app
from bazi_hub.money.limits import MemoryLimits
from bazi_hub.operate.composition import Composition
from bazi_hub.operate.config import configured
from bazi_hub.pages import pages
from bazi_hub.people.identity import Identity, Secrets
from bazi_hub.people.passwords import Passwords
from bazi_hub.store.memory.storage import MemoryStorage
from bazi_hub.store.postgres.limits import PostgresLimits
from bazi_hub.testing import FakeClock, FakeIds
from tests.hub.client import Connection, Response
from tests.hub.stories import story_in
from tests.hub.worlds import Voices

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

HOME = "http://localhost"
EMAIL, PASSWORD = "reader@example.org", "correct horse battery"
BIRTH = {
    "cal": "solar", "y": "1990", "m": "5", "d": "15", "h": "13", "i": "30", "place": "Beijing", "g": "male",
    "school": "", "basis": "", "turn": "", "zi": "", "lon": "", "lat": "", "tz": "",
}  # fmt: skip
# Where the form leads to.
CHART = "/chart?t=1990-05-15T13:30&p=cn:110000&g=m"
SECRETS = Secrets(b"p" * 32, b"s" * 32)
# The least that argon2 does; how long a password takes is not what these tests are about.
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Town:
    """A hub with its pages, on stores in memory or on those of a worker."""

    def __init__(
        self, reader: Any = None, foreign: Any = None, root: str = "", pace: Any = None, storage: Any = None,
        **settings: str,
    ) -> None:  # fmt: skip
        self.voices, self.reader = Voices(), reader
        self.public = settings.get("public_url")
        self.clock = storage.database.clock if storage else FakeClock()
        self.ids = storage.database.ids if storage else FakeIds()
        named = {f"BAZI_HUB_{name.upper()}": str(value) for name, value in settings.items()}
        config = configured(named)
        self.storage = storage or MemoryStorage(self.clock, self.ids)
        self.limits = PostgresLimits(storage) if storage else MemoryLimits(self.clock)
        self.passwords = Passwords(QUICK)
        self.hub = Hub(
            config.settings(), storage=self.storage, limits=self.limits, reader=reader,
            clock=self.clock, ids=self.ids, telemetry=self.voices,
        )  # fmt: skip
        identity = Identity(
            self.storage, SECRETS, clock=self.clock, ids=self.ids, telemetry=self.voices, foreign=foreign
        )
        self.composition = Composition(config, self.hub, identity, self.passwords, self.limits, self.voices)
        self.app = create_app(self.hub, identity, routes=pages(self.composition, pace=pace))
        self.root = root

    def browser(self, **options: Any) -> Browser:
        return Browser(self, **options)

    async def member(self, email: str = EMAIL, **options: Any) -> Browser:
        """Somebody who signed up and is signed in."""
        browser = self.browser(**options)
        page = await browser.post("/signup", {"email": email, "password": PASSWORD})
        assert page.status == 303, page.text
        return browser

    @property
    def rows(self) -> Any:
        return self.storage.tables


class Shown(HTMLParser):
    """What a page says: its forms with their fields, its links, its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        # Whether the next option is the first of its select.
        self.first = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "form":
            self.forms.append({"action": found.get("action"), "method": found.get("method"), "fields": {}})
        elif tag in ("input", "textarea", "select", "button") and self.forms and found.get("name"):
            usual = found.get("type") not in ("radio", "checkbox") and tag != "button"
            if usual or "checked" in found:
                self.forms[-1]["fields"][found["name"]] = found.get("value") or ""
                self.first = tag == "select"
        elif tag == "option" and (self.first or "selected" in found):
            select = next(reversed(self.forms[-1]["fields"]))
            self.forms[-1]["fields"][select] = found.get("value") or ""
            self.first = False
        elif tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


class Seen:
    """A response as a person sees it."""

    def __init__(self, response: Any) -> None:
        self.status, self.headers = response.status, response.headers
        self.text = response.body.decode()
        self.shown = Shown(self.text)

    @classmethod
    def of(cls, text: str) -> Seen:
        """A page that came as an event."""
        return cls(Response(200, {}, [text.encode()]))

    @property
    def to(self) -> str:
        return self.headers.get("location", "")

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.shown.words).split())

    def form(self, action: str) -> dict[str, str]:
        """The fields of the form that goes there."""
        return dict(next(form for form in self.shown.forms if form["action"].endswith(action))["fields"])


class Browser:
    """Keeps its cookie and sends its origin, as browsers do."""

    def __init__(
        self, town: Town, address: str = "127.0.0.1", language: str = "en", home: str = HOME
    ) -> None:
        self.town, self.address, self.language, self.home = town, address, language, home
        self.cookie: str | None = None
        self.device: str | None = None
        self.set_cookie = ""

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> Seen:
        response = await self.asking(method, path, body, headers).run()
        self._keep(response)
        return Seen(response)

    def asking(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> Connection:
        """A request that is still to be sent."""
        parts = urlsplit(path)
        sent = {
            "host": urlsplit(self.home).netloc,
            "accept-language": self.language,
            "cookie": self._cookies,
            **(headers or {}),
        }
        return Connection(
            self.town.app, self.town.root + parts.path, body, method, sent, client=(self.address, 5000),
            scheme=urlsplit(self.home).scheme, query_string=parts.query.encode(), root_path=self.town.root,
        )  # fmt: skip

    @property
    def _cookies(self) -> str:
        host_only = "__Host-" if (self.town.public or self.home).startswith("https:") else ""
        kept = {"session": self.cookie, "device": self.device}
        return "; ".join(f"{host_only}bazi_{name}={value}" for name, value in kept.items() if value)

    def _keep(self, response: Any) -> None:
        for line in response.cookies:
            name, _, rest = line.partition("=")
            value = rest.partition(";")[0].strip('"') or None
            if name.endswith("bazi_session"):
                self.set_cookie, self.cookie = line, value
            elif name.endswith("bazi_device"):
                self.device = value
            else:
                self.set_cookie = line

    async def get(self, path: str, **headers: str) -> Seen:
        return await self.ask("GET", path, headers=headers)

    async def post(self, path: str, fields: dict[str, str] | None = None, **headers: str) -> Seen:
        """A form of this site, sent from it."""
        return await self.ask("POST", path, *self._sent(fields or {}, headers))

    def posting(self, path: str, fields: dict[str, str], **headers: str) -> Connection:
        return self.asking("POST", path, *self._sent(fields, headers))

    def _sent(self, fields: dict[str, str], headers: dict[str, str]) -> tuple[bytes, dict[str, str]]:
        said = {"origin": self.home, "content-type": "application/x-www-form-urlencoded"}
        return urlencode(fields).encode(), {**said, **headers}

    async def submit(self, page: str, action: str, /, **fields: str) -> Seen:
        """The form of a page, with what a person fills in."""
        form = (await self.get(page)).form(action)
        return await self.post(action, {**form, **fields})

    async def cast(self, **changed: str) -> Seen:
        """The page of the birth, or what is asked instead, as the form leads to it."""
        asked = await self.get(f"/chart?{urlencode({**BIRTH, **changed})}")
        return await self.get(asked.to.removeprefix(self.town.root)) if asked.status == 303 else asked

    async def chart_form(self, **changed: str) -> dict[str, str]:
        """The fields with which the page of the birth saves it."""
        return {**(await self.cast(**changed)).form("/c"), "then": ""}

    async def saved_chart(self) -> str:
        """The path of a chart that this person keeps."""
        kept = await self.post("/c", await self.chart_form())
        assert kept.status == 303, kept.text
        return kept.to


@asynccontextmanager
async def town(**options: Any) -> AsyncIterator[Town]:
    made = Town(**options)
    try:
        yield made
        assert await made.storage.ledger.verify() == []
    finally:
        await made.hub.close(0)
        made.passwords.close()


# A test in a new town.
in_town = story_in(town)


def visits(story: Callable[[Town], Awaitable[None]], **options: Any) -> None:
    """Plays a story in a new town."""
    in_town(story, **options)()
