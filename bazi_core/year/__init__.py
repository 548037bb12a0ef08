"""流年: what a year brings to a chart."""
