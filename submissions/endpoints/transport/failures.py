"""Translation of the HTTP library's errors into messages without any content of the request or the response."""

import ssl

import aiohttp

from submissions.endpoints.transport.errors import TransportError, TransportKind

# The first match counts.
_FAILURES: tuple[tuple[type[BaseException], TransportKind, str], ...] = (
    (
        aiohttp.ClientConnectorDNSError,
        "dns",
        "The DNS lookup of {host} failed. Check the spelling{public}.",
    ),
    (aiohttp.ClientSSLError, "tls", "The TLS connection to {host} failed. Check its certificate and port 443."),
    (
        aiohttp.ConnectionTimeoutError,
        "connect",
        "{host} did not accept the connection in time. Check that it is running{reachable}.",
    ),
    (
        aiohttp.ClientConnectorError,
        "connect",
        "The connection to {host} failed. Check that it is running{reachable}.",
    ),
    (
        TimeoutError,
        "timeout",
        "{host} did not respond in time. Give it more capacity, or send fewer parallel requests.",
    ),
    (aiohttp.ClientResponseError, "protocol", "{host} sent an invalid HTTP response, or too many headers."),
    (aiohttp.ClientPayloadError, "reset", "{host} closed the connection in the middle of its response."),
    (aiohttp.ServerDisconnectedError, "reset", "{host} closed the connection before it responded."),
    (OSError, "reset", "The connection to {host} broke before it responded."),
)


_IN_PUBLIC = {"public": ", and that the name is public", "reachable": " and reachable from the internet"}
_IN_OWN_NETWORK = {"public": "", "reachable": " and that the port is right"}


def explain_failure(error: BaseException, host: str, *, is_own: bool = False) -> TransportError:
    """Translate an error of the library; of its text, only why a certificate was refused is kept.

    Args:
        error: The error.
        host: Host of the target.
        is_own: Whether it is in a network of the user's own, so that it need not be public.
    """
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return TransportError(
            "tls", f"The certificate of {host} is invalid ({_explain_certificate(error)}). Install a valid one."
        )
    for known, kind, sentence in _FAILURES:
        if isinstance(error, known):
            return TransportError(kind, sentence.format(host=host, **(_IN_OWN_NETWORK if is_own else _IN_PUBLIC)))
    return TransportError("protocol", f"{host} sent an invalid HTTP response.")


def _explain_certificate(error: aiohttp.ClientConnectorCertificateError) -> str:
    reason = error.certificate_error
    return (
        reason.verify_message if isinstance(reason, ssl.SSLCertVerificationError) else "it does not match the host name"
    )
