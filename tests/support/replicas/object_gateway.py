"""Double of an S3 gateway on loopback: conditional PUT, GET redirected with 302, no aws-chunked bodies.

Objects are kept in memory, so they outlive every process that a test kills. It implements the requests of Earshot,
litestream and obstore, and answers any other with 501.
"""

import hashlib
import re
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

BUCKET = "earshot"
ACCESS_KEY = "HFAKLOOPBACK0000"
SECRET_KEY = "loopback-secret-that-no-page-may-show"
_NAME = "acme"
# Path-style address of an account, as some gateways use.
_ROOT = f"/{_NAME}/{BUCKET}"
_DELIVERY = "/-/delivery/"
_NAMESPACE = "{http://s3.amazonaws.com/doc/2006-03-01/}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Ignore clients that were killed during a request."""


class ObjectGateway:
    """In-memory objects, with injected faults."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.changed_at: dict[str, str] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.requests: list[str] = []
        self.is_away = False
        self.lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _make_handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="object-gateway")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def environment(self) -> dict[str, str]:
        """Return the environment variables that point S3 clients to this gateway."""
        return {
            "AWS_ENDPOINT_URL": f"{self.url}/{_NAME}",
            # For obstore: the double has no TLS.
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": "us-east-1",
        }

    def list_keys(self, prefix: str = "") -> list[str]:
        with self.lock:
            return sorted(key for key in self.objects if key.startswith(prefix))

    def put(self, key: str, data: bytes) -> None:
        """Store an object, as another client would."""
        with self.lock:
            self.objects[key], self.changed_at[key] = data, formatdate(usegmt=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@contextmanager
def run_gateway() -> Iterator[ObjectGateway]:
    """Run a gateway for the duration of the block."""
    gateway = ObjectGateway()
    gateway.start()
    try:
        yield gateway
    finally:
        gateway.stop()


def _make_handler(gateway: ObjectGateway) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        objects = gateway

    return Handler


def _tag(data: bytes) -> str:
    return f'"{hashlib.md5(data).hexdigest()}"'  # noqa: S324 - S3 entity tags are MD5


class _Handler(BaseHTTPRequestHandler):
    objects: ObjectGateway
    protocol_version = "HTTP/1.1"
    # Otherwise bodies wait for the acknowledgement of the header, for 40 ms.
    disable_nagle_algorithm = True
    timeout = 30

    def log_message(self, *_: object) -> None:
        """Disable logging."""

    def _prepare(self) -> bool:
        """Read the request; return False if it was refused."""
        parts = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        self.key = unquote(parts.path).removeprefix(_ROOT).removeprefix("/")
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        if len(self.body) < length:  # the client was killed: S3 stores whole objects only
            self.close_connection = True
            return False
        self.objects.requests.append(f"{self.command} {self.path}")
        refusal = self._find_refusal(unquote(parts.path))
        if refusal is not None:
            self._refuse(*refusal)
        return refusal is None

    def _find_refusal(self, path: str) -> tuple[HTTPStatus, str] | None:
        if self.objects.is_away:
            return HTTPStatus.SERVICE_UNAVAILABLE, "SlowDown"
        if path.startswith(_DELIVERY):
            return None
        if not path.startswith(_ROOT):
            return HTTPStatus.NOT_FOUND, "NoSuchBucket"
        if ACCESS_KEY not in self.headers.get("Authorization", ""):
            return HTTPStatus.FORBIDDEN, "AccessDenied"
        signed = self.headers.get("x-amz-content-sha256", "")
        if "aws-chunked" in self.headers.get("Content-Encoding", "") or signed.startswith("STREAMING"):
            return HTTPStatus.NOT_IMPLEMENTED, "NotImplemented"
        return None

    def do_GET(self) -> None:
        if not self._prepare():
            return
        if self.path.startswith(_DELIVERY):
            self._deliver(unquote(urlsplit(self.path).path).removeprefix(_DELIVERY))
        elif not self.key:
            self._list()
        elif self.key not in self.objects.objects:
            self._refuse(HTTPStatus.NOT_FOUND, "NoSuchKey")
        else:
            self._answer(HTTPStatus.FOUND, b"", {"Location": f"{self.objects.url}{_DELIVERY}{self.key}"})

    def do_HEAD(self) -> None:
        if not self._prepare():
            return
        with self.objects.lock:
            data = self.objects.objects.get(self.key)
        if data is None:
            self._answer(HTTPStatus.NOT_FOUND, b"")
        else:
            self._answer(HTTPStatus.OK, b"", self._describe(self.key, data) | {"Content-Length": str(len(data))})

    def do_PUT(self) -> None:
        if not self._prepare():
            return
        with self.objects.lock:
            is_allowed = self._fits_conditions(self.objects.objects.get(self.key))
            if is_allowed and "uploadId" in self.query:
                self.objects.uploads[self.query["uploadId"]][int(self.query["partNumber"])] = self.body
            elif is_allowed:
                self._keep(self.key, self.body)
        if is_allowed:
            self._answer(HTTPStatus.OK, b"", {"ETag": _tag(self.body)})
        else:
            self._refuse(HTTPStatus.PRECONDITION_FAILED, "PreconditionFailed")

    def _fits_conditions(self, present: bytes | None) -> bool:
        if self.headers.get("If-None-Match") == "*":
            return present is None
        wanted = self.headers.get("If-Match")
        return wanted is None or (present is not None and wanted.strip('"') == _tag(present).strip('"'))

    def do_DELETE(self) -> None:
        if not self._prepare():
            return
        with self.objects.lock:
            self.objects.objects.pop(self.key, None)
        self._answer(HTTPStatus.NO_CONTENT, b"")

    def do_POST(self) -> None:
        if not self._prepare():
            return
        if "delete" in self.query:
            self._delete_many()
        elif "uploads" in self.query:
            upload = uuid.uuid4().hex
            self.objects.uploads[upload] = {}
            text = f"<Bucket>{BUCKET}</Bucket><Key>{escape(self.key)}</Key><UploadId>{upload}</UploadId>"
            self._answer_xml("InitiateMultipartUploadResult", text)
        elif "uploadId" in self.query:
            with self.objects.lock:
                parts = self.objects.uploads.pop(self.query["uploadId"])
                data = b"".join(parts[number] for number in sorted(parts))
                self._keep(self.key, data)
            self._answer_xml("CompleteMultipartUploadResult", f"<Key>{escape(self.key)}</Key><ETag>{_tag(data)}</ETag>")
        else:
            self._refuse(HTTPStatus.NOT_IMPLEMENTED, "NotImplemented")

    def _keep(self, key: str, data: bytes) -> None:
        self.objects.objects[key] = data
        self.objects.changed_at[key] = self.date_time_string()

    def _delete_many(self) -> None:
        keys = [unescape(key) for key in re.findall(r"<Key>([^<]*)</Key>", self.body.decode())]
        with self.objects.lock:
            for key in keys:
                self.objects.objects.pop(key, None)
        self._answer_xml("DeleteResult", "".join(f"<Deleted><Key>{escape(key)}</Key></Deleted>" for key in keys))

    def _describe(self, key: str, data: bytes) -> dict[str, str]:
        return {"ETag": _tag(data), "Last-Modified": self.objects.changed_at[key], "Accept-Ranges": "bytes"}

    def _deliver(self, key: str) -> None:
        with self.objects.lock:
            data = self.objects.objects.get(key)
        asked = self.headers.get("Range", "").removeprefix("bytes=")
        if data is None:
            self._refuse(HTTPStatus.NOT_FOUND, "NoSuchKey")
        elif asked:
            self._deliver_part(asked, data, self._describe(key, data))
        else:
            self._answer(HTTPStatus.OK, data, self._describe(key, data))

    def _deliver_part(self, asked: str, data: bytes, headers: dict[str, str]) -> None:
        first, _, last = asked.partition("-")
        start = int(first) if first else max(0, len(data) - int(last))
        end = min(int(last) + 1, len(data)) if first and last else len(data)
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        self._answer(HTTPStatus.PARTIAL_CONTENT, data[start:end], headers)

    def _list(self) -> None:
        prefix, delimiter = self.query.get("prefix", ""), self.query.get("delimiter", "")
        with self.objects.lock:
            rows = {key: data for key, data in sorted(self.objects.objects.items()) if key.startswith(prefix)}
            times = dict(self.objects.changed_at)
        folders = {
            prefix + key[len(prefix) :].split(delimiter)[0] + delimiter
            for key in rows
            if delimiter and delimiter in key[len(prefix) :]
        }
        contents = [
            f"<Contents><Key>{escape(key)}</Key><LastModified>{_iso(times[key])}</LastModified>"
            f"<ETag>{escape(_tag(data))}</ETag><Size>{len(data)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key, data in rows.items()
            if not any(key.startswith(folder) for folder in folders)
        ]
        common = [f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(folders)]
        head = (
            f"<Name>{BUCKET}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(contents) + len(common)}</KeyCount>"
        )
        self._answer_xml(
            "ListBucketResult",
            f"{head}<MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>{''.join((*contents, *common))}",
        )

    def _answer_xml(self, name: str, text: str) -> None:
        xml = f'<?xml version="1.0" encoding="UTF-8"?><{name} xmlns="{_NAMESPACE.strip("{}")}">{text}</{name}>'
        self._answer(HTTPStatus.OK, xml.encode(), {"Content-Type": "application/xml"})

    def _refuse(self, status: HTTPStatus, code: str) -> None:
        xml = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
        self._answer(status, b"" if self.command == "HEAD" else xml, {"Content-Type": "application/xml"})

    def _answer(self, status: HTTPStatus, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(data))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _iso(date: str) -> str:
    return parsedate_to_datetime(date).strftime("%Y-%m-%dT%H:%M:%S.000Z")
