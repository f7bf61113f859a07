import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from starlette.types import Message

from leaderboard.http.content_policies import DATA_POLICY
from leaderboard.http.guard import body_streams
from leaderboard.http.guard.allowlist import RULES, find_rule
from leaderboard.http.guard.body_streams import GuardedBody, RefusedBodyError, UploadGate
from leaderboard.http.guard.key_guard import refuse_answer_keys
from settings import Settings
from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import BENCHMARK, UNLIMITED, Site, problem_of, run_site
from tests.support.servers.server import wait_for

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("guard"), max_upload_mb=1) as running:
        yield running


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Site behind a local proxy, with sign-in through a provider."""
    with run_site(tmp_path_factory.mktemp("proxied"), auth="oidc", **UNLIMITED) as running:
        yield running


def send_raw(site: Site, request: bytes, source: str = "127.0.0.1") -> bytes:
    """Send raw bytes that no client library would send, and return the beginning of the response."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=120, source_address=(source, 0)) as connection:
        connection.sendall(request)
        return connection.recv(100_000)


@pytest.mark.parametrize("place", ["/assets/", "/static/", "/static-earshot/", "/api/v1/models/"])
@pytest.mark.parametrize("name", ["a" * 300, "é" * 200, f"x/{'a' * 256}/y"])
def test_path_that_no_file_system_accepts_is_not_found(site: Site, place: str, name: str) -> None:
    problem_of(site.get(place + name), 404)


@pytest.mark.parametrize("path", ["/healthz", "/nope", BOARD_URL, "/api/v1/nope", "/gradio_api/queue/join"])
def test_every_response_has_the_security_headers(site: Site, path: str) -> None:
    headers = site.get(path).headers
    assert headers.get_list("content-security-policy") == [f"{DATA_POLICY}; frame-ancestors 'self'"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


def test_policy_lists_the_sites_that_may_frame_the_page(tmp_path: Path) -> None:
    assert Settings().frame_ancestors == ("'self'",)
    with run_site(tmp_path, frame_ancestors="self https://*.blog.example") as site:
        for path in ("/healthz", "/nope"):
            headers = site.get(path).headers
            assert "frame-ancestors 'self' https://*.blog.example" in headers["content-security-policy"]
            assert "x-frame-options" not in headers


UNLISTED = [
    "/gradio_api/queue/join",
    "/gradio_api/queue/data",
    "/gradio_api/queue/status",
    "/queue/join",
    "/gradio_api/call/f",
    "/gradio_api/call/v2/f",
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/file/etc/passwd",
    "/gradio_api/proxy=https://example.org/",
    "/gradio_api/stream/x",
    "/gradio_api/cancel",
    "/gradio_api/reset",
    "/gradio_api/component_server",
    "/gradio_api/deep_link",
    "/gradio_api/info/",
    "/gradio_api/runs",
    "/gradio_api/run-history/records",
    "/gradio_api/dev/reload",
    "/gradio_api/vibe-edit",
    "/gradio_api/token",
    "/gradio_api/user",
    "/gradio_api/custom_component/x/client/component/index.js",
    "/gradio_api/process_recording",
    "/gradio_api/uploads",
    "/gradio_api/run",
    "/monitoring",
    "/login",
    "/logout",
    "/config/",
    "/svelte/x",
    "/pwa_icon",
    "/docs",
    "/redoc",
    "/openapi.json",
    "/data/earshot.db",
    "/static/../settings.py",
    "/static/%2e%2e/settings.py",
    "/static//etc/passwd",
    "/assets/..%5c..%5csettings.py",
    "/static-earshot/published/audio-motion-bench.json",
]


def test_page_that_lost_its_connection_detects_the_server(visitor: Visitor) -> None:
    answer = visitor.site.get("/gradio_api/app_id")
    assert answer.status_code == 200
    assert set(answer.json()) == {"app_id"}
    for path in ("/gradio_api/app_id/", "/gradio_api/app_id/x", "/gradio_api/app_idx"):
        problem_of(visitor.site.get(path), 404)


def test_unlisted_addresses_do_not_exist(site: Site, subtests: pytest.Subtests) -> None:
    for path in UNLISTED:
        with subtests.test(path=path):
            for method in ("GET", "POST"):
                answer = send_raw(
                    site, f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n".encode()
                )
                status = int(answer.split(b" ", 2)[1])
                assert status == 404 or (path.startswith("/static-earshot/") and status == 405), (method, answer)


def test_every_rule_has_a_reason_and_matches_its_path() -> None:
    assert all(rule.reason for rule in RULES)
    assert all(find_rule(rule.path if not rule.path.endswith("/") else f"{rule.path}x") for rule in RULES[1:])
    assert find_rule("/") == RULES[0]
    assert find_rule("/x") is None


def test_cross_site_post_is_refused(site: Site) -> None:
    url, data = "/auth/local", {"name": "ada"}
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{site.port + 1}"},
        {"Origin": f"http://127.0.0.1:{site.port}", "Sec-Fetch-Site": "cross-site"},
    ):
        response = site.post(url, headers=headers, data=data)
        assert "another site" in problem_of(response, 403)["detail"]
        assert "set-cookie" not in response.headers
    own = {"Origin": f"http://127.0.0.1:{site.port}", "Sec-Fetch-Site": "same-origin"}
    assert site.post(url, headers=own, data=data).status_code == 303
    assert site.get("/healthz", Origin="https://evil.example").status_code == 200


