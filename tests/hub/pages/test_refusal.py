"""What people are told of errors: a sentence for every code in their language, figures where there are some, and when to
try again."""

import re

import pytest

from bazi_hub.pages.refusal import of_error, of_trouble, wait
from bazi_hub.pages.texts import LANGUAGES
from bazi_hub.tools.tool import LIMITS
from bazi_hub.words.errors import CODES, HubError, Issue, invalid_input
from tests.tables import holds_for_all

HANZI = re.compile("[\u4e00-\u9fff]")
# Codes that answer requests which no page makes.
OF_THE_API = {
    "PARSE_ERROR", "INVALID_BODY", "JOB_NOT_FOUND", "UNKNOWN_TOOL", "METHOD_NOT_ALLOWED", "GONE_DEPRECATED",
}  # fmt: skip
SHORT = {"reason": "BALANCE", "balance": 7, "held": 4, "available": 3, "credit_cost": 6, "min_balance": 5}
UPSTREAM = ("UNAVAILABLE", "REFUSED", "INVALID_OUTPUT", "OVERLOADED", "DRAINING")
REASONS = [
    *(("UPSTREAM_ERROR", {"reason": reason}) for reason in UPSTREAM),
    *(("RATE_LIMITED", {"limit_type": name, "limit": 1, "retry_after": 9}) for name in (*LIMITS, "uncharged_readings")),
    *(("INVALID_INPUT", {"reason": reason}) for reason in ("IDEMPOTENCY_KEY_REUSED", "CONTENT_REJECTED", "OUT_OF_RANGE")),
    ("INSUFFICIENT_CREDITS", SHORT),
    ("INSUFFICIENT_CREDITS", {**SHORT, "reason": "RESERVED"}),
    *((code, SHORT if code == "INSUFFICIENT_CREDITS" else {}) for code in CODES if code not in OF_THE_API),
]  # fmt: skip


@holds_for_all("code, members", REASONS)
def test_every_error_that_a_page_meets_is_a_sentence_in_every_language_with_its_code(code, members):
    chinese, traditional, english = (
        of_error(HubError(code, "A detail", **members), language) for language in LANGUAGES
    )
    assert HANZI.search(chinese.why)
    assert HANZI.search(traditional.why)
    assert not HANZI.search(english.why)
    assert "{" not in chinese.why + english.why
    assert (chinese.code, chinese.status) == (code, CODES[code].status)
    if CODES[code].status != 500:
        assert "已经记录" not in chinese.why, "this code has a sentence of its own"


def test_what_is_missing_to_pay_is_told_in_figures():
    refused = of_error(
        HubError("INSUFFICIENT_CREDITS", "x", **SHORT, topup_url="https://pay.example"), "zh-Hans"
    )
    assert refused.why == "余额不足：需要 6 点，可用 3 点。"
    assert refused.topup_url == "https://pay.example"
    dear = HubError("INSUFFICIENT_CREDITS", "x", **{**SHORT, "min_balance": 9, "reason": "RESERVED"})
    assert of_error(dear, "en").why.startswith(
        "Not enough credits: 9 are needed, 3 available. 4 more are reserved"
    )


def test_each_wrong_argument_is_called_what_the_form_calls_it():
    wrong = {"tags.0": "Must not be empty", "bazi_year": "Must be at least 1, got 0", "odd.path": "Odd"}
    error = invalid_input("t", [Issue(*each) for each in wrong.items()])
    assert of_error(error, "zh-Hans").wrong == [
        ("标签", "不能为空"), ("所论年份", "不能小于 1，现在是 0"), ("odd.path", "Odd"),
    ]  # fmt: skip


def test_a_fault_carries_the_number_that_the_operator_looks_for():
    refused = of_error(HubError("INTERNAL_ERROR", "x").traced("req-1"), "en")
    assert (refused.number, refused.why) == ("req-1", "Something went wrong. It has been noted.")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "Try again in 1 second."),
        (119, "Try again in 119 seconds."),
        (120, "Try again in 2 minutes."),
        (7199, "Try again in 120 minutes."),
        (7201, "Try again in 3 hours."),
        (86_400, "Try again in 24 hours."),
    ],
)
def test_a_wait_is_told_in_the_unit_that_people_would_use_and_never_too_short(seconds, said):
    assert wait(seconds, "en") == said
    assert wait(None, "en") is None


def test_a_trouble_without_a_phrase_of_its_own_is_told_as_a_fault():
    assert of_trouble(418, None, None, "en", None).why == "Something went wrong. It has been noted."
    locked = of_trouble(429, "locked", 600, "zh-Hans", None)
    assert (locked.why, locked.wait, locked.code) == ("密码错误次数太多。", "请在 10 分钟后再试。", None)
