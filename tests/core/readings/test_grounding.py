"""The grounding checker: every rule, with what passes and what does not, in three languages."""

from __future__ import annotations

from functools import cache

import pytest

from bazi_core.facts import Fact
from bazi_core.readings.claims import Claim
from bazi_core.readings.grounding import GroundingReport, Problem, Requirement, check
from tests.core.readings.corpus import Reading, Section, Sentence
from tests.core.readings.free_text import facts_of

ALL = ("zh-Hans", "zh-Hant", "en")


@cache
def facts() -> dict[str, Fact]:
    """庚午 辛巳 庚辰 壬午, a man born in 1990, and his year 2026."""
    return facts_of("a")


def language_of(text: str) -> str:
    """The language that a short text is in."""
    latin, hanzi = sum("a" <= sign <= "z" for sign in text), sum("一" <= sign <= "鿿" for sign in text)
    if latin > 2 * hanzi:
        return "en"
    return "zh-Hant" if set(text) & set("為與強沖時無運龍馬屬張") else "zh-Hans"


def checked(text: str, *evidence: str, kind: str = "fact", language: str | None = None) -> GroundingReport:
    """The report on a reading of one sentence."""
    reading = Reading("", (Sentence(text, evidence, kind),), (), ())
    return check(reading, facts(), language=language or language_of(text))


def passes(text: str, *evidence: str, kind: str = "fact") -> bool:
    return checked(text, *evidence, kind=kind).passed


def reasons(text: str, *evidence: str) -> set[str]:
    return {each.reason for each in checked(text, *evidence).contradicted}


# Step 3: ids


@pytest.mark.parametrize("name", ["tg.month.stemx", "", "tg.month", "pat.main.9", "__class__"])
def test_an_unknown_id_stops_the_check(name: str) -> None:
    report = checked("月干辛为正财，日主身弱。", "tg.month.stem", name)
    assert report.unknown_ids == (name,)
    assert (report.checked_terms, report.contradicted, report.verdict) == (0, (), "fallback")


def test_a_sentence_that_states_a_fact_cites_one() -> None:
    report = checked("月干辛为劫财。")
    assert report.uncited == ("月干辛为劫财。",)
    assert not report.passed


def test_cited_ids_are_reported_once_and_in_order() -> None:
    said = Sentence("月干辛为劫财，时干壬为食神。", ("tg.month.stem", "tg.hour.stem"), "fact")
    report = check(Reading("", (said, said), (), ()), facts(), language="zh-Hans")
    assert report.cited_ids == ("tg.month.stem", "tg.hour.stem")
    assert report.passed


# Step 4: closed vocabulary, per sentence


@pytest.mark.parametrize(
    ("evidence", "true", "false"),
    [
        ("tg.month.stem", "月干辛为劫财。", "月干辛为正财。"), ("tg.month.stem", "月干辛為劫財。", "月干辛為傷官。"),
        ("tg.month.stem", "The month stem is Rob Wealth.", "The month stem is Direct Wealth."),
        ("pat.main", "格局为七杀格。", "格局为正官格。"), ("pat.main", "格局為七殺格。", "格局為食神格。"),
        ("pat.main", "This is a Seven Killings pattern.", "This is a Wealth pattern."),
        ("str.verdict", "日主身强。", "日主身弱。"), ("str.verdict", "日主身強。", "日主身弱，時運不濟。"),
        ("str.verdict", "The day master is strong.", "The day master is weak."),
        ("star.魁罡.day", "日柱有魁罡。", "日柱有桃花。"), ("star.魁罡.day", "日柱與魁罡同見。", "日柱與華蓋同見。"),
        ("star.魁罡.day", "The day pillar has the Commanding Dipper.", "The day pillar has the Canopy Star."),
        ("ln.2026", "2026年是丙午年。", "2026年是丁未年。"), ("ln.2026", "2026年屬丙午，為馬年。", "2026年屬丙午，為羊年。"),
        ("ln.2026", "The year 2026 is a Horse year.", "The year 2026 is a Goat year."),
        ("wx.state.火", "火旺于巳月。", "金旺于巳月。"), ("stage.day.month", "庚在巳为长生。", "庚在巳为帝旺。"),
        ("nayin.day", "日柱纳音白蜡金。", "日柱纳音路旁土。"), ("yr.2026.level", "2026年等级为中平。", "2026年等级为上上。"),
        ("lm.2026.05", "第5个流月自芒种起。", "第5个流月自立夏起。"),
        ("rel.刑.午午.year-hour", "年支与时支相刑。", "年支与时支相冲。"),
    ],
)  # fmt: skip
def test_a_term_must_follow_from_the_facts_that_its_sentence_cites(
    evidence: str, true: str, false: str
) -> None:
    assert passes(true, evidence), checked(true, evidence).contradicted
    assert not passes(false, evidence)


