"""Ways to submit: a model behind an API, a file of predictions, or the log of an evaluation tool."""
