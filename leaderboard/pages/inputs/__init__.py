"""Inputs of the page: bodies of events, and chosen files."""
