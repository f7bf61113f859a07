"""Web application: the HTTP API and the page."""