@pytest.mark.parametrize("text", ["时干壬为食神。", "時干壬為食神。", "The hour stem is the Eating God."])
def test_what_another_fact_of_the_reading_supports_is_not_enough(text: str) -> None:
    assert passes(text, "tg.hour.stem")
    assert not passes(text, "tg.month.stem")


@pytest.mark.parametrize("kind", ["advice", "transition"])
def test_free_sentences_may_use_what_the_facts_as_a_whole_support(kind: str) -> None:
    assert passes("水既是用神，不妨多亲近。", kind=kind)
    assert passes("作息规律，饮食有度。", kind=kind)
    assert not passes("木既是用神，不妨多亲近。", kind=kind)
    assert not passes("桃花正旺，宜把握。", kind=kind)


def test_title_and_keywords_must_follow_from_the_facts_as_well() -> None:
    assert check(Reading("七杀格，用神水", (), (), ("身强", "水")), facts(), language="zh-Hans").passed
    assert not check(Reading("正官格", (), (), ()), facts(), language="zh-Hans").passed
    assert not check(Reading("", (), (), ("身弱",)), facts(), language="zh-Hans").passed


@pytest.mark.parametrize("text", ["用神为水 (Water)。", "The useful god is 水 (Water)."])
def test_a_gloss_is_part_of_its_term(text: str) -> None:
    assert passes(text, "yong.primary")
    assert not passes(text.replace("Water)", "Wood)"), "yong.primary")


def test_a_pillar_follows_from_its_stem_and_its_branch() -> None:
    assert passes("日柱庚辰。", "p.day.stem", "p.day.branch")
    assert not passes("日柱庚辰。", "p.day.stem", "p.month.branch")
    assert passes("流年丙午，干支都属火。", "ln.2026.role.stem", "ln.2026.role.branch")


# Numbers


@pytest.mark.parametrize(
    ("evidence", "true", "false"),
    [
        ("ln.2026.age", "虚岁37岁，周岁36岁。", "虚岁36岁，周岁37岁。"), ("ln.2026.age", "時年37歲。", "時年39歲。"),
        ("ln.2026.age", "Your nominal age is 37.", "Your nominal age is 36."),
        ("yr.2026.score.overall", "2026年总评57分。", "2026年总评58分。"),
        ("yr.2026.score.overall", "The overall score is 57 points.", "The overall score is 75 points."),
        ("dy.3", "第3步大运甲申。", "第4步大运甲申。"),
        ("dy.3", "第三步大運甲申。", "第五步大運甲申。"),
        ("dy.3", "The third luck pillar is 甲申.", "The fifth luck pillar is 甲申."),
        ("dy.3", "2017–2026年行甲申大运。", "2017–2027年行甲申大运。"),
        ("wx.seasonal.火", "火占37%。", "火占百分之三十八。"),
        ("lm.2026.05", "第5个流月甲午。", "第6个流月甲午。"), ("ln.2026", "2026年流年丙午。", "2025年流年丙午。"),
        ("dy.start", "7年3个月起运。", "7年4个月起运。"),
    ],
)  # fmt: skip
def test_a_number_must_be_one_that_the_facts_state_of_the_same_thing(
    evidence: str, true: str, false: str
) -> None:
    assert passes(true, evidence), checked(true, evidence).contradicted
    assert not passes(false, evidence)


