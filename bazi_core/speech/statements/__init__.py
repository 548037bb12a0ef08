"""What may be said: the statements of a chart, a year, a row of years and a cast."""
