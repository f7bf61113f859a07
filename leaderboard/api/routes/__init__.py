"""Routes of the API: one module per resource."""
