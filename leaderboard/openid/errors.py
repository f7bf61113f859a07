"""Failed sign-ins. A message is for the visitor; a reason is for the log. Neither quotes the provider."""

from http import HTTPStatus


class SignInError(Exception):
    """A sign-in that failed.

    Attributes:
        message: What happened and what to do, for the visitor.
        reason: What was found, for the log.
        status: HTTP status of the answer.
        next_path: Where the visitor wanted to go.
    """

    def __init__(self, message: str, reason: str, status: int = HTTPStatus.BAD_REQUEST, next_path: str = "/") -> None:
        super().__init__(reason)
        self.message = message
        self.reason = reason
        self.status = status
        self.next_path = next_path


class ProviderError(SignInError):
    """The provider did not answer, or not as OpenID Connect says."""

    def __init__(self, reason: str) -> None:
        message = "The sign-in service sent an unexpected response. Try again in a moment."
        super().__init__(message, reason, HTTPStatus.BAD_GATEWAY)


class UntrustedTokenError(SignInError):
    """An ID token that proves nothing to us."""

    def __init__(self, reason: str) -> None:
        super().__init__("The sign-in could not be verified. Try again.", reason)


class RefusedGrantError(SignInError):
    """A code or token that the provider refused: it expired, or was used before."""

    def __init__(self, reason: str) -> None:
        super().__init__("This sign-in has expired or was already used. Try again.", reason)
