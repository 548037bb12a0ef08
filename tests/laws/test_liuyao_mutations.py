"""Proof that the tests of 六爻 would notice: every rule broken on purpose, one at a time.

    python -m tests.laws.test_liuyao_mutations      # prints killed / total; exits with 1 when one survives

Each mutation runs in an interpreter of its own (`breaking`). A check is a golden file of `data/golden/liuyao`, a module of
tests, or one test of it.
"""

from __future__ import annotations

import json
import sys

import pytest

from tests.laws.breaking import (
    NONE,
    Found,
    Mutations,
    constant,
    count,
    edit_rows,
    failing_tests,
    function,
    method,
    module,
    run_all,
    survivors,
    swap_rows,
)
from tests.laws.liuyao_breaks import (
    always_active,
    always_china,
    answered_with,
    clash_anywhere,
    clock_rounded,
    day_before,
    drawn_uniformly,
    drop,
    earth_with_fire,
    exchanged,
    exchanged_stems,
    first_only,
    hidden_of_target,
    in_own_palace,
    kin_as,
    lines_reversed,
    marks_of_the_primary,
    merits_without,
    minutes_dropped,
    moved_shi,
    moved_ying,
    moving_lines_in_secret,
    najia,
    nothing_changes_in_the_target,
    of_solar_year,
    plainly,
    points,
    position_by_day,
    relabelled,
    relation_of_controlled,
    renamed,
    roles_exchanged,
    seats,
    shifted_spirits,
    shorter,
    split_evenly,
    stale,
    state,
    stem_of_this_day,
    strict,
    trusting,
    void_of_month,
    void_two_on,
    without_earth,
    without_roots,
    wu_with_ji,
)

CORE = "tests.core.liuyao"
CASES, CLASSICS = "liuyao_cases", "classics_zengshan"
HEXAGRAMS, CALENDAR = f"{CORE}.test_hexagrams", f"{CORE}.test_calendar"
MARKS, BOARD, STRICT = f"{CORE}.test_marks", f"{CORE}.test_board", f"{CORE}.test_divination"
YONGSHEN, TIMING, SIGN = f"{CORE}.test_yongshen", f"{CORE}.test_timing", f"{CORE}.test_sign"
FORCE = f"{CORE}.test_force"
SIDES, DATES = f"{CORE}.test_sides", f"{CORE}.test_dates"
CAST, RECORD, EVIDENCE, SCHEMAS = (
    f"{CORE}.test_cast",
    f"{CORE}.test_record",
    f"{CORE}.test_evidence",
    f"{CORE}.test_schemas",
)
LAWS, LIUREN, CENSUS = "tests.laws.test_liuyao", "tests.core.test_liuren", "tests.census.test_liuyao"
TABLE = "tests.golden.test_liuyao"


