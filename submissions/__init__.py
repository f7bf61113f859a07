"""Life of a submission, from its arrival to its row."""
