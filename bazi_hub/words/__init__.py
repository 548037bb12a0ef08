"""The words of every folder: a call and its outcome, errors, settings, the clock, rules of text."""
