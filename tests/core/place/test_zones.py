"""Zones come from the wheel alone, by keys of its list, whatever the machine has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
import tzdata

from bazi_core.errors import ZoneUnknown
from bazi_core.place.zones import IANA_VERSION, canonical_key, keys, pre_1970_target, zone
from bazi_core.tables import rows
from tests.tables import holds_for_all

WHEEL = Path(tzdata.__file__).parent


def test_the_keys_are_those_of_the_wheel_and_each_can_be_opened():
    assert keys() == set((WHEEL / "zones").read_text(encoding="ascii").split())
    assert len(keys()) >= 598
    assert all(zone(key).key == key for key in keys())


def test_the_version_is_that_of_the_wheel():
    assert IANA_VERSION == tzdata.IANA_VERSION
    assert IANA_VERSION[:2] == "20"


@pytest.mark.parametrize("given", ["asia/shanghai", "ASIA/SHANGHAI", "Asia/Shanghai"])
def test_upper_and_lower_case_do_not_matter(given):
    assert canonical_key(given) == "Asia/Shanghai"


def test_no_two_keys_differ_by_case_only():
    assert len({key.casefold() for key in keys()}) == len(keys())


@pytest.mark.parametrize(
    "given",
    ["", " ", "Asia", "Asia/", "/Asia/Shanghai", "Asia/Shanghai/", "Asia\\Shanghai", "../../etc/passwd", "Asia/../UTC",
     "/etc/localtime", "Mars/Olympus", "Asia/Shanghai\x00", "zone.tab", "tzdata.zi", "\ud800", "亚洲/上海", "x" * 1_000_000],
    ids=lambda given: ascii(given)[:30],
)  # fmt: skip
def test_what_is_not_a_key_is_refused_before_anything_is_opened(given):
    for ask in (canonical_key, zone):
        with pytest.raises(ZoneUnknown) as caught:
            ask(given)
        data = caught.value.data
        assert data.keys() == {"value", "suggestions"}
        assert len(json.dumps(caught.value.to_dict(), ensure_ascii=False).encode()) < 2000


@pytest.mark.parametrize(
    ("given", "suggested"),
    [
        ("Asia/Shangai", "Asia/Shanghai"),
        ("shanghai", "Asia/Shanghai"),
        ("New York", "America/New_York"),
        ("Europe/Londn", "Europe/London"),
    ],
)
def test_close_keys_are_suggested(given, suggested):
    with pytest.raises(ZoneUnknown) as caught:
        canonical_key(given)
    assert suggested in caught.value.data["suggestions"]
    assert len(caught.value.data["suggestions"]) <= 5
    assert suggested in caught.value.hint


def test_a_zone_is_read_once():
    assert zone("Asia/Shanghai") is zone("Asia/Shanghai")


@pytest.mark.parametrize(
    ("key", "target"),
    [
        ("Europe/Amsterdam", "Europe/Brussels"),
        ("Europe/Oslo", "Europe/Berlin"),
        ("Asia/Harbin", "Asia/Shanghai"),
        ("Asia/Chongqing", "Asia/Shanghai"),
        ("Asia/Chungking", "Asia/Shanghai"),
        ("Asia/Kashgar", "Asia/Urumqi"),
        ("Asia/Shanghai", None),
        ("Asia/Urumqi", None),
        ("Europe/Brussels", None),
        ("America/New_York", None),
        ("UTC", None),
    ],
)
def test_zones_without_a_history_of_their_own_before_1970_name_the_one_they_show(key, target):
    assert pre_1970_target(key) == target


@pytest.mark.exhaustive
def test_106_zones_and_four_old_chinese_ones_show_the_history_of_another():
    merged = {key for key in keys() if pre_1970_target(key)}
    listed = {line.split("\t")[2].strip() for line in _lines("zone.tab")} - {
        line.split("\t")[2].strip() for line in _lines("zone1970.tab")
    }
    assert len(listed) == 106
    assert merged == listed | {"Asia/Harbin", "Asia/Chongqing", "Asia/Chungking", "Asia/Kashgar"}


def _lines(name: str) -> list[str]:
    lines = (WHEEL / "zoneinfo" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_another_database_on_the_machine_changes_nothing(tmp_path):
    for folder in ("Asia", "Europe"):
        (tmp_path / folder).mkdir()
    # A machine on which Shanghai keeps the clock of Tokyo.
    shutil.copy(WHEEL / "zoneinfo" / "Asia" / "Tokyo", tmp_path / "Asia" / "Shanghai")
    code = (
        "import zoneinfo; from datetime import datetime; import bazi_core as bz; "
        "print(zoneinfo.ZoneInfo('Asia/Shanghai').utcoffset(datetime(2000, 1, 1)), "
        "*(bz.moment('2000-01-01 12:00', **where).utc_offset_s for where in ({'tz': 'Asia/Shanghai'}, {'city': '上海'})))"
    )
    environment = {**os.environ, "PYTHONTZPATH": str(tmp_path), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.split() == ["9:00:00", "28800", "28800"]


def test_the_oldest_and_the_farthest_readings_have_an_offset():
    for year in (1, 1900, 9999):
        assert all(
            zone(key).utcoffset(datetime(year, 6, 1)) is not None
            for key in ("Asia/Shanghai", "UTC", "America/New_York")
        )


@holds_for_all(
    "given, key",
    [("GMT+8", "UTC+08:00"), ("utc+8", "UTC+08:00"), ("GMT+08:00", "UTC+08:00"), ("UTC-3:30", "UTC-03:30"),
     ("+08:00", "UTC+08:00"), ("-0330", "UTC-03:30"), ("UTC +8", "UTC+08:00"), ("ＵＴＣ＋８", "UTC+08:00"),
     ("\u22125", "UTC-05:00"), ("东八区", "UTC+08:00"), ("西十一區", "UTC-11:00"), ("UTC+0", "UTC"), ("GMT+0", "GMT+0"),
     ("+08:05:43", "UTC+08:05:43"), ("Etc/GMT+8", "Etc/GMT+8")],
)  # fmt: skip
def test_an_offset_counts_hours_east_as_every_user_means_it(given, key):
    assert canonical_key(given) == canonical_key(key) == key


def test_a_clock_of_one_offset_stands_there_for_ever():
    clock = zone("UTC-03:30")
    assert {datetime(year, 7, 1, tzinfo=clock).isoformat()[19:] for year in (1800, 1990, 2400)} == {"-03:30"}


@holds_for_all(
    "given", ["UTC+17", "GMT+25", "UTC+8:75", "UTC8", "8", "+", "UTC+", "GMT+8+8", "东十三区", "Etc/GMT+99"]
)
def test_what_no_clock_stands_at_is_refused_and_no_inverted_zone_suggested(given):
    with pytest.raises(ZoneUnknown) as caught:
        canonical_key(given)
    assert not [each for each in caught.value.data["suggestions"] if each.startswith("Etc/GMT")]


@holds_for_all(
    "given, meant",
    [("China Standard Time", ["Asia/Shanghai"]), ("Beijing Time", ["Asia/Shanghai"]), ("北京时间", ["Asia/Shanghai"]),
     ("eastern  standard time", ["America/New_York"]), ("JST", ["Asia/Tokyo"]),
     ("Tokyo Standard Time", ["Asia/Tokyo"]), ("W. Europe Standard Time", ["Europe/Berlin"]),
     ("CST", ["Asia/Shanghai", "America/Chicago", "Asia/Taipei", "America/Havana"]),
     ("IST", ["Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"]), ("Asia/Beijing", ["Asia/Shanghai"]),
     ("UTC8", ["UTC+8", "UTC-8"]), ("GMT 5:30", ["UTC+5:30", "UTC-5:30"]), ("8", ["UTC+8", "UTC-8"])],
)  # fmt: skip
def test_a_name_that_people_call_a_zone_is_refused_with_all_that_it_may_mean(given, meant):
    with pytest.raises(ZoneUnknown) as caught:
        canonical_key(given)
    assert caught.value.data["suggestions"] == meant
    assert meant[0] in caught.value.hint


def test_an_abbreviation_that_the_database_keeps_for_old_programs_asks_too():
    with pytest.raises(ZoneUnknown) as caught:
        canonical_key("EST")
    assert caught.value.data["suggestions"][0] == "America/New_York"


def test_every_name_means_zones_of_the_database_that_stand_for_a_place():
    named = [key for row in rows("zone_names") for key in row["zones"].split()]
    assert {*named} <= keys()
    assert all("/" in key and not key.startswith("Etc/") for key in named)
    folded = [row["name"].casefold() for row in rows("zone_names")]
    assert len(folded) == len({*folded})
