"""Statements of a response about the options that it names."""
