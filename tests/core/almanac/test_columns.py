"""The columns of many days hold what single days say."""

from __future__ import annotations

import pyarrow
import pytest

import bazi_core as bz
from bazi_core.almanac.columns import COLUMNS
from bazi_core.errors import InvalidInput


@pytest.mark.parametrize("tz", ["Asia/Shanghai", "America/New_York"])
def test_each_row_is_the_day(tz: str) -> None:
    table = bz.almanac_table("2026-01-20", "2026-02-20", tz=tz)
    assert tuple(table) == COLUMNS
    assert len(table) == 32
    for at, date in enumerate(table["date"]):
        day = bz.almanac(date, tz=tz)
        facts = day.day.to_dict()
        assert table["month_pillar"][at] == day.calendar.month_pillar.value
        assert table["lunar_day"][at] == day.lunar.day
        for name in ("jianchu", "tianshen", "huangdao", "xiu", "nayin", "sha", "lu"):
            assert table[name][at] == facts[name], name
        for name in ("xishen", "fushen", "yanggui"):
            assert table[name][at] == facts["directions"][name], name
        assert list(table["marks"][at]) == facts["marks"]
        assert table["day_star"][at] == facts["stars9"]["day"]


def test_frames_read_the_columns() -> None:
    found = pyarrow.table(bz.almanac_table("2026-02-01", "2026-02-03", tz="Asia/Shanghai"))
    assert found.num_rows == 3
    assert found.column_names == list(COLUMNS)


def test_a_span_has_an_order() -> None:
    with pytest.raises(InvalidInput):
        bz.almanac_table("2026-02-02", "2026-02-01", tz="Asia/Shanghai")
