"""The clocks of a birth: a dot for each reading, the double hour that counts shaded, edges where they are."""

import pytest

import bazi_core as bz
from bazi_core.errors import BirthRequired
from bazi_core.pictures import clock
from bazi_core.pictures.kit import THEMES, colors
from bazi_core.tables.words import LANGUAGES
from tests.core.pictures.drawn import SVG, chart, check, inside, texts

SEAL, WASH = colors("light")["seal"], colors("light")["wash"]


def dots(root):
    return [(float(each.attrib["cx"]), each.attrib["fill"]) for each in root.iter(f"{SVG}circle")]


def shade(root):
    [found] = [each.attrib for each in root.iter(f"{SVG}rect") if each.attrib["fill"] == WASH]
    return float(found["x"]), float(found["x"]) + float(found["width"])


@pytest.mark.parametrize(
    ("when", "where"),
    [
        ("1990-05-15 13:30", {"city": "北京"}),
        ("1995-05-15 00:10", {"city": "喀什"}),
        ("1995-05-15 23:50", {"city": "New York"}),
        ("1850-05-15 12:00", {"city": "London"}),
        ("1990-05-15 13:30", {"utc_offset": 8}),
        ("1990-05-15 13:30", {"longitude": 179.9, "tz": "UTC-12"}),
        ("1990-05-15 午时", {"city": "北京"}),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_clocks_of_every_birth_are_drawn_whole(when, where, lang):
    own = bz.chart(when, **where)
    for theme in THEMES:
        root = check(own.svg(lang, theme, part="clock"))
        inside(root)
        assert len(dots(root)) == len(own.moment.steps()) - 1
        wide = float(root.attrib["viewBox"].split()[2])
        assert all(0 <= x <= wide for x, _ in dots(root))


def test_every_clock_has_its_reading_and_what_moved_it():
    found = texts(check(clock.drawing(chart())))
    for name, shown, moved in (
        ("钟表", "13:30:00", None),
        ("标准时", "12:30:00", "夏令时 -1:00:00"),
        ("平太阳时", "12:15:37", "经度116.407E，-14:22"),
        ("真太阳时", "12:19:20", "均时差+3:42"),
    ):
        at = found.index(name)
        assert found[at + 1] == shown
        assert moved is None or found[at + 2] == moved
    assert "世界时" not in found


def test_the_dot_that_counts_lies_in_the_double_hour_that_is_shaded_and_the_clock_beside_it():
    root = check(clock.drawing(chart()))
    left, right = shade(root)
    xs = [x for x, _ in dots(root)]
    assert left < xs[-1] < right < xs[0]
    assert [fill == SEAL for _, fill in dots(root)] == [False, False, False, True]
    found = texts(root)
    assert {"午时", "未时", "13:00"} <= {*found}
    by_clock = bz.chart("1990-05-15 13:30", city="北京", school=bz.School(time_basis="civil"))
    root = check(clock.drawing(by_clock))
    left, right = shade(root)
    assert left < dots(root)[0][0] < right
    assert [fill == SEAL for _, fill in dots(root)] == [True, False, False, False]


def test_readings_stand_as_far_from_each_other_as_their_clocks():
    root = check(clock.drawing(chart()))
    civil, standard, mean, true = (x for x, _ in dots(root))
    hour = civil - standard
    assert (standard - mean) / hour == pytest.approx(862.262 / 3600, abs=0.005)
    assert (true - mean) / hour == pytest.approx(222.485 / 3600, abs=0.005)


@pytest.mark.parametrize(
    ("time", "hours"),
    [
        ("22:59", {"亥时", "子时"}),
        ("23:00", {"亥时", "子时"}),
        ("00:59", {"子时", "丑时"}),
        ("12:00", {"午时"}),
    ],
)
def test_double_hours_begin_at_odd_hours_of_the_clock(time, hours):
    found = texts(check(clock.drawing(bz.chart(f"1990-05-15 {time}", utc_offset=8))))
    assert {each for each in found if each[0] in "子丑寅卯辰巳午未申酉戌亥" and each[1:] == "时"} == hours
    assert "夏令时" not in "".join(found)


def test_the_description_says_all_of_it():
    told = check(clock.drawing(chart(), "en")).findtext(f"{SVG}desc")
    assert "Mean solar, 1990-05-15 12:15:37, longitude 116.407E, -14:22." in told
    assert told.endswith("The hour by True solar: Horse (午).")


@pytest.mark.parametrize("kind", ["no hour", "pillars"])
def test_a_chart_without_a_moment_has_no_clocks(kind):
    with pytest.raises(BirthRequired) as refused:
        chart(kind).svg(part="clock")
    assert refused.value.data["missing"] == ["moment"]
