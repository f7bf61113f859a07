"""Intake: stored uploads, known question ids, limits, and texts of file checks."""
