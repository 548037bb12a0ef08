"""The history: days as clocks show them, pages that neither skip nor repeat."""

from __future__ import annotations

from datetime import date

import pytest

from bazi_hub.divination.days import BadDay, BadTimezone, bounds, day_of, instant_ms, iso, zone
from tests.hub.divination.runworld import HISTORY, OTHER_THREAD, PAYLOAD, THREAD, Model, Web, body, in_web
from tests.tables import holds_for_all

HOUR = 3_600_000
DAYS = [
    # day, zone, first instant, hours
    ("2026-04-05", "UTC", "2026-04-05T00:00:00Z", 24),
    ("2026-04-05", "Asia/Kolkata", "2026-04-04T18:30:00Z", 24),
    ("2026-04-05", "+05:30", "2026-04-04T18:30:00Z", 24),
    ("2026-04-05", "-16:00", "2026-04-05T16:00:00Z", 24),
    ("2026-03-08", "America/New_York", "2026-03-08T05:00:00Z", 23),
    ("2026-11-01", "America/New_York", "2026-11-01T04:00:00Z", 25),
    ("2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00Z", 24),
    ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z", 0),
    ("2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z", 24),
    # Clocks that change at midnight: Cairo's day begins at one, Havana's midnight comes twice.
    ("2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00Z", 23),
    ("2026-11-01", "America/Havana", "2026-11-01T04:00:00Z", 25),
]


@holds_for_all("day, tz, begin, hours", DAYS)
def test_a_day_is_as_long_as_its_clocks_say(day: str, tz: str, begin: str, hours: int) -> None:
    since, until = bounds(date.fromisoformat(day), zone(tz))
    assert since == instant_ms(begin)
    assert (until - since) / HOUR == hours


@pytest.mark.parametrize(("day", "tz", "begin", "hours"), [row for row in DAYS if row[3]])
@in_web
async def test_the_history_of_a_day_begins_and_ends_with_it(
    web: Web, day: str, tz: str, begin: str, hours: int
) -> None:
    start = instant_ms(begin)
    for number, at in enumerate((start - 1, start, start + hours * HOUR - 1, start + hours * HOUR)):
        web.clock.advance((at - web.clock.now_ms()) / 1000)
        assert web.clock.now_ms() == at
        await web.submit(body(run=f"r{number}"))
        await web.settled(run=f"r{number}")
    found = await web.history(f"?day={day}&tz={tz.replace('+', '%2B')}")
    assert {one["runId"] for one in found["messages"]} == {"r1", "r2"}
    assert found["day"] == day


@in_web
async def test_the_day_of_a_thread_is_that_of_its_client(web: Web) -> None:
    # 2026-03-01T12:34:10Z is the second of March on Kiritimati.
    await web.submit(
        body(
            client_time={
                "device_timezone": "Pacific/Kiritimati",
                "client_now_iso": "2026-03-02T02:34:10+14:00",
                "client_epoch_ms": 1772368450000,
            }
        )
    )
    await web.settled()
    of_thread = await web.history(f"?threadId={THREAD}&day=2026-03-02")
    assert len(of_thread["messages"]) == 2
    assert (await web.history("?day=2026-03-02"))["messages"] == []
    assert len((await web.history("?day=2026-03-01"))["messages"]) == 2
    assert (await web.history(f"?threadId={THREAD}&day=2026-03-02&tz=UTC"))["messages"] == []


