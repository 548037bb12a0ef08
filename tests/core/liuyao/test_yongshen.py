"""用神: what a question asks for, who ranks first, where a missing relative is sought, who helps and harms."""

from __future__ import annotations

from itertools import product

import pytest

from bazi_core import liuyao as ly
from bazi_core.errors import InvalidInput, UnknownOption
from bazi_core.liuyao.board import Line
from bazi_core.liuyao.yongshen import kinships
from bazi_core.tables import rows
from tests.core.liuyao import reference as ref
from tests.core.liuyao.casts import analysis, board, time_of, values
from tests.tables import holds_for_all

TARGETS = {
    "官鬼": "事业 功名 求职 升迁",
    "妻财": "财运 生意 投资",
    "世": "健康 疾病 出行 其他",
    "父母 官鬼": "学业 考试",
    "应": "行人 寻人 合作 合伙 对手 陌生人",
    "妻财 父母 子孙": "失物 ",
    "世 应": "官司",
    "父母": "家宅 房产 车辆 文书 父母 师长",
    "子孙": "子女 怀孕 宠物",
    "兄弟": "兄弟 朋友",
    "父母 妻财 子孙": "天气",
    "妻财 官鬼 世 应": "婚姻 感情",
}
KINSHIP = {
    "父母": "parent father mother grandparent uncle aunt parent_in_law elder teacher",
    "兄弟": "brother sister sibling cousin brother_in_law friend colleague classmate",
    "妻财": "wife girlfriend sister_in_law employee",
    "官鬼": "husband boyfriend husbands_brother",
    "子孙": "child son daughter grandchild nephew niece child_in_law student pet",
    "世": "self",
    "应": "other",
}
LABELS = {label: target.split() for target, labels in TARGETS.items() for label in labels.split()}
KIN = {who: target for target, names in KINSHIP.items() for who in names.split()}


def test_every_published_label_is_in_the_table_of_the_test():
    assert {*ly.QUESTION_TYPES} == {*LABELS}
    assert {*kinships()} == {*KIN, "spouse"}


@holds_for_all("label", LABELS)
def test_a_kind_of_question_asks_for_its_relatives(label):
    found = ly.yongshen(board("既济"), label)
    assert [*found.targets] == LABELS[label]
    assert found.question_type == label
    assert found.undecided is (label in ("婚姻", "感情"))


def test_traditional_labels_are_the_same_kinds():
    for row in rows("liuyao/question_types"):
        assert (
            ly.yongshen(board("既济"), row["label_hant"]).targets
            == ly.yongshen(board("既济"), row["label"]).targets
        )


@pytest.mark.parametrize("label", ["婚姻", "感情"])
@pytest.mark.parametrize(("asker", "target"), [("male", "妻财"), ("female", "官鬼")])
def test_in_marriage_the_asker_decides(label, asker, target):
    found = analysis("既济").chart.analyze(label, asker)
    assert found.yongshen.targets == (target,)
    assert (found.yongshen.undecided, found.warnings) == (False, ())


@pytest.mark.parametrize("label", ["婚姻", "感情"])
def test_an_unknown_asker_leaves_both_and_self_is_judged(label):
    found = analysis("既济", 3, ask=label)
    assert found.yongshen.targets == ("妻财", "官鬼", "世", "应")
    assert found.yongshen.undecided
    assert found.yongshen.roles == {}
    assert [each.code for each in found.warnings] == ["ASKER_UNKNOWN"]
    assert (found.subject.target, found.subject.position) == ("世", 3)
    assert found.subject_id == f"ly.yongshen.{[each.target for each in found.told].index('世') + 1}"


def test_the_asker_of_another_question_does_not_matter():
    for label in ("事业", "财运", "占什么"):
        assert {ly.yongshen(board("既济"), label, asker).targets for asker in (None, "male", "female")} == {
            ly.yongshen(board("既济"), label).targets
        }


