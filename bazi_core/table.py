"""Table: one finite function of small integers, read by ints and by arrays.

A doctrine rule such as "stage of a stem on a branch" is a row of cells. A chart asks for one cell with
ints and gets an int from a tuple; a million charts ask with arrays and get an array. numpy is imported
only when the first array comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    type_of_array = NDArray[np.integer[Any]]


class Table:
    """Cells of a function over axes of the given lengths, in row-major order.

    >>> clash = Table([6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5], 12)
    >>> clash(0)
    6
    >>> import numpy
    >>> clash(numpy.array([0, 1, 11]))
    array([6, 7, 5], dtype=int16)
    """

    __slots__ = ("_array", "cells", "shape")

    def __init__(self, cells: Iterable[int], *shape: int) -> None:
        self.cells = tuple(cells)
        self.shape = shape
        self._array: type_of_array | None = None
        size = 1
        for length in shape:
            size *= length
        if size != len(self.cells):
            raise ValueError(f"{len(self.cells)} cells do not fill axes of {shape}")

    @overload
    def __call__(self, *axes: int) -> int: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, *axes: type_of_array | int) -> type_of_array: ...

    def __call__(self, *axes: Any) -> Any:
        """The cell at these coordinates; arrays broadcast against each other and against ints."""
        at = axes[0]
        for length, axis in zip(self.shape[1:], axes[1:], strict=True):
            at = at * length + axis
        if at.__class__ is int:
            return self.cells[at]
        return self._as_array()[at]

    def row(self, *axes: int) -> tuple[int, ...]:
        """The cells over the last axis, at these coordinates of the others.

        >>> Table(range(6), 2, 3).row(1)
        (3, 4, 5)
        """
        at = 0
        for length, axis in zip(self.shape, axes, strict=False):
            at = at * length + axis
        return self.cells[at * self.shape[-1] : (at + 1) * self.shape[-1]]

    def _as_array(self) -> type_of_array:
        if self._array is None:
            import numpy as np

            self._array = np.array(self.cells, dtype=np.int16)
        return self._array
