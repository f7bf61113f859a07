"""Errors of the endpoint, in the format of the OpenAI API."""

from collections.abc import Iterable

from evaluation.errors import EvaluationError, suggest

Header = tuple[bytes, bytes]

_SHOWN_CHARACTERS = 80


class ListenError(EvaluationError):
    """The endpoint cannot be started."""


class RequestRefusedError(EvaluationError):
    """A request was rejected; the message is for its sender.

    Attributes:
        status: HTTP status.
        kind: `type` of the error object, by which clients distinguish errors.
        code: Machine-readable code.
        param: Invalid field of the request, such as `messages[0].content[1]`.
        headers: Additional response headers.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        param: str | None = None,
        code: str | None = None,
        headers: Iterable[Header] = (),
    ) -> None:
        """Create an error with problem and fix."""
        super().__init__(message)
        self.status = status
        self.kind = "invalid_request_error" if status < 500 else "server_error"
        self.param = param
        self.code = code
        self.headers = tuple(headers)

    def body(self) -> dict[str, dict[str, str | None]]:
        """Return the error object."""
        return {"error": {"message": str(self), "type": self.kind, "param": self.param, "code": self.code}}


def refuse_model(name: str, known: Iterable[str]) -> RequestRefusedError:
    """Return the error for a model that this server does not have."""
    names = sorted(known)
    return RequestRefusedError(
        f"Unknown model {quote(name)}.{suggest(name[:_SHOWN_CHARACTERS], names)} Models: {', '.join(names)}.",
        status=404,
        param="model",
        code="model_not_found",
    )


def quote(value: str) -> str:
    """Return user input for use in a message: shortened, with unprintable characters escaped."""
    shortened = value if len(value) <= _SHOWN_CHARACTERS else f"{value[:_SHOWN_CHARACTERS]}…"
    return f"`{shortened if shortened.isprintable() else ascii(shortened)[1:-1]}`"
