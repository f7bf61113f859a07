"""Owner of a Hub token, from the Hub's answer to `whoami-v2`: only users, and only tokens with write permission."""

from collections.abc import Mapping
from typing import Any

import orjson

from submissions.accounts.openid_users import IdentityClaims, is_subject
from submissions.errors import NotAllowedError

_MAX_NAME_CHARACTERS = 255
_MAX_SCOPES = 1_000
_WRITE = "repo.write"
_NOT_A_PERSON = "This Hub token does not belong to a person. Use a token of your own account."
_OTHER_APP = "This Hub token was issued to an application. Use an access token that you made in your Hub settings."
_READ_ONLY = (
    "This Hub token may not write in your name. Use a token with the role write, or a fine-grained one with write "
    "access to the repositories under your own name."
)


class WhoamiError(Exception):
    """The answer is not what the Hub sends."""


def read_identity(body: bytes, issuer: str) -> IdentityClaims:
    """Return the owner of a token. The maintainer role requires a sign-in on the page.

    Args:
        body: Answer of the Hub.
        issuer: The Hub's name as the provider of sign-ins.

    Raises:
        NotAllowedError: The token belongs to an organisation or application, or lacks write permission.
        WhoamiError: The answer cannot be read.
    """
    claims = _require_mapping(_parse(body))
    kind, subject, name = claims.get("type"), claims.get("id"), claims.get("name")
    if kind in ("org", "app"):
        raise NotAllowedError(_NOT_A_PERSON)
    if kind != "user" or not is_subject(subject):
        raise WhoamiError
    auth = _require_mapping(claims.get("auth"))
    # Otherwise the operator of an application could sign in here as any of its users.
    if auth.get("type") != "access_token":
        raise NotAllowedError(_OTHER_APP)
    if not _may_write(_require_mapping(auth.get("accessToken")), str(subject)):
        raise NotAllowedError(_READ_ONLY)
    is_name = isinstance(name, str) and len(name) <= _MAX_NAME_CHARACTERS
    return IdentityClaims(issuer, str(subject), str(name) if is_name else None)


def _may_write(token: Mapping[str, Any], subject: str) -> bool:
    """Tell whether a token has write permission for its owner, in whose name it acts here."""
    if token.get("role") != "fineGrained":
        return token.get("role") == "write"
    scopes = _require_mapping(token.get("fineGrained")).get("scoped")
    return isinstance(scopes, list) and any(_is_own_write(scope, subject) for scope in scopes[:_MAX_SCOPES])


def _is_own_write(scope: object, subject: str) -> bool:
    if not isinstance(scope, Mapping):
        return False
    entity, permissions = scope.get("entity"), scope.get("permissions")
    is_own = isinstance(entity, Mapping) and (entity.get("type"), entity.get("_id")) == ("user", subject)
    return is_own and isinstance(permissions, list) and _WRITE in permissions


def _parse(body: bytes) -> object:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        raise WhoamiError from None


def _require_mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise WhoamiError
    return value
