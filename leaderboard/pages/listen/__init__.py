"""The Listen tab."""
