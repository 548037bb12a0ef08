"""What every part of the hub speaks in: a call and its outcome, errors, settings, the clock, rules of text."""
