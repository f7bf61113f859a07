"""OpenID provider on loopback with the paths and claims of the Hub: PKCE, exact redirect URIs, and injected faults."""

import asyncio
import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import orjson
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.support.servers.live_site import run_server

CLIENT_ID, CLIENT_SECRET = "earshot-client", "secret-of-the-client"
# Error texts of a provider must never be shown or logged unchanged.
HOSTILE = "<script>hostile()</script>"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_CODE_SECONDS = 60


@dataclass
class OpenIdProvider:
    """The provider. Tests set the signed-in user and inject faults.

    Attributes:
        client_secret: Client secret.
        user: Subject of the signed-in user.
        fault: Injected fault, by one of the names below.
        device_answers: Replies to device polls before the tokens, such as `authorization_pending`.
        people: Subject → claims of the user info.
        asked: Requested paths.
    """

    url: str = ""
    client_secret: str = CLIENT_SECRET
    redirect_uris: set[str] = field(default_factory=set)
    user: str = "sub-ann"
    fault: str = ""
    device_answers: list[str] = field(default_factory=list)
    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    keys: list[RSAKey] = field(default_factory=list)
    codes: dict[str, dict[str, Any]] = field(default_factory=dict)
    access: dict[str, str] = field(default_factory=dict)
    personal: dict[str, dict[str, Any]] = field(default_factory=dict)

    def reset(self) -> None:
        """Remove all faults."""
        self.fault, self.user, self.device_answers = "", "sub-ann", []
        self.people = {}
        self.personal.clear()
        self.asked.clear()
        self.keys = self.keys or [_make_key()]

    def rotate_keys(self) -> None:
        """Sign with a new key, and publish only that one."""
        self.keys = [_make_key()]

    def build_app(self) -> Starlette:
        """Return the application."""
        routes = {
            "/.well-known/openid-configuration": self._describe,
            "/oauth/authorize": self._authorize,
            "/oauth/token": self._token,
            "/oauth/userinfo": self._user_info,
            "/oauth/jwks": self._jwks,
            "/oauth/device": self._device,
            "/api/whoami-v2": self._whoami,
        }
        methods = ["GET", "POST"]
        return Starlette(routes=[Route(path, self._watch(act), methods=methods) for path, act in routes.items()])

    def _watch(self, act: Any) -> Any:
        async def handle(request: Request) -> Response:
            path = request.url.path
            self.asked.append(path)
            broken, _, where = self.fault.partition(" ")
            if where and path.endswith(where):
                while self.fault.startswith("slow"):
                    await asyncio.sleep(0.01)
                if broken == "500":
                    return Response(HOSTILE, 500)
                if broken == "huge":
                    return Response(b'{"x": "' + b"x" * 1_000_000 + b'"}', media_type="application/json")
                if broken == "html":
                    return Response(HOSTILE, media_type="text/html")
                if broken == "redirect":
                    return RedirectResponse("http://127.0.0.1:1/elsewhere")
            answer: Response = await act(request)
            return answer

        return handle

    async def _describe(self, _request: Request) -> Response:
        issuer = self.url
        wrong = "https://evil.example" if self.fault == "metadata-issuer" else issuer
        token = "http://evil.example/token" if self.fault == "metadata-endpoint" else f"{issuer}/oauth/token"
        return JSONResponse(
            {
                "issuer": wrong,
                "authorization_endpoint": f"{issuer}/oauth/authorize",
                "token_endpoint": token,
                "userinfo_endpoint": f"{issuer}/oauth/userinfo",
                "jwks_uri": f"{issuer}/oauth/jwks",
                "device_authorization_endpoint": f"{issuer}/oauth/device",
            }
        )

    async def _authorize(self, request: Request) -> Response:
        query = request.query_params
        is_known = query.get("client_id") == CLIENT_ID and query.get("redirect_uri") in self.redirect_uris
        if not is_known or query.get("response_type") != "code" or "openid" not in query.get("scope", "").split():
            return JSONResponse({"error": "invalid_request"}, 400)
        if query.get("code_challenge_method") != "S256" or len(query.get("code_challenge", "")) != 43:
            return JSONResponse({"error": "PKCE is required"}, 400)
        back = {"state": query["state"], "iss": self.url}
        if self.fault == "denied":
            back |= {"error": "access_denied", "error_description": HOSTILE}
        elif self.fault == "error":
            back |= {"error": HOSTILE, "error_description": HOSTILE}
        else:
            code = secrets.token_urlsafe()
            self.codes[code] = {**query, "sub": self.user, "until": time.time() + _CODE_SECONDS}
            back["code"] = code
        if self.fault == "state":
            back["state"] = secrets.token_urlsafe(32)
        if self.fault == "callback-issuer":
            back["iss"] = "https://evil.example"
        return RedirectResponse(f"{query['redirect_uri']}?{urlencode(back)}", 303)

    async def _token(self, request: Request) -> Response:
        async with request.form() as form:
            fields = {name: str(value) for name, value in form.items()}
        if fields.get("grant_type") == DEVICE_GRANT:
            return self._redeem_device(fields)
        credentials = base64.b64encode(f"{CLIENT_ID}:{self.client_secret}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {credentials}":
            return JSONResponse({"error": "invalid_client"}, 401)
        known = self.codes.pop(fields.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(fields.get("code_verifier", "").encode()).digest())
        is_good = (
            known is not None
            and self.fault != "expired-code"
            and time.time() < known["until"]
            and known["redirect_uri"] == fields.get("redirect_uri")
            and known["code_challenge"] == challenge.rstrip(b"=").decode()
        )
        if not is_good or known is None:
            return JSONResponse({"error": "invalid_grant", "error_description": HOSTILE}, 400)
        return JSONResponse(self.make_tokens(known["sub"], known["nonce"]))

    def make_tokens(self, subject: str, nonce: str | None) -> dict[str, str]:
        """Return the response of the token endpoint."""
        access_token = secrets.token_urlsafe()
        self.access[access_token] = subject
        if self.fault == "no-tokens":
            return {"token_type": "bearer"}
        return {"access_token": access_token, "id_token": self._sign(subject, nonce), "token_type": "bearer"}

    def _sign(self, subject: str, nonce: str | None) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {"iss": self.url, "sub": subject, "aud": CLIENT_ID, "iat": now, "exp": now + 300}
        if nonce is not None:
            claims["nonce"] = nonce
        wrong: dict[str, dict[str, Any]] = {
            "nonce": {"nonce": "of another attempt"},
            "no-nonce": {"nonce": None},
            "issuer": {"iss": "https://evil.example"},
            "audience": {"aud": "another-client"},
            "audiences": {"aud": [CLIENT_ID, "another-client"]},
            "party": {"azp": "another-client"},
            "expired": {"iat": now - 7_200, "exp": now - 3_600},
            "future": {"iat": now + 3_600, "exp": now + 7_200},
            "no-subject": {"sub": ""},
        }
        claims |= wrong.get(self.fault, {})
        if self.fault == "alg-none":
            return f"{_encode({'alg': 'none'})}.{_encode(claims)}."
        key = self.keys[0]
        if self.fault == "hs256":
            # Signed with the public key as if it were a shared secret (algorithm confusion).
            signed = f"{_encode({'alg': 'HS256', 'kid': key.kid})}.{_encode(claims)}"
            digest = hmac.digest(key.as_pem(private=False), signed.encode(), "sha256")
            return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
        if self.fault == "unknown-kid":
            key = _make_key()
        if self.fault == "forged":
            forger = RSAKey.generate_key(2048, {"kid": str(key.kid)})
            return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, forger)
        return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)

    async def _user_info(self, request: Request) -> Response:
        subject = self.access.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if subject is None:
            return JSONResponse({"error": "invalid_token"}, 401)
        claims = {"sub": subject, "preferred_username": subject.removeprefix("sub-"), **self.people.get(subject, {})}
        return JSONResponse(claims | ({"sub": "sub-other"} if self.fault == "other-subject" else {}))

    async def _whoami(self, request: Request) -> Response:
        """Return the owner and permissions of a personal access token, as the Hub does."""
        known = self.personal.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if known is None:
            return JSONResponse({"error": "Invalid credentials in Authorization header"}, 401)
        return JSONResponse(known)

    def add_personal_token(self, subject: str, role: str = "write", **more: Any) -> str:
        """Return a personal access token of a user; `more` overrides fields of the Hub's reply."""
        token = f"hf_{secrets.token_hex(17)}"
        auth = {"type": "access_token", "accessToken": {"displayName": "test", "role": role}}
        name = self.people.get(subject, {}).get("preferred_username", subject.removeprefix("sub-"))
        self.personal[token] = {"type": "user", "id": subject, "name": name, "orgs": [], "auth": auth, **more}
        return token

    async def _jwks(self, _request: Request) -> Response:
        shared = {"kty": "oct", "k": "c2VjcmV0", "kid": "shared"}
        return JSONResponse({"keys": [shared, *(key.as_dict(private=False) for key in self.keys)]})

    async def _device(self, request: Request) -> Response:
        async with request.form() as form:
            client_id, scope = form.get("client_id"), str(form.get("scope"))
        if client_id != CLIENT_ID or "openid" not in scope.split():
            return JSONResponse({"error": "invalid_client"}, 400)
        code = secrets.token_urlsafe()
        self.codes[code] = {"sub": self.user}
        answer = {"device_code": code, "user_code": "WXYZ-1234", "verification_uri": f"{self.url}/device"}
        return JSONResponse(answer | {"expires_in": 300, "interval": 2})

    def _redeem_device(self, fields: dict[str, str]) -> Response:
        if fields.get("device_code") not in self.codes or fields.get("client_id") != CLIENT_ID:
            return JSONResponse({"error": "invalid_grant"}, 400)
        if self.device_answers:
            return JSONResponse({"error": self.device_answers.pop(0), "error_description": HOSTILE}, 400)
        return JSONResponse(self.make_tokens(self.codes.pop(fields["device_code"])["sub"], None))


def _make_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})


def _encode(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(value)).rstrip(b"=").decode()


@contextmanager
def run_provider() -> Iterator[OpenIdProvider]:
    """Serve a provider on a loopback port."""
    provider = OpenIdProvider()
    provider.reset()
    with run_server(provider.build_app()) as port:
        provider.url = f"http://127.0.0.1:{port}"
        yield provider
