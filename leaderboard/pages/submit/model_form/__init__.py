"""Model fields of the Submit tab: suggestions, and metadata from the Hub."""
