"""Tables of births → columns of charts, by the tables and functions of a single chart.

numpy is imported with the first table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bazi_core.batch.columns import GROUPS, ColumnType, columns_of, status_codes
from bazi_core.batch.result import Charts, decode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from bazi_core.birth import Where
    from bazi_core.school import School

__all__ = ["GROUPS", "Charts", "ColumnType", "charts", "columns_of", "decode", "status_codes"]


def charts(
    table: Any,
    columns: str | Iterable[str] = "pillars",
    *,
    school: School | None = None,
    on_error: str = "null",
    gender: str | None = None,
    **where: Unpack[Where],
) -> Charts:
    """The charts of a table of births, as columns.

    `table` has a column `datetime` (texts, datetime64, timestamps; with a zone they are instants), and as it likes `city`,
    `place`, `tz`, `utc_offset`, `longitude`, `latitude`, `fold`, `calendar`, `gender` and options of the School; what holds
    for all rows may be said as an argument. `columns` are groups (`batch.GROUPS`, or "all"). Each row is what `chart` makes
    of it; instants stand on the clock of their `tz` or place, else on that of their column. A row that cannot be
    computed is null, its `status` the code of its error; with `on_error="raise"` the first such row raises it.

    >>> births = {"datetime": ["1990-05-15 13:30", "1990-04-15 02:30"], "city": ["北京", "上海"]}
    >>> found = charts(births)
    >>> found["hour"].tolist(), found.decode("hour"), found.decode("status")
    ([18, -1], ['壬午', None], ['OK', 'NONEXISTENT_LOCAL_TIME'])
    """
    from bazi_core.batch.assembly import assembled

    return assembled(table, columns, school, on_error, {**where, "gender": gender})