@holds_for_all(
    "query, code, pointer",
    [
        ("?day=2026-02-30", "INVALID_DAY", "/day"),
        ("?day=20260301", "INVALID_DAY", "/day"),
        ("?day=", "INVALID_DAY", "/day"),
        ("?day=9999-12-31&tz=-05:00", "INVALID_DAY", "/day"),
        ("?day=2026-W01-1", "INVALID_DAY", "/day"),
        ("?tz=Mars", "INVALID_TIMEZONE", "/tz"),
        ("?tz=", "INVALID_TIMEZONE", "/tz"),
        ("?tz=%2B17:00", "INVALID_TIMEZONE", "/tz"),
        ("?before=x", "INVALID_PAYLOAD", "/before"),
        ("?limit=x", "INVALID_PAYLOAD", "/limit"),
        ("?limit=1.5", "INVALID_PAYLOAD", "/limit"),
        ("?threadId=x", "INVALID_PAYLOAD", "/threadId"),
    ],
)
@in_web
async def test_a_parameter_that_means_nothing_is_refused(
    web: Web, query: str, code: str, pointer: str
) -> None:
    refused = await web.ask("GET", HISTORY + query)
    assert (refused.status, refused.json["code"]) == (422, code)
    assert [one["pointer"] for one in refused.json["params"]["errors"]] == [pointer]


@in_web
async def test_an_unencoded_plus_of_an_offset_is_read_as_one(web: Web) -> None:
    await web.submit()
    await web.settled()
    assert len((await web.history("?day=2026-03-02&tz=+14:00"))["messages"]) == 2


@in_web
async def test_limits_are_clamped_and_pages_meet(web: Web) -> None:
    for number in range(30):
        thread = (THREAD, OTHER_THREAD)[number % 2]
        await web.submit(body(thread=thread, run=f"r{number}"))
        await web.settled(thread, f"r{number}")
    assert len((await web.history())["messages"]) == 50
    assert (await web.history())["hasMore"] is True
    assert len((await web.history("?limit=1000"))["messages"]) == 60
    assert len((await web.history("?limit=0"))["messages"]) == 1
    assert len((await web.history("?limit=-3"))["messages"]) == 1
    seen: list[int] = []
    query = f"?threadId={THREAD}&limit=7"
    page = await web.history(query)
    extra = 30
    while True:
        seen += [one["seq"] for one in page["messages"]]
        if not page["hasMore"]:
            break
        await web.submit(body(run=f"r{extra}"))
        await web.settled(run=f"r{extra}")
        extra += 1
        page = await web.history(f"{query}&before={seen[-1]}")
    assert len(seen) == len(set(seen)) == 30
    assert seen == sorted(seen, reverse=True)


@in_web
async def test_a_thread_that_is_not_there_is_missing_and_one_without_matches_is_empty(web: Web) -> None:
    missing = await web.ask("GET", f"{HISTORY}?threadId={THREAD}")
    assert (missing.status, missing.json["code"]) == (404, "THREAD_NOT_FOUND")
    assert await web.history() == {
        "scope": "history_day", "threadId": None, "day": None, "hasMore": False, "messages": [],
    }  # fmt: skip
    await web.submit()
    await web.settled()
    empty = await web.history(f"?threadId={THREAD}&day=2020-01-01")
    assert (empty["messages"], empty["hasMore"]) == ([], False)


@in_web(reader=Model)
async def test_what_is_asked_in_distress_is_answered_without_a_divination(web: Web) -> None:
    await web.submit(body(payload=PAYLOAD | {"question": "我不想活了，该怎么办？"}))
    ended = await web.settled()
    assert (ended["status"], ended["credits_deducted"]) == ("succeeded", 0)
    assert await web.money() == (1000, 0)
    assert web.reader.asked == []
    output = (await web.history())["messages"][0]["agent_output"]
    assert output["status"] == "declined"
    assert "sign_level" not in output
    assert [output[name] for name in ("conclusion", "focus_points", "advice", "keywords")] == [[]] * 4
    assert "电话" in output["answer"]
    end = (await web.stream()).events[-3]
    assert "sign_level" not in end
    assert end["answer"] == output["answer"]


def test_texts_that_are_no_days_zones_or_instants_are_refused() -> None:
    for text in ("2026-1-1", "２０２６-01-01", "x"):
        with pytest.raises(BadDay):
            day_of(text)
    for text in ("posixrules", "Asia", "UTC+8", "+24:00"):
        with pytest.raises(BadTimezone):
            zone(text)
    assert iso(0) == "1970-01-01T00:00:00+00:00"
