"""What several tabs share: the current user, form values, bindings, markup."""
