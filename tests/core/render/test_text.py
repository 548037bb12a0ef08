"""The printed chart: what it shows for each kind of birth, in each language, at each width."""

import re
from itertools import islice, product
from random import Random

import pytest

import bazi_core as bz
from bazi_core.alphabet import PILLARS, Pillar
from bazi_core.pillars import FourPillars
from bazi_core.render import sheet
from bazi_core.render.markdown import chart_markdown
from bazi_core.render.meaning import meaning, relation_text
from bazi_core.render.sheet import luck_line
from bazi_core.render.text import chart_text
from bazi_core.render.width import width
from bazi_core.school import OPTIONS, YONG_WEIGHTS
from bazi_core.tables.words import LANGUAGES, label, term
from bazi_core.views.relations import RANKS, relations, relations_with
from tests.sizes import sizes
from tests.tables import holds_for_all

CHARTS = {
    "born": {"when": "1990-05-15 13:30", "city": "北京", "gender": "male"},
    "no_gender": {"when": "2024-02-04 16:27:00", "city": "上海"},
    "no_hour": {"when": "1990-05-15", "hour_unknown": True, "city": "喀什", "gender": "female"},
    "double_hour": {"when": "1930-05-05 午时", "city": "昆明", "gender": "female"},
    "lunar": {"when": "农历1914年十月初一 子时", "city": "纽约", "gender": "male"},
    "future": {"when": "2150-01-01 00:01", "city": "西安", "gender": "female"},
    "old": {"when": "1600-06-01 12:00", "longitude": 116.4, "tz": "Asia/Shanghai", "gender": "male"},
    "no_place": {"when": "1990-05-15 13:30+08:00", "gender": "male"},
    "pillars": {"pillars": "庚午 辛巳 庚辰 壬午", "gender": "female"},
    "three_pillars": {"pillars": "庚午 辛巳 庚辰"},
}
CJK = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(params=CHARTS)
def chart(request):
    return bz.chart(**CHARTS[request.param])


def born(**more):
    return bz.chart(**{**CHARTS["born"], **more})


@holds_for_all("lang", LANGUAGES)
def test_every_chart_fits_eighty_columns_and_its_tables_align(chart, lang):
    lines = chart_text(chart.pattern(), lang).splitlines()
    assert max(map(width, lines)) <= 80
    for block in re.split(r"\n(?!│|├|└)", "\n".join(lines)):
        if block.startswith("┌"):
            assert len({width(line) for line in block.splitlines()}) == 1


@holds_for_all("lang, columns", product(LANGUAGES, [40, 47, 60, 79, 81, 100, 120]))
def test_other_displays_are_kept_to(chart, lang, columns):
    assert max(map(width, chart_text(chart.pattern(), lang, columns=columns).splitlines())) <= columns


def test_below_forty_columns_nothing_gets_narrower(chart):
    assert chart_text(chart.pattern(), columns=1) == chart_text(chart.pattern(), columns=40)


def test_beyond_120_columns_nothing_gets_wider(chart):
    assert chart_text(chart.pattern(), columns=200) == chart_text(chart.pattern(), columns=120)


def test_no_line_ends_with_a_space(chart):
    assert not re.search(r" $", chart_text(chart.pattern()), re.MULTILINE)


@holds_for_all("lang", LANGUAGES)
def test_colour_changes_nothing_but_colour(chart, lang):
    plain = chart_text(chart.pattern(), lang)
    assert re.sub(r"\x1b\[[0-9;]*m", "", chart_text(chart.pattern(), lang, color=True)) == plain
    assert "\x1b" not in plain


def test_each_element_has_its_colour():
    told = chart_text(bz.chart(pillars="甲子 丙寅 戊辰 庚申").pattern(), color=True)
    for shown in ("\x1b[32m甲木", "\x1b[31m丙火", "\x1b[33m戊土", "\x1b[1m庚金", "\x1b[94m子水"):
        assert shown in told


def test_every_stem_and_branch_stands_beside_its_element(chart):
    told = chart_text(chart.pattern())
    for _, pillar in chart.pillars.items():
        assert f"{pillar.stem}{pillar.stem.element}" in told
        assert f"{pillar.branch}{pillar.branch.element}" in told


def test_columns_run_from_year_to_hour():
    row = next(line for line in chart_text(born().pattern()).splitlines() if "年柱" in line)
    assert re.findall(r"[年月日时]柱", row) == ["年柱", "月柱", "日柱", "时柱"]


