"""The Admin tab's section of published rows."""
