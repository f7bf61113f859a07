"""Layout: one module a tab. Nothing here binds an event or reads a record."""