def test_other_sites_cannot_read_responses(site: Site) -> None:
    headers = site.get(BOARD_URL, Origin="https://evil.example").headers
    assert not any(name.startswith("access-control-") for name in headers)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:7860",
        "10.0.0.1",
        "",
        "[::1]evil",
        "[::1]:evil",
        "[::1].evil.example:7860",
        "127.0.0.1:evil.example",
        "127.0.0.1:7860:1",
    ],
)
def test_foreign_host_name_is_refused_under_local_sign_in(site: Site, host: str) -> None:
    answer = send_raw(site, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403"), answer


@pytest.mark.parametrize("host", ["127.0.0.1", "LOCALHOST:1", "[::1]:7860"])
def test_loopback_host_names_are_accepted(site: Site, host: str) -> None:
    assert send_raw(site, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()).startswith(b"HTTP/1.1 200")


def test_forwarded_headers_are_ignored(site: Site) -> None:
    response = site.get("/api/v1/docs", X_Forwarded_Host="evil.example", X_Forwarded_Proto="https")
    assert "evil.example" not in response.text
    assert f"http://127.0.0.1:{site.port}/api" in response.text
    response = site.get("/api/v1/docs", Host=f"localhost:{site.port}")
    assert f"http://localhost:{site.port}/api" in response.text


def test_address_behind_a_proxy_is_the_public_one(proxied: Site) -> None:
    forwarded = {"X-Forwarded-Proto": "https,http", "X-Forwarded-Host": "earshot.example, inner.example"}
    assert "https://earshot.example/api" in proxied.get("/api/v1/docs", **forwarded).text
    token, url = proxied.token("ada"), "/api/v1/tokens"
    for origin, status in (
        ("https://earshot.example", 201),
        ("https://inner.example", 403),
        (f"http://127.0.0.1:{proxied.port}", 403),
        ("https://evil.example", 403),
    ):
        headers = {**forwarded, "Origin": origin}
        assert proxied.post(url, token, headers=headers, json={"label": "a"}).status_code == status, origin
    headers = {**forwarded, "Origin": "https://earshot.example", "Sec-Fetch-Site": "cross-site"}
    assert proxied.post(url, token, headers=headers, json={"label": "a"}).status_code == 403


def test_other_sites_read_only_public_responses(site: Site) -> None:
    """A proxy may allow every origin to read responses with cookies; of other sites, only links keep their cookies."""
    cookie = site.post("/auth/local", data={"name": "ada"}).headers["set-cookie"].partition(";")[0]
    own, foreign = f"http://127.0.0.1:{site.port}", {"Origin": "https://hub.example"}
    path = "/api/v1/submissions?mine=true"
    assert site.get(path, Cookie=cookie).status_code == 200
    assert site.get(path, Cookie=cookie, Origin=own).status_code == 200
    assert site.get(path, Cookie=cookie, **foreign).status_code == 401
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert site.get(path, Cookie=cookie, **embedded).status_code == 401
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert site.get(path, Cookie=cookie, **followed).status_code == 200
    site.client.cookies.clear()


def test_body_above_the_limit_is_413_by_its_declared_length(site: Site) -> None:
    token = site.token("ada")
    response = site.submit(token, b"x" * 2_100_000)
    assert "2,000,000 bytes" in problem_of(response, 413)["detail"]


def test_body_above_the_limit_is_413_without_a_declared_length(site: Site) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="p"\r\n\r\n'
        for _ in range(30):
            yield b"x" * 100_000

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    problem_of(site.post("/api/v1/validations", content=chunks(), headers=headers), 413)


def test_file_above_the_limit_is_413_within_the_slack_of_the_body(site: Site) -> None:
    problem_of(site.submit(site.token("ada"), b'{"id": "amb-1", "response": "A"}\n' + b" " * 1_100_000), 413)


def test_body_limit_of_other_addresses_is_lower(site: Site) -> None:
    response = site.post("/auth/local", content=b"x" * 1_000_001)
    assert "1,000,000 bytes" in problem_of(response, 413)["detail"]


def test_invalid_content_length_is_refused(site: Site) -> None:
    answer = send_raw(site, b"POST /auth/local HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: +5\r\n\r\nhello")
    assert answer.startswith(b"HTTP/1.1 400")


def test_anonymous_upload_is_refused_before_it_is_read(site: Site) -> None:
    head = (
        b"POST /api/v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000\r\n\r\n"
    )
    # Not one byte of the body is sent, and yet there is a response.
    assert send_raw(site, head).startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "http://]", "\xff", "http://a\u2100b".encode().decode("latin-1"), ""]
)
def test_malformed_origin_is_refused(site: Site, origin: str) -> None:
    head = f"POST /auth/local HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {origin}\r\nContent-Length: 0\r\n\r\n"
    assert send_raw(site, head.encode("latin-1")).startswith(b"HTTP/1.1 403")


