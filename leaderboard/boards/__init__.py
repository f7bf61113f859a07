"""Boards: queries, pages of rows, offered columns, and the overview of all boards."""
