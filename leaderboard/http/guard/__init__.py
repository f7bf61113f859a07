"""Guard in front of everything: allowed requests, sizes, and headers of every answer."""
