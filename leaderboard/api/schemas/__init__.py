"""Schemas of the API: what the routes answer."""
