"""Editions: test splits that are rendered for one submitter and used once."""
