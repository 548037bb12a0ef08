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
