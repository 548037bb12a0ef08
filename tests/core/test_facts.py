"""Facts: ids, the graph they form, and the canonical text that digests are taken of."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bazi_core as bz
from bazi_core.errors import InvalidInput
from bazi_core.facts import (
    Fact,
    basis_of,
    canonical_json,
    collect,
    composed,
    digest,
    json_text,
    sha256,
    signature,
)

ID = re.compile(r"^[a-z]+(\.[0-9A-Za-z_\u4e00-\u9fff-]+)+$")
LEAF = re.compile(r"^p\.((year|month|day|hour)\.(stem|branch)|input\.\w+|time\.(civil|prev_jie|next_jie))$")
# Layers that a chart makes.
LAYERS = {
    "p", "hs", "sl", "tg", "stage", "nayin", "void", "palace", "dy", "xy", "tou", "root", "rel", "hua", "wx", "star", "str",
    "bone", "gua",
}  # fmt: skip
CHARTS = {
    "a birth": bz.chart("1990-05-15 13:30", city="北京", gender="male"),
    "by the civil clock": bz.chart("1985-03-10 12:00", tz="Asia/Tokyo", gender="female"),
    "without gender": bz.chart("1990-05-15 13:30", city="北京"),
    "given pillars": bz.chart(pillars="庚午 辛巳 庚辰 壬午", gender="male"),
    "an unknown hour": bz.chart("1990-05-15", city="北京", gender="female", hour_unknown=True),
    "three pillars": bz.chart(pillars="庚午 辛巳 庚辰"),
    "another school": bz.chart(
        "1990-05-15 13:30", city="北京", gender="male",
        school=bz.School(ming_month="zhongqi", xiaoyun="none", luck_start="linear_tropical", hidden_weights="8pt"),
    ),
}  # fmt: skip
EVERY_CHART = pytest.mark.parametrize("name", CHARTS)


def facts_of(name: str) -> dict[str, Fact]:
    return CHARTS[name].facts


def missing(facts: Iterable[Fact], known: set[str]) -> set[str]:
    return {each for fact in facts for each in fact.derives_from if each not in known}


@EVERY_CHART
def test_every_id_has_the_form_of_an_evidence_id(name):
    facts = facts_of(name)
    assert all(ID.match(each) and fact.id == each for each, fact in facts.items())
    assert {each.partition(".")[0] for each in facts} <= LAYERS


@EVERY_CHART
def test_every_fact_that_another_rests_on_is_there(name):
    facts = facts_of(name)
    assert missing(facts.values(), set(facts)) == set()


@EVERY_CHART
def test_no_fact_rests_on_itself_even_by_a_detour(name):
    facts = facts_of(name)
    settled: set[str] = set()
    while left := [fact for each, fact in facts.items() if each not in settled]:
        ready = {fact.id for fact in left if settled.issuperset(fact.derives_from)}
        assert ready, f"a cycle among {[fact.id for fact in left]}"
        settled |= ready


@EVERY_CHART
def test_what_rests_on_nothing_is_a_pillar_the_clock_a_term_or_what_was_stated(name):
    facts = facts_of(name)
    roots = {each for each, fact in facts.items() if not fact.derives_from}
    assert all(LEAF.match(each) for each in roots), sorted(each for each in roots if not LEAF.match(each))


@EVERY_CHART
def test_every_fact_has_words_a_rule_and_a_kind(name):
    for fact in facts_of(name).values():
        assert all((fact.text_zh, fact.rule, fact.kind, fact.subject, fact.predicate))
        assert fact.rule.startswith("R-")
        assert not any(mark in fact.text_zh for mark in ("None", "{", "}"))


@EVERY_CHART
def test_facts_of_the_views_cite_a_source(name):
    without = [fact.id for fact in facts_of(name).values() if not fact.source and fact.derives_from]
    # The instants of a birth and its pillars together are told, not found.
    assert [each for each in without if not each.startswith("p.time.")] == ["p.chart"]


@EVERY_CHART
def test_the_json_has_all_facts_and_is_closed(name):
    form = CHARTS[name].to_dict()
    facts = form["facts"]
    assert list(facts) == sorted(facts_of(name))
    assert json.loads(json.dumps(facts)) == facts
    cited = set(
        re.findall(r'"evidence_id": "([^"]+)"', json.dumps({**form, "facts": None}, ensure_ascii=False))
    )
    assert cited
    assert cited <= facts.keys()


@EVERY_CHART
def test_removing_a_leaf_removes_exactly_what_rests_on_it(name):
    facts = facts_of(name)
    basis = {each: {fact.id for fact in basis_of(each, facts)} for each in facts}
    for leaf in ("p.day.stem", "p.month.branch"):
        dependents = {each for each in facts if leaf in basis[each]}
        kept = [fact for each, fact in facts.items() if each not in dependents]
        assert leaf in dependents
        assert missing(kept, {fact.id for fact in kept}) == set()


def test_every_ten_god_rests_on_the_day_stem():
    facts = facts_of("a birth")
    gods = [each for each in facts if each.startswith("tg.")]
    assert len(gods) > 10
    assert all("p.day.stem" in {fact.id for fact in basis_of(each, facts)} for each in gods)


def test_the_palace_of_the_zhongqi_rests_on_the_time():
    facts = facts_of("another school")
    assert any(fact.id.startswith("p.time.") for fact in basis_of("palace.命宫", facts))


def test_the_basis_of_a_fact_is_nearest_first_and_names_each_fact_once():
    chart = CHARTS["a birth"]
    found = [fact.id for fact in chart.basis("dy.3")]
    assert found[0] == "dy.3"
    assert len(found) == len(set(found))
    assert {"dy.start", "dy.direction", "p.input.gender", "p.year.stem", "p.time.next_jie"} <= set(found)


def test_an_explanation_names_rule_source_and_every_leaf():
    lines = CHARTS["a birth"].explain("tg.month.庚").splitlines()
    assert lines[0] == "月支藏庚为比肩  [tg.month.庚; R-TG; YHZP.论十神]"
    assert any("p.day.stem" in line for line in lines)
    assert any("p.month.branch" in line for line in lines)


@pytest.mark.parametrize("wrong", ["", "p.day", "tg.hour.癸", "x" * 10**5, "\ud800"])
def test_a_fact_that_the_chart_lacks_is_an_error_with_close_ids(wrong):
    with pytest.raises(InvalidInput) as caught:
        CHARTS["a birth"].explain(wrong)
    assert len(json.dumps(caught.value.to_dict())) < 2000


def test_the_ids_that_are_close_are_told():
    with pytest.raises(InvalidInput) as caught:
        CHARTS["a birth"].explain("tg.hour.stm")
    assert "tg.hour.stem" in caught.value.hint


def test_two_facts_with_one_id_are_a_defect():
    fact = Fact("p.day.stem", "pillar", "day", "stem", "庚", "pillar.stem", ("day", "庚"))
    with pytest.raises(ValueError, match=re.escape("p.day.stem")):
        collect([fact, fact])


@EVERY_CHART
def test_facts_and_warnings_are_hashable(name):
    chart = CHARTS[name]
    assert len({*chart.facts.values(), *chart.warnings}) == len(chart.facts) + len(chart.warnings)


# Canonical JSON.


def test_keys_are_sorted_by_code_point_without_white_space():
    assert (
        canonical_json({"b": [1, 2.5, None, True], "a": {"水": "x", "Z": "y"}})
        == '{"a":{"Z":"y","水":"x"},"b":[1,2.5,null,true]}'
    )


def test_composed_and_decomposed_text_have_one_digest():
    assert canonical_json("e\u0301") == canonical_json("\u00e9")
    assert digest({"a": "e\u0301"}) == digest({"a": "\u00e9"})


SIGNS = st.sampled_from("ae´é가ﾞ\u0301\u0323\u0344\u0f73\u3099\uff9e\u1dfd") | st.characters(
    exclude_categories=["Cs"]
)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@given(text=st.text(SIGNS, max_size=12))
def test_a_text_is_composed_as_the_standard_says(form, text):
    assert composed(text, form) == unicodedata.normalize(form, text)


@pytest.mark.parametrize(
    ("form", "pile"),
    [("NFC", "\u0301\u0323"), ("NFC", "\u0f73"), ("NFC", "\u0344\u0323"), ("NFKC", "\u0301\uff9e")],
)
def test_piled_up_marks_are_in_order_before_they_are_composed(form, pile, monkeypatch):
    """Sorting them is where the time would go: it grows with the square of what is out of order."""
    texts = []

    def normalize(form, text):
        texts.append(text)
        return unicodedata.normalize(form, text)

    spied = SimpleNamespace(**{**vars(unicodedata), "normalize": normalize})
    monkeypatch.setattr("bazi_core.facts.unicodedata", spied)
    assert composed("a" + pile * 40, form) == unicodedata.normalize(form, "a" + pile * 40)
    classes = [unicodedata.combining(mark) for mark in max(texts, key=len)[1:]]
    assert classes == sorted(classes)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_have_no_canonical_form(number):
    with pytest.raises(ValueError):
        canonical_json(number)


def test_the_digest_is_lower_hex_sha256_of_the_text():
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@given(
    st.dictionaries(st.text(), st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False))
)
def test_the_order_of_the_keys_never_matters(form):
    turned = dict(reversed(form.items()))
    assert canonical_json(form) == canonical_json(turned)
    assert "\n" not in canonical_json(form)


def test_every_object_is_written_by_one_encoder():
    chart = bz.chart("1990-05-15 13:30", city="北京", gender="male")
    year = chart.year(2026)
    for made in (
        chart,
        chart.pattern(),
        year,
        bz.read(year),
        bz.liuyao.derive("789678", "2026-05-01T09:00+08:00"),
    ):
        assert made.to_json() == canonical_json(made.to_dict())
        assert made.to_json(indent=2) == json_text(made.to_dict(), 2)
        assert json.loads(made.to_json()) == json.loads(made.to_json(indent=2)) == made.to_dict()


def test_the_text_of_a_fact_is_that_of_its_object():
    for chart in (
        bz.chart("1990-05-15 13:30", city="北京", gender="male"),
        bz.chart("2030-02-04", city="New York", hour_unknown=True),
        bz.chart(pillars="庚午 辛巳 庚辰 壬午"),
    ):
        facts = {**chart.facts, **chart.pattern().all_facts}
        whole = canonical_json({"facts": {name: fact.to_dict() for name, fact in facts.items()}})
        assert signature({}, facts) == sha256(whole)
