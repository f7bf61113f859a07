"""The Admin tab."""
