"""Edge of the web process: forwarded headers, frames, the web app manifest."""
