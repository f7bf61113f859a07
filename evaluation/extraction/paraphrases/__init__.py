"""Answers that name no option by its letter or text, but say one in other words."""