def test_numbers_of_two_facts_do_not_change_places() -> None:
    cited = ("yr.2026.score.career", "yr.2026.score.wealth", "wx.seasonal.火", "wx.seasonal.金")
    assert passes("事业62分，财运48分；火占37%，金占30%。", *cited)
    assert not passes("事业48分，财运62分。", *cited)
    assert not passes("金占37%，火占30%。", *cited)
    assert not passes("Career scores 48, wealth 62.", *cited)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("大运由甲申换到乙酉。", "大运由乙酉换到甲申。"), ("大運由甲申轉入乙酉。", "大運由乙酉轉入甲申。"),
        ("The luck pillar changes from 甲申 to 乙酉.", "The luck pillar changes from 乙酉 to 甲申."),
        ("Luck changes hands, from 甲申 (Jia Shen) to 乙酉.", "Luck changes hands, from 乙酉 to 甲申."),
    ],
)  # fmt: skip
def test_one_luck_pillar_follows_another_in_their_order(true: str, false: str) -> None:
    assert passes(true, "dy.3", "dy.4")
    assert not passes(false, "dy.3", "dy.4")


def test_a_year_next_to_the_pillar_of_another_year_is_wrong_whatever_is_cited() -> None:
    report = checked("2026年丁未，第5个流月甲午。", "lm.2026.05", "ln.2026")
    assert (
        Problem("2026年丁未，第5个流月甲午。", "2026年丁未", "year_pillar", "number") in report.contradicted
    )


# Step 5: polarity and negation


@pytest.mark.parametrize(
    ("evidence", "true", "false"),
    [
        ("yong.primary", "此命喜水。", "此命忌水。"), ("yong.harmful", "此命忌金。", "此命喜金。"),
        ("yong.harmful", "金為忌神。", "金為用神。"),
        ("yong.primary", "Water is favourable.", "Water is unfavourable."),
        ("yong.harmful", "Avoid Metal.", "Metal is welcome and favourable."),
        ("str.level", "日主偏强。", "日主偏弱。"),
        ("str.level", "The strength of the day master is rather strong.", "The strength of the day master is rather weak."),
        ("str.verdict", "日主并非身弱。", "日主并非身强。"),
        ("str.verdict", "The day master is not weak.", "The day master is not strong."),
        ("pat.status", "格局成格。", "格局并未成格。"), ("star.魁罡.day", "日柱有魁罡。", "日柱没有魁罡。"),
        ("star.魁罡.day", "日柱與魁罡。", "日柱無魁罡，與眾不同。"),
        ("root.day_master.month.2", "日主有根。", "日主没有根。"),
        ("root.day_master.month.2", "The day master is rooted.", "The day master is not rooted."),
        ("wx.missing.木", "命中缺木。", "命中不缺木。"),
        ("wx.missing.木", "There is no Wood.", "There is no Water."),
        ("yong.primary", "水不是忌神。", "水不是用神。"),
    ],
)  # fmt: skip
def test_the_opposite_of_a_fact_is_caught(evidence: str, true: str, false: str) -> None:
    assert passes(true, evidence), checked(true, evidence).contradicted
    assert not passes(false, evidence)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("日主并非身强。", "str.verdict"),
        ("此命忌水。", "yong.primary"),
        ("日主身弱。", "str.verdict"),
        ("日主无根。", "root.day_master.month.2"),
    ],
)
def test_the_reason_says_that_it_is_the_opposite(text: str, evidence: str) -> None:
    assert "opposite" in reasons(text, evidence)


def test_what_one_method_says_does_not_stand_for_the_verdict() -> None:
    assert passes("计数法判为身弱，但日主仍以身强论。", "str.method.plain_count_month2", "str.verdict")
    assert not passes("日主身弱。", "str.method.plain_count_month2")


# Step 6: attribution


@pytest.mark.parametrize(
    ("evidence", "true", "false"),
    [
        ("tg.month.stem", "月干透出劫财。", "年干透出劫财。"),
        ("tg.month.stem", "劫財見於月干，與兄弟有緣。", "劫財見於時干，與兄弟有緣。"),
        ("tg.month.stem", "Rob Wealth stands on the month stem.", "Rob Wealth stands on the hour stem."),
        ("hs.month.丙", "月支藏丙。", "月干见丙。"), ("star.魁罡.day", "魁罡在日柱。", "魁罡在时柱。"),
        ("tg.month.丙", "月支藏七杀。", "日支藏七杀。"),
        ("ln.2026.tg.stem", "流年天干丙为七杀。", "流年地支丙为七杀。"),
        ("dy.3.tg.stem", "大运天干甲为偏财。", "流年天干甲为偏财。"),
        ("root.hour.day.3", "时干壬通根于日支。", "日主通根于日支。"), ("palace.命宫", "命宫壬午。", "身宫壬午。"),
    ],
)  # fmt: skip
def test_a_term_must_stand_where_the_facts_put_it(evidence: str, true: str, false: str) -> None:
    assert passes(true, evidence), checked(true, evidence).contradicted
    assert not passes(false, evidence)


