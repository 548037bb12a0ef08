"""The stores in plain Python, for one process.

Methods are coroutines that never wait, so that each is one step for everybody else. What they keep are rows (`tables`), the
same that a database keeps, and nothing that could be summed up from them but the balances, which `verify` recounts.
"""
