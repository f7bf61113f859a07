"""Question packs as responses: ranges, entity tags."""

from pathlib import Path

from fastapi import Request
from starlette.responses import FileResponse, Response

from leaderboard.http.caching.etags import matches
from leaderboard.http.problem_details import make_problem
from leaderboard.http.ranges import UnsatisfiableRangeError, read_range


def send_pack_file(
    request: Request, path: Path, digest: str, if_none_match: str | None, range_: str | None, cache: str = "no-cache"
) -> Response:
    """Return a pack, a range of it, or that the client's copy is current.

    Args:
        request: The request.
        path: Path of the pack.
        digest: Digest of its content, for the entity tag.
        if_none_match: Entity tags of the client's copies.
        range_: Value of the Range header.
        cache: Value of the Cache-Control header.
    """
    headers = {"ETag": f'"{digest}"', "Cache-Control": cache}
    if matches(if_none_match, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    size = path.stat().st_size
    try:
        span = read_range(range_, size)
    except UnsatisfiableRangeError:
        words = f"The pack has {size} bytes, but the range begins after them. Download it from the beginning."
        return make_problem(416, words, headers={"Content-Range": f"bytes */{size}"})
    if range_ is not None and span is None:
        # Invalid Range headers may be ignored; the framework would refuse them with its own message.
        request.scope["headers"] = [one for one in request.scope["headers"] if one[0] != b"range"]
    return FileResponse(path, headers=headers, media_type="application/zip", filename=path.name)
