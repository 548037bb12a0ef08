"""Charts: the columns of many charts, with the words of their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.batch.columns import STATUS, ColumnType, columns_of, groups_of
from bazi_core.errors import UnknownOption, library_missing, shown
from bazi_core.school import School, school_of
from bazi_core.tables.sentences import Listed, Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray


class Charts:
    """The charts of a table: numpy columns by name, with `status`, 0 where a chart was computed.

    >>> import bazi_core as bz
    >>> found = bz.charts({"datetime": ["1990-05-15 13:30"]}, "ten_gods", city="北京", gender="male")
    >>> len(found), found["day"].tolist(), found.decode("ten_god_month")
    (1, [16], ['劫财'])
    """

    def __init__(
        self, columns: dict[str, NDArray[Any]], status: NDArray[np.int8], described: tuple[ColumnType, ...]
    ) -> None:
        self.columns = {**columns, STATUS.name: status}
        self.described = described

    @property
    def status(self) -> NDArray[Any]:
        """The status of every row."""
        return self.columns[STATUS.name]

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __repr__(self) -> str:
        import numpy as np

        failed = int(np.count_nonzero(self.status))
        return f"<Charts {len(self)} rows, {len(self.columns)} columns, {failed} not computed>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from bazi_core.batch.shown import html_of

        return {"text/plain": repr(self), "text/html": html_of(self)}

    def rows(self, numbers: Sequence[int]) -> Charts:
        """Some of the rows, by their numbers.

        >>> import bazi_core as bz
        >>> bz.charts({"datetime": ["1990-05-15 13:30", "1988-08-18"]}, city="北京").rows([0])["day"].tolist()
        [16]
        """
        columns = {name: values[[*numbers]] for name, values in self.columns.items()}
        return Charts(columns, columns[STATUS.name], self.described)

    @property
    def bytes_per_row(self) -> int:
        """Bytes of memory for one row."""
        return sum(values.dtype.itemsize for values in self.columns.values())

    def to_numpy(self) -> NDArray[Any]:
        """The columns as one structured array."""
        import numpy as np

        array = np.empty(len(self), [(name, values.dtype) for name, values in self.columns.items()])
        for name, values in self.columns.items():
            array[name] = values
        return array

    def decode(self, name: str) -> list[Any]:
        """A column in words: the hanzi of its codes, lists of them for sets of bits; None where there is none."""
        return _decoded(self._column(name), self.columns[name])

    def _column(self, name: str) -> ColumnType:
        for column in self.described:
            if column.name == name:
                return column
        raise _unknown(name, tuple(self.columns))

    def to_arrow(self) -> Any:
        """A pyarrow table; negative values are null."""
        from bazi_core.batch.table import pyarrow

        arrow = pyarrow()
        if arrow is None:
            raise library_missing("pyarrow")
        return arrow.table({column.name: self._arrow(arrow, column) for column in self.described})

    def _arrow(self, arrow: Any, column: ColumnType) -> Any:
        values = self.columns[column.name]
        if column.is_time:
            unit = column.dtype[-3:].strip("[]")
            zone = None if column.name == "local" else "UTC"
            return arrow.array(values).cast(arrow.timestamp(unit, zone))
        if column.name == "utc_offset_s":
            # An offset west of Greenwich is below zero.
            return arrow.array(values, mask=self.status != 0)
        return arrow.array(values, mask=values < 0)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def decode(name: str, values: Any, school: School | None = None) -> list[Any]:
    """The words of a column's numbers: hanzi of codes, lists of hanzi of sets of bits, None below zero.

    Stars are those of the School's set; other columns mean the same in every School.

    >>> decode("year", [6, -1]), decode("rel_year_hour", [128]), decode("status", [9])
    (['庚午', None], [['刑']], ['PLACE_NOT_FOUND'])
    """
    known = {
        column.name: column for group in groups_of("all") for column in columns_of(group, school_of(school))
    }
    known[STATUS.name] = STATUS
    if name not in known:
        raise _unknown(name, tuple(known))
    return _decoded(known[name], values)


def _decoded(column: ColumnType, values: Any) -> list[Any]:
    numbers = values.tolist() if hasattr(values, "tolist") else list(values)
    if not column.words:
        return [
            None if not column.is_time and column.name != "utc_offset_s" and number < 0 else number
            for number in numbers
        ]
    words = column.words
    if column.is_bits:
        return [
            None if bits is None or bits < 0 else [word for at, word in enumerate(words) if bits >> at & 1]
            for bits in numbers
        ]
    return [None if code is None or code < 0 else words[code] for code in numbers]


def _unknown(name: object, allowed: tuple[str, ...]) -> UnknownOption:
    return UnknownOption(
        Said("option_value", name="column", value=shown(name), allowed=Listed(allowed, " or ")),
        name="column",
        value=shown(name),
        allowed=list(allowed),
    )
