"""The Submit tab's list of one's own submissions."""
