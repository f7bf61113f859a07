"""The Overview tab."""
