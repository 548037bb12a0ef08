"""What exactly a question asks, and an answer in its own words: clauses, stances, times within reach."""

from __future__ import annotations

from collections import Counter

import pytest

from bazi_core import liuyao as ly
from bazi_core.liuyao.asked import taken
from bazi_core.liuyao.matters import beside, matter_of, second
from bazi_core.questions.classes import is_of_life
from bazi_core.speech.catalogue import catalogue
from bazi_core.speech.statements.cast import cast_plan, leaning
from bazi_core.speech.statements.cast_words import STANCES
from bazi_core.tables import rows
from bazi_core.tables.words import LANGUAGES
from tests.core.liuyao.casts import AT, analysis
from tests.core.speech.drawn import planned_casts
from tests.sizes import sizes

ASKED = {
    "heart": ("她心里还有我吗", "他還愛不愛我", "Does my girlfriend still love me?"),
    "contact": ("他什么时候会联系我", "他會不會聯絡我", "Will she ever text me back?"),
    "back": ("我们还能和好吗", "Is there a second chance to get back together with my ex?"),
    "accept": ("该不该答应她", "Should I say yes to him?"),
    "quit": ("要不要辞职", "我該不該離職", "Should I quit my job?"),
    "tender": ("这次竞标能中吗", "Will our bid be successful in the tender?"),
    "visa": ("绿卡批得下来吗", "簽證會過嗎", "Will my visa be approved?"),
    "sold": ("房子卖得掉吗", "Will the house sell?"),
    "entrance": ("考公能上岸吗", "考得上研究所嗎", "Will I be admitted?"),
    "exam": ("驾照考得过吗", "Will I pass the bar exam?"),
    "verdict": ("官司打得贏嗎", "Will I win the lawsuit?"),
    "dismissed": ("会不会被裁", "Will I keep my job?"),
    "pet_found": ("猫走丢了能找回来吗", "My dog is missing. Will she come home?"),
    "thing_found": ("我的項鍊掉了找得到嗎",),
    "debt": ("借出去的钱要得回来吗", "Will he pay me back?"),
    "relocate": ("要不要搬家", "现在适合换房吗", "Is now a good time to change houses?"),
    "journey": ("出差路上顺利吗", "Will my trip go well?"),
    "payrise": ("老闆會給我加薪嗎", "Will my boss give me a raise?"),
    "paid": ("这个项目的尾款什么时候到账", "When will the final payment for the project arrive?"),
    "renew": ("租客会不会续租", "Will my tenant renew the lease?"),
    "sent": ("明年会不会被派去国外", "Will I be sent abroad next year?"),
    "poached": ("竞争对手会不会抢走客户", "Will our competitor take our clients?"),
    "trusted": ("他说的话可信吗", "Can I trust what he says?"),
    "any": ("最近运气如何",),
}  # fmt: skip
CASES = [(matter, asked) for matter, those in ASKED.items() for asked in those]


@pytest.mark.parametrize(("matter", "asked"), CASES, ids=[case[1] for case in CASES])
def test_a_question_is_heard_for_the_very_thing_that_it_asks(matter, asked):
    found = ly.derive("789876", AT).analyze(question=asked)
    assert matter_of(asked, found.question_type).name == matter
    first = cast_plan(found).statements[0]
    assert first.values["yes"].key == f"cast.matter.{matter}.yes"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_sentence_answers_in_the_words_of_the_question(language):
    found = ly.derive("789876", AT).analyze(question="她还爱我吗")
    told = {"zh-Hans": "她", "zh-Hant": "她", "en": "her heart"}
    assert told[language] in ly.read(found, question="她还爱我吗", language=language).reading.answer[0].text


def test_every_matter_has_its_clauses_and_every_party_its_name():
    for row in rows("liuyao/matters"):
        if row["form"]:
            assert {f"cast.matter.{row['matter']}.{each}" for each in ("yes", "no")} <= {*catalogue()}, row
            assert f"cast.party.{row['party'] or 'other'}" in catalogue()
            assert {*row["labels"].split()} - {"*"} <= {*ly.QUESTION_TYPES}


def test_a_kind_alone_is_answered_by_how_it_goes():
    for label in ly.QUESTION_TYPES:
        assert matter_of(None, label).form in ("event", "even")
    assert matter_of(None, "占什么").name == "any"


