"""What `import bazi_core` offers, and what it does not load."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import bazi_core as bz
from tests.tables import holds_for_all

FUNCTIONS = [
    "aread", "candidates", "chart", "lunar_date", "lunar_months", "moment", "new_moons", "place", "read",
    "solar_date", "solar_terms",
]  # fmt: skip
SUBJECTS = ["liuren", "liuyao"]
# Submodules that have the name of a public function.
NAMESAKES = ["chart", "moment", "place"]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@holds_for_all("name", bz.__all__)
def test_every_public_name_resolves_to_what_bears_it(name):
    found = getattr(bz, name)
    assert isinstance(found, types.ModuleType) == (name in SUBJECTS)
    assert callable(found) or name in (*SUBJECTS, "options")
    assert found.__doc__


def test_the_public_names_are_those_that_dir_lists():
    assert sorted(bz.__all__) == bz.__all__ == sorted(dir(bz))
    assert len(set(bz.__all__)) == len(bz.__all__)


def test_the_contract_is_there():
    classes = {
        "Birth", "Chart", "School", "SolarMoment", "FourPillars", "Place", "BaziError", "Pillar", "Stem",
        "Branch", "PatternResult", "YearResult", "FinalResult",
    }  # fmt: skip
    assert {*FUNCTIONS, *classes} <= set(bz.__all__)
    assert bz.__version__


def test_the_errors_that_people_meet_can_be_caught_by_their_names():
    from bazi_core import errors

    assert bz.PlaceAmbiguous is errors.PlaceAmbiguous
    met = [bz.AmbiguousDatetime, bz.InvalidDatetime, bz.PlaceNotFound, bz.ZoneUnknown, bz.BirthRequired]
    assert all(issubclass(each, bz.BaziError) for each in met)
    public = [kind for kind in errors.all_errors() if kind.__name__ in bz.__all__]
    assert len(public) > 20


def test_a_star_import_takes_the_public_names():
    taken: dict[str, object] = {}
    exec("from bazi_core import *", taken)
    assert set(bz.__all__) <= taken.keys()


@pytest.mark.parametrize("name", ["Chrat", "np", "json", "_private", "__wrapped__"])
def test_a_name_that_is_not_there_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=name):
        getattr(bz, name)


@pytest.mark.parametrize("name", NAMESAKES)
@pytest.mark.parametrize(
    "load",
    [
        "import bazi_core.{0}",
        pytest.param(
            "import importlib; importlib.import_module('bazi_core.{0}')", marks=pytest.mark.exhaustive
        ),
        pytest.param("import bazi_core as bz; bz.{0}; import bazi_core.{0}", marks=pytest.mark.exhaustive),
        "import bazi_core.place.gazetteer, bazi_core.chart, bazi_core.moment",
        "from bazi_core.{0} import *",
    ],
)
def test_a_function_stays_a_function_after_its_namesake_module_is_imported(name, load):
    code = f"{load.format(name)}\nimport bazi_core as bz\nprint(type(bz.{name}).__name__)"
    assert run(code) == "function"


@pytest.mark.parametrize("name", ["chart", "moment", "place.gazetteer", "place.zones"])
def test_a_module_can_be_imported_under_another_name(name):
    assert run(f"import bazi_core.{name} as module; print(type(module).__name__)") in ("module", "function")
    assert (
        run(f"import importlib; print(importlib.import_module('bazi_core.{name}').__name__)")
        == f"bazi_core.{name}"
    )


HEAVY = "('numpy', 'skyfield', 'jplephem', 'pydantic', 'click', 'asyncio', 'hypothesis', 'pytest')"


@pytest.mark.parametrize(
    "code",
    [
        "import bazi_core",
        "import bazi_core as bz; bz.chart('1990-05-15 13:30', city='北京', gender='male').to_json()",
        "import bazi_core as bz; bz.chart('1990-05-15', hour_unknown=True, city='北京', gender='male').to_json()",
        "import bazi_core as bz; bz.chart(pillars='庚午 辛巳 庚辰 壬午', gender='male').to_json()",
        "import bazi_core as bz; bz.chart('农历1990年闰五月初一 午时', tz='Asia/Shanghai').facts",
        "import bazi_core as bz; [getattr(bz, name) for name in bz.__all__]; bz.solar_terms(2026); bz.new_moons(2026)",
        "import bazi_core as bz; c = bz.chart('1990-05-15 13:30', city='北京', gender='male'); c.flow_months(2026); c.luck",
    ],
)
def test_nothing_heavy_is_loaded(code):
    assert run(f"{code}\nimport sys; print([name for name in {HEAVY} if name in sys.modules])") == "[]"


def test_importing_the_package_loads_none_of_its_modules_and_no_table():
    loaded = run("import bazi_core, sys; print(sorted(n for n in sys.modules if n.startswith('bazi_core')))")
    assert loaded == "['bazi_core']"


def test_the_places_are_not_opened_for_a_birth_without_a_name():
    birth = "bz.chart('1990-05-15 13:30', longitude=116.4, tz='Asia/Tokyo')"
    assert run(f"import bazi_core as bz, sys; {birth}; print('sqlite3' in sys.modules)") == "False"


@pytest.mark.process
def test_the_result_does_not_depend_on_the_zone_or_locale_of_the_machine():
    code = "import bazi_core as bz; print(ascii(bz.chart('1990-05-15 13:30', city='北京', gender='male').to_json()))"
    texts = set()
    for zone, language in (
        ("UTC", "C"),
        ("America/New_York", "zh_CN.UTF-8"),
        ("Asia/Shanghai", "de_DE.UTF-8"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"TZ": zone, "LC_ALL": language, "PYTHONUTF8": "1"},
        )
        texts.add(done.stdout)
    assert len(texts) == 1
