"""Where the hub keeps things: one schema on SQLite and on PostgreSQL, behind the same ports."""
