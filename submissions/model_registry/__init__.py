"""Models: names, descriptions, suggestions, merges, and what a model's page shows."""