MUTATIONS: Mutations = {
    # Hexagrams.
    "two branches of 坎 exchanged": (
        edit_rows("liuyao/trigrams", najia("坎", "inner", lambda p: [p[1], p[0], p[2]])),
        [CASES, CLASSICS, TABLE],
    ),
    "stems of 乾 exchanged": (
        edit_rows("liuyao/trigrams", exchanged_stems("乾")),
        [
            CLASSICS,
            TABLE,
            f"{HEXAGRAMS}:test_stems_and_branches_run_forward_in_yang_and_backward_in_yin_trigrams",
        ],
    ),
    "stems of 坤 exchanged": (edit_rows("liuyao/trigrams", exchanged_stems("坤")), [CLASSICS, TABLE]),
    "bits of 巽 and 坎 exchanged": (swap_rows("liuyao/trigrams", "bits", 4, 5), [CASES, CLASSICS]),
    "elements of 离 and 震 exchanged": (
        swap_rows("liuyao/trigrams", "element", 2, 3),
        [CASES, f"{HEXAGRAMS}:test_trigrams_are_read_from_the_bottom"],
    ),
    "numbers of 兑 and 离 exchanged": (
        swap_rows("liuyao/trigrams", "number", 1, 2),
        [f"{CAST}:test_numbers_give_trigrams_by_eights_and_the_line_by_sixes"],
    ),
    "lines read from the top": (function("liuyao.lines", "values_of", lines_reversed), [CASES, CLASSICS]),
    "line 5 turned back for 游魂": (
        edit_rows("liuyao/hexagrams", relabelled("游魂", "四世")),
        [CASES, TABLE, f"{HEXAGRAMS}:test_palace_and_generation_follow_from_turning_lines"],
    ),
    "palaces of two hexagrams exchanged": (
        swap_rows("liuyao/hexagrams", "palace", 2, 3),
        [CASES, f"{HEXAGRAMS}:test_palace_and_generation_follow_from_turning_lines"],
    ),
    "names of two hexagrams exchanged": (
        swap_rows("liuyao/hexagrams", "full", 62, 63),
        [CASES, f"{HEXAGRAMS}:test_a_full_name_is_upper_image_lower_image_and_short_name"],
    ),
    "世 moved in one generation": (edit_rows("liuyao/generations", seats(moved_shi)), [CASES, CLASSICS]),
    "应 one line on": (edit_rows("liuyao/generations", seats(moved_ying)), [CASES, CLASSICS]),
    "妻财 and 官鬼 exchanged": (
        function("liuyao.hexagrams", "relation", relation_of_controlled),
        [CASES, CLASSICS],
    ),
    "relatives of the target in its own palace": (
        function("liuyao.hexagrams", "relations_in", in_own_palace),
        [CASES, f"{BOARD}:test_what_a_moving_line_turns_into_is_judged_in_the_palace_of_the_primary"],
    ),
    "hidden lines from the palace of the target": (
        function("liuyao.board", "hidden_lines", hidden_of_target),
        [CASES, f"{BOARD}:test_changing_the_target_never_changes_a_hidden_line"],
    ),
    "only the first hidden line": (
        function("liuyao.hexagrams", "_hidden", first_only),
        [
            CASES,
            CLASSICS,
            f"{HEXAGRAMS}:test_a_missing_relative_is_hidden_where_the_head_of_the_palace_has_it",
        ],
    ),
    "卦身 from the other end": (
        method(
            "liuyao.hexagrams",
            "Hexagram",
            "gua_shen",
            lambda right: property(lambda self: module("liuyao.hexagrams").clash(right.fget(self))),
        ),
        [CASES, f"{HEXAGRAMS}:test_gua_shen_of_the_twelve_waxing_and_waning_hexagrams_is_their_month"],
    ),
    "世身 one line on": (
        method(
            "liuyao.hexagrams",
            "Hexagram",
            "shi_shen",
            lambda right: property(lambda self: right.fget(self) % 6 + 1),
        ),
        [CASES, f"{HEXAGRAMS}:test_shi_shen_follows_the_branch_of_shi"],
    ),
    "one 六合 pair wrong": (
        function(
            "liuyao.hexagrams",
            "combination",
            lambda right: (
                lambda branch: right(branch) if branch.value != "子" else module("alphabet").BRANCHES[2]
            ),
        ),
        [CASES, f"{HEXAGRAMS}:test_clash_is_six_places_and_combinations_are_the_six_pairs"],
    ),
    # The strict object.
    "spirits one line on": (function("liuyao.divination", "_spirits", shifted_spirits), [CASES, CLASSICS]),
    "己 given 勾陈": (
        edit_rows("liuyao/spirits", wu_with_ji),
        [f"{STRICT}:test_spirits_of_all_ten_stems_are_one_character_each"],
    ),
    "the target's lines never change": (
        strict(nothing_changes_in_the_target),
        [CASES, f"{STRICT}:test_the_digest_of_all_casts_is_the_published_one"],
    ),
    "the target's marks from the primary": (
        strict(marks_of_the_primary),
        [CASES, f"{STRICT}:test_the_digest_of_all_casts_is_the_published_one"],
    ),
    "the clock rounded to the minute": (
        strict(clock_rounded),
        [f"{STRICT}:test_the_time_is_the_clock_of_the_given_offset_with_seconds_dropped"],
    ),
    "one key more": (
        strict(lambda chart, made: made.update(note="")),
        [CASES, f"{SCHEMAS}:test_the_strict_object_of_every_cast_is_valid"],
    ),
    "旬空 two places on": (function("views.cycles", "void_branches", void_two_on), [CASES, CLASSICS]),
    "旬空 of lines from the month": (state(void_of_month), [CASES, CLASSICS]),
    "月破 from the day": (
        state(lambda own, month, day: {"month_broken": own.day_clashed}),
        [CASES, CLASSICS],
    ),
    "日冲 from the month": (
        state(lambda own, month, day: {"day_clashed": own.month_broken}),
        [CASES, CLASSICS],
    ),
    "void and broken taken away by month and day": (state(stale), [CASES]),
    "states of the season rotated": (
        function(
            "views.elements", "states", lambda right: lambda month: (*right(month)[1:], right(month)[0])
        ),
        [CASES, f"{MARKS}:test_season_in_every_month"],
    ),
    # Time.
    "the instant of a 节 in the old month": (
        function("astro.terms", "position", lambda right: lambda tt_ms: right(tt_ms - 1)),
        [f"{CALENDAR}:test_the_month_turns_at_the_millisecond_of_every_jie_of_two_centuries"],
    ),
    "节 by the calendar day": (function("astro.terms", "position", position_by_day), [CASES]),
    "minutes dropped": (function("liuyao.calendar", "_read", minutes_dropped), [CASES]),
    "the offset ignored": (function("liuyao.calendar", "_read", always_china), [CASES]),
    "the boundary at 23:00 inverted": (
        function("pillars", "day_index", lambda right: lambda ms, late: right(ms, not late)),
        [CASES],
    ),
    "the stem of the late hour from this day": (function("pillars", "hour_index", stem_of_this_day), [CASES]),
    "years from the lunar new year": (
        function("pillars", "year_index", lambda right: lambda term: right(term - 1)),
        [f"{CALENDAR}:test_the_month_turns_at_the_millisecond_of_every_jie_of_two_centuries"],
    ),
    # Marks.
    "进神 and 退神 exchanged": (
        exchanged("liuyao.marks", "ADVANCE", "RETREAT"),
        [CASES, f"{MARKS}:test_every_change_of_a_line_in_every_void"],
    ),
    "earth dropped from 进神 and 退神": (
        without_earth,
        [CASES, f"{MARKS}:test_change_marks_over_all_casts_are_counted"],
    ),
    "反吟 by the clash of any line": (
        function("liuyao.marks", "fan_fu", clash_anywhere),
        [CASES, f"{MARKS}:test_groaning_in_reverse_and_in_place_over_all_casts"],
    ),
    "三合 without motion": (
        function("liuyao.marks", "trines", always_active),
        [CASES, f"{MARKS}:test_branches_without_motion_never_make_a_trine"],
    ),
    "暗动 for moving lines": (
        function("liuyao.board", "lines", moving_lines_in_secret),
        [CASES, f"{BOARD}:test_a_still_line_clashed_by_the_day_is_moved_in_secret_or_broken"],
    ),
    "暗动 at any strength": (
        function("liuyao.board", "_wakes", lambda right: lambda chart, own: True),
        [CASES, f"{BOARD}:test_a_still_line_clashed_by_the_day_is_moved_in_secret_or_broken"],
    ),
    "every void line truly void": (
        function("liuyao.board", "_void_kind", lambda right: lambda *given: "真"),
        [f"{BOARD}:test_a_void_line_is_truly_void_only_when_nothing_stirs_or_feeds_it"],
    ),
    "earth born in 寅": (
        edit_rows("liuyao/stages", earth_with_fire),
        [CASES, f"{MARKS}:test_four_stages_of_every_element_and_no_others"],
    ),
    "回头生 left out": (
        function("liuyao.marks", "change", drop("回头生")),
        [CASES, f"{MARKS}:test_change_marks_over_all_casts_are_counted"],
    ),
    "what the month does, without combinations": (
        function("liuyao.marks", "bearing", drop("合")),
        [CASES, f"{MARKS}:test_bearing_of_every_branch_on_every_branch"],
    ),
    "a transition without motion": (
        function(
            "liuyao.marks",
            "transition",
            lambda right: lambda one, other: module("liuyao.marks")._transition(one.tags, other.tags),
        ),
        [CASES, f"{MARKS}:test_nothing_changes_from_a_mark_when_nothing_moves"],
    ),
    "卦变 seen from the target": (
        function("liuyao.marks", "gua_bian", lambda right: lambda one, other: right(other, one)),
        [f"{MARKS}:test_a_pure_hexagram_meets_a_pure_one_by_their_elements"],
    ),
    "贵人 of 庚 with those of 辛": (
        edit_rows(
            "liuyao/stars", lambda rows: rows[0].update(cells=rows[0]["cells"].replace("庚:丑未", "庚:午寅"))
        ),
        [f"{MARKS}:test_stars_of_every_month_and_day_stand_where_the_book_puts_them"],
    ),
    "自刑 of a single branch": (
        constant(
            "liuyao.marks",
            "_PUNISHMENTS",
            lambda right: tuple((name, members, 0) for name, members, _ in right),
        ),
        [f"{MARKS}:test_punishments_need_all_members_and_self_punishment_two"],
    ),
    # Casting.
    "upper and lower of 梅花 exchanged": (
        function(
            "liuyao.cast", "_lines_of", lambda right: lambda upper, lower, moving: right(lower, upper, moving)
        ),
        [TABLE, f"{CAST}:test_numbers_give_trigrams_by_eights_and_the_line_by_sixes"],
    ),
    "a remainder of 0 is 乾": (
        function(
            "liuyao.cast",
            "_lines_of",
            lambda right: lambda upper, lower, moving: right(upper % 8 or 1, lower % 8 or 1, moving),
        ),
        [f"{CAST}:test_numbers_give_trigrams_by_eights_and_the_line_by_sixes"],
    ),
    "a remainder of 0 is line 1": (
        function(
            "liuyao.cast",
            "_lines_of",
            lambda right: lambda upper, lower, moving: right(upper, lower, moving % 6 or 1),
        ),
        [f"{CAST}:test_numbers_give_trigrams_by_eights_and_the_line_by_sixes"],
    ),
    "the year of 梅花 from 立春": (
        function("liuyao.cast", "lunar_of", of_solar_year),
        [f"{CAST}:test_the_year_of_a_time_is_the_lunar_year"],
    ),
    "lines drawn uniformly": (
        function("liuyao.cast", "coins", drawn_uniformly),
        [f"{CAST}:test_drawn_lines_follow_their_odds_in_every_place"],
    ),
    "stalks split evenly": (
        function("liuyao.cast", "_heaps", split_evenly),
        [
            f"{CAST}:test_the_published_vector_is_reproduced",
            f"{CAST}:test_drawn_lines_follow_their_odds_in_every_place",
        ],
    ),
    "背 and 字 exchanged": (
        function(
            "liuyao.record",
            "value_of_faces",
            lambda right: lambda faces, face: right(faces, "zi" if face == "bei" else "bei"),
        ),
        [
            f"{CAST}:test_backs_are_counted_as_the_book_has_it",
            f"{CAST}:test_the_published_vector_is_reproduced",
        ],
    ),
    "another tag in the digest": (
        constant("liuyao.cast", "TAG", lambda right: right + b"!"),
        [f"{CAST}:test_the_published_vector_is_reproduced"],
    ),
    "lines counted from nought in the digest": (
        function(
            "liuyao.cast",
            "_digest",
            lambda right: lambda server, client, line: right(server, client, line - 1),
        ),
        [f"{CAST}:test_the_published_vector_is_reproduced"],
    ),
    "records verified without comparing": (function("liuyao.cast", "verified", trusting), [RECORD]),
    # Judgements.
    "事业 answered with 父母": (
        edit_rows("liuyao/question_types", answered_with("父母", "事业")),
        [f"{YONGSHEN}:test_a_kind_of_question_asks_for_its_relatives"],
    ),
    "only one candidate": (
        function("liuyao.yongshen", "_candidates", first_only),
        [f"{YONGSHEN}:test_all_lines_of_the_relative_are_candidates_ranked_by_the_old_method"],
    ),
    "ranks blind to motion": (
        edit_rows("liuyao/merits", merits_without("发动")),
        [f"{YONGSHEN}:test_motion_comes_before_broken_before_void_before_the_lower_place"],
    ),
    "ranks blind to the month": (
        edit_rows("liuyao/merits", merits_without("不逢月破")),
        [f"{YONGSHEN}:test_motion_comes_before_broken_before_void_before_the_lower_place"],
    ),
    "ranks blind to a blow of the day": (
        edit_rows("liuyao/merits", merits_without("不逢日破")),
        [f"{YONGSHEN}:test_a_line_that_the_day_breaks_comes_after_one_that_is_whole"],
    ),
    "a wife sought in 官鬼": (
        edit_rows("liuyao/kinship", kin_as("wife", "官鬼")),
        [f"{YONGSHEN}:test_kinship_decides_whatever_the_kind"],
    ),
    "原神 and 忌神 exchanged": (
        function("liuyao.yongshen", "_roles", roles_exchanged),
        [f"{YONGSHEN}:test_roles_generate_and_control_and_list_their_lines"],
    ),
    "hidden lines before changed ones": (
        constant(
            "liuyao.yongshen",
            "SOURCES",
            shorter("month_day_changed_hidden", "month", "day", "hidden", "changed"),
        ),
        [f"{YONGSHEN}:test_a_relative_that_no_line_is_comes_from_the_first_source_that_has_it"],
    ),
    "the day of the cast told again": (
        function("liuyao.dates", "effective_date", day_before),
        [f"{DATES}:test_days_are_all_those_of_the_branch_within_the_horizon_and_begin_where_the_day_turns"],
    ),
    "days that turn at midnight whatever the School": (
        constant("liuyao.dates", "_TURNS", lambda right: dict.fromkeys(right, right["00:00"])),
        [f"{DATES}:test_days_are_all_those_of_the_branch_within_the_horizon_and_begin_where_the_day_turns"],
    ),
    "months of the 节 before": (
        function("liuyao.dates", "month_index", lambda right: lambda position: right(position - 2)),
        [f"{DATES}:test_months_and_years_begin_where_the_sun_stands_at_their_term"],
    ),
    "a broken line answered within its month": (
        edit_rows("liuyao/timing", lambda rows: [row.update(after="") for row in rows]),
        [f"{DATES}:test_what_the_month_broke_is_answered_when_the_month_is_over"],
    ),
    "静值 and 静冲 exchanged": (
        function("liuyao.timing", "_of_subject", renamed("静值", "静冲")),
        [f"{TIMING}:test_every_trigger_of_many_boards_is_that_of_the_table"],
    ),
    "the store of fire in 丑": (
        function(
            "liuyao.marks",
            "tomb",
            lambda right: (
                lambda element: right(element) if element.value != "火" else module("alphabet").BRANCHES[1]
            ),
        ),
        [
            f"{TIMING}:test_every_trigger_of_many_boards_is_that_of_the_table",
            f"{MARKS}:test_four_stages_of_every_element_and_no_others",
        ],
    ),
    "日破 counted as good": (
        edit_rows("liuyao/sign", points("日破", "2")),
        [f"{SIGN}:test_every_contribution_of_many_boards_is_that_of_the_table"],
    ),
    "a change counted in the sign that comes to nothing": (
        function("liuyao.sign", "works_back", lambda right: lambda line, mark: mark in line.changes),
        [f"{SIGN}:test_what_comes_to_nothing_counts_nothing"],
    ),
    "六冲 that no combination mends": (
        function("speech.statements.cast_turns", "_met", lambda right: lambda cast, marked: None),
        [
            f"{CORE}.test_matters:test_six_harmonies_clashed_come_apart_and_six_clashes_combined_come_together_again"
        ],
    ),
    "no line carried by a trine of its own": (
        constant("liuyao.force", "_CARRIED", lambda right: ()),
        [f"{FORCE}:test_what_a_change_undoes_acts_all_the_same_in_a_trine_of_its_own_element"],
    ),
    "what speaks against the sign told as its ground": (
        method("liuyao.sign", "LinePoints", "relation", lambda right: lambda self, side: "ground"),
        [f"{SIDES}:test_grounds_have_the_side_of_the_sign_and_every_other_one_is_a_counter_ground"],
    ),
    "a sentence against the sign told without 但": (
        method("speech.speaker", "Speaker", "sentence", plainly),
        [f"{SIDES}:test_every_sentence_that_speaks_against_the_sign_is_introduced_as_that"],
    ),
    "the levels of the sign moved": (
        constant("liuyao.sign", "LEVELS", lambda right: tuple((least + 1, name) for least, name in right)),
        [f"{SIGN}:test_scores_have_four_levels"],
    ),
    "all bad ends of a change counted": (
        constant("liuyao.sign", "_BAD_CHANGES", lambda right: (*right, *right)),
        [f"{SIGN}:test_every_rule_occurs_and_none_twice"],
    ),
    "changes that rest on nothing": (
        function("liuyao.evidence", "analysis_facts", without_roots),
        [f"{EVIDENCE}:test_leaves_are_pillars_and_lines_and_where_no_pillar_is_given_the_calendar"],
    ),
    # 小六壬.
    "two palms exchanged": (swap_rows("liuyao/palms", "name", 1, 2), [LIUREN]),
    "the double hour counted from nought": (
        function(
            "liuren",
            "_counted",
            lambda right: (
                lambda month, day, hour, leap, warnings=(): right(
                    month, day, hour and module("alphabet").BRANCHES[hour.index - 1], leap, warnings
                )
            ),
        ),
        [LIUREN],
    ),
}
# What the laws and the census must notice beside the checks of a mutation itself.
BOOKS = "test_every_cast_in_every_month_on_days_of_every_kind_follows_the_books"
WATCHED = {
    f"{LAWS}:{BOOKS}": "relatives of the target in its own palace",
    f"{CENSUS}:test_the_casts_are_counted_as_the_file_says": "earth dropped from 进神 and 退神",
    f"{CENSUS}:test_the_slots_are_counted_as_the_file_says": "states of the season rotated",
}
for _check, _name in WATCHED.items():
    MUTATIONS[_name][1].append(_check)


