"""An input table of any kind, as columns of times, words and numbers.

Accepted are maps of columns, numpy arrays (structured ones, or of datetimes alone), lists of times or of rows, objects
that export an Arrow stream (`__arrow_c_stream__`), and other frames through narwhals. Columns of other names are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from bazi_core.batch.births import WORDS
from bazi_core.batch.settings import Factor
from bazi_core.batch.times import TimeColumn, of_datetimes, of_texts
from bazi_core.errors import InvalidInput, UnknownOption, library_missing, shown
from bazi_core.school import School
from bazi_core.tables.sentences import Said

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIME = "datetime"
POINTS = ("longitude", "latitude")
OPTIONS = (
    "profile",
    *(
        field.name
        for field in fields(School)
        if field.name not in ("profile", "star_variants", "yong_weights")
    ),
)
COLUMNS = (TIME, *WORDS, "gender", *POINTS, *OPTIONS)


class BirthTable:
    """Columns by name: `times`, `words` of few values, `points` in degrees, and `options` of the School."""

    def __init__(self, times: TimeColumn) -> None:
        self.times = times
        self.words: dict[str, Factor] = {}
        self.points: dict[str, NDArray[np.float64]] = {}
        self.options: dict[str, Factor] = {}

    def put(self, name: str, column: Any) -> None:
        """A further column, an array or the one value of all rows."""
        length = self.times.length
        if name in POINTS:
            self.points[name] = _numbers(name, column, length)
            return
        factor = _factor(column)
        if factor.places is not None and len(factor.places) != length:
            raise _ragged(name, len(factor.places), length)
        if factor.places is None and factor.values[0] is None:
            return
        if name == "fold":
            # A column with gaps comes as floats.
            whole = (
                int(value) if type(value) is float and value.is_integer() else value
                for value in factor.values
            )
            factor = Factor(tuple(whole), factor.places)
        (self.words if name in (*WORDS, "gender") else self.options)[name] = factor


def table_of(given: Any, constants: dict[str, Any]) -> BirthTable:
    """The columns of an input, with constants that hold for all rows."""
    columns = _columns(given)
    if TIME not in columns:
        raise InvalidInput(Said("table_no_times", names=shown(", ".join(map(str, columns)), 200)), path=TIME)
    table = BirthTable(_times(columns[TIME]))
    for name in COLUMNS[1:]:
        if constants.get(name) is not None:
            table.put(name, _One(constants[name]))
        elif name in columns:
            table.put(name, columns[name])
    return table


class _One:
    """A value for all rows."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _columns(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, np.ndarray):
        names = given.dtype.names
        return {TIME: given} if names is None else {name: given[name] for name in names}
    if isinstance(given, (list, tuple)):
        if given and isinstance(given[0], Mapping):
            names = dict.fromkeys(name for row in given for name in row)
            return {name: [row.get(name) for row in given] for name in names}
        return {TIME: given}
    if hasattr(given, "__arrow_c_stream__"):
        arrow = pyarrow()
        if arrow is not None:
            return _of_arrow(given, arrow)
    return _of_frame(given)


def _of_arrow(given: Any, arrow: Any) -> dict[str, Any]:
    try:
        table = arrow.table(given)
    except (TypeError, ValueError, arrow.ArrowInvalid):
        # A series exports an array that is no struct.
        return {TIME: arrow.chunked_array(given)}
    return dict(zip(table.column_names, table.columns, strict=True))


def _of_frame(given: Any) -> dict[str, Any]:
    try:
        import narwhals
    except ImportError:
        raise library_missing("narwhals") from None
    try:
        frame = narwhals.from_native(given, allow_series=True)
    except TypeError:
        raise UnknownOption(
            Said("table_kind", name=type(given).__name__),
            hint=Said("table_kind_hint"),
            name="table",
            value=type(given).__name__,
            allowed=["map", "numpy", "__arrow_c_stream__", "narwhals"],
        ) from None
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, narwhals.Series):
        return {TIME: frame.to_numpy()}
    return {name: frame[name].to_numpy() for name in frame.columns}


def pyarrow() -> Any:
    """The module pyarrow, None where it is not installed."""
    try:
        import pyarrow as arrow
        import pyarrow.compute
    except ImportError:
        return None
    return arrow


def _is_arrow(column: Any) -> bool:
    return type(column).__module__.startswith("pyarrow")


def _times(column: Any) -> TimeColumn:
    if _is_arrow(column):
        return _arrow_times(column)
    if hasattr(column, "__arrow_c_stream__") and not isinstance(column, np.ndarray) and (arrow := pyarrow()):
        return _arrow_times(arrow.chunked_array(column))
    if not isinstance(column, (np.ndarray, list, tuple)):
        column = _listed(column)
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        return of_datetimes(np.ascontiguousarray(column))
    if isinstance(column, np.ndarray) and column.dtype.kind not in "UOT":
        raise _no_times(str(column.dtype))
    return of_texts(column)