@holds_for_all("who", KIN)
def test_kinship_decides_whatever_the_kind(who):
    for label in (None, "健康", "行人", "婚姻", "占什么"):
        found = ly.yongshen(board("既济"), label, kinship=who)
        assert (found.targets, found.undecided, found.warning) == ((KIN[who],), False, None)


NAMED = {
    "father": "爸爸 父亲 父親 老爸 Dad father 我爸 我的父亲", "mother": "妈妈 媽媽 母亲 Mum 我媽",
    "grandparent": "奶奶 外公 grandmother", "uncle": "叔叔 舅舅", "parent_in_law": "岳父 婆婆 mother-in-law",
    "teacher": "老师 老師", "elder": "长辈 長輩", "brother": "哥哥 弟弟", "sister": "姐姐 姊姊 妹妹", "sibling": "手足",
    "friend": "朋友 friend", "colleague": "同事", "wife": "老婆 太太 WIFE", "husband": "老公 丈夫", "girlfriend": "女朋友",
    "boyfriend": "男友", "son": "儿子 兒子", "daughter": "女儿 女兒", "child": "孩子 宝宝", "grandchild": "孙子",
    "niece": "侄女", "student": "学生", "pet": "猫 貓 dog", "self": "自己 myself", "other": "别人 對方",
}  # fmt: skip


@holds_for_all("code", NAMED)
def test_who_is_asked_about_is_read_in_three_languages_as_people_write_it(code):
    chart = board("既济")
    for name in NAMED[code].split():
        assert chart.analyze("健康", kinship=name) == chart.analyze("健康", kinship=code), name
    assert chart.analyze("健康", kinship=" my " + code).kinship == code


def test_a_name_stands_for_one_kinship_only():
    seen: dict[str, str] = {}
    for code, row in kinships().items():
        for name in {*row["zh-Hans"].split(), *row["zh-Hant"].split(), *row["en"].split("|")}:
            assert seen.setdefault(name, code) == code
    assert len(seen) > 150


@pytest.mark.parametrize(("asker", "target"), [("male", "妻财"), ("female", "官鬼")])
def test_of_a_spouse_the_asker_decides(asker, target):
    assert analysis("既济").chart.analyze("健康", asker, "配偶").yongshen.targets == (target,)
    open_ = analysis("既济").chart.analyze("健康", kinship="spouse")
    assert (open_.yongshen.targets, open_.yongshen.warning) == (("妻财", "官鬼"), "ASKER_UNKNOWN")
    assert open_.subject.target == "妻财"


@pytest.mark.parametrize("label", ["健康", "疾病", "出行", "其他", None])
def test_of_somebody_else_the_relative_is_judged_and_never_self(label):
    for who, target in KIN.items():
        found = board("履").analyze(label, kinship=who)
        assert {each.target for each in found.told} == {target}
        assert (found.subject.target == "世") is (who == "self")


@pytest.mark.parametrize("label", ["占什么", "", " ", "事业 ", "cooking", "x" * 10**6])
def test_an_unknown_kind_names_nothing_and_is_no_error(label):
    found = analysis("既济", ask=label)
    assert (found.yongshen.targets, found.yongshen.candidates, found.yongshen.roles) == ((), (), {})
    assert found.yongshen.undecided
    (warning,) = found.warnings
    assert (warning.code, len(warning.data["questionType"]) <= 61) == ("QUESTION_TYPE_UNKNOWN", True)
    assert (found.subject.target, found.subject_id) == ("世", "ly.yongshen.1")
    for lang in ("zh-Hans", "zh-Hant", "en"):
        assert warning.to_dict(lang)["message"]


def test_without_a_question_nothing_is_asked_and_nothing_warned():
    found = analysis("既济")
    assert (found.yongshen.question_type, found.yongshen.targets, found.warnings) == (None, (), ())
    assert found.yongshen.undecided


@pytest.mark.parametrize("bad", [5, True, [], {}, b"x", ["事业"]])
def test_a_kind_that_is_no_text_is_refused(bad):
    with pytest.raises(InvalidInput):
        board("既济").analyze(bad)


