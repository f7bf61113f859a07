"""The Submit tab's fields that describe a model: suggestions, data from the Hub."""
