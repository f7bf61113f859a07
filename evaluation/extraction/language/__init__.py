"""The text of a response in one alphabet, its words and its tokens."""
