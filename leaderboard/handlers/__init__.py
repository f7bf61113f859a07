"""What an event does: read inputs, call a service or a view, translate errors."""
