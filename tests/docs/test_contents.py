"""What the documentation lists is what the code has: terms, options, codes, luck rules, layers."""

import re
import tomllib
from datetime import datetime, timedelta
from typing import Any

import pytest

import bazi_core as bz
from bazi_core.alphabet import Cycle
from bazi_core.errors import all_errors
from bazi_core.render.schemas import schema
from bazi_core.school import OPTIONS, PROFILES
from bazi_core.tables import rows
from bazi_core.views.certainty import observed
from bazi_core.warnings import WARNINGS
from tests.docs.examples import DOCS, tables, text_of
from tests.tables import holds_for_all

ALPHABETS = (
    bz.Stem, bz.Branch, bz.HourBranch, bz.Element, bz.Polarity, bz.Zodiac, bz.TenGod, bz.Stage,
    bz.SolarTerm,
)  # fmt: skip
SCHEMA = schema("base_context")


def codes_of(page: str) -> tuple[list[list[str]], list[list[str]]]:
    """The rows of the two tables of codes: errors have four cells, warnings three."""
    listed = [row for row in tables(page) if re.fullmatch(r"`[A-Z_0-9]+`", row[0])]
    return [row for row in listed if len(row) == 4], [row for row in listed if len(row) == 3]


@pytest.mark.parametrize("page", ["errors-and-warnings.md", "zh/errors-and-warnings.md"])
def test_all_errors_are_listed_with_their_exit_status(page: str) -> None:
    errors, _ = codes_of(page)
    assert {row[0].strip("`"): int(row[3]) for row in errors} == {
        error.code: error.exit_status for error in all_errors()
    }


@pytest.mark.parametrize("page", ["command-line.md", "zh/command-line.md"])
def test_codes_that_only_the_command_has_are_told_on_its_page(page: str) -> None:
    titled = {row["key"].removeprefix("error.") for row in rows("labels") if row["key"].startswith("error.")}
    own = titled - {error.code for error in all_errors()}
    assert len(own) == 5
    assert own <= set(re.findall(r"`([A-Z_]+)`", text_of(page)))


@pytest.mark.parametrize("page", ["errors-and-warnings.md", "zh/errors-and-warnings.md"])
def test_all_data_of_errors_are_listed(page: str) -> None:
    errors, _ = codes_of(page)
    listed = {row[0].strip("`"): row[2] for row in errors}
    for error in all_errors():
        promised = re.search(r"`data`: ([^.;(]*)", error.__doc__ or "")
        for name in promised[1].split(",") if promised else ():
            assert name.strip() in listed[error.code], (error.code, name)


@pytest.mark.parametrize("page", ["errors-and-warnings.md", "zh/errors-and-warnings.md"])
def test_all_warnings_are_listed_in_their_order(page: str) -> None:
    _, warnings = codes_of(page)
    codes = [row[0].strip("`") for row in warnings]
    assert [code for code in codes if code in {known for known, *_ in WARNINGS}] == [
        code for code, *_ in WARNINGS
    ]
    # `CODE/member` is another wording of CODE.
    assert set(codes) == {row["code"].partition("/")[0] for row in rows("messages")}


@pytest.mark.parametrize("page", ["errors-and-warnings.md", "zh/errors-and-warnings.md"])
def test_all_data_of_warnings_are_listed(page: str) -> None:
    _, warnings = codes_of(page)
    listed = {row[0].strip("`"): row[2] for row in warnings}
    for variant in SCHEMA["$defs"]["warning"]["oneOf"]:
        data = variant["properties"]["data"]
        data = SCHEMA["$defs"][data["$ref"].rpartition("/")[2]] if "$ref" in data else data
        words = set(re.findall(r"\w+", listed[variant["properties"]["code"]["const"]], re.ASCII))
        assert set(data["properties"]) <= words, variant["properties"]["code"]["const"]


@pytest.mark.parametrize("page", ["schools.md", "zh/schools.md"])
def test_every_option_has_a_section_with_all_its_values(page: str) -> None:
    sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", text_of(page), re.MULTILINE | re.DOTALL))
    assert set(sections) == {*bz.School().to_dict()["options"]}
    for option, values in OPTIONS.items():
        mentioned = re.findall(r"`([^`]+)`", sections[option])
        assert [value for value in dict.fromkeys(mentioned) if value in values] == list(values), option


@pytest.mark.parametrize("page", ["schools.md", "zh/schools.md"])
def test_every_profile_is_listed_with_what_it_changes(page: str) -> None:
    listed = {row[0].strip("`"): row[1] for row in tables(page)}
    for profile, options in PROFILES.items():
        assert all(f"{name}={written(value)}" in listed[profile] for name, value in options.items())