def test_the_reason_says_that_it_stands_elsewhere() -> None:
    assert "elsewhere" in reasons("年干透出劫财。", "tg.month.stem", "p.year.stem")


def test_two_facts_do_not_exchange_what_they_hold() -> None:
    cited = ("tg.year.stem", "tg.month.stem")
    assert passes("年干为比肩，月干为劫财。", *cited)
    assert not passes("年干为劫财，月干为比肩。", *cited)
    assert not passes("Rob Wealth on the year stem, Companion on the month stem.", *cited)


# Paraphrase


@pytest.mark.parametrize(
    ("evidence", "true", "false"),
    [
        ("ln.2026", "逢火年。", "逢金年。"), ("ln.2026", "It is a Fire year.", "It is a Water year."),
        ("p.year.branch", "你属马。", "你属牛。"),
        ("p.year.branch", "屬馬的人。", "屬龍的人。"),
        ("p.year.branch", "Born in the year of the Horse.", "Born in the year of the Ox."),
        ("str.verdict", "身旺。", "身轻。"), ("yr.2026.E-04", "2026年犯太岁。", "2026年冲太岁。"),
        ("wx.dominant.火", "火旺。", "木旺。"),
        ("tg.month.丙", "月支藏偏官。", "月支藏枭神。"),
        ("ln.2026.rel.干合.丙辛.liunian-month", "流年与月干相合。", "流年与月干相冲。"),
    ],
)  # fmt: skip
def test_a_turn_of_phrase_is_taken_at_its_word(evidence: str, true: str, false: str) -> None:
    assert passes(true, evidence), checked(true, evidence).contradicted
    assert not passes(false, evidence)


@pytest.mark.parametrize("text", ["水生木，木生火。", "火克金。", "Wood feeds Fire."])
def test_what_holds_of_every_chart_needs_no_evidence_of_its_own(text: str) -> None:
    assert passes(text, "yong.primary", "yong.secondary", "yong.neutral", "yong.harmful")


def test_the_circle_of_the_elements_the_wrong_way_round_is_caught() -> None:
    assert not passes("水生火，火克水。", "yong.primary", "yong.secondary")


# Letters that hide a term


@pytest.mark.parametrize(
    "text",
    [
        "月干辛为正\u200b财。",
        "月干辛为正\ufe00财。",
        "The month stem is Direct Wеalth.",
        "日主庚\u2060辰。",
        "Ｗｅａｋ day master.",
    ],
)
def test_letters_that_look_like_others_or_like_nothing_are_refused(text: str) -> None:
    report = checked(text, "tg.month.stem", language="en" if "m" in text else "zh-Hans")
    assert any(each.reason == "hidden" for each in report.contradicted)


def test_pinyin_with_tones_is_read() -> None:
    assert passes("The month pillar is Xīn Sì.", "p.month.stem", "p.month.branch")
    assert not passes("The month pillar is Rén Wǔ.", "p.month.stem", "p.month.branch")


# Disclaimers


def test_a_disclaimer_is_one_of_the_fixed_ones() -> None:
    said = Sentence("仅供娱乐。", (), "disclaimer")
    reading = Reading("", (), (Section("advice", (said,)),), ())
    assert check(reading, facts(), language="zh-Hans", disclaimers=["仅供娱乐。"]).passed
    report = check(reading, facts(), language="zh-Hans", disclaimers=["别的话。"])
    assert [each.category for each in report.contradicted] == ["disclaimer"]


def test_a_disclaimer_is_no_place_for_claims() -> None:
    said = Sentence("日主身弱，格局为正官格。", (), "disclaimer")
    assert not check(
        Reading("", (said,), (), ()), facts(), language="zh-Hans", disclaimers=["仅供娱乐。"]
    ).passed


# Step 8: language

