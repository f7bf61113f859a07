"""Shared TLS context: CA certificates are loaded once per test process instead of once per HTTP client.

Loading takes as long as 20 requests, and nearly every client of a test speaks plain HTTP on loopback.
"""

import ssl
from functools import cache

import httpcore2

_load = httpcore2.default_ssl_context
_load_once = cache(_load)


def _share(*, _trust_env: bool = True) -> ssl.SSLContext:
    # CA bundles named by environment variables may differ between tests.
    return _load(_trust_env=True) if _trust_env else _load_once(_trust_env=False)


def share_certificates() -> None:
    """Share one TLS context among all new HTTP clients that ignore environment variables."""
    httpcore2.default_ssl_context = _share