def failures(check: str) -> int:
    """How much a check finds wrong, in this interpreter."""
    if check.startswith("tests."):
        return failing_tests(*check.partition(":")[::2])
    from tests.golden import answer, liuyao

    kind = "liuyao" if check == CASES else "liuyao-classics"
    lines = answer.answer_lines(kind, map(json.dumps, liuyao.questions(check)))
    return len(liuyao.wrong(check, {line["id"]: line for line in map(json.loads, lines)}))


pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def found() -> Found:
    return run_all("tests.laws.test_liuyao_mutations", MUTATIONS)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_turns_every_check_red_that_should_notice_it(name, found):
    assert [check for check, number in found[name].items() if number == 0] == []


def test_every_mutation_is_killed(found):
    killed = [name for name in MUTATIONS if any(found[name].values())]
    assert f"{len(killed)}/{len(MUTATIONS)}" == f"{len(MUTATIONS)}/{len(MUTATIONS)}"
    assert len(MUTATIONS) >= 70


def test_without_a_mutation_no_check_finds_anything(found):
    assert {check: number for check, number in found[NONE].items() if number} == {}


def main() -> int:
    """All mutations; the share of those that some check noticed."""
    ran = run_all("tests.laws.test_liuyao_mutations", MUTATIONS)
    killed = sum(any(ran[name].values()) for name in MUTATIONS)
    left = survivors(ran)
    print(*left, sep="\n", end="\n" if left else "")
    print(f"killed {killed} / {len(MUTATIONS)}")
    return int(bool(left or any(ran[NONE].values())))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        count(sys.argv[1], sys.argv[2:], MUTATIONS, failures)
    else:
        sys.exit(main())
