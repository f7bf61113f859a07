"""What people see: the HTTP API and the page."""
