"""Callers: API keys, passwords, sessions, and the cookies of others."""
