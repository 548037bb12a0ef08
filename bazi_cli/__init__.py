"""The command `bazi`: options in, a chart of `bazi_core` out, drawn for a terminal or as JSON."""