def test_the_time_trace_names_the_clock_that_decides():
    told = chart_text(born().pattern())
    assert "真太阳时  1990-05-15 12:19:20  均时差+3:42  定日柱时柱" in told
    civil = chart_text(born(school=bz.School(time_basis="civil")).pattern())
    assert "定日柱时柱" in next(line for line in civil.splitlines() if line.startswith("钟表"))


def test_both_jie_are_told_with_their_distance():
    told = chart_text(born().pattern())
    assert "1990-05-06 03:35:25  立夏，已过9天9小时54分" in told
    assert "1990-06-06 07:46:18  芒种，还有21天18小时16分" in told


def test_an_unknown_hour_is_called_unknown_and_has_no_clocks():
    told = chart_text(bz.chart(**CHARTS["no_hour"]).pattern())
    assert told.count("│ 未知") == 2
    assert "1990-05-15  时辰未知" in told
    assert "真太阳时" not in told
    assert "命宫" not in told
    assert "日柱：己卯 00:00-02:52，庚辰 02:52-24:00" in told


def test_given_pillars_have_no_time_part_and_no_dates():
    told = chart_text(bz.chart(**CHARTS["pillars"]).pattern())
    assert "四柱直接给出" in told
    for absent in ("钟表", "农历", "起年", "exact_seconds"):
        assert absent not in told


def test_the_void_of_a_pillar_is_marked():
    assert "本支落空" in chart_text(bz.chart(pillars="己未 丙子 戊子 壬子").pattern())
    assert "本支落空" not in chart_text(born().pattern())


def test_the_school_names_what_differs_from_its_profile():
    told = chart_text(
        born(school=bz.School.named("ditiansui", day_boundary="00:00", xiaoyun="none")).pattern()
    )
    assert "流派  滴天髓；换日：00:00 换日（晚子时干从次日）；小运：不排\n" in told
    assert "流派  子平\n" in chart_text(born().pattern())


def test_the_late_hour_is_told_with_the_boundary_that_makes_it():
    school = bz.School(day_boundary="00:00", late_zi_hour_stem="same_day")
    assert dict(sheet.head(born(school=school), "en"))["School"] == (
        "Ziping (子平); day boundary: at 00:00 (late 子 hour by the same day)"
    )
    alone = bz.School(late_zi_hour_stem="same_day")
    assert dict(sheet.head(born(school=alone), "zh-Hans"))["流派"] == "子平；晚子时干：从当日"


