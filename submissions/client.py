"""Client of the HTTP API, for the command line and for scripts."""

import hashlib
import ipaddress
import json
import re
import secrets
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

_ADVICE = (
    "Pass --token, set EARSHOT_TOKEN, or run `python -m submissions login`. On the server's machine, `python -m db "
    "tokens create NAME` also creates a token."
)
_BE_A_MAINTAINER = (
    "Pass a maintainer's --token. If the server runs on this machine in local mode, pass a maintainer's user name "
    "with --as."
)
_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404
_UNSATISFIABLE = 416
_ROWS = "/api/v1/admin/reported-rows"
_EDITIONS, _COMPETITIONS = "/api/v1/editions", "/api/v1/admin/competitions"
_EDITION = ("id", "state", "submissions", "position", "progress")
_TOKEN = re.compile(r"[\x21-\x7e]+")
_NO_LONGER_WANTED = ("failed", "withdrawn")
ENDS = ("scored", "unreleased", "failed", "withdrawn")
_WAITS_FOR_PEOPLE = ("awaiting-judge", "awaiting-close")
_ENDS_OF_REEVALUATION = ("done", "refused", "failed")
_TIMEOUT_SECONDS = 60.0
_POLL_SECONDS = 0.5
# Pauses between attempts of a request. A repeated upload uses the same idempotency key.
_PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
_PASSING = (502, 503, 504)
_LONGEST_PAUSE_SECONDS = 10
_NEVER_THERE = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.LocalProtocolError, httpx2.ProxyError)

Json = dict[str, Any]


class ClientError(Exception):
    """The server refused a request, or cannot be reached. `problems` contains the problems of a file."""

    def __init__(self, message: str, problems: list[Json] | None = None, total: int = 0) -> None:
        super().__init__(message)
        self.problems = problems or []
        self.total = total or len(self.problems)


class ServerRefusedError(ClientError):
    """The server refused a request with the HTTP status `status`."""

    def __init__(self, message: str, status: int, problems: list[Json] | None = None, total: int = 0) -> None:
        super().__init__(message, problems, total)
        self.status = status


class UsageError(ClientError):
    """An argument is invalid for every server."""