HEADERS = [
    "Accept",
    "Authorization",
    "Content-Type",
    "Cookie",
    "Expect",
    "Host",
    "Idempotency-Key",
    "If-None-Match",
    "Origin",
    "Range",
    "Sec-Fetch-Site",
    "Transfer-Encoding",
    "X-Forwarded-Proto",
]
ODD_VALUES = ["\xff\xfe", "[", "[::1", "%00", "a;b=\xe9;;=", "=" * 4000, "\xc3\x28", '"', "\t"]


def test_malformed_header_is_no_server_error(site: Site, subtests: pytest.Subtests) -> None:
    for name, value in product(HEADERS, ODD_VALUES):
        with subtests.test(name=name, value=value):
            host = "" if name == "Host" else "Host: 127.0.0.1\r\n"
            odd = f"{name}: earshot_session={value}" if name == "Cookie" else f"{name}: {value}"
            for request in (f"GET {BOARD_URL}", "GET /gradio_api/upload_progress", "POST /api/v1/submissions"):
                head = f"{request} HTTP/1.1\r\n{host}{odd}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                status = int(send_raw(site, head.encode("latin-1")).split(b" ", 2)[1])
                assert status < 500, (request, odd, status)


def test_client_has_a_few_uploads_at_once_and_keeps_nobody_else_out(site: Site) -> None:
    head = "POST /api/v1/validations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    short = f"{head}Content-Length: 9\r\n\r\n--b--\r\nxx".encode()
    held = [socket.create_connection(("127.0.0.1", site.port), timeout=120) for _ in range(16)]
    try:
        for connection in held:
            connection.sendall(f"{head}Content-Length: 2000000\r\n\r\n".encode())
        wait_for(lambda: b" 503 " in send_raw(site, short), "503", seconds=30)
        answer = send_raw(site, short)
        assert b"retry-after: 5" in answer
        assert b"application/problem+json" in answer
        assert b" 503 " not in send_raw(site, short, source="127.0.0.2"), "another client's upload arrives"
        assert site.submit(site.token("ada")).status_code == 201, "checks do not keep submissions out"
    finally:
        for connection in held:
            connection.close()
    wait_for(lambda: b" 503 " not in send_raw(site, short), "room", seconds=30)


