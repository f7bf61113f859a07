"""Response schemas of the account routes."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from leaderboard.api.schemas.shared_answers import AnswerSchema


class AccountAnswer(AnswerSchema):
    """Who is signed in; null for an anonymous visitor."""

    name: str | None
    is_maintainer: bool


class OwnSessionSchema(AnswerSchema):
    """A signed-in browser."""

    id: Annotated[str, Field(description="ID for revoking the session; it cannot be used to sign in")]
    created_at: datetime
    last_used_at: Annotated[datetime | None, Field(description="Time of last use, rounded down to the hour")]
    expires_at: datetime
    is_current: Annotated[bool, Field(description="Whether this request used this session")]


class SessionsAnswer(AnswerSchema):
    """Your active sessions, newest first."""

    sessions: list[OwnSessionSchema]


class SignInAnswer(AnswerSchema):
    """Sign-in methods of this server."""

    method: Annotated[
        Literal["local", "openid", "token"],
        Field(description="local (by user name), oidc (OpenID provider), or token (tokens from an operator)"),
    ]
    login_url: Annotated[str | None, Field(description="URL that starts the sign-in in a browser")]
    issuer: str | None
    client_id: str | None
    scopes: Annotated[list[str], Field(description="Scopes to request from the provider")]
    device_authorization_endpoint: Annotated[
        str | None, Field(description="URL of the device flow; null if the provider has none")
    ]
    token_endpoint: str | None
