"""What the account routes answer, for the description of the API."""

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

    id: Annotated[str, Field(description="For revoking it; it cannot be used to sign in")]
    created_at: datetime
    last_used_at: Annotated[datetime | None, Field(description="Start of the hour in which it was last used")]
    expires_at: datetime
    is_current: Annotated[bool, Field(description="Whether this request came in this session")]


class SessionsAnswer(AnswerSchema):
    """Your active sessions, newest first."""

    sessions: list[OwnSessionSchema]


class SignInAnswer(AnswerSchema):
    """How people sign in on this server."""

    method: Annotated[
        Literal["local", "openid", "token"],
        Field(description="By name on this machine, with an OpenID provider, or with tokens that an operator makes"),
    ]
    login_url: Annotated[str | None, Field(description="Where a browser signs in with the provider")]
    issuer: str | None
    client_id: str | None
    scopes: Annotated[list[str], Field(description="Scopes to ask the provider for")]
    device_authorization_endpoint: Annotated[
        str | None, Field(description="Where the device flow begins; null where the provider has none")
    ]
    token_endpoint: str | None
