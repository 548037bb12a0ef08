"""The rows of a fresh price table, for every store.

Credits for a call, and how many calls of a new account are free. `min_balance` is what has to be available, here always
the cost. `divination_run` has a price without being one of the tools.
"""

from __future__ import annotations

from bazi_hub.ports import Price

DEFAULT_PRICES = (
    Price("bazi_basic_analysis", credit_cost=1, min_balance=1, free_quota=1, enabled=True),
    Price("bazi_pattern_analysis", credit_cost=4, min_balance=4, free_quota=0, enabled=True),
    Price("bigluck_year_analysis", credit_cost=1, min_balance=1, free_quota=0, enabled=True),
    Price("bigluck_year_fortune_eval", credit_cost=6, min_balance=6, free_quota=0, enabled=True),
    Price("divination_run", credit_cost=4, min_balance=4, free_quota=0, enabled=True),
)
# Of the tools beside the twelve; a store has them once a hub that serves them was started on it.
FURTHER_PRICES = tuple(
    Price(tool, credit_cost=cost, min_balance=cost, free_quota=0, enabled=True)
    for tool, cost in (
        ("liuyao_divine", 2), ("liuren_quick", 1), ("question_divination", 1), ("daily_fortune", 1), ("calendar_day", 1),
        ("place_find", 0), ("find_dates", 1), ("years_compare", 4), ("almanac_day", 1), ("almanac_find_days", 2),
    )
)  # fmt: skip
