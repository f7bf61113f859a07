"""Test questions of the current user on the Submit tab."""