def test_a_kind_that_cannot_be_written_is_refused():
    with pytest.raises(InvalidInput):
        board("既济").analyze("\ud800")


@pytest.mark.parametrize("bad", ["", "先生", "males", 1, [], "\ud800"])
def test_unknown_askers_and_kinships_are_refused(bad):
    with pytest.raises(UnknownOption) as caught:
        board("既济").analyze("婚姻", bad)
    assert caught.value.data["allowed"] == ["male", "female"]
    with pytest.raises(UnknownOption) as caught:
        board("既济").analyze("健康", None, bad)
    assert caught.value.data["name"] == "kinship"


def merits(line: dict, strict_shi: int, strict_ying: int) -> tuple[bool, ...]:
    """The order of the old method (ch. 39), from the written line."""
    changed = line.get("target", {}).get("changes", [])
    return (
        line["monthState"] in ("旺", "相"), line["moving"], not line["yuePo"], not line["xunKong"], not line["riPo"],
        "回头克" not in changed, line["position"] == strict_shi, "临" in (*line["month"], *line["day"]),
        line["position"] == strict_ying,
    )  # fmt: skip


NAMES = ("旺相", "发动", "不逢月破", "不落旬空", "不逢日破", "不化回头克", "持世", "临月日", "持应")


def test_all_lines_of_the_relative_are_candidates_ranked_by_the_old_method():
    ranked = 0
    for number in range(0, 4096, 9):
        chart = ly.derive(values(number), month_branch=time_of(number)[0], day=time_of(number)[1])
        made = chart.analyze("财运").to_dict(facts=False)
        lines = [line for line in made["lines"] if line["relation"] == "妻财"]
        if not lines:
            continue
        shi, ying = chart.primary.shi, chart.primary.ying
        lines.sort(key=lambda line: ([not held for held in merits(line, shi, ying)], line["position"]))
        assert made["yongShen"]["candidates"] == [
            {
                "target": "妻财",
                "rank": rank,
                "source": "line",
                "ganZhi": line["ganZhi"],
                "position": line["position"],
                "reasons": [name for name, held in zip(NAMES, merits(line, shi, ying), strict=True) if held],
            }
            for rank, line in enumerate(lines, 1)
        ]
        ranked += len(lines) > 1
    assert ranked > 100


@holds_for_all(
    "moving, month, day, first",
    [
        # 官鬼 of 既济 are 丑 of line 2 and 戌 of line 5, of one element and so of one season.
        ((), "卯", "丁未", 5), ((2,), "卯", "丁未", 2), ((), "卯", "甲辰", 2), ((5,), "卯", "丁未", 5),
        ((2, 5), "卯", "丁未", 5), ((), "卯", "甲寅", 5), ((), "未", "丁未", 5), ((), "辰", "丁未", 2),
        ((5,), "辰", "甲子", 5),
    ],
)  # fmt: skip
def test_motion_comes_before_broken_before_void_before_the_lower_place(moving, month, day, first):
    found = analysis("既济", *moving, month=month, day=day, ask="事业")
    assert found.subject.position == first


def test_a_line_that_the_day_breaks_comes_after_one_that_is_whole():
    # 未 clashes with 丑 of line 2, which 卯 leaves dead: 日破. 戌 of line 5 is as dead, but whole.
    found = analysis("既济", 3, 6, ask="事业")
    assert [(each.text, each.rank, "不逢日破" in each.reasons) for each in found.yongshen.candidates] == [
        ("戊戌", 1, True),
        ("己丑", 2, False),
    ]
    # Where any clash is secret motion nothing is broken, and the lower line comes first again.
    assert analysis("既济", 3, 6, ask="事业", an_dong="hjc_any").subject.text == "己丑"


def test_every_merit_names_the_book_that_ranks_by_it():
    found = rows("liuyao/merits")
    assert tuple(row["merit"] for row in found) == NAMES
    assert [row["merit"] for row in found if row["source"] == "project"] == ["持应"]
    assert all(row["rule"] for row in found if row["source"] != "project")