def written(value: Any) -> str:
    """An option as the documents write it: numbers without a needless point."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}": {weight:g}' for name, weight in value.items()) + "}"
    return f'"{value}"'


@pytest.mark.parametrize("page", ["luck.md", "zh/luck.md"])
def test_the_table_of_luck_starts_is_what_is_computed(page: str) -> None:
    table = [row for row in tables(page) if len(row) == 4 and row[0].strip("`") in OPTIONS["luck_start"]]
    assert [row[0].strip("`") for row in table] == [*OPTIONS["luck_start"]]
    for rule, _, age, at in table:
        school = bz.School(luck_start=rule.strip("`"))
        luck = bz.chart("2004-03-31 16:50:20", city="成都", gender="female", school=school).luck
        assert luck is not None
        assert luck.start == datetime.fromisoformat(at + "+08:00")
        assert luck.start_age is not None
        assert [int(number) for number in re.findall(r"\d+", age)] == [*luck.start_age]


@pytest.mark.parametrize("page", ["how-a-chart-is-computed.md", "zh/how-a-chart-is-computed.md"])
def test_the_worked_example_states_the_numbers_of_the_trace(page: str) -> None:
    trace = bz.moment("1990-05-15 13:30", city="北京").to_dict()
    text = "\n".join(" | ".join(row) for row in tables(page)).replace(",", "")
    assert f"+ {trace['tt_minus_utc_s']}" in text
    assert f"ΔT = {trace['delta_t_s']}" in text
    assert f"+ {trace['equation_of_time_s']}" in text
    assert trace["mean_solar"][11:] in text
    assert trace["true_solar"][11:] in text
    for name in ("prev_jie", "next_jie"):
        jie = trace[name]
        assert f"{jie['name']}" in text
        assert jie["utc"].replace("T", " ")[:23] in text
        assert f"{abs(jie['distance_s']):.3f}" in text


def test_the_chance_of_a_birth_near_a_term_is_as_stated() -> None:
    year_s = timedelta(days=365.2425).total_seconds()
    assert round(12 * 2 / year_s * 1e7) == 8
    assert round(12 * 120 / year_s * 1e5) == 5


@holds_for_all("alphabet", ALPHABETS)
def test_every_member_of_an_alphabet_is_in_the_glossary(alphabet: type[Cycle]) -> None:
    listed = {
        identifier.strip("`")
        for row in tables("glossary.md")
        if len(row) > 1
        for identifier in row[1].split(", ")
    }
    wanted = {f"{alphabet.__name__}.{member.value}" for member in alphabet}
    assert {each for each in listed if each.startswith(f"{alphabet.__name__}.")} == wanted


def test_every_pillar_and_nayin_is_in_the_glossary() -> None:
    cells = " ".join(cell for row in tables("glossary.md") for cell in row)
    decades = [row for row in tables("glossary.md") if len(row) == 4 and row[0] in bz.Pillar.__members__]
    assert [pillar for row in decades for pillar in row[1].split()] == [pillar.value for pillar in bz.Pillar]
    english = {row[0]: row[1] for row in tables("glossary.md") if len(row) == 2}
    for row in rows("terms"):
        assert row["zh-Hans"] in cells
        assert row["kind"] != "nayin" or english[row["zh-Hans"]] == row["en"]


def test_every_public_name_is_in_the_glossary() -> None:
    named = set(re.findall(r"`([A-Za-z_]+)(?:\.[^`]*)?`", text_of("glossary.md")))
    assert set(bz.__all__) <= named


def test_every_field_of_base_context_is_in_the_glossary() -> None:
    named = set(re.findall(r"`([A-Za-z_]+)`", text_of("glossary.md")))
    assert set(SCHEMA["properties"]) <= named


def test_every_option_and_value_is_in_the_glossary() -> None:
    values = {
        row[1].strip("`").removeprefix("School."): row[2] for row in tables("glossary.md") if len(row) == 4
    }
    for option, allowed in OPTIONS.items():
        assert re.findall(r"`([^`]+)`", values[option]) == list(allowed)
    assert re.findall(r"`([^`]+)`", values["profile"]) == [*PROFILES]


@pytest.mark.parametrize("contract", ["core", "hub"])
def test_the_layers_are_those_that_are_checked(contract: str) -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["id"] == contract)
    assert "```\n" + "\n".join(layers) + "\n```\n" in text_of("architecture.md")


@pytest.mark.parametrize("package", ["bazi_core", "bazi_hub"])
def test_the_tree_names_every_part_of_a_package(package: str) -> None:
    parts = [path.name + "/" * path.is_dir() for path in (DOCS.parent / package).iterdir()]
    kept = [part for part in parts if part not in ("py.typed", "__init__.py", "__pycache__/")]
    assert len(kept) > 10
    assert not [part for part in kept if f" {part} " not in text_of("architecture.md")]


@holds_for_all(
    "page",
    [
        "tutorial", "how-a-chart-is-computed", "schools", "luck", "errors-and-warnings", "relations-and-stars",
        "strength-and-useful-gods", "dynamics-and-diagnosis", "year-analysis", "readings", "liuyao", "grounding",
        "command-line", "divination-runs", "architecture", "hub", "hub-protocol", "embedding",
    ],
)  # fmt: skip
def test_both_languages_have_the_same_parts(page: str) -> None:
    marks = (r"^## ", r"^### ", r"^```", r"^>>> ", r"^\|", r"^\d\. ", r"^\* (?!\d)")
    counts = [
        [len(re.findall(mark, text_of(name), re.MULTILINE)) for mark in marks]
        for name in (f"{page}.md", f"zh/{page}.md")
    ]
    assert counts[0] == counts[1]


@holds_for_all("page", sorted(path.name for path in (DOCS / "zh").glob("*.md")))
def test_a_page_begins_with_a_link_to_the_other_language(page: str) -> None:
    head = {folder: text_of(folder + page).splitlines()[2] for folder in ("", "zh/")}
    assert re.fullmatch(rf"中文：\[.+\]\(zh/{page}\)", head[""])
    assert re.fullmatch(rf"English: \[.+\]\(\.\./{page}\)", head["zh/"])
    title = text_of("zh/" + page).splitlines()[0]
    assert re.findall(r"\[(.+)\]", head[""])[0].partition("：")[0] in title


NAMED = re.compile(r"(?<![\w/.-])docs/[\w./-]+\.(?:md|d\.ts)")
NAMING = ("bazi_core", "bazi_hub", "bazi_cli", "benchmarks", "skills", "examples")


def test_every_page_that_code_names_exists() -> None:
    root = DOCS.parent
    files = [
        path
        for folder in NAMING
        for path in (root / folder).rglob("*")
        if path.suffix in (".py", ".csv", ".json", ".html", ".md", ".toml", ".js", ".sql") and path.is_file()
    ]
    named = {
        (name, str(path.relative_to(root)))
        for path in files
        for name in NAMED.findall(path.read_text("utf-8"))
    }
    assert {name for name, _ in named} >= {"docs/strength-and-useful-gods.md", "docs/places.md"}
    assert {(name, path) for name, path in named if not (root / name).is_file()} == set()


def test_every_table_that_a_page_names_exists() -> None:
    root = DOCS.parent
    tables = {
        str(path.relative_to(root))
        for folder in ("bazi_core", "bazi_hub", "data", "tests")
        for path in (root / folder).rglob("*.csv")
    }
    pages = [root / "README.md", *DOCS.rglob("*.md")]
    named = {
        (name, page.name)
        for page in pages
        for name in re.findall(r"`([\w/]+\.csv)`", page.read_text("utf-8"))
    }
    assert len(named) > 20
    assert {
        (name, page) for name, page in named if not any(f"/{each}".endswith(f"/{name}") for each in tables)
    } == set()


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        (
            "certainty.md",
            r"(?P<hits>\d+) of (?P<of>\d+) \| (?P<share>\d+) % \((?P<least>\d+)–(?P<most>\d+)\) \|(?P<few> few charts )?",
        ),
        (
            "zh/certainty.md",
            r"(?P<of>\d+) 例中 (?P<hits>\d+) \| (?P<share>\d+)%（(?P<least>\d+)–(?P<most>\d+)） \|(?P<few> 例少 )?",
        ),
    ],
)
def test_the_shares_of_agreeing_methods_are_those_of_the_table_and_few_charts_are_said_to_be_few(
    page: str, counts: str
) -> None:
    told = [
        (*(int(each[name]) for name in ("hits", "of", "share", "least", "most")), bool(each["few"]))
        for each in re.finditer(counts, text_of(page))
    ]
    found = [observed(f"strength.{agreement}") for agreement in (4, 3, 2, 1)]
    in_hundred = [[round(100 * each) for each in (one.share, *one.interval)] for one in found]
    assert told == [(*one, *numbers, one.is_thin) for one, numbers in zip(found, in_hundred, strict=True)]
