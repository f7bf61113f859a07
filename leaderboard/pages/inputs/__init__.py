"""What visitors send to the page: bodies of events, and chosen files."""