TEXTS = {
    "zh-Hans": "月干辛为劫财，身边的人总是热闹，遇事记得先留三分余地。",
    "zh-Hant": "月干辛為劫財，身邊的人總是熱鬧，遇事記得先留三分餘地。",
    "en": "The month stem is 劫财 (Rob Wealth), and there is always company around you.",
}


@pytest.mark.parametrize("language", ALL)
@pytest.mark.parametrize("spoken", ALL)
def test_a_reading_is_in_the_script_of_its_language(language: str, spoken: str) -> None:
    report = checked(TEXTS[spoken], "tg.month.stem", language=language)
    assert any(each.category == "language" for each in report.contradicted) == (language != spoken)


def test_a_few_signs_of_the_other_script_are_no_other_language() -> None:
    text = "月干辛为劫財，身边的人总是热闹，遇事记得先留三分余地，凡事不必急於一时。"
    assert not any(each.category == "language" for each in checked(text, "tg.month.stem").contradicted)


def test_terms_with_their_gloss_do_not_count_against_english() -> None:
    assert passes(
        "用神 (useful god): 水 (Water); 喜神 (favourable god): 火 (Fire).", "yong.primary", "yong.secondary"
    )


# Step 9: coverage


def test_a_reading_names_what_it_has_to() -> None:
    required = (
        Requirement("useful_god", (Claim("role", "用神:水"), Claim("role", "喜:水"))),
        Requirement("year", (Claim("pillar", "丙午"),)),
    )
    said = Sentence("用神为水。", ("yong.primary",), "fact")
    short = check(Reading("", (said,), (), ()), facts(), language="zh-Hans", required=required)
    assert (short.coverage.named, short.coverage.missing, short.passed) == (("useful_god",), ("year",), False)
    more = Sentence("2026年流年丙午。", ("ln.2026",), "fact")
    assert check(Reading("", (said, more), (), ()), facts(), language="zh-Hans", required=required).passed


def test_a_requirement_may_ask_for_several_of_its_claims() -> None:
    two = (
        Requirement(
            "gods", (Claim("ten_god", "比肩"), Claim("ten_god", "劫财"), Claim("ten_god", "食神")), 2
        ),
    )
    one = Reading("", (Sentence("年干为比肩。", ("tg.year.stem",), "fact"),), (), ())
    assert not check(one, facts(), language="zh-Hans", required=two).passed
    both = Reading(
        "", (Sentence("年干为比肩，月干为劫财。", ("tg.year.stem", "tg.month.stem"), "fact"),), (), ()
    )
    assert check(both, facts(), language="zh-Hans", required=two).passed


def test_a_denied_claim_covers_nothing() -> None:
    required = (Requirement("strength", (Claim("strength", "身弱"),)),)
    said = Sentence("日主并非身弱。", ("str.verdict",), "fact")
    assert check(
        Reading("", (said,), (), ()), facts(), language="zh-Hans", required=required
    ).coverage.missing == ("strength",)


# The report


def test_every_problem_of_a_reading_is_collected() -> None:
    wrong = (
        Sentence("月干为正财。", ("tg.month.stem",), "fact"),
        Sentence("日主身弱。", ("str.verdict",), "fact"),
    )
    report = check(Reading("", wrong, (), ()), facts(), language="zh-Hans")
    assert {each.sentence for each in report.contradicted} == {"月干为正财。", "日主身弱。"}


def test_a_report_is_ready_for_json() -> None:
    made = checked("年干透出劫财。", "tg.month.stem").to_dict()
    assert made["verdict"] == "fallback"
    assert made["coverage"] == {"named": [], "missing": []}
    assert made["contradicted"][0].keys() == {"sentence", "term", "category", "reason"}


def test_a_passing_report_can_be_marked_as_repaired_and_a_failing_one_cannot() -> None:
    good, bad = checked("月干为劫财。", "tg.month.stem"), checked("月干为正财。", "tg.month.stem")
    assert (good.verdict, good.repaired().verdict, good.repaired().passed) == ("pass", "repaired", True)
    assert bad.repaired().verdict == "fallback"


def test_terms_that_were_checked_are_counted() -> None:
    assert checked("作息规律。", kind="advice").checked_terms == 0
    assert checked("月干辛为劫财。", "tg.month.stem").checked_terms >= 3
