"""Features of samples alone, one idea in each module."""
