"""Charts: what they show, as data, as tables and as figures."""
