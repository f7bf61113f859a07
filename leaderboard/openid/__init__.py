"""Sign-in with an OpenID provider: authorization code flow with PKCE, and tokens of the device flow."""
