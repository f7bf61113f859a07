"""Re-evaluation: scoring submissions again, and the resulting changes."""
