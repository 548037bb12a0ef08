"""Statements that SQLite and PostgreSQL share."""
