"""What can be told from samples alone: each module has one idea."""
