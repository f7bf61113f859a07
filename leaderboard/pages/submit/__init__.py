"""The Submit tab."""
