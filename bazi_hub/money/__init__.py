"""Prices and limits: what a call costs, and how often it may be asked."""
