"""People listen to practice questions: rounds, marks, and the group of those who let their results be kept."""
