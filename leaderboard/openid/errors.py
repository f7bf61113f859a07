"""Sign-in errors. The message is for the visitor, the reason for the log. Neither quotes the provider."""

from http import HTTPStatus


class SignInError(Exception):
    """A sign-in that failed.

    Attributes:
        message: What happened and what to do, for the visitor.
        reason: Cause, for the log.
        status: HTTP status of the response.
        next_path: Path that the visitor wanted to open.
    """

    def __init__(self, message: str, reason: str, status: int = HTTPStatus.BAD_REQUEST, next_path: str = "/") -> None:
        super().__init__(reason)
        self.message = message
        self.reason = reason
        self.status = status
        self.next_path = next_path


class ProviderError(SignInError):
    """The provider did not answer, or violated OpenID Connect."""

    def __init__(self, reason: str) -> None:
        message = "The sign-in service sent an unexpected response. Try again in a moment."
        super().__init__(message, reason, HTTPStatus.BAD_GATEWAY)


class UntrustedTokenError(SignInError):
    """An ID token failed verification."""

    def __init__(self, reason: str) -> None:
        super().__init__("The sign-in could not be verified. Try again.", reason)


class RefusedGrantError(SignInError):
    """The provider refused a code or token: it expired, or was used before."""

    def __init__(self, reason: str) -> None:
        super().__init__("This sign-in has expired or was already used. Try again.", reason)
