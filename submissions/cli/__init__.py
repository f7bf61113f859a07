"""Client commands of `python -m submissions`: login, tables for the terminal, and proposals to the Hub."""
