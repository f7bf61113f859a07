"""Intake: stored uploads, known question ids, limits, and what a check of a file says."""
