"""The current user's submissions on the Submit tab."""
