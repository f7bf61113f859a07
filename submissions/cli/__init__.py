"""Client commands of `python -m submissions`: login, and what a terminal shows."""
