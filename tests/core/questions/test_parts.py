"""A question of several parts is parted where it begins to ask about something else, in every language alike."""

import pytest

import bazi_core as bz
from bazi_core.questions.intent import intent
from bazi_core.questions.parts import MOST_PARTS, parted
from bazi_core.questions.persons import owner_of
from bazi_core.questions.question import question

TODAY = "2026-11-28"
CHART = bz.chart("1984-06-11 08:20", city="武汉", gender="male")

# What is asked, part by part: the side of life of each.
ASKED = [
    ("今年适合跳槽吗？我跟女朋友能成吗？", ("career", "relationship")),
    ("Should I change jobs this year, and will my girlfriend say yes?", ("career", "relationship")),
    ("今年換工作好嗎？跟女友會有結果嗎？", ("career", "relationship")),
    ("我適合什麼顏色？該往哪個方向？", ("direction", "direction")),
    ("欠的钱明年能还清吗？房东会不会告我？", ("wealth", "lawsuit")),
    ("Will I be out of debt next year? Will my landlord sue me?", ("wealth", "lawsuit")),
    ("身体什么时候能好起来，工作要不要辞？", ("health", "career")),
    ("考研能上岸吗？要不要先工作？", ("study", "career")),
    ("Is 2027 a good year to marry and should I move to Spain?", ("marriage", "travel_move")),
    # Why, how and which of two are asked besides; what is left to others is parted from what is not.
    ("我跟婆婆合不合？怎么处才能少吵点", ("marriage", "marriage")),
    ("2019年生意失敗欠了債，那年是怎麼了？現在還剩一百萬，什麼時候還清？", ("wealth", "wealth")),
    ("What happened in 2022? Dad died, job lost. When does it stop?", ("general", "career")),
    ("他到底有没有出轨，这婚还要不要离", ("relationship", "marriage")),
    ("明年犯太岁吗？剩下一个月会好点吗", ("general", "general")),
    ("我这辈子能发财吗，大概能有几百万", ("wealth", "wealth")),
    # Of one thing it is asked twice, or when beside whether: that is one question.
    ("我能升职吗？什么时候？", ("career",)),
    ("Will I get promoted? If so, when?", ("career",)),
    ("财运怎么样，钱好不好赚？", ("wealth",)),
    ("面试完了，能成吗？结果呢", ("career",)),
    # What is only told beside a question is no question, nor is a greeting.
    ("姐妹们帮我看看，还有没有可能复合", ("relationship",)),
    ("爸媽都七十幾了，薪水多一萬，我該去台北還是留在高雄？", ("travel_move",)),
    ("她什么都听她妈的，我们会结婚吗", ("marriage",)),
    ("能升副理嗎？還是我根本不適合待大公司", ("career",)),
    ("2028年回国买房好吗？我太太也在犹豫，怕房价跌。", ("wealth",)),
    ("我婆婆總是嫌我，今年換工作好嗎？", ("career",)),
]


@pytest.mark.parametrize(("text", "domains"), ASKED)
def test_a_question_is_parted_where_another_side_of_life_is_asked_about(text, domains):
    assert tuple(intent(part.text).domain for part in parted(text)) == domains


def test_every_word_of_a_question_stands_in_one_of_its_parts():
    for text, _ in ASKED:
        kept = "".join(filter(str.isalnum, "".join(part.text for part in parted(text)).lower()))
        assert len(kept) >= len("".join(filter(str.isalnum, text.lower()))) - len("and")


def test_no_question_has_more_parts_than_are_answered():
    text = "换工作吗？结婚吗？考研吗？出国吗？买房吗？打官司吗？" * 8
    assert len(parted(text)) == MOST_PARTS


def test_every_part_has_its_own_classes_and_distress_is_of_the_whole():
    assert [part.classes for part in question("明年换工作好吗？官司会赢吗？").parts] == [
        ("normal",),
        ("legal",),
    ]
    for text in ("我不想活了。明年换工作好吗？感情呢", "换工作好吗？我奶奶还能活多久？"):
        assert len(question(text).parts) == 1
        assert question(text).is_declined


@pytest.mark.parametrize("text", [text for text, domains in ASKED if len(domains) > 1])
@pytest.mark.parametrize("of", [CHART, CHART.year(2027)])
def test_each_part_is_answered_and_introduced(of, text):
    language = "en" if text.isascii() else "zh-Hans"
    said = [each.text for each in bz.read(of, question=text, as_of=TODAY, language=language).reading.summary]
    heads = ("To your other question", "As to the other thing", "你还问到", "再答另一问")
    assert sum(each.startswith(heads) for each in said) == 1


def test_what_is_left_to_others_takes_nothing_away_from_the_other_part():
    text = "欠的钱明年能还清吗？房东会不会告我？"
    said = [each.statement for each in bz.read(CHART, question=text, as_of=TODAY).reading.summary]
    assert said[0].startswith("answer.whether.")
    assert said[-1] == "answer.left_out.legal"


