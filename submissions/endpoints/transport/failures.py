"""Translation of the HTTP library's errors into messages without any content of the request or the response."""

import ssl

import aiohttp

from submissions.endpoints.transport.errors import TransportError, TransportKind

# The first match counts.
_FAILURES: tuple[tuple[type[BaseException], TransportKind, str], ...] = (
    (
        aiohttp.ClientConnectorDNSError,
        "dns",
        "The DNS lookup of {host} failed. Check the spelling, and that the name is public.",
    ),
    (aiohttp.ClientSSLError, "tls", "The TLS connection to {host} failed. Check its certificate and port 443."),
    (
        aiohttp.ConnectionTimeoutError,
        "connect",
        "{host} did not accept the connection in time. Check that it is running and reachable from the internet.",
    ),
    (
        aiohttp.ClientConnectorError,
        "connect",
        "The connection to {host} failed. Check that it is running and reachable from the internet.",
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


def explain_failure(error: BaseException, host: str) -> TransportError:
    """Translate an error of the library; of its text, only why a certificate was refused is kept."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return TransportError(
            "tls", f"The certificate of {host} is invalid ({_explain_certificate(error)}). Install a valid one."
        )
    for known, kind, sentence in _FAILURES:
        if isinstance(error, known):
            return TransportError(kind, sentence.format(host=host))
    return TransportError("protocol", f"{host} sent an invalid HTTP response.")


def _explain_certificate(error: aiohttp.ClientConnectorCertificateError) -> str:
    reason = error.certificate_error
    return (
        reason.verify_message if isinstance(reason, ssl.SSLCertVerificationError) else "it does not match the host name"
    )
