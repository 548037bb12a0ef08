"""`bazi read`: a chart, or one of its years, told in words."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bazi_core.readings.final import read, read_pattern
from bazi_core.render.width import width

BORN = ("read", "1990-05-15 13:30", "--city", "北京", "--gender", "male")


def unfolded(text):
    """The text without the line ends of folding; words of a Latin line are joined by a blank."""
    return "".join(text.split())


@pytest.mark.parametrize("lang", ["zh-Hans", "zh-Hant", "en"])
def test_without_a_target_the_chart_is_read_by_the_rules(bazi, chart, lang):
    told = bazi.text(*BORN, "--lang", lang, "--as-of", "2026-11-22")
    expected = read_pattern(chart.pattern(), language=lang, as_of="2026-11-22")
    assert unfolded(expected.narrative) in unfolded(told)
    assert max(map(width, told.splitlines())) <= 80


def test_with_a_target_the_year_is_read(bazi, chart):
    told = bazi.text(*BORN, "--target", "2026", "--length", "short", "--tone", "warm")
    assert unfolded(read(chart.year(2026), length="short", tone="warm").narrative) in unfolded(told)


def test_json_is_the_object(bazi, chart):
    assert bazi.json(*BORN, "--target", "2026") == json.loads(read(chart.year(2026)).to_json())
    found = bazi.json(*BORN)
    assert found["pattern_type"] == "七杀格"
    assert found["provenance"]["narrator"] == "rule"
    assert "facts" not in bazi.json(*BORN, "--compact")


def test_markdown_has_a_heading(bazi):
    assert bazi.text(*BORN, "-f", "md").startswith("# 七杀格")


def test_a_fact_of_the_reading_can_be_explained(bazi):
    assert "[yr.2026.score.overall" in bazi.text(*BORN, "--target", "2026", "--explain")
    assert "[pat.main" in bazi.text(*BORN, "--explain")
    found = bazi.json(*BORN, "--target", "2026", "--explain")
    assert found[0]["id"] == "yr.2026.score.overall"
    assert {each for fact in found for each in fact["derives_from"]} <= {fact["id"] for fact in found}
    assert bazi.problem(*BORN, "--explain", "pat.mian")[1]["hint"].startswith("close: pat.main")


def test_a_reading_needs_the_gender(bazi):
    status, problem = bazi.problem("read", "1990-05-15 13:30", "--city", "北京")
    assert (status, problem["code"], problem["data"]) == (4, "BIRTH_REQUIRED", {"missing": ["gender"]})


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--tone", "cold"), "UNKNOWN_OPTION"),
        (("--length", "endless"), "UNKNOWN_OPTION"),
        (("--question", "问" * 501), "QUESTION_TOO_LONG"),
        (("--target", "2700"), "OUT_OF_RANGE"),
    ],
)
def test_what_cannot_be_is_refused(bazi, arguments, code):
    status, problem = bazi.problem(*BORN, *arguments)
    assert (status, problem["code"]) == (5 if code == "OUT_OF_RANGE" else 4, code)


def test_a_question_of_despair_gets_help_and_no_divination(bazi):
    told = bazi.text(*BORN, "--target", "2026", "--question", "我不想活了")
    assert "分" not in told.split("\n\n")[1]


# With a language model.


class Model(BaseHTTPRequestHandler):
    """A model that answers with whatever the test put here."""

    status, body = 200, b"{}"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(type(self).status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(type(self).body)

    def log_message(self, *args):
        pass


@pytest.fixture
def model(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("BAZI_LLM_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("BAZI_LLM_MODEL", "scripted")
    yield Model
    server.shutdown()
    server.server_close()


def completion(text):
    message = {"role": "assistant", "content": text}
    return json.dumps(
        {"model": "scripted", "choices": [{"message": message, "finish_reason": "stop"}]}
    ).encode()


def test_the_day_is_that_of_the_option_or_today(bazi, chart):
    assert bazi.json(*BORN, "--as-of", "2030-05-01")["as_of"] == "2030-05-01"
    assert "2037" in bazi.text(*BORN, "--as-of", "2030-05-01")
    assert bazi.json(*BORN)["as_of"]


def test_a_model_chooses_what_is_said(bazi, model):
    chosen = {"parts": [{"say": f"s{number}", "variant": 0} for number in range(1, 9)], "keywords": []}
    model.status, model.body = 200, completion(json.dumps(chosen))
    found = bazi.json(*BORN, "--reader", "model", "--length", "short")
    assert found["provenance"]["narrator"] == "llm"
    assert found["provenance"]["fallback_used"] is False


def test_when_the_model_fails_the_rules_write_and_say_so(bazi, model):
    model.status, model.body = 500, b"{}"
    result = bazi(*BORN, "--reader", "model", "--length", "short")
    assert result.exit_code == 0
    assert "由规则写成" in result.stderr
    assert "七杀格" in result.stdout


def test_on_request_a_failing_model_is_an_error(bazi, model):
    model.status, model.body = 500, b"{}"
    status, problem = bazi.problem(*BORN, "--reader", "model", "--on-failure", "error")
    assert (status, problem["code"]) == (6, "PORT_UNAVAILABLE")


def test_a_model_that_is_not_configured_is_a_clear_error(bazi, monkeypatch):
    monkeypatch.delenv("BAZI_LLM_BASE_URL", raising=False)
    status, problem = bazi.problem(*BORN, "--reader", "model")
    assert (status, problem["code"]) == (4, "INVALID_INPUT")
    assert "BAZI_LLM_BASE_URL" in problem["message"]
