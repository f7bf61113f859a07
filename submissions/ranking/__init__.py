"""Ranking: from scores to ranks, with confidence intervals and ranges of ranks."""
