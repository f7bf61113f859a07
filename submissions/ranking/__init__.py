"""Ranking: ranks, confidence intervals and rank ranges from scores."""