@holds_for_all("lang", LANGUAGES)
def test_every_choice_of_the_school_is_told_in_words(lang):
    # Pillars alone have no clock, and the late hour is told with the boundary of the day.
    told_apart = ("time_basis", "late_zi_hour_stem")
    chosen = {name: values[-1] for name, values in OPTIONS.items() if name not in told_apart}
    school = bz.School(
        **chosen,
        boundary_window_s=30,
        yong_weights=dict.fromkeys(YONG_WEIGHTS, 0.9),
        star_variants={"天乙贵人": "geng_with_xin"},
    )
    told = dict(sheet.head(bz.chart(pillars="庚午 辛巳 庚辰 壬午", school=school), lang))[
        label("school", lang)
    ]
    assert told.count("；" if lang != "en" else "; ") == len(chosen) + 3
    assert "0.9" in told
    # A table of stars and a list of another program are called by their names.
    assert set(re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+", told)) == {"geng_with_xin", "china_testing"}


@holds_for_all("name, value", [(name, value) for name, values in OPTIONS.items() for value in values])
def test_every_value_of_every_option_has_its_words(name, value):
    assert all(
        label(kind, lang) for lang in LANGUAGES for kind in (f"choice.{name}", f"value.{name}.{value}")
    )


def test_ages_are_counted_as_the_school_counts_them():
    assert "│ 周岁 │ 7 " in chart_text(born().pattern())
    assert "│ 虚岁 │ 8 " in chart_text(born(school=bz.School(age_style="nominal")).pattern())


def test_what_the_ages_count_stands_below_them():
    assert "┘\n周岁：到那时已满的岁数。\n" in chart_text(born().pattern())
    nominal = born(school=bz.School(age_style="nominal")).pattern()
    assert "┘\n虚岁：出生之年为1岁，每过一年加1岁。\n" in chart_text(nominal)
    assert "\n\nFull age: years completed by then.\n" in chart_markdown(born().pattern(), "en")
    assert "周岁" not in chart_text(bz.chart(**CHARTS["pillars"]).pattern())


def test_both_animals_are_named_between_lichun_and_lunar_new_year():
    assert "龙（立春） / 兔（正月初一）" in chart_text(bz.chart("2024-02-05 12:00", city="北京").pattern())
    assert "生肖  马\n" in chart_text(born().pattern())


def test_a_computed_lunar_date_says_so():
    assert "（推算）" in chart_text(bz.chart("2040-01-01 12:00", city="北京").pattern())


def test_compact_leaves_out_the_clocks_but_not_the_warnings():
    told = chart_text(born().pattern(), compact=True)
    assert "均时差" not in told
    assert "1997 壬午   2007 癸未" in told
    assert "夏令时" in told


@holds_for_all("columns", [40, 60, 80, 120])
def test_no_cell_of_the_english_tables_is_hanzi_alone(chart, columns):
    lines = [
        line
        for line in chart_text(chart.pattern(), "en", columns=columns).splitlines()
        if line.startswith("│")
    ]
    parts = [part.strip() for line in lines for part in line.split("│")]
    # What stands in brackets below its English name belongs to it.
    assert not [part for part in parts if CJK.search(part) and not re.search(r"[A-Za-z]|\(.*\)", part)]


def test_every_name_of_the_english_tables_has_its_hanzi_beside_it_or_in_the_legend(chart):
    told = " ".join(chart_text(chart.pattern(), "en").split())
    gods = {god.value for column in chart.columns for god in column.hidden_gods}
    for name in gods:
        assert f"{term(name, 'en', 'ten_god')} {name}" in told
    for star in chart.stars:
        assert f"{term(star.name, 'en', 'star')} {star.name}" in told


@pytest.mark.parametrize("columns", [60, 120])
def test_with_room_a_sign_stands_on_one_line(columns):
    told = chart_text(born().pattern(), "en", columns=columns)
    for shown in (
        "│ Yang Metal (庚 Geng) ", "│ Horse (午 Wu) ", "│ Indirect Resource ", "│ Monkey 申, Rooster 酉 ",
    ):  # fmt: skip
        assert shown in told


def test_traditional_text_has_no_simplified_label_and_no_converted_branch():
    told = chart_text(born().pattern(), "zh-Hant")
    for simplified in ("运", "财", "杀", "岁", "纳", "农", "岁", "时柱"):
        assert simplified not in told
    assert "己醜" not in told
    assert "己丑" in told


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("zh-Hans", "大运  顺行，出生后7年3个月1天8小时起运；逢丁年8月16日前后交运（按秒折算）"),
        ("zh-Hant", "大運  順行，出生後7年3個月1天8小時起運；逢丁年8月16日前後交運（按秒折算）"),
        ("en", "changes around 16 August in Yin Fire (丁 Ding) years (counted to the second)"),
    ],
)
def test_the_start_of_luck_is_told_without_codes(lang, line):
    assert line in chart_text(born().pattern(), lang).replace("\n  ", " ")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_for_the_start_of_luck_has_words_of_its_own(lang):
    charts = [born(school=bz.School(luck_start=method)) for method in OPTIONS["luck_start"]]
    rules = {luck_line(chart, lang).removeprefix(luck_line(chart, lang, keys=False)) for chart in charts}
    assert len(rules) == len(charts)
    assert not any("_" in rule for rule in rules)


@pytest.mark.parametrize(
    ("city", "lang", "name"),
    [
        ("北京", "en", "Beijing (北京市) 116"),
        ("纽约", "zh-Hant", "紐約 74"),
        ("纽约", "en", "New York City 74"),
    ],
)
def test_a_place_bears_the_name_that_readers_know(city, lang, name):
    chart = born(city=city)
    assert name in chart_text(chart.pattern(), lang)


@pytest.mark.parametrize(
    ("lang", "name"), [("en", "Xi'an (西安市) (cn:610100)"), ("zh-Hans", "西安市（cn:610100）")]
)
def test_a_place_that_was_assumed_bears_that_name_too(lang, name):
    told = [each.text(lang) for each in born(city="西安").own_warnings if each.code == "PLACE_ASSUMED"]
    assert len(told) == 1
    assert name in told[0]


