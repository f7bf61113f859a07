"""Settings of OpenID Connect sign-in: provider, client, maintainers and public URL."""

import re
from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
WEB_ONLY = (
    "EARSHOT_OIDC_ISSUER",
    "EARSHOT_OIDC_CLIENT_ID",
    "EARSHOT_OIDC_CLIENT_SECRET",
    "EARSHOT_MAINTAINER_ORG",
    "EARSHOT_ACCEPT_HUB_TOKENS",
    "OPENID_PROVIDER_URL",
    "OAUTH_CLIENT_ID",
    "OAUTH_CLIENT_SECRET",
)
"""Variables that an evaluator must not inherit: only the web process signs people in."""
_SPACE_VARIABLES = {
    "oidc_issuer": "OPENID_PROVIDER_URL",
    "oidc_client_id": "OAUTH_CLIENT_ID",
    "oidc_client_secret": "OAUTH_CLIENT_SECRET",
}
_ORIGIN = re.compile(r"https?://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_ISSUER = re.compile(_ORIGIN.pattern + r"(/[A-Za-z0-9._~/-]*)?")


class SignInSettings(BaseSettings):
    """Sign-in settings, which only the web process uses."""

    oidc_issuer: str | None = None
    oidc_client_id: str | None = None
    oidc_client_secret: SecretStr | None = None
    maintainer_org: str | None = None
    # Hub access tokens can authenticate requests; users can then also sign in with the Hub.
    accept_hub_tokens: bool = False
    public_url: str | None = None

    @field_validator("public_url")
    @classmethod
    def _check_origin(cls, url: str | None) -> str | None:
        if url is None:
            return None
        origin = url.removesuffix("/").lower()
        if not _ORIGIN.fullmatch(origin):
            raise ValueError("Enter an http or https origin without a path, such as https://earshot.example")
        return origin

    @field_validator("oidc_issuer")
    @classmethod
    def _check_issuer(cls, url: str | None) -> str | None:
        if url is None:
            return None
        if not _ISSUER.fullmatch(url) or not is_https_or_loopback(url):
            raise ValueError("must be an https:// URL without a query, such as https://accounts.example")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _require_whole_provider(self) -> Self:
        values = {
            "EARSHOT_OIDC_ISSUER": self.oidc_issuer,
            "EARSHOT_OIDC_CLIENT_ID": self.oidc_client_id,
            "EARSHOT_OIDC_CLIENT_SECRET": self.oidc_client_secret,
        }
        missing = [name for name, value in values.items() if value is None]
        if not missing and self.public_url is None:
            missing = ["EARSHOT_PUBLIC_URL"]
        is_used = len(missing) < len(values) or self.maintainer_org is not None
        if missing and is_used:
            raise ValueError(
                "Sign-in with OpenID Connect requires EARSHOT_OIDC_ISSUER, EARSHOT_OIDC_CLIENT_ID, "
                f"EARSHOT_OIDC_CLIENT_SECRET and EARSHOT_PUBLIC_URL. Not set: {', '.join(missing)}."
            )
        return self

    @model_validator(mode="after")
    def _require_secure_address(self) -> Self:
        if self.oidc_issuer is not None and self.public_url and not is_https_or_loopback(self.public_url):
            raise ValueError(
                "Sign-in with OpenID Connect requires an EARSHOT_PUBLIC_URL that begins with https://, because "
                "browsers send session cookies over plain HTTP to loopback addresses only."
            )
        return self

    @property
    def is_https(self) -> bool:
        """Whether visitors reach this server over HTTPS."""
        return self.public_url is not None and self.public_url.startswith("https://")

    @property
    def client_secret_text(self) -> str:
        """EARSHOT_OIDC_CLIENT_SECRET; empty if not set."""
        return "" if self.oidc_client_secret is None else self.oidc_client_secret.get_secret_value()


def fill_in_space(values: dict[str, Any], environment: Mapping[str, str]) -> None:
    """Add the sign-in settings that a Space provides to its container, unless the operator set them.

    The Space's client is never combined with an operator's own provider, which does not know it.
    """
    if "OAUTH_CLIENT_ID" in environment and not any(values.get(field) for field in _SPACE_VARIABLES):
        from_space = {field: environment.get(name) for field, name in _SPACE_VARIABLES.items()}
        values.update({field: value for field, value in from_space.items() if value})
    # With a custom domain, the list starts with the host that the provider redirects to.
    origin = f"https://{environment.get('SPACE_HOST', '').split(',')[0].strip()}"
    if _ORIGIN.fullmatch(origin) and not values.get("public_url"):
        values["public_url"] = origin


def is_https_or_loopback(url: str) -> bool:
    """Return whether traffic to a URL is encrypted or stays on this machine."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS)
