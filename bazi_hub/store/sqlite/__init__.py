"""The stores in one SQLite file: one thread writes, many operations in one transaction."""
