"""The stores in PostgreSQL: every operation of the ledger is one statement, sent in batches."""
