"""The page: one folder for each tab, with its layout, events, handlers and markup."""