def test_self_and_other_are_the_lines_of_shi_and_ying():
    for each in ly.HEXAGRAMS:
        found = analysis(each.name, ask="官司")
        assert [(one.target, one.position, one.rank) for one in found.yongshen.candidates] == [
            ("世", each.shi, 1), ("应", each.ying, 1),
        ]  # fmt: skip


SOURCES = {
    "month_day_changed_hidden": ["month", "day", "changed", "hidden"],
    "month_day_hidden": ["month", "day", "hidden"],
    "changed_hidden": ["changed", "hidden"],
}
ASKED = {"父母": "家宅", "兄弟": "朋友", "子孙": "子女", "妻财": "财运", "官鬼": "事业"}


@pytest.mark.parametrize("policy", SOURCES)
def test_a_relative_that_no_line_is_comes_from_the_first_source_that_has_it(policy):
    seen = set()
    for number in range(0, 4096, 2):
        month, day = time_of(number)
        chart = ly.derive(
            values(number), month_branch=month, day=day, policy=ly.LiuyaoPolicy(yong_shen_absent=policy)
        )
        palace = chart.primary.element.value
        for missing in chart.primary.missing:
            made = chart.analyze(ASKED[missing])
            found = made.yongshen.candidates
            changed = sorted(
                (
                    line.position
                    for line in made.lines
                    if line.turned and ref.relative(palace, line.turned.state.element.value) == missing
                ),
                key=lambda n: turned_merits(made.lines[n - 1]),
            )
            hidden = [each.position for each in chart.primary.hidden if each.relation == missing]
            have = {
                "month": [None] if ref.relative(palace, ref.ELEMENT[month]) == missing else [],
                "day": [None] if ref.relative(palace, ref.ELEMENT[day[1]]) == missing else [],
                "changed": changed,
                "hidden": hidden,
            }
            source = next(each for each in SOURCES[policy] if have[each])
            assert [(each.source, each.position, each.rank) for each in found] == [
                (source, n, rank) for rank, n in enumerate(have[source], 1)
            ]
            assert all(each.reasons and each.target == missing for each in found)
            seen.add(source)
    assert seen == {*SOURCES[policy]}


def turned_merits(line: Line) -> tuple[bool, bool]:
    """What tells changed lines of one element apart, best first: broken by the month, void on the day."""
    to = line.to_dict()["target"]
    return to["yuePo"], to["xunKong"]


def test_a_changed_line_that_the_month_breaks_comes_after_one_that_it_does_not():
    # 颐 lacks 官鬼; 辰 of line 3 turns into 申, which 寅 breaks, and 子 of line 5 into 酉.
    found = analysis("颐", 1, 3, 4, 5, 6, month="寅", day="己未", ask="升迁")
    told = [(each.rank, each.source, each.text) for each in found.yongshen.candidates]
    assert told == [(1, "changed", "丁酉"), (2, "changed", "丙申")]


def test_month_and_day_are_told_by_their_branch_and_have_no_place():
    # 姤 lacks 妻财, which in the palace of metal is wood.
    found = analysis("姤", month="寅", day="甲辰", ask="财运").to_dict()["yongShen"]["candidates"]
    assert found == [
        {"target": "妻财", "rank": 1, "source": "month", "ganZhi": "寅", "reasons": ["月建为妻财"]}
    ]
    day = analysis("姤", month="午", day="己卯", ask="财运").to_dict()["yongShen"]["candidates"]
    assert [(each["source"], each["ganZhi"]) for each in day] == [("day", "卯")]
    hidden = analysis("姤", month="午", day="甲辰", ask="财运").to_dict()["yongShen"]["candidates"]
    assert [(each["source"], each["ganZhi"], each["position"]) for each in hidden] == [("hidden", "甲寅", 2)]
    # 寅 wood under 亥 water.
    assert hidden[0]["reasons"] == ["伏于二爻之下", "飞生伏"]


