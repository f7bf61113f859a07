"""The only place that binds events, a module a tab."""
