"""Verdicts on the options one by one, on the rest of them and on groups."""
