"""Static assets over HTTP: cached under versioned addresses, with all their references available."""

import re
from collections.abc import Iterator

import pytest

from leaderboard.assets import ASSETS_DIR, STATIC_PATH
from tests.support.servers.live_site import Site, run_site

SERVED = sorted(path.name for path in ASSETS_DIR.iterdir() if path.suffix in (".css", ".js", ".svg", ".png"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as running:
        yield running


def test_asset_is_served_unchanged_and_immutable(site: Site, subtests: pytest.Subtests) -> None:
    for name in SERVED:
        with subtests.test(name):
            response = site.get(f"{STATIC_PATH}/{name}")
            assert response.status_code == 200
            assert response.content == (ASSETS_DIR / name).read_bytes()
            assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("release", ["0123456789ab/", ""])
def test_page_of_an_earlier_release_gets_the_current_file_without_caching(site: Site, release: str) -> None:
    address = f"{STATIC_PATH[:-12]}{release}board.js"
    response = site.get(address)
    assert response.content == (ASSETS_DIR / "board.js").read_bytes()
    assert response.headers["cache-control"] == "no-cache"
    again = site.get(address, if_none_match=response.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    ["published/audio-motion-bench.json", "texts/about.md", "../settings.py", "%2e%2e/settings.py", "", "board.js/x"],
)
def test_unused_file_is_not_served(site: Site, name: str) -> None:
    assert site.get(f"{STATIC_PATH}/{name}").status_code == 404
    assert (ASSETS_DIR / "published" / "audio-motion-bench.json").is_file()


SCRIPTS = [name for name in SERVED if name.endswith(".js")]


def test_scripts_import_served_files_by_relative_names(subtests: pytest.Subtests) -> None:
    for name in SCRIPTS:
        with subtests.test(name):
            text = (ASSETS_DIR / name).read_text(encoding="utf-8")
            imported = re.findall(r'(?:^import|^export|^}).*from "(.+)"|\bimport\("(.+)"\)(?![.}])', text, re.M)
            names = [static or dynamic for static, dynamic in imported]
            assert all(one.startswith("./") and one.removeprefix("./") in SERVED for one in names), names
