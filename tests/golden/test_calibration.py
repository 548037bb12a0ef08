"""The shipped table of observed shares against the printed charts."""

from bazi_core.tables import rows
from bazi_core.views.certainty import observed
from benchmarks.calibrate import CLASSES, TABLE, table


def test_the_table_is_that_of_the_printed_charts():
    # A change of doctrine changes the shares: `python -m benchmarks.calibrate --write`.
    assert table() == TABLE.read_text(encoding="utf-8")


def test_every_class_was_observed():
    assert {row["class"] for row in rows("calibration")} == set(CLASSES)
    for name in CLASSES:
        hits, of = observed(name)
        assert 0 < hits <= of


def test_more_agreement_was_more_often_right():
    shares = [observed(f"strength.{agreement}").share for agreement in (1, 2, 3, 4)]
    assert shares == sorted(shares)
    assert observed("useful.settled").share > observed("useful.open").share
