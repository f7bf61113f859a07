"""Tests in a real browser, which they share."""