@pytest.mark.parametrize(
    ("text", "age", "owner"),
    [
        ("這是我媽的八字，她要不要搬去養老院？", 71, "mother"),
        ("This is my father's chart. Should he sell the house?", 40, "father"),
        ("我妈今年五十三了，要不要换个城市住？", 53, "mother"),
        ("Dad's 85 and lives alone. Is it time for him to move?", 85, "father"),
        ("爸爸七十几岁了，搬来跟我住好吗？", 74, "father"),
        # The age is not that of the chart: it is the asker's own.
        ("我妈今年七十三了，要不要接她来住？", 48, None),
        ("我今年五十三了，妈妈要不要来住？", 53, None),
        ("Should my mum move in with me?", 48, None),
        # Who asks to have a look at his own chart does not ask for whoever else is named.
        ("帮我看看今年我和老公的感情", 36, None),
        ("给我算一下老婆和我合不合", 36, None),
        ("帮我妈看看她要不要搬家", 71, "mother"),
        ("这是我的八字，老公什么时候回来", 36, None),
        ("This is my chart. Will my husband come back?", 36, None),
        # One's own age is that of the chart, and so may be that of a partner.
        ("本人今年三十六岁，我妈催婚，怎么办？", 36, None),
        ("今年36岁了，老公让我辞职", 36, None),
        ("我老公36岁了，会升职吗", 36, None),
        ("Born in 1990, 36 now. My mum wants me home, should I go?", 36, None),
    ],
)
def test_the_owner_of_a_chart_is_who_it_is_said_to_be_or_whose_age_it_has(text, age, owner):
    assert owner_of(text, age) == owner


def test_the_chart_of_a_parent_answers_for_the_parent_and_says_so():
    mother = bz.chart("1955-06-19 03:20", city="台南", gender="female")
    said = [
        each.statement
        for each in bz.read(
            mother, question="這是我媽的八字，她明年要不要搬去養老院？", as_of=TODAY
        ).reading.summary
    ]
    assert said[0].startswith("answer.whether.")
    assert said.count("answer.owner") == 1
    assert not any(each.startswith("answer.kin") for each in said)


def test_a_lottery_is_chance_and_no_year_is_named_for_it():
    for text in (
        "哪组彩票号码旺我，哪一周买好？",
        "Which lottery numbers suit me, and which week should I play?",
        "大樂透哪天買會中？",
    ):
        said = [each.statement for each in bz.read(CHART, question=text, as_of=TODAY).reading.summary]
        assert [each for each in said if each.startswith("answer.")] == ["answer.lottery"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("天文学和哲学，读哪个好？", "answer.choice.none"),
        ("Which of the two is better for me: philosophy or zoology?", "answer.choice.none.whole"),
        ("我該繼續等他還是乾脆分手？", "answer.choice.partner"),
        ("Should I wait for him or move on?", "answer.choice.partner"),
        ("老公要离婚，我离不离？", "answer.choice.partner"),
    ],
)
def test_what_a_chart_cannot_tell_apart_is_said_to_be_so_first(text, key):
    assert bz.read(CHART, question=text, as_of=TODAY).reading.summary[0].statement == key


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("Will our bakery survive the winter?", "normal"),
        ("Will the marriage survive?", "normal"),
        ("我的婚姻还能活下来吗", "normal"),
        ("日日加班到十一點，身體捱唔捱得住？", "normal"),
        ("Will grandma survive the winter?", "death"),
        ("奶奶身体还能捱过今年吗", "death"),
    ],
)
def test_only_the_living_survive_or_die(text, classes):
    assert question(text).category == classes


def test_who_makes_partner_is_promoted_and_not_married():
    for text in ("Am I ever going to make partner?", "我能升合伙人吗"):
        asked = intent(text)
        assert (asked.domain, asked.matter, asked.whose) == ("career", "promotion", "self")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("我把阿嬤留給我的金戒指弄丟了，找得回來嗎？", "answer.lost"),
        ("Where did I leave my wedding ring?", "answer.lost"),
        ("手机掉在地铁上了，能找回来吗？", "answer.lost"),
        ("孩子在學校被霸凌，我該怎麼辦？", "answer.bullied"),
        ("My son is being bullied, should he change schools?", "answer.bullied"),
    ],
)
def test_a_thing_that_is_lost_and_a_child_that_is_bullied_are_no_matters_of_a_birth_chart(text, key):
    said = [each.statement for each in bz.read(CHART, question=text, as_of=TODAY).reading.summary]
    assert said[0] == key


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("我还不清楚该不该换工作", "career"),
        ("最近还得上班，考研能过吗", "study"),
        ("这段感情还找得回来吗", "relationship"),
        ("朋友跟我借五万，还得出来吗", "wealth"),
    ],
)
def test_what_sounds_like_a_debt_or_a_loss_is_heard_as_what_it_is(text, domain):
    asked = intent(text)
    assert (asked.domain, asked.matter == "lost") == (domain, False)


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("我在国企做了十六年，最近有私企挖我去，孩子才上初一。去还是不去？", "career"),
        ("工资翻倍但要出差，我妈身体不好。接不接？", "wealth"),
        ("We could sell the flat and pay the debts, my wife is tired. What do you think?", "wealth"),
    ],
)
def test_relatives_of_whom_is_only_told_leave_the_question_to_what_else_is_told(text, domain):
    asked = intent(text)
    assert (asked.domain, asked.whose) == (domain, "self")


