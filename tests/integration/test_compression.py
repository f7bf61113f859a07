"""Compressed responses over HTTP: identical content, only for clients that accept it, and never for secrets."""

import asyncio
import gzip
from collections.abc import Iterator

import pytest

from leaderboard.assets import STATIC_PATH
from leaderboard.http.compression import CompressedBodies, accepts_gzip
from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import Site, run_site

BOARD = "/api/v1/leaderboards/audio-motion-bench"
PLAIN = {"accept-encoding": "identity"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as running:
        yield running


def test_page_boards_and_files_are_much_smaller_and_identical(
    visitor: Visitor, site: Site, subtests: pytest.Subtests
) -> None:
    for served, path, share in (
        (visitor.site, "/", 0.2),
        (site, "/api/v1/openapi.json", 0.2),
        (site, f"{STATIC_PATH}/board.js", 0.4),
    ):
        with subtests.test(path=path):
            compressed, plain = served.get(path), served.client.get(path, headers=PLAIN)
            assert compressed.headers["content-encoding"] == "gzip"
            assert "Accept-Encoding" in compressed.headers["vary"]
            assert "content-encoding" not in plain.headers
            assert int(compressed.headers["content-length"]) < share * len(plain.content)
            assert compressed.content == plain.content


def test_compressed_response_has_a_weak_etag_that_matches_in_either_form(site: Site) -> None:
    compressed, plain = site.get("/api/v1/openapi.json"), site.client.get("/api/v1/openapi.json", headers=PLAIN)
    assert compressed.headers["etag"] == f"W/{plain.headers['etag']}"
    for tag in (compressed.headers["etag"], plain.headers["etag"]):
        again = site.client.get("/api/v1/openapi.json", headers={"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")


def test_short_failed_posted_and_partial_responses_are_not_compressed(site: Site, visitor: Visitor) -> None:
    assert "content-encoding" not in site.get("/healthz").headers
    assert "content-encoding" not in site.get("/api/v1/leaderboards/none").headers
    assert "content-encoding" not in visitor.check(None).headers
    part = site.get(f"{STATIC_PATH}/board.js", range="bytes=0-1999")
    assert "content-encoding" not in part.headers or part.status_code == 200
    assert site.client.head(BOARD).content == b""


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("x-gzip", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=0.001", True),
        ("identity", False),
        ("gzippy", False),
        ("", False),
    ],
)
def test_gzip_is_sent_to_clients_that_accept_it(value: str, accepted: bool) -> None:
    assert accepts_gzip([(b"host", b"x"), (b"accept-encoding", value.encode())]) is accepted


def test_compressed_bodies_are_cached_and_the_oldest_evicted() -> None:
    bodies = CompressedBodies(max_bytes=3_000)
    one, two = (bytes(f"{seed} " * 30_000, "ascii") for seed in ("one", "two"))

    async def compress_all() -> None:
        first = await bodies.compress(one)
        assert gzip.decompress(first) == one
        assert await bodies.compress(one) is first, "kept"
        for filler in range(40):
            await bodies.compress(two + bytes([filler]))
        assert await bodies.compress(one) is not first, "compressed again"

    asyncio.run(compress_all())
