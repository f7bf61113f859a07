"""Dataset repositories of the Hub double: trees, commits, and large files by LFS, multipart upload or Xet.

Large files are uploaded before the commit that refers to them by digest. As on the Hub, a commit is refused if its
files are missing, if its parent is not the current head, or if the user has no write access.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.support.hub.exchange import READER, WRITER, Received, Reply

PAGE_FILES = 2
BAD_TOKEN = "Invalid credentials in Authorization header"


@dataclass
class Repository:
    """A dataset: visibility, files of the latest commit, and changes of each commit."""

    is_private: bool
    files: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, tuple[str, int]] = field(default_factory=dict)
    commits: list[list[str]] = field(default_factory=list)

    @property
    def head(self) -> str:
        return hashlib.sha1(f"commit {len(self.commits)}".encode(), usedforsecurity=False).hexdigest()


@dataclass
class HubDatasets:
    """Dataset repositories, with the faults that a test can inject.

    Attributes:
        repositories: Repositories by id.
        blobs: SHA-256 → large file uploaded by LFS.
        replies: Name of a step → faulty reply: info, tree, create, preupload, batch, upload, verify, commit.
        before_commit: Callback run when a commit arrives, to simulate a concurrent client.
        part_bytes: Part size of multipart uploads; None uploads files in one piece.
        xet_folder: Folder of Xet's chunks.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    before_commit: Callable[[], None] | None = None
    part_bytes: int | None = None
    xet_folder: Path | None = None
    _parts: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def reset(self) -> None:
        self.__dict__.update(vars(HubDatasets()))

    def read(self, repo_id: str, path: str) -> bytes:
        """Return a file of the latest commit."""
        repository = self.repositories[repo_id]
        return self.blobs[repository.large[path][0]] if path in repository.large else repository.files[path]

    def answer(self, request: Received, url: str) -> Reply | None:
        """Answer a dataset request; None for any other request."""
        parts = request.path.strip("/").split("/")
        if parts[:2] == ["api", "datasets"] and len(parts) >= 4:
            return self._answer_api(request, "/".join(parts[2:4]), parts[4:], url)
        if request.path == "/api/repos/create" and json.loads(request.body).get("type") == "dataset":
            return self._misbehave("create") or _require_writer(request) or self._create(request, url)
        if parts[0] == "datasets" and parts[-3:] == ["lfs", "objects", "batch"]:
            return self._misbehave("batch") or _require_writer(request) or self._open_uploads(request, url)
        if parts[0] == "lfs" and len(parts) == 3:
            return self._misbehave("verify" if parts[1] == "verify" else "upload") or self._upload(request, parts)
        return None

    def _answer_api(self, request: Received, repo_id: str, rest: list[str], url: str) -> Reply:
        step = rest[0] if rest else "info"
        if misbehaviour := self._misbehave(step):
            return misbehaviour
        if bad := _require_known_token(request):
            return bad
        repository = self.repositories.get(repo_id)
        if repository is None or (repository.is_private and "authorization" not in request.headers):
            # The Hub does not reveal to other users whether a private repository exists.
            status = 404 if "authorization" in request.headers else 401
            return Reply(status, {"error": "Repository not found"}, (("X-Error-Code", "RepoNotFound"),))
        if step == "info":
            return Reply(body={"id": repo_id, "sha": repository.head, "private": repository.is_private})
        if step == "tree":
            return _list_page(repository, request, f"{url}{request.path}")
        if step == "preupload":
            return _require_writer(request) or _choose_modes(repository, request)
        if step == "commit":
            return _require_writer(request) or self._commit(repository, request, f"{url}/datasets/{repo_id}")
        if step == "xet-write-token":
            return _require_writer(request) or self._give_xet_token()
        return Reply(404, {"error": "Not found"})

    def _misbehave(self, step: str) -> Reply | None:
        return self.replies.get(step)

    def _create(self, request: Received, url: str) -> Reply:
        asked = json.loads(request.body)
        repo_id = f"{asked['organization']}/{asked['name']}"
        if repo_id in self.repositories:
            return Reply(409, {"error": "You already created this dataset repo"})
        self.repositories[repo_id] = Repository(asked.get("visibility") == "private", {".gitattributes": b"*.parquet"})
        return Reply(body={"url": f"{url}/datasets/{repo_id}"})

    def _open_uploads(self, request: Received, url: str) -> Reply:
        asked = json.loads(request.body)
        return Reply(body={"transfer": "basic", "objects": [self._open_upload(one, url) for one in asked["objects"]]})

    def _open_upload(self, asked: Mapping[str, Any], url: str) -> dict[str, Any]:
        oid, n_bytes = asked["oid"], asked["size"]
        if oid in self.blobs:
            return {"oid": oid, "size": n_bytes}
        upload: dict[str, Any] = {"href": f"{url}/lfs/whole/{oid}"}
        if self.part_bytes is not None and n_bytes > self.part_bytes:
            numbers = range(1, -(-n_bytes // self.part_bytes) + 1)
            header = {f"{number:05d}": f"{url}/lfs/part-{number}/{oid}" for number in numbers}
            upload = {"href": f"{url}/lfs/join/{oid}", "header": {"chunk_size": str(self.part_bytes), **header}}
        verify = {"href": f"{url}/lfs/verify/{oid}"}
        return {"oid": oid, "size": n_bytes, "actions": {"upload": upload, "verify": verify}}

    def _upload(self, request: Received, parts: list[str]) -> Reply:
        """Receive a large file, or a part of it, at a presigned URL without a token."""
        _, kind, oid = parts
        if kind == "verify":
            return Reply(200 if oid in self.blobs else 404, {})
        if kind.startswith("part-"):
            self._parts[oid, int(kind.removeprefix("part-"))] = request.body
            return Reply(headers=(("ETag", f'"{kind}"'),))
        data = request.body
        if kind == "join":
            numbers = [part["partNumber"] for part in json.loads(request.body)["parts"]]
            data = b"".join(self._parts[oid, number] for number in numbers)
        if hashlib.sha256(data).hexdigest() != oid:
            return Reply(400, {"error": "The content has another digest"})
        self.blobs[oid] = data
        return Reply(body={})

    def _commit(self, repository: Repository, request: Received, link: str) -> Reply:
        if self.before_commit is not None:
            self.before_commit()
        lines = [json.loads(line) for line in request.body.splitlines()]
        header = next(line["value"] for line in lines if line["key"] == "header")
        if header.get("parentCommit") not in (None, repository.head):
            return Reply(412, {"error": "A commit has happened since. Please refresh and try again."})
        large = [line["value"] for line in lines if line["key"] == "lfsFile"]
        if self.xet_folder is None and any(one["oid"] not in self.blobs for one in large):
            return Reply(400, {"error": "LFS pointer pointed to a file that does not exist"})
        changes = [(line["key"], line["value"]) for line in lines if line["key"] != "header"]
        for kind, value in changes:
            _apply(repository, kind, value)
        repository.commits.append([f"{kind} {value['path']}" for kind, value in changes])
        sha = repository.head
        return Reply(body={"success": True, "commitOid": sha, "commitUrl": f"{link}/commit/{sha}"})

    def _give_xet_token(self) -> Reply:
        if self.xet_folder is None:
            return Reply(404, {"error": "Not found"})
        return Reply(body={"casUrl": f"local://{self.xet_folder}", "accessToken": "xet", "exp": 4_000_000_000})


def _apply(repository: Repository, kind: str, value: Mapping[str, Any]) -> None:
    path = value["path"]
    repository.files.pop(path, None)
    repository.large.pop(path, None)
    if kind == "file":
        repository.files[path] = base64.b64decode(value["content"])
    elif kind == "lfsFile":
        repository.large[path] = (value["oid"], value["size"])


def _list_page(repository: Repository, request: Received, address: str) -> Reply:
    entries = [_describe(repository, path) for path in sorted({*repository.files, *repository.large})]
    begin = int(request.query.get("cursor", ["0"])[0])
    end = begin + PAGE_FILES
    following = f'<{address}?recursive=true&cursor={quote(str(end))}>; rel="next"'
    return Reply(body=entries[begin:end], headers=(("Link", following),) if end < len(entries) else ())


def _describe(repository: Repository, path: str) -> dict[str, Any]:
    if path in repository.large:
        oid, n_bytes = repository.large[path]
        lfs = {"oid": oid, "size": n_bytes, "pointerSize": 134}
        return {"type": "file", "path": path, "size": n_bytes, "oid": "0" * 40, "lfs": lfs}
    data = repository.files[path]
    blob = hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
    return {"type": "file", "path": path, "size": len(data), "oid": blob}


def _choose_modes(repository: Repository, request: Received) -> Reply:
    modes = [
        {
            "path": one["path"],
            "uploadMode": "lfs" if one["path"].endswith(".parquet") else "regular",
            "shouldIgnore": False,
            "oid": repository.large.get(one["path"], (None, 0))[0],
        }
        for one in json.loads(request.body)["files"]
    ]
    return Reply(body={"files": modes})


def _require_known_token(request: Received) -> Reply | None:
    token = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token in ("", READER, WRITER):
        return None
    return Reply(401, {"error": BAD_TOKEN}, (("X-Error-Message", BAD_TOKEN),))


def _require_writer(request: Received) -> Reply | None:
    if bad := _require_known_token(request):
        return bad
    if request.headers.get("authorization") == f"Bearer {WRITER}":
        return None
    return Reply(403, {"error": "You have no right to write here."}, (("X-Error-Message", "Forbidden"),))
