"""The pages of a hub as they come over HTTP: `python -m benchmarks.hub_pages [SECONDS [PAGE ...]]`.

Each page is asked for by one reader who does not pause, by sixteen who look at it for a second before they ask again, and by
sixteen who do not. The static style is asked for in the same way beside them: what it takes is the way there, so that the
ratio to it hardly depends on the machine. The processor time is that of the server for one page, which other programs beside
it change least (Linux). The hub is one process with a database of its own; the chart, the readings and the
cast are made before, as a member makes them.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import urllib.parse
import urllib.request
from datetime import date, timedelta
from http.cookiejar import CookieJar
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.hub_http import Server

READERS, PAUSE_S = 16, 1.0
QUERY = "t=1990-05-15T13:30&p=cn:110000&g=m"
# More than are answered in one measurement.
BIRTHS, FIRST_BIRTH, DAYS = 1_500, date(1930, 1, 1), 30_000
BOARD = "lines=798977&at=2026-04-03T20:30:00%2B08:00"
# Without an account.
OPEN = {
    "birth": "/",
    "chart": "/chart?t={day}T{time}&p=cn:110000&g={gender}",
    "chart, no hour": "/chart?t={day}&p=cn:110000&g={gender}",
    "chart, pillars": "/p/" + urllib.parse.quote("庚午-辛巳-庚辰-壬午") + "/m",
    "years": "/years?t={day}T{time}&p=cn:110000&g={gender}",
    "year": "/year?t={day}T{time}&p=cn:110000&g={gender}&year=2027",
    "places": "/places?place=chaoyang",
    "six lines": "/liuyao",
    "board": f"/liuyao/board?{BOARD}",
    "almanac month": "/almanac?m=2026-10",
    "almanac day": "/almanac/day?d=2026-10-08",
    "almanac days": "/almanac/days?p=" + urllib.parse.quote("搬家") + "&a=2026-12-01&b=2027-01-15",
    "forum": "/forum",
    "sign in": "/login",
    "api": "/docs/api",
}


class Births:
    """Births without end, no two on one day; by day, when no clock was put forward or back."""

    def __init__(self) -> None:
        self._numbers = count()

    def addresses(self, path: str) -> list[str]:
        """The addresses of a page, each with the next birth; one for a page without a birth."""
        if "{day}" not in path:
            return [path]
        return [path.format(**self._birth(next(self._numbers))) for _ in range(BIRTHS)]

    def _birth(self, number: int) -> dict[str, str]:
        assert number < DAYS
        # Prime to the number of days, so that all are taken before one comes again.
        day = FIRST_BIRTH + timedelta(days=number * 7_919 % DAYS)
        return {
            "day": str(day),
            "time": f"{8 + number % 12:02}:{number * 7 % 60:02}",
            "gender": "mf"[number % 2],
        }


class Member:
    """Somebody who signs up and keeps something, by the forms of the pages."""

    def __init__(self, port: int) -> None:
        self.home = f"http://localhost:{port}"
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.send("/signup", email="reader@example.org", password="seven quiet herons wade")

    def get(self, path: str) -> tuple[str, str]:
        """The text of a page, and the path at which it stands in the end."""
        with self._opener.open(self.home + path, timeout=60) as answer:
            return answer.read().decode(), answer.url.removeprefix(self.home)

    def send(self, path: str, **fields: str) -> tuple[str, str]:
        body, headers = urllib.parse.urlencode(fields).encode(), {"Origin": self.home}
        request = urllib.request.Request(self.home + path, body, headers)
        with self._opener.open(request, timeout=60) as answer:
            return answer.read().decode(), answer.url.removeprefix(self.home)

    def fill(self, page: str, to: str, **fields: str) -> str:
        """Sends what is hidden in a page with what is filled in, and says where that leads."""
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.get(page)[0]))
        return self.send(to, **{**hidden, **fields})[1]

    def pages(self) -> dict[str, str]:
        """What a member has, each at its path."""
        chart = self.fill(f"/chart?{QUERY}", "/c", then="")
        offers = f"{chart}/reading"
        life, year = (
            self.fill(offers, offers, buy=kind, kind=kind, target_year="2027") for kind in ("life", "year")
        )
        drawn = {
            "words": "paper",
            "place": "London",
            "how": "coins",
            "question": "Should I take this new job?",
        }
        cast = self.fill("/liuyao", "/liuyao", **drawn)
        return {
            "kept": "/c", "kept chart": chart, "offers": offers, "reading": life, "reading of a year": year,
            "kept cast": cast, "billing": "/billing", "account": "/account",
        }  # fmt: skip

    @property
    def cookie(self) -> dict[str, str]:
        return {"cookie": "; ".join(f"{each.name}={each.value}" for each in self.jar)}


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    directory = Path(tempfile.mkdtemp())
    server = Server("pages", str(directory / "hub.sqlite3"))
    try:
        member = Member(server.port)
        style = re.findall(r'"(/static/style[^"]+)"', member.get("/")[0])[0]
        asked: dict[str, tuple[str, dict[str, str]]] = {
            "style": (style, {}),
            **{name: (path, {}) for name, path in OPEN.items()},
        }
        asked |= {name: (path, member.cookie) for name, path in member.pages().items()}
        asked = {
            name: each for name, each in asked.items() if not sys.argv[2:] or name in ("style", *sys.argv[2:])
        }
        head = f"{'page':20} {'processor':>10} {'alone p50':>10} {'p95':>8} {'× style':>8}"
        print(f"{head} {'16 readers p50':>15} {'p95':>8} {'16 at once':>11}")
        least = None
        births = Births()
        for name, (path, headers) in asked.items():
            with_language = {"accept-language": "en", **headers}

            def load(
                during: float, *how: Any, path: str = path, headers: dict[str, str] = with_language
            ) -> Any:
                asking = [
                    {"method": "GET", "path": each, "headers": headers} for each in births.addresses(path)
                ]
                return server.load(asking, during, *how)

            load(1.0, 1)
            before = _processor_ms(server)
            alone = load(seconds, 1)
            used = (_processor_ms(server) - before) / (alone["rate"] * seconds)
            read, once = (load(seconds, *how) for how in ((READERS, PAUSE_S), (READERS,)))
            least = least or alone["p50_ms"]
            print(_row(name, used, alone, read, once, least), flush=True)
    finally:
        server.stop()
        shutil.rmtree(directory, ignore_errors=True)


def _processor_ms(server: Server) -> float:
    """What the process of a server has used of processors so far."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _row(
    name: str, used: float, alone: dict[str, Any], read: dict[str, Any], once: dict[str, Any], least: float
) -> str:
    return (
        f"{name:20} {used:7.1f} ms {alone['p50_ms']:7.1f} ms {alone['p95_ms']:5.1f} ms {alone['p50_ms'] / least:8.1f}"
        f" {read['p50_ms']:12.1f} ms {read['p95_ms']:5.1f} ms {once['rate']:9,.0f}/s"
    )


if __name__ == "__main__":
    main()
