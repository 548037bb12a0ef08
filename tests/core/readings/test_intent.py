"""What a question asks: the part of life, the way, the years and months, of whom; and what must not be answered."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bazi_core.questions.heard import wording
from bazi_core.questions.intent import Intent, intent
from bazi_core.questions.question import Question, classes_of, question
from bazi_core.tables import rows
from tests.questions import questions_in, too_seldom_right
from tests.sizes import examples
from tests.tables import holds_for_all

APART = questions_in(Path(__file__).with_name("asked_apart.tsv"))
SUPPORTED, SET_ASIDE = {"death", "self_harm"}, {"out_of_scope", "gibberish"}
LEAST = {"domain": 0.95, "kind": 0.95, "years": 0.97, "class": 0.95, "supported": 1.0, "not supported": 1.0}


def right(row, asked):
    """For every member that the label of a question set apart counts, whether it is right."""
    labels = {name: row[name].split() for name in ("domain", "kind", "class")}
    found = {"class": asked.cls in labels["class"]}
    set_aside = found["class"] and asked.cls in SET_ASIDE
    found |= {
        name: set_aside or getattr(asked, name) in labels[name] for name in ("domain", "kind") if labels[name]
    }
    if set(labels["class"]) <= SUPPORTED:
        return {"class": found["class"], "supported": found["class"]}
    years = [tuple(map(int, each.split())) for each in row["years"].split("|")]
    return found | {
        "years": set_aside or asked.years_from(2026) in years,
        "not supported": asked.cls not in SUPPORTED,
    }


def test_there_are_over_two_hundred_questions_apart_from_those_that_the_rows_were_made_with():
    assert len({row["question"] for row in APART}) == len(APART) > 200
    assert sum(set(row["class"].split()) <= SUPPORTED for row in APART) > 50


def test_nearly_all_of_them_are_understood_and_nobody_in_need_is_missed():
    judged = ((row["question"], right(row, intent(row["question"]))) for row in APART)
    seldom, wrong = too_seldom_right(judged, LEAST)
    assert seldom == set(), wrong


@holds_for_all(
    "text, years, ahead, horizon",
    [
        ("今年财运如何", (), (0,), "year"),
        ("明年和后年哪年好", (), (1, 2), "years"),
        ("2026到2029年怎么样", (2026, 2027, 2028, 2029), (), "years"),
        ("26、27、28这三年哪年好", (2026, 2027, 2028), (), "years"), ("民國116年運勢", (2027,), (), "year"),
        ("丁未年适合结婚吗", (2027,), (), "year"), ("二零二八年会发财吗", (2028,), (), "year"),
        ("未来三年怎么样", (), (1, 2, 3), "years"), ("next two years for work?", (), (1, 2), "years"),
        ("今年三十岁，什么时候结婚", (), (), "life"), ("我1990年出生，事业如何", (), (), "life"),
        ("去年离婚了，明年能再婚吗", (), (1,), "year"), ("去年为什么那么倒霉", (), (-1,), "year"),
        ("工作十年了，要不要换", (), (), "life"),
        ("30年房贷压力大不大", (), (), "life"), ("事业巅峰在哪步大运", (), (), "decade"),
        ("2026/27 for my career?", (2026, 2027), (), "years"),
        ("is this or next year better", (), (0, 1), "years"),
        ("will I get 2000 dollars back", (), (), "life"), ("明天面试能过吗", (), (), "days"),
    ],
)  # fmt: skip
def test_years_are_those_that_are_asked_about(text, years, ahead, horizon):
    asked = intent(text)
    assert (asked.years, asked.ahead, asked.horizon) == (years, ahead, horizon)


@holds_for_all(
    "text, months",
    [
        ("九月跟十一月，哪个月好", (9, 11)), ("5月换工作行吗", (5,)), ("腊月搬家好吗", (12,)), ("3个月能找到工作吗", ()),
        ("June or October?", (6, 10)),
        ("may I ask about work", ()),
        ("should we wed in May", (5,)),
        ("买月饼的生意好做吗", ()),
    ],
)  # fmt: skip
def test_months_are_those_that_are_named(text, months):
    assert intent(text).months == months


@holds_for_all(
    "text, subject",
    [
        ("我老公今年工作顺吗", "spouse"), ("老豆身體點樣", "father"), ("我妈的病", "mother"),
        ("my daughter's exams", "child"),
        ("我弟能考上吗", "sibling"), ("老細會唔會加我人工", "boss"), ("死党找我合伙", "friend"), ("我的财运", "self"),
        ("will my ex come back", "former_partner"),
        ("奶奶的身体", "grandparent"),
        ("我的猫跑了", "pet"),
        ("婆婆难相处", "parents_in_law"),
    ],
)  # fmt: skip
def test_the_subject_is_the_one_of_whom_it_is_asked(text, subject):
    assert intent(text).subject == subject


def test_what_a_question_asks_does_not_depend_on_its_script():
    for simplified, traditional in (
        ("我爸还能活多久", "我爸還能活多久"), ("今年换工作还是明年", "今年換工作還是明年"),
        ("财运什么时候来", "財運什麼時候來"),
        ("不想活了", "唔想活咗"), ("他对我认真吗", "佢對我認真嗎"),
    ):  # fmt: skip
        assert intent(simplified) == intent(traditional)


def test_a_question_carries_its_intent_with_the_classes_that_it_was_given():
    asked = question("今年适合换工作吗？")
    assert asked.intent == intent(asked.text)
    assert Question(asked.text, ("minor",)).intent.classes == ("minor",)


def test_every_sign_of_another_script_is_heard_as_one():
    written = "".join(row["written"] for row in rows("heard"))
    assert len(set(written)) == len(written)
    assert all(len(row["written"]) == len(row["heard"]) for row in rows("heard"))
    assert not set(written) & set("".join(row["heard"] for row in rows("heard")))


@pytest.mark.parametrize("table", ["intents", "question_words"])
def test_no_row_waits_for_a_sign_that_is_heard_as_another(table):
    written = set("".join(row["written"] for row in rows("heard")))
    assert [row["zh"] for row in rows(table) if written & {*row["zh"]}] == []


def test_every_set_of_words_is_named_by_a_row():
    cells = [
        row[name]
        for table in ("intents", "question_words", "word_sets")
        for row in rows(table)
        for name in ("zh", "en")
    ]
    named = {name for cell in cells for name in re.findall(r"\{([a-z_]+)\}", cell)}
    assert named == {row["set"] for row in rows("word_sets")}


def test_a_set_without_words_of_a_language_is_told_as_a_defect():
    with pytest.raises(ValueError, match="word_sets: burial has no words of en"):
        wording("", "{burial}")


VALUES = {
    slot: {row["value"] for row in rows("intents") if row["slot"] == slot}
    for slot in ("domain", "kind", "subject")
}


def test_the_tables_name_what_may_be_asked():
    assert VALUES["domain"] == {
        "career", "wealth", "relationship", "marriage", "children",
        "parents", "study", "health", "travel_move", "lawsuit",
        "timing", "direction", "self", "general",
    }  # fmt: skip
    assert VALUES["kind"] == {"whether", "which", "when", "how_much", "how", "why", "compare", "describe"}


@examples(200)
@given(st.text(max_size=300))
def test_any_text_has_an_intent(text):
    asked = intent(text)
    assert isinstance(asked, Intent)
    assert asked.domain in VALUES["domain"]
    assert asked.kind in VALUES["kind"]
    assert asked.subject in VALUES["subject"] | {"self"}
    assert asked.classes == classes_of(text)
    assert asked.years_from(2026) == tuple(sorted({*asked.years, *(2026 + each for each in asked.ahead)}))


@examples(50)
@given(
    st.sampled_from([row["question"] for row in APART if row["class"] == "death"]),
    st.text("，。！？ ~…", max_size=8),
)
def test_death_is_heard_whatever_signs_stand_around_it(text, around):
    assert "death" in classes_of(f"{around}{text}{around}")
