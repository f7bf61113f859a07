"""Database queries, one module per subject. Functions take an open transaction and return records."""
