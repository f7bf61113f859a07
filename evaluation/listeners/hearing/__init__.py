"""Audio features, computed from samples alone; one feature per module."""
