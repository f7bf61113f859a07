"""Symbols that several parsers look for: letters of options, Chinese characters, ordinals."""

LONE_CAPITAL = r"(?<![A-Za-z])[A-Z](?![A-Za-z])"
"""A capital letter by itself, as options are named."""