class Client:
    """Talks to one server as one user."""

    def __init__(self, url: str, token: str | None = None, pause: Callable[[float], None] = time.sleep) -> None:
        """Take the server's address and a personal token; a local server on loopback needs none (see `sign_in`).

        Args:
            url: The server's address.
            token: Personal token.
            pause: Sleeps for a number of seconds.

        Raises:
            UsageError: An argument is invalid.
        """
        _check_url(url)
        if token is not None and not _TOKEN.fullmatch(token):
            raise UsageError("The token is empty or contains invalid characters. Copy it again; it begins with esh_.")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._pause = pause
        self._was_reached = False
        self._url = url.rstrip("/")
        self._http = httpx2.Client(
            base_url=self._url, headers=headers, timeout=_TIMEOUT_SECONDS, trust_env=False, verify=_make_tls(url)
        )

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
        """Start a session on a server that signs users in by name."""
        self.call("POST", "/auth/local", json={"name": name})

    def describe_sign_in(self) -> Json:
        """Return how users sign in on this server."""
        return self._require(self.call("GET", "/api/v1/sign-in"), "method", "scopes", "client_id", "token_endpoint")

    def exchange_tokens(self, id_token: str, access_token: str, label: str) -> Json:
        """Exchange tokens of the provider for a personal token; this works once."""
        fields = {"id_token": id_token, "access_token": access_token, "label": label}
        return self._require(self.call("POST", "/api/v1/tokens/exchange", attempts=1, json=fields), "id", "token")

    def revoke_token(self, token_id: int) -> None:
        """Revoke one of your tokens; it may be invalid already."""
        try:
            self.call("DELETE", f"/api/v1/tokens/{token_id}")
        except ServerRefusedError as error:
            if error.status not in (_UNAUTHORIZED, _NOT_FOUND):
                raise

    def validate(self, file: Path, fields: dict[str, str]) -> Json:
        """Check a file; free, and without an account."""
        answer = self.call("POST", "/api/v1/validations", file=file, data=fields)
        return self._require(answer, "ok", "predictions", "expected", "problems")

    def submit(self, file: Path, fields: dict[str, str], idempotency_key: str) -> Json:
        """Submit a file. The same key returns the same submission.

        If that failed or was withdrawn, the file is sent again, once, under a key derived from both.
        """
        while True:
            found = self._send(file, fields, idempotency_key)
            if found["state"] not in _NO_LONGER_WANTED:
                return found
            idempotency_key = hashlib.sha256(f"{idempotency_key} {found['id']}".encode()).hexdigest()

    def _send(self, file: Path, fields: dict[str, str], idempotency_key: str) -> Json:
        more: Json = {"data": fields, "headers": {"Idempotency-Key": idempotency_key}}
        return self._require(self.call("POST", "/api/v1/submissions", file=file, **more), "id", "state")

    def find_limits(self, fields: dict[str, str]) -> Json:
        """Return the current user's limits for the benchmark version in some fields."""
        wanted = {name: fields[name] for name in ("benchmark", "version") if name in fields}
        (found,) = self._require(self.call("GET", "/api/v1/limits", params=wanted), "limits")["limits"]
        return dict(found)

    def status(self, submission_id: str) -> Json:
        """Return the status of a submission."""
        return self._require(self.call("GET", f"/api/v1/submissions/{quote_name(submission_id)}"), "id", "state")

    def request_edition(self, benchmark: str, version: str | None) -> Json:
        """Request an edition. A repeated request of this call returns the same one."""
        headers, params = {"Idempotency-Key": secrets.token_hex(16)}, {} if version is None else {"version": version}
        path = f"/api/v1/benchmarks/{quote_name(benchmark)}/editions"
        return self._require(self.call("POST", path, headers=headers, params=params), *_EDITION)

    def find_edition(self, edition_id: str) -> Json:
        """Return the status of one of your editions."""
        return self._require(self.call("GET", f"{_EDITIONS}/{quote_name(edition_id)}"), *_EDITION)

    def list_editions(self) -> list[Json]:
        """Return your editions, newest first."""
        found: list[Json] = self._require(self.call("GET", _EDITIONS), "editions")["editions"]
        return found

    def close_edition(self, edition_id: str) -> Json:
        """Close an edition: its files are scored, and it accepts no more."""
        return self._require(self.call("POST", f"{_EDITIONS}/{quote_name(edition_id)}/close", attempts=1), *_EDITION)

    def wait_for_pack(self, edition_id: str, show: Callable[[Json], None]) -> Json:
        """Poll until the questions of an edition are ready; `show` is called with every status.

        Raises:
            ClientError: They cannot be rendered.
        """
        while True:
            status = self.find_edition(edition_id)
            show(status)
            if status["position"] is None and status["state"] not in ("queued", "making"):
                return status
            if status["position"] is None and status["explanation"]:
                raise ClientError(str(status["explanation"]))
            self._pause(_POLL_SECONDS)

    @contextmanager
    def stream_pack(self, path: str, first_byte: int) -> Iterator[httpx2.Response]:
        """Open the download of a pack, from a byte on; the response's status is 200, 206 or 416.

        Raises:
            ServerRefusedError: The server refused the request.
        """
        headers = {"Range": f"bytes={first_byte}-"} if first_byte else {}
        with self._http.stream("GET", path, headers=headers) as response:
            if not response.is_success and response.status_code != _UNSATISFIABLE:
                response.read()
                raise _to_error(response)
            yield response

    def pause_after(self, n_failures: int) -> None:
        """Pause before a repeated attempt, longer after more failures."""
        self._pause(_PAUSES_SECONDS[min(n_failures, len(_PAUSES_SECONDS) - 1)])

    def find_hub_model(self, repo_id: str) -> Json:
        """Return the Hub's metadata of a model in the form of a submission's `model` field."""
        if repo_id.count("/") != 1:
            raise UsageError("Invalid Hub repository. Pass organisation and name, such as org/model-name.")
        organisation, name = (quote_name(part) for part in repo_id.split("/"))
        answer = self.call("GET", f"/api/v1/hub-models/{organisation}/{name}")
        model: Json = self._require(answer, "model")["model"]
        return model

    def describe_benchmark(self, benchmark: str, version: str | None) -> Json:
        """Return what the server says about a benchmark version: its headline, its packs, the version that is open."""
        path, params = f"/api/v1/benchmarks/{quote_name(benchmark)}", {"version": version} if version else {}
        return self._require(self.call("GET", path, params=params), "headline", "version", "open_version", "editions")

    def set_pull_request(self, submission_id: str, link: str) -> None:
        """Store the pull request that proposes a result to a model card."""
        self.call("POST", f"/api/v1/submissions/{quote_name(submission_id)}/hub-pull-request", json={"url": link})

    def attach_practice(self, submission_id: str, file: Path) -> Json:
        """Attach a file of practice answers to a submission; the same file again changes nothing."""
        answer = self.call("POST", f"/api/v1/submissions/{quote_name(submission_id)}/practice", file=file)
        return self._require(answer, "id", "practice")

    def wait(self, submission_id: str, show: Callable[[Json], None]) -> Json:
        """Poll until a submission has ended or waits for someone; `show` is called with every status."""
        while True:
            status = self.status(submission_id)
            show(status)
            # It is unknown when a judge is available or an edition is closed, and a script must not hang.
            if status["state"] in (*ENDS, *_WAITS_FOR_PEOPLE):
                return status
            self._pause(_POLL_SECONDS)

    def reevaluate(self, fields: Json) -> Json:
        """Request a re-evaluation; maintainers only."""
        answer = self._ask_as_maintainer("POST", "/api/v1/admin/reevaluations", json=fields)
        return self._require(answer, "id", "state")

    def add_rows(self, file: Path, fields: dict[str, str]) -> Json:
        """Add and correct reported rows from a file; maintainers only."""
        return self._require(self._ask_as_maintainer("POST", _ROWS, file=file, data=fields), "dry_run", "rows")

    def list_rows(self) -> list[Json]:
        """Return all reported rows; maintainers only."""
        rows: list[Json] = []
        more: Json = {}
        while True:
            answer = self._require(self._ask_as_maintainer("GET", _ROWS, params=more), "rows", "next_cursor")
            rows += answer["rows"]
            if answer["next_cursor"] is None:
                return rows
            more = {"cursor": answer["next_cursor"]}

    def change_row(self, row_id: str, act: str, reason: str) -> Json:
        """Remove a reported row, or undo its last change; maintainers only."""
        answer = self._ask_as_maintainer("POST", f"{_ROWS}/{quote_name(row_id)}/{act}", json={"reason": reason})
        return self._require(answer, "id", "model", "removed", "origin")

    def change_competition(self, benchmark: str, version: str | None, act: str, reason: str) -> Json:
        """Start or end competition mode of a benchmark version; maintainers only."""
        path, params = f"{_COMPETITIONS}/{quote_name(benchmark)}/{act}", {"version": version} if version else {}
        answer = self._ask_as_maintainer("POST", path, params=params, json={"reason": reason})
        return self._require(answer, "benchmark", "version", "notice")

    def _ask_as_maintainer(self, method: str, path: str, **more: Any) -> Json:
        """Send a request; a refusal explains how to become a maintainer."""
        try:
            return self.call(method, path, attempts=1, **more)
        except ServerRefusedError as error:
            advice = f" {_BE_A_MAINTAINER}" if error.status == _FORBIDDEN else ""
            raise ServerRefusedError(f"{error}{advice}", error.status, error.problems, error.total) from None

    def wait_for_reevaluation(self, reevaluation_id: int, show: Callable[[Json], None]) -> Json:
        """Poll until a re-evaluation has ended; `show` is called with every state."""
        while True:
            answer = self.call("GET", f"/api/v1/admin/reevaluations/{reevaluation_id}")
            show(self._require(answer, "id", "state", "progress"))
            if answer["state"] in _ENDS_OF_REEVALUATION:
                return answer
            self._pause(_POLL_SECONDS)

    def call(
        self, method: str, path: str, *, file: Path | None = None, attempts: int = len(_PAUSES_SECONDS) + 1, **more: Any
    ) -> Json:
        """Send a request, and retry it after temporary failures of the network or server.

        Raises:
            UsageError: The address is invalid.
            ServerRefusedError: The server refused the request.
            ClientError: The server cannot be reached, or is not an Earshot server.
        """
        for attempt in count(1):
            is_last = attempt == attempts
            try:
                response = self._request(method, path, file, more)
            except httpx2.InvalidURL as error:
                raise UsageError(f"`{self._url}{path}` is not a valid URL ({error}).") from None
            except httpx2.HTTPError as error:
                # A server that was never reached has a wrong address; one that was reached before comes back.
                if is_last or (isinstance(error, _NEVER_THERE) and not self._was_reached):
                    why = type(error).__name__
                    raise ClientError(f"Cannot reach {self._url} ({why}). Check that the server is running.") from None
            else:
                self._was_reached = True
                if response.is_success or is_last or not _is_passing(response):
                    break
            self._pause(_PAUSES_SECONDS[attempt - 1])
        if response.is_success:
            return _decode(response.content, self._url)
        raise _to_error(response)

    def _request(self, method: str, path: str, file: Path | None, more: Json) -> httpx2.Response:
        if file is None:
            return self._http.request(method, path, **more)
        with file.open("rb") as stream:  # opened for every attempt, because the previous one has read it
            return self._http.request(method, path, files={"file": (file.name, stream)}, **more)

    def _require(self, answer: Json, *names: str) -> Json:
        if any(name not in answer for name in names):
            raise ClientError(f"{self._url} did not answer like an Earshot server. Check the URL.")
        return answer


