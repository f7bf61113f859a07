"""Inputs of the page: event bodies, and uploaded files."""