def test_control_characters_in_a_label_are_not_printed():
    chart = bz.chart("1990-05-15 13:30", city="\x1b[2J\x07home", longitude=116.4, tz="Asia/Shanghai")
    for told in (chart_text(chart.pattern()), chart.to_markdown()):
        assert "\x1b" not in told
        assert "\x07" not in told


def test_notes_carry_their_alternatives():
    told = chart_text(bz.chart("1990-05-15 12:41:00", city="北京", gender="male").pattern())
    assert "另一种：庚午 辛巳 庚辰 " in chart_text(
        bz.chart("1990-05-15 12:10:30", city="北京", gender="male").pattern()
    )
    assert "1. 当时实行夏令时" in told
    old = chart_text(bz.chart(**CHARTS["lunar"]).pattern())
    assert "1914年10月：颁行 1914-11-17，推算 1914-11-18" in old
    china = chart_text(bz.chart(**CHARTS["double_hour"]).pattern())
    assert "+05:30 癸未，+06:00 癸未" in china


def test_codes_in_warnings_are_put_into_words():
    told = chart_text(bz.chart(**CHARTS["future"]).pattern())
    assert "utc_frozen" not in told
    assert "闰秒不再增加" in told


@holds_for_all("lang, columns", product(LANGUAGES, [40, 60, 80, 120]))
def test_on_request_every_hidden_stem_says_its_qi(chart, lang, columns):
    told = chart_text(chart.pattern(), lang, columns=columns, hidden_labels=True)
    assert max(map(width, told.splitlines())) <= columns
    hidden = [each for column in chart.columns for each in column.hidden]
    word = {"en": "main qi"}.get(lang, term("本气", lang))
    assert " ".join(told.split()).count(word.split()[0]) >= sum(each.qi == "本气" for each in hidden)
    assert term("余气", lang).split()[0] not in chart_text(chart.pattern(), lang, columns=columns)


def test_the_qi_stands_behind_the_ten_god():
    assert "│ 丁火 正官 本气 │" in chart_text(born().pattern(), hidden_labels=True)
    assert "│ Direct Officer (main qi) │" in chart_text(
        born().pattern(), "en", columns=120, hidden_labels=True
    )


RELATIONS = {
    "庚午 辛巳 庚辰 壬午": ["午午自刑（年时，遥）", "庚午截脚（年）"],
    "壬申 壬子 丙辰 甲午": ["申子辰三合水局（年月日，化）", "子午冲（月时，隔，化解）"],
    "甲子 己巳 庚申 戊寅": [
        "甲己合土（年月，不化）", "巳申刑（月日，化解）", "甲克戊（年时，遥）", "寅申冲（时日，化解）",
    ],
    "丙寅 辛丑 庚午 丙戌": ["寅午半合火局（年日，隔，减力）"],
}  # fmt: skip


@pytest.mark.parametrize("pillars", RELATIONS)
def test_relations_are_told_as_practitioners_write_them(pillars):
    told = dict(meaning(bz.chart(pillars=pillars).pattern(), "zh-Hans"))["合冲"].split("；")
    assert set(RELATIONS[pillars]) <= set(told)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_relation_of_every_type_can_be_told(lang):
    seen = set()
    for years, months, days, hours in product(*[PILLARS[at::7] for at in (0, 0, 2, 3)]):
        for found in relations(FourPillars(years, months, days, hours), bz.School()):
            if found.type in seen:
                continue
            seen.add(found.type)
            told = relation_text(found, lang)
            assert "{" not in told
            assert not (lang == "en" and CJK.search(told))
        if seen == {*RANKS} - {"反吟"}:
            break
    assert seen == {*RANKS} - {"反吟"}


def test_every_type_that_only_luck_and_years_have_can_be_told():
    found = relations_with(
        FourPillars.parse("甲子 丙子 甲子 甲子"), (("liunian", Pillar("庚午")),), bz.School()
    )
    told = [relation_text(each, "zh-Hans") for each in found if each.type == "反吟"]
    assert told[0] == "甲子庚午反吟（年、流年）"


