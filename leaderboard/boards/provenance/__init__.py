"""Provenance of a row: its date and its paper."""
