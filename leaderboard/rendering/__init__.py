"""Rendering: Jinja2 templates, and numbers, ranks and times as text."""
