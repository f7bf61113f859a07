"""Performance benchmarks of `make bench`."""
