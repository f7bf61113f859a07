"""Earshot's own client of its HTTP API, for the command line and for scripts."""

import ipaddress
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

ENDS = ("scored", "failed", "withdrawn")
_TIMEOUT_SECONDS = 60.0
_POLL_SECONDS = 0.5

Json = dict[str, Any]


class ClientError(Exception):
    """The server refused something, or could not be reached. `problems` holds what it said of a file."""

    def __init__(self, message: str, problems: list[Json] | None = None, total: int = 0) -> None:
        """Take the sentence to show and the located problems."""
        super().__init__(message)
        self.problems = problems or []
        self.total = total or len(self.problems)


class Client:
    """Speaks to one server as one person."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """Take the server's address and a personal token; an own server on loopback needs none (see `sign_in`)."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._url = url.rstrip("/")
        self._http = httpx2.Client(base_url=self._url, headers=headers, timeout=_TIMEOUT_SECONDS, trust_env=False)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        host = urlsplit(self._url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def sign_in(self, name: str) -> None:
        """Begin a session on a server that signs people in by name alone."""
        self._call("POST", "/auth/local", json={"name": name})

    def validate(self, file: Path, benchmark: str, setting: str, *, allow_missing: bool = False) -> Json:
        """Check a file; free, and without an account."""
        fields = {"benchmark": benchmark, "setting": setting, "allow_missing": str(allow_missing).lower()}
        with file.open("rb") as stream:
            return self._call("POST", "/api/v1/validations", data=fields, files={"file": (file.name, stream)})

    def submit(self, file: Path, fields: dict[str, str], idempotency_key: str) -> Json:
        """Send a file; the same key again gives the same submission."""
        with file.open("rb") as stream:
            return self._call(
                "POST",
                "/api/v1/submissions",
                data=fields,
                files={"file": (file.name, stream)},
                headers={"Idempotency-Key": idempotency_key},
            )

    def status(self, submission_id: str) -> Json:
        """Return where a submission stands."""
        return self._call("GET", f"/api/v1/submissions/{submission_id}")

    def wait(self, submission_id: str, show: Callable[[Json], None]) -> Json:
        """Look again and again until a submission has ended; `show` is given every look."""
        while True:
            status = self.status(submission_id)
            show(status)
            if status["state"] in ENDS:
                return status
            time.sleep(_POLL_SECONDS)

    def _call(self, method: str, path: str, **arguments: Any) -> Json:
        try:
            response = self._http.request(method, path, **arguments)
        except httpx2.HTTPError as error:
            raise ClientError(f"{self._url} cannot be reached ({type(error).__name__}). Is it running?") from None
        if response.is_success:
            return _decode(response.content, self._url)
        raise _to_error(response)


def _to_error(response: httpx2.Response) -> ClientError:
    if "json" not in response.headers.get("content-type", ""):
        return ClientError(f"The server answered {response.status_code} to {response.request.url.path}.")
    problem = _decode(response.content, str(response.request.url))
    message = str(problem.get("detail") or problem.get("title") or f"HTTP {response.status_code}")
    return ClientError(message, problem.get("errors"), int(problem.get("total") or 0))


def _decode(content: bytes, url: str) -> Json:
    try:
        answer = json.loads(content)
    except ValueError:
        raise ClientError(f"{url} did not answer in JSON. Is it an Earshot server?") from None
    return answer if isinstance(answer, dict) else {"answer": answer}


@contextmanager
def connect(url: str, token: str | None, local_name: str) -> Iterator[Client]:
    """Open a client; without a token, a server on this machine is asked to sign one in by name."""
    client = Client(url, token)
    try:
        if token is None and client.is_local:
            client.sign_in(local_name)
        yield client
    finally:
        client.close()
