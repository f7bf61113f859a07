"""Endpoints: registration, approval, sealed keys, and the run that queries a model."""
