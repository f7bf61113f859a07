"""Caching: entity tags, cached responses, and one computation for equal requests."""
