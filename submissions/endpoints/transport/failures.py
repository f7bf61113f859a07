"""From the client library's errors to sentences of ours, which hold nothing of the request or of the other side."""

import ssl

import aiohttp

from submissions.endpoints.transport.errors import TransportError, TransportKind

# The first that fits counts.
_FAILURES: tuple[tuple[type[BaseException], TransportKind, str], ...] = (
    (
        aiohttp.ClientConnectorDNSError,
        "dns",
        "The name {host} cannot be looked up. Check how it is written, and that it is public.",
    ),
    (aiohttp.ClientSSLError, "tls", "{host} cannot be spoken to over TLS. Check its certificate and port 443."),
    (
        aiohttp.ConnectionTimeoutError,
        "connect",
        "{host} did not take the connection in time. Check that it runs and can be reached from the internet.",
    ),
    (
        aiohttp.ClientConnectorError,
        "connect",
        "{host} cannot be connected to. Check that it runs and can be reached from the internet.",
    ),
    (TimeoutError, "timeout", "{host} did not answer in time. Give it more capacity, or ask fewer at once."),
    (aiohttp.ClientResponseError, "protocol", "{host} answered with something that is not HTTP, or too many headers."),
    (aiohttp.ClientPayloadError, "reset", "{host} ended the connection in the middle of its answer."),
    (aiohttp.ServerDisconnectedError, "reset", "{host} closed the connection before it answered."),
    (OSError, "reset", "{host} broke the connection before it answered."),
)


def explain_failure(error: BaseException, host: str) -> TransportError:
    """Return our error for one of the library's; none of its text is kept but why a certificate was refused."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return TransportError("tls", f"The certificate of {host} is refused ({_explain_certificate(error)}). Renew it.")
    for known, kind, sentence in _FAILURES:
        if isinstance(error, known):
            return TransportError(kind, sentence.format(host=host))
    return TransportError("protocol", f"{host} answered with something that is not HTTP.")


def _explain_certificate(error: aiohttp.ClientConnectorCertificateError) -> str:
    reason = error.certificate_error
    return reason.verify_message if isinstance(reason, ssl.SSLCertVerificationError) else "it does not fit the name"
