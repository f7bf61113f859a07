"""Querying an endpoint: sends questions, stores responses as they arrive, and reports why a run stops early."""
