"""Listener section of the Admin tab."""