def test_a_child_who_is_named_beside_a_divorce_keeps_nothing_of_it_back():
    for text in ("我想跟先生離婚，可是孩子才八歲，該離嗎？", "Should I divorce him? Our son is only eight."):
        said = [each.statement for each in bz.read(CHART, question=text, as_of=TODAY).reading.summary]
        assert said[0] == "answer.choice.partner"
        assert "answer.left_out.minor" not in said


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("三月底前换工作好吗？", 4),
        ("三月前換工作好嗎？", 3),
        ("明年五一前能结婚吗？", 5),
        ("Should I change jobs before April 2027?", 4),
        ("Will I be promoted by the end of June?", 7),
        ("2027年10月之前买房合适吗？", 10),
        # Other months and what follows a month are no limit.
        ("三月换工作好吗？", 0),
        ("三月前后换工作好吗？", 0),
        ("Should I change jobs in April?", 0),
    ],
)
def test_a_month_before_which_something_is_to_come_is_a_limit_and_no_month_that_is_asked_about(text, month):
    asked = intent(text)
    assert asked.by_month == month
    assert not month or not asked.months


def test_no_month_from_the_limit_on_is_recommended():
    for text in ("三月底前换工作好吗？", "Should I change jobs before April 2027?", "2027年四月前能升职吗？"):
        said = bz.read(CHART, question=text, as_of=TODAY).reading.summary
        told = " ".join(
            each.text for each in said if each.statement.startswith(("answer.when", "answer.month"))
        )
        assert not any(f"2027年{month}月" in told for month in range(4, 13))
        assert "answer.until.month" in [each.statement for each in said]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("我跟婆婆合不合？怎么处才能少吵点", ("whether", "how")),
        ("2019年生意失败，那年是怎么了？什么时候翻身？", ("why", "when")),
        ("留下还是走？哪年动？", ("compare", "when")),
        ("Ex reached out. Why did we break up? Is there a second chance?", ("why", "whether")),
        ("我能升职吗？什么时候？", ("when",)),
    ],
)
def test_a_clause_that_leans_on_what_was_asked_before_keeps_its_own_kind(text, kinds):
    assert tuple(part.intent.kind for part in question(text).parts) == kinds


def test_a_year_that_is_only_told_of_is_none_of_what_is_asked_when():
    parts = question("我2019年欠了四百万，那年是怎么了？现在还剩一百万，什么时候还清？").parts
    assert [part.intent.years for part in parts] == [(2019,), ()]


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("儿子天天打游戏，我跟他是不是八字不合，以后能指望他养老吗", ("self", "child")),
        ("My husband works late. Will he be promoted?", ("spouse",)),
    ],
)
def test_he_or_she_is_the_relative_who_was_named(text, whose):
    assert tuple(part.intent.whose for part in question(text).parts) == whose


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("明年考研能上岸吗？不行的话要不要二战？", ((1,), (2,))),
        ("2027年考公能成吗？考不上要不要再考？", ((2027,), (2028,))),
        ("Will I pass the bar in 2027? If not, should I retake it?", ((2027,), (2028,))),
        ("考研能上岸吗？不行的话要不要二战？", ((),)),
    ],
)
def test_what_is_tried_again_is_asked_of_the_year_after(text, years):
    assert tuple((part.intent.years or part.intent.ahead) for part in question(text).parts) == years


@pytest.mark.parametrize(
    ("text", "has_more"),
    [
        ("公司要裁员，会轮到我吗？轮到的话赔偿好谈吗？", True),
        ("我的正缘大概几岁出现？在哪里认识？", True),
        ("Will I get the flat? Will the landlord agree?", True),
        ("我能升职吗？什么时候？", False),
        ("财运怎么样，钱好不好赚？", False),
        ("Will I get promoted? Is it worth it?", False),
    ],
)
def test_what_is_asked_besides_and_has_no_place_of_its_own_is_heard(text, has_more):
    assert any(part.has_more for part in question(text).parts) is has_more


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_nothing_that_is_asked_besides_is_passed_over_in_silence(language):
    told = {
        asked: {
            each.statement
            for each in bz.read(CHART, question=asked, language=language, as_of=TODAY).reading.summary
        }
        for asked in ("公司要裁员，会轮到我吗？轮到的话赔偿好谈吗？", "公司要裁员，会轮到我吗？")
    }
    assert ["answer.more" in each for each in told.values()] == [True, False]


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_a_further_question_that_is_left_out_like_the_first_is_told_so(language):
    asked = "彩票能中吗？事业如何？今晚彩票开什么号？"
    told = bz.read(CHART, question=asked, language=language, as_of=TODAY).reading.summary
    assert told[-1].statement == "answer.same.left"


def test_a_question_that_is_asked_again_is_told_that_it_was_answered():
    asked = "明年换工作好吗？感情好吗？明年跳槽合适吗？"
    told = bz.read(CHART, question=asked, as_of=TODAY, length="short").reading.summary
    assert told[-1].statement == "answer.same"