@sizes(90, 3000)
def test_a_verdict_on_the_other_side_of_the_sign_rests_on_what_is_said_for_its_own(count):
    seen: Counter[str] = Counter()
    crossed = 0
    for found, plan in planned_casts(count):
        # Of shares and the like a caution stands before the verdict.
        first = next(each for each in plan.statements if each.key != "cast.at_risk")
        stance = first.key.rpartition(".")[2]
        lean = leaning(found)
        apart = STANCES.index(stance) - STANCES.index("open")
        expected = (lean.name, "for" if apart > 0 else "against" if apart else found.sign.side)
        assert (stance, lean.side) == expected
        if apart and lean.side != found.sign.side:
            said = [each for each in plan.statements if each.topic == "answer"]
            assert any(each.side == lean.side or each.key == "cast.why.both" for each in said), found
            crossed += 1
        seen[stance] += 1
    assert {*seen} == {*STANCES}
    assert count * 0.05 < crossed < count * 0.35


def test_six_harmonies_that_turn_into_six_clashes_are_said_with_the_verdict_against_a_good_sign():
    # 火山旅, of which lines 2, 4 and 5 move, turns into 巽为风.
    found = ly.derive("867967", "2026-02-11T10:20:00+08:00").analyze(question="他还爱我吗")
    first = [each for each in cast_plan(found).statements if each.topic == "answer"]
    against = [each for each in first if each.key == "cast.omens.alone" and each.side == "against"]
    assert found.sign.level == "上上签"
    assert "cast.omen.合变冲" in {part.key for each in against for part in each.values["omens"].members}


def test_harmer_on_the_line_of_self_is_named():
    # 兄弟 holds 世 in 离为火, and wealth is asked for.
    found = analysis("离", ask="财运")
    assert found.lines[5].relation == "兄弟"
    said = [each for each in cast_plan(found).statements if each.key.startswith("cast.omens.")]
    told = {part.key for each in said for part in each.values["omens"].members}
    # The line is still and whole: it presses when its own day or month comes.
    assert "cast.omen.忌神持世.ready" in told


def omens_of(found: ly.Analysis) -> dict[str, str]:
    """The marks that a cast tells beside the points of its sign, with their sides."""
    return {
        part.key.removeprefix("cast.omen."): each.side
        for each in cast_plan(found).statements if each.key.startswith("cast.omens.")
        for part in each.values["omens"].members
    }  # fmt: skip


def test_a_hexagram_that_turns_into_six_clashes_comes_apart_which_suits_a_dispute():
    # 火风鼎, of which lines 2 and 4 move, turns into 艮为山.
    assert omens_of(analysis("鼎", 2, 4, ask="合伙"))["变冲"] == "against"
    assert omens_of(analysis("鼎", 2, 4, ask="官司"))["变冲.law"] == "for"
    assert "变冲" not in omens_of(analysis("鼎", 2, 4, ask="疾病"))
    assert "变冲" not in omens_of(analysis("鼎", ask="合伙"))


def test_six_harmonies_clashed_come_apart_and_six_clashes_combined_come_together_again():
    # 妻财 is 卯 at line 3 of 否, which 酉 clashes with, and 寅 at line 2 of 乾, which 亥 combines with.
    for name, month, day, key, side in (
        ("否", "丑", "丁酉", "合逢冲", "against"), ("否", "酉", "丁丑", "合逢冲", "against"),
        ("乾", "丑", "乙亥", "冲逢合", "for"), ("乾", "亥", "丁丑", "冲逢合", "for"),
    ):  # fmt: skip
        assert omens_of(analysis(name, month=month, day=day, ask="财运"))[key] == side, (name, month, day)
    assert not {"合逢冲", "冲逢合"} & {*omens_of(analysis("乾", 2, month="丑", day="乙亥", ask="财运"))}
    assert not {"合逢冲", "冲逢合"} & {*omens_of(analysis("否", month="丑", day="丁丑", ask="财运"))}
    # 世 is 戌 at line 6 of 乾, which 卯 combines with: of a dispute that speaks against.
    law = omens_of(analysis("乾", month="丑", day="丁卯", ask="官司"))
    assert law.get("冲逢合.law") == "against"
    assert not {"冲逢合", "冲逢合.law"} & {*omens_of(analysis("乾", month="丑", day="丁卯", ask="疾病"))}


def test_a_line_of_self_that_turns_to_its_store_speaks_against():
    # 巳 of line 6 holds 世 in 离为火 and turns into 戌, the store of fire.
    found = analysis("离", 6, ask="财运")
    assert "化墓" in found.lines[5].changes
    assert omens_of(found)["世化墓"] == "against"
    assert "世化墓" not in omens_of(analysis("离", ask="财运"))


