"""Static assets: read once, and served from memory under an address that changes with their content.

Browsers never request such an address again; after a release the page contains new addresses.
"""

import hashlib
import re
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import FastAPI, Header
from starlette.exceptions import HTTPException
from starlette.responses import Response

from leaderboard.http.caching.etags import answer_unless_known, make_etag

ASSETS_DIR = Path(__file__).parent.parent / "assets"
# Only what a page loads: the folder also contains published results and texts for other code.
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
}
_FOREVER = "public, max-age=31536000, immutable"


class _Asset(NamedTuple):
    data: bytes
    media_type: str
    etag: str


def _read(folder: Path) -> dict[str, _Asset]:
    """Return name → file, read at startup: no path of a request ever reaches the disk."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix in _MEDIA_TYPES and path.is_file())
    return {path.relative_to(folder).as_posix(): _read_file(path) for path in paths}


def _read_file(path: Path) -> _Asset:
    data = path.read_bytes()
    return _Asset(data, _MEDIA_TYPES[path.suffix], make_etag(data))


def _digest(assets: dict[str, _Asset]) -> str:
    """Return a version that changes with any file: scripts import each other, so their addresses change together."""
    return hashlib.sha256(repr([(name, asset.etag) for name, asset in assets.items()]).encode()).hexdigest()[:12]


_ASSETS = _read(ASSETS_DIR)
_PLACE = "/static-earshot"
_RELEASE = _digest(_ASSETS)
# The first release had no version in its addresses.
_IS_RELEASE = re.compile(r"[0-9a-f]{12}")
STATIC_PATH = f"{_PLACE}/{_RELEASE}"


def import_script(name: str) -> str:
    """Return the JavaScript expression that imports one of our modules, and waits while the server is unavailable.

    `assets/loading.js` is part of the page; if Gradio's HTML is not the known one, it is missing.
    """
    return f'(window.earshot?.load ?? ((url) => import(url)))("{STATIC_PATH}/{name}")'


def add_assets(site: FastAPI) -> None:
    """Serve the files under `STATIC_PATH`, and under the addresses of earlier releases."""

    @site.get(f"{_PLACE}/{{place:path}}")
    async def send_asset(place: str, if_none_match: Annotated[str | None, Header()] = None) -> Response:
        release, _, name = place.rpartition("/")
        asset = _ASSETS.get(name) if not release or _IS_RELEASE.fullmatch(release) else None
        if asset is None:
            raise HTTPException(404)
        # A page opened before a release still requests the previous files.
        kept = _FOREVER if release == _RELEASE else "no-cache"
        headers = {"Cache-Control": kept}
        return answer_unless_known(asset.data, asset.etag, if_none_match, media_type=asset.media_type, headers=headers)
