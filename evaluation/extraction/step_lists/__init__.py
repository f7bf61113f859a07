"""Verdicts on steps as JSON, rows or lists, and what their labels mean."""