def test_roles_generate_and_control_and_list_their_lines():
    for number, label in product(range(0, 4096, 61), ("事业", "财运", "其他")):
        found = ly.derive(values(number), month_branch="酉", day="壬辰").analyze(label)
        own = found.subject.state.element.value
        roles = {name: role.element.value for name, role in found.yongshen.roles.items()}
        assert [*roles] == ["原神", "忌神", "仇神"]
        assert ref.GENERATES[roles["原神"]] == own
        assert ref.CONTROLS[roles["忌神"]] == own
        assert ref.CONTROLS[roles["仇神"]] == roles["原神"]
        assert ref.GENERATES[roles["仇神"]] == roles["忌神"]
        for role in found.yongshen.roles.values():
            expected = [line.position for line in found.lines if line.state.element is role.element]
            assert [line.position for line in role.lines] == expected
            assert role.to_dict()["lines"] == [
                {"position": line.position, "moving": line.moving} for line in role.lines
            ]


def test_several_targets_are_judged_by_the_best_of_the_first():
    found = analysis("既济", ask="学业")
    assert (found.yongshen.targets, found.subject.target) == (("父母", "官鬼"), "父母")
    assert not found.yongshen.undecided


@pytest.mark.parametrize("asker", ["M", "男", "Male"])
def test_who_asks_is_read_as_people_type_it(asker):
    chart = ly.derive("789876", "2026-04-03T20:30:00+08:00")
    assert chart.analyze("婚姻", asker).to_dict() == chart.analyze("婚姻", "male").to_dict()


@holds_for_all("row", rows("liuyao/question_types"), lambda row: row["label"])
def test_a_kind_of_question_has_english_names(row):
    for name in (row["en"], row["en"].upper(), row["en"].replace(" ", "_"), *row["en_also"].split("|")):
        if name:
            found = analysis("既济", ask=name)
            expected = (row["label"], analysis("既济", ask=row["label"]).yongshen)
            assert (found.question_type, found.yongshen) == expected


def test_no_english_name_stands_for_two_kinds_of_questions():
    names = [
        name
        for row in rows("liuyao/question_types")
        for name in (row["en"], *row["en_also"].split("|"))
        if name
    ]
    assert len(names) == len(set(names))


@holds_for_all(
    "kind, asked, kinship, target",
    [
        ("疾病", "我妈的病什么时候好", "mother", "父母"),
        ("考试", "儿子考试能过吗", "son", "子孙"),
        ("考试", "我考试能过吗", None, "父母"),
        ("health", "my wife's back pain", "wife", "妻财"),
        (None, "我爸的工作稳不稳", "father", "父母"),
        ("其他", "我弟弟今年能脫單嗎", "brother", "兄弟"),
        ("失物", "我妈的戒指丢在哪了", None, "妻财"),
        ("财运", "我爸的生意今年怎么样", None, "妻财"),
        ("健康", "我最近老失眠", None, "世"),
        ("健康", "为了孩子我要不要体检", None, "世"),
    ],
)
def test_a_relative_whom_the_question_names_is_the_one_asked_about(kind, asked, kinship, target):
    found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze(kind, question=asked)
    assert (found.kinship, found.subject.target) == (kinship, target)


def test_a_kinship_that_is_given_stands_above_the_words_of_the_question():
    chart = ly.derive("789876", "2026-04-03T20:30:00+08:00")
    assert chart.analyze("健康", kinship="self", question="我妈的病").subject.target == "世"
    given, heard = chart.analyze("疾病", kinship="妈妈"), chart.analyze("疾病", question="我妈的病")
    assert given.sign == heard.sign
    assert given.subject == heard.subject


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_a_reading_says_whose_line_it_took(language):
    found = ly.derive("789876", "2026-04-03T20:30:00+08:00").analyze("疾病", question="我妈的病")
    told = ly.read(found, question="我妈的病", language=language).reading
    said = {
        "zh-Hans": "你母亲是长辈",
        "zh-Hant": "你母親是長輩",
        "en": "Your mother stands among the elders",
    }[language]
    assert any(item.text.startswith(said) for item in told.conclusion)
    assert said in told.text
