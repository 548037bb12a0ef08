"""A language model as a port: one method, one call, with its time, its cost and its errors; no chart is known here."""
