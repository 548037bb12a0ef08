"""The example notebooks run, and what they keep is what a run shows."""

import json
import subprocess
import sys

import pytest

from tests.core.pictures.drawn import check
from tests.examples.notebooks import FOLDER, NAMES, SHOWN, read, sources


def outputs(notebook):
    return [each for cell in notebook["cells"] if cell["cell_type"] == "code" for each in cell["outputs"]]


def test_there_are_three():
    assert NAMES == ["agent.ipynb", "data.ipynb", "practitioner.ipynb"]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_is_whole_small_and_drawn(name):
    found = outputs(read(name))
    assert not [each for each in found if each["output_type"] == "error"]
    pictures = [
        "".join(each["data"]["image/svg+xml"]) for each in found if "image/svg+xml" in each.get("data", {})
    ]
    assert pictures
    for picture in pictures:
        check(picture)
        assert len(picture.encode()) < 25_000
    assert all({*each.get("data", {})} <= {*SHOWN} for each in found)
    assert (FOLDER / name).stat().st_size < 150_000


@pytest.mark.parametrize("name", NAMES)
def test_the_code_is_python_that_names_nothing_of_this_machine(name):
    for source in sources(name):
        compile(source, name, "exec")
    assert "/home/" not in json.dumps(read(name))


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_a_run_shows_what_is_kept(name):
    # In a process of its own: the client of kernels warns about what its libraries deprecate.
    code = (
        f"import json; from tests.examples.notebooks import executed; print(json.dumps(executed({name!r})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=FOLDER.parents[1]
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["cells"] == read(name)["cells"]
