"""Site with sign-in through the provider on loopback, and a client that follows the redirects."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from leaderboard.api.auth import COOKIE
from tests.support.servers.live_site import NO_CERTIFICATES, Site, find_free_port, run_site
from tests.support.servers.openid_provider import CLIENT_ID, CLIENT_SECRET, OpenIdProvider

ORGANISATION = "earshot-lab"


def make_sign_in_settings(provider: OpenIdProvider, **more: Any) -> dict[str, Any]:
    """Return the settings of a site on a free port, and register its redirect URI with the provider."""
    port = find_free_port()
    settings = {
        "auth": "oidc",
        "port": port,
        "public_url": f"http://127.0.0.1:{port}",
        "oidc_issuer": provider.url,
        "oidc_client_id": CLIENT_ID,
        "oidc_client_secret": CLIENT_SECRET,
        "maintainer_org": ORGANISATION,
        "maintainers": ("sub-listed",),
        **more,
    }
    provider.redirect_uris.add(f"{settings['public_url']}/login/callback")
    return settings


@contextmanager
def run_signed_in_site(folder: Path, provider: OpenIdProvider, **more: Any) -> Iterator[Site]:
    with run_site(folder, **make_sign_in_settings(provider, **more)) as site:
        yield site


def begin(site: Site, next_path: str = "/") -> httpx2.Response:
    """Start a sign-in; the response redirects to the provider."""
    return site.client.get("/auth/login", params={"next": next_path}, headers={"Accept": "text/html"})


def visit_provider(provider: OpenIdProvider, response: httpx2.Response) -> str:
    """Follow the redirect to the provider, and return the path of the callback."""
    assert response.status_code == 303, response.text
    assert response.headers["location"].startswith(provider.url)
    with httpx2.Client(trust_env=False, verify=NO_CERTIFICATES) as client:
        answer = client.get(response.headers["location"])
    assert answer.status_code == 303, answer.text
    back = re.fullmatch(r"https?://[^/]+(/login/callback\?.*)", answer.headers["location"])
    assert back is not None
    return back[1]


def sign_in(site: Site, provider: OpenIdProvider, next_path: str = "/") -> httpx2.Response:
    """Complete a sign-in, and return the response of the callback."""
    back = visit_provider(provider, begin(site, next_path))
    return site.client.get(back, headers={"Accept": "text/html"})


def read_cookie(site: Site) -> str:
    cookie = site.client.cookies.get(COOKIE)
    assert cookie is not None
    return str(cookie)
