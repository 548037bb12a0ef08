"""A table is one function: the same cells for ints and for arrays."""

import subprocess
import sys

import numpy as np
import pytest

from bazi_core.table import Table

TABLE = Table(range(24), 2, 3, 4)


def test_ints_and_arrays_find_the_same_cells():
    i, j, k = np.indices((2, 3, 4))
    found = TABLE(i, j, k)
    assert found.tolist() == [[[TABLE(a, b, c) for c in range(4)] for b in range(3)] for a in range(2)]
    assert TABLE(1, 2, 3) == 23


def test_arrays_broadcast_against_each_other_and_against_ints():
    assert TABLE(1, np.array([[0], [2]]), np.arange(4)).tolist() == [[12, 13, 14, 15], [20, 21, 22, 23]]
    assert TABLE(np.arange(2), 0, 0).tolist() == [0, 12]


def test_the_answer_to_ints_is_a_plain_int():
    assert type(TABLE(0, 0, 1)) is int
    assert type(TABLE(np.int64(0), np.int64(0), np.int64(1))) is not np.ndarray


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 5), (24, 2)])
def test_cells_that_do_not_fill_the_axes_are_refused(shape):
    with pytest.raises(ValueError, match="24 cells do not fill axes of"):
        Table(range(24), *shape)


@pytest.mark.parametrize("axes", [(0,), (0, 0), (0, 0, 0, 0)])
def test_a_wrong_number_of_coordinates_is_refused(axes):
    with pytest.raises(ValueError):
        TABLE(*axes)


def test_numpy_is_loaded_only_when_an_array_comes():
    code = (
        "import sys; from bazi_core.table import Table; t = Table([1, 2], 2); t(1); "
        "assert 'numpy' not in sys.modules; import numpy; assert t(numpy.array([1])).tolist() == [2]"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
