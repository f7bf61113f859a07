"""Shared parts of the tabs: the current user, form values, bindings, markup."""
