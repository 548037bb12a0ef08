"""The twelve tools: what each takes, checks and does. Rows and functions; no transport, no database."""
