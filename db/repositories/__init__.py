"""One module a subject; each function takes an open transaction and returns records."""
