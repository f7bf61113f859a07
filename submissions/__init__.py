"""What happens to a submission, from its arrival to its row."""
