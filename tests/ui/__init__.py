"""Browser tests, which share one real browser."""
