"""The Account tab."""
