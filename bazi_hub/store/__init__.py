"""The stores: one schema on SQLite and on PostgreSQL, and the same rows in memory, behind the same ports."""
