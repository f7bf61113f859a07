"""Uploads of the page, in place of Gradio's own upload, which stores whatever it receives.

Gradio's upload reveals local paths, keeps parts of interrupted uploads, and has no total limit. Its page accepts any
text as the path; here it is a reference (see `UploadFolder`).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, cast

import orjson
from anyio import to_thread
from fastapi import FastAPI, Query, Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from leaderboard.pages.inputs.upload_folder import Uploader
from leaderboard.pages.shared.current_user import find_client, find_current_user
from leaderboard.services import Services
from submissions.errors import BadRequestError
from submissions.intake.artifacts import TooLargeError

UPLOAD_PATH = "/gradio_api/upload"
PROGRESS_PATH = "/gradio_api/upload_progress"
_LOOK_SECONDS = 0.1
_LOOKS_FOR_A_START = 30
_LOOKS_WITHOUT_NEWS = 600

UploadId = Annotated[str | None, Query(max_length=64)]
_Tell = Callable[[str, int], None]


class _Arriving:
    """An upload in progress."""

    def __init__(self) -> None:
        self.name = ""
        self.news_bytes = 0

    def tell(self, name: str, n_bytes: int) -> None:
        self.name = name
        self.news_bytes += n_bytes


class _Parser(MultiPartParser):
    """Reports how much of a file has arrived."""

    def __init__(self, request: Request, tell: _Tell) -> None:
        super().__init__(request.headers, cast("AsyncIterator[bytes]", request.stream()), max_files=1, max_fields=10)  # type: ignore[arg-type]
        self._tell = tell

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        super().on_part_data(data, start, end)
        if self._current_part.file is not None:
            self._tell(self._current_part.file.filename or "", end - start)


def add_upload_routes(site: FastAPI, services: Services) -> None:
    """Add the two addresses to the application before Gradio is mounted."""
    arriving: dict[str, _Arriving] = {}

    @site.post(UPLOAD_PATH)
    async def receive_upload(request: Request, upload_id: UploadId = None) -> Response:
        upload = _Arriving()
        if upload_id:
            arriving[upload_id] = upload
        try:
            reference = await _receive(request, services, upload.tell)
        finally:
            if upload_id and arriving.get(upload_id) is upload:
                del arriving[upload_id]
        return Response(orjson.dumps([reference]), media_type="application/json")

    @site.get(PROGRESS_PATH)
    async def show_progress(upload_id: UploadId = None) -> Response:
        news = _tell_news(lambda: arriving.get(upload_id or ""))
        return StreamingResponse(news, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _tell_news(find_upload: Callable[[], _Arriving | None]) -> AsyncIterator[bytes]:
    """Report how much of an upload has arrived, and when it is complete.

    A page polls from the start: a small file has arrived by then, and others begin to arrive a moment later.
    """
    n_looks = 0
    while (upload := find_upload()) is None and n_looks < _LOOKS_FOR_A_START:
        n_looks += 1
        await asyncio.sleep(_LOOK_SECONDS)
    n_quiet = 0
    while upload is not None and find_upload() is upload and n_quiet < _LOOKS_WITHOUT_NEWS:
        n_quiet = 0 if upload.news_bytes else n_quiet + 1
        if upload.news_bytes:
            yield _event({"msg": "update", "orig_name": upload.name, "chunk_size": upload.news_bytes})
            upload.news_bytes = 0
        await asyncio.sleep(_LOOK_SECONDS)
    yield _event({"msg": "done"})


def _event(message: dict[str, object]) -> bytes:
    return b"data: " + orjson.dumps(message) + b"\n\n"


async def _receive(request: Request, services: Services, tell: _Tell) -> str:
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise BadRequestError("files", "No file was sent. Send one as the field `files` of a multipart form.")
    try:
        form = await _Parser(request, tell).parse()
    except (MultiPartException, ClientDisconnect):
        # An interrupted client reads no answer, and is no incident.
        raise HTTPException(400) from None
    try:
        file = _get_file(form, services.settings.max_upload_bytes)
        return await to_thread.run_sync(_store_file, file, request, services)
    finally:
        await form.close()


def _get_file(form: FormData, max_file_bytes: int) -> UploadFile:
    file = form.get("files")
    if not isinstance(file, UploadFile):
        raise BadRequestError("files", "No file was sent. Send one as the field `files` of a multipart form.")
    if file.size is None or file.size > max_file_bytes:
        raise TooLargeError(f"The file has more than {max_file_bytes:,} bytes, which is the limit here.")
    return file


def _store_file(file: UploadFile, request: Request, services: Services) -> str:
    user = find_current_user(request, services)
    uploader = Uploader(find_client(request), False) if user is None else Uploader(f"account {user.id}", True)
    return services.page_uploads.store_upload(file.file, file.size or 0, uploader)
