"""Competition section of the Admin tab."""
