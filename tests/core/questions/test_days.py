"""The day that a question names: the first from today on, and whether something is to come before it."""

from datetime import date

import pytest

from bazi_core.questions.days import NamedDay, day_named

TODAY = date(2026, 11, 25)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day", "is_limit"),
    [
        ("12月19日考六级，能过吗", "2026-12-19", False),
        ("26号面试", "2026-11-26", False),
        ("3号前能还吗", "2026-12-03", True),
        ("下周三手术顺利吗", "2026-12-02", False),
        ("下下週五出發", "2026-12-11", False),
        ("周五出结果", "2026-11-27", False),
        ("周二出结果", "2026-12-01", False),
        ("后天复查", "2026-11-27", False),
        ("2月30日或3月1日", "2027-03-01", False),
        ("Will the surgery on Thursday go well?", "2026-11-26", False),
        ("She has to enrol by Thursday", "2026-11-26", True),
        ("明年6月中考能上普高吗", "2027-06-01", False),
        ("2027年3月底前卖得掉吗", "2027-03-31", True),
        ("Will it sell by the end of June?", "2027-06-30", True),
        ("Paid by end of November?", "2026-11-30", True),
        ("My exam is next Monday", "2026-11-30", False),
        ("Will he pay by 30 November?", "2026-11-30", True),
        ("The hearing is on December 3rd", "2026-12-03", False),
        ("tomorrow's match", "2026-11-26", False),
    ],
)
def test_a_day_is_read_as_the_next_of_its_name(text, day, is_limit):
    found = day_named(text, TODAY)
    assert found is not None
    assert found[:2] == (date.fromisoformat(day), is_limit)


@pytest.mark.parametrize(
    "text",
    [
        "下个月能成吗",
        "8号线附近的房子",
        "3号楼",
        "借我12万",
        "10:30 on the dot",
        "2月30日",
        "",
        None,
        "Monday's child" * 0,
    ],
)
def test_what_names_no_day_is_none(text):
    assert day_named(text, TODAY) is None


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("went missing nov 16", "2026-11-20"),
        ("我8月3号交的辞职信，公司会批吗", "2026-09-01"),
        ("12月20号分手了", "2027-01-05"),
        ("We broke up on March 3. Does he miss me?", "2026-11-20"),
        ("My cat slipped out on Sunday night. Will she come home?", "2026-11-24"),
        ("上周五面试的，能过吗", "2026-11-20"),
        ("last Friday I interviewed", "2026-11-20"),
        ("15号面试完了没消息", "2026-11-20"),
        ("去年9月1号搬的家", "2026-09-20"),
    ],
)
def test_a_day_that_is_over_is_none(text, today):
    assert day_named(text, date.fromisoformat(today)) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("护照9月1号就送去换了，9月28号出发，来得及吗", "2026-09-28"),
        ("护照赶得上10月2号的机票吗", "2026-10-02"),
        ("Will I get my passport in time for 2 October?", "2026-10-02"),
        ("另一offer周五到期，凉了吗", "2026-09-11"),
        ("My visa expires on 3 December", "2026-12-03"),
        ("三天内能还吗", "2026-09-13"),
        ("within two weeks?", "2026-09-24"),
        ("月底前能到账吗", "2026-09-30"),
        ("年前能到账吗", "2027-02-06"),
        ("Will he pay before Chinese New Year?", "2027-02-06"),
    ],
)
def test_what_is_to_come_in_time_has_a_limit(text, day):
    found = day_named(text, date(2026, 9, 10))
    assert found is not None
    assert found[:2] == (date.fromisoformat(day), True)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Driving test on Tuesday the 1st", "2026-12-01"),
        ("The interview is on Friday the 11th", "2026-12-11"),
        ("周二1号考科二", "2026-12-01"),
        ("1号（周二）考科二", "2026-12-01"),
        ("Sunday the 22nd", "2026-11-22"),
    ],
)
def test_a_weekday_with_its_day_of_the_month_is_the_next_date_of_both(text, day):
    assert day_named(text, date(2026, 11, 21)) == NamedDay(date.fromisoformat(day), False)


@pytest.mark.parametrize(
    ("text", "today"),
    [
        ("国企说这周五前给答复到现在没消息", "2026-11-22"),
        ("They said they'd call by Thursday and they haven't", "2026-11-22"),
        ("They said they'd call by Thursday and they haven't", "2026-11-23"),
        ("他说周五前还钱，还没还，会还吗", "2026-11-22"),
        ("说好15号前给答复，至今没有下文", "2026-11-22"),
        ("They promised it by November 15 and they haven't sent it", "2026-11-22"),
    ],
)
def test_a_limit_that_was_missed_is_none(text, today):
    assert day_named(text, date.fromisoformat(today)) is None


@pytest.mark.parametrize(
    ("text", "today", "day"),
    [
        ("国企说这周五前给答复到现在没消息", "2026-11-18", "2026-11-20"),
        ("他说周五前还钱，还没还，会还吗", "2026-11-18", "2026-11-20"),
        ("Will they call before Friday? I haven't slept", "2026-11-22", "2026-11-27"),
        ("Will my passport come before Saturday?", "2026-11-21", "2026-11-28"),
    ],
)
def test_a_limit_that_is_still_to_come_stays_one(text, today, day):
    assert day_named(text, date.fromisoformat(today)) == NamedDay(date.fromisoformat(day), True)


def test_a_day_of_the_last_month_of_a_year_rolls_over():
    assert day_named("3号", date(2026, 12, 30)) == NamedDay(date(2027, 1, 3), False)
