"""Re-evaluation: scoring submissions again, and what that changes."""
