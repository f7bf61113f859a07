"""All SQL of Earshot."""
