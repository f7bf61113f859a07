"""Response schemas of the API."""
