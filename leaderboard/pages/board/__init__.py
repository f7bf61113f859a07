"""Benchmark tab: board and charts."""