def quote_name(name: str) -> str:
    """Return a name as a part of a path."""
    # Dots too: clients interpret `..` as the parent folder, even when it is quoted.
    return quote(name, safe="").replace(".", "%2E")


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not url.isprintable() or " " in url:
        raise UsageError(f"`{url}` is not a server URL. Pass a URL that begins with http:// or https://.")


def _make_tls(url: str) -> ssl.SSLContext:
    # Without TLS there is nothing to verify, and loading the authorities takes longer than the request.
    if urlsplit(url).scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.create_ssl_context(trust_env=False)


def _is_passing(response: httpx2.Response) -> bool:
    """Tell whether a refusal is temporary and short."""
    wait = response.headers.get("retry-after", "0")
    return response.status_code in _PASSING and wait.isdecimal() and int(wait) <= _LONGEST_PAUSE_SECONDS


def _to_error(response: httpx2.Response) -> ServerRefusedError:
    if "json" not in response.headers.get("content-type", ""):
        message = f"The server answered {response.request.url.path} with {response.status_code}."
        return ServerRefusedError(message, response.status_code)
    problem = _decode(response.content, str(response.request.url))
    message = str(problem.get("detail") or problem.get("title") or f"HTTP {response.status_code}")
    errors, total = problem.get("errors"), problem.get("total")
    problems = errors if isinstance(errors, list) else None
    return ServerRefusedError(message, response.status_code, problems, total if isinstance(total, int) else 0)


def _decode(content: bytes, url: str) -> Json:
    try:
        answer = json.loads(content)
    except ValueError:
        raise ClientError(f"{url} did not answer with JSON. Check that the URL is that of an Earshot server.") from None
    return answer if isinstance(answer, dict) else {"answer": answer}


@contextmanager
def connect(url: str, token: str | None, local_name: str | None) -> Iterator[Client]:
    """Open a client; without a token, it signs in by name on a local server."""
    client = Client(url, token)
    try:
        if token is None and client.is_local:
            _sign_in(client, local_name)
        yield client
    finally:
        client.close()


def _sign_in(client: Client, local_name: str | None) -> None:
    if local_name is None:
        raise UsageError(f"Your user name on this machine is unknown. {_ADVICE}")
    try:
        client.sign_in(local_name)
    except ServerRefusedError as error:
        raise ClientError(f"Sign-in as `{local_name}` failed: {error} {_ADVICE}") from None