def test_only_bytes_that_arrived_take_room_and_large_bodies_leave_some_to_small_ones() -> None:
    gate = UploadGate(10_000_000)
    with ExitStack() as uploads:
        large = [uploads.enter_context(gate.enter(f"client-{n}")) for n in range(3)]
        assert gate.n_bytes == 3 * 65_536, "whatever they declare"
        for reservation in large[:2]:
            assert reservation is not None
            assert reservation.grow(4_400_000)
        assert large[2] is not None
        assert not large[2].grow(1_100_000), "the rest is for small bodies"
        assert uploads.enter_context(gate.enter("client-3")) is not None
    assert gate.n_bytes == 0


def test_body_without_room_is_503_when_it_has_arrived_so_far() -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"x" * 10, "more_body": True}

    body = GuardedBody(receive, 1_000, lambda n_bytes: n_bytes == 0)
    with pytest.raises(RefusedBodyError):
        asyncio.run(body.receive())
    assert body.refusal is not None
    assert body.refusal.status == 503


def test_body_that_does_not_arrive_is_408(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_streams, "_PATIENCE_SECONDS", 0.1)
    head = b"POST /auth/local HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\nhello"
    answer = send_raw(site, head)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"application/problem+json" in answer


def test_body_that_trickles_in_is_refused_and_a_steady_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    async def read(piece: bytes, seconds: float) -> int:
        async def receive() -> Message:
            nonlocal now
            now += seconds
            return {"type": "http.request", "body": piece, "more_body": True}

        body = GuardedBody(receive, 10_000_000)
        for n_pieces in range(1, 100):
            try:
                await body.receive()
            except RefusedBodyError:
                assert body.refusal is not None
                assert body.refusal.status == 408
                return n_pieces
        return 0

    monkeypatch.setattr(body_streams, "monotonic", lambda: now)
    assert asyncio.run(read(b"x", 5.0)) > 0
    assert asyncio.run(read(b"x" * 100_000, 4.9)) == 0


def test_fast_beginning_of_a_body_does_not_pay_for_a_trickle(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    pieces = iter([b"x" * 80_000_000, *[b"x"] * 100])

    async def receive() -> Message:
        nonlocal now
        piece = next(pieces)
        now += 5.0 if len(piece) == 1 else 0.0
        return {"type": "http.request", "body": piece, "more_body": True}

    async def read_all() -> None:
        body = GuardedBody(receive, 100_000_000)
        while True:
            await body.receive()

    monkeypatch.setattr(body_streams, "monotonic", lambda: now)
    with pytest.raises(RefusedBodyError):
        asyncio.run(read_all())
    assert now <= 35.0, "and not the 4,000 s that 80 MB take at 20 kB/s"


@pytest.mark.parametrize(
    "path",
    [
        "answer-keys/amb/test.json",
        "x/../answer-keys/amb/test.json",
        "answer-keys",
        "link/test.json",
        "folder-link/amb/test.json",
        "x/../folder-link/../answer-keys/amb/test.json",
    ],
)
@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_web_process_refuses_answer_keys_by_every_kind_of_path(
    tmp_path: Path, path: str, kind: Callable[[str], object]
) -> None:
    keys = tmp_path / "answer-keys" / "amb"
    keys.mkdir(parents=True)
    (keys / "test.json").write_text("{}")
    (tmp_path / "x").mkdir()
    (tmp_path / "link").symlink_to(keys)
    (tmp_path / "folder-link").symlink_to(tmp_path / "answer-keys")
    for event in ("open", "os.listdir", "os.scandir", "os.link", "os.rename", "os.chdir"):
        with pytest.raises(PermissionError) as refused:
            refuse_answer_keys(event, (kind(str(tmp_path / path)), "r", 0))
        assert str(tmp_path) not in str(refused.value)


def test_answer_keys_are_refused_relative_to_a_folder_that_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answer-keys").mkdir()
    monkeypatch.chdir(tmp_path / "answer-keys")
    with pytest.raises(PermissionError):
        refuse_answer_keys("open", ("test.json", "r", 0))


def test_key_guard_allows_all_other_paths() -> None:
    others = (
        ("open", "/data/my-answer-keys.md"),
        ("open", b"/data/my-answer-keys.md"),
        ("open", 3),
        ("open", "a\x00b"),
        ("os.listdir", None),
        ("exec", object()),
    )
    for event, argument in others:
        refuse_answer_keys(event, (argument,))
