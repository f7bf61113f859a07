"""The Submit tab's form for a model behind an endpoint."""
