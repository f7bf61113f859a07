"""Login of the command line: the provider's device flow, whose tokens are exchanged for one of ours.

The user opens a page of the provider in any browser and enters a code; meanwhile the client polls the provider.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from submissions.cli.token_store import StoredToken
from submissions.client import Client, ClientError, Json

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_DEFAULT_INTERVAL, _SLOW_DOWN_SECONDS, _MAX_INTERVAL = 5.0, 5.0, 60.0
_MAX_WAIT_SECONDS = 1_800.0
_TIMEOUT_SECONDS = 30.0
_LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
_ENDS = {
    "access_denied": "The login was declined.",
    "expired_token": "The code has expired. Run the command again.",
}
_OTHER_WAYS = {
    "local": "This server is in local mode and needs no login.",
    "token": "This server does not support login. Ask a maintainer for a token and set EARSHOT_TOKEN.",
}


@dataclass(frozen=True, slots=True)
class DeviceVerification:
    """What to do in a browser."""

    url: str
    code: str


class DeviceLogin:
    """A login to a server."""

    def __init__(self, client: Client, pause: Callable[[float], None] = time.sleep) -> None:
        self._client = client
        self._pause = pause

    def run(self, label: str, show: Callable[[DeviceVerification], None]) -> StoredToken:
        """Log in.

        Args:
            label: Purpose of the token, as shown on the Account tab.
            show: Called with what the user has to do.

        Raises:
            ClientError: The server has no login, the user declined or took too long, or the provider failed.
        """
        offer = self._client.describe_sign_in()
        if offer["method"] != "openid":
            raise ClientError(
                _OTHER_WAYS.get(
                    str(offer["method"]), "This server uses a login method that this version does not support."
                )
            )
        endpoint = offer.get("device_authorization_endpoint")
        if endpoint is None:
            raise ClientError("The server's provider does not support device login. Create a token on the Account tab.")
        with httpx2.Client(timeout=_TIMEOUT_SECONDS, trust_env=False) as provider:
            scope = " ".join(str(name) for name in offer["scopes"])
            begun = _post(provider, str(endpoint), {"client_id": str(offer["client_id"]), "scope": scope})
            show(_read_verification(begun))
            tokens = self._poll(provider, offer, begun)
        made = self._client.exchange_tokens(str(tokens["id_token"]), str(tokens["access_token"]), label)
        return StoredToken(int(made["id"]), str(made["token"]))

    def _poll(self, provider: httpx2.Client, offer: Json, begun: Json) -> Json:
        """Poll until the user has decided."""
        fields = {
            "grant_type": DEVICE_GRANT,
            "device_code": str(begun["device_code"]),
            "client_id": str(offer["client_id"]),
        }
        interval = _read_seconds(begun.get("interval"), _DEFAULT_INTERVAL, _MAX_INTERVAL)
        left = _read_seconds(begun.get("expires_in"), _MAX_WAIT_SECONDS, _MAX_WAIT_SECONDS)
        while left > 0:
            self._pause(interval)
            left -= interval
            answer = _post(provider, str(offer["token_endpoint"]), fields, may_refuse=True)
            error = answer.get("error")
            if error is None:
                return _require_tokens(answer)
            if error == "slow_down":
                interval = min(interval + _SLOW_DOWN_SECONDS, _MAX_INTERVAL)
            elif error != "authorization_pending":
                raise ClientError(_ENDS.get(str(error), "The provider refused the login."))
        raise ClientError(_ENDS["expired_token"])


def _post(provider: httpx2.Client, url: str, fields: dict[str, str], *, may_refuse: bool = False) -> Json:
    """Return the JSON object at an address of the provider; errors quote nothing."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK_HOSTS):
        raise ClientError("Login stopped: the server's provider does not use https.")
    try:
        response = provider.post(url, data=fields, headers={"Accept": "application/json"})
        answer: Any = response.json()
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ClientError(f"Cannot reach {parts.netloc} ({type(error).__name__}). Try again.") from None
    except ValueError:
        answer = None
    is_refusal = may_refuse and isinstance(answer, dict) and "error" in answer
    if not isinstance(answer, dict) or not (response.status_code == 200 or is_refusal):
        raise ClientError(f"{parts.netloc} returned an unexpected response (status {response.status_code}). Try again.")
    return answer


def _read_verification(begun: Json) -> DeviceVerification:
    url, code = begun.get("verification_uri"), begun.get("user_code")
    is_known = isinstance(url, str) and isinstance(code, str) and isinstance(begun.get("device_code"), str)
    if not is_known or not f"{url}{code}".isprintable() or not str(url).startswith(("https://", "http://")):
        raise ClientError("The provider did not say how to sign in with a browser. Try again.")
    return DeviceVerification(str(url), str(code))


def _read_seconds(value: object, default: float, most: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return min(float(value), most) if is_number and isinstance(value, int | float) else default


def _require_tokens(answer: Json) -> Json:
    if not all(isinstance(answer.get(name), str) for name in ("id_token", "access_token")):
        raise ClientError("The provider sent no ID token, so the server cannot verify your identity.")
    return answer
