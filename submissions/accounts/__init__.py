"""Accounts: tokens and sessions, users of an OpenID provider or the Hub, the maintainer role."""