@sizes(150, 2000)
def test_no_time_is_read_from_a_reason_that_the_text_did_not_give(count):
    told: Counter[str] = Counter()
    reasons = {
        "入墓冲开": (
            "cast.stored.day", "cast.stored.line", "cast.change.bad.化墓", "cast.change.bad.化墓.yet",
        ),
        "合住冲开": ("cast.day.bound", "cast.month.bound", "cast.change.plain.化合", "cast.day"),
        "月破填合": (
            "cast.broken", "cast.broken.off", "cast.season.broken", "cast.held", "cast.void.broken",
            "cast.void.broken.off",
        ),
        "旬空填冲": (
            "cast.void", "cast.void.even", "cast.void.off.even", "cast.void.off", "cast.void.broken",
            "cast.void.broken.off", "cast.void.full", "cast.void.off.full",
        ),
    }  # fmt: skip
    for found, plan in planned_casts(count):
        keys = {each.key for each in plan.statements}
        for each in plan.statements:
            if each.key in ("cast.times.first", "cast.times.first.stir"):
                trigger = each.values["triggers"][0].hanzi
                is_condition = any(key.startswith("cast.condition.") for key in keys)
                assert is_condition or trigger not in reasons or keys & {*reasons[trigger]}, (found, trigger)
                told[trigger] += 1
    assert {*reasons} <= {*told}


def test_no_month_beyond_the_year_that_is_asked_about_is_given_as_its_answer():
    asked = "Will my house sell this year?"
    beyond = 0
    for lines in ("767787", "887678", "789876", "776688", "999666", "878977"):
        plan = cast_plan(ly.derive(lines, "2026-09-15T10:20:00+08:00").analyze(question=asked))
        for each in plan.statements:
            if each.key == "cast.times.months":
                assert all(
                    begins < "2027" for _, begins in (one.values for one in each.values["dates"].values[0])
                )
            beyond += each.key == "cast.times.beyond"
        assert not any(each.key == "cast.times.years" for each in plan.statements)
    assert beyond


@pytest.mark.parametrize(
    ("asked", "is_declined"),
    [
        ("My dog is missing. Will she come home?", False), ("猫失踪三天了，能回来吗", False),
        ("Is my missing dog still alive?", True), ("狗失踪了还活着吗", True),
        ("My son is missing. Will he come home?", True),
        ("My girlfriend and her dog are missing, will they come home?", True), ("我弟和狗失踪了能回来吗", True),
    ],
)  # fmt: skip
def test_a_pet_that_is_gone_is_looked_for_and_whether_it_lives_is_not_answered(asked, is_declined):
    assert is_of_life(asked) is is_declined


@pytest.mark.parametrize(
    ("asked", "kind", "first", "besides", "todo"),
    [
        ("他不回我消息了，心里有没有我；要不要主动问", "行人", "heart", "", "act"),
        ("他還會回頭嗎，要不要主動聯繫", "行人", "back", "", "act"),
        ("房东不退押金：告不告，要得回吗", "财运", "debt", "", "sue"),
        ("借不借二十萬；會不會還", "财运", "lend", "debt", ""),
        ("Is my boss about to fire me? Should I jump ship?", "事业", "dismissed", "", "elsewhere"),
        ("国企要不要我；不要就去私企行不行", "求职", "hired", "", "fallback"),
        ("这房子卖得掉吗，要不要降价", "房产", "sold", "", "lower"),
        ("Does she like me? Should I ask her out?", "感情", "heart", "", "confess"),
        ("猫会回来吗，要不要出去找", "失物", "pet_found", "", ""),
        ("官司能赢吗，要不要和解", "官司", "verdict", "", ""),
    ],
)
def test_both_parts_of_a_question_of_one_matter_are_heard(asked, kind, first, besides, todo):
    assert taken(asked).label == kind
    assert matter_of(asked, kind).name == first
    assert (beside(asked, kind), second(asked, kind)) == (besides, todo)


@pytest.mark.parametrize(
    ("asked", "kind", "first", "todo"),
    [
        ("面试在12号周六，能过吗，过了要不要去", "求职", "hired", "act"),
        ("这个月能升职吗；升不上要不要跳槽", "升迁", "raised", "elsewhere"),
        ("公司說下週一前發獎金，會不會發；不發要不要走人", "财运", "paid", "elsewhere"),
        (
            "My landlord hasn't returned my deposit. Will I get it back, and should I take him to small claims?",
            "财运",
            "debt",
            "sue",
        ),
        ("房子掛牌三個月了，年底前賣得掉嗎，要不要降價", "房产", "sold", "lower"),
    ],
)
def test_whether_it_comes_about_is_answered_before_what_to_do(asked, kind, first, todo):
    assert taken(asked).label == kind
    assert (matter_of(asked, kind).name, second(asked, kind)) == (first, todo)
