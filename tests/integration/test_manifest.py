"""Web app manifest and favicon: their references exist and match their descriptions."""

import re
import struct

from leaderboard.assets import ASSETS_DIR
from tests.support.pages.visitor import Visitor


def test_manifest_names_existing_icons_in_their_actual_sizes(visitor: Visitor) -> None:
    answer = visitor.site.get("/manifest.json")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"]) == ("Earshot", "/")
    sizes = []
    for icon in manifest["icons"]:
        image = visitor.site.get(icon["src"])
        assert image.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            sizes.append("{}x{}".format(*struct.unpack(">II", image.content[16:24])))
            assert icon["sizes"] == sizes[-1]
    assert sizes == ["192x192", "512x512"]


def test_manifest_has_the_colours_of_the_page(visitor: Visitor) -> None:
    manifest = visitor.site.get("/manifest.json").json()
    tokens = dict(re.findall(r"--es-(page|accent): (#\w+);", (ASSETS_DIR / "theme.css").read_text().split(".dark")[0]))
    assert manifest["background_color"] == tokens["page"]
    assert manifest["theme_color"] == tokens["accent"]


def test_favicon_is_an_image(visitor: Visitor) -> None:
    answer = visitor.site.get("/favicon.ico")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.content == (ASSETS_DIR / "favicon.svg").read_bytes()
