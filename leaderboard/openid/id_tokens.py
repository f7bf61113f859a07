"""Verification of ID tokens: signature, issuer, audience, lifetime and nonce."""

import base64
import binascii
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey

from leaderboard.openid.errors import UntrustedTokenError
from submissions.accounts.openid_users import is_subject

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
    "Ed25519",
)
"""Signatures with a key pair alone: with `none` or a shared secret, anybody who knows the public key could sign."""
LEEWAY_SECONDS = 60
MAX_TOKEN_CHARACTERS = 16_384
_MAX_KEYS = 50
_KEY_TYPES: Mapping[str, type[RSAKey | ECKey | OKPKey]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}

PublicKey = RSAKey | ECKey | OKPKey


class UnknownKeyError(UntrustedTokenError):
    """A token is signed with a key that the provider had not published when the keys were read."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected claims of an ID token.

    Attributes:
        issuer: Issuer of the token.
        client_id: Audience of the token.
        nonce: Nonce of the attempt; None for the device flow, which has none.
    """

    issuer: str
    client_id: str
    nonce: str | None = None


def read_keys(jwks: Mapping[str, Any]) -> dict[str | None, list[PublicKey]]:
    """Return key id → signature keys. Keys of other kinds, especially shared secrets, are ignored."""
    found: dict[str | None, list[PublicKey]] = {}
    entries = jwks.get("keys")
    for entry in entries[:_MAX_KEYS] if isinstance(entries, list) else ():
        key = _read_key(entry)
        if key is not None:
            kid = entry.get("kid")
            found.setdefault(kid if isinstance(kid, str) else None, []).append(key)
    return found


def verify_id_token(token: str, keys: Mapping[str | None, list[PublicKey]], expected: Expected) -> str:
    """Return the subject of an ID token.

    Raises:
        UnknownKeyError: The token names an unknown key.
        UntrustedTokenError: The token is not signed by the provider, is for another client or attempt, or has expired.
    """
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise UntrustedTokenError("the ID token is too long")
    header = _read_header(token)
    if header.get("alg") not in ALGORITHMS:
        raise UntrustedTokenError("the ID token is signed with an algorithm that is not allowed")
    claims = _decode(token, _find_keys(header, keys))
    _check_claims(claims, expected)
    _check_audience(claims, expected.client_id)
    _check_nonce(claims, expected.nonce)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not is_subject(subject):
        raise UntrustedTokenError("the ID token has no usable subject")
    return subject


def _read_key(entry: object) -> PublicKey | None:
    if not isinstance(entry, dict) or entry.get("use") not in (None, "sig"):
        return None
    kind = _KEY_TYPES.get(str(entry.get("kty")))
    try:
        return None if kind is None else kind.import_key(entry)
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def _read_header(token: str) -> Mapping[str, Any]:
    part = token.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise UntrustedTokenError("the ID token is not a JSON Web Token")
    return header


def _find_keys(header: Mapping[str, Any], keys: Mapping[str | None, list[PublicKey]]) -> Iterable[PublicKey]:
    kid = header.get("kid")
    if kid is None:
        every = [key for listed in keys.values() for key in listed]
        if len(every) != 1:
            raise UntrustedTokenError("the ID token names no key, and the provider has several or none")
        return every
    if not isinstance(kid, str) or kid not in keys:
        raise UnknownKeyError("the ID token names a key that the provider does not publish")
    return keys[kid]


def _decode(token: str, keys: Iterable[PublicKey]) -> dict[str, Any]:
    for key in keys:
        try:
            return dict(jwt.decode(token, key, algorithms=ALGORITHMS).claims)
        except (JoseError, ValueError, TypeError):
            continue
    raise UntrustedTokenError("the signature of the ID token is wrong")


def _check_claims(claims: dict[str, Any], expected: Expected) -> None:
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": expected.issuer},
        aud={"essential": True, "value": expected.client_id},
        exp={"essential": True},
        iat={"essential": True},
        sub={"essential": True},
    )
    try:
        registry.validate(claims)
    except JoseError as error:
        claim = getattr(error, "claim", None)
        named = claim if claim in ("iss", "aud", "exp", "iat", "nbf", "sub", "jti") else "claim"
        raise UntrustedTokenError(f"the {named} of the ID token is missing or wrong") from None


def _check_audience(claims: Mapping[str, Any], client_id: str) -> None:
    audience, party = claims["aud"], claims.get("azp")
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if (party is not None or is_for_several) and party != client_id:
        raise UntrustedTokenError("the ID token was made for another client")


def _check_nonce(claims: Mapping[str, Any], nonce: str | None) -> None:
    found = claims.get("nonce")
    if nonce is None:
        # A token with a nonce belongs to a sign-in in a browser, so the caller must not exchange it.
        if found is not None:
            raise UntrustedTokenError("the ID token belongs to a sign-in in a browser")
        return
    if not isinstance(found, str) or not hmac.compare_digest(found.encode(), nonce.encode()):
        raise UntrustedTokenError("the nonce of the ID token is wrong")
