"""Web app manifest and favicon: name, icons and colours for tabs, bookmarks and home screens."""

from fastapi import FastAPI
from starlette.responses import JSONResponse, Response

from leaderboard.assets import ASSETS_DIR, STATIC_PATH

# Of assets/theme.css.
THEME_COLOR = "#0b6b66"
_BACKGROUND_COLOR = "#ffffff"
_ICON_SIZES = (192, 512)


def add_manifest(site: FastAPI, name: str, description: str) -> None:
    """Serve the manifest that the page links to, and the icon that browsers request by default."""
    icons = [
        {"src": f"{STATIC_PATH}/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in _ICON_SIZES
    ]
    vector = {"src": f"{STATIC_PATH}/favicon.svg", "sizes": "any", "type": "image/svg+xml"}
    manifest = {
        "id": "/",
        "name": name,
        "short_name": name,
        "description": description,
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": THEME_COLOR,
        "background_color": _BACKGROUND_COLOR,
        "icons": [*icons, vector],
    }

    @site.get("/manifest.json")
    async def send_manifest() -> JSONResponse:
        return JSONResponse(manifest, headers={"Cache-Control": "no-cache"}, media_type="application/manifest+json")

    favicon = (ASSETS_DIR / "favicon.svg").read_bytes()

    @site.get("/favicon.ico")
    async def send_favicon() -> Response:
        return Response(favicon, headers={"Cache-Control": "public, max-age=86400"}, media_type="image/svg+xml")
