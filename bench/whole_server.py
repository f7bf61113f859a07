"""A whole installation, with launcher and evaluator, and requests to it from chosen addresses."""

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

CHECK_PATH = "/api/v1/validations"
BOUNDARY = "earshot"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
_STOP_SECONDS = 20


@contextmanager
def serve_installation(folder: Path) -> Iterator[int]:
    """Start a whole installation, for which loopback addresses are clients and no proxies; yield its port."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EARSHOT_", "SPACE_"))}
    own = {"EARSHOT_DATA_DIR": str(folder), "EARSHOT_PORT": "0", "EARSHOT_TRUSTED_PROXIES": "10.0.0.0/8"}
    with subprocess.Popen([sys.executable, "app.py"], env=kept | own, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            match = re.search(r"http://[^:]+:(\d+)", process.stdout.readline())
            assert match is not None, "the server did not say where it is"
            yield int(match[1])
        finally:
            process.terminate()
            process.wait(_STOP_SECONDS)


def make_form(file: bytes, fields: Mapping[str, str]) -> bytes:
    """Return the body of a form with a file."""
    parts = [f'form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
    parts.append(b'form-data; name="file"; filename="file"\r\n\r\n' + file)
    body = b"".join(b"--%s\r\nContent-Disposition: %s\r\n" % (BOUNDARY.encode(), part) for part in parts)
    return body + f"--{BOUNDARY}--\r\n".encode()


def send_request(
    port: int, source: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """Send a request from a loopback address, a POST if it has a body, and return status and body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300, source_address=(source, 0))
    with closing(connection):
        connection.request("GET" if body is None else "POST", path, body, dict(headers or {}))
        response = connection.getresponse()
        return response.status, response.read()
