"""Scoring: from a submission's predictions to stored scores and sealed outcomes."""