def test_a_self_punishment_and_a_control_name_who_does_what():
    chart = bz.chart(pillars="甲子 己巳 庚申 戊寅")
    told = [relation_text(found, "en") for found in chart.relations]
    assert "Yang Wood controls Yang Earth (year, hour, far apart)" in told
    chart = bz.chart(pillars="戊申 甲子 丙午 戊子", school=bz.School(validate="warn"))
    assert "甲克戊（月年）" in [relation_text(found, "zh-Hans") for found in chart.relations]


def test_strength_says_how_many_methods_agree():
    settled = bz.chart(pillars="庚申 乙酉 庚戌 庚辰")
    assert dict(meaning(settled.pattern(), "zh-Hans"))["旺衰"] == "身强（极强），四法中4法同断"
    assert dict(meaning(settled.pattern(), "en"))["Strength"] == (
        "strong day master (extremely strong), 4 of 4 methods say so"
    )


def test_a_strength_that_could_be_either_is_said_first_with_both_readings():
    told = {lang: dict(meaning(born().pattern(), lang)) for lang in ("zh-Hans", "zh-Hant", "en")}
    assert told["zh-Hans"]["旺衰"] == "两可：取身强，四法中只有加权法如此断"
    assert told["zh-Hans"]["用神"] == "两可：用神水  喜神火  闲神木  仇神金  忌神土"
    assert told["zh-Hans"]["若身弱"] == "未成，用神土  喜神金  闲神水  仇神火  忌神木"
    assert told["zh-Hant"]["旺衰"] == "兩可：取身強，四法中只有加權法如此斷"
    assert (
        told["en"]["Strength"]
        == "could be either: taken as strong day master, of 4 methods only that of weighted shares says so"
    )
    assert told["en"]["If weak"].startswith("not yet formed, useful god Earth, favourable god Metal")


def drawn_charts():
    """Charts of all kinds by a fixed seed: any year, south and north, without hour or gender, given pillars."""
    rng = Random(12)
    for number in range(24):
        when = f"{rng.randint(1700, 2150)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        where = {
            "longitude": rng.uniform(-179, 179),
            "latitude": rng.uniform(-60, 60),
            "utc_offset": "+00:00",
        }
        stated = {"gender": rng.choice(["male", "female", None]), "school": SCHOOLS[number % len(SCHOOLS)]}
        if number % 4 == 0:
            yield bz.chart(when, hour_unknown=True, **where, **stated)
        elif number % 4 == 1:
            yield bz.chart(pillars=str(bz.chart(f"{when} 11:00", **where).pillars), **stated)
        else:
            where["city"] = rng.choice(
                ["Llanfairpwllgwyngyll, Anglesey, Wales, United Kingdom", "新疆维吾尔自治区伊犁哈萨克自治州"]
            )
            yield bz.chart(f"{when} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}", **where, **stated)


SCHOOLS = [bz.School(), bz.School(star_set="full"), bz.School.named("saju_kr"), bz.School.named("facts_only")]


@sizes(4, 24)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_any_chart_fits_any_display_and_its_borders_align(lang, count):
    for chart in islice(drawn_charts(), count):
        for columns in (40, 60, 80, 120):
            for labels in (False, True):
                lines = chart_text(chart.pattern(), lang, columns=columns, hidden_labels=labels).splitlines()
                assert max(map(width, lines)) <= columns
                tables = re.findall("┌[^└]*└[^\n]*", "\n".join(lines))
                assert tables
                for table in tables:
                    rows = table.splitlines()
                    assert len({width(row) for row in rows}) == 1
                    assert len({tuple(borders(row)) for row in rows}) == 1
                    assert not (lang == "en" and hanzi_alone(rows))


def borders(row):
    """The columns in which a line of a table has a border."""
    return [width(row[:at]) for at, each in enumerate(row) if each in "│├┼┤┌┬┐└┴┘"]


def hanzi_alone(rows):
    parts = [part.strip() for row in rows for part in row.split("│")]
    return [part for part in parts if CJK.search(part) and not re.search(r"[A-Za-z]|\(.*\)", part)]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("zh-Hans", "身弱，四法中4法同断"),
        ("zh-Hant", "身弱，四法中4法同斷"),
        ("en", "weak day master, 4 of 4"),
    ],
)
def test_a_plain_degree_of_strength_is_not_said_twice(lang, told):
    chart = bz.chart("1962-05-15 09:30", city="北京", gender="female")
    assert dict(meaning(chart.pattern(), lang))[label("strength", lang)].startswith(told)
