"""Certificates of authorities are loaded once in each process of tests, instead of by every HTTP client.

Loading them takes as long as 20 requests, and nearly every client of a test speaks plain HTTP on loopback.
"""

import ssl
from functools import cache

import httpcore2

_load = httpcore2.default_ssl_context
_load_once = cache(_load)


def _share(*, _trust_env: bool = True) -> ssl.SSLContext:
    # What a variable names may differ from test to test.
    return _load(_trust_env=True) if _trust_env else _load_once(_trust_env=False)


def share_certificates() -> None:
    """Let every HTTP client that is made from now on, and trusts no variables, share what is loaded."""
    httpcore2.default_ssl_context = _share