def _arrow_times(column: Any) -> TimeColumn:
    import pyarrow as arrow

    kind = column.type
    chunk = column.combine_chunks() if isinstance(column, arrow.ChunkedArray) else column
    if isinstance(chunk, arrow.ChunkedArray):
        chunk = arrow.concat_arrays(chunk.chunks) if chunk.num_chunks else arrow.array([], kind)
    if arrow.types.is_timestamp(kind):
        return of_datetimes(np.asarray(chunk.cast(arrow.timestamp(kind.unit))), kind.tz)
    if arrow.types.is_date(kind):
        return of_texts(_Lazy(chunk.cast(arrow.date32()).cast(arrow.string())))
    if arrow.types.is_null(kind):
        return of_texts(_Lazy(chunk))
    if arrow.types.is_dictionary(kind):
        chunk = chunk.dictionary_decode()
    if not _is_text(arrow, chunk.type):
        raise _no_times(str(kind))
    return of_texts(_Lazy(chunk))


class _Lazy:
    """An Arrow array whose rows are converted to Python on access."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: Any) -> Any:
        value = self.array[at]
        return value.to_pylist() if isinstance(at, slice) else value.as_py()


def _is_text(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _listed(column: Any) -> Any:
    if hasattr(column, "to_numpy"):
        return column.to_numpy()
    try:
        return list(column)
    except TypeError:
        raise _no_times(type(column).__name__) from None


def _no_times(name: str) -> InvalidInput:
    return InvalidInput(Said("table_times", name=name), hint=Said("table_times_hint"), path=TIME)


def _ragged(name: str, given: int, length: int) -> InvalidInput:
    return InvalidInput(Said("table_ragged", name=name, given=given, length=length), path=name)


def _factor(column: Any) -> Factor:
    """A column as its distinct values and their places; NaN is no value."""
    if isinstance(column, _One):
        return Factor((column.value,))
    if isinstance(column, str) or not hasattr(column, "__len__"):
        return Factor((column,))
    if hasattr(column, "__arrow_c_stream__") and not _is_arrow(column) and (arrow := pyarrow()):
        column = arrow.chunked_array(column)
    if _is_arrow(column):
        return _arrow_factor(column)
    if isinstance(column, np.ndarray):
        column = column.tolist()
    # True, 1 and 1.0 are one key of a dict; a list of JSON is none.
    plain = set(map(type, column)) <= {str, type(None)}
    keys = column if plain else [(type(each), str(each)) for each in column]
    values = dict(zip(keys, column, strict=True))
    places = {key: place for place, key in enumerate(values)}
    found = np.fromiter(map(places.__getitem__, keys), np.int64, len(column))
    return Factor([None if value != value else value for value in values.values()] or [None], found)


def _arrow_factor(column: Any) -> Factor:
    import pyarrow as arrow

    if isinstance(column, arrow.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, arrow.ChunkedArray):
        column = column.unify_dictionaries()
        column = arrow.concat_arrays(column.chunks) if column.num_chunks else arrow.array([], column.type)
    if not arrow.types.is_dictionary(column.type):
        if arrow.types.is_string_view(column.type):
            column = column.cast(arrow.string())
        if arrow.types.is_nested(column.type):
            return _factor(column.to_pylist())
        column = column.dictionary_encode()
    values = [None if each != each else each for each in column.dictionary.to_pylist()]
    places = column.indices.fill_null(len(values)).to_numpy(zero_copy_only=False).astype(np.int64)
    return Factor((*values, None), places)


def _numbers(name: str, column: Any, length: int) -> NDArray[np.float64]:
    """Degrees; NaN where there are none."""
    if isinstance(column, _One) or not hasattr(column, "__len__") or isinstance(column, str):
        one = _number(column.value if isinstance(column, _One) else column)
        return np.full(length, one)
    if hasattr(column, "__arrow_c_stream__") and not _is_arrow(column) and (arrow := pyarrow()):
        column = arrow.chunked_array(column)
    if _is_arrow(column):
        column = column.to_numpy(zero_copy_only=False) if not hasattr(column, "chunks") else column.to_numpy()
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        numbers = column.astype(np.float64)
    else:
        numbers = np.array([_number(each) for each in column], np.float64)
    if len(numbers) != length:
        raise _ragged(name, len(numbers), length)
    return numbers


def _number(value: Any) -> float:
    """A value as degrees; NaN if there is none, infinity (never a valid coordinate) if it is no number."""
    if value is None or value == "" or (isinstance(value, float) and value != value):
        return np.nan
    try:
        number = np.inf if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return np.inf
    return np.inf if number != number else number
