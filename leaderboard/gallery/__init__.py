"""Gallery of a closed edition: every item with its sound, the right answer and what the model answered."""
