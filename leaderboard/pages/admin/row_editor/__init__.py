"""Published rows section of the Admin tab."""
